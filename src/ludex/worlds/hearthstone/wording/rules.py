"""Rules in the texts of cards: battlecries, triggers, auras, choices and what they cost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.wording.groups import KEYWORDS
from ludex.worlds.hearthstone.wording.statements import Statements

LABELS = {"battlecry": "Battlecry: ", "deathrattle": "Deathrattle: ", "cast": "", "use": ""}
MARKS = {
    "next secret free": "your next secret this turn costs 0",
    "enemy spells free": "enemy spells cost 0 next turn",
    "minions survive": "your minions can't fall below 1 health this turn",
    "back next turn": "at the start of your next turn, it returns to your hand",
}
MOMENTS = {
    "own turn starts": "at the start of your turn",
    "own turn ends": "at the end of your turn",
    "enemy turn starts": "at the start of the opponent's turn",
    "enemy turn ends": "at the end of the opponent's turn",
    "any turn starts": "at the start of each turn",
    "any turn ends": "at the end of each turn",
    "own overload": "whenever you overload",
    "own card discarded": "whenever you discard a card",
    "own hero doomed": "when your hero takes fatal damage",
    "any secret revealed": "whenever a secret is revealed",
}
HAPPENINGS = (
    (r"(.+) played", "{0} is played"),
    (r"(.+) summoned", "{0} is summoned"),
    (r"(.+) damaged by (.+)", "{1} damages {0}"),
    (r"(.+) damaged", "{0} takes damage"),
    (r"(.+) healed", "{0} is healed"),
    (r"(.+) dies", "{0} dies"),
    (r"(.+) attacks (.+)", "{0} attacks {1}"),
    (r"(.+) attacks", "{0} attacks"),
)


@lru_cache(maxsize=4096)
def card_text(card_key: str, tables: Tables) -> str:
    """What a card does, in sentences; "" for one without a text."""
    card = tables.card(tables.number(card_key))
    return " ".join(sentence(one) for one in Wording(tables, card).parts() if one)


def sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


class Wording(Statements):
    """Writes the text of one card."""

    def parts(self) -> Iterator[str]:
        bits = self.card.keywords
        named = [KEYWORDS[word] for word in KEYWORDS if bits & words.KEYWORDS[word]]
        if named:
            yield ", ".join(named)
        if self.card.spell_damage:
            yield f"Spell Damage +{self.card.spell_damage}"
        for rule in self.card.rules:
            yield self.rule(rule)
        if self.card.overload:
            yield f"Overload: {self.card.overload}"

    def script_text(self, key: str) -> str:
        return card_text(key, self.tables)

    # Rules

    def rule(self, rule: str) -> str:
        label, _, rest = rule.partition(" ")
        label = label.rstrip(":")
        head, _, body = rule.partition(": ")
        self.aim = ""
        match label:
            case "battlecry" | "cast" | "use" | "deathrattle":
                return self.effect(LABELS[label], head, body)
            case "choose":
                return self.choice(rule)
            case "when" | "after":
                secret = self.card.keywords & words.KEYWORDS["secret"]
                when = self.event(head.partition(" ")[2], label)
                begin = f"Secret: {when}" if secret else when
                return f"{begin}, {self.statements(body)}"
            case "aura":
                return self.aura(rest)
            case "enrage":
                return f"Enrage: {body}"
            case "cheaper":
                return self.cheaper(rest.removeprefix("by "))
            case "discarded":
                return "If you discard this, summon it"
            case "joins":
                return f"After you play a {rest.removesuffix('s')}, summon this from your deck"
            case "needs" | "power":
                return ""
        return rule

    def effect(self, label: str, head: str, body: str) -> str:
        """The text of a card that is played, with its target where it has one."""
        found = re.search(r" on (.+?)(?: if (.+))?$", head)
        if found:
            self.aim = self.group(found[1])
        said = self.statements(body)
        if found and found[2] == "combo":
            return f"Combo: {said}"
        if found and found[2]:
            return f"{label}if {self.condition(found[2])}, {said}"
        label = "" if said.startswith("Combo: ") else label
        return f"{label}{said[:1].upper()}{said[1:]}"

    def choice(self, rule: str) -> str:
        found = re.match(r'choose \w+ "([^"]+)"(?: on (.+?))?(?: needs .+?)?: (.*)', rule)
        if not found:
            return rule
        first = len([one for one in self.card.rules if one.startswith("choose")]) > 1
        first = first and self.card.rules.index(rule) == min(
            at for at, one in enumerate(self.card.rules) if one.startswith("choose")
        )
        self.aim = self.group(found[2]) if found[2] else ""
        said = f"{found[1]} ({self.statements(found[3])})"
        return f"Choose one: {said}" if first else f"Or: {said}"

    def event(self, text: str, label: str) -> str:
        """What a trigger waits for: `own turn ends if own secrets`."""
        text, _, condition = text.partition(" if ")
        also = f" if {self.condition(condition)}" if condition else ""
        if text in MOMENTS:
            return MOMENTS[text] + also
        word = "after" if label == "after" else "whenever"
        return f"{word} {self.happening(text)}{also}"

    def happening(self, text: str) -> str:
        if found := re.fullmatch(r"(own|enemy|any) spell aimed at (.+)", text):
            return f"{player(found[1], 'cast')} a spell on {self.group(found[2])}"
        if found := re.fullmatch(r"(own|enemy|any) (spell|card|secret|weapon)(.*) played", text):
            verb = "cast" if found[2] == "spell" else "play"
            return f"{player(found[1], verb)} a {found[2]}{found[3]}"
        for pattern, told in HAPPENINGS:
            if found := re.fullmatch(pattern, text):
                return told.format(*(self.group(one) for one in found.groups()))
        return text

    def aura(self, text: str) -> str:
        text, _, condition = text.partition(" while ")
        also = f" while {self.condition(condition)}" if condition else ""
        if found := re.fullmatch(r"cost (own|enemy|any) (.+?) ([+-]\d+)(.*)", text):
            whose = {"own": "your", "enemy": "enemy", "any": "all"}[found[1]]
            change = int(found[3])
            how = f"{abs(change)} {'more' if change > 0 else 'less'}"
            floor = re.search(r"least (\d+)", found[4])
            rest = f", but not less than {floor[1]}" if floor else ""
            if "first" in found[2] or "first" in found[4]:
                kind = found[2].replace("first ", "")
                return f"the first {kind} you play each turn costs {how}{rest}{also}"
            return f"{whose} {found[2]}s cost {how}{rest}{also}"
        if found := re.fullmatch(r"weapon ([+-]\d+)", text):
            return f"your weapon has {found[1]} attack{also}"
        group, _, gift = text.partition(": ")
        gift, _, each = gift.partition(" each ")
        have = "has" if group == "self" else "have"
        counted = f" for each of {self.group(each)}" if each else ""
        named = " and ".join(self.keyword(one) for one in gift.split())
        return f"{self.group(group)} {have} {named}{counted}{also}"

    def cheaper(self, value: str) -> str:
        if found := re.fullmatch(r"enough (\d+) (.+?) \* (\d+)", value):
            return f"costs {found[3]} less if there are {found[1]} or more {self.plain(found[2])}"
        named = {
            "own wounds": "each point of damage your hero has taken",
            "weapon-attack": "each attack of your weapon",
            "own hand -1": "each other card in your hand",
            "count any minions": "each minion on the board",
            "totems-summoned": "each totem you summoned this game",
        }
        counted = value.removeprefix("count ")
        each = named.get(value) or f"each of {self.group(counted).replace('all ', '', 1)}"
        return f"costs 1 less for {each}"


def player(side: str, verb: str) -> str:
    """Who does something: `own` and `cast` are "you cast"."""
    others = {"enemy": "your opponent", "any": "a player"}
    return f"you {verb}" if side == "own" else f"{others[side]} {verb}s"
