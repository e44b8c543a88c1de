"""Agents in processes of their own: whatever an agent does, the match goes on.

A process is kept for the next match of the same agent, and replaced after its death.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from ludex.arena.child import LARGEST_ANSWER, pack_world, unpack_answer
from ludex.arena.rules import MatchRules
from ludex.arena.seat import Answer, Failure, check_decision
from ludex.arena.wire import WireBroken, receive, send
from ludex.core import errors
from ludex.core.budget import Budget
from ludex.core.errors import BadAgent, LudexError, in_a_line
from ludex.core.event import Event
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.core.world import World

BOOT_S = 60.0  # to import numpy on a very busy machine
THOUGHTS_MS = 10_000.0  # more patience with a decision whose thoughts are to be shown
MOST_IDLE = 8
PROGRAM = "import sys; from ludex.arena.child import serve; serve({kind!r}, {wire}, {parent})"


Owner: TypeAlias = tuple[bytes, int, int]
"""An agent, and the process and thread of ours that started a process for it."""


class Child:
    """A process of the arena, with a wire to it."""

    def __init__(self, kind: str, libraries: tuple[str, ...] = ()) -> None:
        self.parent = os.getpid()
        self.wire, theirs = socket.socketpair()
        program = PROGRAM.format(kind=kind, wire=theirs.fileno(), parent=self.parent)
        try:
            # A plain interpreter, not a fork: no locks or threads of ours are inherited, and a
            # user's script is not run again. A session of its own keeps Ctrl-C away from it
            # and lets everything that it starts be ended with it.
            self.process = subprocess.Popen(
                [sys.executable, "-c", program],
                stdin=subprocess.DEVNULL,
                stdout=2 if has_error_stream() else subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        finally:
            theirs.close()
        LIVING.add(self)
        self.ready = False
        with contextlib.suppress(WireBroken):  # killed at once; `boot` says so
            send(self.wire, pickle.dumps((sys.path, libraries)))

    def boot(self) -> None:
        """Wait until the process has its imports behind it; their time is nobody's fault."""
        if not self.ready:
            try:
                receive(self.wire, BOOT_S)
            except WireBroken as broken:
                self.end()
                raise LudexError(f"cannot start a process for an agent: it {broken}") from None
            self.ready = True

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def end(self, dying: bool = False) -> str:
        """Kill the process with all it started; return how it had ended, or an empty text."""
        if dying:  # its own reason is wanted, and it may still be on its way out
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1.0)
        status = self.process.poll()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.wire.close()
        LIVING.discard(self)
        if status is None:
            return ""
        if status < 0:
            return f"its process died of {signal.Signals(-status).name}"
        return f"its process exited with status {status}"


LIVING: set[Child] = set()
IDLE: list[tuple[Owner, Child]] = []
"""Processes between two matches, the longest idle first, with whom each belongs to."""


def has_error_stream() -> bool:
    try:
        os.fstat(2)
    except OSError:
        return False
    return True


def owner_of(agent: bytes) -> Owner:
    # A forked copy of us must not talk over our wires; and the kernel ends a process together
    # with the thread that started it, so threads do not share them.
    return agent, os.getpid(), threading.get_ident()


def borrow(agent: bytes, libraries: tuple[str, ...]) -> Child:
    """Take an idle process of this agent, or start one with the libraries that it needs."""
    for owner, child in list(IDLE):
        if owner == owner_of(agent):
            IDLE.remove((owner, child))
            if child.alive:
                return child
            child.end()
    return Child("agent", libraries)


def give_back(agent: bytes, child: Child) -> None:
    IDLE.append((owner_of(agent), child))
    while len(IDLE) > MOST_IDLE:
        IDLE.pop(0)[1].end()


def end_all() -> None:
    """End every process of the arena; it starts new ones when they are needed."""
    IDLE.clear()
    for child in list(LIVING):
        if child.parent == os.getpid():
            child.end()


@atexit.register
def end_all_at_exit() -> None:
    """Leave no process behind, however often Ctrl-C is pressed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_all()


class ProcessSeat:
    """A seat whose mind lives in a process of its own."""

    def __init__(self, world: World, agent: Agent, rules: MatchRules) -> None:
        self.world = pack_world(world)
        self.agent = pack_agent(agent)
        self.rules = rules
        self.events: list[Event] = []
        self.patience_ms = 0.0  # with the start and the end; known when it starts
        self.child = borrow(self.agent, getattr(agent, "libraries", ()))

    def start(self, view: View, budget: Budget, rng: Rng) -> float:
        self.child.boot()
        arguments = {"world": self.world, "agent": self.agent}
        self.patience_ms = self.rules.setup_hang_ms(budget)
        answer = self.ask("start", self.patience_ms, view=view, budget=budget, rng=rng, **arguments)
        cpu_ms = answer.get("cpu_ms")
        if not isinstance(cpu_ms, int | float):
            raise Failure("rubbish", "its process answered nonsense")
        return float(cpu_ms)

    def observe(self, events: Sequence[Event]) -> None:
        """Keep events until the next request: an agent that does not listen costs no time."""
        self.events.extend(events)

    def decide(self, view: View, budget: Budget, rng: Rng, watched: bool = False) -> Answer:
        events, self.events = self.events, []
        before = time.perf_counter()
        answer = self.ask(
            "decide",
            self.rules.hang_ms(budget) + (THOUGHTS_MS if watched else 0.0),
            view=view,
            budget=budget,
            rng=rng,
            events=events,
            watched=watched,
        )
        # CPU time is measured where it is spent, wall time where it is waited.
        wall_ms = 1000 * (time.perf_counter() - before)
        made = read_answer(answer, view)
        return replace(made, wall_ms=max(0.0, wall_ms - made.thoughts_ms))

    def finish(self, view: View, outcome: Outcome) -> None:
        events, self.events = self.events, []
        self.ask("finish", self.patience_ms, view=view, outcome=outcome, events=events)

    def ask(self, request: str, patience_ms: float, **arguments: Any) -> dict[str, Any]:
        """Send a request and wait for its answer; a process that fails is ended at once."""
        try:
            send(self.child.wire, pickle.dumps((request, arguments)), patience_ms / 1000)
            content = receive(self.child.wire, patience_ms / 1000, LARGEST_ANSWER)
            answer = json.loads(content)
        except WireBroken as broken:
            how = self.child.end(dying=not broken.late)
            if broken.late and not how:
                raise Failure(
                    "hang", f"no answer within {patience_ms:g} ms; its process was ended"
                ) from None
            if how:
                raise Failure("crash", how) from None
            raise Failure("rubbish", f"its process {broken}") from None
        except (ValueError, RecursionError):
            self.child.end()
            raise Failure("rubbish", "its process answered nonsense") from None
        if not isinstance(answer, dict):
            raise Failure("rubbish", "its process answered nonsense")
        if "refused" in answer:
            raise refusal(answer)
        if "kind" in answer:
            raise failure_of(answer)
        return answer

    def close(self, clean: bool) -> None:
        if clean and self.child.alive:
            give_back(self.agent, self.child)
        else:
            self.child.end()


def read_answer(answer: dict[str, Any], view: View) -> Answer:
    """Read a decision that came over the wire; Failure when it is not sound."""
    try:
        unpacked = unpack_answer(answer, view.legal)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise Failure("rubbish", "its process answered nonsense") from None
    return replace(unpacked, decision=check_decision(unpacked.decision, view))


def refusal(answer: dict[str, Any]) -> LudexError:
    kind = getattr(errors, str(answer["refused"]), LudexError)
    if not (isinstance(kind, type) and issubclass(kind, LudexError)):
        kind = LudexError
    return kind(str(answer.get("message", "")))


def failure_of(answer: dict[str, Any]) -> Failure:
    kind = answer["kind"]
    if kind not in ("crash", "rubbish"):
        kind = "rubbish"
    return Failure(kind, str(answer.get("message", ""))[:1000], str(answer.get("trace", "")))


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
