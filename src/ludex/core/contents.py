"""Hashes of the files that a match depends on, besides the code of ludex.

A world tells its own (`World.contents`); of agents it is the files that their texts name, such as
`mcts@local(file=model.npz)`. Nothing is imported to find out: Python is read as text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ludex.core.module_files import hash_of_modules

if TYPE_CHECKING:
    from ludex.core.world import World

Contents: TypeAlias = Mapping[str, str]
"""Short hashes, by what is hashed: `level mine_lvl0.txt`"""
AT_A_TIME = 2**20
WORDS = re.compile(r"[()\[\],=@]")
ABSENT = "absent"


def hash_of(path: Path) -> str:
    """A short hash of a file; the same for the same bytes wherever the file lies."""
    digest = hashlib.blake2b(digest_size=8)
    try:
        if not path.is_file():
            return ABSENT
        with path.open("rb") as file:
            while part := file.read(AT_A_TIME):
                digest.update(part)
    except (OSError, ValueError):
        return ABSENT
    return digest.hexdigest()


def hash_of_source(path: Path) -> str:
    """A hash of a Python file and of those that it imports from beside it."""
    try:
        return hash_of_modules(path, path.read_bytes())
    except (OSError, ValueError):
        return ABSENT


def hash_of_data(*parts: bytes | None) -> str:
    """The same of what was read from files; None stands for one that could not be."""
    if None in parts:
        return ABSENT
    return hashlib.blake2b(b"".join(part or b"" for part in parts), digest_size=8).hexdigest()


def files_named_in(text: str) -> dict[str, str]:
    """The files that the text of a world or an agent names, with their hashes.

    Python files are left out: an agent's file has its version, and a world's is told by itself.
    """
    found: dict[str, str] = {}
    before = ""
    for word in WORDS.split(text):
        name = word.strip()
        may_be_one = "." in name or "/" in name or (before.endswith("file") and name)
        if may_be_one and not name.endswith(".py") and is_there(Path(name)):
            found[f"file {Path(name).name}"] = hash_of(Path(name))
        before = name
    return found


def is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name, or with a zero in it
        return False


def contents_of_match(world: World, agents: Sequence[str]) -> dict[str, dict[str, str]]:
    """What a match depends on: under `world` and the number of each seat, as records keep it."""
    found = {"world": dict(world.contents)}
    found |= {str(seat): files_named_in(text) for seat, text in enumerate(agents)}
    return {part: contents for part, contents in found.items() if contents}


def changes(before: Contents, after: Contents) -> list[str]:
    """What differs between two contents, each in a few words.

    >>> changes({"level a.txt": "00", "deck b": "11"}, {"level a.txt": "22", "deck b": "11"})
    ['level a.txt was 00, is 22']
    """
    return [
        f"{name} was {before.get(name, ABSENT)}, is {after.get(name, ABSENT)}"
        for name in dict.fromkeys([*before, *after])
        if before.get(name, ABSENT) != after.get(name, ABSENT)
    ]
