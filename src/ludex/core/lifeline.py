"""Ends a process when its parent process ends, for whatever reason."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def die_with(parent: int) -> None:
    """Have the kernel end this process when the thread that started it ends.

    Args:
        parent: The process that it has now; one that is gone already ends this one at once.
    """
    tell_kernel(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def adopt_orphans() -> None:
    """Become the parent of all descendants whose own parents end, where the system can do that."""
    tell_kernel(PR_SET_CHILD_SUBREAPER, 1)


def tell_kernel(option: int, value: int) -> None:
    with contextlib.suppress(OSError, AttributeError):  # not on Linux
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def end_with_starter() -> None:
    """End this worker of a pool of `multiprocessing` when the process that started it ends.

    The kernel's own signal is bound to a thread; the pipe that `multiprocessing` keeps open is
    bound to the process, so that it does not matter which thread of it made the pool.
    """
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command itself answers Ctrl-C
    starter = parent_process()
    if starter is None:
        return
    sentinel = starter.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="lifeline").start()
