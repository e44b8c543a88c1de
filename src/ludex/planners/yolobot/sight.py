"""Observations of YOLOBOT, and the changes between two of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from ludex.core.event import Event
from ludex.core.objects import Category, Meeting, ObjectRows, meetings
from ludex.core.state import State

Cell: TypeAlias = tuple[int, int]
NOWHERE: Cell = (-1, -1)
Keys: TypeAlias = Literal["hashed", "full", "interchangeable"]
FIXED = (Category.AVATAR, Category.FROM_AVATAR)
"""what is no object to go to: ourselves, and what we made"""


class SeenObject(NamedTuple):
    """An object in a cell."""

    number: int
    kind: int
    category: int
    cell: Cell


class Change(NamedTuple):
    """An object that moved, appeared (`before` is None), or disappeared (`after` is None)."""

    before: SeenObject | None
    after: SeenObject | None

    @property
    def seen(self) -> SeenObject:
        """The object, as it is or was last."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def cells(self) -> list[Cell]:
        return [one.cell for one in self if one is not None]


class Sight:
    """One state, seen by one seat. What is not asked for costs nothing."""

    def __init__(self, view: Any, events: Iterable[Event], over: bool, is_won: bool) -> None:
        self.view = view
        self.objects = ObjectRows(view.rows, view.block, FIXED)
        self.tick: int = view.tick
        self.score: float = view.score
        self.legal: tuple[Any, ...] = view.legal
        self.over = over
        self.is_won = is_won
        self.is_lost = over and not is_won
        self.meetings: list[Meeting] = meetings(events)
        """of the step that led here"""
        self.width: int = view.width
        self.height: int = view.height
        avatar = view.avatar
        self.avatar_kind: int = avatar.type
        self.avatar_cell = self.cell_of(*avatar.position)
        self.orientation: tuple[float, float] = avatar.orientation
        self.facing: Cell = round(self.orientation[0]), round(self.orientation[1])
        self.inventory: Mapping[int, int] = avatar.resources
        self.foreseen: tuple[Any, Any] | None = None
        """the answer to what is to be expected here, after what was asked and known"""

    @classmethod
    def of_state(cls, model: Any, state: State, seat: int) -> Sight:
        """Look at a state of the model right after a step."""
        outcome = model.outcome(state) if model.over(state) else None
        is_won = outcome is not None and seat in outcome.winners
        view = model.view(state, seat)
        return cls(view, model.events(state, seat), outcome is not None, is_won)

    @classmethod
    def of_view(cls, view: Any, known: int = 0) -> Sight:
        """Look at the real game; meetings before the first `known` ones are old."""
        return cls(view, view.history[known:], False, False)

    @cached_property
    def key(self) -> int:
        """A number that is the same for states that look the same but for tick and score."""
        inventory = tuple(sorted(self.inventory.items()))
        return hash((self.objects.digest, self.orientation, inventory))

    def key_by(self, keys: Keys) -> Hashable:
        """What tells this state from others.

        `hashed` is the key; `full` is all that goes into it, so that no two states share one;
        `interchangeable` leaves out the numbers of objects, so that two boxes may change places.
        """
        if keys == "hashed":
            return self.key
        rows = self.view.rows
        seen = (rows if keys == "full" else rows[["category", "type", "x", "y"]]).tolist()
        inventory = tuple(sorted(self.inventory.items()))
        return tuple(sorted(seen)), self.orientation, inventory

    @cached_property
    def carried(self) -> tuple[tuple[int, int], ...]:
        """The inventory as a key."""
        return tuple(self.inventory.items())

    def cell_of(self, x: int, y: int) -> Cell:
        block = self.view.block
        return (x // block, y // block) if (x, y) != NOWHERE else NOWHERE

    def holds(self, cell: Cell) -> bool:
        """Whether a cell is on the board."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def at(self, cell: Cell) -> list[SeenObject]:
        """The objects in a cell, without our avatar and what it made."""
        return [SeenObject._make(one) for one in self.objects.at(*cell)]

    def has(self, number: int) -> bool:
        """Whether an object is still there."""
        return self.objects.has(number)

    def has_own_work(self) -> bool:
        """Whether something the avatar made is about."""
        return self.objects.has_category(Category.FROM_AVATAR)

    def of_kinds(self, kinds: Iterable[int]) -> list[SeenObject]:
        """The objects of some types."""
        return [SeenObject._make(one) for one in self.objects.of_types(tuple(kinds))]

    @cached_property
    def seen_objects(self) -> tuple[SeenObject, ...]:
        """All objects, without our avatar and what it made."""
        return tuple(map(SeenObject._make, self.objects.listed()))


def changes(before: Sight, after: Sight) -> list[Change]:
    """The objects that moved, appeared, disappeared or became another type."""
    return [
        Change(old and SeenObject._make(old), new and SeenObject._make(new))
        for old, new in before.objects.changes(after.objects)
    ]


class Transition:
    """A step that was seen: in the real game, in a search, or in a rollout."""

    def __init__(self, before: Sight, action: Any, heading: Cell, after: Sight) -> None:
        self.before = before
        self.action = action
        self.heading = heading
        """by how many cells the action would move the avatar"""
        self.after = after
        start, end = before.avatar_cell, after.avatar_cell
        self.moved: Cell = end[0] - start[0], end[1] - start[1]
        """by how many cells the avatar moved; nowhere where it is gone"""
        if start == NOWHERE or end == NOWHERE:
            self.moved = 0, 0

    @cached_property
    def changes(self) -> list[Change]:
        return changes(self.before, self.after)

    @property
    def turned(self) -> bool:
        return self.before.orientation != self.after.orientation

    @property
    def has_changed(self) -> bool:
        """Whether anything looks different, but for tick and score."""
        return self.before.key != self.after.key
