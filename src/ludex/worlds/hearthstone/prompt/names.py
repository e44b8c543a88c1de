"""What people call the cards and characters of a view."""

from __future__ import annotations

from typing import Any

from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.notation import (
    ATTACK,
    CHOOSE,
    END,
    HERO_PLACE,
    MULLIGAN,
    PLAY,
    POWER,
    target_text,
)
from ludex.worlds.hearthstone.table import Seen

NOBODY, ME, FOE, FIRST_OWN, FIRST_ENEMY = 0, 1, 2, 3, 10
"""codes of targets"""
OWN_HERO = ("me", "my hero")
ENEMY_HERO = ("foe", "face", "enemy hero")
ENDS = ("end", "done", "pass")


class Names:
    """What the cards and characters of a view are called."""

    def __init__(self, seen: Seen, tables: Tables) -> None:
        self.tables = tables
        self.own = seen.facts["players"][seen.below]
        self.foe = seen.facts["players"][1 - seen.below]
        self.offered = seen.offered

    def card(self, number: int) -> str:
        return self.tables.card(number).name if number else "an unknown card"

    def held(self, place: int) -> str:
        return self.card(self.own["hand"][place][0])

    def minion(self, code: int) -> dict[str, Any] | None:
        """The minion with the code of a target; None where there is none."""
        board = self.own["board"] if code < FIRST_ENEMY else self.foe["board"]
        place = code - (FIRST_OWN if code < FIRST_ENEMY else FIRST_ENEMY)
        return board[place] if 0 <= place < len(board) else None

    def character(self, code: int) -> str:
        """A target in a sentence."""
        if code in (ME, FOE):
            return "your hero" if code == ME else "the enemy hero"
        minion = self.minion(code)
        return self.card(minion["card"]) if minion else f"{target_text(code)}, which is not there"

    def options(self, place: int) -> list[str]:
        """What a card in hand offers to choose between."""
        card = self.tables.card(self.own["hand"][place][0])
        return [self.tables.card(number).name for number in card.options]

    # What can be typed

    def targets(self, code: int) -> tuple[str, ...]:
        """All words for a target, the shortest first; that of none is empty."""
        if code == NOBODY:
            return ("",)
        if code in (ME, FOE):
            hero = self.own if code == ME else self.foe
            return (*(OWN_HERO if code == ME else ENEMY_HERO), self.card(hero["hero"]))
        minion = self.minion(code)
        name = self.card(minion["card"]) if minion else "?"
        return (target_text(code), name, f"{target_text(code)} {name}")

    def sources(self, kind: int, source: int, option: int) -> tuple[str, ...]:
        """All words for what is played or attacks, the notation first."""
        if kind == PLAY:
            name, number = self.held(source), str(source + 1)
            if option:
                chosen = self.options(source)[option - 1]
                return (f"play {number}/{option}", f"play {name} / {chosen}", f"play {chosen}")
            return (f"play {number}", f"play {name}", f"play {number} {name}", number)
        if kind == ATTACK:
            if source == HERO_PLACE:
                return ("attack hero", "attack with hero", f"attack {self.card(self.own['hero'])}")
            name = self.card(self.own["board"][source]["card"])
            code = f"m{source + 1}"
            return (f"attack {code}", f"attack {name}", f"attack {code} {name}", code)
        return ("power", "hero power", self.card(self.own["power"]))

    def group(self, kind: int, source: int) -> str:
        """What an action is listed under."""
        if kind == PLAY:
            return f"play {source + 1} {self.held(source)}"
        if kind == ATTACK:
            if source == HERO_PLACE:
                return "attack hero"
            name = self.card(self.own["board"][source]["card"])
            return f"attack m{source + 1} {name}"
        if kind == POWER:
            return f"power {self.card(self.own['power'])}"
        return {END: "end turn", CHOOSE: "choose", MULLIGAN: "throw"}[kind]
