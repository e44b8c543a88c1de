"""Whether a study is the one in a store, or an extension of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludex.arena.match.rules import MatchRules
from ludex.arena.store.errors import BadStore


def check_same(path: Path, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Raise BadStore unless the study is the one of the store, or more of it."""
    for key, reason in differences(before, json.loads(json.dumps(after))):
        raise BadStore(
            f"{str(path)!r} was begun with another study: {key}: {reason}; begin another store "
            "with --store, or change the study back"
        )


def differences(before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a study changes of an earlier one, beyond adding to it."""
    # Rules that ludex did not have when the store was begun are as usual.
    before = {**before, "rules": {**asdict(MatchRules()), **before["rules"]}}
    for key in ("seed", "pairing", "rules"):
        if before[key] != after[key]:
            yield key, f"was {before[key]!r}, is {after[key]!r}"
    for key in ("repetitions", "rounds"):
        if after[key] < before[key]:
            yield key, f"was {before[key]}, is only {after[key]}"
    if after["seeds"][: len(before["seeds"])] != before["seeds"]:
        yield "seeds", "they do not begin with the earlier ones"
    if bool(before["seeds"]) != bool(after["seeds"]):
        yield "seeds", "they were given by 'repetitions' before, or the other way round"
    for text in before["budgets"]:
        if text not in after["budgets"]:
            yield "budgets", f"{text!r} is missing"
    for key, part in (("agents", "agent"), ("opponents", "agent"), ("games", "world")):
        here = {one["label"]: one for one in after[key]}
        for one in before[key]:
            label = one["label"]
            if label not in here:
                yield key, f"{label!r} is missing"
            elif here[label][part] != one[part]:
                yield key, f"{label!r} was {one[part]!r}, is {here[label][part]!r}"
            elif not set(one.get("levels", ())) <= set(here[label].get("levels", ())):
                yield key, f"levels of {label!r} are missing"
    if before["pairing"] == "glicko" and before["agents"] != after["agents"]:
        yield "agents", "those of a study with pairing = 'glicko' cannot change"
    if before["pairing"] == "glicko" and before["repetitions"] != after["repetitions"]:
        yield "repetitions", "that of a study with pairing = 'glicko' cannot change"
