"""The world of nim."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.choices import folded
from ludex.core.codec import FixedCodec
from ludex.core.errors import BadParameter, InvalidState
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.core.tracker import Counts
from ludex.core.view import OpenView
from ludex.core.world import ArraySpec, World
from ludex.worlds.nim.draw import draw_svg, draw_text
from ludex.worlds.nim.rules import NimModel, State, Take
from ludex.worlds.nim.tracker import NimTracker, public_counts

LINE = re.compile(r"(\d{1,4}(?: \d{1,4})*)(?: turn=([01]))?")
LARGEST_TOTAL = 200
TYPED = re.compile(r"t(?:a(?:ke?)?)? (\d{1,6}) f(?:r(?:om?)?)? (\d{1,6})")
"""an action as people type it, with beginnings of its words"""


@dataclass(frozen=True, kw_only=True)
class Nim(World[State]):
    """Two players take matches from heaps; who takes the last one wins."""

    name: ClassVar[str] = "nim"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (2, 2)
    LIMITS: ClassVar[Mapping[str, Any]] = {"heaps": Between(0, 100)}

    heaps: tuple[int, ...] = (3, 4, 5)
    """matches in each heap at the start"""
    misere: bool = False
    """who takes the last match loses"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.heaps or not 1 <= sum(self.heaps) <= LARGEST_TOTAL:
            raise BadParameter(
                f"Nim.heaps must hold 1 to {LARGEST_TOTAL} matches in all, got {sum(self.heaps)}"
            )

    @cached_property
    def model(self) -> NimModel:
        return NimModel(self.heaps, self.misere)

    def start(self, rng: Rng) -> State:
        return State(self.heaps)

    def parse(self, text: str) -> State:
        line = LINE.fullmatch(text.strip())
        heaps = tuple(int(size) for size in line[1].split()) if line else ()
        if line is None or len(heaps) != len(self.heaps):
            raise InvalidState(
                f"cannot read {text!r} as {self}; write {len(self.heaps)} heaps, as in "
                f"'{State(self.heaps)}'"
            )
        if any(size > most for size, most in zip(heaps, self.heaps, strict=True)):
            raise InvalidState(
                f"{text!r} has a heap larger than at the start; {self} starts with {self.heaps}"
            )
        return State(heaps, int(line[2] or 0))

    # Counting along

    def tracker(self, view: OpenView) -> NimTracker:
        return NimTracker(view)

    def public_counts(self, view: OpenView) -> Counts:
        return public_counts(view)

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        return draw_text(state, self.heaps) if form == "text" else draw_svg(state, self.heaps)

    @cached_property
    def codec(self) -> FixedCodec:
        return FixedCodec(self.model.legal(State(self.heaps), 0))

    @property
    def observation_spec(self) -> ArraySpec:
        return ArraySpec(shape=(len(self.heaps) + 1,), low=0.0, high=float(max(self.heaps)))

    def observation(self, view: Any) -> NDArray[np.generic]:
        """The heaps, then whether it is this seat's turn."""
        state = view.state
        return np.array([*state.heaps, state.turn == view.seat], dtype=np.float32)

    def read_action(self, text: str, view: Any) -> Take | None:
        line = TYPED.fullmatch(folded(text))
        return Take(int(line[2]), int(line[1])) if line else None

    def explain(self, state: State, seat: int, action: Any) -> str:
        if not isinstance(action, Take) or seat not in self.model.to_act(state):
            return super().explain(state, seat, action)
        if not 0 <= action.heap < len(state.heaps):
            return (
                f"seat {seat} cannot take from heap {action.heap}: "
                f"heaps are numbered 0 to {len(state.heaps) - 1}"
            )
        size = state.heaps[action.heap]
        if size == 0:
            return f"seat {seat} cannot take from heap {action.heap}: it is empty"
        some = "1" if size == 1 else f"1 to {size}"
        return (
            f"seat {seat} cannot take {action.matches} from heap {action.heap}: "
            f"it holds {size}, so take {some}"
        )

    def take(self, matches: int, heap: int) -> Take:
        """Make an action by name."""
        return Take(heap, matches)
