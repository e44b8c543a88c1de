"""A person at a real pseudo-terminal."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

KEYS = {0: ".", 1: "\x1b[A", 2: "\x1b[D", 3: "\x1b[B", 4: "\x1b[C", 5: " "}
LUDEX = str(Path(sys.executable).with_name("ludex"))
PATIENCE = 60.0  # seconds; a loaded machine may need many
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Player:
    """A person at a terminal: sees what is written there, and types."""

    def __init__(self, *words, columns=100, rows=30, **environment):
        self.ours, theirs = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(theirs)
        self.child = subprocess.Popen(
            [LUDEX, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={
                **os.environ,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                **environment,
            },
            start_new_session=True,
            # Its own terminal, as in a shell, so that Ctrl-C reaches it.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        self.theirs = theirs
        self.seen = ""

    def resize(self, columns, rows):
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        if select.select([self.ours], [], [], seconds)[0]:
            self.seen += os.read(self.ours, 65536).decode(errors="replace")

    def waits_for(self, text, since=0):
        """Read on until this text has been shown."""
        end = time.monotonic() + PATIENCE
        while text not in ESCAPES.sub("", self.seen[since:]):
            assert time.monotonic() < end, f"never saw {text!r} in {self.seen[-400:]!r}"
            self.read(0.2)
        return self

    def types(self, text):
        os.write(self.ours, text.encode())
        return self

    def plays(self, actions, unit="tick"):
        """Press a key for each action, each after the one before has been taken."""
        for number, action in enumerate(actions, start=1):
            mark = len(self.seen)
            self.types(KEYS[action]).waits_for(f"{unit} {number}", mark)
        return self

    def leaves(self):
        """Quit, and return the exit status."""
        self.types("q")
        return self.ends()

    def ends(self):
        end = time.monotonic() + PATIENCE
        while self.child.poll() is None:
            assert time.monotonic() < end, "it does not end"
            self.read(0.1)
        while select.select([self.ours], [], [], 0.1)[0]:
            self.seen += os.read(self.ours, 65536).decode(errors="replace")
        return self.child.returncode

    def close(self):
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def last_tick(self):
        """The tick that was shown last, once nothing more comes."""
        while True:
            mark = len(self.seen)
            self.read(0.5)
            if len(self.seen) == mark:
                return int(re.findall(r"tick (\d+)", ESCAPES.sub("", self.seen))[-1])
