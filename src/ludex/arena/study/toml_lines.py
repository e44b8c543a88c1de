"""Line numbers of the keys and entries of a TOML text, which tomllib does not give.

The text is known to be valid, so this walks over it without checking.
"""

from __future__ import annotations

import re
import tomllib
from typing import TypeAlias

Where: TypeAlias = tuple[str | int, ...]
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
KEY = re.compile(r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*')(?:\s*\.\s*)?""")
STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"""+|\'\'\'.*?\'\'\'+|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL
)
PLAIN = re.compile(r"[^,\]}\n#]+")


def lines_of(text: str) -> dict[Where, int]:
    r"""The line of every key and of every entry of a list, by its path.

    >>> lines_of('agents = [\n  "mcts",\n  {name = "a"},\n]')["agents", 1, "name"]
    3
    """
    walk = Walk(text)
    walk.document()
    return walk.lines


class Walk:
    """A walk over a text, from key to value to key."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.lines: dict[Where, int] = {}

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.place) + 1

    @property
    def next(self) -> str:
        return self.text[self.place : self.place + 1]

    def skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.place)
        if found is None:
            return ""
        self.place = found.end()
        return found[0]

    def document(self) -> None:
        table: Where = ()
        while self.skip(BLANK) is not None and self.next:
            before = self.place
            if self.next == "[":
                table = self.heading()
            else:
                self.pair(table)
            if self.place == before:  # never stands still, whatever the text
                self.place += 1

    def heading(self) -> Where:
        is_list = self.text.startswith("[[", self.place)
        line = self.line
        self.place += 2 if is_list else 1
        self.skip(BLANK)
        path: Where = self.keys()
        for length in range(1, len(path)):  # of a list of tables, the last one is meant
            path = self.last_of(path[:length]) + path[length:]
        if is_list:
            self.lines.setdefault(path, line)
            entries = [one[-1] for one in self.lines if one[:-1] == path]
            path = (*path, 1 + max((one for one in entries if isinstance(one, int)), default=-1))
        self.lines.setdefault(path, line)
        while self.next and self.next != "\n":
            self.place += 1
        return path

    def last_of(self, path: Where) -> Where:
        entries = [one[-1] for one in self.lines if one[:-1] == path]
        numbers = [one for one in entries if isinstance(one, int)]
        return (*path, max(numbers)) if numbers else path

    def keys(self) -> Where:
        names: list[str] = []
        while word := self.skip(KEY):
            self.skip(BLANK)
            name = word.rstrip().removesuffix(".").rstrip()
            names.append(str(tomllib.loads(f"k = {name}")["k"]) if name[:1] in "\"'" else name)
            if not word.rstrip().endswith("."):
                break
        return tuple(names)

    def pair(self, table: Where) -> None:
        line = self.line
        path = table + self.keys()
        self.lines.setdefault(path, line)
        self.skip(BLANK)
        if self.next == "=":
            self.place += 1
            self.value(path)

    def value(self, path: Where) -> None:
        self.skip(BLANK)
        if self.next == "[":
            self.entries(path, "]")
        elif self.next == "{":
            self.entries(path, "}")
        elif not self.skip(STRING):
            self.skip(PLAIN)

    def entries(self, path: Where, close: str) -> None:
        self.place += 1
        number = 0
        while self.skip(BLANK) is not None and self.next not in (close, ""):
            before = self.place
            if close == "}":
                self.pair(path)
            else:
                self.lines[(*path, number)] = self.line
                self.value((*path, number))
            number += 1
            self.skip(BLANK)
            if self.next == ",":
                self.place += 1
            if self.place == before:
                self.place += 1
        self.place += 1
