"""What a match depended on beside the code of ludex: files, by hashes of their contents.

A world tells its own (`World.contents`); of agents it is the files that their texts name, such as
`mcts@local(file=model.npz)`. Nothing is imported to find out: Python is read as text.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ludex.core.world import World

Contents: TypeAlias = Mapping[str, str]
"""Short hashes, by what is hashed: `level mine_lvl0.txt`"""
AT_A_TIME = 2**20
MOST_MODULES = 1000
WORDS = re.compile(r"[()\[\],=@]")
ABSENT = "absent"


def hash_of(path: Path) -> str:
    """A short hash of a file; the same for the same bytes wherever the file lies."""
    return hash_of_all([path])


def hash_of_all(paths: Iterable[Path]) -> str:
    """One hash of several files, in this order."""
    digest = hashlib.blake2b(digest_size=8)
    for path in paths:
        try:
            if not path.is_file():
                return ABSENT
            with path.open("rb") as file:
                while part := file.read(AT_A_TIME):
                    digest.update(part)
        except (OSError, ValueError):
            return ABSENT
    return digest.hexdigest()


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


def source_files(path: Path) -> list[Path]:
    """A Python file and those beside it that it imports, and what these import, in order."""
    found: list[Path] = []
    waiting = [path.resolve()]
    while waiting and len(found) < MOST_MODULES:
        file = waiting.pop()
        if file not in found:
            found.append(file)
            waiting += imported_beside(file)
    return [found[0], *sorted(found[1:])]


def imported_beside(file: Path) -> list[Path]:
    """The files that a Python file names in its imports and that lie beside or below it."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
            names += [f"{node.module or ''}.{one.name}".lstrip(".") for one in node.names]
    found: list[Path] = []
    for name in names:
        # In a package, a name may begin with that of the folder.
        parts = name.removeprefix(f"{file.parent.name}.").split(".") if name else []
        for length in range(1, len(parts) + 1):
            place = file.parent.joinpath(*parts[:length])
            both = (place.with_name(f"{place.name}.py"), place / "__init__.py")
            found += [one for one in both if one.is_file()]
    return found


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
