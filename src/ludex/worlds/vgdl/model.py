"""The true model of a VGDL game: the hot calls are native, these are the others."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from ludex.core.event import Event
from ludex.core.native_model import OpenNativeModel
from ludex.core.outcome import Outcome
from ludex.core.rng import Rng
from ludex.core.traits import Chance, Traits
from ludex.core.view import check_view
from ludex.worlds.vgdl import _native
from ludex.worlds.vgdl._native import State
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.aims import Aim, aims_of
from ludex.worlds.vgdl.language.definition import Game
from ludex.worlds.vgdl.language.ontology import ACTIONS, EFFECTS, SPRITES
from ludex.worlds.vgdl.pictures.looks import Wardrobe
from ludex.worlds.vgdl.reasons import ENGINE_REASONS, reason_of
from ludex.worlds.vgdl.scene import Scene
from ludex.worlds.vgdl.view import VgdlView

IGNORABLE = {"score": 1, "tick": 2, "orientation": 4, "ids": 8}
WON, LOST = 1, 2
HEADINGS = {Action.UP: (0, -1), Action.LEFT: (-1, 0), Action.DOWN: (0, 1), Action.RIGHT: (1, 0)}


class Meeting(NamedTuple):
    """An avatar, or something it made, met another sprite. Types and sprites are numbers."""

    tick: int
    by_product: bool
    """the active sprite is not the avatar itself but something it made"""
    passive_type: int
    active_type: int
    passive: int
    active: int
    x: int
    y: int


def is_random(game: Game) -> bool:
    """Whether chance can make a difference."""
    for sprite in game.types:
        if sprite.class_name in SPRITES and SPRITES[sprite.class_name].random:
            return True
        if any(sprite.values.get(key, 1.0) < 1.0 for key in ("prob", "spreadprob")):
            return True
    for rule in [*game.rules, *(rule.inner for rule in game.rules if rule.inner)]:
        if EFFECTS[rule.effect].random or rule.values["prob"] < 1.0:
            return True
    return False


class VgdlModel(OpenNativeModel[State], _native.Model):
    """A game on a level."""

    def __init__(self, game: Game, level: _native.Level) -> None:
        super().__init__(level)
        self.game = game
        self.level = level

    def __reduce__(self) -> tuple[Any, ...]:
        # Nothing but the rules travels; a meter stays at home.
        return (VgdlModel, (self.game, self.level))

    @cached_property
    def traits(self) -> Traits:
        chance: Chance = "sampled" if is_random(self.game) else "none"
        return Traits(
            seats=self.game.players,
            max_legal=len(ACTIONS),
            simultaneous=self.game.players > 1,
            chance=chance,
            events=True,
            objects=True,
            avatars=True,
        )

    def action_type(self, action: Any) -> str:
        if action == Action.NIL:
            return "wait"
        return "use" if action == Action.USE else "move"

    def action_types(self) -> tuple[str, ...]:
        return ("wait", "move", "use")

    def outcome(self, state: State) -> Outcome | None:
        if not self.over(state):
            return None
        won = state.winners
        returns = {WON: 1.0, LOST: -1.0}
        return Outcome(
            winners=tuple(seat for seat, winner in enumerate(won) if winner == WON),
            returns=tuple(returns.get(winner, 0.0) for winner in won),
            reason=self.reason(state),
            truncated=state.ended_by < 0,
        )

    def reason(self, state: State) -> str:
        """Why the game is over, in words for people."""
        if state.ended_by < 0:
            return ENGINE_REASONS[state.ended_by]
        return self.reasons[state.ended_by]

    @cached_property
    def reasons(self) -> list[str]:
        """Of each condition that ends the game."""
        state = self.level.start()
        is_empty = all(self.level.avatar(state, seat) is None for seat in range(self.game.players))
        return [reason_of(self.game, ending, not is_empty) for ending in self.game.endings]

    def reported_score(self, state: State, seat: int) -> float:
        """The score as the reference reports it in the end: a winner has at least 1."""
        score = self.score(state, seat)
        return 1.0 if state.winners[seat] == WON and score <= 0 else score

    @cached_property
    def scene(self) -> Scene:
        return Scene.of(self.game, self.level)

    @cached_property
    def wardrobe(self) -> Wardrobe:
        return Wardrobe(self.game, self.level, self.scene)

    def view(self, state: State, seat: int) -> VgdlView:
        return VgdlView(self.scene, seat, self.legal(state, seat), state.copy())

    def imagine(self, view: Any, rng: Rng) -> State:
        check_view(view, VgdlView)
        ticket: State = view._ticket
        self.check_state(ticket)
        self.meter.count_copy()
        return ticket.copy()

    def events(self, state: State, seat: int | None = None) -> tuple[Event, ...]:
        """The meetings of the last tick, each kind of meeting once, in the reference's order.

        A seat is not told of meetings with sprites that are hidden from it.
        """
        if not isinstance(state, State) or state.bytes_used:  # else it holds meetings alone
            self.check_state(state)
        if seat is not None:
            self.check_seat(seat)
        first: dict[tuple[Any, ...], Meeting] = {}
        for row in state.meetings:
            meeting = Meeting(*row)
            if seat is not None and any(
                self.scene.observer.is_hidden(kind, seat)
                for kind in (meeting.passive_type, meeting.active_type)
            ):
                continue
            order = (not meeting.by_product, meeting.passive_type, meeting.active_type)
            first.setdefault(order, meeting)
        return tuple(Event("meeting", None, first[order]) for order in sorted(first))

    def avatars(self, state: State) -> tuple[tuple[int, int], ...]:
        return self.level.cells(state)

    def features(self, state: State) -> list[int]:
        """Types in cells, settled sprites that are gone, ways avatars face, what they hold."""
        return self.level.facts(state)

    def distance(self, state: State, seat: int) -> float:
        """How many sprites are too many or missing for the nearest condition that wins."""
        self.check_seat(seat)
        self.check_state(state)
        counts: list[int] = self.level.counts(state) if self.aims[seat] else []
        return min((aim.distance(counts) for aim in self.aims[seat]), default=0.0)

    @cached_property
    def aims(self) -> list[list[Aim]]:
        """What each seat can win by."""
        return [aims_of(self.game, seat) for seat in range(self.game.players)]

    # What policies ask of worlds with objects

    def grid(self) -> tuple[int, int]:
        return self.level.width, self.level.height

    def heading(self, action: Any) -> tuple[int, int]:
        return HEADINGS.get(action, (0, 0))

    def key(self, state: State, seat: int | None = None, ignore: tuple[str, ...] = ()) -> bytes:
        if seat is not None:
            self.check_seat(seat)
        bits = 0
        for name in ignore:  # words of other worlds mean nothing here
            bits |= IGNORABLE.get(name, 0)
        return self.level.key(state, bits)
