"""The world of pig."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.choices import Choice, folded
from ludex.core.codec import FixedCodec
from ludex.core.errors import InvalidState
from ludex.core.event import Event
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.core.tracker import Counts
from ludex.core.view import OpenView
from ludex.core.world import ArraySpec, World
from ludex.worlds.pig.draw import draw_svg, draw_text
from ludex.worlds.pig.rules import HOLD, ROLL, PigModel, State
from ludex.worlds.pig.tracker import PigTracker, public_counts

BANK = "bank"
LINE = re.compile(
    r"(?P<scores>\d{1,4}(?: \d{1,4})+)"
    r"(?: turn=(?P<turn>\d))?(?: total=(?P<total>\d{1,4}))?(?P<rolling> rolling)?"
)


@dataclass(frozen=True, kw_only=True)
class Pig(World[State]):
    """Roll a die and bank the points before a 1 takes them; the first to the target wins."""

    name: ClassVar[str] = "pig"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (2, 6)
    LIMITS: ClassVar[Mapping[str, Any]] = {"target": Between(2, 1000), "seats": Between(2, 6)}

    target: int = 100
    """points that win"""
    seats: int = 2
    """how many play"""

    @cached_property
    def model(self) -> PigModel:
        return PigModel(self.target, self.seats)

    def start(self, rng: Rng) -> State:
        return State((0,) * self.seats)

    def parse(self, text: str) -> State:
        line = LINE.fullmatch(text.strip())
        if line is None or len(line["scores"].split()) != self.seats:
            raise InvalidState(
                f"cannot read {text!r} as {self}; write the points of {self.seats} seats, as in "
                f"'{State(tuple(range(self.seats)), 0, 8)}'"
            )
        scores = tuple(int(score) for score in line["scores"].split())
        state = State(
            scores, int(line["turn"] or 0), int(line["total"] or 0), bool(line["rolling"])
        )
        if wrong := self._fault(state):
            raise InvalidState(f"{text!r} is not a state of {self}: {wrong}")
        return state

    def _fault(self, state: State) -> str | None:
        """Say what is impossible about a state, or None."""
        # A winner was below the target before the last roll, which adds at most 6.
        if max(state.scores) > self.target + 5:
            return f"no seat can pass {self.target + 5} points"
        if any(score == 1 for score in state.scores) or state.total == 1:
            return "nobody can have 1 point, since a rolled 1 scores nothing"
        if state.turn >= self.seats:
            return f"seats are numbered 0 to {self.seats - 1}"
        won = [seat for seat, score in enumerate(state.scores) if score >= self.target]
        if won and (won != [state.turn] or state.total or state.rolling):
            return "a seat with enough points has won in its own turn, with nothing at stake"
        if not won and state.scores[state.turn] + state.total >= self.target:
            return f"a total that reaches {self.target} is banked at once"
        return None

    # Counting along

    def tracker(self, view: OpenView) -> PigTracker:
        return PigTracker(view, self.target)

    def public_counts(self, view: OpenView) -> Counts:
        return public_counts(view)

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        return (draw_text if form == "text" else draw_svg)(state, self.target)

    @cached_property
    def codec(self) -> FixedCodec:
        return FixedCodec((HOLD, ROLL))

    @property
    def observation_spec(self) -> ArraySpec:
        return ArraySpec(shape=(self.seats + 3,), low=0.0, high=2.0)

    def observation(self, view: Any) -> NDArray[np.generic]:
        """Own points, the others' in order of play and the total, as parts of the target.

        Then whether it is this seat's turn, and whether the die is in the air.
        """
        state, seat = view.state, view.seat
        points = [*state.scores[seat:], *state.scores[:seat], state.total]
        parts = [number / self.target for number in points]
        flags = [state.turn == seat, state.rolling]
        return np.array([*(min(part, 2.0) for part in parts), *flags], dtype=np.float32)

    def event_text(self, event: Event, seat: int) -> str:
        if event.kind == "move":
            return event.told(seat, str(event.detail))
        lost = ": the turn is lost" if event.detail == 1 else ""
        return f"the die shows {event.detail}{lost}"

    def choices(self, view: Any) -> list[Choice]:
        """With the word that people say for holding."""
        return [
            replace(one, names=(BANK,)) if one.action == HOLD else one
            for one in super().choices(view)
        ]

    def read_action(self, text: str, view: Any) -> Any:
        return HOLD if folded(text) == BANK else super().read_action(text, view)

    def explain(self, state: State, seat: int, action: Any) -> str:
        if action == HOLD and seat in self.model.to_act(state):
            return f"seat {seat} cannot hold yet: nothing is at stake, so roll first"
        if state.rolling:
            return f"seat {seat} cannot act now: the die is in the air"
        return super().explain(state, seat, action)
