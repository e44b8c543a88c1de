"""Parts of planners in files of the user's own, beside what the same parts do by name."""

from __future__ import annotations

import pytest
from small_models import Maze

from ludex.agents.compose import named_agent
from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BadParameter, BrokenAgent, Unsupported
from ludex.planners.kb_fast_evo_mcts import KbFastEvoMcts
from ludex.planners.kb_mcts import KbMcts
from ludex.planners.one_step import OneStep
from ludex.planners.yolobot import Yolobot
from ludex.planners.yolobot_greedy import YolobotGreedy

PARTS = """
from math import sqrt

END_BONUS = 1e7

def score(model, state, seat):
    outcome = model.outcome(state)
    bonus = 0 if outcome is None else END_BONUS if seat in outcome.winners else -END_BONUS
    return model.score(state, seat) + bonus

def least(model, state, seat):
    return -model.score(state, seat)

def uniform(model, state, seat, rng):
    legal = model.legal(state, seat)
    return legal[rng.below(len(legal))]

def even(model, states, seats, actions):
    return [[1.0] * len(legal) for legal in actions]

def distances(model, state, seat, kinds):
    return model.distances(state, seat, kinds)

def walking(model, state, seat, kinds):
    return [7.0 for kind in kinds]

def nothing(model, state, seat):
    return {}

def world(model, state, seat):
    return model.distance(state, seat)

def far(model, state, seat):
    return 100.0

def facts(model, state, seat):
    return model.features(state)

def no_facts(model, state, seat):
    return ()
"""
VALUED = [
    "flat_monte_carlo",
    "ismcts",
    "mcts",
    "olets",
    "one_step",
    "open_loop_mcts",
    "random_search",
    "rhea",
    "rhea(rollouts=2)",
    "rhea(seeding=one_step)",
    "rhea(seeding=mcts)",
    "rmhc",
    "rhea_reference",
    "tovo2",
    "a_star",
    "beam",
    "best_first",
    "breadth_first",
    "iterated_width",
]


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(PARTS)
    return lambda name: f"{tmp_path}/mine.py:{name}"


def decision(text, world="vgdl/aliens", ticks=0, iterations=12, seed=3):
    """What an agent decides after so many ticks of a game."""
    made = registry.world(world)
    model, rng = made.model.metered(Meter()), Rng(seed)
    state = made.start(rng.fork("start"))
    for _ in range(ticks):
        seat = model.to_act(state)[0]
        model.advance(state, (model.legal(state, seat)[-1],), rng)
    seat = model.to_act(state)[0]
    budget = Budget(iterations=iterations)
    return named_agent(text).decide(model, model.view(state, seat), budget, rng.fork("decide"))


def with_parameter(text, parameter):
    return f"{text[:-1]},{parameter})" if text.endswith(")") else f"{text}({parameter})"


def compared(one, other):
    """What two searches have to have in common to be the same."""
    return [(made.action, made.visits, made.values, made.model_calls) for made in (one, other)]


@pytest.mark.parametrize("text", VALUED)
def test_a_value_of_ones_own_is_asked_as_the_named_one_is(mine, text):
    named = decision(with_parameter(text, "value=score"), ticks=20)
    own = decision(with_parameter(text, f"value={mine('score')}"), ticks=20)
    first, second = compared(named, own)
    assert first == second


@pytest.mark.parametrize("more", ["repeat=3", "macros=left-left-use;right-use"])
def test_macro_actions_are_valued_by_a_function_too(mine, more):
    # From a score of 0, where a gain is the score.
    named = decision(f"macro_mcts({more},value=score,rollout_depth=20)", iterations=20)
    own = decision(f"macro_mcts({more},value={mine('score')},rollout_depth=20)", iterations=20)
    first, second = compared(named, own)
    assert first == second
    assert named.notes == own.notes


@pytest.mark.parametrize("text", VALUED)
def test_the_search_says_why_it_runs_in_python(mine, text):
    made = decision(with_parameter(text, f"value={mine('score')}"))
    if "search" in made.notes:
        assert made.notes["search"] == "python: value is a Python function"
    else:
        assert text in ("one_step", "flat_monte_carlo", "tovo2")  # these have no twins


def test_a_value_is_asked_of_ended_states_and_for_every_seat(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "asked = set()\n"
        "def value(model, state, seat):\n"
        "    asked.add((seat, model.over(state)))\n"
        "    return float(seat not in model.outcome(state).winners)\n"
    )
    made = decision(f"mcts(value={path}:value)", "nim[heaps=1-1]", iterations=50)
    agent = named_agent(f"mcts(value={path}:value)")
    # All rollouts end. Whoever moves first loses this game, which is what this value likes.
    asked = agent.own_parts()[0].function.__globals__["asked"]
    assert asked == {(0, True), (1, True)}
    assert set(made.values.values()) == {1.0}


def test_a_value_of_unfinished_states_is_what_is_played_for(mine):
    # Catching a butterfly is a point, which one of both likes and the other does not.
    likes = decision(f"mcts(value={mine('score')},rollout_depth=20)", "vgdl/butterflies")
    dislikes = decision(f"mcts(value={mine('least')},rollout_depth=20)", "vgdl/butterflies")
    assert max(likes.values.values()) > 0 > min(dislikes.values.values())
    assert min(likes.values.values()) >= 0 >= max(dislikes.values.values())


def test_a_policy_of_ones_own_plays_rollouts(mine):
    for text in ("mcts", "open_loop_mcts(rollout_depth=5)", "ismcts"):
        named = decision(with_parameter(text, "rollout=uniform,native=no"))
        own = decision(with_parameter(text, f"rollout={mine('uniform')}"))
        first, second = compared(named, own)
        assert first == second
        assert own.notes["search"] == "python: rollout is a Python function"


def test_a_prior_of_ones_own_is_asked(mine):
    text = "mcts(selection=puct,native=no"
    first, second = compared(
        decision(f"{text},prior={mine('even')})"), decision(f"{text},prior=uniform)")
    )
    assert first == second


# Searches through states

LURE = Maze("#######", "#S   G#", "#     #", "#######")


def walked(text, mine, parameter):
    planner = named_agent(f"{text}({parameter})")
    model = LURE.metered(Meter())
    state = LURE.find("S")
    return planner.search(model, model.view(state, 0), Budget(iterations=1000), Rng(1))


@pytest.mark.parametrize("text", ["a_star", "best_first", "beam"])
def test_a_heuristic_of_ones_own_is_asked_as_the_worlds_is(mine, text):
    own = walked(text, mine, f"heuristic={mine('world')}")
    named = walked(text, mine, "heuristic=world")
    assert (own.plan, own.nodes) == (named.plan, named.nodes)


def test_a_heuristic_that_knows_nothing_makes_a_star_look_at_more(mine):
    blind = walked("a_star", mine, f"heuristic={mine('far')}")
    assert len(blind.plan) == len(walked("a_star", mine, "heuristic=world").plan) == 4
    assert blind.nodes > walked("a_star", mine, "heuristic=world").nodes


def test_facts_of_ones_own_decide_what_is_new(mine):
    own = walked("iterated_width", mine, f"features={mine('facts')}")
    named = walked("iterated_width", mine, "features=world")
    assert (own.plan, own.nodes) == (named.plan, named.nodes)
    # Where nothing ever holds, nothing is new: what can be played now is all there is.
    assert walked("iterated_width", mine, f"features={mine('no_facts')},width=1").depth == 1


# The knowledge base and its rollouts


@pytest.mark.parametrize("text", ["kb_mcts", "kb_fast_evo_mcts", "fast_evo_mcts"])
def test_distances_of_ones_own_stand_for_straight_ones(mine, text):
    own = decision(f"{text}(distance={mine('distances')})", "vgdl/chase", ticks=4, iterations=20)
    first, second = compared(own, decision(text, "vgdl/chase", ticks=4, iterations=20))
    assert first == second


def test_distances_that_never_change_leave_nothing_to_come_nearer_to(mine):
    for name, is_same in (("walking", True), ("distances", False)):
        planner = named_agent(f"kb_mcts(curiosity=0,distance={mine(name)})")
        world = registry.world("vgdl/chase")
        model = world.model.metered(Meter())
        state = world.start(Rng(1))
        view = model.view(state, 0)
        search = planner.search(planner.fresh_memory(), model, view, Rng(1))
        search.run(Budget(iterations=10))
        assert (search.low == search.high == 0.0) == is_same


def test_features_of_ones_own_are_what_weights_are_evolved_for(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def features(model, state, seat):\n    return {'one': 1.0}\n")
    planner = named_agent(f"fast_evo_mcts(features={path}:features)")
    world = registry.world("vgdl/chase")
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(1)), 0)
    memory = planner.fresh_memory()
    planner.search(memory, model, view, Rng(1)).run(Budget(iterations=20))
    assert {name for _, name in memory.weights.trial} == {"one"}
    assert any(memory.weights.trial.values())


def test_features_need_rollouts_that_see_them(mine):
    with pytest.raises(BadParameter, match="evolve=yes"):
        named_agent(f"kb_mcts(features={mine('nothing')})")


def test_parts_may_be_given_in_python_too(mine):
    def never_near(model, state, seat, kinds):
        return [None] * len(kinds)

    assert KbMcts(distance=never_near).distance is never_near
    assert KbFastEvoMcts(distance=mine("walking")) == named_agent(
        f"kb_fast_evo_mcts(distance={mine('walking')})"
    )


# What is wrong with a part


@pytest.mark.parametrize(
    ("parameter", "code", "words"),
    [
        ("value", "return 1 / 0", "mine.py:2: f fails: ZeroDivisionError: division by zero in `"),
        ("value", "return None", "mine.py:1: f must return a finite number, got None"),
        ("value", "return float('nan')", "mine.py:1: f must return a finite number, got nan"),
        ("value", "return 'high'", "mine.py:1: f must return a finite number, got 'high'"),
    ],
)
def test_what_a_part_does_wrong_is_one_sentence_with_its_line(tmp_path, parameter, code, words):
    path = tmp_path / "mine.py"
    path.write_text(f"def f(model, state, seat):\n    {code}\n")
    for planner in ("mcts", "one_step", "rhea", "a_star"):
        with pytest.raises(BrokenAgent) as error:
            decision(f"{planner}({parameter}={path}:f)")
        assert words in str(error.value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "body", "words"),
    [
        ("kb_mcts(distance={})", "(model, state, seat, kinds): return [1.0] * 9", "for each of"),
        ("kb_mcts(distance={})", "(model, state, seat, kinds): return None", "for each of"),
        ("fast_evo_mcts(features={})", "(model, state, seat): return [1]", "numbers by name"),
        ("iterated_width(features={})", "(model, state, seat): return [[]]", "hashable facts"),
        ("iterated_width(features={})", "(model, state, seat): return 3", "hashable facts"),
        ("a_star(heuristic={})", "(model, state, seat): return 'x'", "a finite number"),
        (
            "mcts(selection=puct,native=no,prior={})",
            "(m, s, seats, a): return None",
            "a list of numbers",
        ),
    ],
)
def test_an_answer_of_the_wrong_kind_is_one_sentence(tmp_path, text, body, words):
    path = tmp_path / "mine.py"
    path.write_text(f"def f{body}\n")
    with pytest.raises(BrokenAgent, match=words) as error:
        decision(text.format(f"{path}:f"), "vgdl/chase", iterations=20)
    assert "mine.py:1: f must return" in str(error.value)


# The value of GVGAI's sample one-step agent

SPRITES = """
floor > Immovable
wall > Immovable
exit > Door
wolf > RandomNPC
bird > RandomNPC
avatar > MovingAvatar
"""
RULES = "avatar wall > stepBack\nwolf wall > stepBack\n"


def simple_value(made, state=None):
    from ludex.planners.parts.simple_heuristic import gvgai_simple

    return gvgai_simple(made.model, made.state if state is None else state, 0)


def test_the_simple_value_falls_with_the_number_and_the_distance_of_npcs(micro):
    made = micro(SPRITES, RULES, "A.w..b", A="avatar", w="wolf", b="bird")
    block = made.model.view(made.state, 0).block
    # Two NPCs, the nearest two cells away: 0 - 2 * 100 - (2 * block)^2 / 100.
    assert simple_value(made) == pytest.approx(-200 - (2 * block) ** 2 / 100)


def test_where_there_is_a_portal_its_distance_counts_and_npcs_do_not(micro):
    made = micro(SPRITES, RULES, "A.w/..e", A="avatar", w="wolf", e="exit")
    block = made.model.view(made.state, 0).block
    # Two cells to the right and one down.
    assert simple_value(made) == pytest.approx(-10 * 5 * block**2)


def test_a_simple_win_and_loss_count_more_than_anything(micro):
    rules = RULES + "exit avatar > killSprite scoreChange=3\npit avatar > killSprite scoreChange=9"
    ends = "SpriteCounter stype=exit limit=0 win=True\nSpriteCounter stype=pit limit=0 win=False"
    sprites = SPRITES + "pit > Immovable\n"
    made = micro(sprites, rules, "eAp", ends=ends, A="avatar", e="exit", p="pit")
    won, lost = made.state.copy(), made.state.copy()
    for state, column in ((won, -1), (lost, 1)):
        step = next(
            one for one in made.model.legal(state, 0) if made.model.heading(one)[0] == column
        )
        made.model.advance(state, (step,), Rng(1))
    assert simple_value(made, won) == 1e9 + 3
    assert simple_value(made, lost) == -1e9


def test_one_step_goes_to_the_portal_by_the_simple_value(micro):
    made = micro(SPRITES, RULES, "e..A...", A="avatar", e="exit")
    model = made.model.metered(Meter())
    planner = OneStep(value="gvgai_simple")
    for seed in range(5):
        found = planner.decide(model, model.view(made.state, 0), Budget(iterations=99), Rng(seed))
        assert model.heading(found.action) == (-1, 0)


def test_the_simple_value_needs_objects():
    with pytest.raises(Unsupported, match="one_step with value=gvgai_simple needs views that list"):
        decision("one_step(value=gvgai_simple)", "nim")


# The ways of YOLOBOT

COINS = "floor > Immovable\nwall > Immovable\ncoin > Resource\navatar > MovingAvatar\n"
TAKE = "avatar wall > stepBack\ncoin avatar > killSprite scoreChange=1\n"


def crow(view, cell):
    """Steps where nothing is in the way, on a board of eleven cells by three."""
    column, row = cell
    return {(x, y): abs(x - column) + abs(y - row) for x in range(11) for y in range(3)}


def left_is_far(view, cell):
    """The same, but what lies left of the fifth column is out of reach."""
    return {place: steps for place, steps in crow(view, cell).items() if place[0] >= 5}


@pytest.mark.parametrize("planner", [YolobotGreedy(epsilon=0.0), Yolobot(search=False)])
@pytest.mark.parametrize(
    ("distance", "step"), [("path", (-1, 0)), (crow, (-1, 0)), (left_is_far, (1, 0))]
)
def test_the_target_is_chosen_by_distances_of_ones_own(micro, planner, distance, step):
    # A coin three to the left and one five to the right; both are worth the same.
    level = "wwwwwwwwwww/w.c..A....c/wwwwwwwwwww"
    made = micro(COINS, TAKE, level, A="avatar", c="coin", w="wall")
    model = made.model.metered(Meter())
    view = model.view(made.state, 0)
    mind = planner.clone(distance=distance).start(model, view, Budget(model_calls=400), Rng(1))
    made_decision = mind.decide(view, Budget(model_calls=400), Rng(2))
    assert model.heading(made_decision.action) == step


@pytest.mark.parametrize(
    ("answer", "words"),
    [(3, "distances by cell"), ({(1, 1): "far"}, "finite number"), ({(1, 1): -1.0}, ">= 0")],
)
def test_distances_of_cells_are_numbers_by_cell(micro, answer, words):
    made = micro(COINS, TAKE, "A.c", A="avatar", c="coin")
    model = made.model.metered(Meter())
    planner = YolobotGreedy(epsilon=0.0, distance=lambda view, cell: answer)
    with pytest.raises(BrokenAgent, match=words):
        planner.decide(model, model.view(made.state, 0), Budget(model_calls=9), Rng(1))
