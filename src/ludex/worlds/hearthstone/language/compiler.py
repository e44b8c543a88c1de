"""The card language: reads card files and compiles them, with line-accurate errors.

A file is a list of cards. A card is a headline and indented rules that say what it does:

    minion CS2_189 "Elven Archer" neutral free 1 mana 1/1
      battlecry on any character: damage 1 target

`docs/worlds/hearthstone_cards.md` is the reference of the language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.headlines import read_headline, stand_in
from ludex.worlds.hearthstone.language.lexer import BadCard, CardLine, read_lines
from ludex.worlds.hearthstone.language.pools import read_pool
from ludex.worlds.hearthstone.language.rules import RuleReader, check_rules
from ludex.worlds.hearthstone.language.tables import Card, Tables

MOST_TEXT = 1_000_000  # characters of a file; all classic cards have 60,000
MOST_LINES = 30  # of one card
MOST_ROWS = 32_767  # cards, groups, values and instructions of a card set


class Compiler:
    """Compiles card files into tables; later files may use the cards of earlier ones.

    The first mistake is raised; with `keep_going` all of them are kept in `mistakes`.
    """

    def __init__(self, keep_going: bool = False) -> None:
        self.tables = Tables()
        self.rules: dict[int, tuple[Card, list[CardLine]]] = {}
        """each card with the lines of its rules, by its number"""
        self.pool_lines: list[CardLine] = []
        self.keep_going = keep_going
        self.mistakes: list[BadCard] = []

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Keep a mistake and go on behind it, if that is asked for."""
        try:
            yield
        except BadCard as mistake:
            if not self.keep_going:
                raise
            self.mistakes.append(mistake)

    def add(self, text: str, file: str, profile: str = "") -> None:
        """Read the headlines of one file; `finish` compiles the rules of all files."""
        if len(text) > MOST_TEXT:
            raise BadCard(f"{file} has {len(text)} characters; at most {MOST_TEXT} can be cards")
        card: Card | None = None
        rules: list[CardLine] = []
        is_unread = False  # rules of a card that could not be read are no mistakes of their own
        for line in read_lines(text, file):
            with self.noting():
                if not line.indented:
                    card, is_unread = None, True
                    if line.tokens[0] == "pool":
                        self.pool_lines.append(line)
                    else:
                        card = self.read_headline(line, profile)
                        rules = self.start_rules(card) if card else []
                    is_unread = card is None and line.tokens[0] != "pool"
                elif card is None and not is_unread:
                    raise line.fail("an indented line must follow the headline of a card")
                elif card is not None and len(rules) == MOST_LINES:
                    raise line.fail(f"{card.key} has more than {MOST_LINES} lines")
                elif card is not None:
                    rules.append(line)

    def read_headline(self, line: CardLine, profile: str) -> Card | None:
        """Read a card; one that cannot be read has a stand-in if all mistakes are wanted."""
        card = None
        with self.noting():
            card = read_headline(self.tables, line)
            card.profile = profile
        return card or stand_in(self.tables, line)

    def start_rules(self, card: Card) -> list[CardLine]:
        """The list for the rules of a card; rules of a card that it changes are dropped."""
        number = self.tables.number(card.key)
        self.rules.pop(number, None)
        self.rules[number] = (card, [])
        return self.rules[number][1]

    def finish(self) -> Tables:
        """Compile pools and rules once all cards are known."""
        for line in self.pool_lines:
            with self.noting():
                read_pool(self.tables, line)
        self.tables.program.append((words.OP["end"], 0, 0, 0, 0, 0))
        for card, lines in self.rules.values():
            reader = RuleReader(self.tables, card)
            count = len(self.mistakes)
            for line in lines:
                with self.noting():
                    reader.read(line)
                    card.rules.append(" ".join(line.text.split()))
            if len(self.mistakes) == count:  # else what is missing is a mistake told before
                with self.noting():
                    check_rules(card)
        self.check_size()
        return self.tables

    def check_size(self) -> None:
        """Refuse more rows than the native tables can index."""
        tables = self.tables
        sizes = {
            "cards": len(tables.cards),
            "pools": len(tables.pools),
            "groups of characters": len(tables.groups),
            "values": len(tables.values),
            "statements": len(tables.program),
            "gifts": len(tables.grants),
            "triggers": sum(len(card.triggers) for card in tables.cards),
            "auras": sum(len(card.auras) for card in tables.cards),
            "needs": sum(len(card.needs) for card in tables.cards),
        }
        for what, size in sizes.items():
            if size > MOST_ROWS:
                raise BadCard(f"these files have {size} {what}; a card set has at most {MOST_ROWS}")


def compile_texts(texts: Iterable[tuple[str, str, str]]) -> Tables:
    """Compile card files in order, each as text, file name and profile."""
    compiler = Compiler()
    for text, file, profile in texts:
        compiler.add(text, file, profile)
    return compiler.finish()
