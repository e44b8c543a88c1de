"""The true model of Hearthstone: the hot calls are native, these are the others."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from ludex.core import registry
from ludex.core.errors import ForeignState, NoConsistentState
from ludex.core.event import Event
from ludex.core.native_model import OpenNativeModel
from ludex.core.outcome import Outcome
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.core.view import check_view
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone._native import State
from ludex.worlds.hearthstone.tracker import standing_of, table_of
from ludex.worlds.hearthstone.view import HearthstoneView

LONGEST_PLAYOUT = 4000
"""ticks; no game is longer"""
KINDS = ("end", "play", "attack", "power", "choose", "mulligan")
TOLD = (
    ("", False),
    ("play", False),
    ("draw", True),
    ("burn", False),
    ("fatigue", False),
    ("attack", False),
    ("power", False),
    ("summon", False),
    ("die", False),
    ("reveal", False),
    ("discard", False),
    ("receive", False),
    ("turn", False),
    ("choose", True),
    ("mulligan", False),
    ("cut", False),
    ("receive", True),
    ("leave_deck", True),
    ("join_deck", False),
    ("leave_hand", True),
    ("throw", True),
    ("leave", False),
    ("join", False),
    ("equip", False),
    ("unequip", False),
    ("lay", True),
    ("lose_secret", True),
    ("part", False),
    ("aim", False),
)
"""what the native core tells, in the order of its numbers, and whether the card is its owner's \
secret"""
EVENT_KINDS = tuple(word for word, _ in TOLD)
SECRET_NEWS = frozenset(kind for kind, (_, secret) in enumerate(TOLD) if secret)
PLAYED, STAGED = EVENT_KINDS.index("play"), EVENT_KINDS.index("part")
WON = (
    Outcome((0,), (1.0, -1.0), "the hero of seat 1 died"),
    Outcome((1,), (-1.0, 1.0), "the hero of seat 0 died"),
)
DRAWN = Outcome((), (0.0, 0.0), "both heroes died")
ENDLESS = Outcome((), (0.0, 0.0), "effects without end")


def remade(world: str) -> HearthstoneModel:
    """The model of the world with this text, for pickles."""
    made = registry.world(world).model
    assert isinstance(made, HearthstoneModel)
    return made


class HearthstoneModel(OpenNativeModel[State], _native.Model):
    """The rules with masked events, views, and ways to imagine what a view leaves open."""

    traits: Traits

    def __init__(
        self, arguments: tuple[Any, ...], secrets: frozenset[int], max_legal: int, world: str
    ) -> None:
        super().__init__(*arguments)
        self.world = world
        self.staged = bool(arguments[4]["staged"])
        self.turn_limit = int(arguments[4]["turn_limit"])
        self.secrets = secrets
        self.traits = Traits(
            seats=2,
            max_legal=max_legal,
            hidden=True,
            chance="sampled",
            zero_sum=True,
            events=True,
            model_sees_all=False,
            longest_playout=LONGEST_PLAYOUT,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (remade, (self.world,))  # the cards are read again where it arrives

    def action_type(self, action: Any) -> str:
        return KINDS[_native.unpack(action)[0]]

    def action_types(self) -> tuple[str, ...]:
        return KINDS

    def outcome(self, state: State) -> Outcome | None:
        if not self.over(state):
            return None
        if state.winner < 2:
            return WON[state.winner]
        if state.turn > self.turn_limit:
            reason = f"the limit of {self.turn_limit} turns was reached"
            return Outcome((), (0.0, 0.0), reason)
        fallen = all(state.player(seat)["health"] <= 0 for seat in (0, 1))
        return DRAWN if fallen else ENDLESS

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
            seat,
            self.legal(state, seat),
            self.masked(state, seat),
            self.unseen(state, seat),
            self.owner,
        )

    def imagine(self, view: Any, rng: Rng) -> State:
        """Deal what the seat cannot see, every deal of single cards being equally likely."""
        self.check_own_view(view)
        self.meter.count_copy()
        try:
            return self.imagined(view.seen, list(view.unseen), view.seat, rng)
        except (ValueError, TypeError):
            raise self.inconsistent(view) from None

    def native_glance(self, view: Any) -> Any:
        """What native searches deal hidden cards from."""
        if not isinstance(view, HearthstoneView):
            return None
        self.check_own_view(view)
        try:
            return self.glance(view.seen, list(view.unseen), view.seat)
        except (ValueError, TypeError):
            raise self.inconsistent(view) from None

    def check_own_view(self, view: Any) -> None:
        """Raise unless this is a view of these rules."""
        check_view(view, HearthstoneView)
        if view.owner != self.owner:
            raise ForeignState(
                f"this is a view of other rules than those of {self.world}; views come from "
                "model.view(state, seat) of the same cards, decks and options"
            )

    def inconsistent(self, view: Any) -> NoConsistentState:
        return NoConsistentState(
            f"no state of {self.world} can look like this view of seat {view.seat!r}; views "
            "come from model.view(state, seat) of the same world"
        )

    def key(self, state: State, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable:
        """The bytes of a state; with a seat, of what it sees."""
        return super().key(state) if seat is None else self.view_key(state, seat)

    def events(self, state: State, seat: int | None = None) -> tuple[Event, ...]:
        """What happened, card by card; what a player draws is told to that player alone.

        Then come the sides whose health, armour, mana or weapon are other than before. A step that
        did more than is kept is told by how the table stands after it.
        """
        self.check_question(state, seat)
        told = []
        for kind, who, card in state.told_events:
            hidden = kind in SECRET_NEWS or (kind == PLAYED and card in self.secrets)
            shown = card if not hidden or seat is None or seat == who else None
            detail = state.prefix if kind == STAGED else shown or None
            told.append(Event(EVENT_KINDS[kind], who, detail))
        for who in state.changed_sides:
            told.append(Event("standing", who, standing_of(state.player(who))))
        if state.told_lost:
            for who in (0, 1):
                told.append(Event("table", who, table_of(state.player(who), seat in (None, who))))
        return tuple(told)
