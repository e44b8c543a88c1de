"""What the match runner allows, and what it calls a fault."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from ludex.core.budget import Budget
from ludex.core.crash_site import CrashSite
from ludex.core.errors import BadParameter
from ludex.core.outcome import Outcome

# Patience with budgets that name no time: ten times what slow parts take, so that an honest agent
# on a busy machine is not ended, and yet minutes at most, so that a hung one does not cost a night.
PATIENCE_MS = 10_000.0  # to import, to warm up, and for the pauses of a busy machine
MS_PER_CALL = 2.0  # a slow model call in Python takes 0.2 ms
MS_PER_ITERATION = 20.0  # an iteration is a rollout of some ten calls
MOST_PATIENCE_MS = 300_000.0  # a decision that needs longer is rare: it says so by `hang_after_ms`

FaultKind = Literal[
    "crash", "hang", "overrun", "rubbish", "refusal", "late", "doubtful", "killed", "left"
]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something an agent did wrong in a match."""

    seat: int
    kind: FaultKind
    """crash: an exception or a dead process; hang: no answer, its process was ended;
    overrun: more than its budget or its limits; rubbish: not a legal action; refusal: it does
    not play this world; late: a little over its time, so the default action was played;
    doubtful: its model calls do not explain its CPU time, and the match goes on; killed: the
    system ended its process for want of memory, and the match was played again, which is no
    fault of its own; left: the human quit"""
    tick: int
    message: str
    trace: str = ""
    """the traceback, where there is one"""
    where: CrashSite | None = None
    """the last line in the agent's own file, where an exception passed through one"""

    @property
    def ends_the_game(self) -> bool:
        return self.kind not in ("late", "doubtful", "killed")

    @property
    def is_breakdown(self) -> bool:
        """Whether the agent itself broke down: not when it was late, nor when a human quit."""
        return self.ends_the_game and self.kind != "left"


ABOVE_ZERO = (
    "setup_ms",
    "patience",
    "least_patience_ms",
    "patience_ms",
    "most_patience_ms",
    "hang_after_ms",
    "memory_mb",
    "processes",
    "open_files",
    "file_mb",
)
AT_LEAST_ZERO = ("grace", "least_grace_ms", "ms_per_call", "ms_per_iteration", "output_kb")
WHOLE = ("max_ticks", "memory_mb", "processes", "open_files", "file_mb", "output_kb")


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchRules:
    """The limits of a match, and what happens to a seat that breaks them.

    A decision under a time budget may take its budget. Up to a quarter more, the default
    action is played instead; above that the seat is disqualified. The time is CPU time, or
    wall time where the budget says so. A decision that gives no answer at all is ended by
    ending the process of its agent, in matches with isolated agents: after eight times a time
    budget (but not before `least_patience_ms`), or after `patience_ms` and some time for each
    call or iteration of other budgets (but not after `most_patience_ms`).

    Isolated agents also have limits to what they may take of the machine.
    """

    max_ticks: int = 10_000
    """steps after which the match is stopped, with an outcome marked truncated"""
    setup_ms: float = 1000.0
    """CPU time an agent may take to start, under a time budget"""
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
    patience_ms: float = PATIENCE_MS
    """wall time a silent agent has under a call or iteration budget, besides that for each"""
    ms_per_call: float = MS_PER_CALL
    """wall time a silent agent has for each call of its budget"""
    ms_per_iteration: float = MS_PER_ITERATION
    """the same for each iteration"""
    most_patience_ms: float = MOST_PATIENCE_MS
    """the same for all of them together"""
    hang_after_ms: float | None = None
    """wall time after which any silent agent is ended; None: as its budget gives it"""
    memory_mb: int = 4096
    """memory of an isolated agent, with all that it starts"""
    processes: int = 32
    """processes of an isolated agent, its own included; sixteen times as many threads"""
    open_files: int = 256
    """files that each of them may have open"""
    file_mb: int = 256
    """how long a file may become that they write"""
    output_kb: int = 16
    """how much is kept of what they print: the beginning and the end"""

    def __post_init__(self) -> None:
        for name in WHOLE:
            if int(value := getattr(self, name)) != value:
                raise BadParameter(f"MatchRules.{name} must be a whole number, got {value!r}")
            object.__setattr__(self, name, int(value))
        if self.max_ticks < 1:
            raise BadParameter(f"MatchRules.max_ticks must be at least 1, got {self.max_ticks!r}")
        for name in ABOVE_ZERO:
            if (value := getattr(self, name)) is not None and not value > 0:  # also refuses NaN
                raise BadParameter(f"MatchRules.{name} must be more than 0, got {value!r}")
        for name in AT_LEAST_ZERO:
            if not (value := getattr(self, name)) >= 0:
                raise BadParameter(f"MatchRules.{name} must be 0 or more, got {value!r}")

    def disqualified_above(self, budget_ms: float) -> float:
        return budget_ms + max(budget_ms * self.grace, self.least_grace_ms)

    def hang_ms(self, budget: Budget) -> float:
        """Wall time after which a decision without an answer is a hang."""
        if self.hang_after_ms is not None:
            return self.hang_after_ms
        if budget.time_ms is not None:
            return max(self.patience * budget.time_ms, self.least_patience_ms)
        calls = self.ms_per_call * (budget.model_calls or 0)
        iterations = self.ms_per_iteration * (budget.iterations or 0)
        return min(self.patience_ms + calls + iterations, self.most_patience_ms)

    def explained_ms(self, count: int, what: str) -> float:
        """CPU time that a number of model calls or iterations explains; more is doubtful."""
        each = self.ms_per_call if what == "calls" else self.ms_per_iteration
        return self.patience_ms / 10 + each * count

    def setup_hang_ms(self, budget: Budget) -> float:
        """Wall time after which a start without an answer is a hang."""
        least = max(self.patience * self.setup_ms, self.least_patience_ms)
        return least if budget.time_ms is not None else max(least, self.hang_ms(budget))


BRIEF = re.compile(r"seat \d+ lost by a fault \(\w+\)(?=: )")


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
    how = "" if first.kind == "left" else f"lost by a fault ({first.kind}): "
    return Outcome(
        winners=tuple(others),
        returns=tuple(-1.0 if seat in guilty else share for seat in range(seats)),
        reason=f"seat {first.seat} {how}{first.message}",
        truncated=True,
    )


def fault_in_brief(outcome: Outcome) -> Outcome:
    """The outcome without the message of a fault, where that is told elsewhere.

    >>> fault_in_brief(outcome_by_fault(2, [Fault(1, "crash", 4, "ValueError: no")])).reason
    'seat 1 lost by a fault (crash)'
    """
    found = BRIEF.match(outcome.reason) if outcome.truncated else None
    return outcome if found is None else replace(outcome, reason=found.group())
