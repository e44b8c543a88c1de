"""What is true of all games of the small solved worlds."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from ludex.core import Rng, registry
from ludex.testing import games_of, seeds, states_of
from ludex.worlds.goofspiel.matrix_games import solve_matrix
from ludex.worlds.kuhn_poker.solution import (
    INFORMATION_SETS,
    VALUE,
    best_response,
    equilibrium,
    exploitability,
    uniform,
    value,
)
from ludex.worlds.nim.rules import mover_wins, winning_takes
from ludex.worlds.pig.rules import State as PigState
from ludex.worlds.pig.solution import solve as solve_pig

FEW = settings(max_examples=40, deadline=None)
NAMES = [
    "nim[heaps=2-3-4,misere=true]",
    "pig[target=30]",
    "pig[target=20,seats=4]",
    "kuhn_poker",
    "goofspiel[cards=5]",
    "goofspiel[cards=3,seats=4]",
    "goofspiel[order=descending,returns=difference]",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_state_reads_back_and_pictures_never_fail(name):
    world = registry.world(name)

    @FEW
    @given(states_of(world))
    def check(state):
        assert world.parse(str(state)) == state
        assert world.draw(state)
        assert world.draw(state, "svg").endswith("</svg>")

    check()


@pytest.mark.parametrize("name", NAMES)
def test_observations_stay_in_their_range(name):
    world = registry.world(name)
    spec = world.observation_spec

    @FEW
    @given(states_of(world), st.integers(0, world.traits.seats - 1))
    def check(state, seat):
        seen = world.observation(world.model.view(state, seat))
        assert seen.shape == spec.shape
        assert seen.min() >= spec.low
        assert seen.max() <= spec.high

    check()


@pytest.mark.parametrize("name", NAMES)
def test_returns_add_up_to_nothing(name):
    world = registry.world(name)

    @FEW
    @given(games_of(world, limit=2000))
    def check(game):
        assert sum(world.model.outcome(game[-1]).returns) == pytest.approx(0)

    check()


@FEW
@given(games_of(registry.world("goofspiel[cards=6,seats=3]")))
def test_cards_and_prizes_leave_goofspiel_together(game):
    for state in game:
        left = len(state.deck) + bool(state.prize)
        assert {len(hand) for hand in state.hands} == {left}


@FEW
@given(games_of(registry.world("pig[target=50]"), limit=2000))
def test_banked_points_in_pig_never_shrink(game):
    for before, after in pairwise(game):
        assert all(a <= b for a, b in zip(before.scores, after.scores, strict=True))


@FEW
@given(st.integers(0, 97), st.integers(0, 99), st.data())
def test_optimal_play_in_pig_is_consistent_from_one_step_to_the_next(own, other, data):
    # The value of an action is the value of what it leads to, by the rules of the world.
    model, solution = registry.world("pig").model, solve_pig(100)
    total = data.draw(st.integers(2, 99 - own))
    state = PigState((own, other), 0, total)
    for action, found in solution.action_values(state).items():
        after = model.step(state, (action,), Rng(0))
        assert found == pytest.approx(solution.win_probability(after, 0), abs=1e-12)
    assert solution.win_probability(state) == max(solution.action_values(state).values())


@FEW
@given(st.lists(st.integers(0, 40), min_size=1, max_size=6).map(tuple), st.booleans())
def test_a_nim_position_is_won_exactly_when_a_winning_take_exists(heaps, misere):
    if sum(heaps):
        assert mover_wins(heaps, misere) == bool(winning_takes(heaps, misere))


@FEW
@given(st.fractions(0, 1).flatmap(lambda p: st.tuples(st.just(p / 3), seeds())))
def test_nobody_wins_more_of_an_equilibrium_in_kuhn_poker_than_the_game_is_worth(drawn):
    alpha, seed = drawn
    rng, policy = Rng(seed), {}
    for place in INFORMATION_SETS:
        bold, shy = uniform()[place]
        chance = rng.uniform()
        policy[place] = {bold: chance, shy: 1 - chance}
    assert value(equilibrium(alpha), policy) >= VALUE - 1e-12
    assert value(policy, equilibrium(alpha)) <= VALUE + 1e-12
    assert exploitability(policy) >= -1e-12
    assert best_response(policy, 1)[0] >= -value(policy, policy) - 1e-12


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 6).flatmap(
        lambda columns: st.lists(
            st.lists(st.integers(-6, 6), min_size=columns, max_size=columns),
            min_size=1,
            max_size=6,
        )
    )
)
def test_matrix_games_are_solved_as_a_library_solves_them(payoffs):
    matrix = np.array(payoffs, dtype=float)
    found, first, second = solve_matrix(payoffs)
    rows, columns = matrix.shape
    program = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    assert found == pytest.approx(-program.fun, abs=1e-8)
    # Both mixtures are proofs: neither lets the other seat do better than the value.
    assert sum(first) == pytest.approx(1)
    assert sum(second) == pytest.approx(1)
    assert (np.array(first) @ matrix).min() >= found - 1e-9
    assert (matrix @ np.array(second)).max() <= found + 1e-9
