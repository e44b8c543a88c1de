"""What the match runner allows, and what it calls a fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ludex.core.budget import Budget
from ludex.core.errors import BadParameter
from ludex.core.outcome import Outcome

FaultKind = Literal["crash", "hang", "overrun", "rubbish", "late", "left"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something an agent did wrong in a match."""

    seat: int
    kind: FaultKind
    """crash: an exception or a dead process; hang: no answer, its process was ended;
    overrun: more than its budget; rubbish: not a legal action; late: a little over its time,
    so the default action was played; left: the human quit"""
    tick: int
    message: str
    trace: str = ""
    """the traceback, where there is one"""

    @property
    def ends_the_game(self) -> bool:
        return self.kind != "late"


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchRules:
    """The limits of a match, and what happens to a seat that breaks them.

    A decision under a time budget may take its budget. Up to a quarter more, the default
    action is played instead; above that the seat is disqualified. The time is CPU time, or
    wall time where the budget says so. A decision that gives no answer at all is ended by
    ending the process of its agent, in matches with isolated agents: after eight times a time
    budget (but not before `least_patience_ms`), or after `patience_ms` and some time for each
    call or iteration of other budgets.
    """

    max_ticks: int = 10_000
    """steps after which the match is stopped, with an outcome marked truncated"""
    setup_ms: float = 1000.0
    """CPU time an agent may take to start"""
    grace: float = 0.25
    """part of a time budget by which an answer may be late"""
    least_grace_ms: float = 5.0
    """the same for budgets so small that a pause of the machine counts"""
    on_fault: Literal["end", "default"] = "end"
    """end: a fault ends the match and its seat loses; default: the match goes on, and the
    default action is played for that seat from then on"""
    patience: float = 8.0
    """times a time budget after which a silent agent is ended"""
    least_patience_ms: float = 300.0
    """the same for tiny budgets"""
    patience_ms: float = 10_000.0
    """wall time after which a silent agent with a call or iteration budget is ended"""

    def __post_init__(self) -> None:
        if self.max_ticks < 1:
            raise BadParameter(f"MatchRules.max_ticks must be at least 1, got {self.max_ticks!r}")
        for name in ("setup_ms", "patience", "least_patience_ms", "patience_ms"):
            if not getattr(self, name) > 0:
                raise BadParameter(f"MatchRules.{name} must be more than 0")
        if not (self.grace >= 0 and self.least_grace_ms >= 0):
            raise BadParameter("MatchRules.grace and least_grace_ms must be 0 or more")

    def disqualified_above(self, budget_ms: float) -> float:
        return budget_ms + max(budget_ms * self.grace, self.least_grace_ms)

    def hang_ms(self, budget: Budget) -> float:
        """Wall time after which a decision without an answer is a hang."""
        if budget.time_ms is not None:
            return max(self.patience * budget.time_ms, self.least_patience_ms)
        # A slow model call takes 10 ms, a slow iteration 100 ms; both are rare.
        return self.patience_ms + 10 * (budget.model_calls or 0) + 100 * (budget.iterations or 0)

    @property
    def setup_hang_ms(self) -> float:
        return max(self.patience * self.setup_ms, self.least_patience_ms)


def outcome_by_fault(seats: int, faults: list[Fault]) -> Outcome:
    """End a match because of faults: their seats lose, all others win and share what is lost.

    Each faulty seat gets -1, the others equal parts of what these lost, whatever the scale of
    the world's own returns. When nobody is left, nobody wins.

    >>> outcome_by_fault(3, [Fault(1, "crash", 4, "ValueError: no")]).returns
    (0.5, -1.0, 0.5)
    """
    guilty = {fault.seat for fault in faults}
    others = [seat for seat in range(seats) if seat not in guilty]
    share = len(guilty) / len(others) if others else 0.0
    first = faults[0]
    return Outcome(
        winners=tuple(others),
        returns=tuple(-1.0 if seat in guilty else share for seat in range(seats)),
        reason=f"seat {first.seat} lost by a fault ({first.kind}): {first.message}",
        truncated=True,
    )
