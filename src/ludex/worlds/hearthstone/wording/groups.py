"""Names in the texts of cards: keywords, cards, pools, groups of characters, conditions."""

from __future__ import annotations

import re

from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Card, Tables

KEYWORDS = {
    "taunt": "Taunt",
    "shield": "Divine Shield",
    "charge": "Charge",
    "windfury": "Windfury",
    "mega-windfury": "Mega-Windfury",
    "stealth": "Stealth",
    "poisonous": "Poisonous",
    "lifesteal": "Lifesteal",
    "pacifist": "Can't attack",
    "elusive": "Can't be targeted by spells or hero powers",
    "immune": "Immune",
    "chilling": "Freezes what it damages",
    "healing-hurts": "Your healing deals damage instead",
    "doubling": "Your spells and hero power deal and heal twice as much",
    "battlecries-twice": "Your battlecries trigger twice",
    "attack-is-health": "Its attack is always its health",
    "immune-attacking": "Immune while attacking",
    "uses-attack": "Loses attack instead of durability",
}
COMPARED = {"<=": "{} or less", ">=": "{} or more", "==": "exactly {}", "!=": "other than {}"}
LONGEST_POOL = 4  # cards of a pool that are listed by name


class Groups:
    """What the text of one card speaks of."""

    def __init__(self, tables: Tables, card: Card) -> None:
        self.tables = tables
        self.card = card
        self.aim = ""
        """what the target is called, until it is `it`"""

    def keyword(self, word: str) -> str:
        return KEYWORDS.get(word, word)

    def named(self, text: str, article: bool = True) -> str:
        """A card, several of it, or one of a pool."""
        if text.startswith("one of "):
            return self.pooled(text.removeprefix("one of ").split()[0])
        if found := re.fullmatch(r"(\d+) one of (\w+)", text):
            return self.pooled(found[2]).replace("a random", f"{found[1]} random") + "s"
        each = ""
        if found := re.fullmatch(r"\(count (.+)\) (\w+)", text):
            text, each = found[2], f" for each of {self.group(found[1])}"
        count, _, key = text.rpartition(" ")
        number = self.tables.number(key)
        if not number:
            return text
        card = self.tables.card(number)
        fights = words.TYPES[card.type] in ("minion", "weapon")
        stats = f"{card.attack}/{card.health} " if fights else ""
        if count.isdecimal() and int(count) > 1:
            return f"{count} {stats}{plural(card.name)}"
        article_of = "an" if stats.startswith(("8", "11", "18")) else "a"
        return f"{article_of} {stats}{card.name}{each}" if article and stats else card.name

    def pooled(self, name: str) -> str:
        index = self.tables.pool_names.get(name)
        if index is None:
            return f"one of {name}"
        pool = [self.tables.card(number) for number in self.tables.pools[index]]
        if len(pool) <= LONGEST_POOL:
            return "one of " + ", ".join(card.name for card in pool)
        types = {words.TYPES[card.type] for card in pool}
        costs = {card.cost for card in pool}
        kind = types.pop() if len(types) == 1 else "card"
        cost = f"{costs.pop()}-cost " if len(costs) == 1 else ""
        return f"a random {cost}{kind}"

    def group(self, text: str) -> str:
        """Characters in words: `random 2 enemy minions` is "2 random enemy minions"."""
        simple = {
            "target": self.aim or "it",
            "self": "this minion" if words.TYPES[self.card.type] == "minion" else "this",
            "subject": "it",
            "object": "it",
            "held": "it",
            "own hero": "your hero",
            "enemy hero": "the enemy hero",
        }
        if text in simple:
            self.aim = "" if text == "target" else self.aim
            return simple[text]
        text, _, limit = text.partition(" with ")
        ending = f" with {self.limited(limit)}" if limit else ""
        text, _, spared = text.partition(" except ")
        ending += f" except {self.named(spared, article=False)}" if spared else ""
        for phrase, told in (
            (" beside self", " next to this"),
            (" beside target", " next to it"),
            (" not held", ""),
            (" not target", ""),
        ):
            if text.endswith(phrase):
                text, ending = text.removesuffix(phrase), told + ending
                if phrase.startswith(" not"):
                    text = f"other {text}"
        found = re.fullmatch(r"(random )?(\d+ )?(other )?(own|enemy|any)? ?(.+)", text)
        if not found:
            return text + ending
        chance, count, other, side, kind = (one.strip() if one else "" for one in found.groups())
        if text == "any heroes":
            return "both heroes"
        kind = kind.replace("living ", "").replace("taunt ", "Taunt ")
        is_many = kind.endswith("s")
        which = f"other {kind}" if other else kind
        if side == "enemy":
            which = f"{'other ' if other else ''}enemy {kind}"
        if chance:
            whose = " of yours" if side == "own" else ""
            if count:
                return f"{count} random {which}{whose}{ending}"
            return f"a random {which}{whose}{ending}"
        if side == "own":
            if is_many:
                return f"your {which}{ending}"
            return f"{'another' if other else 'a'} friendly {kind}{ending}"
        if "beside" in text or ending.startswith(" next to"):
            return f"the {which}{ending}"
        if is_many:
            return f"all {which}{ending}"
        if other:
            return f"another {'enemy ' if side == 'enemy' else ''}{kind}{ending}"
        return f"{'an' if which[0] in 'aeiou' else 'a'} {which}{ending}"

    def plain(self, text: str) -> str:
        return self.group(text).removeprefix("all ")

    def limited(self, text: str) -> str:
        found = re.fullmatch(r"(attack|health|cost) (<=|>=|==|!=) (\d+)", text)
        return f"{COMPARED[found[2]].format(found[3])} {found[1]}" if found else text

    def condition(self, text: str) -> str:
        fixed = {
            "own room": "there is room on your board",
            "own secrets": "you have a secret",
            "enemy secrets": "the opponent has a secret",
            "own weapon": "you have a weapon",
            "enemy weapon": "the opponent has a weapon",
            "spell-damage": "you have spell damage",
            "unique-deck": "your deck has no card twice",
            "target is dead": "it dies",
            "target is frozen": "it is frozen",
            "combo": "you played another card this turn",
            "0 to 1 >= 1": "a coin comes up heads",
            "target is own": "it is yours",
            "target is present": "there is one",
            "target is dead == 0": "it survives",
            "result": "yours costs more",
            "self is damaged": "this minion is damaged",
        }
        if text in fixed:
            return fixed[text]
        if found := re.fullmatch(r"target is (\w+)", text):
            return f"it is a {found[1]}"
        if found := re.fullmatch(r"any (.+)", text):
            return f"there is {self.group(found[1])}"
        if found := re.fullmatch(r"hero-health (<=|>=) (\d+)", text):
            return f"your hero has {COMPARED[found[1]].format(found[2])} health"
        if found := re.fullmatch(r"own room >= (\d+)", text):
            return f"there is room for {found[1]} on your board"
        if found := re.fullmatch(r"count (.+?) (<=|>=|==|!=) (\d+)", text):
            return f"there are {COMPARED[found[2]].format(found[3])} {self.plain(found[1])}"
        return text


def plural(name: str) -> str:
    """Name several of a card.

    >>> plural("Treant"), plural("Wolf"), plural("Imp of the Pit")
    ('Treants', 'Wolves', 'Imp of the Pit')
    """
    if " of " in name or name.endswith(("s", "x")):
        return name
    return name[:-1] + "ves" if name.endswith("f") else name + "s"
