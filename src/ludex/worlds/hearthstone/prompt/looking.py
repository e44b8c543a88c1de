"""What `look` tells: the whole of a card in hand, of a minion, a hero or any card by its name."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

from ludex.core.paint import paint
from ludex.worlds.hearthstone.deck_file import by_name, near_card
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Card
from ludex.worlds.hearthstone.prompt.names import (
    ENEMY_HERO,
    FIRST_ENEMY,
    FIRST_OWN,
    OWN_HERO,
    Names,
)
from ludex.worlds.hearthstone.prompt.reading import called
from ludex.worlds.hearthstone.table import FROZEN, SICK, SILENCED, stats_text
from ludex.worlds.hearthstone.wording import KEYWORDS, card_text

WORDS = {"look CARD": "tells the whole card, as in look 3, look m1 or look Fireball"}
WIDTH = 79
LOOK = re.compile(r"(?:look|read|info)(?:\s+(?:at\s+)?(.+))?", re.IGNORECASE)


class Looking:
    """Answers of one view."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.tables = names.tables

    def answer(self, text: str) -> str | None:
        """What `look ...` shows; None when it is not asked."""
        found = LOOK.fullmatch(text.strip())
        if found is None:
            return None
        if not found[1]:
            return "look at what? As in look 3, look m1, look e2, look power or look Fireball"
        return self.look(found[1].strip())

    def look(self, what: str) -> str:
        own, word = self.names.own, what.lower()
        offered = self.names.offered
        if found := re.fullmatch("(10|[1-9])", word):
            cards = offered or [held[0] for held in own["hand"]]
            place = int(found[1]) - 1
            if place >= len(cards):
                return f"there is no card {what}, you have {len(cards)} to look at"
            return self.held(place) if not offered else self.card(offered[place])
        if found := re.fullmatch("([me])([1-7])", word):
            first = FIRST_OWN if found[1] == "m" else FIRST_ENEMY
            minion = self.names.minion(first + int(found[2]) - 1)
            return self.minion(minion) if minion else f"there is no {what} on the board"
        if word in ("power", "hero power"):
            return self.card(own["power"])
        if word == "weapon":
            return self.card(own["weapon"]) if own["weapon"] else "you have no weapon"
        if word in (*OWN_HERO, *ENEMY_HERO, "hero"):
            side = self.names.foe if word in ENEMY_HERO else own
            return "\n".join([self.card(side["hero"]), self.card(side["power"])])
        return self.by_name(what)

    def by_name(self, what: str) -> str:
        """A card that can be seen, else any card there is."""
        own = self.names.own
        hand = [self.names.held(place) for place in range(len(own["hand"]))]
        if places := called(what, hand):
            return self.held(places[0])
        board = [*own["board"], *self.names.foe["board"]]
        if places := called(what, [self.names.card(one["card"]) for one in board]):
            return self.minion(board[places[0]])
        every = by_name(self.tables)
        if number := every.get(what.lower(), 0):
            return self.card(number)
        names = list(every)
        if places := called(what, names):
            return self.card(every[names[places[0]]])
        return (
            f"there is no card {what!r}{near_card(what, (card.name for card in self.tables.cards))}"
        )

    def held(self, place: int) -> str:
        card, _, _, attack, health = self.names.own["hand"][place]
        cost = self.names.own["costs"][place]
        return self.card(card, cost, (attack, health))

    def card(self, number: int, cost: int | None = None, bonus: tuple[int, int] = (0, 0)) -> str:
        card = self.tables.card(number)
        price = card.cost if cost is None else cost
        usual = f" (printed {card.cost})" if price != card.cost else ""
        facts = [f"costs {price}{usual}", *kinds(card, bonus)]
        if words.TYPES[card.type] == "hero":
            facts = kinds(card, bonus)
        return "\n".join([self.title(card.name, facts), *self.text(card)])

    def minion(self, minion: dict[str, Any]) -> str:
        card = self.tables.card(minion["card"])
        attack, health = minion["total_attack"], minion["health"]
        facts = [f"{attack}/{health}"]
        if (attack, minion["max_health"]) != (card.attack, card.health):
            facts.append(f"printed {card.attack}/{card.health}")
        if health < minion["max_health"]:
            facts.append(f"{minion['max_health'] - health} damage")
        lines = [self.title(card.name, [*facts, *kinds(card)[1:], f"costs {card.cost}"])]
        lines += self.text(card) if not minion["flags"] & SILENCED else ["  (silenced)"]
        if now := ", ".join(self.conditions(minion, card)):
            lines.append(f"  Now: {now}.")
        return "\n".join(lines)

    def conditions(self, minion: dict[str, Any], card: Card) -> Iterator[str]:
        gained = minion["all_keywords"] & ~card.keywords
        lost = card.keywords & ~minion["all_keywords"]
        yield from (KEYWORDS[word] for word in KEYWORDS if gained & words.KEYWORDS[word])
        silenced = minion["flags"] & SILENCED
        if not silenced:
            for word in KEYWORDS:
                if lost & words.KEYWORDS[word]:
                    yield f"no longer {KEYWORDS[word]}"
        if minion["flags"] & FROZEN:
            yield "frozen"
        if minion["flags"] & SICK and not minion["all_keywords"] & words.KEYWORDS["charge"]:
            yield "summoned this turn"
        if minion["can_attack"]:
            yield "can attack"

    def title(self, name: str, facts: list[str]) -> str:
        return f"{paint(name, 'yellow', '', 'bold')}: {', '.join(facts)}"

    def text(self, card: Card) -> list[str]:
        text = card_text(card.key, self.tables)
        if not text:
            return []
        return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")

    def known(self) -> list[str]:
        """What can be looked at, for completion."""
        own = self.names.own
        hand = [self.names.held(place) for place in range(len(own["hand"]))]
        board = [*own["board"], *self.names.foe["board"]]
        seen = [*hand, *(self.names.card(minion["card"]) for minion in board)]
        numbers = [str(place) for place in range(1, len(hand) + 1)]
        codes = [f"m{at}" for at in range(1, len(own["board"]) + 1)]
        codes += [f"e{at}" for at in range(1, len(self.names.foe["board"]) + 1)]
        return [f"look {one}" for one in dict.fromkeys([*seen, *numbers, *codes, "power"])]


def kinds(card: Card, bonus: tuple[int, int] = (0, 0)) -> list[str]:
    """Values, kind, class and rarity of a card."""
    kind = words.TYPES[card.type]
    races = [race for race in words.RACES if card.races & words.RACE_BITS[race]]
    named = " ".join([*races, kind]) if kind in ("minion", "weapon") else stats_text(card)
    values = [stats_text(card, bonus)] if kind in ("minion", "weapon") else []
    facts = [words.CLASSES[card.hero_class]]
    facts += [words.RARITIES[card.rarity]] if card.rarity > 1 else []
    facts += [] if card.collectible or kind in ("hero", "power") else ["token"]
    return [*values, named, *facts]
