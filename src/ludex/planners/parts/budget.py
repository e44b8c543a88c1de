"""The loop that every search runs in, and the share of its budget that is spent."""

from __future__ import annotations

from collections.abc import Iterator

from ludex.core.budget import Budget
from ludex.core.rng import Meter

ENDLESS = 2**62


def rounds(budget: Budget, meter: Meter) -> Iterator[int]:
    """Number the iterations that the budget allows.

    Model calls and time end by the meter, which makes the next call raise BudgetSpent; the
    planner catches it and drops the unfinished iteration. An iteration that ends in a known
    result may need no call at all, so there are never more iterations than allowed calls, and
    the clock is asked before each one.
    """
    limit = most_rounds(budget)
    number = 0
    while number < limit and not meter.spent:
        yield number
        number += 1


def most_rounds(budget: Budget) -> int:
    """The most iterations that a budget allows."""
    return budget.iterations or budget.model_calls or ENDLESS


def spent_ms(budget: Budget, meter: Meter) -> float:
    """The time of this decision that is gone, by the clock that its budget goes by."""
    return meter.wall_ms if budget.wall else meter.cpu_ms
