"""The true model of Hearthstone: the hot calls are native, these are the others."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from ludex.core import registry
from ludex.core.errors import NoConsistentState
from ludex.core.event import Event
from ludex.core.native_model import OpenNativeModel
from ludex.core.outcome import Outcome
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.core.view import check_view
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone._native import State
from ludex.worlds.hearthstone.view import HearthstoneView

KINDS = ("end", "play", "attack", "power", "choose", "mulligan")
NEWS = (
    "",
    "play",
    "draw",
    "burn",
    "fatigue",
    "attack",
    "power",
    "summon",
    "die",
    "reveal",
    "discard",
    "receive",
    "turn",
    "choose",
    "mulligan",
    "cut",
)
SECRET_NEWS = {"draw", "choose"}
"""which cards are known to their owner alone"""
WON = (
    Outcome((0,), (1.0, -1.0), "the other hero fell"),
    Outcome((1,), (-1.0, 1.0), "the other hero fell"),
)
DRAWN = Outcome((), (0.0, 0.0), "both heroes fell")
TOO_LONG = Outcome((), (0.0, 0.0), "turn limit")


def remade(world: str) -> HearthstoneModel:
    """The model of the world with this text, for pickles."""
    made = registry.world(world).model
    assert isinstance(made, HearthstoneModel)
    return made


class HearthstoneModel(OpenNativeModel, _native.Model):
    """The rules with masked events, views, and ways to imagine what a view leaves open."""

    traits: Traits

    def __init__(
        self, arguments: tuple[Any, ...], secrets: frozenset[int], max_legal: int, world: str
    ) -> None:
        super().__init__(*arguments)
        self.world = world
        self.staged = bool(arguments[4]["staged"])
        self.secrets = secrets
        self.traits = Traits(
            seats=2,
            max_legal=max_legal,
            hidden=True,
            chance="sampled",
            zero_sum=True,
            events=True,
            model_sees_all=False,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (remade, (self.world,))  # the cards are read again where it arrives

    def action_type(self, action: Any) -> str:
        return KINDS[_native.unpack(action)[0]]

    def outcome(self, state: State) -> Outcome | None:
        if not self.over(state):
            return None
        if state.winner < 2:
            return WON[state.winner]
        fallen = all(state.player(seat)["health"] <= 0 for seat in (0, 1))
        return DRAWN if fallen else TOO_LONG

    def features(self, state: State) -> Collection[Hashable]:
        """The words of the state's text, each with the part of the table it speaks of."""
        self.check_state(state)
        facts, part = [], ""
        for word in str(state).split():
            if "=" not in word:
                part = word
            facts.append((part, word))
        return tuple(facts)

    # What may be known

    def view(self, state: State, seat: int) -> HearthstoneView:
        return HearthstoneView(
            seat, self.legal(state, seat), self.masked(state, seat), self.unseen(state, seat)
        )

    def imagine(self, view: Any, rng: Rng) -> State:
        """Deal what the seat cannot see, every deal of single cards being equally likely."""
        check_view(view, HearthstoneView)
        self.meter.count_copy()
        try:
            return self.imagined(view.seen, list(view.unseen), view.seat, rng)
        except (ValueError, TypeError):
            raise NoConsistentState(
                f"no state of {self.world} can look like this view of seat {view.seat!r}; views "
                "come from model.view(state, seat) of the same world"
            ) from None

    def key(self, state: State, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable:
        self.check_question(state, seat)
        return str(state) if seat is None else self.view(state, seat)

    def events(self, state: State, seat: int | None = None) -> tuple[Event, ...]:
        """What happened, card by card; what a player draws is told to that player alone."""
        self.check_question(state, seat)
        told = []
        for kind, who, card in state.news:
            word = NEWS[kind]
            hidden = word in SECRET_NEWS or (word == "play" and card in self.secrets)
            shown = card if not hidden or seat is None or seat == who else None
            told.append(Event(word, who, shown if card else None))
        return tuple(told)
