"""What card files compile to: tables of numbers that the native core runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Row: TypeAlias = tuple[int, ...]
COIN, SPARE_MANA, GOLEM = "GAME_005", "CS2_013t", "CFM_712_t01"
"""cards that the rules give, not other cards"""


@dataclass
class Card:
    """One card as it was read."""

    key: str
    name: str
    type: int
    line: int = 0
    file: str = ""
    hero_class: int = 0
    rarity: int = 0
    collectible: bool = True
    races: int = 0
    cost: int = 0
    attack: int = 0
    health: int = 0
    keywords: int = 0
    spell_damage: int = 0
    overload: int = 0
    aim: int = 0
    target: int = -1
    aim_combo: int = 0
    aim_when: Row = (-1, 0, 0)
    program: int = -1
    deathrattle: int = -1
    cheaper: int = -1
    triggers: list[Row] = field(default_factory=list)
    auras: list[Row] = field(default_factory=list)
    needs: list[Row] = field(default_factory=list)
    options: list[int] = field(default_factory=list)
    enrage_attack: int = 0
    enrage_keywords: int = 0
    power: str = ""
    leaps: int = 0
    profile: str = ""
    rules: list[str] = field(default_factory=list)
    """the lines below its headline, as they were written"""


@dataclass(eq=False)
class Tables:
    """All cards of a profile with their programs."""

    cards: list[Card] = field(default_factory=list)
    """card number n has index n - 1"""
    groups: list[Row] = field(default_factory=list)
    values: list[Row] = field(default_factory=list)
    program: list[Row] = field(default_factory=list)
    grants: list[Row] = field(default_factory=list)
    pools: list[list[int]] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    """card number by key"""
    pool_names: dict[str, int] = field(default_factory=dict)
    indices: dict[int, dict[Row, int]] = field(default_factory=dict, repr=False)
    """by table, the index of each row, for `intern`"""

    def number(self, key: str) -> int:
        return self.numbers.get(key, 0)

    def card(self, number: int) -> Card:
        return self.cards[number - 1]

    def add(self, card: Card) -> int:
        """Add a card; returns its number."""
        self.cards.append(card)
        self.numbers[card.key] = len(self.cards)
        return len(self.cards)

    def intern(self, table: list[Row], row: Row) -> int:
        """Return the index of a row; equal rows are stored once."""
        indices = self.indices.setdefault(id(table), {})
        if row not in indices:
            indices[row] = len(table)
            table.append(row)
        return indices[row]

    def native_rows(self) -> tuple[Any, ...]:
        """Flatten everything for the native constructor."""
        triggers: list[Row] = []
        auras: list[Row] = []
        needs: list[Row] = []
        cards: list[tuple[str, str, Row]] = []
        for card in self.cards:
            starts = (len(triggers), len(auras), len(needs))
            cards.append((card.key, card.name, self.card_row(card, *starts)))
            triggers += card.triggers
            auras += card.auras
            needs += card.needs
        special = tuple(map(self.number, (COIN, SPARE_MANA, GOLEM)))
        return (
            cards,
            self.groups,
            self.values,
            self.program,
            self.grants,
            triggers,
            auras,
            needs,
            self.pools,
            special,
        )

    def card_row(self, card: Card, triggers: int, auras: int, needs: int) -> Row:
        """The numbers of a card, whose triggers, auras and needs start at these indices."""
        events = 0
        for trigger in card.triggers:
            events |= 1 << trigger[0]
        return (
            card.type,
            card.hero_class,
            card.rarity,
            int(card.collectible),
            card.races,
            card.cost,
            card.attack,
            card.health,
            card.keywords,
            card.spell_damage,
            card.overload,
            card.aim,
            card.target,
            card.aim_combo,
            *card.aim_when,
            card.program,
            card.deathrattle,
            card.cheaper,
            triggers,
            len(card.triggers),
            auras,
            len(card.auras),
            needs,
            len(card.needs),
            *[*card.options, 0, 0][:2],
            card.enrage_attack,
            card.enrage_keywords,
            self.number(card.power),
            events,
            card.leaps,
        )
