"""The true model of catan: the cold half beside the native rules."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

from ludex.core.event import Event
from ludex.core.native_model import OpenNativeModel
from ludex.core.outcome import Outcome
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.worlds.catan import _native
from ludex.worlds.catan._native import State
from ludex.worlds.catan.events import actions_behind, events_of
from ludex.worlds.catan.values import TYPE_SHIFT, TYPES
from ludex.worlds.catan.view import CatanView

BOARDS = ("fixed", "shuffled")
NUMBERS = ("spiral", "apart", "any")
TRADES = ("none", "1:1", "1:2", "all", "free")
SIGHTS = ("open", "partial", "points")
UNLIMITED = 255
LONGEST_PLAYOUT = 200_000
"""ticks; random games with free offers are the longest, and take about 9,000 on average"""
POLICIES = ("uniform", "type_first", "human", "human_unconditioned")
"""how native playouts choose; see the page of the world"""


@dataclass(frozen=True, slots=True)
class Options:
    """What the rules of one game are, as the native half takes them."""

    players: int
    points: int
    finite_bank: bool
    board: int
    numbers: int
    trades: int
    offers: int
    sight: int
    any_card_early: bool
    turns: int
    exchanges: bool = False

    def native(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    @property
    def owner(self) -> int:
        """The tag of the states of a game with these options, the same in every process."""
        digest = hashlib.blake2b(repr(self.native()).encode(), digest_size=4).digest()
        return int.from_bytes(digest, "little")

    @property
    def hidden(self) -> bool:
        return SIGHTS[self.sight] != "open"

    @property
    def max_legal(self) -> int:
        """A bound: one action of each place and card, and every offer to every other seat."""
        rest = 1 + 54 + 4 + 72 + 1 + 76 + 15 + 5 + 1 + 20
        return rest + _native.trade_space(self.trades) * (self.players - 1)


class CatanModel(OpenNativeModel[State], _native.Model):
    """The rules: the hot calls are native, these are the others."""

    twins_drawn = 600

    def __init__(self, options: Options, game: Options | None = None) -> None:
        self.game = game or options
        """whose states these rules play: their own, or those of the rules that they vary"""
        arguments: tuple[Any, ...] = (*options.native(), self.game.owner)
        super().__init__(*arguments)
        assert options.max_legal <= _native.MAX_LEGAL, "native buffers hold every legal action"
        self.options = options
        self.policies = POLICIES
        self.traits = Traits(
            seats=options.players,
            max_legal=options.max_legal,
            hidden=options.hidden,
            chance="listed",
            events=True,
            model_sees_all=not options.hidden,
            abstracted=options.exchanges,
            policies=POLICIES,
            longest_playout=LONGEST_PLAYOUT,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return CatanModel, (self.options, self.game)  # nothing but the rules travels

    def with_exchanges(self) -> CatanModel:
        """The same rules, but an offer is carried out unasked: an abstraction for search."""
        return self.varied(exchanges=True)

    def without_trades(self) -> CatanModel:
        """The same rules, but no offer is ever legal: for players that never trade."""
        return self.varied(trades=TRADES.index("none"))

    def varied(self, **changed: Any) -> CatanModel:
        """The same rules but for some options, on the same meter."""
        return CatanModel(replace(self.options, **changed), self.game).metered(self.meter)

    def action_type(self, action: int) -> str:
        return TYPES[action >> TYPE_SHIFT]

    def action_types(self) -> tuple[str, ...]:
        return TYPES

    def outcome(self, state: State) -> Outcome | None:
        if not self.over(state):
            return None
        seats, winner = self.options.players, state.winner
        if winner is None:
            reason = f"no winner within {self.options.turns} turns"
            return Outcome((), (0.0,) * seats, reason, truncated=True)
        returns = tuple(float(seat == winner) for seat in range(seats))
        return Outcome((winner,), returns, f"reached {state.points(winner)} points")

    def events(self, state: State, seat: int | None = None) -> tuple[Event, ...]:
        self.check_question(state, seat)
        return events_of(
            state,
            seat,
            hidden=self.options.hidden,
            points_shown=SIGHTS[self.options.sight] == "points",
            exchanges=self.options.exchanges,
        )

    def actions_behind(self, event: Event) -> list[int] | None:
        """The actions that can have caused an event, as far as its seat may know."""
        return actions_behind(event)

    def view(self, state: State, seat: int) -> View:
        if not self.options.hidden:
            return super().view(state, seat)
        return CatanView(seat, self.legal(state, seat), self.look(state, seat))

    def imagine(self, view: Any, rng: Rng) -> State:
        """Deal what the seat cannot see, every deal of single cards being equally likely."""
        if not isinstance(view, CatanView):
            return super().imagine(view, rng)
        self.meter.count_copy()
        return self.complete(view.seen, rng)

    def key(self, state: State, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable:
        """The bytes of a state; with a seat, what it sees. `ignore`: turn, offers."""
        self.check_question(state, seat)
        if seat is not None and self.options.hidden:
            return self.look(state, seat)
        return self.key_without(state, ignore) if ignore else super().key(state)

    def native_glance(self, view: Any) -> Any:
        """What native searches deal hidden cards from."""
        return self.own_glance(view.seen) if isinstance(view, CatanView) else None
