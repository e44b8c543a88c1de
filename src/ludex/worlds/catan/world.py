"""The world of catan: its options, notation, observations and reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.choices import Choice
from ludex.core.errors import BadParameter, InvalidState
from ludex.core.event import Event
from ludex.core.paint import plain
from ludex.core.parameters import Between
from ludex.core.person import Person
from ludex.core.rng import Rng
from ludex.core.tracker import Counts
from ludex.core.world import ArraySpec, World
from ludex.worlds.catan._native import State
from ludex.worlds.catan.board_text import EVERYWHERE, NOWHERE, Sites, board_lines
from ludex.worlds.catan.discards import plan_hint, read_plan
from ludex.worlds.catan.draw import draw_svg
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
from ludex.worlds.catan.news import sum_up
from ludex.worlds.catan.notation import action_text, outcome_text, read_action
from ludex.worlds.catan.observation import SIZE, observe
from ludex.worlds.catan.places import place_text
from ludex.worlds.catan.prompt import choices, spelled_out
from ludex.worlds.catan.reasons import reason
from ludex.worlds.catan.speed import own_rates
from ludex.worlds.catan.table_text import bank_line, costs_text, draw_text, hand_lines
from ludex.worlds.catan.tracker import CatanTracker, public_counts
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

    def text_to_hash(self, state: State) -> str:
        """The compact text, which the notation was at first."""
        return state.compact()

    # Pictures and numbers

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        """Draw everything; as text with the numbers of places where something can be put."""
        return draw_svg(state, None) if form == "svg" else plain(self.draw_in_colour(state))

    def draw_view(self, view: Any, form: Literal["text", "svg"] = "text") -> str:
        """Draw what a seat may see: of hidden hands their sizes."""
        seat = view.seat if self.traits.hidden else None
        if form == "svg":
            return draw_svg(table_of(view), seat)
        return plain(draw_text(table_of(view), seat, Sites.of(view.legal)))

    def draw_in_colour(self, state: State, seat: int | None = None) -> str:
        self.model.check_state(state)
        if seat is not None:
            view = self.model.view(state, seat)
            reader = seat if self.traits.hidden else None
            return draw_text(table_of(view), reader, Sites.of(view.legal))
        acting = self.model.to_act(state)
        return draw_text(
            state, None, Sites.of(self.model.legal(state, acting[0]) if acting else ())
        )

    def draw_numbers(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        """Draw everything with the number of every node, edge and hex."""
        self.model.check_state(state)
        if form == "svg":
            return draw_svg(state, None, EVERYWHERE)
        return plain(draw_text(state, None, EVERYWHERE))

    # At the prompt

    def show_board(self, view: Any) -> str:
        return "\n".join(board_lines(table_of(view), Sites.of(view.legal)))

    def show_bare_board(self, view: Any) -> str:
        return "\n".join(board_lines(table_of(view), NOWHERE))

    def show_hand(self, view: Any) -> str:
        return "\n".join(hand_lines(table_of(view), view.seat))

    def choices(self, view: Any) -> list[Choice]:
        return choices(table_of(view), view.legal)

    def prompt_words(self, view: Any) -> Mapping[str, str]:
        return {
            "costs": "what can be built and bought, and for what",
            "bank": "what the bank and the pile hold",
        }

    def answer(self, text: str, view: Any) -> str | None:
        match text.lower():
            case "cost" | "costs":
                return costs_text()
            case "bank":
                return bank_line(table_of(view))
        return None

    def answers_to(self, view: Any) -> tuple[str, ...]:
        return ("costs", "bank")

    def sum_up(self, events: Sequence[Event], seat: int) -> list[str]:
        return sum_up(events, seat)

    def place_text(self, text: str, view: Any) -> str | None:
        return place_text(text, table_of(view), view.seat, view.legal)

    def read_plan(self, text: str, view: Any) -> list[int] | None:
        """Discards of many cards at once; the rules know single ones alone."""
        return read_plan(text, table_of(view), view.seat)

    def plan_hint(self, view: Any) -> str:
        return plan_hint(table_of(view), view.seat)

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

    def read_action(self, text: str, view: Any) -> int:
        """Read any action, legal or not; InvalidAction says how it is written."""
        return read_action(spelled_out(text))

    def is_action_text(self, text: str) -> bool:
        try:
            read_action(text)
        except Exception:  # any text may be handed in
            return False
        return True

    def explain(self, state: State, seat: int, action: Any) -> str:
        """Say why an action is not legal, from what this seat may know alone."""
        return self.said(self.model.look(state, seat), action, Person(seat))

    def refusal(self, view: Any, action: Any) -> str:
        return self.said(table_of(view), action, Person(view.seat, is_reader=True))

    def said(self, table: Any, action: Any, who: Person) -> str:
        if not isinstance(action, int) or isinstance(action, bool) or not known(action):
            return f"{action!r} is not an action of catan; they are numbers with a text"
        return reason(self, table, who, action)


def known(action: int) -> bool:
    """Whether a number stands for some action."""
    try:
        return read_action(action_text(action)) == action
    except Exception:  # any number may be handed in
        return False
