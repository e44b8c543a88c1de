"""Puts a game description into its canonical form without changing what it means.

Four blanks for each level, the `>` of neighbours below each other, one blank between words,
comments where they were, at most one empty line at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludex.worlds.vgdl.language.definition import BadGame
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.language.tree import LineNode, read_tree, split_lines
from ludex.worlds.vgdl.language.writer import INDENT, plain

WIDEST_COLUMN = 28  # longer names do not push their neighbours to the right


@dataclass(slots=True)
class SourceLine:
    """A line of the file: a node, a comment alone, or nothing."""

    node: LineNode | None
    comment: str
    paragraph: int

    @property
    def head(self) -> str:
        """The text before the `>`, or the first word of a termination."""
        if self.node is None:
            return ""
        words = self.node.words
        return " ".join(words[: max(1, words.index(">"))] if ">" in words[1:] else words[:1])

    @property
    def rest(self) -> str:
        assert self.node is not None
        return " ".join(self.node.words)[len(self.head) + 1 :]


def format_game(text: str, file: str = "") -> str:
    """Return the canonical form of a description.

    Raises:
        BadGame: the text is no game
    """
    before = parse_game(text, file)
    lines = list(read_lines(text))
    widths = column_widths(lines)
    written: list[str] = []
    for line, depth in zip(lines, depths(lines), strict=True):
        if line.node is not None:
            written.append(write_line(line, widths))
        elif line.comment:
            written.append(INDENT * depth + line.comment)
        elif written and written[-1]:
            written.append("")
    while written and not written[-1]:
        written.pop()
    formatted = "\n".join(written) + "\n"
    if plain(parse_game(formatted, file)) != plain(before):  # a promise, kept by checking it
        raise BadGame(f"{file or 'the game'} cannot be formatted without changing what it means")
    return formatted


def read_lines(text: str) -> Iterator[SourceLine]:
    """Every line of the file with its node; empty lines separate paragraphs."""
    nodes: dict[int, LineNode] = {}
    root = read_tree(text, lambda *_: None)
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        nodes[node.line] = node
        waiting += node.children
    paragraph = 0
    for number, raw in enumerate(split_lines(text), start=1):
        content, mark, comment = raw.partition("#")
        if not content.strip() and not mark:
            paragraph += 1
        yield SourceLine(nodes.get(number), (mark + comment).rstrip(), paragraph)


def depths(lines: list[SourceLine]) -> list[int]:
    """The depth of each line; a comment has that of the next line, at the end that of the last."""
    depth = next((line.node.depth for line in reversed(lines) if line.node is not None), 0)
    found: list[int] = []
    for line in reversed(lines):
        depth = line.node.depth if line.node is not None else depth
        found.append(depth)
    return found[::-1]


def column_widths(lines: list[SourceLine]) -> dict[tuple[int, int], int]:
    """The width of the names in each paragraph."""
    widths: dict[tuple[int, int], int] = {}
    for line in lines:
        if is_entry(line):
            key = neighbours(line)
            width = len(line.head)
            if width <= WIDEST_COLUMN:
                widths[key] = max(widths.get(key, 0), width)
    return widths


def is_entry(line: SourceLine) -> bool:
    """Whether a line belongs to a section, and has something to align."""
    return line.node is not None and line.node.depth >= 2 and bool(line.rest)


def neighbours(line: SourceLine) -> tuple[int, int]:
    assert line.node is not None
    return id(line.node.parent), line.paragraph


def write_line(line: SourceLine, widths: dict[tuple[int, int], int]) -> str:
    assert line.node is not None
    head = line.head
    if is_entry(line):
        head = head.ljust(widths.get(neighbours(line), 0)) + " "
    elif line.rest:
        head += " "
    text = INDENT * line.node.depth + head + line.rest
    return f"{text}  {line.comment}" if line.comment else text
