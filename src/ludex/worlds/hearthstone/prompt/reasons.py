"""Why an action is not legal, in one sentence, from what its seat can see."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ludex.core.person import Person
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Card
from ludex.worlds.hearthstone.notation import (
    ATTACK,
    CHOOSE,
    HERO_PLACE,
    MULLIGAN,
    PLAY,
    POWER,
    target_text,
)
from ludex.worlds.hearthstone.prompt.names import FIRST_ENEMY, FIRST_OWN, FOE, ME, NOBODY, Names
from ludex.worlds.hearthstone.table import CHOICE, FROZEN, HERO_FROZEN, SICK
from ludex.worlds.hearthstone.table import MULLIGAN as FIRST_HAND
from ludex.worlds.hearthstone.wording import Wording

MOST_MINIONS, MOST_SECRETS = 7, 5
PLAIN_TEXTS = ("cast", "use", "battlecry")
KEYWORD = words.KEYWORDS


class Reasons:
    """What stands against actions in one view."""

    def __init__(
        self, names: Names, facts: dict[str, Any], legal: Collection[int], who: Person
    ) -> None:
        self.names = names
        self.facts = facts
        self.legal = legal
        self.who = who

    def why(self, action: int) -> str:
        """Why an action cannot be done; "" where no reason is known."""
        kind, source, option, target, _ = _native.unpack(action)
        if not self.legal:
            return f"it is not {self.who.its} turn to act"
        phase = self.facts["phase"]
        if phase == CHOICE and kind != CHOOSE:
            return "one of the cards that are offered has to be chosen first, as in 'choose 1'"
        if phase == FIRST_HAND and kind != MULLIGAN:
            return "the first hand comes before: 'keep all', or throw cards back as in 'throw 1,3'"
        against = {
            PLAY: lambda: self.against_playing(source, option, target),
            ATTACK: lambda: self.against_attacking(source, target),
            POWER: lambda: self.against_power(target),
            CHOOSE: self.against_choosing,
            MULLIGAN: self.against_throwing,
        }
        return next(iter(against[kind]()), "") if kind in against else ""  # a turn may always end

    def against_choosing(self) -> Iterator[str]:
        offered = len(self.names.offered)
        yield f"{offered} cards are offered" if offered else "no card is offered"

    def against_throwing(self) -> Iterator[str]:
        if self.facts["phase"] != FIRST_HAND:
            yield "only cards of the first hand can be thrown back"

    # Cards

    def against_playing(self, place: int, option: int, target: int) -> Iterator[str]:
        own = self.names.own
        if place >= len(own["hand"]):
            yield f"there is no card {place + 1}, {self.who.has} {len(own['hand'])} in hand"
        card = self.names.tables.card(own["hand"][place][0])
        cost = own["costs"][place]
        if cost > own["mana"]:
            yield f"{card.name} costs {cost}, {self.who.has} {own['mana']} mana"
        kind = words.TYPES[card.type]
        if kind == "minion" and len(own["board"]) >= MOST_MINIONS:
            yield f"{self.who.its} board is full, with {MOST_MINIONS} minions"
        if card.keywords & KEYWORD["secret"]:
            if own["hand"][place][0] in own["secrets"]:
                yield f"{card.name} is in play already"
            if len(own["secrets"]) >= MOST_SECRETS:
                yield f"{MOST_SECRETS} secrets are the most at once"
        yield from self.unmet(card)
        if card.options and not option:
            first, second = self.names.options(place)
            number = place + 1
            yield f"choose one: 'play {number}/1' is {first}, 'play {number}/2' is {second}"
        if option and not card.options:
            yield f"{card.name} has no choices"
        chosen = self.names.tables.card(card.options[option - 1]) if option else card
        yield from self.unmet(chosen)
        is_like = (PLAY, place, option)
        yield from self.against_target(chosen, target, is_like, f"play {place + 1}")

    def unmet(self, card: Card) -> Iterator[str]:
        """What a card needs before it can be played."""
        needs = [rule.removeprefix("needs ") for rule in card.rules if rule.startswith("needs ")]
        if not needs or any(self.is_of(one, card) for one in self.legal):
            return
        wording = Wording(self.names.tables, card)
        for need in needs:
            if need == "own room":
                if len(self.names.own["board"]) >= MOST_MINIONS:
                    yield f"{self.who.its} board is full, with {MOST_MINIONS} minions"
            elif need == "own weapon":
                if not self.names.own["weapon"]:
                    yield f"{card.name} needs a weapon"
            elif need == "lacking totems":
                yield "all of the totems are on the board already"
            else:
                yield f"{card.name} can be played only if {wording.condition(need)}"

    def is_of(self, action: int, card: Card) -> bool:
        """Whether an action plays a card, or is the power that a card is."""
        kind, place, option, *_ = _native.unpack(action)
        if kind == POWER:
            return self.names.tables.card(self.names.own["power"]) is card
        if kind != PLAY:
            return False
        tables = self.names.tables
        held = tables.card(self.names.own["hand"][place][0])
        return (tables.card(held.options[option - 1]) if option else held) is card

    def against_target(
        self, card: Card, target: int, is_like: tuple[int, int, int], typed: str
    ) -> Iterator[str]:
        """What stands against a target, given the legal actions that differ in it alone."""
        alike = [_native.unpack(one) for one in self.legal]
        aims = [one[3] for one in alike if tuple(one[:3]) == is_like]
        wanted = self.wanted(card)
        if any(aims) and not target:
            yield f"{card.name} needs a target, as in '{typed} > {target_text(max(aims))}'"
        if not any(aims) and wanted and card.aim:
            yield f"there is no target for {card.name}, which is for {wanted}"
        if target and not wanted:
            yield f"{card.name} takes no target"
        if target:
            yield from self.against_character(target, is_spell=card.type != 1)
            if wanted:
                named = self.names.character(target)
                yield f"{card.name} is for {wanted}, and {named} is not one"

    def wanted(self, card: Card) -> str:
        """What a card may be aimed at, in words."""
        for rule in card.rules:
            head = rule.partition(":")[0]
            if head.startswith(PLAIN_TEXTS) and " on " in head:
                group = head.partition(" on ")[2].partition(" if ")[0]
                return Wording(self.names.tables, card).group(group)
        return "a target" if card.aim else ""

    def against_character(self, code: int, is_spell: bool) -> Iterator[str]:
        """Why a character cannot be aimed at by anything."""
        if code in (ME, FOE):
            hero = self.names.own if code == ME else self.names.foe
            if hero["immune"] and code == FOE:
                yield "the enemy hero is immune"
            return
        minion = self.names.minion(code)
        if minion is None:
            yield f"there is no {target_text(code)} on the board"
            return
        name = self.names.character(code)
        bits = minion["all_keywords"]
        if code >= FIRST_ENEMY and bits & KEYWORD["stealth"]:
            yield f"{name} is in stealth"
        if bits & KEYWORD["immune"]:
            yield f"{name} is immune"
        if is_spell and bits & KEYWORD["elusive"]:
            yield f"{name} cannot be the target of spells or hero powers"

    # Attacks

    def against_attacking(self, source: int, target: int) -> Iterator[str]:
        own = self.names.own
        if source == HERO_PLACE:
            yield from self.against_hero_attack(own)
        elif source >= len(own["board"]):
            yield f"there is no m{source + 1}, {self.who.has} {len(own['board'])} minions"
        else:
            yield from self.against_attacker(own["board"][source])
        name = "hero" if source == HERO_PLACE else f"m{source + 1}"
        if target == NOBODY:
            yield f"an attack needs a target, as in 'attack {name} > foe'"
        if target == ME or FIRST_OWN <= target < FIRST_ENEMY:
            yield "only enemies can be attacked"
        yield from self.against_character(target, is_spell=False)
        if taunts := self.taunts():
            yield f"a taunt is in the way: {', '.join(taunts)}"

    def against_hero_attack(self, own: dict[str, Any]) -> Iterator[str]:
        if own["total_attack"] <= 0:
            yield f"{self.who.its} hero has no attack, which a weapon would give"
        if own["flags"] & HERO_FROZEN and not own["can_attack"]:
            yield f"{self.who.its} hero is frozen"
        if not own["can_attack"]:
            yield f"{self.who.its} hero has attacked this turn"

    def against_attacker(self, minion: dict[str, Any]) -> Iterator[str]:
        name, bits = self.names.card(minion["card"]), minion["all_keywords"]
        if minion["can_attack"]:
            return
        if minion["total_attack"] <= 0:
            yield f"{name} has no attack"
        if minion["flags"] & FROZEN:
            yield f"{name} is frozen"
        if bits & KEYWORD["pacifist"]:
            yield f"{name} can't attack"
        if minion["flags"] & SICK and not bits & KEYWORD["charge"]:
            yield f"{name} was summoned this turn, it can attack in the next one"
        yield f"{name} has attacked this turn"

    def taunts(self) -> list[str]:
        hidden = KEYWORD["stealth"] | KEYWORD["immune"]
        return [
            f"e{at} {self.names.card(minion['card'])}"
            for at, minion in enumerate(self.names.foe["board"], 1)
            if minion["all_keywords"] & KEYWORD["taunt"] and not minion["all_keywords"] & hidden
        ]

    # The hero power

    def against_power(self, target: int) -> Iterator[str]:
        own = self.names.own
        if own["power_used"]:
            yield f"{self.who.its} hero power was used this turn"
        if own["power_cost"] > own["mana"]:
            name = self.names.card(own["power"])
            yield f"{name} costs {own['power_cost']}, {self.who.has} {own['mana']} mana"
        card = self.names.tables.card(own["power"])
        yield from self.unmet(card)
        yield from self.against_target(card, target, (POWER, 0, 0), "power")
