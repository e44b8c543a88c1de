"""Reads a position in words; what is left out is as cards print it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludex.core.errors import InvalidState
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.position.facts import Item, Position, Side, to_native
from ludex.worlds.hearthstone.position.names import (
    CARDS,
    CHOICES,
    HAND_BITS,
    HERO_BITS,
    MINION_BITS,
    PHASES,
    SETS,
    UNTIL,
    bits_of,
    names_of,
)
from ludex.worlds.hearthstone.position.printed import (
    AURA_FLAG,
    Printed,
    derived_numbers,
    next_slot,
    usual_power,
)

ITEM = re.compile(r"([^(),\s]+)(?:\(([^()]*)\))?")
PAIR = re.compile(r"([+-]?\d+)/([+-]?\d+)")
NUMBER = re.compile(r"[+-]?\d+")


class Reader:
    """Reads a position in words; what is left out is as cards print it."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.names = names_of(tables)

    def read(self, text: str) -> str:
        """The native text of a position; InvalidState names the word that cannot be read."""
        first, *rest = text.split()
        if first != "hearthstone":
            raise InvalidState("a position begins with 'hearthstone'")
        self.order = 0
        self.slots: set[int] = set()
        position = Position()
        given: set[str] = set()
        side: Side | None = None
        for word in rest:
            name, equals, value = word.partition("=")
            if word in ("p0", "p1"):
                side = position.sides[int(word[1])]
            elif not equals:
                raise InvalidState(f"expected NAME=VALUE, p0 or p1, found {word[:60]!r}")
            elif side is None:
                given.add(name)
                self.read_top(position, name, value)
            else:
                self.read_side(side, name, value)
        self.derive(position, given)
        return to_native(position)

    def derive(self, position: Position, given: set[str]) -> None:
        derived = {"order": self.order} | derived_numbers(self.tables, position)
        for name, value in derived.items():
            if name not in given and value:
                position.numbers[name] = value
        if position.offered:
            position.numbers["choices"] = len(position.offered)
        for side in position.sides:
            numbers = side.numbers
            numbers.setdefault("power", usual_power(self.tables, numbers.get("hero", 0)))

    def read_top(self, position: Position, name: str, value: str) -> None:
        if name == "offered":
            position.offered = [self.names.number(word) for word in value.split(",")]
        elif name in ("phase", "choice"):
            listed = PHASES if name == "phase" else CHOICES
            if value not in listed:
                raise InvalidState(f"unknown {name} {value!r}; known: {', '.join(listed)}")
            position.numbers[name] = listed.index(value)
        elif name in CARDS:
            position.numbers[name] = self.names.number(value)
        else:
            position.numbers[name] = whole(name, value)

    def read_side(self, side: Side, name: str, value: str) -> None:
        numbers = side.numbers
        if name == "health":
            now, slash, most = value.partition("/")
            numbers["health"] = whole(name, now)
            if slash:
                numbers["max_health"] = whole(name, most)
        elif name == "mana":
            now, slash, most = value.partition("/")
            numbers["mana"] = whole(name, now)
            if slash:
                numbers["crystals"] = whole(name, most)
        elif name == "weapon":
            self.read_weapon(numbers, value)
        elif name == "flags":
            numbers[name] = bits_of(value, HERO_BITS)
        elif name in CARDS:
            numbers[name] = self.names.number(value)
        elif name == "hand":
            side.hand = [self.held(*one) for one in self.items(name, value)]
        elif name == "deck":
            side.deck = [self.names.number(word) for word in reversed(value.split(","))]
        elif name == "secrets":
            side.secrets = [self.secret(*one) for one in self.items(name, value)]
        elif name == "board":
            side.board = [self.minion(*one) for one in self.items(name, value)]
        else:
            numbers[name] = whole(name, value)

    def items(self, name: str, value: str) -> Iterator[tuple[int, list[str]]]:
        """Cards with what stands in brackets behind them."""
        at = 0
        while at < len(value):
            found = ITEM.match(value, at)
            if not found or value[found.end() : found.end() + 1] not in ("", ","):
                raise InvalidState(f"cannot read {value[at : at + 40]!r} in {name}")
            yield self.names.number(found[1]), found[2].split(",") if found[2] else []
            at = found.end() + 1

    def read_weapon(self, numbers: dict[str, int], value: str) -> None:
        [(card, parts)] = self.items("weapon", value)
        printed = self.tables.card(card)
        numbers["weapon"] = card
        numbers["weapon_attack"], numbers["durability"] = printed.attack, printed.health
        for part in parts:
            if found := PAIR.fullmatch(part):
                numbers["weapon_attack"], numbers["durability"] = int(found[1]), int(found[2])
            elif not part.startswith("order="):
                raise unknown(part, "weapon")
        numbers["weapon_order"] = self.take_order(parts)

    def held(self, card: int, parts: list[str]) -> Item:
        item = Item(card, {"flags": 0})
        for part in parts:
            if found := PAIR.fullmatch(part):
                item.numbers |= {"attack": int(found[1]), "health": int(found[2])}
            elif part.startswith("cost"):
                item.numbers["cost"] = whole("cost", part.removeprefix("cost"))
            elif part in HAND_BITS:
                item.numbers["flags"] |= HAND_BITS[part]
            else:
                raise unknown(part, "hand")
        return item

    def secret(self, card: int, parts: list[str]) -> Item:
        for part in parts:
            if not part.startswith("order="):
                raise unknown(part, "secrets")
        return Item(card, {"order": self.take_order(parts)})

    def minion(self, card: int, parts: list[str]) -> Item:
        if not card:
            raise InvalidState("a minion on the board has a name")
        item = Item(card)
        numbers = item.numbers
        flags, aura, stats = 0, "", None
        for part in parts:
            name, equals, value = part.partition("=")
            if found := PAIR.fullmatch(part):
                stats = int(found[1]), int(found[2])
            elif part.startswith("buff"):
                item.enchants.append(self.enchant(part))
            elif part in ("aura", "no-aura"):
                aura = part
            elif part in MINION_BITS:
                flags |= MINION_BITS[part]
            elif name in ("keywords", "aura_keywords"):
                numbers[name] = bits_of(value, words.KEYWORDS)
            elif equals and name not in ("order", "slot"):
                numbers["max_health" if name == "max" else name] = whole(name, value)
            elif not equals:
                raise unknown(part, "board")
        numbers["flags"] = flags
        printed = Printed(self.tables, item)
        if printed.has_aura if not aura else aura == "aura":
            numbers["flags"] |= AURA_FLAG
        attack, health = stats or (printed.attack, printed.max_health)
        numbers |= {"attack": attack, "health": health}
        numbers.setdefault("max_health", max(printed.max_health, health))
        for name in ("base_attack", "base_health", "spell_damage", "events", "keywords"):
            numbers.setdefault(name, getattr(printed, name))
        numbers["slot"] = self.take_slot(parts)
        numbers["order"] = self.take_order(parts)
        return item

    def enchant(self, text: str) -> tuple[int, ...]:
        first, *parts = text.removeprefix("buff").split(":")
        found = PAIR.fullmatch(first)
        if not found:
            raise InvalidState(f"expected a change such as buff+1/+1, found {text[:60]!r}")
        sets = until = keywords = script = order = 0
        for part in parts:
            name, _, value = part.partition("=")
            if part in SETS:
                sets |= 1 << SETS.index(part)
            elif part in UNTIL:
                until |= UNTIL.index(part)
            elif part == "of-1":
                until |= 0x80
            elif name == "keywords":
                keywords = bits_of(value, words.KEYWORDS)
            elif name == "text":
                script = self.names.number(value)
            elif name == "order":
                order = whole(name, value)
            else:
                raise unknown(part, "a change")
        return (int(found[1]), int(found[2]), sets, until, keywords, script, order)

    def take_order(self, parts: list[str]) -> int:
        order = given_number(parts, "order", self.order + 1)
        self.order = max(self.order, order)
        return order

    def take_slot(self, parts: list[str]) -> int:
        slot = given_number(parts, "slot", next_slot(self.slots))
        self.slots.add(slot)
        return slot


def given_number(parts: list[str], name: str, usual: int) -> int:
    named = [part for part in parts if part.startswith(f"{name}=")]
    return whole(name, named[-1].partition("=")[2]) if named else usual


def unknown(word: str, where: str) -> InvalidState:
    return InvalidState(f"cannot read {word[:60]!r} in {where}")


def whole(name: str, text: str) -> int:
    if not NUMBER.fullmatch(text) or len(text) > 12:
        raise InvalidState(f"{name} is a number, not {text[:60]!r}")
    return int(text)
