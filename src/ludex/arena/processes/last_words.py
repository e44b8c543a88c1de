"""Where the process of an agent was when it hung or died, as it says itself when it is asked.

Python writes the lines under way to standard error when a signal comes, even in native code. They
come with what the agent printed, and an agent may print anything: so of its own file alone a line
is quoted, from the text that the match has read.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import re
import signal
import time
from collections.abc import Sequence

from ludex.agents.files import FileAgent
from ludex.core.crash_site import CrashSite, site
from ludex.core.own_part import OwnPart

ASKING = signal.SIGUSR2
SPEAKING_S = 0.1
HEAD = re.compile(
    r"^(Fatal Python error: |Current thread 0x|Thread 0x|Stack \(most recent)", re.MULTILINE
)
LINE = re.compile(r'^  File "(.*)", line (\d+) in ', re.MULTILINE)


def speak_when_asked() -> None:
    """Have this process say where it is when it is asked to, and when it dies of a signal."""
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        faulthandler.enable(file=2, all_threads=False)
        faulthandler.register(ASKING, file=2, all_threads=False)


def ask(pid: int) -> None:
    """Let a process say where it is, which takes a moment, before it is ended."""
    with contextlib.suppress(OSError):
        os.kill(pid, ASKING)
        time.sleep(SPEAKING_S)


def split_words(output: str) -> tuple[str, str]:
    r"""What a process printed, and its last words.

    >>> split_words('hello\nCurrent thread 0x1 (most recent call first):\n  File "a", line 2 in b')
    ('hello', 'Current thread 0x1 (most recent call first):\n  File "a", line 2 in b')
    """
    if not LINE.search(output) or (found := HEAD.search(output)) is None:
        return output, ""
    return output[: found.start()].strip(), output[found.start() :]


def site_in(words: str, sources: Sequence[FileAgent | OwnPart]) -> CrashSite | None:
    """The innermost line of the agent's own files in its last words; None where there is none."""
    own = {
        str(one.path.resolve()): one.content.decode(errors="replace").splitlines()
        for one in sources
    }
    for file, number in LINE.findall(words):
        lines = own.get(file, [])
        if 0 < int(number) <= len(lines):
            return site(file, int(number), lines[int(number) - 1])
    return None
