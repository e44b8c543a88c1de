"""What a person means by a text, whether it can be done or not, so that a refusal can say why."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import product

from ludex.core.choices import folded, is_within
from ludex.core.errors import InvalidAction
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.notation import (
    AT_END,
    ATTACK,
    CHOOSE,
    END,
    HERO_PLACE,
    MULLIGAN,
    PLAY,
    POWER,
)
from ludex.worlds.hearthstone.prompt.names import (
    ENDS,
    ENEMY_HERO,
    FIRST_ENEMY,
    FIRST_OWN,
    FOE,
    ME,
    NOBODY,
    OWN_HERO,
    Names,
)

BEHIND = re.compile(r"\s*(?:->|>|→)\s*")
"""what stands before a target"""
BESIDE = re.compile(r"\s+(?:on|at)\s+")
"""words that may stand before a target, and in names"""
PLACE = re.compile(r"\s*@\s*([1-7])$")
MINION = words.TYPES.index("minion")
VERBS = ("attack", "play", "choose", "power", "throw")
SHORTEST_VERB = 2  # letters


def meant(text: str, names: Names) -> list[int]:
    """The actions that a text can mean, whether they can be done or not; [] if it is no action.

    Raises:
        InvalidAction: For names that nothing has.
    """
    typed = folded(text)
    found = meant_as_typed(typed, names)
    if not found and (whole := with_whole_verb(typed)) != typed:
        found = meant_as_typed(whole, names)
    return found


def with_whole_verb(typed: str) -> str:
    """The text with its first word written out, where that begins one verb alone.

    >>> with_whole_verb("att wyrm > e1"), with_whole_verb("p 3")
    ('attack wyrm > e1', 'p 3')
    """
    word, _, rest = typed.partition(" ")
    verbs = [verb for verb in VERBS if verb.startswith(word)]
    return (
        f"{verbs[0]} {rest}" if rest and len(word) >= SHORTEST_VERB and len(verbs) == 1 else typed
    )


def meant_as_typed(typed: str, names: Names) -> list[int]:
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
        number = re.fullmatch(r"(\d+)(?: .*)?", part)
        places = [int(number[1]) - 1] if number else called(part, hand)
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
    if number := re.fullmatch(r"(10|[1-9])(?:\s*/\s*([12]))?(?: .*)?", text):
        return [(int(number[1]) - 1, int(number[2] or 0))]
    name, _, chosen = text.partition("/")
    hand = list(zip(names.own["hand"], names.own["costs"], strict=True))
    found: list[tuple[int, int]] = []
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
