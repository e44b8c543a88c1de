"""Actions and events of Hearthstone in words.

Own minions are m1 to m7 from the left, the other's e1 to e7, the heroes `me` and `foe`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ludex.core.event import Event
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.language.tables import Tables

END, PLAY, ATTACK, POWER, CHOOSE, MULLIGAN = range(6)
HERO_PLACE = 7
AT_END = 15
TARGET = r"(?: > (?:me|foe|[me][1-7]))?"
ACTION = (
    rf"end turn|keep all|throw [1-9,]+|choose [1-4]|power{TARGET}|attack (?:hero|m[1-7]){TARGET}"
    rf"|play (?:10|[1-9])(?:/[12])?{TARGET}(?: @[1-7])?"
)
VERBS = {
    "play": "play",
    "burn": "burn",
    "reveal": "reveal",
    "discard": "discard",
    "receive": "get",
    "choose": "choose",
    "unequip": "lose",
    "lay": "lay",
    "lose_secret": "lose",
}
PHRASES = {
    "leave_deck": ("take", "from the deck"),
    "join_deck": ("shuffle", "into the deck"),
    "leave_hand": ("take", "from the hand"),
    "throw": ("put", "back into the deck"),
    "equip": ("take", "up"),
}


def target_text(code: int) -> str:
    if code < 3:
        return ("", "me", "foe")[code]
    return f"m{code - 2}" if code < 10 else f"e{code - 9}"


def action_text(action: Any) -> str:
    """Write an action, or the part of one that is settled.

    >>> action_text(_native.pack(PLAY, 2, 0, 2)), action_text(_native.pack(ATTACK, 7, 0, 10))
    ('play 3 > foe', 'attack hero > e1')
    """
    kind, source, option, target, place = _native.unpack(action)
    aim = f" > {target_text(target)}" if target else ""
    if kind == END:
        return "end turn"
    if kind == PLAY:
        chosen = f"/{option}" if option else ""
        where = f" @{place + 1}" if 0 < place < AT_END else ""
        return f"play {source + 1}{chosen}{aim}{where}"
    if kind == ATTACK:
        who = "hero" if source == HERO_PLACE else f"m{source + 1}"
        return f"attack {who}{aim}"
    if kind == POWER:
        return f"power{aim}"
    if kind == CHOOSE:
        return f"choose {source + 1}"
    thrown = [str(index + 1) for index in range(10) if action >> index & 1]
    return f"throw {','.join(thrown)}" if thrown else "keep all"


def playable_cards(legal: Iterable[int]) -> frozenset[int]:
    """Places in the hand of cards that some action plays."""
    parts = map(_native.unpack, legal)
    return frozenset(part[1] for part in parts if part[0] == PLAY)


def has_power(legal: Iterable[int]) -> bool:
    """Whether some action uses the hero power."""
    return any(_native.unpack(action)[0] == POWER for action in legal)


def told(event: Event, reader: int, tables: Tables) -> str | None:
    """Say in one line what happened; "" where the board shows it, None when it is no event of ours.

    The seat that reads is "you", the other one "foe", as targets are called.
    """
    card = event.detail
    unknown = "a secret" if event.kind in ("lay", "lose_secret") else "a card"
    name = tables.card(card).name if isinstance(card, int) and card > 0 else unknown
    match event.kind:
        case "draw":
            return doing(event, reader, "draw", name)
        case "fatigue":
            verb = "are hurt" if event.seat == reader else "is hurt"
            return f"{person(event.seat, reader)} {verb} by drawing from an empty deck"
        case "attack":
            return doing(event, reader, "attack", f"with {name if card else 'the hero'}")
        case "aim":
            return f"  at {whose(event.seat, reader)} {name if card else 'hero'}"
        case "power":
            return doing(event, reader, "use", name)
        case "summon":
            return doing(event, reader, "get", name, "on the board")
        case "die":
            return f"{whose(event.seat, reader)} {name} dies"
        case "cut":
            return f"{name} is stopped: its effects do not end"
        case "leave":
            return f"{name} leaves the board of {person(event.seat, reader)}"
        case "join":
            return f"{name} joins the board of {person(event.seat, reader)}"
        case "part":
            return doing(event, reader, "begin", action_text(card))
        case "standing":
            return ""  # the board is shown before the next decision
        case "table":
            return f"there is more than is told of {person(event.seat, reader)}"
        case "turn":
            return f"{whose(event.seat, reader)} turn begins"
        case "mulligan":
            count = card if isinstance(card, int) else 0
            cards = "1 card" if count == 1 else f"{count} cards"
            return doing(event, reader, "throw", f"back {cards}")
        case kind if kind in PHRASES:
            verb, rest = PHRASES[kind]
            return doing(event, reader, verb, name, rest)
        case kind if kind in VERBS:
            return doing(event, reader, VERBS[kind], name)
    return None


def doing(event: Event, reader: int, verb: str, *rest: str) -> str:
    """Who did something.

    >>> doing(Event("draw", 1), 1, "draw", "Wisp"), doing(Event("draw", 1), 0, "draw", "a card")
    ('you draw Wisp', 'foe draws a card')
    """
    if event.seat == reader:
        return " ".join(["you", verb, *rest])
    return " ".join(["foe", f"{verb}s", *rest])


def person(seat: int | None, reader: int) -> str:
    return "you" if seat == reader else "foe"


def whose(seat: int | None, reader: int) -> str:
    return "your" if seat == reader else "foe's"
