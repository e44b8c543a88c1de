"""The keys of somebody who watches: pause, single steps forward and back, the pace, the end."""

from __future__ import annotations

from dataclasses import dataclass, field

PACES = (0.0, 0.02, 0.04, 0.08, 0.15, 0.3, 0.7, 1.5, 3.0, 6.0)  # seconds between pictures
QUIT = ("q", "escape")
PAUSE = ("p", "space")
FORWARD = (".", "right")
BACK = (",", "left")
FASTER, SLOWER = ("+", "="), ("-", "_")
HELP = ("h", "?")
ALL_KEYS = "p/space pause  ->/. step  <-/, back  +/- pace  q/Esc quit  Ctrl-C quit now"
"""what `h` shows"""


@dataclass(slots=True)
class Controls:
    """What a watcher has asked for so far.

    >>> controls = Controls(0.04)
    >>> controls.press("+"), controls.delay_s
    (True, 0.02)
    >>> controls.press("p"), controls.is_paused, controls.press("x")
    (True, True, False)
    """

    delay_s: float
    """between pictures"""
    is_paused: bool = False
    has_quit: bool = False
    steps: int = 0
    """single steps that are still to be taken; below zero: back"""
    shows_keys: bool = False
    """whether all keys are named"""
    paces: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.paces = tuple(sorted({*PACES, self.delay_s}))

    def press(self, key: str) -> bool:
        """Do what a key asks for; whether it asks for anything, which any key does after help."""
        if key in HELP:
            self.shows_keys = not self.shows_keys
            return True
        was_help, self.shows_keys = self.shows_keys, False
        return self.do(key) or was_help

    def do(self, key: str) -> bool:
        if key in QUIT:
            self.has_quit = True
        elif key in PAUSE:
            self.is_paused, self.steps = not self.is_paused, 0
        elif key in (*FORWARD, *BACK):
            self.is_paused = True
            self.steps += 1 if key in FORWARD else -1
        elif key in FASTER and self.can_be_faster:
            self.delay_s = self.paces[self.paces.index(self.delay_s) - 1]
        elif key in SLOWER and self.can_be_slower:
            self.delay_s = self.paces[self.paces.index(self.delay_s) + 1]
        else:
            return False
        return True

    @property
    def can_be_faster(self) -> bool:
        return self.delay_s > self.paces[0]

    @property
    def can_be_slower(self) -> bool:
        return self.delay_s < self.paces[-1]

    def shown(self, has_past: bool) -> str:
        """The line of keys: those that do something now, or all after `h`."""
        return ALL_KEYS if self.shows_keys and not self.has_quit else self.offered(has_past)

    def offered(self, has_past: bool) -> str:
        """The keys that do something now.

        Args:
            has_past: Whether there are earlier pictures to go back to.
        """
        if self.has_quit:
            return "quits after this decision; Ctrl-C quits now"
        if self.is_paused:
            back = ["<- back"] if has_past else []
            return "  ".join(["paused: p go on", "-> step", *back, "h keys", "q quit"])
        faster = ["+ faster"] if self.can_be_faster else []
        slower = ["- slower"] if self.can_be_slower else []
        keys = ["p pause", "-> step", *faster, *slower, "h keys", "q quit"]
        return "  ".join([*keys, f"({self.pace})"])

    @property
    def pace(self) -> str:
        """The pace in words.

        >>> Controls(0.04).pace, Controls(1.5).pace, Controls(0.0).pace
        ('25 pictures a second', 'a picture every 1.5 s', 'as fast as it goes')
        """
        if not self.delay_s:
            return "as fast as it goes"
        if self.delay_s >= 1:
            return f"a picture every {self.delay_s:g} s"
        return f"{1 / self.delay_s:.2g} pictures a second"
