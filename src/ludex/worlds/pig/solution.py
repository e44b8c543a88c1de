"""The exact solution of pig for two players.

Let `first(i, j)` be the probability that the mover wins with i points against j and nothing
at stake. Points only grow, so the states fall into levels of equal i + j, solved from the
last level down. Holding leads to a higher level, already known; inside a level only a
rolled 1 leads elsewhere, from (i, j) to (j, i). So the value of a turn is `known + ruin * x`,
where ruin is the chance that the turn ends with a 1 and x = 1 - first(j, i). Policy iteration
alternates between the best policy for the present x and the exact solution of the two linear
equations that policy gives. It ends when the values no longer grow, after about three rounds.

Optimal play was first published by T. Neller and C. Presser, "Optimal Play of the Dice Game
Pig", The UMAP Journal 25 (1), 2004.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter
from ludex.worlds.pig.rules import HOLD, ROLL, State

Floats = NDArray[np.float64]
LARGEST_TARGET = 300  # the work grows with the cube of the target
CLOSE = 1e-14


class Solution:
    """Optimal play up to one target: exact win probabilities of states and actions."""

    def __init__(self, target: int, first: Floats) -> None:
        self.target = target
        self.first = first
        """first[i, j]: the mover, with i points against j, wins"""
        self.turn_values = lru_cache(maxsize=20_000)(self._turn_values)

    def win_probability(self, state: State, seat: int | None = None) -> float:
        """The probability that `seat` (by default the one whose turn it is) wins."""
        mover = self._mover_wins(state)
        return mover if seat in (None, state.turn) else 1.0 - mover

    def action_values(self, state: State) -> dict[str, float]:
        """The probability that the mover wins after each legal action, best play following."""
        own, other = self._points(state)
        if state.rolling or max(own, other) >= self.target:
            return {}
        roll = self._roll_value(own, other, state.total)
        if not state.total:
            return {ROLL: roll}
        return {HOLD: 1.0 - float(self.first[other, own + state.total]), ROLL: roll}

    def best_action(self, state: State) -> str:
        """The better action; rolls when both are equal."""
        values = self.action_values(state)
        return max(sorted(values, reverse=True), key=lambda action: values[action])

    def hold_value(self, own: int, other: int) -> int:
        """The least turn total at which the mover should hold; what reaches the target if none."""
        for total in range(2, self.target - own):
            if self.best_action(State((own, other), 0, total)) == HOLD:
                return total
        return self.target - own

    def _mover_wins(self, state: State) -> float:
        own, other = self._points(state)
        if own >= self.target:
            return 1.0
        if other >= self.target:
            return 0.0
        if state.rolling:
            return self._roll_value(own, other, state.total)
        return max(self.action_values(state).values())

    def _points(self, state: State) -> tuple[int, int]:
        if len(state.scores) != 2:
            raise BadParameter(f"pig is solved for 2 seats, and this has {len(state.scores)}")
        return state.scores[state.turn], state.scores[1 - state.turn]

    def _roll_value(self, own: int, other: int, total: int) -> float:
        values = self.turn_values(own, other)
        wins = [
            1.0 if own + after >= self.target else values[after]
            for after in range(total + 2, total + 7)
        ]
        return (1.0 - float(self.first[other, own]) + sum(wins)) / 6

    def _turn_values(self, own: int, other: int) -> tuple[float, ...]:
        """The mover's chances with 0, 1, 2, ... at stake, up to what wins."""
        ruined = 1.0 - float(self.first[other, own])
        wins = [1.0] * (self.target - own + 6)
        for total in reversed(range(self.target - own)):
            roll = (ruined + sum(wins[total + 2 : total + 7])) / 6
            hold = 1.0 - float(self.first[other, own + total]) if total else 0.0
            wins[total] = max(roll, hold)
        return tuple(wins)


@cache
def solve(target: int) -> Solution:
    """Solve pig for two seats; about a second for 100, then cached."""
    if not 2 <= target <= LARGEST_TARGET:
        raise BadParameter(f"pig is solved for targets 2 to {LARGEST_TARGET}, got {target!r}")
    first = np.zeros((target, target))
    for level in reversed(range(2 * target - 1)):
        solve_level(first, target, level)
    return Solution(target, first)


def solve_level(first: Floats, target: int, level: int) -> None:
    """Fill in `first` where the points of both add up to `level`, by policy iteration."""
    own = np.arange(max(0, level - target + 1), min(target - 1, level) + 1)
    other = level - own  # the same numbers in reverse: row r plays against row -1 - r
    held = 1.0 - first[other]  # held[r, m]: bank up to m points in all and pass on
    # One point more hardly changes a position, so the level above is a good first guess.
    ruined = held[np.arange(len(own)), np.minimum(own + 1, target - 1)]
    while True:
        known, ruin = best_turns(held, ruined, own, target)
        # wins = known + ruin * (1 - wins of the opposite row), for both rows at once
        wins = (known + ruin * (1 - known[::-1] - ruin[::-1])) / (1 - ruin * ruin[::-1])
        better = 1.0 - wins[::-1]
        if np.abs(better - ruined).max() < CLOSE:
            break
        ruined = better
    first[own, other] = wins


def best_turns(
    held: Floats, ruined: Floats, own: NDArray[np.intp], target: int
) -> tuple[Floats, Floats]:
    """The best turn of each row when a rolled 1 is worth `ruined`.

    Returns the chance to win without rolling a 1, plus what banked points are worth, and the
    chance to roll a 1.
    """
    rows = len(own)
    # Column m: m points in all if banked now; from the target on the game is won.
    known = np.ones((target + 6, rows))
    ruin = np.zeros((target + 6, rows))
    starts = np.zeros((2, rows))
    for points in reversed(range(int(own[0]), target)):
        roll_known = known[points + 2 : points + 7].sum(axis=0) / 6
        roll_ruin = (1.0 + ruin[points + 2 : points + 7].sum(axis=0)) / 6
        hold = held[:, points]
        holds = hold > roll_known + roll_ruin * ruined
        known[points] = np.where(holds, hold, roll_known)
        ruin[points] = np.where(holds, 0.0, roll_ruin)
        begins = points - int(own[0])  # the row whose turn begins with this many points
        if begins < rows:
            # With nothing at stake there is nothing to hold.
            starts[:, begins] = roll_known[begins], roll_ruin[begins]
    return starts[0], starts[1]
