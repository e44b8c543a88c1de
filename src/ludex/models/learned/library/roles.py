"""Roles of kinds: what a kind is by its behaviour, so that games with other names can be compared.

Rows of features name the kinds around an object, which mean nothing in another game. With each
kind replaced by its role, and the place of the avatar by its direction, rows of two games are alike
where the situations are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from ludex.models.learned.objects.features import (
    DOWN,
    EMPTY,
    FACING,
    FAR,
    FIRST_KIND,
    OUTSIDE,
    RIGHT,
    VERB,
    FeatureRow,
)
from ludex.models.learned.objects.memory import GONE, ObjectChange, ObjectMemory

Direction: TypeAlias = tuple[int, int, int]
"""signs of the distance to the avatar, right and down, and which is larger"""
NO_AVATAR: Direction = (2, 2, 0)
NO_ACTION = -1


class Role(IntEnum):
    """What an object does, or what a cell is where there is none."""

    OUTSIDE = 0
    NOTHING = 1
    ALIKE = 2
    """of the kind that looks"""
    AVATAR = 3
    MOVES = 4
    CHANGES = 5
    """stays in its place, and disappears or becomes another kind"""
    PASSED = 6
    """never changes, and other objects were seen to enter its cell"""
    BARS = 7
    """never changes, and none was"""


class Fate(IntEnum):
    """What becomes of an object."""

    STAYS = 0
    GOES = 1
    BECOMES = 2
    """another kind"""


class Motion(NamedTuple):
    """A change of an object, without the names of kinds."""

    fate: Fate
    right: int = 0
    """in parts of a cell"""
    down: int = 0
    facing: int = 0


class RoleRow(NamedTuple):
    """The features of an object, without the names of kinds."""

    action: int
    facing: int
    cells: tuple[int, ...]
    """the role of what lies in its own cell, and of what lies around it"""
    direction: Direction


def motion_of(kind: int, change: ObjectChange) -> Motion:
    """A change of an object of a kind as a motion."""
    if change.kind == GONE:
        return Motion(Fate.GOES)
    fate = Fate.STAYS if change.kind == kind else Fate.BECOMES
    return Motion(fate, change.right, change.down, change.facing)


def roles_of(memory: ObjectMemory) -> dict[int, Role]:
    """The role of each kind, as far as it was seen."""
    roles = {kind: own_role(kind, table) for kind, table in memory.seen.items()}
    entered = {
        row[0] - FIRST_KIND
        for kind, table in memory.seen.items()
        if roles[kind] in (Role.AVATAR, Role.MOVES)
        for row in table
    }
    return {
        kind: Role.PASSED if role is Role.BARS and kind in entered else role
        for kind, role in roles.items()
    }


def own_role(kind: int, table: Mapping[FeatureRow, Mapping[ObjectChange, int]]) -> Role:
    """The role of a kind by its own changes."""
    if all(row[RIGHT] == row[DOWN] == 0 for row in table):
        return Role.AVATAR  # it alone is never away from itself
    changes = {change for found in table.values() for change in found}
    if any(change.right or change.down for change in changes):
        return Role.MOVES
    return Role.CHANGES if any(change.kind != kind for change in changes) else Role.BARS


@dataclass(frozen=True)
class RoleReader:
    """Reads rows of features of one game as rows of roles."""

    roles: Mapping[int, Role]
    verbs: Sequence[int]
    """the actions of the game, by their index in rows"""

    def row(self, kind: int, row: FeatureRow, reach: int) -> RoleRow:
        """The row of an object of a kind, as one sees it that looks so many cells far."""
        verb = row[VERB]
        return RoleRow(
            int(self.verbs[verb]) if verb < len(self.verbs) else NO_ACTION,
            row[FACING],
            tuple(self.role(kind, content) for content in row[: 1 + 4 * reach]),
            direction_of(row),
        )

    def role(self, looking: int, content: int) -> int:
        """The role of what a cell shows to an object of a kind."""
        if content == OUTSIDE:
            return Role.OUTSIDE
        if content == EMPTY:
            return Role.NOTHING
        kind = content - FIRST_KIND
        return Role.ALIKE if kind == looking else self.roles.get(kind, Role.BARS)

    def motions(
        self, kind: int, memory: ObjectMemory, reach: int
    ) -> Counter[tuple[RoleRow, Motion]]:
        """All that was seen of a kind, in roles, with counts."""
        found: Counter[tuple[RoleRow, Motion]] = Counter()
        for row, changes in memory.seen[kind].items():
            read = self.row(kind, row, reach)
            for change, times in changes.items():
                found[read, motion_of(kind, change)] += times
        return found


def direction_of(row: FeatureRow) -> Direction:
    """In which direction the avatar is."""
    right, down = row[RIGHT], row[DOWN]
    if right == FAR:
        return NO_AVATAR
    return sign(right), sign(down), sign(abs(right) - abs(down))


def sign(number: int) -> int:
    return (number > 0) - (number < 0)
