"""Card files as lines of tokens: the tokenizer, a cursor over a line, the bounds of numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from ludex.core.errors import LudexError

TOKEN = re.compile(
    r'"[^"]*"|[+-]?[0-9]+/[+-]?[0-9]+|[+-]?[0-9]+|[A-Za-z_][\w\'.-]*|<=|>=|==|!=|[{};:,*()]'
)
NUMBER = re.compile(r"[+-]?[0-9]+")
SIGNED = re.compile(r"[+-][0-9]+")
PAIR = re.compile(r"[+-]?[0-9]+/[+-]?[0-9]+")
KEY = re.compile(r"[A-Za-z_]\w{0,39}")
LONGEST = 400  # characters of a line
LONGEST_NAME = 60
# Numbers of cards; in play they stay within the bounds of native/numbers.hpp.
HIGHEST = 99  # costs, attack, health, what is given or repeated
MOST = 999  # damage, healing, cards and the like, and what they are compared with


class BadCard(LudexError):
    """A card file cannot be read."""


@dataclass
class CardLine:
    """One line of a card file, without its comment."""

    file: str
    number: int
    text: str

    @property
    def indented(self) -> bool:
        return self.text[0] in " \t"

    @cached_property
    def tokens(self) -> list[str]:
        return list(tokenize(self.text, self))

    def fail(self, reason: str) -> BadCard:
        return BadCard(f"{self.file}:{self.number}: {reason}")


def read_lines(text: str, file: str) -> Iterator[CardLine]:
    """Split a text into lines; comments start with #."""
    for number, raw in enumerate(text.splitlines(), 1):
        body = strip_comment(raw)
        if body.strip():
            yield CardLine(file, number, body)


def tokenize(body: str, line: CardLine) -> Iterator[str]:
    """Yield the tokens of a line without its comment; `line` says where, in errors."""
    if len(body) > LONGEST:
        raise line.fail(f"the line has {len(body)} characters, more than {LONGEST}")
    at = 0
    while at < len(body):
        if body[at] in " \t":
            at += 1
            continue
        found = TOKEN.match(body, at)
        if found is None:
            raise line.fail(f"cannot read {body[at : at + 12]!r}")
        yield found.group()
        at = found.end()


def strip_comment(raw: str) -> str:
    inside = False
    for index, letter in enumerate(raw):
        if letter == '"':
            inside = not inside
        if letter == "#" and not inside:
            return raw[:index]
    return raw


class Cursor:
    """A position in the tokens of a line."""

    def __init__(self, line: CardLine, at: int = 0) -> None:
        self.line = line
        self.tokens = line.tokens
        self.at = at

    @property
    def next(self) -> str:
        """The next token; "" at the end of the line."""
        return self.peek(0)

    def peek(self, ahead: int) -> str:
        """The token so many after the next one."""
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def take(self) -> str:
        """Return the next token and step over it; "" at the end of the line."""
        word = self.next
        self.at += 1
        return word

    def skip(self, *phrase: str) -> bool:
        """Step over these tokens if they come next."""
        if tuple(self.tokens[self.at : self.at + len(phrase)]) == phrase:
            self.at += len(phrase)
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.skip(word):
            raise self.line.fail(f"expected {word!r}, found {shown(self.next)}")

    def number(self, least: int = -MOST, most: int = MOST) -> int:
        """An integer within these bounds."""
        word = self.next
        if not NUMBER.fullmatch(word):
            raise self.line.fail(f"expected a number, found {shown(word)}")
        self.at += 1
        return self.within(word, least, most)

    def pair(self, what: str, least: int = -HIGHEST) -> tuple[int, int]:
        """Two numbers such as +1/+1."""
        word = self.next
        if not PAIR.fullmatch(word):
            raise self.fail(f"expected {what}, as in +1/+1, found {shown(word)}")
        self.at += 1
        first, second = word.split("/")
        return self.within(first, least, HIGHEST), self.within(second, least, HIGHEST)

    def within(self, word: str, least: int, most: int) -> int:
        value = int(word)
        if not least <= value <= most:
            raise self.line.fail(f"{word} is not between {least} and {most}")
        return value

    def name(self, of: str) -> str:
        """A name in quotes."""
        word = self.take()
        if not word.startswith('"'):
            raise self.fail(f"expected the name of the {of} in quotes, found {shown(word)}")
        name = word.strip('"')
        if not name.strip() or name != name.strip() or not name.isprintable():
            raise self.fail(
                f"{name!r} is no name: use printable characters, without blanks at the ends"
            )
        if len(name) > LONGEST_NAME:
            raise self.fail(f"a name of {len(name)} characters has more than {LONGEST_NAME}")
        return name

    def one_of(self, known: Collection[str]) -> str:
        """One of these words, or its plural."""
        word = self.take()
        word = word if word in known else word.removesuffix("s")
        if word not in known:
            raise self.fail(f"expected one of {', '.join(known)}, found {shown(word)}")
        return word

    def fail(self, reason: str) -> BadCard:
        return self.line.fail(reason)


def shown(word: str) -> str:
    return repr(word) if word else "the end of the line"
