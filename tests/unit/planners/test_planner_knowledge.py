"""Fast-Evo MCTS and its knowledge base, beside values worked by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import sqrt

import pytest

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import Unsupported
from ludex.core.event import Event
from ludex.core.traits import Traits
from ludex.planners.fast_evo_mcts import FastEvoMcts
from ludex.planners.kb_fast_evo_mcts import KbFastEvoMcts
from ludex.planners.kb_mcts import KbMcts
from ludex.planners.parts.evolved_weights import EvolvedWeights, gaussian
from ludex.planners.parts.knowledge import Item, Knowledge
from ludex.worlds.vgdl.model import Action, Meeting

NIL, UP, LEFT, DOWN, RIGHT, USE = Action
COIN, WOLF, WALL = 3, 5, 7
KINDS = {COIN: 1, WOLF: 3}
TOUCHED_COIN, TOUCHED_WOLF, SHOT_WOLF = Item(False, COIN), Item(False, WOLF), Item(True, WOLF)

WALKER = """
floor > Immovable
wall > Immovable
coin > Resource
wolf > RandomNPC
avatar > MovingAvatar
"""
COLLECT = """
coin avatar > killSprite scoreChange=1
avatar wall > stepBack
"""


def meeting(kind: int, by_product: bool = False) -> Event:
    return Event("meeting", None, Meeting(4, by_product, kind, 1, 40, 10, 0, 0))


def taught(*ticks: tuple[list[Event], float]) -> tuple[Knowledge, Counter[Item]]:
    """What is known after these ticks, and how often each event was met in them."""
    knowledge, met = Knowledge(), Counter()
    for events, change in ticks:
        met.update(knowledge.learn(events, KINDS, change))
    return knowledge, met


# The knowledge base


def test_events_are_counted_with_the_mean_change_of_the_score():
    knowledge, _ = taught(([meeting(COIN)], 2.0), ([meeting(COIN)], 0.0), ([meeting(COIN)], 1.0))
    assert knowledge.counts == {TOUCHED_COIN: 3}
    assert knowledge.changes[TOUCHED_COIN] == pytest.approx(1.0)


def test_events_that_coincide_share_the_change():
    knowledge, _ = taught(([meeting(COIN), meeting(WOLF)], -4.0))
    assert knowledge.changes == {TOUCHED_COIN: -2.0, TOUCHED_WOLF: -2.0}


def test_shots_and_touches_are_different_events():
    knowledge, _ = taught(([meeting(WOLF)], -1.0), ([meeting(WOLF, by_product=True)], 2.0))
    assert knowledge.changes == {TOUCHED_WOLF: -1.0, SHOT_WOLF: 2.0}


def test_kinds_without_a_feature_are_no_knowledge():
    knowledge, met = taught(([meeting(WALL)], 0.0))
    assert not knowledge.counts
    assert not met


def test_curiosity_counts_new_events_in_full_and_known_ones_as_a_part():
    knowledge, first = taught(([meeting(COIN)], 0.0), ([meeting(COIN)], 0.0))
    # Never met before: Z goes from 0 to 2, which counts 2.
    assert knowledge.curiosity(first) == 2.0
    second: Counter[Item] = Counter()
    for event in (meeting(COIN), meeting(WOLF), meeting(COIN), meeting(COIN)):
        second.update(knowledge.learn([event], KINDS, 0.0))
    # The coin: Z from 2 to 5, 5/2 - 1 = 1.5. The wolf: from 0 to 1, which counts 1.
    assert knowledge.curiosity(second) == pytest.approx(2.5)
    assert knowledge.curiosity(Counter()) == 0.0


def test_experience_is_the_part_of_the_way_to_what_is_unknown_or_good():
    nothing: Counter[Item] = Counter()
    unknown = Knowledge()
    # Both unknown: 1 - 0.1/0.4 = 0.75 for the coin, 1 - 0.3/0.2 = -0.5 for the wolf.
    assert unknown.experience(KINDS, nothing, [0.4, 0.2], [0.1, 0.3]) == pytest.approx(0.25)
    # Coins are known to be good and wolves to be bad: wolves no longer count.
    knowing, _ = taught(([meeting(COIN)], 1.0), ([meeting(WOLF)], -1.0))
    assert knowing.experience(KINDS, nothing, [0.4, 0.2], [0.1, 0.3]) == pytest.approx(0.75)
    # Known to change nothing: no reason to go there.
    dull, _ = taught(([meeting(COIN)], 0.0), ([meeting(WOLF)], 0.0))
    assert dull.experience(KINDS, nothing, [0.4, 0.2], [0.1, 0.3]) == 0.0


def test_what_was_first_met_in_this_simulation_still_attracts():
    knowledge, met = taught(([meeting(COIN)], 0.0), ([meeting(WOLF)], 0.0))
    assert knowledge.experience(KINDS, met, [0.4, None], [0.1, None]) == pytest.approx(0.75)


def test_what_has_gone_counts_as_reached_only_if_it_was_met():
    knowledge, met = taught(([meeting(COIN)], 1.0))
    assert knowledge.experience(KINDS, met, [0.4, None], [None, None]) == 1.0
    assert knowledge.experience(KINDS, Counter(), [0.4, 0.2], [None, None]) == 0.0


def test_what_the_avatar_stands_on_has_no_way_to_it():
    assert Knowledge().experience(KINDS, Counter(), [0.0, None], [0.3, 0.3]) == 0.0


# The reward of a simulation


def searching(planner, made, seed: int = 1):
    model = made.model.metered(Meter())
    view = model.view(made.state, 0)
    memory = planner.fresh_memory()
    return planner.search(memory, model, view, Rng(seed)), memory


def scripted(search, actions):
    """Play a simulation by script instead of by tree and policy."""
    model, state = search.model, search.start.copy()
    search.began()
    for action in actions:
        model.advance(state, (action,), Rng(0))
        search.ticked(state)
    return search.finished(model.rollout(state, "uniform", 0, Rng(0), trace=True))


@pytest.fixture
def room(micro):
    """Seven cells in a row: a coin two to the left, the avatar, a key three to the right."""
    sprites = WALKER.replace("coin > Resource", "coin > Resource\nkey > Resource")
    rules = COLLECT.replace("scoreChange=1", "") + "key avatar > killSprite scoreChange=5"
    made = micro(sprites, rules, "c.A..k.", A="avatar", c="coin", k="key")
    return made, {kind.name: number for number, kind in enumerate(made.game.types)}


def test_rewards_of_scripted_simulations_equal_those_worked_by_hand(room):
    made, _ = room
    search, _ = searching(KbMcts(value="score"), made)
    # 1. One step left. Unknown both; the coin from 2 cells to 1, the key from 3 to 4:
    #    D = (1 - 1/2) + (1 - 4/3) = 1/6; nothing was met: Z = 0.
    assert scripted(search, [LEFT]) == pytest.approx(0.33 / 6)
    # 2. Two steps left: the coin is met, for no points. Z = 1 (never met before); D = 1 for the
    #    coin, which has gone and was met, and 1 - 5/3 for the key.
    assert scripted(search, [LEFT, LEFT]) == pytest.approx(0.66 + 0.33 * (1 - 2 / 3))
    # 3. The same again: Z = 2/1 - 1 = 1, and the coin is known to be worth nothing: D = -2/3.
    assert scripted(search, [LEFT, LEFT]) == pytest.approx(0.66 - 0.33 * 2 / 3)
    # 4. Three steps right: the score changes by 5, and that alone counts.
    assert scripted(search, [RIGHT] * 3) == 5.0
    # 5. One step right: the key is known to be good, 1 - 2/3; the coin is not.
    assert scripted(search, [RIGHT]) == pytest.approx(0.33 / 3)


def test_an_event_has_the_change_of_its_own_tick_and_not_of_those_before(room):
    made, kinds = room
    search, memory = searching(KbMcts(), made)
    search.began()
    search.learn([meeting(kinds["key"])], search.base + 5.0)
    search.learn([meeting(kinds["coin"])], search.base + 5.0)
    assert memory.knowledge.changes == {
        Item(False, kinds["key"]): 5.0,
        Item(False, kinds["coin"]): 0.0,
    }


def test_without_knowledge_a_simulation_without_score_is_worth_nothing(room):
    search, memory = searching(FastEvoMcts(value="score"), room[0])
    assert scripted(search, [LEFT, LEFT]) == 0.0
    assert not memory.knowledge.counts


def test_an_end_without_points_is_worth_its_bonus_beside_what_it_taught(micro):
    # The coin is worth nothing and ends the game. Z = 1, and D = 1: it has gone and was met.
    ends = "SpriteCounter stype=coin limit=0 win=True"
    rules = COLLECT.replace("scoreChange=1", "")
    made = micro(WALKER, rules, "cA", ends=ends, A="avatar", c="coin")
    search, _ = searching(KbMcts(value="score"), made)
    assert scripted(search, [LEFT]) == pytest.approx(1e7 + 0.66 + 0.33, abs=1e-6)


def test_the_value_of_a_simulation_is_the_fitness_of_its_weights(room):
    search, memory = searching(KbFastEvoMcts(value="score"), room[0])
    search.policy()  # the first that is played are those of the parent
    value = scripted(search, [LEFT])
    assert value == pytest.approx(0.33 / 6)
    assert memory.weights.fitness == value


def test_the_end_of_the_game_outweighs_every_score(micro):
    rules = COLLECT + "floor avatar > killSprite scoreChange=500"
    ends = "SpriteCounter stype=coin limit=0 win=True\nSpriteCounter stype=floor limit=0 win=False"
    level = "cAx"
    made = micro(WALKER, rules, level, ends=ends, A="avatar", c="coin", x="floor")
    bare, _ = searching(KbMcts(value="score"), made)
    assert scripted(bare, [LEFT]) == 1e7 + 1
    assert scripted(bare, [RIGHT]) == -1e7 + 500
    squashed, _ = searching(KbMcts(), made)
    assert scripted(squashed, [LEFT]) == 1.0
    assert scripted(squashed, [RIGHT]) == -1.0


@pytest.mark.parametrize(
    ("level", "iterations", "depth"),
    [
        pytest.param("Ac", 5, 1, id="the tree alone: simulations of one tick"),
        pytest.param("A.c", 5, 30, id="rollouts alone: no path of the tree is two ticks long"),
    ],
)
def test_knowledge_comes_from(micro, level, iterations, depth):
    made = micro(WALKER, COLLECT, level, A="avatar", c="coin")
    search, memory = searching(KbMcts(rollout_depth=depth), made)
    search.run(Budget(iterations=iterations))
    assert search.depth == 1
    item = Item(False, made.game.type_named("coin"))
    assert memory.knowledge.counts[item] > 0
    assert memory.knowledge.changes[item] == 1.0


def test_every_tick_of_every_simulation_teaches(micro):
    # A closed cell, which the avatar shares with a coin: each tick is one meeting.
    rules = "avatar wall > stepBack\ncoin avatar > stepBack"
    made = micro(WALKER, rules, "www/wAw/www", A="avatar coin", w="wall")
    search, memory = searching(KbMcts(rollout_depth=7), made)
    search.run(Budget(iterations=30))
    item = Item(False, made.game.type_named("coin"))
    assert memory.knowledge.counts == {item: search.model.meter.calls}
    assert search.model.meter.calls == 30 * 7


def test_knowledge_and_weights_last_for_the_game(micro):
    made = micro(WALKER, COLLECT, "A.c", A="avatar", c="coin")
    planner, model = KbFastEvoMcts(), made.model.metered(Meter())
    memory = planner.fresh_memory()
    met, tried = [], []
    for seed in range(2):
        view = model.view(made.state, 0)
        planner.plan_on(memory, model, view, Budget(iterations=40), Rng(seed))
        met.append(sum(memory.knowledge.counts.values()))
        tried.append(memory.weights.rollouts)
    assert 0 < met[0] < met[1]
    assert tried == [40, 80]


def test_hidden_things_teach_nothing(micro):
    sprites = WALKER.replace("coin > Resource", "coin > Resource hidden=True")
    made = micro(sprites, COLLECT, "A.c", A="avatar", c="coin")
    search, memory = searching(KbMcts(), made)
    search.run(Budget(iterations=100))
    assert not memory.knowledge.counts


# Evolution


def test_the_normal_distribution_has_its_mean_and_deviation():
    rng = Rng(3)
    drawn = [gaussian(rng) for _ in range(4000)]
    mean = sum(drawn) / 4000
    assert abs(mean) < 4 / sqrt(4000)
    assert abs(sum((one - mean) ** 2 for one in drawn) / 4000 - 1) < 4 * sqrt(2 / 4000)


def test_the_parent_is_played_first_and_every_so_often():
    weights = EvolvedWeights(mutation=1.0, recheck=3, ties=False)
    played = [weights.next([0, 4], [COIN], Rng(i)).weights for i in range(7)]
    parent = {(0, COIN): 0.0, (4, COIN): 0.0}
    assert [one == parent for one in played] == [True, False, False, True, False, False, True]


def first_mutant(mutation: float) -> list[float]:
    weights = EvolvedWeights(mutation=mutation, recheck=3, ties=False)
    weights.next([0, 4], [COIN], Rng(0))  # the parent
    return list(weights.next([0, 4], [COIN], Rng(1)).weights.values())


def test_mutants_differ_from_the_parent_by_as_much_as_told():
    assert first_mutant(10.0) == pytest.approx([100 * weight for weight in first_mutant(0.1)])


def test_a_mutant_takes_over_when_it_is_better():
    weights = EvolvedWeights(mutation=1.0, recheck=3, ties=False)
    weights.next([0], [COIN], Rng(1))
    weights.learn(0.5)
    same = weights.next([0], [COIN], Rng(2)).weights
    weights.learn(0.5)
    assert weights.weights != same  # as good is not better
    better = weights.next([0], [COIN], Rng(3)).weights
    weights.learn(0.6)
    assert weights.weights == better
    # Played again it gets 0.2: its fitness moves half-way, and 0.5 is better than that.
    assert weights.next([0], [COIN], Rng(4)).weights == better
    weights.learn(0.2)
    assert weights.fitness == pytest.approx(0.4)
    last = weights.next([0], [COIN], Rng(5)).weights
    weights.learn(0.5)
    assert weights.weights == last


def test_with_ties_a_mutant_as_good_takes_over():
    weights = EvolvedWeights(mutation=1.0, recheck=3, ties=True)
    for seed in range(2):
        mutant = weights.next([0], [COIN], Rng(seed)).weights
        weights.learn(0.0)
    assert weights.weights == mutant


def test_kinds_seen_later_get_a_weight():
    weights = EvolvedWeights(mutation=1.0, recheck=2, ties=False)
    weights.next([0], [COIN], Rng(1))
    assert set(weights.next([0], [COIN, WOLF], Rng(2)).weights) == {(0, COIN), (0, WOLF)}


def test_evolved_rollouts_reach_the_prize_more_often_than_uniform_ones(micro):
    # A corridor with the prize five steps to the right: uniform play seldom gets there. With
    # equal chances such a difference between 400 rollouts of each kind has p < 0.001.
    level = "wwwwwwww/wA....cw/wwwwwwww"
    made = micro(WALKER, COLLECT, level, A="avatar", c="coin", w="wall")
    search, memory = searching(FastEvoMcts(), made)
    kind = made.game.type_named("coin")

    def reached(policy) -> int:
        ends = (made.model.rollout(made.state, policy, 10, Rng(i)) for i in range(400))
        return sum(end.scores[0] > 0 for end in ends)

    search.run(Budget(iterations=600))
    weights = memory.weights
    weights.rollouts = 0  # the next one is the parent
    evolved = weights.next(search.view.legal, [kind], Rng(1))
    uniform = reached("uniform")
    assert reached(evolved) > uniform + 4 * sqrt(400 * 0.25 * 2)


# As planners


def test_without_both_additions_it_is_the_sample_search(micro):
    made = micro(WALKER, COLLECT, "A..c", A="avatar", c="coin")
    plain = KbFastEvoMcts(evolve=False, knowledge=False)
    search, memory = searching(plain, made)
    search.run(Budget(iterations=50))
    assert memory.weights.rollouts == 0
    assert not memory.knowledge.counts
    assert search.root.total == 50


def test_knowledge_leads_beyond_the_horizon(micro):
    # The coin is 14 steps away and simulations last 5 ticks: nothing but the distance tells.
    level = "w" * 17 + "/wA" + "." * 13 + "cw/" + "w" * 17
    made = micro(WALKER, COLLECT, level, A="avatar", c="coin", w="wall")
    model = made.model.metered(Meter())
    for planner, reaches in (
        (KbMcts(rollout_depth=5), True),
        (FastEvoMcts(rollout_depth=5), False),
    ):
        state = made.state.copy()
        mind = planner.start(model, model.view(state, 0), Budget(iterations=60), Rng(1))
        for tick in range(30):
            view = model.view(state, 0)
            if view.score:
                break
            action = mind.decide(view, Budget(iterations=60), Rng(tick)).action
            model.advance(state, (action,), Rng(tick))
        assert (model.score(state, 0) > 0) == reaches


OBJECT_BASED = Traits(seats=1, max_legal=4, learned=True, avatars=True)


@pytest.mark.parametrize("name", ["fast_evo_mcts", "kb_mcts", "kb_fast_evo_mcts"])
def test_models_that_place_nothing_are_refused(name):
    planner = registry.load("planners", name)()
    planner.check(replace(OBJECT_BASED, events=True))
    with pytest.raises(Unsupported, match="needs a model that says where avatars and objects are"):
        planner.check(replace(OBJECT_BASED, events=True, avatars=False))


@pytest.mark.parametrize("name", ["kb_mcts", "kb_fast_evo_mcts"])
def test_a_knowledge_base_needs_events(name):
    with pytest.raises(Unsupported, match="learns from events that tell of meetings"):
        registry.load("planners", name)().check(OBJECT_BASED)


def test_fast_evo_needs_no_events():
    FastEvoMcts().check(OBJECT_BASED)
