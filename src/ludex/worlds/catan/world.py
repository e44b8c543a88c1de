"""The world of catan: its options, notation, observations and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import AmbiguousAction, BadParameter, IllegalAction, InvalidState
from ludex.core.event import Event
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.core.tracker import Counts
from ludex.core.view import View
from ludex.core.world import ArraySpec, World
from ludex.worlds.catan._native import State
from ludex.worlds.catan.draw import draw_svg, draw_text
from ludex.worlds.catan.events import told
from ludex.worlds.catan.model import (
    BOARDS,
    NUMBERS,
    SIGHTS,
    TRADES,
    UNLIMITED,
    CatanModel,
    Options,
)
from ludex.worlds.catan.notation import action_text, outcome_text, read_action
from ludex.worlds.catan.observation import SIZE, observe
from ludex.worlds.catan.reasons import reason
from ludex.worlds.catan.speed import own_rates
from ludex.worlds.catan.tracker import CatanTracker, public_counts
from ludex.worlds.catan.values import TYPES
from ludex.worlds.catan.view import table_of


@dataclass(frozen=True, kw_only=True)
class Catan(World[State]):
    """Two to four settlers build, trade and rob their way to ten points."""

    name: ClassVar[str] = "catan"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (2, 4)
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "seats": Between(2, 4),
        "points": Between(3, 30),
        "offers": Between(0, 250),
        "turns": Between(1, 65_000),
    }

    seats: int = 4
    """how many play"""
    points: int = 10
    """how many win"""
    bank: Literal["finite", "infinite"] = "finite"
    """finite: 19 cards of each kind, as printed"""
    board: Literal["shuffled", "fixed"] = "shuffled"
    """fixed: the printed board of the first game"""
    numbers: Literal["spiral", "apart", "any"] = "spiral"
    """of a shuffled board; apart: shuffled, but no 6 or 8 beside another; any: shuffled"""
    trades: Literal["none", "1:1", "1:2", "all", "free"] = "all"
    """what may be offered to a player: 1:1; 1:2 adds two of a kind; all adds two that differ; \
free: up to three cards a side"""
    offers: int | None = 3
    """how many may be made in a turn; none: any number"""
    view: Literal["partial", "open", "points"] = "partial"
    """open: all cards lie face up; points: only victory points do"""
    early: Literal["any", "knights"] = "any"
    """development cards that may be played before the roll"""
    turns: int = 1000
    """after so many turns of all seats together nobody has won"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.board == "fixed" and self.numbers != "spiral":
            raise BadParameter(
                f"Catan.numbers is for shuffled boards, and board is 'fixed'; leave it out, got "
                f"{self.numbers!r}"
            )

    @cached_property
    def model(self) -> CatanModel:
        return CatanModel(
            Options(
                players=self.seats,
                points=self.points,
                finite_bank=self.bank == "finite",
                board=BOARDS.index(self.board),
                numbers=NUMBERS.index(self.numbers),
                trades=TRADES.index(self.trades),
                offers=UNLIMITED if self.offers is None else self.offers,
                sight=SIGHTS.index(self.view),
                any_card_early=self.early == "any",
                turns=self.turns,
            )
        )

    def start(self, rng: Rng) -> State:
        """An empty board; seat 0 begins."""
        return self.model.start(rng)

    def parse(self, text: str) -> State:
        try:
            return self.model.parse(text.strip())
        except ValueError as error:
            shown = text if len(text) <= 60 else text[:57] + "..."
            raise InvalidState(
                f"cannot read {shown!r} as {self}: {error}; str(state) shows how one is written"
            ) from None

    # Pictures and numbers

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        return (draw_text if form == "text" else draw_svg)(state, None)

    def draw_view(self, view: Any, form: Literal["text", "svg"] = "text") -> str:
        """Draw what a seat may see: of hidden hands their sizes."""
        hidden = self.traits.hidden
        seat = view.seat if hidden else None
        return (draw_text if form == "text" else draw_svg)(table_of(view), seat)

    @property
    def observation_spec(self) -> ArraySpec:
        return ArraySpec(shape=(SIZE,), low=0.0, high=1.0)

    def observation(self, view: Any) -> NDArray[np.generic]:
        return observe(table_of(view), view.seat, self)

    def own_rates(self, seconds: float) -> Iterator[dict[str, Any]]:
        yield from own_rates(self, seconds)

    # Counting along

    def tracker(self, view: Any) -> CatanTracker:
        return CatanTracker(view, self.seats)

    def public_counts(self, view: Any) -> Counts:
        return public_counts(view, self.seats)

    # Words

    def action_text(self, action: Any) -> str:
        return action_text(action)

    def outcome_text(self, outcome: Any) -> str:
        return outcome_text(outcome)

    def event_text(self, event: Event, seat: int) -> str:
        return told(event, seat) or super().event_text(event, seat)

    def parse_action(self, text: str, view: View) -> int:
        """Read an action; a first word is enough where it leaves one choice."""
        word = " ".join(text.lower().split())
        if word in TYPES or not any(word.startswith(kind) for kind in TYPES):
            begun = [one for one in view.legal if action_text(one).startswith(word) and word]  # type: ignore[arg-type]  # ours are numbers
            if len(begun) == 1:
                return begun[0]  # type: ignore[return-value]  # a number
            if begun:
                raise AmbiguousAction(
                    f"{word!r} could be any of {len(begun)} actions, such as "
                    f"{action_text(begun[0])!r}; type more of it"  # type: ignore[arg-type]  # a number
                )
        action = read_action(word)
        if action not in view.legal:
            raise IllegalAction(reason(self, table_of(view), view.seat, action))
        return action

    def is_action_text(self, text: str) -> bool:
        try:
            read_action(text)
        except Exception:  # any text may be handed in
            return False
        return True

    def explain(self, state: State, seat: int, action: Any) -> str:
        """Say why an action is not legal, from what this seat may know alone."""
        if not isinstance(action, int) or isinstance(action, bool) or not known(action):
            return f"{action!r} is not an action of catan; they are numbers with a text"
        return reason(self, self.model.look(state, seat), seat, action)


def known(action: int) -> bool:
    """Whether a number stands for some action."""
    try:
        return read_action(action_text(action)) == action
    except Exception:  # any number may be handed in
        return False
