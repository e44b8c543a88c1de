"""Isolated agents: each in a process of its own, so that no failure ends the match.

An agent of ours keeps its process for the next match; one from elsewhere gets a fresh one for
every match, so that nothing goes from match to match.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import time
import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ludex.agents.compose import Composed
from ludex.agents.files import SimpleAgent
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.seat import LONGEST_TRACE, Answer, Failure, check_decision, is_possible
from ludex.arena.match.streams import is_foreign, is_from_file
from ludex.arena.processes import family, last_words
from ludex.arena.processes.child import LARGEST_ANSWER, pack_world, sources_of, unpack_answer
from ludex.arena.processes.children import (
    BOOT_S,
    IDLE,
    LIVING,
    Child,
    Report,
    Terminal,
    borrow,
    end_all,
    give_back,
)
from ludex.arena.processes.keeper import Limits
from ludex.arena.processes.wire import WireBroken, receive, send
from ludex.core import errors
from ludex.core.budget import Budget
from ludex.core.capabilities import libraries_of
from ludex.core.crash_site import CrashSite
from ludex.core.errors import BadAgent, LudexError, in_a_line
from ludex.core.event import Event
from ludex.core.notes import unpack
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.core.printable import bounded
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.core.world import World

__all__ = ["IDLE", "LIVING", "Child", "ProcessSeat", "end_all", "pack_agent", "read_answer"]

READING_S = 1.0  # for the rest of an answer that has begun
THOUGHTS_MS = 10_000.0  # patience with thoughts that are to be shown
LEAST_OVERHEAD_MS = 2.0  # CPU time to read a question and write an answer; 0.7 was measured
OVERHEAD = 3.0  # the same, in times of what it takes to write the question here
LONGEST_NAMED = 300  # letters of a file or a line of code that a process names
COLLECTION_MS = 25.0  # CPU time between an answer and the next question: garbage is collected


class ProcessSeat:
    """A seat whose mind lives in a process of its own.

    What counts is measured here. Of what the process says about itself only so much is
    believed as fits what was seen from outside.
    """

    def __init__(self, world: World, agent: Agent, rules: MatchRules) -> None:
        self.world = pack_world(world)
        self.agent = pack_agent(agent)
        self.sources = sources_of(agent)
        self.name = str(agent)
        self.rules = rules
        self.events: list[Event] = []
        self.patience_ms = 0.0  # with the start and the end; known when it starts
        self.is_ours = not is_foreign(agent)
        self.is_from_file = is_from_file(agent)
        self.counting = counting_of(agent)
        self.answered_at: float | None = None
        """CPU time of the process when its last answer came"""
        kept = borrow(self.agent) if self.is_ours else None
        if kept is None:
            module = type(world).__module__
            preload = (module,) if module.startswith("ludex.") else ()
            kept = Child("agent", libraries_of(agent), limits_of(rules), preload)
        self.child = kept
        if not self.is_ours:
            weakref.finalize(self, kept.end)  # whoever forgets a seat leaves no process behind

    def start(self, view: View, budget: Budget, rng: Rng) -> float:
        """Make the world, run the agent's file, start its mind; only the mind's CPU time counts."""
        self.child.boot()
        self.patience_ms = self.rules.setup_hang_ms(budget)
        try:
            self.ask("world", 1000 * BOOT_S, world=self.world)
        except Failure as failure:
            raise LudexError(f"a process of an agent cannot make the world: {failure}") from None
        self.ask_agent("load", self.patience_ms, agent=self.agent, counting=self.counting)
        measured = Measured(self.child, view)
        given = {"view": view, "budget": budget, "rng": rng}
        answer = self.ask_agent("start", self.patience_ms, **given)
        claimed = number_in(answer, "cpu_ms")
        charged = measured.charge(claimed)
        self.answered_at = measured.now
        return charged

    def observe(self, events: Sequence[Event]) -> None:
        """Keep events until the next request: an agent that does not listen costs no time."""
        self.events.extend(events)

    def decide(self, view: View, budget: Budget, rng: Rng, watched: bool = False) -> Answer:
        events, self.events = self.events, []
        patience_ms = self.rules.hang_ms(budget)
        idle_ms = observe_ms = 0.0
        if budget.time_ms is not None:  # then it matters what the time was for
            idle_ms = self.idle_ms()
            if events:
                measured = Measured(self.child, events)
                self.ask_agent("hear", patience_ms, events=events)
                observe_ms = measured.charge(0.0)
                events = []
        measured = Measured(self.child, view)
        given = {"view": view, "budget": budget, "rng": rng, "events": events, "watched": watched}
        made = read_answer(self.ask_agent("decide", patience_ms, **given), view)
        wall_ms = measured.wall_ms()
        cpu_ms = measured.charge(made.cpu_ms) + idle_ms
        self.answered_at = measured.now
        if watched:
            made = replace(made, decision=self.with_thoughts(made.decision))
            self.answered_at = self.child.cpu_ms()
        return replace(made, cpu_ms=cpu_ms, wall_ms=wall_ms, observe_ms=observe_ms, thoughts_ms=0.0)

    def idle_ms(self) -> float:
        """CPU time since the last answer, beyond what collecting garbage may take."""
        now = self.child.cpu_ms()
        if now is None or self.answered_at is None:
            return 0.0
        return max(0.0, now - self.answered_at - COLLECTION_MS)

    def with_thoughts(self, decision: Any) -> Any:
        """The decision with what its mind shows of it: a question of its own, after the clock."""
        answer = self.ask_agent("show", THOUGHTS_MS)
        try:
            return replace(decision, notes=notes_in(answer))
        except (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError):
            raise self.failed("rubbish", "its process answered nonsense") from None

    def finish(self, view: View, outcome: Outcome) -> None:
        events, self.events = self.events, []
        self.ask_agent("finish", self.patience_ms, view=view, outcome=outcome, events=events)

    def ask_agent(self, request: str, patience_ms: float, **arguments: Any) -> dict[str, Any]:
        """The same for what only the agent's own code answers: a refusal of it is its failure."""
        try:
            return self.ask(request, patience_ms, **arguments)
        except LudexError as error:
            if self.is_from_file:
                raise self.failed("refusal", str(error)) from None
            raise

    def ask(self, request: str, patience_ms: float, **arguments: Any) -> dict[str, Any]:
        """Send a request and wait for its answer; a process that fails is ended at once."""
        number = int.from_bytes(os.urandom(6), "big")  # so that no answer can be prepared
        try:
            if self.child.is_talking and not self.child.is_gone:
                raise self.failed("rubbish", "its process answered before it was asked")
            send(self.child.wire, pickle.dumps((number, request, arguments)), patience_ms / 1000)
            self.child.wait_for_answer(patience_ms)
            answer = json.loads(receive(self.child.wire, READING_S, LARGEST_ANSWER))
        except WireBroken as broken:
            raise self.broken(broken, patience_ms) from None
        except (ValueError, RecursionError):
            raise self.failed("rubbish", "its process answered nonsense") from None
        if not isinstance(answer, dict):
            raise self.failed("rubbish", "its process answered nonsense")
        if answer.pop("number", None) != number:
            raise self.failed("rubbish", "its process answered another question")
        if "refused" in answer:
            raise refusal(answer)
        if "kind" in answer:
            kind = answer["kind"] if answer["kind"] in ("crash", "refusal") else "rubbish"
            message = bounded(answer.get("message", ""))
            trace = bounded(answer.get("trace", ""), LONGEST_TRACE, lines=True)
            raise self.failed(kind, message, trace, where_in(answer))
        return answer

    def broken(self, broken: WireBroken, patience_ms: float) -> Failure:
        """What it means that a wire broke: a hang, a death or rubbish."""
        if broken.late:
            last_words.ask(self.child.pid)
        how = self.child.end(dying=not broken.late)
        report = self.child.report
        assert report is not None
        printed, words = last_words.split_words(report.output)
        self.child.report = replace(report, output=printed)
        where = last_words.site_in(words, self.sources)
        place = "" if where is None else f", at {where}"
        if report.broken:
            return self.failed("overrun", how)
        if broken.late and not how:
            message = f"no answer within {patience_ms:g} ms; its process was ended"
            return self.failed("hang", message + place, words, where)
        if how:
            failure = self.failed("crash", how + place, words, where)
            if was_killed_by_the_system(report, self.child.oom_before, self.rules):
                failure.message = f"{how}: the machine was out of memory"
                failure.from_outside = True
            return failure
        return self.failed("rubbish", f"its process {broken}")

    def failed(
        self, kind: Any, message: str, trace: str = "", where: CrashSite | None = None
    ) -> Failure:
        """End the process; its failure, with what it had printed."""
        self.child.end()
        report = self.child.report
        assert report is not None
        if report.output:
            trace = f"{trace}\nit printed:\n{report.output[-4000:]}".strip()
        failure = Failure(kind, message, trace, where)
        if trace:
            failure.add_note(trace)  # Python shows it below the error
        return failure

    def close(self, clean: bool) -> None:
        if clean and self.is_ours and self.child.alive:
            give_back(self.agent, self.child)
            return
        self.child.end()
        if self.child.report is not None:
            Terminal.show(self.child.report.output)


class Measured:
    """What a question costs its process, seen from outside."""

    def __init__(self, child: Child, content: Any) -> None:
        before = time.thread_time()
        pickle.dumps(content)
        writing_ms = 1000 * (time.thread_time() - before)
        self.overhead_ms = LEAST_OVERHEAD_MS + OVERHEAD * writing_ms
        self.child = child
        self.cpu = self.now = child.cpu_ms()
        child.asked_at = self.cpu or 0.0
        self.wall = time.perf_counter()

    def wall_ms(self) -> float:
        return 1000 * (time.perf_counter() - self.wall)

    def charge(self, claimed_ms: float) -> float:
        """CPU time since then: what the process says, but no more than reading the question and
        writing the answer may take below what the system says.
        """
        self.now = self.child.cpu_ms()
        if self.now is None or self.cpu is None:
            return claimed_ms
        seen = self.now - self.cpu
        return max(min(claimed_ms, seen), seen - self.overhead_ms, 0.0)


def was_killed_by_the_system(report: Report, oom_before: int, rules: MatchRules) -> bool:
    """Whether a process died because the machine, and not itself, was out of memory."""
    is_killed = report.status == -signal.SIGKILL
    return is_killed and report.memory_mb <= rules.memory_mb and family.oom_kills() > oom_before


def limits_of(rules: MatchRules) -> Limits:
    return Limits(
        memory_mb=rules.memory_mb,
        processes=rules.processes,
        open_files=rules.open_files,
        file_mb=rules.file_mb,
        output_kb=rules.output_kb,
    )


def counting_of(agent: Any) -> str:
    """How the model calls of an agent are counted: see `child.Desk.load`."""
    if not is_foreign(agent):
        return "meter"
    return "open" if isinstance(agent, Composed) and agent.part is not None else "all"


# Reading answers


def number_in(answer: dict[str, Any], name: str) -> float:
    value: Any = answer.get(name)
    if type(value) not in (int, float) or not is_possible(value):
        raise Failure("rubbish", "its process answered nonsense")
    return float(value)


def where_in(answer: dict[str, Any]) -> CrashSite | None:
    """The line of its own file that an agent's process names; None when it names none."""
    told = answer.get("where")
    if not isinstance(told, dict) or type(line := told.get("line")) is not int:
        return None
    file, code = (bounded(told.get(name, ""), LONGEST_NAMED) for name in ("file", "code"))
    return CrashSite(file, line, code)


def notes_in(answer: dict[str, Any]) -> Any:
    return unpack(cleaned(answer.get("notes", {})))


def cleaned(value: Any) -> Any:
    """JSON without control characters in its texts."""
    if isinstance(value, str):
        return bounded(value, LARGEST_ANSWER, lines=True)
    if isinstance(value, list):
        return [cleaned(one) for one in value]
    if isinstance(value, dict):
        return {cleaned(key): cleaned(one) for key, one in value.items()}
    return value


def read_answer(answer: dict[str, Any], view: View) -> Answer:
    """Read a decision that came over the wire; Failure when it is not sound."""
    try:
        unpacked = unpack_answer({**answer, "notes": cleaned(answer.get("notes", {}))}, view.legal)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError):
        raise Failure("rubbish", "its process answered nonsense") from None
    return replace(unpacked, decision=check_decision(unpacked.decision, view))


def refusal(answer: dict[str, Any]) -> LudexError:
    kind = getattr(errors, str(answer["refused"]), LudexError)
    if not (isinstance(kind, type) and issubclass(kind, LudexError)):
        kind = LudexError
    return kind(bounded(answer.get("message", "")))


def pack_agent(agent: Agent) -> bytes:
    """Pickle an agent; BadAgent when another process could not make it again."""
    own = agent.chooser if isinstance(agent, SimpleAgent) else agent
    if type(own).__module__ == "__main__":
        raise BadAgent(
            f"{agent} is defined in the running script, so no other process can make it; "
            "put it into a file of its own and name it file.py:Class"
        )
    try:
        return pickle.dumps(agent)
    except Exception as error:  # pickling runs the agent's code
        raise BadAgent(
            f"{agent} cannot be sent to a process of its own: {in_a_line(error)}"
        ) from None
