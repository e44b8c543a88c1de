"""The rules of nim, and its solution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import NamedTuple

from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.traits import Traits


class Take(NamedTuple):
    """Take some matches from a heap."""

    heap: int
    matches: int

    def __str__(self) -> str:
        return f"take {self.matches} from {self.heap}"


@dataclass(slots=True, unsafe_hash=True)
class State(PlainState):
    """The heaps and whose turn it is."""

    heaps: tuple[int, ...]
    turn: int = 0

    def __str__(self) -> str:
        return f"{' '.join(map(str, self.heaps))} turn={self.turn}"


class NimModel(PythonModel[State]):
    """Whoever takes the last match wins; with `misere`, whoever takes it loses."""

    state_type = State

    def __init__(self, heaps: tuple[int, ...], misere: bool) -> None:
        super().__init__()
        self.heaps = len(heaps)
        self.misere = misere
        self.traits = Traits(seats=2, max_legal=sum(heaps), zero_sum=True)

    def fault(self, state: State) -> str | None:
        if len(state.heaps) != self.heaps:
            return f"it has {len(state.heaps)} heaps, not {self.heaps}"
        return None

    def to_act(self, state: State) -> tuple[int, ...]:
        return (state.turn,) if any(state.heaps) else ()

    def legal(self, state: State, seat: int) -> list[Take]:
        if seat != state.turn:
            return []
        return [
            Take(heap, matches)
            for heap, size in enumerate(state.heaps)
            for matches in range(1, size + 1)
        ]

    def _apply(self, state: State, actions: Actions, rng: Rng) -> None:
        heap, matches = actions[0]
        heaps = list(state.heaps)
        heaps[heap] -= matches
        state.heaps = tuple(heaps)
        state.turn = 1 - state.turn

    def outcome(self, state: State) -> Outcome | None:
        if any(state.heaps):
            return None
        # The seat to move did not take the last match.
        winner = state.turn if self.misere else 1 - state.turn
        returns = (1.0, -1.0) if winner == 0 else (-1.0, 1.0)
        word = "left" if self.misere else "took"
        return Outcome((winner,), returns, f"{word} the last match")

    def action_type(self, action: Take) -> str:
        return "take"

    def score(self, state: State, seat: int) -> float:
        outcome = self.outcome(state)
        return outcome.returns[seat] if outcome else 0.0


def mover_wins(heaps: tuple[int, ...], misere: bool = False) -> bool:
    """Bouton's theorem: the nim-sum decides, but for misere endings of heaps of one.

    >>> mover_wins((3, 4, 5)), mover_wins((1, 4, 5))
    (True, False)
    """
    if misere and max(heaps, default=0) <= 1:
        return sum(heaps) % 2 == 0
    return reduce(xor, heaps, 0) != 0


def winning_takes(heaps: tuple[int, ...], misere: bool = False) -> list[Take]:
    """The moves after which the other seat has lost, ascending.

    >>> winning_takes((3, 4, 5))
    [Take(heap=0, matches=2)]
    """
    winning: list[Take] = []
    for heap, size in enumerate(heaps):
        for matches in range(1, size + 1):
            left = (*heaps[:heap], size - matches, *heaps[heap + 1 :])
            if not mover_wins(left, misere):
                winning.append(Take(heap, matches))
    return winning
