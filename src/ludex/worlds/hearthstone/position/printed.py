"""What follows from cards and from what is in play, which a position in words leaves out."""

from __future__ import annotations

from ludex.worlds.hearthstone.language.tables import Card, Tables
from ludex.worlds.hearthstone.position.facts import Item, Position
from ludex.worlds.hearthstone.position.names import MINION_FLAGS

AURA_FLAG = 1 << MINION_FLAGS.index("aura")
SILENCED = 1
USUAL_HEALTH = 30


def events_of(card: Card) -> int:
    events = 0
    for trigger in card.triggers:
        events |= 1 << trigger[0]
    return events


def has_aura(card: Card) -> bool:
    return bool(card.auras or card.enrage_attack or card.enrage_keywords)


class Printed:
    """What follows of a minion from its card, its enchantments and what else is said of it."""

    def __init__(self, tables: Tables, item: Item) -> None:
        card, numbers = tables.card(item.card), item.numbers
        gains = [one for one in item.enchants if not one[2]]
        silenced = bool(numbers.get("flags", 0) & SILENCED)
        scripts = [tables.card(one[5]) for one in item.enchants if one[5]]
        self.base_attack, self.base_health = card.attack, card.health
        self.attack = card.attack + sum(one[0] for one in gains)
        self.max_health = card.health + sum(one[1] for one in gains)
        self.max_health += numbers.get("aura_health", 0)
        self.keywords = 0 if silenced else card.keywords
        self.spell_damage = 0 if silenced else card.spell_damage
        self.events = 0 if silenced else events_of(card)
        for script in scripts:
            self.events |= events_of(script)
            self.spell_damage += script.spell_damage
        for one in item.enchants:
            self.keywords |= one[4]
        self.has_aura = has_aura(card) and not silenced


def next_slot(slots: set[int]) -> int:
    """The lowest that is not taken."""
    return next(slot for slot in range(len(slots) + 1) if slot not in slots)


def usual_power(tables: Tables, hero: int) -> int:
    return tables.number(tables.card(hero).power) if hero else 0


def derived_numbers(tables: Tables, position: Position) -> dict[str, int]:
    """What listens, and whether there are auras: they follow from what is in play."""
    events, aura = 0, False
    for side in position.sides:
        for item in side.board:
            numbers = item.numbers
            events |= numbers.get("events", 0)
            aura = aura or bool(numbers.get("flags", 0) & AURA_FLAG)
            gifts = ("aura_attack", "aura_health", "aura_keywords")
            aura = aura or any(numbers.get(name, 0) for name in gifts)
        if weapon := side.numbers.get("weapon", 0):
            events |= events_of(tables.card(weapon))
            aura = aura or bool(tables.card(weapon).auras or side.numbers.get("weapon_aura", 0))
        for secret in side.secrets:
            events |= events_of(tables.card(secret.card)) if secret.card else 0
    return {"events": events, "auras": 3 if aura else 0}
