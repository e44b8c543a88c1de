"""The world of parley."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ludex.core.codec import FixedCodec
from ludex.core.event import Event
from ludex.core.model import Action
from ludex.core.parameters import Between
from ludex.core.person import Person
from ludex.core.rng import Rng
from ludex.core.tracker import Counts
from ludex.core.world import ArraySpec, World
from ludex.worlds.parley.acts import ALL_ACTS
from ludex.worlds.parley.draw import draw_svg, draw_text, table_of, table_seen
from ludex.worlds.parley.events import told
from ludex.worlds.parley.model import ParleyModel
from ludex.worlds.parley.notation import read_state
from ludex.worlds.parley.reasons import reason
from ludex.worlds.parley.tracker import ParleyTracker, public_counts
from ludex.worlds.parley.values import GOODS, SEATS, Act, Phase, State
from ludex.worlds.parley.view import ParleyView

N = len(GOODS)


@dataclass(frozen=True, kw_only=True)
class Parley(World[State]):
    """Three envoys trade and pledge hidden goods; two who sign a treaty win together."""

    name: ClassVar[str] = "parley"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (SEATS, SEATS)
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "rounds": Between(1, 300),
        "copies": Between(2, 9),
        "hand": Between(1, 3),
    }

    rounds: int = 4
    """turns of each envoy before the congress disperses"""
    copies: int = 4
    """cards of each good"""
    hand: int = 3
    """cards dealt to each envoy"""

    @cached_property
    def model(self) -> ParleyModel:
        return ParleyModel(self.rounds, self.copies)

    def start(self, rng: Rng) -> State:
        pile = [good for good in range(N) for _ in range(self.copies)]
        rng.shuffle(pile)
        dealt = [pile[seat * self.hand : (seat + 1) * self.hand] for seat in range(SEATS)]
        rest = pile[SEATS * self.hand :]
        hands = tuple(tuple(cards.count(good) for good in range(N)) for cards in dealt)
        nothing = ((0,) * N,) * SEATS
        return State(hands, nothing, tuple(rest.count(good) for good in range(N)))

    def parse(self, text: str) -> State:
        return read_state(text, self.copies, self.model.last_turn)

    # Counting along

    def tracker(self, view: ParleyView) -> ParleyTracker:
        return ParleyTracker(view)

    def public_counts(self, view: ParleyView) -> Counts:
        return public_counts(view)

    # Pictures and numbers

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        draw = draw_text if form == "text" else draw_svg
        return draw(table_of(state), self.model.last_turn)

    def draw_view(self, view: ParleyView, form: Literal["text", "svg"] = "text") -> str:
        draw = draw_text if form == "text" else draw_svg
        return draw(table_seen(view), self.model.last_turn)

    def show_board(self, view: ParleyView) -> str:
        return self.draw_view(view)

    def show_hand(self, view: ParleyView) -> str:
        held = [f"{n} {good}" for n, good in zip(view.hand, GOODS, strict=True) if n]
        return f"your hand: {', '.join(held) or 'nothing'}   goods: {', '.join(GOODS)}"

    @cached_property
    def codec(self) -> FixedCodec:
        return FixedCodec(ALL_ACTS)

    @property
    def observation_spec(self) -> ArraySpec:
        size = 5 * N + 2 * SEATS + 4 + len(Phase) + SEATS + 2 * N
        most = max(float(N * self.copies), float(self.model.last_turn))
        return ArraySpec(shape=(size,), low=0.0, high=most)

    def observation(self, view: ParleyView) -> NDArray[np.generic]:
        """Own hand, pledges, unseen cards, sizes, then the situation with one place per case."""
        numbers = [*view.hand, *sum(view.pledged, ()), *view.unseen, *view.sizes]
        numbers += [view.pile_size, view.turn, view.plays, view.talks]
        numbers += one_hot(view.seat, SEATS) + one_hot(view.phase, len(Phase))
        numbers += one_hot(view.other, SEATS) + one_hot(view.good, N) + one_hot(view.want, N)
        return np.array(numbers, dtype=np.float32)

    # Words

    def event_text(self, event: Event, seat: int) -> str:
        return told(event, seat) or super().event_text(event, seat)

    # Reasons

    def explain(self, state: State, seat: int, action: Action) -> str:
        """Say why an action is not legal, from what this seat may know alone."""
        return self.said(self.model.view(state, seat), action, Person(seat))

    def refusal(self, view: Any, action: Action) -> str:
        return self.said(view, action, Person(view.seat, is_reader=True))

    def said(self, view: Any, action: Action, who: Person) -> str:
        if not isinstance(action, Act) or action not in self.codec.places:
            return f"{action!r} is not an action of parley; see codec.actions"
        return reason(view, action, who)


def one_hot(value: int, size: int) -> list[int]:
    return [int(index == value) for index in range(size)]
