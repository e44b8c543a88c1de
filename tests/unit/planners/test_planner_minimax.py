"""Minimax against brute force and solved games."""

from __future__ import annotations

import itertools

import pytest

from ludex.core import Budget, Meter, Rng, registry
from ludex.planners.minimax import Minimax
from ludex.worlds.nim.rules import State, mover_wins

PLENTY = Budget(model_calls=10**9)


def decide(planner, world, state, budget=PLENTY):
    model = world.model.metered(Meter())
    view = model.view(state, model.to_act(state)[0])
    return planner.decide(model, view, budget, Rng(0))


def brute_force(model, state, seat, depth=99):
    """The value for a seat, by looking at every line; unfinished lines are worth 0."""
    if outcome := model.outcome(state):
        return outcome.returns[seat]
    if listed := model.chance(state):
        return sum(p * brute_force(model, model.resolve(state, o), seat, depth) for o, p in listed)
    if depth == 0:
        return 0.0
    mover = model.to_act(state)[0]
    values = [
        brute_force(model, model.step(state, (action,), Rng(0)), seat, depth - 1)
        for action in model.legal(state, mover)
    ]
    return max(values) if mover == seat else min(values)


@pytest.mark.parametrize("misere", [False, True])
def test_every_position_of_nim_is_valued_as_the_theorem_says(misere):
    world = registry.world(f"nim[misere={str(misere).lower()}]")
    for heaps in itertools.product(range(4), range(5), range(6)):
        if sum(heaps) < 2:
            continue
        decision = decide(Minimax(), world, State(heaps, 1))
        assert decision.notes["solved"]
        wins = mover_wins(heaps, misere)
        assert max(decision.values.values()) == (1.0 if wins else -1.0), heaps
        after = world.model.step(State(heaps, 1), (decision.action,), Rng(0))
        if wins and any(after.heaps):
            assert not mover_wins(after.heaps, misere)


def test_alpha_beta_finds_what_brute_force_finds_in_late_connect_four():
    world = registry.world("connect_four")
    model = world.model.metered(Meter())
    compared = 0
    for seed in range(2000):
        rng = Rng(seed)
        state = world.start(rng)
        while model.to_act(state) and str(state).count(".") > 9:
            legal = model.legal(state, model.to_act(state)[0])
            model.advance(state, (rng.choice(legal),), rng)
        seats = model.to_act(state)
        if not seats or len(model.legal(state, seats[0])) == 1:
            continue
        decision = decide(Minimax(full_root=True, stop_at_win=False), world, state)
        assert decision.notes["solved"]
        for action, value in decision.values.items():
            after = model.step(state, (action,), rng)
            assert value == brute_force(model, after, seats[0])
        compared += 1
        if compared == 10:
            return
    pytest.fail("random play reached too few late positions")


def test_dice_are_averaged_exactly_to_the_depth_searched():
    world = registry.world("pig[target=12]")
    # Two decisions deep every position in the table was searched one deep, so none can lend
    # another a deeper value than brute force has.
    planner = Minimax(max_depth=2, full_root=True, score_scale=1e12)
    state = world.parse("4 6 turn=0 total=4")
    decision = decide(planner, world, state)
    assert decision.depth == 2
    for action, value in decision.values.items():
        after = world.model.step(state, (action,), Rng(0))
        # With this scale an unfinished line counts as good as 0.
        assert value == pytest.approx(brute_force(world.model, after, 0, depth=1), abs=1e-9)


def test_a_forgetful_table_changes_the_cost_and_not_the_result():
    world = registry.world("nim")
    whole = decide(Minimax(stop_at_win=False), world, world.start(Rng(0)))
    small = decide(Minimax(stop_at_win=False, max_entries=60), world, world.start(Rng(0)))
    assert small.notes["evicted"] > 0
    assert small.notes["tree_size"] <= 60
    assert whole.notes["evicted"] == 0
    assert max(small.values.values()) == max(whole.values.values()) == 1.0
    assert small.model_calls > whole.model_calls


def test_the_quickest_win_is_played():
    world = registry.world("connect_four")
    decision = decide(Minimax(), world, world.parse("ddccbb"))
    assert decision.depth == 1
    assert world.action_text(decision.action) in "ae"


@pytest.mark.parametrize("calls", [1, 7, 480])
def test_no_more_calls_are_made_than_allowed(calls):
    world = registry.world("connect_four")
    decision = decide(Minimax(), world, world.start(Rng(0)), Budget(model_calls=calls))
    assert decision.model_calls == decision.iterations == calls


def test_an_iteration_is_a_position():
    world = registry.world("connect_four")
    decision = decide(Minimax(), world, world.start(Rng(0)), Budget(iterations=20))
    assert decision.iterations == decision.model_calls == 20


@pytest.mark.parametrize(
    ("world", "reason"),
    [
        ("goofspiel", "one seat to move at a time"),
        ("kuhn_poker", "minimax@believed"),
        ("parley", "has 3; use ismcts"),
        ("pig[seats=3]", "has 3; use mcts"),
    ],
)
def test_what_it_cannot_search_is_refused(world, reason):
    assert reason in (Minimax().refusal(registry.world(world).traits) or "")
