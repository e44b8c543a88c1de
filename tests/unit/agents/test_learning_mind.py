"""The agent that searches in a model it learns."""

from __future__ import annotations

import pickle
import subprocess
import sys
from itertools import pairwise

import pytest
from hidden_rules import CALLS, NoRules, played
from tile_games import grid, play

from ludex.agents.compose import make_agent
from ludex.core import Rng, registry
from ludex.core.errors import Unsupported
from ludex.models.learned.explain.accuracy import tile_accuracy
from ludex.models.learned.local import Local
from ludex.models.learned.tiles.learner import TileLearner

WIDE = "shape=cross,span=5"  # sees a corridor of six cells from end to end


class Corridor:
    """A hidden game: `a` walks right (0) or left (1), and comes back from the right end.

    What waits there is `b` and `c` in turn, and worth a point each.
    """

    def __init__(self, length=6):
        self.length, self.place, self.score = length, 0, 0.0

    def view(self):
        cells = ["."] * self.length
        cells[-1] = "bc"[int(self.score) % 2]
        cells[self.place] = "a"
        return grid("".join(cells), score=self.score)

    def act(self, action):
        self.place = min(self.place + 1, self.length - 1) if action == 0 else max(self.place - 1, 0)
        if self.place == self.length - 1:
            self.place, self.score = 0, self.score + 1.0


def start(text, game):
    return make_agent(text).start(NoRules(), game.view(), CALLS, Rng(1))


def test_it_learns_a_game_whose_rules_nobody_told_it():
    game = Corridor()
    # Coming back for more points is what this game is about.
    planner = "breadth_first(revisit_penalty=0)"
    mind = start(f"{planner}@local(learn=continuous,refit=300,{WIDE})", game)
    played(mind, game, 300)
    begun, score = game.place, game.score
    decisions = played(mind, game, 30, seed=1)
    assert game.score - score == (begun + 30) // 5  # five steps for each point: no way is shorter
    assert decisions[-1].notes["wrong"] == 0


def test_it_plays_at_random_while_it_knows_nothing():
    game = Corridor()
    mind = start("breadth_first@local(learn=continuous,refit=200)", game)
    decisions = played(mind, game, 100)
    assert {decision.action for decision in decisions} == {0, 1}
    assert all(decision.model_calls == 0 for decision in decisions)
    assert decisions[-1].predicted is None


def test_it_fits_again_only_where_something_was_predicted_wrongly():
    fittings = {}
    for sight in (WIDE, "span=1"):  # the nearsighted do not see who comes back from the far end
        game = Corridor()
        mind = start(f"breadth_first@local(learn=continuous,refit=300,{sight})", game)
        fittings[sight] = played(mind, game, 650)[-1].notes["fittings"]
    assert fittings == {WIDE: 1, "span=1": 2}


def test_an_eager_one_fits_after_every_error():
    game = Corridor()
    mind = start("one_step@local(learn=continuous,refit=5,eager=true,span=1)", game)
    notes = [decision.notes for decision in played(mind, game, 60)]
    for earlier, later in pairwise(notes[5:]):
        assert (later["fittings"] > earlier["fittings"]) == (later["wrong"] > earlier["wrong"])
    assert notes[-1]["wrong"] > 0


def test_evidence_says_what_comes_next_and_how_sure_that_is():
    game = Corridor()
    mind = start(f"breadth_first@local(learn=continuous,refit=300,{WIDE})", game)
    played(mind, game, 310)
    decision = mind.decide(game.view(), CALLS, Rng(7))
    game.act(decision.action)
    found = mind.model.imagine(game.view(), Rng(0))
    assert decision.predicted.differs(found) == 0
    assert decision.confidence == 1.0
    assert decision.notes["unseen_cells"] == 0
    assert decision.model_calls > 0


def test_the_last_step_of_a_game_is_learned_too():
    game = Corridor()
    mind = start("breadth_first@local(learn=continuous,refit=500)", game)
    played(mind, game, 20)
    mind.finish(game.view(), None)
    assert (mind.learner.seen_, mind.learner.fitted_to_) == (20, 20)


def test_random_exploration_is_as_frequent_as_asked():
    game = Corridor()
    mind = start("breadth_first@local(learn=continuous,refit=40,span=1,explore=0.5)", game)
    decisions = played(mind, game, 440)[40:]
    random = [decision for decision in decisions if decision.model_calls == 0]
    assert 150 < len(random) < 250  # of 400; five standard deviations are 50


def first_visit(text, ticks=120):
    """When the far end of a corridor without reward is first reached, after random play."""
    game = Corridor(12)
    game.act = lambda action: Corridor.act(game, action) if game.place < 10 else None
    mind = start(text, game)
    for tick in range(ticks):
        if game.place >= 9:
            return tick
        game.act(mind.decide(game.view(), CALLS, Rng(3).fork(tick)).action)
    return ticks


def test_uncertainty_and_boredom_lead_to_where_it_has_not_been():
    plain = first_visit("breadth_first@local(learn=continuous,refit=15,span=1,explore=0.0)")
    curious = first_visit("breadth_first@local(learn=continuous,refit=15,span=1,curiosity=0.1)")
    bored = first_visit("breadth_first@local(learn=continuous,refit=15,span=1,boredom=0.1)")
    assert curious <= plain
    assert bored <= plain


class Hall:
    """A hidden game without points: `a` walks right (0) or left (1) past ornaments.

    What hangs above the cells is unlike nearly everywhere, so who walks on sees new patterns.
    """

    def __init__(self, length=60):
        self.place, dice = 0, Rng(11)
        self.wall = "".join(dice.choice(".bc") for _ in range(length))

    def view(self):
        floor = ["."] * len(self.wall)
        floor[self.place] = "a"
        return grid(f"{self.wall}/{''.join(floor)}")

    def act(self, action):
        self.place = min(max(self.place + (1 if action == 0 else -1), 0), len(self.wall) - 1)


def places_seen(settings, ticks=150, seeds=3):
    """How far an explorer gets, on average."""
    total = 0
    for seed in range(seeds):
        game = Hall()
        planner = "breadth_first(revisit_penalty=0,value=score)"
        text = f"{planner}@local(learn=continuous,refit=10,span=1,score=none,{settings})"
        mind, places = start(text, game), set()
        for tick in range(ticks):
            game.act(mind.decide(game.view(), CALLS, Rng(seed).fork("tick", tick)).action)
            places.add(game.place)
        total += len(places)
    return total / seeds


def test_explorers_by_count_and_by_uncertainty_see_new_patterns_sooner_than_random_ones():
    random = places_seen("explore=1.0")
    assert places_seen("boredom=0.1") > 2 * random
    assert places_seen("curiosity=0.1") > 2 * random


@pytest.mark.parametrize(
    ("settings", "wanted"), [("curiosity=0.1", True), ("curiosity=0.0", False)]
)
def test_only_the_curious_learn_again_from_what_they_guessed_rightly(settings, wanted):
    game = Hall()
    mind = start(f"one_step@local(learn=continuous,refit=5,span=1,score=none,{settings})", game)
    played(mind, game, 8)
    mind.erred, mind.guessed, mind.since_fit = False, True, 5
    assert mind.is_due() == wanted


def test_a_constant_model_never_changes():
    world = registry.world("sokoban[limit=30]")
    view = world.model.view(world.start(Rng(0)), 0)
    agent = make_agent("one_step@local(steps=80,span=1)")
    mind = agent.start(world.model, view, CALLS, Rng(0))
    state = world.start(Rng(0))
    for tick in range(10):
        view = world.model.view(state, 0)
        decision = mind.decide(view, CALLS, Rng(tick))
        state = world.step(state, (decision.action,), Rng(tick))
    assert decision.notes["learned_from"] == 80
    assert decision.notes["foretold"] == 9


def test_a_planner_that_cannot_use_it_refuses_before_the_first_move():
    agent = make_agent("minimax@local(learn=continuous,stochastic=true)")
    with pytest.raises(Unsupported):
        agent.start(NoRules(), grid("a."), CALLS, Rng(0))


def test_a_world_without_a_grid_is_refused_before_the_first_move():
    pig = registry.world("pig")
    with pytest.raises(Unsupported, match="local learns games of one player"):
        make_agent("mcts@local").start(
            pig.model, pig.model.view(pig.start(Rng(0)), 0), CALLS, Rng(0)
        )


PLAYER = """
import pickle, sys

class NoWorlds:
    def find_spec(self, name, path=None, target=None):
        if name == "ludex.worlds" or name.startswith("ludex.worlds."):
            raise ImportError(f"{name} is not for learners")

sys.meta_path.insert(0, NoWorlds())
from ludex.agents.compose import make_agent
from ludex.core import Rng
from ludex.core.budget import Budget
from ludex.core.rng import Meter

budget, traits, agent, mind, tick = Budget(model_calls=60), None, None, None, 0
class Nothing: pass
while True:
    received = pickle.load(sys.stdin.buffer)
    if received is None:
        break
    if mind is None:
        text, rules, view = received[0], Nothing(), received[2]
        rules.traits, rules.meter = received[1], Meter()
        mind = make_agent(text).start(rules, view, budget, Rng(1))
        continue
    decision = mind.decide(received, budget, Rng(2).fork(tick))
    tick += 1
    pickle.dump((int(decision.action), dict(decision.notes)), sys.stdout.buffer)
    sys.stdout.buffer.flush()
assert not any(name.startswith("ludex.worlds") for name in sys.modules)
"""


LEARNERS = [
    name
    for name in registry.names("models")
    if issubclass(registry.load("models", name), TileLearner)
]


@pytest.mark.parametrize(
    ("learner", "name"),
    [
        *((learner, "sokoban[limit=40]") for learner in LEARNERS),
        ("local", "vgdl/sokoban"),
        ("local", "life[width=5,height=4]"),
        ("object_based", "vgdl/sokoban"),
        ("knowledge_base", "vgdl/sokoban"),
        ("pixel_objects", "vgdl/sokoban"),
    ],
)
def test_it_needs_views_alone(learner, name, tmp_path):
    world = registry.world(name)
    rules = world.model
    state = world.start(Rng(0))
    read = "as_tiles" if learner in LEARNERS else "as_objects"
    read = "as_pixels" if learner == "pixel_objects" else read

    def shown():
        return getattr(rules.view(state, 0), read)()

    with subprocess.Popen(
        [sys.executable, "-c", PLAYER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path
    ) as child:

        def send(value):
            pickle.dump(value, child.stdin)
            child.stdin.flush()

        text = f"one_step@{learner}(learn=continuous,refit=10)"
        send((text, world.traits, shown()))
        for tick in range(25):
            send(shown())
            action, notes = pickle.load(child.stdout)
            assert action in rules.legal(state, 0)
            state = world.step(state, (action,), Rng(tick))
        send(None)
        child.stdin.close()
        assert child.wait(60) == 0
    assert notes["learned_from"] == 24
    assert notes["fittings"] >= 1


def test_more_is_predicted_after_more_was_seen():
    world = registry.world("sokoban[level=2]")
    fresh = play(world, 150, seed=8)
    few, many = (
        tile_accuracy(Local(span=2).fit(play(world, steps)), fresh)["changed_cells"]
        for steps in (20, 1000)
    )
    assert few < many
