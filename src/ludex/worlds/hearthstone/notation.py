"""Actions and events of Hearthstone in words.

Own minions are m1 to m7 from the left, the other's e1 to e7, the heroes `me` and `foe`.
"""

from __future__ import annotations

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
    "summon": "summon",
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


def told(event: Event, reader: int, tables: Tables) -> str | None:
    """Say in one line what happened; None when it is no event of ours."""
    card = event.detail
    name = tables.card(card).name if isinstance(card, int) and card > 0 else "a card"
    match event.kind:
        case "draw":
            return event.told(reader, "draw", name)
        case "fatigue":
            return event.told(reader, "draw", "from an empty deck and is hurt")
        case "attack":
            return event.told(reader, "attack", f"with {name if card else 'the hero'}")
        case "power":
            return event.told(reader, "use", name)
        case "die":
            return f"{name} dies"
        case "cut":
            return f"{name} is stopped: its effects do not end"
        case "leave":
            return f"{name} leaves the board of {person(event.seat, reader)}"
        case "join":
            return f"{name} joins the board of {person(event.seat, reader)}"
        case "part":
            return event.told(reader, "begin", action_text(card))
        case "standing":
            return standing_text(event, reader)
        case "table":
            return f"there is more than is told of {person(event.seat, reader)}"
        case "turn":
            return event.told(reader, "begin", "a turn")
        case "mulligan":
            count = card if isinstance(card, int) else 0
            return event.told(reader, "throw", f"back {count} cards")
        case kind if kind in PHRASES:
            verb, rest = PHRASES[kind]
            return event.told(reader, verb, name, rest)
        case kind if kind in VERBS:
            return event.told(reader, VERBS[kind], name)
    return None


def person(seat: int | None, reader: int) -> str:
    return "you" if seat == reader else f"seat {seat}"


def standing_text(event: Event, reader: int) -> str:
    """Describe a side.

    >>> standing_text(Event("standing", 1, (27, 2, 3, 4, 0, 0)), 0)
    'seat 1 has 27 health, 2 armour and 3 of 4 mana'
    """
    numbers: Any = event.detail
    health, armour, mana, crystals, attack, durability = numbers
    who = "you have" if event.seat == reader else f"seat {event.seat} has"
    armed = f", and a weapon of {attack}/{durability}" if durability > 0 else ""
    return f"{who} {health} health, {armour} armour and {mana} of {crystals} mana{armed}"
