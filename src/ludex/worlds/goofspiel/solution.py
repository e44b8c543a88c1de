"""The exact solution of goofspiel for two players, and the exploitability of any policy.

Backward induction: when the values after all pairs of bids are known, a round is a matrix
game, and a prize about to be turned up is worth the mean over the prizes left. Only the
difference of the points matters for what comes, and swapping the seats changes the sign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from ludex.core.errors import BadParameter
from ludex.worlds.goofspiel.matrix_games import solve_matrix
from ludex.worlds.goofspiel.rules import Order, Returns, State

Hand: TypeAlias = tuple[int, ...]
Policy: TypeAlias = Callable[[State, int], Mapping[int, float]]
"""The probabilities of the bids of a seat in a state where a prize is turned up."""
LARGEST = 6  # cards; takes 3 seconds


class Solution:
    """Optimal play with so many cards, computed on demand and cached."""

    def __init__(self, cards: int, order: Order, returns: Returns) -> None:
        self.cards = cards
        self.order = order
        self.returns = returns
        self.values: dict[tuple[Hand, Hand, Hand, int, int], float] = {}

    def value(self, state: State) -> float:
        """The value for the first seat when both play optimally from here."""
        own, other, lead = seen_first(state)
        if state.prize:
            return self._round(own, other, state.deck, state.prize, lead)
        return self._next(own, other, state.deck, lead)

    def matrix(self, state: State) -> list[list[float]]:
        """What the first seat gets after each pair of bids; rows are its own."""
        own, other, lead = seen_first(state)
        return self._matrix(own, other, state.deck, state.prize, lead)

    def policy(self, state: State, seat: int) -> dict[int, float]:
        """The equilibrium strategy of a seat."""
        _, rows, columns = solve_matrix(self.matrix(state))
        return dict(zip(state.hands[seat], (rows, columns)[seat], strict=True))

    def prepare(self, state: State) -> None:
        """Solve all states that can follow, so that later queries take no time."""
        for prize in () if state.prize else self._prizes(state.deck):
            self.matrix(turned_up(state, prize))
        if state.prize:
            self.matrix(state)

    def exploitability(self, policy: Policy) -> float:
        """The exploitability of a policy: the mean value of best responses of both seats."""
        first = self.best_response(policy, 0)
        second = self.best_response(policy, 1)
        return (first + second) / 2

    def best_response(self, policy: Policy, seat: int, state: State | None = None) -> float:
        """The best-response value of `seat`, from the start or a state, against `policy`."""
        known: dict[State, float] = {}

        def below(state: State) -> float:
            if state not in known:
                known[state] = worth(state)
            return known[state]

        def worth(state: State) -> float:
            if not state.prize:
                if not state.deck:
                    lead = state.points[0] - state.points[1]
                    return self._final(lead) * (1 if seat == 0 else -1)
                after = [turned_up(state, prize) for prize in self._prizes(state.deck)]
                return sum(map(below, after)) / len(after)
            replies = policy(state, 1 - seat)
            best = -float("inf")
            for bid in state.hands[seat]:
                total = 0.0
                for reply, chance in replies.items():
                    bids = (bid, reply) if seat == 0 else (reply, bid)
                    if chance:
                        total += chance * below(played(state, bids))
                best = max(best, total)
            return best

        cards = tuple(range(1, self.cards + 1))
        return below(state or State((cards, cards), cards))

    # Backward induction on hands, deck, prize and the first seat's lead

    def _round(self, own: Hand, other: Hand, deck: Hand, prize: int, lead: int) -> float:
        if self.returns == "difference" and lead:
            # What was won before does not change what is best now.
            return lead + self._round(own, other, deck, prize, 0)
        if self.returns == "win" and abs(lead) > prize + sum(deck):
            return self._final(lead)
        if (own, lead) == (other, -lead):
            return 0.0  # the seats stand alike
        if (own, lead) < (other, -lead):
            return -self._round(other, own, deck, prize, -lead)
        key = (own, other, deck, prize, lead)
        if key not in self.values:
            self.values[key] = matrix_value(self._matrix(*key))
        return self.values[key]

    def _matrix(
        self, own: Hand, other: Hand, deck: Hand, prize: int, lead: int
    ) -> list[list[float]]:
        return [
            [
                self._next(without(own, bid), without(other, reply), deck, lead + gain)
                for reply in other
                for gain in (prize * ((bid > reply) - (bid < reply)),)
            ]
            for bid in own
        ]

    def _next(self, own: Hand, other: Hand, deck: Hand, lead: int) -> float:
        if not deck:
            return self._final(lead)
        prizes = self._prizes(deck)
        worth = [self._round(own, other, without(deck, prize), prize, lead) for prize in prizes]
        return sum(worth) / len(worth)

    def _prizes(self, deck: Hand) -> Hand:
        return deck if self.order == "random" else deck[-1:]

    def _final(self, lead: int) -> float:
        return float(lead) if self.returns == "difference" else float((lead > 0) - (lead < 0))


@cache
def solve(cards: int, order: Order = "random", returns: Returns = "win") -> Solution:
    """The solution with so many cards; values are computed when they are first needed."""
    if not 2 <= cards <= LARGEST:
        raise BadParameter(f"goofspiel is solved with 2 to {LARGEST} cards, got {cards!r}")
    return Solution(cards, order, returns)


def matrix_value(payoffs: list[list[float]]) -> float:
    """The value of a matrix game; a pair of pure bids is tried before the linear program."""
    lower = max(map(min, payoffs))
    upper = min(map(max, zip(*payoffs, strict=True)))
    return lower if lower == upper else solve_matrix(payoffs)[0]


def without(cards: Hand, card: int) -> Hand:
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def turned_up(state: State, prize: int) -> State:
    return State(state.hands, without(state.deck, prize), prize, state.points)


def played(state: State, bids: tuple[int, int]) -> State:
    """The state after two bids, before the next prize is turned up."""
    first, second = state.points
    first += state.prize * (bids[0] > bids[1])
    second += state.prize * (bids[1] > bids[0])
    hands = tuple(without(hand, bid) for hand, bid in zip(state.hands, bids, strict=True))
    return State(hands, state.deck, 0, (first, second))


def uniform(state: State, seat: int) -> dict[int, float]:
    """Every bid equally likely."""
    hand = state.hands[seat]
    return dict.fromkeys(hand, 1 / len(hand))


def seen_first(state: State) -> tuple[Hand, Hand, int]:
    """Both hands and the first seat's lead."""
    if len(state.hands) != 2:
        raise BadParameter(f"goofspiel is solved for 2 seats, and this has {len(state.hands)}")
    return state.hands[0], state.hands[1], state.points[0] - state.points[1]
