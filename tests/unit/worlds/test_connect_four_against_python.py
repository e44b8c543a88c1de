"""Connect four against a slow one in plain Python: counts, and draws one by one.

The slow one shares nothing with the native rules: it keeps columns as text and looks for four
in a row cell by cell. It is a PythonModel, so its rollouts are the fallback's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.core import Meter, Outcome, PlainState, Rng, Traits, fallback, registry
from ludex.core.errors import BadParameter, BudgetSpent
from ludex.core.python_model import PythonModel

world: Any = registry.world("connect_four")
native = world.model


@dataclass(slots=True, unsafe_hash=True)
class SlowState(PlainState):
    columns: tuple[str, ...] = ("",) * 7

    def at(self, column: int, row: int) -> str:
        if 0 <= column < 7 and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return "."

    def __str__(self) -> str:
        rows = ("".join(self.at(c, r) for c in range(7)) for r in reversed(range(6)))
        return "/".join(rows)


class SlowFour(PythonModel):
    traits = Traits(seats=2, max_legal=7, zero_sum=True)

    def turn(self, state: SlowState) -> int:
        return len("".join(state.columns)) % 2

    def winner(self, state: SlowState) -> int | None:
        for mark in "xo":
            for column in range(7):
                for row in range(6):
                    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                        line = [state.at(column + i * right, row + i * up) for i in range(4)]
                        if line == [mark] * 4:
                            return "xo".index(mark)
        return None

    def to_act(self, state: SlowState) -> tuple[int, ...]:
        return () if self.outcome(state) else (self.turn(state),)

    def legal(self, state: SlowState, seat: int) -> list[int]:
        if self.to_act(state) != (seat,):
            return []
        return [column for column in range(7) if len(state.columns[column]) < 6]

    def default_action(self, state: SlowState, seat: int) -> int:
        return min(self.legal(state, seat), key=lambda column: (abs(column - 3), column))

    def _apply(self, state: SlowState, actions: Any, rng: Rng) -> None:
        columns = list(state.columns)
        columns[actions[0]] += "xo"[self.turn(state)]
        state.columns = tuple(columns)

    def outcome(self, state: SlowState) -> Outcome | None:
        winner = self.winner(state)
        if winner is not None:
            return Outcome((winner,), (1.0, -1.0) if winner == 0 else (-1.0, 1.0), "four")
        full = len("".join(state.columns)) == 42
        return Outcome((), (0.0, 0.0), "full") if full else None

    def score(self, state: SlowState, seat: int) -> float:
        outcome = self.outcome(state)
        return outcome.returns[seat] if outcome else 0.0


slow = SlowFour()


def pair(moves: str = "") -> tuple[Any, SlowState]:
    """The same position for both."""
    one, other = world.start(Rng(0)), SlowState()
    for letter in moves:
        action = ("abcdefg".index(letter),)
        one, other = native.step(one, action, Rng(0)), slow.step(other, action, Rng(0))
    assert str(one) == str(other)
    return one, other


def counts(meter: Meter) -> tuple[int, int, int, int]:
    return meter.calls, meter.copies, meter.replaced, meter.ignored


def facts(result: Any) -> tuple[Any, ...]:
    return str(result.state), result.ticks, result.scores, result.returns, result.cut


def models(limit: int | None) -> tuple[Any, Any]:
    """Both models, each on a meter armed alike."""
    both = native.metered(Meter()), slow.metered(Meter())
    for model in both:
        model.meter.arm(model_calls=limit)
    return both


def answer(call: Any) -> Any:
    try:
        return call()
    except BudgetSpent:
        return BudgetSpent


def perft(model: Any, state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(
        perft(model, model.step(state, (action,), Rng(0)), depth - 1)
        for seat in model.to_act(state)
        for action in model.legal(state, seat)
    )


POSITIONS = ["", "dddddd", "aabbcc", "abbccdcddg", "agagaga", "gffeedeedd", "dcdcdcgfgfgfab"]


@pytest.mark.parametrize("moves", POSITIONS)
def test_both_count_the_same_sequences_of_moves(moves: str):
    one, other = pair(moves)
    assert perft(native, one, 3) == perft(slow, other, 3)


def test_sequences_of_moves_from_the_start_are_counted():
    # Nobody can win before the seventh move, and only seven times the same column is too much.
    start = world.start(Rng(0))
    found = [perft(native, start, depth) for depth in range(1, 8)]
    assert found == [7, 49, 343, 2401, 16807, 117649, 7**7 - 7]


def test_sequences_of_eight_moves_are_counted():
    start = world.start(Rng(0))
    total = 0
    for state in positions_after(start, 7):
        total += 0 if native.over(state) else len(native.legal(state, native.to_act(state)[0]))
    assert total == 5673234 == eight_moves_counted_without_a_game()


def eight_moves_counted_without_a_game() -> int:
    """Count by arrays over all 7**7 sequences of columns at once, with no rules of ours."""
    columns = np.indices((7,) * 7, dtype=np.int8).reshape(7, -1)
    heights = np.zeros((7, columns.shape[1]), dtype=np.int8)
    every = np.arange(columns.shape[1])
    rows = np.empty_like(columns)
    for move in range(7):
        rows[move] = heights[columns[move], every]
        heights[columns[move], every] += 1
    possible = (heights <= 6).all(axis=0)
    # x has the discs of moves 1, 3, 5 and 7; they win when their sorted cells make equal steps.
    cells = np.sort(columns[::2] * 10 + rows[::2], axis=0)
    steps = np.diff(cells, axis=0)
    won = (steps == steps[0]).all(axis=0) & np.isin(steps[0], (1, 9, 10, 11))
    return int((heights < 6).sum(axis=0)[possible & ~won].sum())


def positions_after(state: Any, depth: int) -> Iterator[Any]:
    if depth == 0:
        yield state
        return
    for seat in native.to_act(state):
        for action in native.legal(state, seat):
            yield from positions_after(native.step(state, (action,), Rng(0)), depth - 1)


@pytest.mark.parametrize("moves", POSITIONS)
@pytest.mark.parametrize("seed", range(4))
def test_rollouts_agree_draw_for_draw(moves: str, seed: int):
    one, other = pair(moves)
    (fast, python), rngs = models(None), (Rng(seed), Rng(seed))
    a = fast.rollout(one, "uniform", 100, rngs[0])
    b = python.rollout(other, "uniform", 100, rngs[1])
    assert facts(a) == facts(b)
    assert rngs[0] == rngs[1]
    assert counts(fast.meter) == counts(python.meter)


@pytest.mark.parametrize("budget", range(28))
def test_rollouts_agree_when_the_budget_cuts_them(budget: int):
    one, other = pair("dd")
    (fast, python), rngs = models(budget), (Rng(3), Rng(3))
    a = answer(lambda: fast.rollout(one, "uniform", 20, rngs[0]))
    b = answer(lambda: python.rollout(other, "uniform", 20, rngs[1]))
    assert (a is BudgetSpent) == (b is BudgetSpent)
    if a is not BudgetSpent:
        assert facts(a) == facts(b)
    assert rngs[0] == rngs[1]
    assert counts(fast.meter) == counts(python.meter)


@pytest.mark.parametrize("limit", [-1, 0, 1, 5])
def test_rollouts_agree_on_limits(limit: int):
    one, other = pair("d")
    (fast, python) = models(None)
    a = fast.rollout(one, "uniform", limit, Rng(4))
    assert facts(a) == facts(python.rollout(other, "uniform", limit, Rng(4)))
    assert a.ticks == max(limit, 0)


def test_a_policy_of_ours_is_asked_by_the_native_model():
    fast = native.metered(Meter())
    result = fast.rollout(
        world.start(Rng(0)), lambda m, s, seat, rng: m.legal(s, seat)[0], 100, Rng(0)
    )
    expected = fallback.rollout(
        slow.metered(Meter()),
        SlowState(),
        lambda m, s, seat, rng: m.legal(s, seat)[0],
        100,
        Rng(0),
    )
    assert facts(result) == facts(expected)


def test_a_trace_has_one_entry_for_each_tick():
    result = native.metered(Meter()).rollout(world.start(Rng(0)), "uniform", 9, Rng(5), True)
    assert len(result.trace.scores) == result.ticks == 9


# Sequences with illegal actions, rubbish, joint actions of the wrong length, and moves after
# the end of the game.
SEQUENCES: list[list[tuple[Any, ...]]] = [
    [(3,), (3,), (3,), (3,), (3,), (3,), (3,), (9,), (None,), (), (0, 1)],
    [(0,), (6,), (0,), (6,), (0,), (6,), (0,), (6,), (1,)],
    [],
    [(2**70,), (-1,), ("d",)],
]


@pytest.mark.parametrize("budget", [*range(24), None])
@pytest.mark.parametrize("moves", ["", "agagaga"])
def test_playing_sequences_agrees_for_every_budget(budget: int | None, moves: str):
    one, other = pair(moves)
    (fast, python), rng = models(budget), Rng(6)
    a = answer(lambda: fast.play(one, SEQUENCES, rng))
    b = answer(lambda: python.play(other, SEQUENCES, rng))
    assert (a is BudgetSpent) == (b is BudgetSpent)
    if a is not BudgetSpent:
        assert [facts(result) for result in a] == [facts(result) for result in b]
    assert counts(fast.meter) == counts(python.meter)


@pytest.mark.parametrize("budget", [*range(8), None])
def test_stepping_many_agrees_for_every_budget(budget: int | None):
    both = [pair(moves) for moves in POSITIONS]
    actions: list[tuple[Any, ...]] = [(3,), (3,), (9,), (-1,), (0,), (None,), (6,)]
    (fast, python), rng = models(budget), Rng(7)
    a = answer(lambda: fast.step_many([one for one, _ in both], actions, rng))
    b = answer(lambda: python.step_many([other for _, other in both], actions, rng))
    assert (a is BudgetSpent) == (b is BudgetSpent)
    if a is not BudgetSpent:
        assert list(map(str, a)) == list(map(str, b))
    assert counts(fast.meter) == counts(python.meter)
    assert str(both[0][0]) == str(world.start(Rng(0)))


def test_stepping_many_needs_an_action_for_each_state():
    with pytest.raises(BadParameter, match="as many"):
        native.step_many([world.start(Rng(0))], [], Rng(0))


def test_nothing_to_play_is_no_error_even_when_the_budget_is_spent():
    fast, python = models(0)
    start = world.start(Rng(0))
    assert fast.play(start, [], Rng(0)) == python.play(SlowState(), [], Rng(0)) == []
    assert fast.step_many([], [], Rng(0)) == []


def test_a_long_batch_is_the_same_as_its_parts():
    # Long enough to be played without the interpreter's lock.
    start = world.start(Rng(0))
    fast = native.metered(Meter())
    actions = [(index % 7,) for index in range(2000)]
    results = fast.step_many([start] * 2000, actions, Rng(8))
    assert results == [fast.step(start, action, Rng(0)) for action in actions]
    assert fast.meter.calls == 4000


def mirrored(moves: list[int]) -> list[int]:
    return [6 - column for column in moves]


@given(st.lists(st.integers(0, 6), max_size=42))
def test_a_mirrored_game_is_the_mirror_of_the_game(moves: list[int]):
    one, other = world.start(Rng(0)), world.start(Rng(0))
    for column in moves:
        if column not in native.legal(one, native.to_act(one)[0] if native.to_act(one) else 0):
            continue
        native.advance(one, (column,), Rng(0))
        native.advance(other, (6 - column,), Rng(0))
    assert [row[::-1] for row in str(one).split("/")] == str(other).split("/")
    assert native.outcome(one) == native.outcome(other)


@given(st.integers(0, 2**63 - 1), st.integers(0, 42))
def test_any_position_reached_agrees_and_is_read_back(seed: int, ticks: int):
    one = native.rollout(world.start(Rng(0)), "uniform", ticks, Rng(seed)).state
    other = SlowState(
        tuple(
            "".join(row[c] for row in reversed(str(one).split("/"))).rstrip(".") for c in range(7)
        )
    )
    assert world.parse(str(one)) == one
    assert native.to_act(one) == slow.to_act(other)
    for seat in (0, 1):
        assert list(native.legal(one, seat)) == slow.legal(other, seat)
        assert native.score(one, seat) == slow.score(other, seat)
    outcome, expected = native.outcome(one), slow.outcome(other)
    assert (outcome is None) == (expected is None)
    if expected:
        assert outcome.winners == expected.winners
        assert outcome.returns == expected.returns


@given(st.lists(st.integers(0, 2**63 - 1), min_size=2, max_size=12, unique=True))
def test_keys_are_equal_for_equal_positions_alone(seeds: list[int]):
    ends = [native.rollout(world.start(Rng(0)), "uniform", 9, Rng(s)).state for s in seeds]
    for one in ends:
        for other in ends:
            assert (native.key(one) == native.key(other)) == (one == other)
