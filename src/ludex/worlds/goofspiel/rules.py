"""The rules of goofspiel."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.traits import Traits

Order: TypeAlias = Literal["random", "descending"]
Returns: TypeAlias = Literal["win", "difference"]


def digits(cards: tuple[int, ...]) -> str:
    return "".join(map(str, cards)) or "-"


@dataclass(slots=True, unsafe_hash=True)
class State(PlainState):
    """Every seat's cards, the prizes face down, the prize bid for, and the points won."""

    hands: tuple[tuple[int, ...], ...]
    """ascending"""
    deck: tuple[int, ...]
    """prizes not turned up yet, ascending; their order is not part of the state"""
    prize: int = 0
    """what is bid for; 0 while the next prize is not turned up"""
    points: tuple[int, ...] = (0, 0)

    def __str__(self) -> str:
        hands = " ".join(digits(hand) for hand in self.hands)
        points = "-".join(map(str, self.points))
        return f"{hands} prize={self.prize or '?'} deck={digits(self.deck)} points={points}"


class GoofspielModel(PythonModel[State]):
    """All bid a card at once; the highest bid wins the prize, a tie for the highest discards it."""

    state_type = State

    def __init__(self, cards: int, seats: int, order: Order, returns: Returns) -> None:
        super().__init__()
        self.cards = cards
        self.order = order
        self.returns = returns
        self.traits = Traits(
            seats=seats,
            max_legal=cards,
            simultaneous=True,
            chance="listed" if order == "random" else "none",
            zero_sum=True,
        )

    def first_state(self) -> State:
        cards = tuple(range(1, self.cards + 1))
        seats = self.traits.seats
        state = State((cards,) * seats, cards, points=(0,) * seats)
        self._turn_up(state)
        return state

    def fault(self, state: State) -> str | None:
        if len(state.hands) != self.traits.seats:
            return f"it has {len(state.hands)} seats, not {self.traits.seats}"
        if (
            max((*state.deck, *(card for hand in state.hands for card in hand)), default=0)
            > self.cards
        ):
            return f"it has cards above {self.cards}"
        return None

    def to_act(self, state: State) -> tuple[int, ...]:
        return tuple(range(len(state.hands))) if state.prize else ()

    def legal(self, state: State, seat: int) -> tuple[int, ...]:
        return state.hands[seat] if state.prize else ()

    def action_type(self, action: int) -> str:
        return "bid"

    def _apply(self, state: State, actions: Actions, rng: Rng) -> None:
        state.hands = tuple(
            tuple(card for card in hand if card != bid)
            for hand, bid in zip(state.hands, actions, strict=True)
        )
        best = max(actions)
        if actions.count(best) == 1:
            points = list(state.points)
            points[actions.index(best)] += state.prize
            state.points = tuple(points)
        state.prize = 0
        self._turn_up(state)

    def _turn_up(self, state: State) -> None:
        """Turn up the next prize where its order is fixed; else chance does."""
        if self.order == "descending" and state.deck:
            state.prize = state.deck[-1]
            state.deck = state.deck[:-1]

    def chance(self, state: State) -> Sequence[tuple[Hashable, float]]:
        if state.prize or self.order != "random":
            return ()
        return [(prize, 1 / len(state.deck)) for prize in state.deck]

    def _resolve(self, state: State, outcome: Hashable) -> None:
        assert isinstance(outcome, int)
        state.prize = outcome
        state.deck = tuple(prize for prize in state.deck if prize != outcome)

    def over(self, state: State) -> bool:
        return not state.prize and not state.deck

    def outcome(self, state: State) -> Outcome | None:
        if not self.over(state):
            return None
        best = max(state.points)
        leaders = tuple(seat for seat, points in enumerate(state.points) if points == best)
        drawn = len(leaders) == len(state.points)
        listed = " to ".join(map(str, state.points))
        reason = f"drawn at {listed}" if drawn else f"most points, {listed}"
        return Outcome(() if drawn else leaders, self.payoffs(state.points), reason)

    def payoffs(self, points: tuple[int, ...]) -> tuple[float, ...]:
        """What each seat gets for these points; the sum is 0.

        `win`: the leaders share 1 and the others share -1, a draw of all is 0. `difference`:
        a seat's points less the mean of the others'.
        """
        seats, best = len(points), max(points)
        if self.returns == "difference":
            total = sum(points)
            return tuple(own - (total - own) / (seats - 1) for own in points)
        leaders = points.count(best)
        if leaders == seats:
            return (0.0,) * seats
        return tuple(1 / leaders if own == best else -1 / (seats - leaders) for own in points)

    def score(self, state: State, seat: int) -> float:
        return float(state.points[seat])
