r"""The keeper: the process that forks, guards and ends the processes of agents and workers.

    the command --- keeper --- guard --- agent (and all that it starts)
                          \-- guard --- worker

The keeper has everything imported, so that a new process takes milliseconds. It never runs code
of an agent, and ends when the command does. Each process that it forks has a guard, which
adopts whatever the process leaves behind, holds it to its limits, keeps a little of what it
prints, and in the end kills all of it: when it is told to, and when the command is gone.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pickle
import resource
import select
import signal
import socket
import sys
import time
from dataclasses import dataclass
from typing import Any, get_args

from ludex.arena.processes.family import children, descendants, read_stat
from ludex.arena.processes.wire import WireBroken, receive, send
from ludex.core import registry
from ludex.core.lifeline import adopt_orphans, die_with

LOOK_S = 0.02  # how often a guard looks at its family
WAKE_S = 0.5  # how often the keeper, and the guard of a worker, look whether they are wanted
DYING_S = 1.0  # what a process that broke its wire has to end by itself
ENDING_S = 10.0  # after which a guard gives up what cannot be killed
THREADS_PER_PROCESS = 16
MOST_READS = 16  # of a pipe, before a guard looks around
MIB = 2**20
NEEDED = (
    "ludex.arena.processes.child",
    "ludex.arena.study.run",
    "ludex.arena.study.tournament",
)  # by what it forks


@dataclass(frozen=True, slots=True)
class Limits:
    """What the process of an agent, with all that it starts, may take of the machine."""

    memory_mb: int
    processes: int
    open_files: int
    file_mb: int
    output_kb: int

    def set(self) -> None:
        """Hold this process to them, as far as the kernel does it."""
        lower(resource.RLIMIT_CORE, 0)
        lower(resource.RLIMIT_NOFILE, self.open_files)
        lower(resource.RLIMIT_FSIZE, self.file_mb * MIB)
        # Private memory. Address space is only reserved, and libraries reserve a lot.
        lower(resource.RLIMIT_DATA, self.memory_mb * MIB)
        lower(resource.RLIMIT_AS, 4 * self.memory_mb * MIB)
        # A file that grows too long is an error that an agent can be told, not a death.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def broken_by(self, family: list[int]) -> str:
        """Which of them these processes break together, or an empty text."""
        if len(family) > self.processes:
            return f"it ran {len(family)} processes; at most {self.processes} are allowed"
        stats = [stat for pid in family if (stat := read_stat(pid)) is not None]
        threads = sum(stat.threads for stat in stats)
        if threads > (most := THREADS_PER_PROCESS * self.processes):
            return f"it ran {threads} threads; at most {most} are allowed"
        memory = sum(stat.memory_mb for stat in stats)
        if memory > self.memory_mb:
            return f"it used {memory:.0f} MiB of memory; at most {self.memory_mb} are allowed"
        return ""


def lower(kind: int, wanted: int) -> None:
    """Lower a limit; one that is lower already stays."""
    _, most = resource.getrlimit(kind)
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (wanted, wanted))


@dataclass(frozen=True, slots=True)
class Order:
    """A process that the keeper is to fork."""

    kind: str
    """agent or worker"""
    command: int
    """the process that asks for it"""
    path: list[str]
    """where it finds modules"""
    folder: str
    """its working directory: that of the command now, not when the keeper was started"""
    limits: Limits | None = None
    preload: tuple[str, ...] = ()
    """modules of ludex that the keeper imports first, for all later processes, too"""


# The keeper


def keep(file_number: int, parent: int) -> None:
    """Fork what the command asks for, until it closes the wire or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)
    wire = socket.socket(fileno=file_number)
    with contextlib.suppress(WireBroken):
        sys.path[:], libraries = pickle.loads(receive(wire))
        for module in NEEDED:
            importlib.import_module(module)
        for group in get_args(registry.Group):
            registry.places(group)  # looked up once, for all that it forks
        for library in libraries:  # large ones, whose import is not an agent's thinking
            with contextlib.suppress(ImportError):  # what is missing is told when it is needed
                importlib.import_module(library)
        gc.freeze()  # what was imported is never garbage, so collections need not visit it
        send(wire, b"ready")
        adopt_orphans()
        guards: set[int] = set()
        while os.getppid() == parent:
            sweep(guards)
            if select.select([wire], [], [], WAKE_S)[0] and not fork_next(wire, guards):
                break
    os._exit(0)


def fork_next(wire: socket.socket, guards: set[int]) -> bool:
    """Read an order and fork its guard; False when the command has closed the wire."""
    message, files, _, _ = socket.recv_fds(wire, 1, 2)
    if not message:
        return False
    for number in files:
        os.set_inheritable(number, False)
    order = pickle.loads(receive(wire))
    for module in order.preload:
        with contextlib.suppress(Exception):  # a broken one is told where it is used
            importlib.import_module(module)
    keeper = os.getpid()
    forked = os.fork()
    if forked == 0:
        wire.close()
        with contextlib.suppress(BaseException):
            guard(order, keeper, socket.socket(fileno=files[0]), socket.socket(fileno=files[1]))
        os._exit(1)
    guards.add(forked)
    for number in files:
        os.close(number)
    return True


def sweep(guards: set[int]) -> None:
    """Bury guards that are gone, and end what one left behind that did not end in order."""
    with contextlib.suppress(ChildProcessError):
        while pid := os.waitpid(-1, os.WNOHANG)[0]:
            guards.discard(pid)
    for orphan in set(children(os.getpid())) - guards:
        for pid in (orphan, *descendants(orphan)):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


# A guard


def guard(order: Order, keeper: int, control: socket.socket, wire: socket.socket) -> None:
    """Fork one process, watch over it, and end it with its family."""
    os.setsid()
    adopt_orphans()
    output, printing = os.pipe() if order.limits else (None, None)
    me = os.getpid()
    child = os.fork()
    if child == 0:
        control.close()
        if output is not None:
            os.close(output)
        be_the_child(order, me, wire, printing)
    wire.close()
    if printing is not None:
        os.close(printing)
    if order.limits is None:  # what interrupts a worker's parent means the command
        signal.signal(signal.SIGINT, lambda number, frame: os.kill(order.command, number))
    Guard(order.limits, keeper, control, child, output).watch()
    os._exit(0)


def be_the_child(order: Order, parent: int, wire: socket.socket, printing: int | None) -> None:
    """Become the process that was ordered; never returns."""
    from ludex.arena.processes import child

    os.setsid()  # no terminal, and a group of its own
    die_with(parent)
    sys.path[:] = order.path
    with contextlib.suppress(OSError):  # a folder that is gone
        os.chdir(order.folder)
    if printing is not None:
        nothing = os.open(os.devnull, os.O_RDONLY)
        for target, number in ((0, nothing), (1, printing), (2, printing)):
            os.dup2(number, target)
        os.close(nothing)
        os.close(printing)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError):
                stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    if order.limits is not None:
        order.limits.set()
    child.serve(order.kind, wire)


class Guard:
    """Watches over one process."""

    def __init__(
        self,
        limits: Limits | None,
        keeper: int,
        control: socket.socket,
        child: int,
        output: int | None,
    ) -> None:
        self.limits = limits
        self.keeper = keeper
        self.control = control
        self.child = child
        self.output = output
        self.kept = Printed(limits.output_kb * 1024) if limits else Printed(0)
        self.status: int | None = None
        self.memory_kb = 0
        self.broken = ""
        self.ending: int | None = None
        with contextlib.suppress(OSError, AttributeError):
            self.ending = os.pidfd_open(child)

    def watch(self) -> None:
        """Until the command wants the end, or is gone."""
        send(self.control, json.dumps({"pid": self.child, "guard": os.getpid()}).encode())
        pause = WAKE_S if self.limits is None else LOOK_S
        while True:
            watched = [self.control, self.output, self.ending]
            files: list[Any] = [one for one in watched if one is not None]
            ready = select.select(files, [], [], pause)[0]
            if self.output in ready:
                self.drain()
            self.look()
            if os.getppid() != self.keeper:
                break
            if self.control in ready:
                self.answer()
                break
        self.end()

    def look(self) -> None:
        """Note a death; end a family that breaks its limits or has lost its head."""
        self.reap()
        if self.status is not None:
            self.end()
            if self.ending is not None:
                os.close(self.ending)
                self.ending = None
        elif self.limits is not None:
            self.broken = self.limits.broken_by(descendants(os.getpid()))
            if self.broken:
                self.end()

    def answer(self) -> None:
        """End all as the command asks, and tell how it had been before."""
        try:
            request = receive(self.control, WAKE_S)
        except WireBroken:
            return
        if request == b"dying" and self.status is None:
            deadline = time.monotonic() + DYING_S
            while self.status is None and time.monotonic() < deadline:
                select.select([self.ending] if self.ending else [], [], [], LOOK_S)
                self.reap()
        status = self.status
        self.end()
        self.drain()
        report = {
            "status": status,
            "broken": self.broken,
            "memory_kb": self.memory_kb,
            "output": self.kept.text(),
        }
        with contextlib.suppress(WireBroken):
            send(self.control, json.dumps(report).encode(), ENDING_S)

    def reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
                if not pid:
                    return
                if pid == self.child:
                    self.status = os.waitstatus_to_exitcode(status)
                    self.memory_kb = usage.ru_maxrss

    def end(self) -> None:
        """Kill the whole family, however quickly it grows."""
        deadline = time.monotonic() + ENDING_S
        while time.monotonic() < deadline:
            if self.status is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.child, signal.SIGKILL)
            family = descendants(os.getpid())
            for pid in family:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            self.reap()
            if not family and self.status is not None:
                return
            time.sleep(0.0005)

    def drain(self) -> None:
        """Read what has been printed, so that printing never blocks."""
        for _ in range(MOST_READS):  # endless printing must not keep the guard from looking
            if self.output is None or not select.select([self.output], [], [], 0)[0]:
                return
            part = os.read(self.output, 65536)
            if part:
                self.kept.add(part)
            else:
                os.close(self.output)
                self.output = None


class Printed:
    """The beginning and the end of what was printed, to a size."""

    def __init__(self, most: int) -> None:
        self.half = most // 2
        self.head = b""
        self.tail = b""
        self.size = 0

    def add(self, part: bytes) -> None:
        self.size += len(part)
        room = self.half - len(self.head)
        self.head += part[:room]
        self.tail = (self.tail + part[room:])[-self.half :] if self.half else b""

    def text(self) -> str:
        left_out = self.size - len(self.head) - len(self.tail)
        between = f"\n... {left_out} bytes ...\n".encode() if left_out > 0 else b""
        return (self.head + between + self.tail).decode(errors="replace")
