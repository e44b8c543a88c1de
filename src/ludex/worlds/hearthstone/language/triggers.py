"""Triggers: `when own minion dies: draw 1`, `after own spell played: damage 1 enemy hero`."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.expressions import (
    NO_CONDITION,
    read_condition,
    read_group,
)
from ludex.worlds.hearthstone.language.lexer import Cursor
from ludex.worlds.hearthstone.language.statements import read_program
from ludex.worlds.hearthstone.language.tables import Card, Row, Tables

SPELLS = words.CARD_TYPES["spell"]
PLAYER_NOUNS = frozenset(
    ("turn", "secret", "spell", "card", "overload", "weapon", "power", "armour", "discard", "draw")
)
"""what events of a player are about, after own, enemy or any"""
NOUN_EVENTS = {"overload": "overloaded", "armour": "armoured", "draw": "drawn"}
"""nouns that name an event without a verb"""
TURN_EVENTS = {"starts": "turn_start", "ends": "turn_end"}
CARD_EVENTS = {"played": "play", "discarded": "discarded"}
CHARACTER_EVENTS = {
    "summoned": "summon",
    "damaged": "damaged",
    "hurt": "damaged",
    "healed": "healed",
    "dies": "dies",
    "attacks": "attack",
    "played": "play",
    "doomed": "fatal",
}
AFTER = {"summon": "after_summon", "attack": "after_attack", "play": "after_play"}
"""events that `after` waits for, instead of those that `when` waits for"""


@dataclass(slots=True)
class TriggerEvent:
    """The event that a trigger waits for."""

    name: str = ""
    sides: int = 3
    types: int = 0
    others: int = 0
    subject: int = -1
    object: int = -1


def read_trigger(tables: Tables, cursor: Cursor, card: Card, label: str) -> Row:
    """Read a trigger after its label, which is `when` or `after`."""
    start = cursor.at
    if cursor.next in words.SIDES and cursor.peek(1) in PLAYER_NOUNS:
        event = read_player_event(tables, cursor, card, label)
    else:
        event = read_character_event(tables, cursor, card, label)
    if not event.name:
        said = " ".join(cursor.tokens[start : cursor.at])
        raise cursor.fail(f"no event is called {said!r}")
    condition = read_condition(tables, cursor, card) if cursor.skip("if") else NO_CONDITION
    cursor.expect(":")
    program = read_program(tables, cursor, card)
    races = 0
    return (
        *(words.EVENT[event.name], event.sides, event.types, event.others),
        *(event.subject, event.object, *condition, program, races),
    )


def read_player_event(tables: Tables, cursor: Cursor, card: Card, label: str) -> TriggerEvent:
    """Read an event of a player, such as `own turn starts` or `enemy spell played`."""
    event = TriggerEvent(sides=words.SIDES[cursor.take()])
    noun = cursor.take()
    if noun in NOUN_EVENTS:
        event.name = NOUN_EVENTS[noun]
        return event
    verb = cursor.take()
    if noun == "turn":
        event.name = TURN_EVENTS.get(verb, "")
    elif noun == "power":
        event.name = "power_used"
    elif verb == "revealed":
        event.name = "revealed"
    elif verb == "aimed":
        cursor.expect("at")
        event.name, event.types = "targeted", SPELLS
        event.subject = read_group(tables, cursor, card)
    elif verb == "with":
        cursor.expect("overload")
        cursor.expect("played")
        event.name, event.types = "play", words.CARD_TYPES["overload"]
    else:
        event.name, event.types = CARD_EVENTS.get(verb, ""), words.CARD_TYPES.get(noun, 0)
    if event.name == "play":
        if label == "after":
            event.name = "after_play"
        else:
            event.others = 1
    return event


def read_character_event(tables: Tables, cursor: Cursor, card: Card, label: str) -> TriggerEvent:
    """Read an event of characters, such as `own minion dies` or `any minion damaged by self`."""
    event = TriggerEvent(subject=read_group(tables, cursor, card))
    verb = cursor.take()
    event.name = CHARACTER_EVENTS.get(verb, "")
    if label == "after":
        event.name = AFTER.get(event.name, event.name)
    attacks = verb == "attacks" and cursor.next not in (":", "if")
    if attacks or (verb in ("damaged", "hurt") and cursor.skip("by")):
        event.object = read_group(tables, cursor, card)
    return event
