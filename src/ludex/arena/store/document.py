"""Reads the study in a store as plain values, and refuses anything else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludex.arena.store.errors import BadStore, damaged
from ludex.core.names import read_agent, read_world
from ludex.core.own_part import python_files_in
from ludex.core.user_file import is_file_name

LONGEST = 2**24  # characters
TEXTS = ("name", "about", "pairing", "isolate")
NUMBERS = ("repetitions", "seed", "rounds")
ENTRIES = {
    "agents": ("label", "agent"),
    "opponents": ("label", "agent"),
    "games": ("label", "world"),
}


def read_document(text: str, path: Path) -> dict[str, Any]:
    """Read a study that a store keeps; BadStore when it is none."""
    try:
        document = json.loads(text) if len(text) <= LONGEST else None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not is_study(document):
        raise damaged(path, "the study in it cannot be read")
    return document


def is_study(document: dict[str, Any]) -> bool:
    """Whether all that tables need is there, and of the right kind."""
    rules = document.get("rules")
    return (
        all(isinstance(document.get(name), str) for name in TEXTS)
        and all(type(document.get(name)) is int for name in NUMBERS)
        and all(is_list_of(document.get(name), kind) for name, kind in LISTS.items())
        and isinstance(rules, dict)
        and type(rules.get("max_ticks")) is int
        and all(
            isinstance(entry.get(name), str)
            for key, names in ENTRIES.items()
            for entry in document[key]
            for name in names
        )
        and all(is_list_of(game.get("levels"), int) for game in document["games"])
    )


LISTS: dict[str, type] = {
    "budgets": str,
    "seeds": int,
    "agents": dict,
    "opponents": dict,
    "games": dict,
}


def is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(type(one) is kind for one in value)


def refuse_python(document: dict[str, Any], path: Path) -> None:
    """Raise where making the study would run Python that only the store names."""
    texts = [(read_agent, one["agent"]) for one in document["agents"] + document["opponents"]]
    names = [read(text)[0].name for read, text in texts]
    names += [read_world(one["world"]).name for one in document["games"]]
    parts = [part for _, text in texts for part in python_files_in(text)]
    for name in (*names, *parts):
        if is_file_name(name):
            raise BadStore(
                f"the study in {str(path)!r} names the Python file {name!r}, which is not run; if "
                "you trust it, make the study with Study.from_document(store.document)"
            )
