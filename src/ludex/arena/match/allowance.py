"""Budgets and time limits of the seats of a match, and the penalties for exceeding them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ludex.arena.match.rules import MatchRules
from ludex.arena.match.seat import Answer, Failure
from ludex.core.budget import Budget


class Allowance:
    """The budget of each decision, and what is left of it where it is for a whole turn."""

    def __init__(self, budget: Budget, rules: MatchRules, threaded: Collection[int] = ()) -> None:
        self.budget = budget
        self.rules = rules
        self.threaded = threaded  # seats whose agents think in several threads
        self.left: dict[int, Budget | None] = {}

    def next_tick(self, acting: Sequence[int]) -> None:
        """End the turns of seats that do not act alone."""
        for seat in list(self.left):
            if acting != (seat,):
                del self.left[seat]

    def of(self, seat: int) -> Budget | None:
        """What a seat may spend now; None when its turn has used up everything.

        Time is CPU time, but of agents with several threads, for whom it is wall time.
        """
        whole = replace(self.budget, wall=self.budget.wall or seat in self.threaded)
        return self.left.get(seat, whole)

    def charge(self, seat: int, answer: Answer, budget: Budget) -> bool:
        """Take what a decision cost from the seat's budget, and return whether it was in time.

        Failure when it cost far more than that.
        """
        self.check_counts(answer, budget)
        in_time = budget.time_ms is None or self.check_time(answer, budget, budget.time_ms)
        if self.budget.per == "turn":
            self.left[seat] = budget.less(
                time_ms=self.time_of(answer, budget),
                model_calls=answer.model_calls,
                iterations=answer.decision.iterations,
            )
        return in_time

    def time_of(self, answer: Answer, budget: Budget) -> float:
        return answer.wall_ms if budget.wall else answer.cpu_ms

    def check_counts(self, answer: Answer, budget: Budget) -> None:
        """Raise Failure when more calls or iterations were used than allowed."""
        used, limit = answer.model_calls, budget.model_calls
        if limit is not None and used > limit:
            raise Failure("overrun", f"made {used} model calls of {limit}")
        if limit is not None and answer.observe_calls > limit:
            used = answer.observe_calls
            raise Failure("overrun", f"made {used} model calls of {limit} between two decisions")
        used, limit = answer.decision.iterations, budget.iterations
        if limit is not None and used > limit:
            raise Failure("overrun", f"made {used} iterations of {limit}")

    def check_time(self, answer: Answer, budget: Budget, limit_ms: float) -> bool:
        """Whether the answer came in time; Failure when it came far too late."""
        most = self.rules.disqualified_above(limit_ms)
        spent = self.time_of(answer, budget)
        for used, what in ((spent, "decide"), (answer.observe_ms, "observe")):
            if used > most:
                raise Failure("overrun", f"used {used:.1f} ms of {limit_ms:g} ms to {what}")
        return spent <= limit_ms

    def check_setup(self, cpu_ms: float) -> None:
        """Raise Failure when an agent took too long to start."""
        limit = self.rules.setup_ms
        if self.budget.time_ms is not None and cpu_ms > limit:
            raise Failure("overrun", f"took {cpu_ms:.0f} ms of {limit:g} ms to start")

    def unexplained(self, answer: Answer) -> str:
        """What is doubtful about CPU time that the counts do not explain; empty: nothing."""
        if self.budget.time_ms is not None:
            return ""
        count, what = answer.model_calls, "calls"
        if self.budget.iterations is not None:
            count, what = answer.decision.iterations, "iterations"
        explained = self.rules.explained_ms(count, what)
        if answer.cpu_ms <= explained:
            return ""
        used = f"used {answer.cpu_ms:.0f} ms of CPU time and tells of {count} {what}"
        return f"{used}, which explain {explained:.0f} ms"
