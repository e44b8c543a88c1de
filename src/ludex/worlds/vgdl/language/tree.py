"""A game description as a tree of lines, by their indentation."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from ludex.worlds.vgdl.language.definition import BadGame

MAX_LINE = 2_000
MAX_DEPTH = 32

Note: TypeAlias = Callable[[int, int, str, str], None]
"""takes a problem: line, column, word, reason"""


@dataclass(slots=True)
class LineNode:
    """A line with the lines indented below it."""

    line: int
    indent: int
    words: list[str]
    columns: list[int]
    children: list[LineNode] = field(default_factory=list)
    parent: LineNode | None = None
    depth: int = 0
    comment: str = ""
    """what stands behind the `#` of the line"""

    @property
    def name(self) -> str:
        return self.words[0]

    def column_of(self, word: str) -> int:
        for one, column in zip(self.words, self.columns, strict=True):
            if one == word:
                return column
        return self.columns[0]


def split_lines(text: str) -> list[str]:
    """Lines as a Java reader sees them; the end of the last line is not a line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return lines


def read_tree(text: str, note: Note) -> LineNode | None:
    """Build the tree of lines; the root is the first line."""
    root: LineNode | None = None
    last: LineNode | None = None
    for number, raw in enumerate(split_lines(text), start=1):
        node = read_line(number, raw, note)
        if node is None:
            continue
        if last is None or root is None:
            root = node
        else:
            attach(node, last, root, note)
        last = node
    return root


def read_line(number: int, raw: str, note: Note) -> LineNode | None:
    """Split a line into words; None for one without any."""
    if len(raw) > MAX_LINE:
        raise BadGame(f"line {number} has {len(raw)} characters; at most {MAX_LINE} are read")
    content, _, comment = raw.partition("#")
    if not content.strip():
        if raw and not raw.strip("#"):
            note(number, 1, raw, "a line of # alone makes the reference fail; it is skipped")
        return None
    found = [(match.group(), match.start() + 1) for match in re.finditer(r"\S+", content)]
    words, columns = [word for word, _ in found], [column for _, column in found]
    return LineNode(number, columns[0] - 1, words, columns, comment=comment.strip())


def attach(node: LineNode, last: LineNode, root: LineNode, note: Note) -> None:
    """Make a line a child of the nearest line above that is indented less."""
    above: LineNode | None = last
    while above is not None and above.indent >= node.indent:
        above = above.parent
    if above is None:
        note(node.line, node.columns[0], node.name, "this line is not indented below the first one")
        above = root
    if above.children and above.children[0].indent != node.indent:
        note(node.line, node.columns[0], node.name, "indented unlike the lines beside it")
    node.parent, node.depth = above, above.depth + 1
    if node.depth > MAX_DEPTH:
        raise BadGame(f"line {node.line} is indented more than {MAX_DEPTH} levels deep")
    above.children.append(node)
