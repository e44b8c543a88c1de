"""Child processes of the arena: forked by a keeper, reused between matches, ended at exit."""

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
from dataclasses import dataclass
from pathlib import Path

from ludex.arena.processes import family
from ludex.arena.processes.keeper import DYING_S, ENDING_S, Limits, Order
from ludex.arena.processes.wire import WireBroken, receive, send
from ludex.core.errors import LudexError
from ludex.core.printable import bounded

BOOT_S = 60.0  # to import numpy on a very busy machine
BUSY_S = 2.0  # the most that a process is waited for which a busy machine keeps from working
LOOK_AGAIN_S = 0.02
MOST_IDLE = 8
MOST_SHOWN = 2**16  # letters of what agents print that reach the terminal of one command
PROGRAM = "from ludex.arena.processes.keeper import keep; keep({wire}, {parent})"


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
            except BaseException as error:  # also Ctrl-C, in the midst of an order
                del KEEPERS[libraries]
                keeper.end()
                if not isinstance(error, WireBroken):
                    raise
                if not tries_left:
                    raise LudexError(f"cannot start a process for an agent: it {error}") from None
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
        self.asked_at = 0.0
        """CPU time that it had when a question was asked that is measured"""
        self.oom_before = family.oom_kills() if kind == "agent" else 0
        order = Order(kind, self.parent, list(sys.path), working_directory(), limits, preload)
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
        return family.family_cpu_ms(self.guard, self.pid) if self.pid else None

    def wait_for_answer(self, patience_ms: float) -> None:
        """Wait until it answers or its patience is over; WireBroken when it gives no answer.

        On a busy machine a process may wait for its turn. One that works, and has not had as
        much CPU time as it may be silent, is waited for a little longer.
        """
        timeout_s, begun, seen_ms = patience_ms / 1000, time.monotonic(), 0.0
        while not select.select([self.wire], [], [], timeout_s)[0]:
            now_ms = self.cpu_ms()
            if now_ms is None:
                break
            has_its_share = now_ms - self.asked_at >= patience_ms
            is_working = now_ms > seen_ms or family.wants_to_run(self.pid)
            if has_its_share or not is_working or time.monotonic() - begun > BUSY_S:
                break
            timeout_s, seen_ms = LOOK_AGAIN_S, now_ms
        else:
            return
        raise WireBroken("gave no answer", late=True)

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
        output = bounded(told["output"], 2**20, lines=True).strip()
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


def working_directory() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # it was removed
        return os.sep


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
