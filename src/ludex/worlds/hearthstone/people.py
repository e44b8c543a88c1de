"""How people name what they do: `play fireball > face`, `attack raptor > e2`, `end`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import product
from typing import Any

from ludex.core.choices import Choice, folded, is_within
from ludex.core.errors import InvalidAction
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.notation import (
    AT_END,
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
MINION = words.TYPES.index("minion")
ENDS = ("end", "done", "pass")
BEHIND = re.compile(r"\s*(?:->|>|→)\s*")
"""what stands before a target"""
BESIDE = re.compile(r"\s+(?:on|at)\s+")
"""words that may stand before a target, and in names"""
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
    numbers = text.removeprefix("throw ").replace(",", " and ")
    return Choice(action, text, "throw" if thrown else "keep all", numbers, called)


# What a person means, legal or not, so that a refusal can say why


def meant(text: str, names: Names) -> list[int]:
    """The actions that a text can mean, whether they can be done or not; [] if it is no action.

    Raises:
        InvalidAction: For names that nothing has.
    """
    typed = folded(text)
    if typed in ("end turn", *ENDS):
        return [_native.pack(END)]
    if typed in ("keep", "keep all", "throw nothing"):
        return [_native.pack(MULLIGAN)]
    if typed.startswith("throw "):
        return [read_thrown(typed.removeprefix("throw "), names)]
    place = PLACE.search(typed)
    typed = typed[: place.start()] if place else typed
    unknown: InvalidAction | None = None
    for begin, aim in splits(typed):
        try:
            if found := meant_by(begin, aim, place, names):
                return found
        except InvalidAction as error:
            unknown = error
    if unknown:
        raise unknown
    return []


def splits(typed: str) -> list[tuple[str, str]]:
    """Ways to take what does something and its target apart.

    >>> splits("lay on hands > me"), splits("lay on hands")
    ([('lay on hands', 'me')], [('lay', 'hands'), ('lay on hands', '')])
    """
    begin, *aims = BEHIND.split(typed, maxsplit=1)
    if aims:
        return [(begin, aims[0])]
    ways = [(typed[: one.start()], typed[one.end() :]) for one in BESIDE.finditer(typed)]
    return [*ways, (typed, "")]


def meant_by(begin: str, aim: str, place: re.Match[str] | None, names: Names) -> list[int]:
    """The actions that words for a source and for a target can mean."""
    verb, _, rest = begin.partition(" ")
    targets = read_targets(aim, names) if aim else [NOBODY]
    power = names.card(names.own["power"])
    named = begin.removeprefix("hero ").removeprefix("power").strip()
    if (begin != named and (not named or called(named, [power]))) or called(begin, [power]):
        return [_native.pack(POWER, 0, 0, target, 0) for target in targets]
    if verb == "attack" or re.match("m[1-7]\\b", begin):
        attackers = read_attackers(rest.removeprefix("with ") if rest else begin, names)
        pairs = product(attackers, targets)
        return [_native.pack(ATTACK, attacker, 0, target, 0) for attacker, target in pairs]
    if verb == "choose" or (names.offered and verb != "play"):
        offered = [names.card(number) for number in names.offered]
        what = rest if verb == "choose" else begin
        number = re.fullmatch("([1-4])(?: .*)?", what)
        numbered = [int(number[1]) - 1] if number else called(what, offered)
        return [_native.pack(CHOOSE, one, 0, 0, 0) for one in numbered]
    found = read_held(rest if verb == "play" else begin, names)
    if verb == "play" and rest and not found:
        raise InvalidAction(f"there is no {rest!r} in your hand")
    return [
        _native.pack(PLAY, held, option, target, position(held, names, place))
        for (held, option), target in product(found, targets)
    ]


def read_thrown(text: str, names: Names) -> int:
    """Cards of the first hand that go back, by their numbers or names."""
    hand = [names.held(place) for place in range(len(names.own["hand"]))]
    thrown = 0
    numbers = re.fullmatch(r"\d+(?:[\s,]+\d+)*", text)
    for part in re.split(r"[\s,]+" if numbers else r"\s*,\s*|\s+and\s+", text):
        places = [int(part) - 1] if part.isdecimal() else called(part, hand)
        free = [place for place in places if place < len(hand) and not thrown >> place & 1]
        if not free or part == "0":
            raise InvalidAction(f"there is no {part!r} in your hand to throw back")
        thrown |= 1 << free[0]
    return _native.pack(MULLIGAN) | thrown


def position(held: int, names: Names, given: re.Match[str] | None) -> int:
    """Where a card is put on the board, as actions have it."""
    if given:
        return int(given[1]) - 1
    hand = names.own["hand"]
    is_minion = held < len(hand) and names.tables.card(hand[held][0]).type == MINION
    return AT_END if is_minion else 0


def read_held(text: str, names: Names) -> list[tuple[int, int]]:
    """Places of cards in hand and their choices; of equal cards the first."""
    if found := re.fullmatch(r"(10|[1-9])(?:\s*/\s*([12]))?(?: .*)?", text):
        return [(int(found[1]) - 1, int(found[2] or 0))]
    name, _, chosen = text.partition("/")
    hand = list(zip(names.own["hand"], names.own["costs"], strict=True))
    found = []
    for place in called(name.strip(), [names.held(at) for at in range(len(hand))]):
        if hand.index(hand[place]) == place:
            options = called(chosen.strip(), names.options(place)) if chosen else []
            found += [(place, option + 1) for option in options] or [(place, 0)]
    if not found:  # the name of a choice alone
        for place in range(len(hand)):
            found += [(place, option + 1) for option in called(text, names.options(place))]
    return found


def read_attackers(text: str, names: Names) -> list[int]:
    """The places of minions, or that of the hero."""
    if text in ("hero", "me") or called(text, [names.card(names.own["hero"])]):
        return [HERO_PLACE]
    if found := re.fullmatch("m([1-7])(?: .*)?", text):
        return [int(found[1]) - 1]
    places = called(text, [names.card(minion["card"]) for minion in names.own["board"]])
    if not places:
        raise InvalidAction(f"there is no {text!r} on your board that could attack")
    return places


def read_targets(text: str, names: Names) -> list[int]:
    """The codes of targets."""
    if found := re.fullmatch("([me])([1-7])(?: .*)?", text):
        return [int(found[2]) - 1 + (FIRST_OWN if found[1] == "m" else FIRST_ENEMY)]
    if text in OWN_HERO:
        return [ME]
    if text in (*ENEMY_HERO, "hero"):
        return [FOE]
    boards = ((FIRST_ENEMY, names.foe["board"]), (FIRST_OWN, names.own["board"]))
    codes = [
        first + place
        for first, board in boards
        for place in called(text, [names.card(minion["card"]) for minion in board])
    ]
    heroes = [names.card(names.foe["hero"]), names.card(names.own["hero"])]
    codes += [(FOE, ME)[hero] for hero in called(text, heroes)]
    if not codes:
        raise InvalidAction(f"there is no {text!r} on the board to aim at; the enemy hero is 'foe'")
    return codes


def called(text: str, among: Sequence[str]) -> list[int]:
    """The places of names that a text means: all of one, else words of it."""
    typed = folded(text)
    names = [folded(name) for name in among]
    whole = [place for place, name in enumerate(names) if name == typed]
    return whole or [place for place, name in enumerate(names) if is_within(typed, name)]


def legal_like(action: int, legal: Collection[int]) -> list[int]:
    """The legal action that is this one; of several positions on the board, the last."""
    if action in legal:
        return [action]
    parts = _native.unpack(action)
    alike = [one for one in legal if _native.unpack(one)[:4] == parts[:4]]
    return alike[-1:] if parts[0] == PLAY else []


def begun(action: int, legal: Iterable[int]) -> list[int]:
    """The legal actions that an action without a target is the beginning of."""
    kind, source, option, target, _ = _native.unpack(action)
    if target or kind not in (PLAY, ATTACK, POWER):
        return []
    return [one for one in legal if _native.unpack(one)[:3] == (kind, source, option)]
