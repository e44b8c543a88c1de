"""Macro-actions, and the portfolio that chooses among planners."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import LudexError
from ludex.planners.macro_mcts import MacroMcts
from ludex.planners.parts.rollout import squash
from ludex.planners.portfolio import Portfolio, Seen, look, order_of
from ludex.planners.yolobot import best_first
from ludex.worlds.vgdl.model import Action

NIL, UP, LEFT, DOWN, RIGHT, USE = Action
WALKER = """
wall > Immovable
coin > Resource
avatar > MovingAvatar
"""
COLLECT = """
coin avatar > killSprite scoreChange=1
avatar wall > stepBack
"""


def played(planner, made, ticks: int, iterations: int = 40, last: int | None = None):
    """Decisions of a mind over so many ticks, the last maybe shorter, and the last state."""
    model = made.model.metered(Meter())
    state = made.state.copy()
    budget = Budget(iterations=iterations)
    mind = planner.start(model, model.view(state, 0), budget, Rng(0))
    decisions = []
    for tick in range(ticks):
        if last is not None and tick == ticks - 1:
            budget = Budget(iterations=last)
        decisions.append(mind.decide(model.view(state, 0), budget, Rng(tick)))
        model.advance(state, (decisions[-1].action,), Rng(tick))
    return decisions, state


# Macro-actions


@pytest.fixture
def hall(micro):
    """An empty hall; the only coin is three steps right and then three up."""
    return micro(WALKER, COLLECT, "w..c.../w....../w....../A......", A="avatar", c="coin", w="wall")


def test_every_action_is_played_as_often_as_it_is_repeated(hall):
    decisions, _ = played(MacroMcts(repeat=4), hall, 12)
    actions = [decision.action for decision in decisions]
    assert [len(set(actions[start : start + 4])) for start in (0, 4, 8)] == [1, 1, 1]
    assert [decision.notes["repeats_left"] for decision in decisions] == [3, 2, 1, 0] * 3


def test_the_next_one_is_planned_while_the_last_is_played(hall):
    decisions, _ = played(MacroMcts(repeat=3), hall, 7, iterations=25)
    chosen = [sum(decision.visits.values()) for decision in decisions if decision.visits]
    # The first choice has one decision to think, every other one also the two before it.
    assert chosen == [25, 75, 75]
    assert [decision.iterations for decision in decisions] == [25] * 7


def test_below_the_tree_macro_actions_are_repeated_as_often(hall):
    planner, model = MacroMcts(repeat=3), hall.model.metered(Meter())
    memory = planner.fresh_memory()
    search = planner.search(memory, model, model.view(hall.state, 0), Rng(1))
    assert search.play_on(hall.state.copy(), 2).ticks == 6


def test_plans_begin_where_the_macro_action_will_end(hall):
    # Only three steps right and three up score within two macro-actions of three.
    planner = MacroMcts(repeat=3, rollout_depth=2)
    decisions, state = played(planner, hall, 6, iterations=80)
    assert [decision.action for decision in decisions] == [RIGHT] * 3 + [UP] * 3
    assert state.scores[0] == 1


def test_the_choice_rests_on_what_was_simulated_from_there_before(hall):
    # The fourth decision has one simulation of its own. Those of the second and third played the
    # rest of the first macro-action before they went up, and so every one of them got the coin.
    planner = MacroMcts(repeat=3, rollout_depth=2)
    decisions, _ = played(planner, hall, 4, iterations=120, last=1)
    assert decisions[3].action == UP
    assert decisions[3].visits[UP] > 20
    assert decisions[3].values[UP] == pytest.approx(squash(1.0, 10.0))


def test_gains_are_counted_from_one_score_however_long_the_tree_grows(micro):
    # The coin is taken in the midst of the first macro-action, while the next one is planned: all
    # simulations for it, before and after, end with the one point that there is.
    made = micro(WALKER, COLLECT, "A.c........", A="avatar", c="coin")
    decisions, state = played(MacroMcts(repeat=3), made, 4, iterations=30)
    assert [decision.action for decision in decisions[:3]] == [RIGHT] * 3
    assert state.scores[0] == 1
    for value in decisions[3].values.values():
        assert value == pytest.approx(squash(1.0, 10.0))


def test_a_repetition_that_has_become_illegal_is_dropped(hall):
    planner, model = MacroMcts(repeat=3), hall.model.metered(Meter())
    memory = planner.fresh_memory()
    memory.left = [USE, USE]  # this avatar cannot
    view = model.view(hall.state, 0)
    decision = planner.plan_on(memory, model, view, Budget(iterations=10), Rng(1))
    assert decision.action in view.legal
    assert decision.visits


def test_with_a_single_repetition_every_decision_stands_for_itself(hall):
    decisions, _ = played(MacroMcts(repeat=1), hall, 3, iterations=20)
    assert [sum(decision.visits.values()) for decision in decisions] == [20] * 3


# The portfolio


def looking(name: str) -> Seen:
    world = registry.world(name)
    model = world.model.metered(Meter())
    return look(Portfolio(), model, model.view(world.start(Rng(1)), 0), Rng(1))


def test_a_puzzle_stands_still_and_holds_no_chance():
    seen = looking("vgdl/sokoban")
    assert (seen.moves_alone, seen.is_random) == (False, False)
    assert order_of(seen, 1)[0] == "puzzle"


def test_things_that_move_by_themselves_are_no_puzzle():
    seen = looking("vgdl/missilecommand")
    assert seen.moves_alone
    assert order_of(seen, 1)[0] != "puzzle"


def test_chance_is_seen_when_the_same_actions_lead_elsewhere():
    assert looking("vgdl/butterflies").is_random


def test_points_within_reach_ask_for_reactive_play(micro):
    sprites, legend = WALKER + "npc > RandomNPC", {"A": "avatar", "c": "coin", "n": "npc"}
    near = micro(sprites, COLLECT, "ccc/cAc/ccc/..n", **legend)
    far = micro(sprites, COLLECT, "A" + "." * 30 + "c/n", **legend)
    for made, expected in ((near, "reactive"), (far, "exploring")):
        model = made.model.metered(Meter())
        seen = look(Portfolio(), model, model.view(made.state, 0), Rng(1))
        assert order_of(seen, 1)[0] == expected


def test_an_end_within_reach_is_as_good_as_points(micro):
    rules, legend = "avatar trap > killSprite", {"A": "avatar", "t": "trap"}
    ends = "SpriteCounter stype=avatar limit=0 win=False"
    made = micro(WALKER + "trap > Immovable", rules, "ttt/tAt/ttt", ends=ends, **legend)
    model = made.model.metered(Meter())
    assert look(Portfolio(), model, model.view(made.state, 0), Rng(1)).scores


def test_games_with_rivals_have_a_planner_of_their_own():
    assert order_of(Seen(False, False, True), 2) == ("rivals",)


def test_the_planner_of_the_role_plays(hall):
    decisions, state = played(Portfolio(puzzle="best_first"), hall, 8, iterations=3000)
    assert decisions[0].notes["role"] == "puzzle"
    assert decisions[0].notes["planner"] == "best_first"
    assert state.scores[0] == 1


def test_a_puzzle_is_searched_through_and_its_solution_played_back(hall):
    decisions, state = played(Portfolio(), hall, 12, iterations=300)
    modes = [decision.notes["mode"] for decision in decisions]
    assert decisions[0].notes["planner"] == "yolobot"
    assert "replay" in modes
    assert state.scores[0] == 1


def test_roles_whose_planners_cannot_play_are_left_out():
    traits = replace(registry.world("vgdl/sokoban").traits, objects=False, avatars=False)
    roles = ("puzzle", "planning", "exploring", "reactive")
    assert Portfolio().able(roles, traits) == ("planning", "reactive")


def test_after_too_long_without_a_point_the_next_planner_takes_over(micro):
    empty = micro(WALKER, COLLECT, "A....", A="avatar")
    planner = Portfolio(patience=3, puzzle_patience=5)
    decisions, _ = played(planner, empty, 15, iterations=5)
    expected = ["puzzle"] * 5 + ["planning"] * 3 + ["exploring"] * 3 + ["reactive"] * 3 + ["puzzle"]
    assert [decision.notes["role"] for decision in decisions] == expected


def test_a_planner_that_returns_begins_with_a_mind_of_its_own():
    planner = Portfolio(patience=1)
    memory = planner.fresh_memory()
    memory.order = ("reactive", "exploring")
    memory.mind = object()
    memory.keep_patience(planner, 0.0)
    assert memory.mind is not None
    memory.keep_patience(planner, 0.0)
    assert memory.mind is None


def test_the_mind_of_a_long_search_is_freed_bit_by_bit(monkeypatch):
    # To free hundreds of thousands of states at once takes longer than a decision may last.
    monkeypatch.setattr(best_first, "FREED_AT_ONCE", 20)
    world = registry.world("vgdl/sokoban")
    model = world.model.metered(Meter())
    planner = Portfolio(puzzle_patience=2)
    memory, view = planner.fresh_memory(), model.view(world.start(Rng(1)), 0)

    def decide() -> str:
        decision = planner.plan_on(memory, model, view, Budget(iterations=40), Rng(1))
        return decision.notes["role"]

    assert [decide(), decide()] == ["puzzle"] * 2
    search = memory.mind.search
    assert decide() == "planning"
    before = len(search.seen)
    assert before > 60
    left = []
    while memory.past:
        decide()
        left.append(len(search.seen))
    assert left == [max(before - 20 * bit, 0) for bit in range(1, len(left) + 1)]
    assert not search.open


def test_a_point_renews_the_patience():
    planner = Portfolio(patience=2)
    memory = planner.fresh_memory()
    memory.order = ("reactive", "exploring")
    for score in (0.0, 0.0, 1.0, 1.0, 2.0, 2.0):
        memory.keep_patience(planner, score)
    assert memory.switches == 0
    memory.keep_patience(planner, 2.0)
    assert (memory.switches, memory.order[memory.turn]) == (1, "exploring")


def test_what_a_planner_cannot_play_is_played_by_the_one_for_rivals():
    world = registry.world("nim[heaps=3-4]")
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(1)), 0)
    decision = Portfolio().decide(model, view, Budget(iterations=30), Rng(1))
    assert decision.notes["planner"] == "open_loop_mcts"


@pytest.mark.parametrize("role", ["puzzle", "reactive", "exploring", "planning", "rivals"])
def test_a_misspelt_planner_is_told_before_the_first_move(role):
    with pytest.raises(LudexError, match="did you mean 'olets'"):
        Portfolio(**{role: "olet"}).check(registry.world("vgdl/aliens").traits)
