"""A command at a pseudo-terminal: what is typed, and what a person would have read."""

import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>()][0-9A-Za-z]?|\r")
QUIET = 0.2  # seconds
COMMAND = "from ludex.cli import main; main()"


class PseudoTerminal:
    """Runs `ludex` at a terminal of 80 columns and 24 rows; a context manager."""

    def __init__(self, *arguments: str, **environment: str):
        self.raw = ""
        self.read_to = 0
        """how much of the text was waited for"""
        self.fd, other = pty.openpty()
        ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        known = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *arguments],
            stdin=other,
            stdout=other,
            stderr=other,
            env=known | {"TERM": "xterm-256color"} | environment,
            start_new_session=True,
        )
        os.close(other)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        os.close(self.fd)
        self.process.terminate()
        self.process.wait()

    @property
    def text(self) -> str:
        """All that was shown, without colours and movements of the cursor."""
        return ESCAPES.sub("", self.raw)

    def until(self, words: str, seconds: float = 20) -> str:
        """Read until the words were shown after those of the last call; return what was."""
        due = time.monotonic() + seconds
        while (found := self.text.find(words, self.read_to)) < 0:
            if not self.read(due):
                shown = self.text[self.read_to :]
                raise AssertionError(f"{words!r} was not shown, but {shown[-2000:]!r}")
        begun, self.read_to = self.read_to, found + len(words)
        return self.text[begun : self.read_to]

    def read(self, due: float) -> bool:
        if not select.select([self.fd], [], [], max(0.0, due - time.monotonic()))[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the command has ended
            return False
        if b"\x1b[6n" in data:  # it asks where the cursor is
            os.write(self.fd, b"\x1b[24;1R")
        self.raw += data.decode(errors="replace")
        return bool(data)

    def type(self, keys: str) -> None:
        """Press keys as a person would: when nothing more is being shown."""
        while self.read(time.monotonic() + QUIET):
            pass
        os.write(self.fd, keys.encode())
