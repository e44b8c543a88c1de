"""The exact solution of Kuhn poker, and the exploitability of any policy.

A policy maps each information set to the probabilities of its actions. An information set is
the card held and the course of betting: `K`, `Qx`, `Jb`, `Qxb`. The course says whose turn it
is, so one mapping of all twelve holds the play of both seats. All sums are exact where the
probabilities are Fractions.

H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of Games I, 1950.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from ludex.core.errors import BadParameter
from ludex.worlds.kuhn_poker.rules import CARDS, CHOICES, DEALS, LETTERS, KuhnPokerModel, State

Number: TypeAlias = float | Fraction
Policy: TypeAlias = Mapping[str, Mapping[str, Number]]

INFORMATION_SETS = tuple(card + course for course in CHOICES for card in CARDS)
VALUE = Fraction(-1, 18)
"""the value of the game for the first seat"""
DEAL = Fraction(1, len(DEALS))
CLOSE = 1e-9


def seat_of(information_set: str) -> int:
    """The seat that decides at an information set: its betting has one letter a move."""
    return (len(information_set) - 1) % 2


def equilibrium(alpha: Number = Fraction(1, 4)) -> dict[str, dict[str, Number]]:
    """The equilibrium in which the first seat bluffs with the jack with probability alpha.

    All equilibria are of this form, with alpha from 0 to 1/3; the second seat has one policy.
    """
    if not 0 <= alpha <= Fraction(1, 3) + Fraction(1, 10**12):
        raise BadParameter(f"alpha must be a number from 0 to 1/3, got {alpha!r}")
    one, third = Fraction(1), Fraction(1, 3)
    # A float alpha may be a hair above 1/3.
    king: Number = 3 * alpha if 3 * alpha < 1 else one
    bets: dict[str, Number] = {
        "J": alpha, "Q": 0, "K": king,
        "Jx": third, "Qx": 0, "Kx": 1,
    }  # fmt: skip
    calls: dict[str, Number] = {
        "Jb": 0, "Qb": third, "Kb": 1,
        "Jxb": 0, "Qxb": alpha + third, "Kxb": 1,
    }  # fmt: skip
    policy: dict[str, dict[str, Number]] = {}
    for info_set, chance in {**bets, **calls}.items():
        bold, shy = CHOICES[info_set[1:]]
        policy[info_set] = {bold: chance, shy: 1 - chance}
    return policy


def uniform() -> dict[str, dict[str, Number]]:
    """Every action equally likely."""
    half = Fraction(1, 2)
    return {info_set: dict.fromkeys(CHOICES[info_set[1:]], half) for info_set in INFORMATION_SETS}


def check_policy(policy: Policy) -> None:
    """Raise BadParameter when a mapping is not a policy for both seats."""
    for info_set in INFORMATION_SETS:
        if info_set not in policy:
            raise BadParameter(f"the policy has no entry for information set {info_set!r}")
        chances, choices = policy[info_set], CHOICES[info_set[1:]]
        if not set(chances) <= set(choices):
            raise BadParameter(f"{info_set!r} has the actions {choices}, got {tuple(chances)}")
        numbers = [float(chance) for chance in chances.values()]
        if min(numbers, default=0.0) < 0 or abs(sum(numbers) - 1) > CLOSE:
            raise BadParameter(f"the probabilities at {info_set!r} do not add up to 1: {chances!r}")


def value(first: Policy, second: Policy) -> Number:
    """The expected value of the first seat when it plays `first` and the other `second`."""
    check_policy(first)
    check_policy(second)
    model = KuhnPokerModel()

    def below(state: State) -> Number:
        if (outcome := model.outcome(state)) is not None:
            return int(outcome.returns[0])
        seat = len(state.course) % 2
        chances = (first, second)[seat][state.cards[seat] + state.course]
        total: Number = Fraction(0)
        for action, chance in chances.items():
            total += chance * below(State(state.cards, state.course + LETTERS[action]))
        return total

    total: Number = Fraction(0)
    for deal in DEALS:
        total += DEAL * below(State(deal))
    return total


def best_response(policy: Policy, seat: int) -> tuple[Number, dict[str, str]]:
    """The best response of `seat` to `policy`: its value and its actions.

    The decisions of one seat do not lie in each other's way here but for one: after its check
    is answered by a bet. So the later information sets are settled first, each by comparing
    what its actions win over all deals and replies that lead there.
    """
    check_policy(policy)
    model = KuhnPokerModel()
    chosen: dict[str, str] = {}

    def below(state: State, reach: Number) -> Number:
        """The value of the seat from here on, weighted by the reach probability of the others."""
        if (outcome := model.outcome(state)) is not None:
            return reach * int(outcome.returns[seat])
        mover = len(state.course) % 2
        info_set = state.cards[mover] + state.course
        if mover == seat:
            return below(State(state.cards, state.course + LETTERS[chosen[info_set]]), reach)
        total: Number = Fraction(0)
        for action, chance in policy[info_set].items():
            after = State(state.cards, state.course + LETTERS[action])
            total += below(after, reach * chance)
        return total

    own = [info_set for info_set in INFORMATION_SETS if seat_of(info_set) == seat]
    for info_set in sorted(own, key=len, reverse=True):
        card, course = info_set[0], info_set[1:]
        won: dict[str, Number] = {}
        for action in CHOICES[course]:
            total: Number = Fraction(0)
            for deal in DEALS:
                if deal[seat] == card:
                    reach = DEAL * _reach(policy, deal, course, 1 - seat)
                    total += below(State(deal, course + LETTERS[action]), reach)
            won[action] = total
        chosen[info_set] = max(won, key=lambda action: won[action])
    best: Number = Fraction(0)
    for deal in DEALS:
        best += below(State(deal), DEAL)
    return best, chosen


def _reach(policy: Policy, deal: str, course: str, seat: int) -> Number:
    """The reach probability of `seat` in a sequence of betting, with the card it was dealt."""
    reach: Number = Fraction(1)
    for index, letter in enumerate(course):
        if index % 2 == seat:
            chances = policy[deal[seat] + course[:index]]
            reach *= next((p for word, p in chances.items() if LETTERS[word] == letter), 0)
    return reach


def exploitability(policy: Policy) -> Number:
    """Exploitability: the value of a best response to this policy, averaged over both seats.

    >>> exploitability(equilibrium(Fraction(1, 3)))
    Fraction(0, 1)
    >>> exploitability(uniform())
    Fraction(11, 24)
    """
    return (best_response(policy, 0)[0] + best_response(policy, 1)[0]) / 2
