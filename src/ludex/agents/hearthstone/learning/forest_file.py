"""Files of learned forests: arrays, training settings and the card set."""

from __future__ import annotations

import contextlib
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from ludex.agents.hearthstone.learning.forests import Arrays
from ludex.core.bounded_file import TooLarge, read_arrays
from ludex.core.errors import BadParameter, LudexError
from ludex.worlds.hearthstone import pools

FORMAT = 3
LARGEST = 2**29  # the largest uncompressed size in bytes
LARGEST_FACTS = 2**22
UNREADABLE = (
    *(KeyError, ValueError, TypeError, OSError, EOFError, RuntimeError, RecursionError),
    *(zipfile.BadZipFile, zlib.error, TooLarge),
)
CARDS = [*pools.NORA_SPECIALS, *pools.NORA]
COMMANDS = {"nora": "learn", "apprentice": "improve", "fitted_q": "iterate"}
"""the players in such files, and the command of `ludex hearthstone` that writes them"""


def write(path: Path, kind: str, forests: dict[str, Arrays], facts: dict[str, Any]) -> None:
    """Write forests by name, atomically."""
    known = {**facts, "format": FORMAT, "kind": kind, "cards": CARDS, "forests": list(forests)}
    arrays: dict[str, Any] = {"facts": np.array(json.dumps(known))}
    for name, forest in forests.items():
        for column, values in vars(forest).items():
            arrays[f"{name}_{column}"] = values
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise LudexError(f"cannot write {str(path)!r}: {error.strerror}") from None


def read(path: Path, kind: str | None = None) -> tuple[dict[str, Arrays], dict[str, Any]]:
    """Read forests; BadParameter for a file of another kind or card set."""
    try:
        kept: dict[str, Any] = read_arrays(path, LARGEST, BadParameter, "file of forests")
        if kept["facts"].nbytes > LARGEST_FACTS:
            raise ValueError("its facts are too large")
        facts: dict[str, Any] = json.loads(str(kept["facts"]))
        if facts["format"] != FORMAT or facts["cards"] != CARDS:
            raise BadParameter(
                f"{str(path)!r} was made with other cards or another version of ludex; learn again"
            )
        names = Arrays.__dataclass_fields__
        forests = {
            group: Arrays(**{name: kept[f"{group}_{name}"] for name in names})
            for group in facts["forests"]
        }
    except UNREADABLE as error:
        raise BadParameter(
            f"{str(path)!r} holds no forests; 'ludex hearthstone learn FILE' writes such files"
        ) from error
    if kind is not None and facts["kind"] != kind:
        raise BadParameter(
            f"{str(path)!r} was written for {facts['kind']}, not for {kind}; write one with "
            f"'ludex hearthstone {COMMANDS[kind]} FILE'"
        )
    return forests, facts
