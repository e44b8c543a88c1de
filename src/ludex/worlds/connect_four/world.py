"""The world of connect four: the cold half of its model, notation and observations.

The rules are C++ in `native/`. The bound `Model` has every method that a search calls often;
what is asked rarely is here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.choices import Choice, folded
from ludex.core.codec import FixedCodec
from ludex.core.errors import InvalidState
from ludex.core.native_model import OpenNativeModel
from ludex.core.outcome import Outcome
from ludex.core.rng import Rng
from ludex.core.tracker import Counts
from ludex.core.traits import Traits
from ludex.core.view import OpenView
from ludex.core.world import ArraySpec, World
from ludex.worlds.connect_four import _native
from ludex.worlds.connect_four._native import COLUMNS, ROWS, State
from ludex.worlds.connect_four.draw import draw_svg, draw_text, in_colour
from ludex.worlds.connect_four.tracker import ConnectFourTracker, public_counts

LETTERS = "abcdefg"
ENDS = (
    Outcome((0,), (1.0, -1.0), "four in a row"),
    Outcome((1,), (-1.0, 1.0), "four in a row"),
)
DRAW = Outcome((), (0.0, 0.0), "the board is full")


class ConnectFourModel(OpenNativeModel[State], _native.Model):
    """The rules: the hot calls are native, these are the others."""

    traits = Traits(seats=2, max_legal=COLUMNS, zero_sum=True)

    def outcome(self, state: State) -> Outcome | None:
        if not self.over(state):
            return None
        return DRAW if state.winner is None else ENDS[state.winner]

    def __reduce__(self) -> tuple[Any, ...]:
        return (ConnectFourModel, ())  # nothing but the rules travels; a meter stays at home


@dataclass(frozen=True, kw_only=True)
class ConnectFour(World[State]):
    """Two players drop discs into seven columns; who gets four in a row wins."""

    name: ClassVar[str] = "connect_four"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (2, 2)

    @cached_property
    def model(self) -> ConnectFourModel:
        return ConnectFourModel()

    def start(self, rng: Rng) -> State:
        return State()

    def parse(self, text: str) -> State:
        """Read a board in six rows from the top, or moves such as `ddce` from the start."""
        try:
            return _native.parse(text.strip())
        except ValueError as error:
            raise InvalidState(
                f"cannot read {text!r} as connect_four: {error}; write a board as in "
                f"'{State()}' or moves as in 'ddce'"
            ) from None

    # Counting along

    def tracker(self, view: OpenView) -> ConnectFourTracker:
        return ConnectFourTracker(view)

    def public_counts(self, view: OpenView) -> Counts:
        return public_counts(view)

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        return draw_text(state) if form == "text" else draw_svg(state)

    @cached_property
    def codec(self) -> FixedCodec:
        return FixedCodec(range(COLUMNS))

    def action_text(self, action: Any) -> str:
        """A column by its letter, a to g from the left."""
        return LETTERS[action]

    def draw_in_colour(self, state: State, seat: int | None = None) -> str:
        return in_colour(draw_text(state))

    def choices(self, view: Any) -> list[Choice]:
        """Columns by their letters, or by their numbers from 1 on."""
        return [
            Choice(
                column,
                LETTERS[column],
                "drop a disc into column",
                LETTERS[column],
                (f"column {LETTERS[column]}", f"{column + 1}", f"column {column + 1}"),
            )
            for column in view.legal
        ]

    def read_action(self, text: str, view: Any) -> int | None:
        word = folded(text).removeprefix("column ")
        if word.isdecimal() and len(word) < 3:
            return int(word) - 1 if 1 <= int(word) <= COLUMNS else None
        return LETTERS.index(word) if len(word) == 1 and word in LETTERS else None

    def explain(self, state: State, seat: int, action: Any) -> str:
        if seat == state.turn and action in range(COLUMNS):
            return f"seat {seat} cannot play {LETTERS[action]!r}: column {LETTERS[action]} is full"
        return super().explain(state, seat, action)

    @property
    def observation_spec(self) -> ArraySpec:
        return ArraySpec(shape=(3, ROWS, COLUMNS), low=0.0, high=1.0)

    def observation(self, view: Any) -> NDArray[np.generic]:
        """Three planes: own discs, the other's discs, ones when it is this seat's turn."""
        planes = np.zeros((3, ROWS, COLUMNS), dtype=np.float32)
        for plane, seat in enumerate((view.seat, 1 - view.seat)):
            planes[plane] = cells(view.state.discs(seat))
        planes[2] = 1.0 if view.legal else 0.0
        return planes


def cells(bits: int) -> NDArray[np.float32]:
    """A bitboard as rows from the top."""
    grid = np.array([bits >> index & 1 for index in range(COLUMNS * (ROWS + 1))], dtype=np.float32)
    return grid.reshape(COLUMNS, ROWS + 1)[:, :ROWS].T[::-1]
