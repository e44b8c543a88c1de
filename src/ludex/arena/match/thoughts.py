"""What a record keeps of decisions: their evidence and notes, with actions as texts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from ludex.core.decision import Decision
from ludex.core.notes import pack, unpack
from ludex.core.record import LARGEST_FILE
from ludex.core.world import World

MOST_ACTIONS = 64  # of a table of visits or values
MOST_KEPT = LARGEST_FILE // 2  # of all thoughts of a match, so that the rest has room, too
COUNTS = ("iterations", "model_calls", "depth")
TABLES = ("visits", "values")


class Diary:
    """Collects the evidence and notes of decisions, up to the size that a record may have."""

    def __init__(self, world: World, most: int = MOST_KEPT) -> None:
        self.world = world
        self.left = most

    def page(self, decisions: Mapping[int, Decision]) -> dict[str, Any] | None:
        """What was thought in one step, by seat; None when nobody decided or it is full."""
        if not decisions or self.left < 0:
            return None
        made = {str(seat): write_thoughts(self.world, one) for seat, one in decisions.items()}
        self.left -= len(json.dumps(made))
        return made if self.left >= 0 else None


def write_thoughts(world: World, decision: Decision) -> dict[str, Any]:
    """A decision whose notes are sound, as JSON; the action itself is in the record anyway."""
    made: dict[str, Any] = {name: getattr(decision, name) for name in COUNTS}
    for name in TABLES:
        table: Mapping[Any, float] = getattr(decision, name) or {}
        finite = {action: number for action, number in table.items() if isfinite(number)}
        first = sorted(finite, key=lambda action: -finite[action])[:MOST_ACTIONS]
        # All digits: a rounded number could be rounded again, and shown as another one.
        made[name] = {world.action_text(one): finite[one] for one in first}
    made["notes"] = pack(decision.notes)
    return made


def is_writable(number: Any) -> bool:
    """Whether this is a number that can be shown: JSON also has endless ones."""
    try:
        return type(number) in (int, float) and isfinite(number)
    except OverflowError:
        return False


def read_thoughts(world: World, legal: Sequence[Any], action: Any, kept: Any) -> Decision:
    """Read what `write_thoughts` wrote; what makes no sense is left out, as if never thought."""
    document: Mapping[str, Any] = kept if isinstance(kept, dict) else {}
    actions = {world.action_text(one): one for one in legal}
    found: dict[str, Any] = {}
    for name in TABLES:
        table = document.get(name)
        numbers = {
            actions[text]: number
            for text, number in (table.items() if isinstance(table, dict) else ())
            if text in actions and is_writable(number)
        }
        if numbers:
            found[name] = numbers
    for name in COUNTS:
        if type(document.get(name)) is int and is_writable(document[name]):
            found[name] = document[name]
    notes = document.get("notes")
    return Decision(action=action, notes=unpack(notes) if isinstance(notes, dict) else {}, **found)
