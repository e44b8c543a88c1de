"""Trades with other players: which to offer and which to accept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.agents.catan.parts.plans import points_known
from ludex.agents.catan.parts.speed import plus, rolls_to
from ludex.worlds.catan.values import Counts, covers, offer_of, type_of

if TYPE_CHECKING:
    from ludex.agents.catan.parts.settler import Thinking

NEAR = 2
"""a seat that lacks at most so many points gets no trades"""
HOPE = 0.5
"""expected cards that a partner must have, for each card asked for"""


def after_trade(hand: Counts, gained: Counts, lost: Counts) -> Counts:
    return tuple(a + b - c for a, b, c in zip(hand, gained, lost, strict=True))


def rolls_with(thinking: Thinking, hand: Counts) -> int:
    """Estimated rolls until the plan is paid, with another hand."""
    plan, seat = thinking.plan, thinking.seat
    assert plan is not None
    land = thinking.land
    return rolls_to(plan.cost, hand, land.periods[seat], land.rates[seat])


def is_near_winning(thinking: Thinking, other: int) -> bool:
    return points_known(thinking.table, other, own=False) >= thinking.target - NEAR


def is_good_answer(thinking: Thinking, proposer: int, gained: Counts, lost: Counts) -> bool:
    """Whether to accept: the trade must speed up the plan, and the proposer not be near winning."""
    if thinking.plan is None or is_near_winning(thinking, proposer):
        return False
    now = rolls_with(thinking, thinking.hand)
    then = rolls_with(thinking, after_trade(thinking.hand, gained, lost))
    return then < now


def best_offer(thinking: Thinking, offered: set[int]) -> int | None:
    """The offer that saves most rolls and that its partner may accept; None if there is none."""
    plan = thinking.plan
    if plan is None:
        return None
    now = rolls_with(thinking, thinking.hand)
    least = thinking.style.least_gain
    if now < least:
        return None
    found: list[tuple[int, int, int]] = []
    for action in thinking.legal:
        if type_of(action) != "offer" or action in offered:
            continue
        to, given, wanted = offer_of(action)
        if not is_promising(thinking, to, given, wanted):
            continue
        then = rolls_with(thinking, after_trade(thinking.hand, wanted, given))
        if now - then >= least:
            found.append((then, sum(given) - sum(wanted), action))
    for _, _, action in sorted(found):
        to, given, wanted = offer_of(action)
        if would_accept(thinking, to, given, wanted):
            return action
    return None


def is_promising(thinking: Thinking, to: int, given: Counts, wanted: Counts) -> bool:
    """Whether an offer asks for what the plan lacks and gives what it can spare."""
    plan = thinking.plan
    assert plan is not None
    for kind in range(5):
        if wanted[kind] and thinking.hand[kind] >= plan.cost[kind]:
            return False
        if given[kind] and thinking.hand[kind] - given[kind] < plan.cost[kind]:
            return False
    if is_near_winning(thinking, to):
        return False
    hand = thinking.hand_of(to)
    return all(hand[kind] >= HOPE * wanted[kind] for kind in range(5) if wanted[kind])


def would_accept(thinking: Thinking, other: int, given: Counts, wanted: Counts) -> bool:
    """Whether the trade would speed up the partner's own plan."""
    from ludex.agents.catan.parts.settler import choose_plan

    if is_near_winning(thinking, thinking.seat):
        return False
    expected = thinking.hand_of(other)
    hand: Counts = tuple(max(round(expected[kind]), wanted[kind]) for kind in range(5))
    land = thinking.land
    plan = choose_plan(thinking.style, land, other, hand, own=False)
    if plan is None or not covers(plus(hand, given), wanted):
        return False
    periods, rates = land.periods[other], land.rates[other]
    now = rolls_to(plan.cost, hand, periods, rates)
    return rolls_to(plan.cost, after_trade(hand, given, wanted), periods, rates) < now
