"""The world of Kuhn poker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.codec import FixedCodec
from ludex.core.errors import InvalidState
from ludex.core.event import Event
from ludex.core.rng import Rng
from ludex.core.tracker import Counts
from ludex.core.world import ArraySpec, World
from ludex.worlds.kuhn_poker.draw import draw_svg, draw_text
from ludex.worlds.kuhn_poker.rules import (
    CARDS,
    CHOICES,
    DEALS,
    FACING,
    FOLDED,
    LETTERS,
    OPEN,
    SHOWDOWNS,
    KuhnPokerModel,
    KuhnView,
    State,
)
from ludex.worlds.kuhn_poker.tracker import KuhnTracker, public_counts

LINE = re.compile(r"(undealt|[A-Z]{2})(?: ([a-z]{1,3}))?")
MOST_MOVES = 3


@dataclass(frozen=True, kw_only=True)
class KuhnPoker(World[State]):
    """Two players, three cards, one bet: the smallest poker with bluffs."""

    name: ClassVar[str] = "kuhn_poker"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (2, 2)

    @cached_property
    def model(self) -> KuhnPokerModel:
        return KuhnPokerModel()

    def start(self, rng: Rng) -> State:
        """Before the deal, which is listed chance."""
        return State()

    def parse(self, text: str) -> State:
        line = LINE.fullmatch(text.strip())
        cards = line[1] if line and line[1] != "undealt" else ""
        course = (line[2] or "") if line else ""
        known = course in CHOICES or course in SHOWDOWNS or course in FOLDED
        if line is None or cards not in ("", *DEALS) or not known or (course and not cards):
            raise InvalidState(
                f"cannot read {text!r} as {self}; write two of the cards J, Q, K and the betting "
                "(x check, b bet, c call, f fold), as in 'JK xb', or 'undealt'"
            )
        return State(cards, course)

    # Counting along

    def tracker(self, view: KuhnView) -> KuhnTracker:
        return KuhnTracker(view)

    def public_counts(self, view: KuhnView) -> Counts:
        return public_counts(view)

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        cards = tuple(state.cards) if state.cards else ("", "")
        return (draw_text if form == "text" else draw_svg)(cards, state.course)

    def draw_view(self, view: KuhnView, form: Literal["text", "svg"] = "text") -> str:
        """Draw what a seat may see: the other card lies face down until it is shown."""
        other = view.shown or ("?" if view.card else "")
        cards = (view.card, other) if view.seat == 0 else (other, view.card)
        return (draw_text if form == "text" else draw_svg)(cards, view.course)

    @cached_property
    def codec(self) -> FixedCodec:
        return FixedCodec((*OPEN, *FACING))

    @property
    def observation_spec(self) -> ArraySpec:
        return ArraySpec(shape=(2 * len(CARDS) + 1 + MOST_MOVES * len(LETTERS),), low=0.0, high=1.0)

    def observation(self, view: KuhnView) -> NDArray[np.generic]:
        """Own card, shown card, whether this seat moves first, then each move, all as flags."""
        flags = [card == view.card for card in CARDS]
        flags += [card == view.shown for card in CARDS]
        flags.append(view.seat == 0)
        for letter in view.course.ljust(MOST_MOVES):
            flags += [letter == one for one in LETTERS.values()]
        return np.array(flags, dtype=np.float32)

    def event_text(self, event: Event, seat: int) -> str:
        word = str(event.detail)
        if event.kind == "deal":
            return f"you are dealt {word}" if event.seat == seat else f"seat {event.seat} is dealt"
        return event.told(seat, word) if event.kind == "move" else event.told(seat, "show", word)

    def explain(self, state: State, seat: int, action: Any) -> str:
        if seat not in self.model.to_act(state) or action not in LETTERS:
            return super().explain(state, seat, action)
        return f"seat {seat} {impossible(action)}"

    def refusal(self, view: KuhnView, action: Any) -> str:
        if not view.legal or action not in LETTERS:
            return super().refusal(view, action)
        return f"you {impossible(action)}"


def impossible(action: str) -> str:
    """What a seat that may do the opposite is told."""
    if action in FACING:
        return f"cannot {action}: nobody has bet; bet or check"
    return f"cannot {action}: the other seat has bet; call or fold"
