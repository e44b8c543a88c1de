"""The rules of pig."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.traits import Traits

HOLD, ROLL = "hold", "roll"
FACES = tuple((face, 1 / 6) for face in range(1, 7))


@dataclass(slots=True, unsafe_hash=True)
class State(PlainState):
    """The points banked, whose turn it is, and the points at stake in this turn."""

    scores: tuple[int, ...]
    turn: int = 0
    total: int = 0
    """points rolled in this turn and not banked yet"""
    rolling: bool = False
    """the die is in the air: an afterstate"""

    def __str__(self) -> str:
        rolling = " rolling" if self.rolling else ""
        return f"{' '.join(map(str, self.scores))} turn={self.turn} total={self.total}{rolling}"


class PigModel(PythonModel[State]):
    """Roll as often as you dare: a 1 loses the turn, holding banks its points.

    A total that would reach the target if it were banked wins at once, since nobody would
    roll on; so the states are finite.
    """

    state_type = State

    def __init__(self, target: int, seats: int) -> None:
        super().__init__()
        self.target = target
        self.traits = Traits(seats=seats, max_legal=2, chance="listed", zero_sum=True)

    def fault(self, state: State) -> str | None:
        if len(state.scores) != self.traits.seats:
            return f"it has {len(state.scores)} seats, not {self.traits.seats}"
        return None

    def to_act(self, state: State) -> tuple[int, ...]:
        return () if state.rolling or self.over(state) else (state.turn,)

    def legal(self, state: State, seat: int) -> list[str]:
        if self.to_act(state) != (seat,):
            return []
        return [HOLD, ROLL] if state.total else [ROLL]

    def default_action(self, state: State, seat: int) -> str:
        """Hold where there is something to bank."""
        return HOLD if state.total else ROLL

    def action_type(self, action: str) -> str:
        return action

    def _apply(self, state: State, actions: Actions, rng: Rng) -> None:
        if actions[0] == ROLL:
            state.rolling = True
        else:
            self._bank(state)
            self._pass_on(state)

    def chance(self, state: State) -> Sequence[tuple[Hashable, float]]:
        return FACES if state.rolling else ()

    def _resolve(self, state: State, outcome: Hashable) -> None:
        assert isinstance(outcome, int)
        state.rolling = False
        if outcome == 1:
            self._pass_on(state)
            return
        state.total += outcome
        if state.scores[state.turn] + state.total >= self.target:
            self._bank(state)

    def _bank(self, state: State) -> None:
        scores = list(state.scores)
        scores[state.turn] += state.total
        state.scores = tuple(scores)
        state.total = 0

    def _pass_on(self, state: State) -> None:
        state.total = 0
        state.turn = (state.turn + 1) % len(state.scores)

    def over(self, state: State) -> bool:
        return max(state.scores) >= self.target

    def outcome(self, state: State) -> Outcome | None:
        if not self.over(state):
            return None
        lost = -1.0 / (len(state.scores) - 1)
        returns = tuple(1.0 if score >= self.target else lost for score in state.scores)
        winner = returns.index(1.0)
        return Outcome((winner,), returns, f"reached {self.target} points")

    def score(self, state: State, seat: int) -> float:
        return float(state.scores[seat])
