"""Problems of a game description, and the words of its lines, for the strict checker."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ludex.core.errors import did_you_mean
from ludex.worlds.vgdl.language.definition import GameProblem
from ludex.worlds.vgdl.language.tree import LineNode, split_lines
from ludex.worlds.vgdl.language.values import Fault

MAX_PROBLEMS = 200  # more do not help the author
MAX_HINTS = 50  # suggestions cost time
LONGEST_QUOTE = 40


class TooMany(Exception):
    """So many problems are found that the check stops."""


@dataclass(slots=True)
class Word:
    """A word of a line with its column."""

    text: str
    column: int


@dataclass(slots=True)
class KeyValue:
    """A `key=value` word."""

    key: str
    value: str
    column: int
    node: LineNode

    @property
    def value_column(self) -> int:
        return self.column + len(self.key) + 1


class LineChecker:
    """Collects problems, and splits lines into words, pairs and the two sides of an arrow."""

    def __init__(self, file: str = "") -> None:
        self.file = file
        self.problems: list[GameProblem] = []
        self.seen: set[tuple[int, int]] = set()

    # Problems

    def error(
        self, line: int, column: int, word: str, reason: str, known: Collection[str] = ()
    ) -> None:
        """Note a mistake; only the first at each position is kept."""
        if (line, column) in self.seen:
            return
        self.seen.add((line, column))
        hint = did_you_mean(word, known) if len(self.problems) < MAX_HINTS else ""
        self.problems.append(GameProblem(line, column, word, reason, hint, "error", self.file))
        if len(self.problems) >= MAX_PROBLEMS:
            raise TooMany

    def warn(self, line: int, column: int, word: str, reason: str) -> None:
        self.problems.append(GameProblem(line, column, word, reason, "", "warning", self.file))
        if len(self.problems) >= MAX_PROBLEMS:
            raise TooMany

    def tree_error(self, line: int, column: int, word: str, reason: str) -> None:
        self.error(line, column, word, reason)

    def at(self, node: LineNode, word: Word, reason: str, known: Collection[str] = ()) -> None:
        self.error(node.line, word.column, word.text, reason, known)

    def fault(self, pair: KeyValue, fault: Fault) -> None:
        column = pair.value_column + fault.offset
        self.error(pair.node.line, column, fault.word, fault.reason, fault.known)

    # Lines

    def check_indentation(self, text: str) -> None:
        usual = ""
        for number, line in enumerate(split_lines(text), start=1):
            content = line.lstrip()
            indent = line[: len(line) - len(content)]
            if not indent or not content.partition("#")[0]:
                continue
            usual = usual or indent[0]
            if indent.strip(usual):
                names = {" ": "blanks", "\t": "tabs"}
                reason = f"indented unlike other lines: use {names.get(usual, 'blanks')} alone"
                self.error(number, 1, content.split()[0], reason)

    def words(self, node: LineNode, start: int = 0) -> list[Word]:
        return [
            Word(text, column)
            for text, column in zip(node.words[start:], node.columns[start:], strict=True)
        ]

    def split(self, node: LineNode, words: list[Word]) -> tuple[list[Word], list[KeyValue]]:
        """Separate single words from `key=value` words."""
        lone: list[Word] = []
        pairs: dict[str, KeyValue] = {}
        for word in words:
            if "=" not in word.text:
                lone.append(word)
                continue
            key, _, value = word.text.partition("=")
            if not key or not value or "=" in value:
                self.at(node, word, f"write key=value without blanks, not {quote(word.text)}")
            elif key in pairs:
                self.at(node, word, f"{quote(key)} is given twice on this line")
            else:
                pairs[key] = KeyValue(key, value, word.column, node)
        return lone, list(pairs.values())

    def no_children(self, node: LineNode) -> None:
        for child in node.children[:1]:
            word = Word(child.name, child.columns[0])
            self.at(child, word, f"nothing can be indented below {quote(node.name)}")

    def split_arrow(self, node: LineNode) -> tuple[list[Word], list[Word]] | None:
        """The words before and after the `>` of a line."""
        words = self.words(node)
        arrows = [index for index, word in enumerate(words) if word.text == ">"]
        # A level may use > itself as a character, so a first word is never the arrow.
        arrows = [index for index in arrows if index > 0]
        if not arrows:
            glued = next((word for word in words if ">" in word.text), None)
            reason = "write blanks around the '>'" if glued else "expected a '>' on this line"
            self.at(node, glued or words[0], reason)
            return None
        for index in arrows[1:]:
            self.at(node, words[index], "a line has one '>'")
        after = [word for word in words[arrows[0] + 1 :] if word.text != ">"]
        return words[: arrows[0]], after


def quote(text: str) -> str:
    """Quote a word, without the middle of a very long one."""
    if len(text) > LONGEST_QUOTE:
        text = f"{text[: LONGEST_QUOTE // 2]}...{text[-LONGEST_QUOTE // 4 :]}"
    return repr(text)


def shortened(fault: Fault) -> Fault:
    if len(fault.word) <= LONGEST_QUOTE:
        return fault
    reason = fault.reason.replace(repr(fault.word), quote(fault.word))
    return Fault(fault.word, reason, (), fault.offset)
