"""Rules of cards, the indented lines below a headline: `battlecry on any character: damage 1`."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.core.errors import did_you_mean
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.expressions import (
    NO_CONDITION,
    read_condition,
    read_count,
    read_group,
    read_value,
)
from ludex.worlds.hearthstone.language.lexer import (
    HIGHEST,
    NUMBER,
    PAIR,
    BadCard,
    CardLine,
    Cursor,
    shown,
)
from ludex.worlds.hearthstone.language.names import (
    HELD,
    read_card,
    read_granted_keyword,
    read_new_key,
)
from ludex.worlds.hearthstone.language.statements import read_program
from ludex.worlds.hearthstone.language.tables import Card, Row, Tables
from ludex.worlds.hearthstone.language.triggers import read_trigger

TEXT_TYPES = {"battlecry": ("minion", "weapon"), "cast": ("spell",), "use": ("power",)}
"""card types that have these rules"""
MINIONS_ONLY = ("discarded", "joins", "enrage")
COST_AURA, WEAPON_AURA = 1, 2
ALL_CARD_TYPES = 7
NEEDS_TARGET, OPTIONAL_TARGET = 1, 2
LEAPS_WHEN_DISCARDED, LEAPS_WITH_RACE = 1, 2


@dataclass(slots=True)
class Aura:
    """A lasting change to other cards, such as `aura other own minions: +1/+0`."""

    kind: int = 0
    group: int = -1
    attack: int = 0
    health: int = 0
    keywords: int = 0
    condition: Row = NO_CONDITION
    types: int = 0
    sides: int = 1
    least: int = 0
    first: int = 0
    """of a cost: only the first card of a turn; of a group: once for each that is counted"""

    def row(self) -> Row:
        return (
            *(self.kind, self.group, self.attack, self.health, self.keywords, *self.condition),
            *(self.types, self.sides, self.least, self.first),
        )


class RuleReader:
    """Reads the rules of one card into it."""

    def __init__(self, tables: Tables, card: Card) -> None:
        self.tables = tables
        self.card = card
        self.kind = words.TYPES[card.type]

    def read(self, line: CardLine) -> None:
        """Read one rule; its first word says which one it is."""
        cursor = Cursor(line)
        label = cursor.take()
        if label in MINIONS_ONLY and self.kind != "minion":
            raise cursor.fail(f"{label!r} is for a minion, but this is a {self.kind}")
        match label:
            case "battlecry" | "cast" | "use":
                self.read_text(cursor, label)
            case "deathrattle":
                self.read_deathrattle(cursor)
            case "choose":
                self.read_option(cursor)
            case "enrage":
                self.read_enrage(cursor)
            case "aura":
                self.card.auras.append(self.read_aura(cursor).row())
            case "when" | "after":
                self.card.triggers.append(read_trigger(self.tables, cursor, self.card, label))
            case "cheaper":
                cursor.expect("by")
                self.card.cheaper = read_value(self.tables, cursor, self.card)
            case "needs":
                self.card.needs.append(read_condition(self.tables, cursor, self.card))
            case "power":
                self.read_power(cursor)
            case "discarded":
                self.card.leaps = LEAPS_WHEN_DISCARDED
            case "joins":
                self.read_joins(cursor)
            case _:
                raise cursor.fail(f"unknown rule {label!r}{did_you_mean(label, words.RULES)}")
        if cursor.next:
            raise cursor.fail(f"cannot read {shown(cursor.next)} here")

    # What the card does when it is played, and later

    def read_text(self, cursor: Cursor, label: str) -> None:
        """`battlecry`, `cast` or `use`: what happens when the card is played."""
        expected = TEXT_TYPES[label]
        if self.kind not in expected:
            kinds = " or ".join(expected)
            raise cursor.fail(f"{label!r} is for a {kinds}, but this is a {self.kind}")
        if self.card.program >= 0:
            raise cursor.fail(f"{self.card.key} has a {label!r} already")
        read_target(self.tables, cursor, self.card, is_optional=label == "battlecry")
        cursor.expect(":")
        self.card.program = read_program(self.tables, cursor, self.card)

    def read_deathrattle(self, cursor: Cursor) -> None:
        if self.kind == "spell":
            raise cursor.fail("a spell does not die; write 'cast'")
        if self.card.deathrattle >= 0:
            raise cursor.fail(f"{self.card.key} has a 'deathrattle' already")
        cursor.expect(":")
        self.card.deathrattle = read_program(self.tables, cursor, self.card)

    def read_option(self, cursor: Cursor) -> None:
        """`choose KEY "Name" on GROUP needs CONDITION: STATEMENTS`: one of two choices."""
        card, tables = self.card, self.tables
        if self.kind not in HELD:
            raise cursor.fail(f"a {self.kind} offers no choices")
        key = read_new_key(cursor)
        name = cursor.name("choice")
        if key in tables.numbers:
            raise cursor.fail(f"there is a card {key} already")
        option = Card(key, name, card.type, cursor.line.number, cursor.line.file)
        option.hero_class, option.cost, option.collectible = card.hero_class, card.cost, False
        option.attack, option.health = card.attack, card.health
        number = tables.add(option)
        read_target(tables, cursor, option, is_optional=self.kind != "spell")
        while cursor.skip("needs"):
            option.needs.append(read_condition(tables, cursor, option))
        cursor.expect(":")
        option.program = read_program(tables, cursor, option)
        card.options.append(number)
        if len(card.options) > 2:
            raise cursor.fail("a card offers two choices")

    # What it is and does by itself

    def read_enrage(self, cursor: Cursor) -> None:
        cursor.expect(":")
        while cursor.next:
            if NUMBER.fullmatch(cursor.next):
                self.card.enrage_attack = cursor.number(-HIGHEST, HIGHEST)
                cursor.expect("attack")
            else:
                self.card.enrage_keywords |= read_granted_keyword(cursor)

    def read_aura(self, cursor: Cursor) -> Aura:
        """`aura GROUP: +1/+1 taunt`, `aura cost own spells -1`, `aura weapon 1`."""
        aura = Aura()
        if cursor.skip("cost"):
            self.read_cost_aura(cursor, aura)
        elif cursor.skip("weapon"):
            aura.kind, aura.attack = WEAPON_AURA, cursor.number(-HIGHEST, HIGHEST)
        else:
            self.read_group_aura(cursor, aura)
        if cursor.skip("while"):
            aura.condition = read_condition(self.tables, cursor, self.card)
        elif cursor.skip("each"):
            aura.condition = (read_count(self.tables, cursor, self.card), 0, 0)
            aura.first = 1
        return aura

    def read_cost_aura(self, cursor: Cursor, aura: Aura) -> None:
        aura.kind = COST_AURA
        aura.sides = words.SIDES[cursor.one_of(words.SIDES)]
        aura.first = int(cursor.skip("first"))
        aura.types = words.CARD_TYPES[cursor.one_of(words.CARD_TYPES)] or ALL_CARD_TYPES
        aura.attack = cursor.number(-HIGHEST, HIGHEST)
        if cursor.skip("least"):
            aura.least = cursor.number(0, HIGHEST)

    def read_group_aura(self, cursor: Cursor, aura: Aura) -> None:
        aura.group = read_group(self.tables, cursor, self.card)
        cursor.expect(":")
        while cursor.next and cursor.next not in ("while", "each"):
            if PAIR.fullmatch(cursor.next):
                aura.attack, aura.health = cursor.pair("attack and health")
            else:
                aura.keywords |= read_granted_keyword(cursor)

    def read_power(self, cursor: Cursor) -> None:
        """`power KEY`: the power of a hero."""
        if self.kind != "hero":
            raise cursor.fail(f"'power' is for a hero, but this is a {self.kind}")
        does = f"{self.card.key} has the power"
        number = read_card(self.tables, cursor, does, ("power",))
        self.card.power = self.tables.card(number).key

    def read_joins(self, cursor: Cursor) -> None:
        """`joins pirates`: the card comes into play with cards of its own race."""
        race = cursor.take()
        if not self.card.races & words.RACE_BITS.get(words.PLURALS.get(race, race), 0):
            raise cursor.fail(f"a card joins cards of its own race, not {shown(race)}")
        self.card.leaps = LEAPS_WITH_RACE


def read_target(tables: Tables, cursor: Cursor, card: Card, is_optional: bool) -> None:
    """Read the target of a card, if it has one: `on GROUP if CONDITION`."""
    if not cursor.skip("on"):
        return
    card.aim = OPTIONAL_TARGET if is_optional else NEEDS_TARGET
    card.target = read_group(tables, cursor, card)
    if cursor.skip("if", "combo"):
        card.aim_combo = 1
    elif cursor.skip("if"):
        card.aim_when = read_condition(tables, cursor, card)


def check_rules(card: Card) -> None:
    """Refuse rules that do not go together."""
    is_spell = words.TYPES[card.type] == "spell"
    is_secret = card.keywords & words.KEYWORDS["secret"]
    problem = ""
    if is_secret and (card.program >= 0 or not card.triggers):
        problem = "a secret has a 'when' or 'after' that reveals it, and no 'cast'"
    elif is_spell and card.triggers and not is_secret:
        problem = "a spell has no 'when' or 'after' unless it is a secret"
    elif is_spell and card.options and card.program >= 0:
        problem = "a spell has a 'cast' or two choices, not both"
    elif len(card.options) == 1:
        problem = "a card offers two choices, not one"
    if problem:
        raise BadCard(f"{card.file}:{card.line}: {card.key} cannot be: {problem}")
