"""The rules of Kuhn poker."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludex.core.event import Event
from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.traits import Traits

CARDS = "JQK"
"""jack, queen and king, from the lowest to the highest"""
DEALS = tuple(first + second for first in CARDS for second in CARDS if first != second)
LETTERS = {"bet": "b", "call": "c", "check": "x", "fold": "f"}
WORDS = {letter: word for word, letter in LETTERS.items()}
OPEN, FACING = ("bet", "check"), ("call", "fold")
CHOICES = {"": OPEN, "x": OPEN, "b": FACING, "xb": FACING}
"""legal actions after each sequence of betting; any other sequence ends the game"""
SHOWDOWNS = {"xx": 1, "bc": 2, "xbc": 2}
"""the sequences that end with a showdown, and what the better card wins"""
FOLDED = {"bf": 0, "xbf": 1}
"""the sequences that end with a fold, and the seat that wins the other's ante"""


@dataclass(slots=True, unsafe_hash=True)
class State(PlainState):
    """The cards of both seats and the sequence of betting, one letter a move."""

    cards: str = ""
    """one letter a seat, such as `JK`; empty before the deal"""
    course: str = ""
    """x check, b bet, c call, f fold"""
    quiet: bool = field(default=False, compare=False)
    """the last step did nothing"""

    def __str__(self) -> str:
        return f"{self.cards or 'undealt'} {self.course}".rstrip()


@dataclass(frozen=True, slots=True)
class KuhnView:
    """What one seat sees: its own card, the betting, and the other card once it is shown."""

    seat: int
    legal: tuple[str, ...]
    card: str
    """empty before the deal"""
    course: str
    shown: str
    """the other seat's card after a showdown; else empty"""

    def __str__(self) -> str:
        own, other = self.card or "?", self.shown or "?"
        cards = own + other if self.seat == 0 else other + own
        return f"{cards} {self.course}".rstrip() + f" seat={self.seat}"


class KuhnPokerModel(PythonModel[State]):
    """Both ante one chip and get a card; one may bet one chip more, and the better card wins."""

    state_type = State
    view_type = KuhnView

    traits = Traits(
        seats=2,
        max_legal=2,
        hidden=True,
        chance="listed",
        zero_sum=True,
        events=True,
        model_sees_all=False,
    )

    def to_act(self, state: State) -> tuple[int, ...]:
        if not state.cards or state.course not in CHOICES:
            return ()
        return (len(state.course) % 2,)

    def legal(self, state: State, seat: int) -> tuple[str, ...]:
        return CHOICES[state.course] if self.to_act(state) == (seat,) else ()

    def default_action(self, state: State, seat: int) -> str:
        """Put no chip at risk: check, or fold."""
        super().default_action(state, seat)  # refuses a seat that is not to act
        return self.legal(state, seat)[1]

    def action_type(self, action: str) -> str:
        return action

    def _apply(self, state: State, actions: Actions, rng: Rng) -> None:
        state.course += LETTERS[actions[0]]
        state.quiet = False

    def chance(self, state: State) -> Sequence[tuple[Hashable, float]]:
        return () if state.cards else [(deal, 1 / 6) for deal in DEALS]

    def _resolve(self, state: State, outcome: Hashable) -> None:
        assert isinstance(outcome, str)
        state.cards = outcome
        state.quiet = False

    def _forget(self, state: State) -> None:
        state.quiet = True

    def outcome(self, state: State) -> Outcome | None:
        course = state.course
        if course in SHOWDOWNS:
            winner = 0 if CARDS.index(state.cards[0]) > CARDS.index(state.cards[1]) else 1
            stake, reason = SHOWDOWNS[course], f"{state.cards[winner]} wins the showdown"
        elif course in FOLDED:
            winner, stake = FOLDED[course], 1
            reason = f"seat {1 - winner} folded"
        else:
            return None
        returns = (float(stake), float(-stake)) if winner == 0 else (float(-stake), float(stake))
        return Outcome((winner,), returns, reason)

    def score(self, state: State, seat: int) -> float:
        """Chips won; 0 until the end."""
        outcome = self.outcome(state)
        return outcome.returns[seat] if outcome else 0.0

    # What may be known

    def view(self, state: State, seat: int) -> KuhnView:
        card = state.cards[seat] if state.cards else ""
        shown = state.cards[1 - seat] if state.course in SHOWDOWNS else ""
        return KuhnView(seat, tuple(self.legal(state, seat)), card, state.course, shown)

    def imagine(self, view: Any, rng: Rng) -> State:
        """Deal the other seat one of the cards it can have, each as likely."""
        self.meter.count_copy()
        return rng.choice(self._worlds(view))  # type: ignore[no-any-return]  # one of the list

    def deals(self, view: KuhnView) -> list[tuple[State, float]]:
        """All complete states that agree with a view, each as likely."""
        found = self._worlds(view)
        return [(state, 1 / len(found)) for state in found]

    def hidden_twins(self, state: State, seat: int) -> list[State]:
        """All complete states that look the same to this seat, itself among them."""
        return self._worlds(self.view(state, seat))

    def _worlds(self, view: KuhnView) -> list[State]:
        if not view.card:
            return [State("", view.course)]
        others = view.shown or [card for card in CARDS if card != view.card]
        hands = [view.card + other if view.seat == 0 else other + view.card for other in others]
        return [State(cards, view.course) for cards in hands]

    def events(self, state: State, seat: int | None = None) -> tuple[Event, ...]:
        """The deal (`detail`: the seat's own card), a move, and the cards of a showdown."""
        if not state.cards or state.quiet:
            return ()
        if not state.course:
            seats = (0, 1) if seat is None else (seat,)
            return tuple(Event("deal", one, state.cards[one]) for one in seats)
        mover = (len(state.course) - 1) % 2
        happened = [Event("move", mover, WORDS[state.course[-1]])]
        if state.course in SHOWDOWNS:
            happened += [Event("show", one, state.cards[one]) for one in (0, 1)]
        return tuple(happened)
