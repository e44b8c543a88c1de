"""Actions as people name them: groups, places by the hexes beside them, and short forms."""

from __future__ import annotations

from typing import Any

from ludex.core.choices import Choice, folded
from ludex.worlds.catan.notation import action_text
from ludex.worlds.catan.values import (
    DESERT,
    ENDS,
    HARBOUR_AT,
    HEXES_AT,
    RESOURCES,
    TYPES,
    argument_of,
    robber_of,
    type_of,
)

GROUPS = {
    "roll": "roll the dice",
    "end": "end the turn",
    "settlement": "build a settlement",
    "city": "build a city",
    "road": "build a road",
    "buy": "buy a development card",
    "knight": "play a knight",
    "plenty": "play year of plenty",
    "monopoly": "play monopoly",
    "roads": "play road building",
    "trade": "trade with the bank",
    "offer": "offer a trade",
    "accept": "accept the offer",
    "reject": "reject the offer",
    "discard": "discard a card",
    "robber": "move the robber",
}
VERBS = {
    "settlement": "build",
    "city": "build",
    "road": "build",
    "knight": "play",
    "plenty": "play",
    "monopoly": "play",
    "roads": "play",
    "robber": "move",
}
"""what people say before the first word of the notation"""
ARTICLES = ("a", "an", "the")
MOST_DESCRIBED = 60
"""places of a group that are listed with what lies beside them"""


def choices(table: Any, legal: tuple[Any, ...]) -> list[Choice]:
    """Each legal action with its group and its names."""
    kinds = [type_of(action) for action in legal]
    many = {kind for kind in set(kinds) if kinds.count(kind) > MOST_DESCRIBED}
    return [
        choice(table, action, kind, kind not in many)
        for action, kind in zip(legal, kinds, strict=True)
    ]


def choice(table: Any, action: int, kind: str, describe: bool) -> Choice:
    text = action_text(action)
    names = [f"{VERBS[kind]} {text}"] if kind in VERBS else []
    if text == kind:  # it stands alone, so its group names it
        return Choice(action, text, GROUPS[kind], names=(*names, GROUPS[kind]))
    label = text.removeprefix(f"{kind} ")
    if describe and (beside := surroundings(table, action, kind)):
        label = f"{label} ({beside})"
    return Choice(action, text, GROUPS[kind], label, tuple(names))


def surroundings(table: Any, action: int, kind: str) -> str:
    """Which hexes lie at the place of an action."""
    match kind:
        case "settlement" | "city":
            node = argument_of(action)
            port = [port_text(table, HARBOUR_AT[node])] if node in HARBOUR_AT else []
            return ", ".join([*(hex_text(table, one) for one in HEXES_AT[node]), *port])
        case "road":
            sides = [set(HEXES_AT[node]) for node in ENDS[argument_of(action)]]
            beside = sorted(sides[0] & sides[1])
            if len(beside) == 1:
                return f"coast of {hex_text(table, beside[0])}"
            return " / ".join(hex_text(table, one) for one in beside)
        case "knight" | "robber":
            return hex_text(table, robber_of(action)[0])
    return ""


def hex_text(table: Any, hexagon: int) -> str:
    land, number = table.terrain[hexagon], table.number[hexagon]
    return "desert" if land == DESERT else f"{RESOURCES[land]} {number}"


def port_text(table: Any, harbour: int) -> str:
    kind = table.harbour[harbour]
    return "harbour 3:1" if kind == DESERT else f"harbour 2:1 {RESOURCES[kind]}"


def spelled_out(text: str) -> str:
    """Text without the verb and the article before an action, its first word in full.

    >>> spelled_out("build a settlement 12"), spelled_out("b s 12"), spelled_out("Knight 7")
    ('settlement 12', 'settlement 12', 'knight 7')
    """
    words = folded(text).split()
    if len(words) > 1 and any(verb.startswith(words[0]) for verb in VERBS.values()):
        words = words[1:] if words[0] not in TYPES else words
    words = words[1:] if len(words) > 1 and words[0] in ARTICLES else words
    if words and words[0] not in TYPES:
        begun = [kind for kind in TYPES if kind.startswith(words[0])]
        words[0] = begun[0] if len(begun) == 1 else words[0]
    return " ".join(words)
