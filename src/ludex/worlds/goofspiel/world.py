"""The world of goofspiel."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
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
from ludex.worlds.goofspiel.draw import draw_svg, draw_text
from ludex.worlds.goofspiel.rules import GoofspielModel, Order, Returns, State
from ludex.worlds.goofspiel.tracker import GoofspielTracker, public_counts

LINE = re.compile(
    r"(?P<hands>[0-9-]+(?: [0-9-]+)+) prize=(?P<prize>[0-9?]) deck=(?P<deck>[0-9-]+) "
    r"points=(?P<points>\d{1,2}(?:-\d{1,2})+)"
)


@dataclass(frozen=True, kw_only=True)
class Goofspiel(World[State]):
    """All bid a card at once for each prize; the highest bid takes it, and ties discard it."""

    name: ClassVar[str] = "goofspiel"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (2, 4)
    LIMITS: ClassVar[Mapping[str, Any]] = {"cards": Between(2, 6), "seats": Between(2, 4)}

    cards: int = 4
    """cards in each hand, and prizes, worth 1, 2, 3, ..."""
    seats: int = 2
    """how many play"""
    order: Order = "random"
    """how prizes are turned up: by chance, or from the highest down"""
    returns: Returns = "win"
    """what counts at the end: who has more points, or by how many"""

    @cached_property
    def model(self) -> GoofspielModel:
        return GoofspielModel(self.cards, self.seats, self.order, self.returns)

    def start(self, rng: Rng) -> State:
        return self.model.first_state()

    def parse(self, text: str) -> State:
        line = LINE.fullmatch(text.strip())
        if line is None:
            raise InvalidState(
                f"cannot read {text!r} as {self}; write it as '{self.model.first_state()}', "
                "with - for no cards and ? for a prize not turned up"
            )
        state = State(
            tuple(read_digits(hand) for hand in line["hands"].split()),
            read_digits(line["deck"]),
            0 if line["prize"] == "?" else int(line["prize"]),
            tuple(int(points) for points in line["points"].split("-")),
        )
        if wrong := self._fault(state):
            raise InvalidState(f"{text!r} is not a state of {self}: {wrong}")
        return state

    def _fault(self, state: State) -> str | None:
        """Say what is impossible about a state, or None."""
        if len(state.hands) != self.seats or len(state.points) != self.seats:
            return f"it needs hands and points of {self.seats} seats"
        for cards in (*state.hands, state.deck):
            if list(cards) != sorted(set(cards) & set(range(1, self.cards + 1))):
                return f"cards are 1 to {self.cards}, each at most once, in ascending order"
        prizes = (*state.deck, *([state.prize] if state.prize else []))
        if state.prize > self.cards or state.prize in state.deck:
            return f"prize {state.prize} is not among 1 to {self.cards} less the deck"
        if any(len(hand) != len(prizes) for hand in state.hands):
            return f"{len(prizes)} prizes are left, so every hand holds {len(prizes)} cards"
        if self.order == "descending" and (bool(state.deck) > bool(state.prize)):
            return "in descending order the next prize is turned up at once"
        if self.order == "descending" and sorted(prizes) != list(range(1, len(prizes) + 1)):
            return "in descending order the lowest prizes are left"
        if self.order == "descending" and state.prize != max(prizes, default=0):
            return "in descending order the highest prize left is bid for"
        gone = set(range(1, self.cards + 1)) - set(prizes)
        if state.points not in possible_points(gone, self.seats):
            return f"the prizes gone, {sorted(gone)}, cannot give points {state.points}"
        return None

    # Counting along

    def tracker(self, view: OpenView) -> GoofspielTracker:
        return GoofspielTracker(view, self.order == "descending")

    def public_counts(self, view: OpenView) -> Counts:
        return public_counts(view)

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        return (draw_text if form == "text" else draw_svg)(state, self.cards)

    @cached_property
    def codec(self) -> FixedCodec:
        return FixedCodec(range(1, self.cards + 1))

    @property
    def observation_spec(self) -> ArraySpec:
        size = self.cards * (self.seats + 2) + self.seats
        return ArraySpec(shape=(size,), low=0.0, high=1.0)

    def observation(self, view: Any) -> NDArray[np.generic]:
        """Own cards, the others' cards, the prize and the deck as flags, then all points.

        Seats come in order from one's own; points are parts of all there are.
        """
        state, seat = view.state, view.seat
        sets = [*state.hands[seat:], *state.hands[:seat], (state.prize,), state.deck]
        flags = [card in one for one in sets for card in range(1, self.cards + 1)]
        most = self.cards * (self.cards + 1) / 2
        points = [won / most for won in (*state.points[seat:], *state.points[:seat])]
        return np.array([*flags, *points], dtype=np.float32)

    def event_text(self, event: Event, seat: int) -> str:
        if event.kind == "move":
            return event.told(seat, "bid", str(event.detail))
        return f"the prize is {event.detail}"

    def choices(self, view: Any) -> list[Choice]:
        return [Choice(card, f"{card}", "bid", f"{card}", (f"bid {card}",)) for card in view.legal]

    def read_action(self, text: str, view: Any) -> int | None:
        word = folded(text).removeprefix("bid ")
        return int(word) if word.isdecimal() and len(word) < 4 else None

    def explain(self, state: State, seat: int, action: Any) -> str:
        if seat in self.model.to_act(state) and isinstance(action, int) and action > self.cards:
            return f"seat {seat} cannot bid {action}: cards are 1 to {self.cards}"
        if seat in self.model.to_act(state) and action in self.codec.places:
            hand = ", ".join(map(str, state.hands[seat]))
            return f"seat {seat} cannot bid {action}: it has been played; the hand is {hand}"
        return super().explain(state, seat, action)


def read_digits(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(int(digit) if digit != "-" else 0 for digit in text)


def possible_points(gone: set[int], seats: int) -> set[tuple[int, ...]]:
    """The points that prizes can have given, each to one seat or to none."""
    possible = {(0,) * seats}
    for prize in gone:
        possible |= {
            (*points[:seat], points[seat] + prize, *points[seat + 1 :])
            for points in possible
            for seat in range(seats)
        }
    return possible
