"""Kinds of objects that were learned in other games, as a library to choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from math import log
from pathlib import Path
from typing import Any

from ludex.core.errors import BadParameter
from ludex.models.learned.library.roles import (
    Fate,
    Motion,
    Role,
    RoleReader,
    RoleRow,
    roles_of,
)
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.training.files import load_any

SUFFIX = "*.model"
RING = 5  # an object's own cell and the four beside it
SMOOTHING = 0.1  # what a motion counts that never followed


def keys_of(row: RoleRow) -> tuple[Hashable, ...]:
    """What a row is looked up by: all of it, then less and less, at last nothing."""
    action, facing, cells, direction = row
    return (
        row,
        (action, facing, cells[:RING], direction),
        (action, facing, cells[:RING]),
        (action, facing, cells[0], direction),
        (action, facing),
        (),
    )


class StoredKind:
    """What is known of a kind of another game, in roles.

    A row that was never seen there is predicted by the likest ones: those that agree in what is
    around it and the direction of the avatar, else in fewer features.
    """

    def __init__(
        self, origin: str, name: str, reach: int, seen: Mapping[tuple[RoleRow, Motion], int]
    ) -> None:
        self.origin = origin
        """the name of its file"""
        self.name = name
        self.reach = reach
        self.seen = seen
        levels = len(keys_of(next(iter(seen))[0]))
        self.tables: list[dict[Hashable, Counter[Motion]]] = [{} for _ in range(levels)]
        for (row, motion), times in seen.items():
            for table, key in zip(self.tables, keys_of(row), strict=True):
                table.setdefault(key, Counter())[motion] += times

    def __str__(self) -> str:
        return f"{self.name} of {self.origin}"

    def motions(self, row: RoleRow) -> Counter[Motion]:
        """What followed the likest rows, with counts."""
        pairs = zip(self.tables, keys_of(row), strict=True)
        return next(table[key] for table, key in pairs if key in table)

    def predict(self, row: RoleRow) -> tuple[Motion, float]:
        """The likeliest motion, and its share."""
        motions = self.motions(row)
        motion, times = motions.most_common(1)[0]
        return motion, times / motions.total()

    def log_likelihood(self, seen: Mapping[tuple[RoleRow, Motion], int]) -> float:
        """How likely it is that a kind which behaves like this one did what was seen."""
        total = 0.0
        for (row, motion), times in seen.items():
            motions = self.motions(row)
            total += times * log((motions[motion] + SMOOTHING) / (motions.total() + 1.0))
        return total

    def hits(self, seen: Mapping[tuple[RoleRow, Motion], int]) -> int:
        """How much of what was seen it predicts."""
        return sum(times for (row, motion), times in seen.items() if self.predict(row)[0] == motion)

    # Files

    def pack(self) -> dict[str, Any]:
        """Plain lists, for a model file."""
        rows = [[list(row), list(motion), times] for (row, motion), times in self.seen.items()]
        return {"origin": self.origin, "name": self.name, "reach": self.reach, "rows": rows}

    @classmethod
    def unpack(cls, kept: Mapping[str, Any]) -> StoredKind:
        """Read what `pack` wrote; ValueError if it is invalid."""
        reach = int(kept["reach"])
        seen: Counter[tuple[RoleRow, Motion]] = Counter()
        for (action, facing, cells, direction), (fate, *moved), times in kept["rows"]:
            if len(cells) != 1 + 4 * reach or len(moved) != 3 or len(direction) != 3 or times < 1:
                raise ValueError("the rows of a stored kind have another length")
            right, down, faces = map(int, moved)
            motion = Motion(Fate(fate), right, down, faces)
            roles = tuple(Role(cell) for cell in cells)
            where = (int(direction[0]), int(direction[1]), int(direction[2]))
            seen[RoleRow(int(action), int(facing), roles, where), motion] += int(times)
        if not seen:
            raise ValueError("a stored kind was never seen")
        return cls(str(kept["origin"]), str(kept["name"]), reach, seen)


def library_files(folder: str) -> list[Path]:
    """The model files of a library: those in a folder, or one file."""
    path = Path(folder)
    files = [path] if path.is_file() else sorted(path.glob(SUFFIX)) if path.is_dir() else []
    if not files:
        raise BadParameter(
            f"library={folder!r} is no model file and no folder with files {SUFFIX}; keep some "
            "there with ludex model fit WORLD --model object_based --out FOLDER/NAME.model"
        )
    return files


def read_library(folder: str, reach: int) -> tuple[StoredKind, ...]:
    """The kinds of a library that change in any way, as one sees them that looks so far."""
    learners = [(path.stem, load_any(path)) for path in library_files(folder)]
    of_objects = [(stem, one) for stem, one in learners if isinstance(one, ObjectBased)]
    if not of_objects:
        raise BadParameter(
            f"library={folder!r} holds no object-based model; fit one with ludex model fit WORLD "
            "--model object_based"
        )
    return tuple(
        kind for stem, learner in of_objects for kind in stored_kinds(stem, learner, reach)
    )


def stored_kinds(origin: str, learner: ObjectBased, reach: int) -> list[StoredKind]:
    """The kinds of one game that change in any way."""
    reader = RoleReader(roles_of(learner.memory_), learner.verbs_)
    shared = min(reach, learner.reach)
    return [
        StoredKind(
            origin,
            learner.kinds_[kind],
            shared,
            reader.motions(kind, learner.memory_, shared),
        )
        for kind, model in learner.models_.items()
        if not model.is_still
    ]
