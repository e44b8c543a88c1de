"""Process trees: CPU time, memory and children of a process, from the operating system."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


@dataclass(frozen=True, slots=True)
class Stat:
    """A process, as /proc shows it."""

    parent: int
    threads: int
    memory_mb: float
    """in the machine's own memory"""
    reaped_ms: float
    """CPU time of its children that are gone"""


def read(name: str) -> bytes:
    """Read a short file of the system, as quickly as it goes."""
    file = os.open(name, os.O_RDONLY)
    try:
        return os.read(file, 65536)
    finally:
        os.close(file)


def read_stat(pid: int) -> Stat | None:
    """Read /proc; None where the process, or all of /proc, is missing."""
    try:
        text = read(f"/proc/{pid}/stat")
    except OSError:
        return None
    fields = text.rpartition(b")")[2].split()
    return Stat(
        parent=int(fields[1]),
        threads=int(fields[17]),
        memory_mb=int(fields[21]) * PAGE_MB,
        reaped_ms=(int(fields[13]) + int(fields[14])) * TICK_MS,
    )


def wants_to_run(pid: int) -> bool:
    """Whether a process works, or would if it were its turn."""
    try:
        return b") R " in read(f"/proc/{pid}/stat")
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """The processes that this one started or adopted."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  # asked at every decision
            found += map(int, read(f"/proc/{pid}/task/{thread}/children").split())
    except FileNotFoundError:  # it is gone, or this kernel keeps no such list
        if not has_child_lists():
            return [one for one, stat in all_processes().items() if stat.parent == pid]
    except (OSError, ValueError):
        pass
    return found


def has_child_lists() -> bool:
    me = os.getpid()
    return Path(f"/proc/{me}/task/{me}/children").exists()


def all_processes() -> dict[int, Stat]:
    try:
        numbers = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()]
    except OSError:
        return {}
    return {pid: stat for pid in numbers if (stat := read_stat(pid)) is not None}


def descendants(pid: int) -> list[int]:
    """All that this process started, and what those started."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        more = children(waiting.pop())
        found += more
        waiting += more
    return found


def cpu_ms(pid: int) -> float | None:
    """CPU time of one process, to the nanosecond; None where the system does not tell."""
    try:
        return 1000 * time.clock_gettime((~pid << 3) | 2)
    except (OSError, AttributeError):
        return None


def family_cpu_ms(guard: int, head: int) -> float | None:
    """CPU time of a process and of all that it ever started, but not of its guard.

    What is gone is counted by whoever waited for it, in the steps of the system's clock; the
    guard waits for those that nobody else waits for.
    """
    total = cpu_ms(head)
    if total is None:
        return None
    for pid in (guard, head):
        stat = read_stat(pid)
        total += stat.reaped_ms if stat is not None else 0.0
    for pid in descendants(guard):
        if pid != head:
            stat = read_stat(pid)
            total += (cpu_ms(pid) or 0.0) + (stat.reaped_ms if stat is not None else 0.0)
    return total


def oom_kills() -> int:
    """How many processes the system has killed for want of memory; 0 where it does not tell."""
    total = 0
    for path, key in (
        ("/proc/vmstat", "oom_kill"),
        ("/sys/fs/cgroup/memory.events", "oom_kill"),
        ("/sys/fs/cgroup/memory/memory.oom_control", "oom_kill"),
    ):
        try:
            lines = Path(path).read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.split()[:1] == [key])
    return total
