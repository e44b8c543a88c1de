"""How people name what they do: `play fireball > face`, `attack raptor > e2`, `end`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from ludex.core.choices import Choice, folded, is_within
from ludex.core.errors import InvalidAction
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.notation import (
    ATTACK,
    CHOOSE,
    END,
    HERO_PLACE,
    MULLIGAN,
    PLAY,
    POWER,
    action_text,
    target_text,
)
from ludex.worlds.hearthstone.table import Seen

NOBODY, ME, FOE, FIRST_OWN, FIRST_ENEMY = 0, 1, 2, 3, 10
"""codes of targets"""
OWN_HERO = ("me", "my hero")
ENEMY_HERO = ("foe", "face", "enemy hero")
ENDS = ("end", "done", "pass")
BEHIND = re.compile(r"\s*(?:>|->|→|\bon\b|\bat\b)\s*")
"""what stands before a target"""
PLACE = re.compile(r"\s*@\s*([1-7])$")


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


def choices(legal: Iterable[int], names: Names) -> list[Choice]:
    """The legal actions with all that a person may call them.

    Of equal cards in hand the first has the name, so that a name means one of them.
    """
    hand = [(card, cost) for card, cost in zip(names.own["hand"], names.own["costs"], strict=True)]
    firsts = {hand.index(card): None for card in hand}
    return [choice(action, names, firsts) for action in legal]


def choice(action: int, names: Names, firsts: Iterable[int]) -> Choice:
    kind, source, option, target, _ = _native.unpack(action)
    text = action_text(action)
    if kind == END:
        return Choice(action, text, "end turn", names=ENDS)
    if kind == CHOOSE:
        name = names.card(names.offered[source]) if source < len(names.offered) else text
        return Choice(action, text, "choose", f"{source + 1} {name}", (f"choose {name}",))
    if kind == MULLIGAN:
        return mulligan_choice(action, text, names)
    where = text[text.index(" @") :] if " @" in text else ""
    sources = names.sources(kind, source, option)
    if kind == PLAY and source not in firsts:
        sources = (sources[0], sources[-1] if not option else sources[0])
    called = [
        f"{one}{f' > {aim}' if aim else ''}{where}"
        for one, aim in product(sources, names.targets(target))
    ]
    label = label_of(kind, source, option, target, names) + where
    others = tuple(dict.fromkeys(one for one in called if one != text))
    return Choice(action, text, names.group(kind, source), label or text, others)


def label_of(kind: int, source: int, option: int, target: int, names: Names) -> str:
    """What is listed of an action below its group."""
    chosen = names.options(source)[option - 1] if option and kind == PLAY else ""
    aim = ""
    if target:
        code = target_text(target)
        aim = f"> {code}" if target in (ME, FOE) else f"> {code} {names.character(target)}"
    return " ".join(part for part in (chosen, aim) if part)


def mulligan_choice(action: int, text: str, names: Names) -> Choice:
    thrown = [names.held(place) for place in range(len(names.own["hand"])) if action >> place & 1]
    called = (f"throw {', '.join(thrown)}",) if thrown else ("keep", "throw nothing")
    return Choice(action, text, "keep all" if not thrown else "throw", text, called)


# Actions that need not be legal, so that a refusal can say why


def read_action(text: str, names: Names) -> int | None:
    """The action that a person means, whether it can be done or not; None: unknown.

    Raises:
        InvalidAction: For names that nothing has.
    """
    typed = folded(text)
    place = PLACE.search(typed)
    typed = typed[: place.start()] if place else typed
    begin, *aims = BEHIND.split(typed, maxsplit=1)
    verb, _, rest = begin.partition(" ")
    target = read_target(aims[0], names) if aims else NOBODY
    if begin in ("power", "hero power") or is_within(begin, folded(names.card(names.own["power"]))):
        return _native.pack(POWER, 0, 0, target, 0)
    if verb == "attack" or re.fullmatch("m[1-7]", begin):
        attacker = read_attacker(rest.removeprefix("with ") if rest else begin, names)
        return _native.pack(ATTACK, attacker, 0, target, 0)
    if verb == "choose" and re.fullmatch("[1-4]", rest):
        return _native.pack(CHOOSE, int(rest) - 1, 0, 0, 0)
    found = read_held(rest if verb == "play" else begin, names)
    if found is None:
        if verb == "play" and rest:
            raise InvalidAction(f"there is no {rest!r} in your hand")
        return None
    held, option = found
    is_minion = held < len(names.own["hand"]) and is_minion_card(names, held)
    where = int(place[1]) - 1 if place else (15 if is_minion else 0)
    return _native.pack(PLAY, held, option, target, where)


def needs_target(action: int, legal: Iterable[int]) -> bool:
    """Whether an action without a target is the beginning of legal ones that differ in it."""
    kind, source, option, target, _ = _native.unpack(action)
    alike = [_native.unpack(one) for one in legal]
    aims = {one[3] for one in alike if one[:3] == (kind, source, option)}
    return not target and len(aims - {NOBODY}) > 1


def is_minion_card(names: Names, place: int) -> bool:
    card = names.tables.card(names.own["hand"][place][0])
    return words.TYPES[card.type] == "minion"


def read_held(text: str, names: Names) -> tuple[int, int] | None:
    """The place of a card in hand and its choice."""
    if found := re.fullmatch(r"(10|[1-9])(?:\s*/\s*([12]))?", text):
        return int(found[1]) - 1, int(found[2] or 0)
    name, _, chosen = text.partition("/")
    place = called(name.strip(), [names.held(at) for at in range(len(names.own["hand"]))])
    if place is None:
        return None
    option = called(chosen.strip(), names.options(place)) if chosen else None
    return place, 0 if option is None else option + 1


def read_attacker(text: str, names: Names) -> int:
    """The place of a minion, or that of the hero."""
    if text in ("hero", "me") or called(text, [names.card(names.own["hero"])]) == 0:
        return HERO_PLACE
    if found := re.fullmatch("m([1-7])", text):
        return int(found[1]) - 1
    place = called(text, [names.card(minion["card"]) for minion in names.own["board"]])
    if place is None:
        raise InvalidAction(f"there is no {text!r} on your board that could attack")
    return place


def read_target(text: str, names: Names) -> int:
    """The code of a target."""
    if found := re.fullmatch("([me])([1-7])", text):
        return int(found[2]) - 1 + (FIRST_OWN if found[1] == "m" else FIRST_ENEMY)
    if text in OWN_HERO:
        return ME
    if text in (*ENEMY_HERO, "hero"):
        return FOE
    enemies = [names.card(minion["card"]) for minion in names.foe["board"]]
    if (place := called(text, enemies)) is not None:
        return FIRST_ENEMY + place
    own = [names.card(minion["card"]) for minion in names.own["board"]]
    if (place := called(text, own)) is not None:
        return FIRST_OWN + place
    heroes = [names.card(names.foe["hero"]), names.card(names.own["hero"])]
    hero = called(text, heroes)
    if hero is None:
        raise InvalidAction(f"there is no {text!r} on the board to aim at; the enemy hero is 'foe'")
    return (FOE, ME)[hero]


def called(text: str, among: Sequence[str]) -> int | None:
    """The place of the first name that a text means: all of it, or words of it."""
    typed = folded(text)
    whole = [folded(name) for name in among]
    if typed in whole:
        return whole.index(typed)
    return next((place for place, name in enumerate(whole) if is_within(typed, name)), None)
