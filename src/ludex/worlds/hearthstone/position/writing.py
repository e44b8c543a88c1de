"""Writes a position in words."""

from __future__ import annotations

from collections.abc import Iterator

from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.position.facts import Item, Position, Side, from_native, numbered
from ludex.worlds.hearthstone.position.names import (
    CARDS,
    CHOICES,
    HAND_BITS,
    HERO_BITS,
    MINION_BITS,
    PHASES,
    SETS,
    UNTIL,
    bits_text,
    names_of,
)
from ludex.worlds.hearthstone.position.printed import (
    AURA_FLAG,
    USUAL_HEALTH,
    Printed,
    derived_numbers,
    next_slot,
    usual_power,
)


class Writer:
    """Writes a position with the names of cards."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.names = names_of(tables)

    def write(self, native: str) -> str:
        position = from_native(native)
        self.order = 0
        self.slots: set[int] = set()
        sides = [self.side(side) for side in position.sides]
        return " ".join(["hearthstone", *self.top(position), *self.joined(sides)])

    def joined(self, sides: list[list[str]]) -> Iterator[str]:
        for seat, side in enumerate(sides):
            yield f"p{seat}"
            yield from side

    def top(self, position: Position) -> Iterator[str]:
        numbers = dict(position.numbers)
        numbers.pop("choices", None)
        derived = {"order": self.order} | derived_numbers(self.tables, position)
        for name in ("order", "events", "auras"):
            value = numbers.pop(name, 0)
            if value != derived[name]:
                yield f"{name}={value}"
        for name, value in numbers.items():
            if name == "phase":
                yield f"phase={PHASES[value]}"
            elif name == "choice":
                yield f"choice={CHOICES[value]}"
            elif name in CARDS:
                yield f"{name}={self.names.word(value)}"
            else:
                yield f"{name}={value}"
        if position.offered:
            yield "offered=" + ",".join(map(self.names.word, position.offered))

    def side(self, side: Side) -> list[str]:
        numbers = dict(side.numbers)
        hero = numbers.pop("hero", 0)
        text = [f"hero={self.names.word(hero)}"]
        power = numbers.pop("power", 0)
        if power != usual_power(self.tables, hero):
            text.append(f"power={self.names.word(power)}")
        health = numbers.pop("health", USUAL_HEALTH)
        most = numbers.pop("max_health", USUAL_HEALTH)
        text.append(f"health={health}" + (f"/{most}" if most != USUAL_HEALTH else ""))
        text.append(f"mana={numbers.pop('mana', 0)}/{numbers.pop('crystals', 0)}")
        if weapon := numbers.pop("weapon", 0):
            text.append("weapon=" + self.weapon(weapon, numbers))
        if flags := numbers.pop("flags", 0):
            text.append(f"flags={bits_text(flags, HERO_BITS)}")
        if returning := numbers.pop("returning", 0):
            text.append(f"returning={self.names.word(returning)}")
        text += numbered(numbers)
        lists = {
            "hand": [self.held(one) for one in side.hand],
            "deck": [self.names.word(card) for card in reversed(side.deck)],
            "secrets": [self.secret(one) for one in side.secrets],
            "board": [self.minion(one) for one in side.board],
        }
        return text + [f"{name}={','.join(items)}" for name, items in lists.items() if items]

    def weapon(self, card: int, numbers: dict[str, int]) -> str:
        attack = numbers.pop("weapon_attack", 0)
        durability = numbers.pop("durability", 0)
        printed = self.tables.card(card)
        parts = []
        if (attack, durability) != (printed.attack, printed.health):
            parts.append(f"{attack}/{durability}")
        parts += self.ordered(numbers.pop("weapon_order", 0))
        return self.item(card, parts)

    def held(self, item: Item) -> str:
        numbers, parts = item.numbers, []
        if cost := numbers.get("cost", 0):
            parts.append(f"cost{cost:+}")
        if numbers.get("attack", 0) or numbers.get("health", 0):
            parts.append(f"{numbers['attack']:+}/{numbers['health']:+}")
        if flags := numbers.get("flags", 0):
            parts += bits_text(flags, HAND_BITS).split("+")
        return self.item(item.card, parts)

    def secret(self, item: Item) -> str:
        return self.item(item.card, self.ordered(item.numbers["order"]))

    def minion(self, item: Item) -> str:
        numbers = dict(item.numbers)
        printed = Printed(self.tables, item)
        parts: list[str] = []
        attack, health = numbers.pop("attack", 0), numbers.pop("health", 0)
        most = numbers.pop("max_health", 0)
        if (attack, health) != (printed.attack, printed.max_health):
            parts.append(f"{attack}/{health}")
        if most != max(printed.max_health, health):
            parts.append(f"max={most}")
        flags = numbers.pop("flags", 0)
        if bool(flags & AURA_FLAG) != printed.has_aura:
            parts.append("aura" if flags & AURA_FLAG else "no-aura")
        if flags & ~AURA_FLAG:
            parts += bits_text(flags & ~AURA_FLAG, MINION_BITS).split("+")
        keywords = numbers.pop("keywords", 0)
        if keywords != printed.keywords:
            parts.append(f"keywords={bits_text(keywords, words.KEYWORDS)}")
        if gift := numbers.pop("aura_keywords", 0):
            parts.append(f"aura_keywords={bits_text(gift, words.KEYWORDS)}")
        for name in ("base_attack", "base_health", "spell_damage", "events"):
            value = numbers.pop(name, 0)
            if value != getattr(printed, name):
                parts.append(f"{name}={value}")
        parts += [self.enchant(one) for one in item.enchants]
        parts += self.slotted(numbers.pop("slot")) + self.ordered(numbers.pop("order", 0))
        return self.item(item.card, [*parts, *numbered(numbers)])

    def enchant(self, facts: tuple[int, ...]) -> str:
        attack, health, sets, until, keywords, script, order = facts
        parts = [f"buff{attack:+}/{health:+}"]
        parts += [word for bit, word in enumerate(SETS) if sets >> bit & 1]
        if until & 0x7F:
            parts.append(UNTIL[until & 0x7F])
        if until & 0x80:
            parts.append("of-1")
        if keywords:
            parts.append(f"keywords={bits_text(keywords, words.KEYWORDS)}")
        if script:
            parts.append(f"text={self.names.word(script)}")
        if order:
            parts.append(f"order={order}")
        return ":".join(parts)

    def ordered(self, order: int) -> list[str]:
        usual = self.order + 1
        self.order = max(self.order, order)
        return [] if order == usual else [f"order={order}"]

    def slotted(self, slot: int) -> list[str]:
        usual = next_slot(self.slots)
        self.slots.add(slot)
        return [] if slot == usual else [f"slot={slot}"]

    def item(self, card: int, parts: list[str]) -> str:
        word = self.names.word(card)
        return f"{word}({','.join(parts)})" if parts else word
