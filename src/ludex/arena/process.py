"""Agents in processes of their own: whatever an agent does, the match goes on.

The keeper forks these processes. An agent of ours keeps its process for the next match; one
from elsewhere gets a fresh one for every match, so that nothing goes from match to match.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludex.agents.files import FileAgent
from ludex.arena.child import LARGEST_ANSWER, pack_world, unpack_answer
from ludex.arena.family import family_cpu_ms, oom_kills
from ludex.arena.keeper import DYING_S, ENDING_S, Limits, Order
from ludex.arena.rules import MatchRules
from ludex.arena.seat import Answer, Failure, check_decision, is_possible
from ludex.arena.streams import is_foreign, is_from_file
from ludex.arena.wire import WireBroken, receive, send
from ludex.core import errors
from ludex.core.budget import Budget
from ludex.core.errors import BadAgent, BrokenAgent, LudexError, in_a_line
from ludex.core.event import Event
from ludex.core.notes import unpack
from ludex.core.outcome import Outcome
from ludex.core.plain_text import printable
from ludex.core.planner import Agent
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.core.world import World

BOOT_S = 60.0  # to import numpy on a very busy machine
THOUGHTS_MS = 10_000.0  # patience with thoughts that are to be shown
TRYING_S = 2.0  # to run the file of an agent before a match; a slower one is seen in the match
MOST_IDLE = 8
MOST_SHOWN = 2**16  # bytes of what agents print that reach the terminal of one command
LEAST_OVERHEAD_MS = 2.0  # CPU time to read a question and write an answer; 0.7 was measured
OVERHEAD = 3.0  # the same, in times of what it takes to write the question here
COLLECTION_MS = 25.0  # CPU time between an answer and the next question: garbage is collected
PROGRAM = "from ludex.arena.keeper import keep; keep({wire}, {parent})"


# Keepers


class Keeper:
    """The process that forks all others, with everything imported."""

    def __init__(self, libraries: tuple[str, ...]) -> None:
        self.parent = os.getpid()
        self.lock = threading.Lock()
        self.is_ready = False
        self.wire, theirs = socket.socketpair()
        program = PROGRAM.format(wire=theirs.fileno(), parent=self.parent)
        try:
            # A plain interpreter, not a fork: no locks or threads of ours are inherited, and a
            # user's script is not run again. A session of its own keeps Ctrl-C away from it.
            self.process = subprocess.Popen(
                [sys.executable, "-c", program],
                stdin=subprocess.DEVNULL,
                stdout=2 if has_error_stream() else subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        finally:
            theirs.close()
        with contextlib.suppress(WireBroken):  # killed at once; `fork` says so
            send(self.wire, pickle.dumps((sys.path, libraries)))

    def fork(self, order: Order) -> tuple[socket.socket, socket.socket]:
        """Have a process forked; returns the wires to its guard and to itself."""
        control, their_control = socket.socketpair()
        wire, theirs = socket.socketpair()
        try:
            with self.lock:
                if not self.is_ready:
                    receive(self.wire, BOOT_S)
                    self.is_ready = True
                socket.send_fds(self.wire, [b"!"], [their_control.fileno(), theirs.fileno()])
                send(self.wire, pickle.dumps(order))
        except (WireBroken, OSError) as error:
            control.close()
            wire.close()
            why = error if isinstance(error, WireBroken) else "is gone"
            raise WireBroken(str(why)) from None
        finally:
            their_control.close()
            theirs.close()
        return control, wire

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.wire.close()


KEEPERS: dict[tuple[str, ...], Keeper] = {}
LOCK = threading.RLock()


def forked(order: Order, libraries: tuple[str, ...]) -> tuple[socket.socket, socket.socket]:
    """Have a keeper fork a process; a keeper that died is replaced."""
    with LOCK:
        for tries_left in (1, 0):
            keeper = KEEPERS.get(libraries)
            if keeper is None or keeper.parent != os.getpid():
                keeper = KEEPERS[libraries] = Keeper(libraries)
            try:
                return keeper.fork(order)
            except WireBroken as broken:
                del KEEPERS[libraries]
                keeper.end()
                if not tries_left:
                    raise LudexError(f"cannot start a process for an agent: it {broken}") from None
    raise AssertionError


# Their children


@dataclass(frozen=True, slots=True)
class Report:
    """How a process ended, as its guard saw it."""

    status: int | None = None
    """what it exited with, less than 0 for a signal; None: it was alive until we ended it"""
    broken: str = ""
    """the limit that it broke"""
    memory_mb: float = 0.0
    output: str = ""

    @property
    def how(self) -> str:
        if self.broken:
            return f"{self.broken}; its process was ended"
        if self.status is None:
            return ""
        if self.status < 0:
            return f"its process died of {signal_name(-self.status)}"
        return f"its process exited with status {self.status}"


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Child:
    """A process of the arena, with a wire to it and one to its guard."""

    def __init__(
        self,
        kind: str,
        libraries: tuple[str, ...] = (),
        limits: Limits | None = None,
        preload: tuple[str, ...] = (),
    ) -> None:
        self.parent = os.getpid()
        self.pid = self.guard = 0
        self.report: Report | None = None
        self.oom_before = oom_kills() if kind == "agent" else 0
        order = Order(kind, self.parent, list(sys.path), limits, preload)
        self.control, self.wire = forked(order, libraries)
        LIVING.add(self)

    def boot(self) -> None:
        """Wait until the process is there; that time is nobody's fault."""
        if not self.pid:
            try:
                told = json.loads(receive(self.control, BOOT_S))
            except WireBroken as broken:
                self.end()
                raise LudexError(f"cannot start a process for an agent: it {broken}") from None
            self.pid, self.guard = int(told["pid"]), int(told["guard"])

    @property
    def process(self) -> Handle:
        self.boot()
        return Handle(self)

    @property
    def alive(self) -> bool:
        """Whether the process could still answer: nothing has closed its wire."""
        return self.report is None and not self.is_gone

    @property
    def is_gone(self) -> bool:
        try:
            return self.is_talking and not self.wire.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    @property
    def is_talking(self) -> bool:
        """Whether there is something to read of it, or it has hung up."""
        return bool(select.select([self.wire], [], [], 0)[0])

    def cpu_ms(self) -> float | None:
        """CPU time of the process with all that it started; None where no system tells."""
        return family_cpu_ms(self.guard, self.pid) if self.pid else None

    def end(self, dying: bool = False) -> str:
        """Kill the process with all it started; return how it had ended, or an empty text."""
        if self.report is None:
            self.report = self.ended(dying)
            self.control.close()
            self.wire.close()
            LIVING.discard(self)
        return self.report.how

    def ended(self, dying: bool) -> Report:
        try:
            if not self.pid:
                receive(self.control, ENDING_S)
            send(self.control, b"dying" if dying else b"end", ENDING_S)
            told = json.loads(receive(self.control, DYING_S + ENDING_S))
        except WireBroken:  # its guard is gone, too; what is left is ended from here
            for pid in (self.pid, self.guard):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    if pid:
                        os.kill(pid, signal.SIGKILL)
            return Report(status=-signal.SIGKILL)
        output = printable(told["output"], 2**20, lines=True).strip()
        memory_mb = told["memory_kb"] / 1024
        return Report(told["status"], told["broken"], memory_mb, output)


class Handle:
    """A child as a process of the operating system."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.pid = child.pid

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def poll(self) -> int | None:
        return None if self.child.alive else -1

    def wait(self, timeout: float | None = None) -> None:
        """Wait until it has hung up."""
        if self.child.report is None and not select.select([self.child.wire], [], [], timeout)[0]:
            raise TimeoutError


LIVING: set[Child] = set()
IDLE: list[tuple[tuple[bytes, int], Child]] = []
"""Processes between two matches, the longest idle first, with the agent and process of ours
that each belongs to."""


def has_error_stream() -> bool:
    try:
        os.fstat(2)
    except OSError:
        return False
    return True


def borrow(agent: bytes) -> Child | None:
    """Take an idle process of this agent; a forked copy of us must not talk over our wires."""
    with LOCK:
        for owner, child in list(IDLE):
            if owner == (agent, os.getpid()):
                IDLE.remove((owner, child))
                if child.alive:
                    return child
                child.end()
    return None


def give_back(agent: bytes, child: Child) -> None:
    with LOCK:
        IDLE.append(((agent, os.getpid()), child))
        while len(IDLE) > MOST_IDLE:
            IDLE.pop(0)[1].end()


def end_all() -> None:
    """End every process of the arena; it starts new ones when they are needed."""
    with LOCK:
        IDLE.clear()
        for child in list(LIVING):
            if child.parent == os.getpid():
                child.end()
        for keeper in KEEPERS.values():
            if keeper.parent == os.getpid():
                keeper.end()
        KEEPERS.clear()


@atexit.register
def end_all_at_exit() -> None:
    """Leave no process behind, however often Ctrl-C is pressed."""
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_all()


# What agents print


class Terminal:
    """Shows what agents printed, as far as one command may be filled with it."""

    left = MOST_SHOWN

    @classmethod
    def show(cls, output: str) -> None:
        if not output or cls.left <= 0 or not has_error_stream():
            return
        shown = output[: cls.left]
        cls.left -= len(shown)
        more = "" if cls.left > 0 else "\n(no more is shown of what agents print)"
        with contextlib.suppress(OSError, ValueError):
            print(shown + more, file=sys.stderr, flush=True)


# Seats


class ProcessSeat:
    """A seat whose mind lives in a process of its own.

    What counts is measured here. Of what the process says about itself only so much is
    believed as fits what was seen from outside.
    """

    def __init__(self, world: World, agent: Agent, rules: MatchRules) -> None:
        self.world = pack_world(world)
        self.agent = pack_agent(agent)
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
            libraries = tuple(getattr(agent, "libraries", ()))
            kept = Child("agent", libraries, limits_of(rules), preload)
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
        self.ask("load", self.patience_ms, agent=self.agent, counting=self.counting)
        measured = Measured(self.child, view)
        given = {"view": view, "budget": budget, "rng": rng}
        answer = self.ask_agent("start", self.patience_ms, **given)
        claimed = number_in(answer, "cpu_ms")
        self.answered_at = self.child.cpu_ms()
        return measured.charge(claimed)

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
                self.ask("observe", patience_ms, events=events)
                observe_ms = measured.charge(0.0)
                events = []
        measured = Measured(self.child, view)
        given = {"view": view, "budget": budget, "rng": rng, "events": events, "watched": watched}
        made = read_answer(self.ask_agent("decide", patience_ms, **given), view)
        wall_ms = measured.wall_ms()
        cpu_ms = measured.charge(made.cpu_ms) + idle_ms
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
        answer = self.ask("show", THOUGHTS_MS)
        try:
            return replace(decision, notes=notes_in(answer))
        except (TypeError, ValueError, KeyError, AttributeError, IndexError):
            raise self.failed("rubbish", "its process answered nonsense") from None

    def finish(self, view: View, outcome: Outcome) -> None:
        events, self.events = self.events, []
        self.ask("finish", self.patience_ms, view=view, outcome=outcome, events=events)

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
            deadline = time.monotonic() + patience_ms / 1000
            send(self.child.wire, pickle.dumps((number, request, arguments)), patience_ms / 1000)
            left_s = max(0.001, deadline - time.monotonic())
            answer = json.loads(receive(self.child.wire, left_s, LARGEST_ANSWER))
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
            message = printable(answer.get("message", ""))
            trace = printable(answer.get("trace", ""), 4000, lines=True)
            raise self.failed(kind, message, trace)
        return answer

    def broken(self, broken: WireBroken, patience_ms: float) -> Failure:
        """What it means that a wire broke: a hang, a death or rubbish."""
        how = self.child.end(dying=not broken.late)
        report = self.child.report
        assert report is not None
        if report.broken:
            return self.failed("overrun", how)
        if broken.late and not how:
            message = f"no answer within {patience_ms:g} ms; its process was ended"
            return self.failed("hang", message)
        if how:
            failure = self.failed("crash", how)
            if was_killed_by_the_system(report, self.child.oom_before, self.rules):
                failure.message = f"{how}: the machine was out of memory"
                failure.from_outside = True
            return failure
        return self.failed("rubbish", f"its process {broken}")

    def failed(self, kind: Any, message: str, trace: str = "") -> Failure:
        """End the process; its failure, with what it had printed."""
        self.child.end()
        report = self.child.report
        assert report is not None
        if report.output:
            trace = f"{trace}\nit printed:\n{report.output[-4000:]}".strip()
        return Failure(kind, message, trace)

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
        self.cpu = child.cpu_ms()
        self.wall = time.perf_counter()

    def wall_ms(self) -> float:
        return 1000 * (time.perf_counter() - self.wall)

    def charge(self, claimed_ms: float) -> float:
        """CPU time since then: what the process says, but no more than reading the question and
        writing the answer may take below what the system says.
        """
        now = self.child.cpu_ms()
        if now is None or self.cpu is None:
            return claimed_ms
        seen = now - self.cpu
        return max(min(claimed_ms, seen), seen - self.overhead_ms, 0.0)


def was_killed_by_the_system(report: Report, oom_before: int, rules: MatchRules) -> bool:
    """Whether a process died because the machine, and not itself, was out of memory."""
    is_killed = report.status == -signal.SIGKILL
    return is_killed and report.memory_mb <= rules.memory_mb and oom_kills() > oom_before


def limits_of(rules: MatchRules) -> Limits:
    return Limits(
        memory_mb=rules.memory_mb,
        processes=rules.processes,
        open_files=rules.open_files,
        file_mb=rules.file_mb,
        output_kb=rules.output_kb,
    )


def counting_of(agent: Any) -> str:
    """How the model calls of an agent are counted: see `child.COUNTS`."""
    if not is_foreign(agent):
        return "meter"
    return "all" if getattr(agent, "part", None) is None else "open"


# Trying agents out before a match

TRIED: dict[tuple[str, str], LudexError | None] = {}
"""What came of trying agents in files, by text and version."""


def try_out(agent: FileAgent, broken_too: bool) -> None:
    """Make an agent in a process of its own, and raise what is wrong with its text or class.

    A file that hangs or dies there is no mistake of whoever typed its name: it fails in its
    match. One whose code raises is refused only when that is asked for.
    """
    key = (agent.text, agent.version)
    if key not in TRIED:
        try:
            in_own_process(agent, "describe", TRYING_S)
            TRIED[key] = None
        except Failure as failure:
            TRIED[key] = BrokenAgent(failure.message) if failure.kind == "crash" else None
        except LudexError as error:
            TRIED[key] = error
    found = TRIED[key]
    if found is not None and (broken_too or not isinstance(found, BrokenAgent)):
        raise type(found)(str(found))


def described(agent: FileAgent, patience_s: float = TRYING_S) -> dict[str, Any]:
    """What an agent in a file tells of itself, as plain data: name, parameters, files."""
    return in_own_process(agent, "describe", patience_s)


def examined(agent: Agent, function: Callable[[Any], Any], patience_s: float) -> Any:
    """What a function of ours returns for an agent, called in a process of the agent's own."""
    return in_own_process(agent, "call", patience_s, function=function).get("result")


def in_own_process(agent: Agent, request: str, patience_s: float, **more: Any) -> dict[str, Any]:
    """Ask one question about an agent, of a process that lives as long as that."""
    seat = ProcessSeat.__new__(ProcessSeat)
    seat.agent = pack_agent(agent)
    seat.rules = MatchRules()
    seat.is_ours = False
    libraries = tuple(getattr(agent, "libraries", ()))
    seat.child = Child("agent", libraries, limits_of(seat.rules))
    try:
        seat.child.boot()
        if request == "describe":
            return seat.ask("describe", 1000 * patience_s, agent=seat.agent)
        seat.ask("load", 1000 * patience_s, agent=seat.agent, counting="meter")
        return seat.ask(request, 1000 * patience_s, **more)
    finally:
        seat.child.end()


# Reading answers


def number_in(answer: dict[str, Any], name: str) -> float:
    value: Any = answer.get(name)
    if type(value) not in (int, float) or not is_possible(value):
        raise Failure("rubbish", "its process answered nonsense")
    return float(value)


def notes_in(answer: dict[str, Any]) -> Any:
    return unpack(cleaned(answer.get("notes", {})))


def cleaned(value: Any) -> Any:
    """JSON without control characters in its texts."""
    if isinstance(value, str):
        return printable(value, LARGEST_ANSWER, lines=True)
    if isinstance(value, list):
        return [cleaned(one) for one in value]
    if isinstance(value, dict):
        return {cleaned(key): cleaned(one) for key, one in value.items()}
    return value


def read_answer(answer: dict[str, Any], view: View) -> Answer:
    """Read a decision that came over the wire; Failure when it is not sound."""
    try:
        unpacked = unpack_answer({**answer, "notes": cleaned(answer.get("notes", {}))}, view.legal)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise Failure("rubbish", "its process answered nonsense") from None
    return replace(unpacked, decision=check_decision(unpacked.decision, view))


def refusal(answer: dict[str, Any]) -> LudexError:
    kind = getattr(errors, str(answer["refused"]), LudexError)
    if not (isinstance(kind, type) and issubclass(kind, LudexError)):
        kind = LudexError
    return kind(printable(answer.get("message", "")))


def pack_agent(agent: Agent) -> bytes:
    """Pickle an agent; BadAgent when another process could not make it again."""
    if type(getattr(agent, "chooser", agent)).__module__ == "__main__":
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
