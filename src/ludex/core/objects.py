"""Views that list objects (`traits.objects`), as in GVGAI's observations.

Objects have types and ids, which are numbers without a meaning, and a category, which is all that
a player is told about what they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ludex.core._native import ObjectRows
from ludex.core.event import Event
from ludex.core.view import View

__all__ = [
    "Avatar",
    "Category",
    "Meeting",
    "ObjectRows",
    "ObjectView",
    "kinds_seen",
    "meetings",
]


class Category(IntEnum):
    """The category of an object, with GVGAI's numbers; the first that applies."""

    AVATAR = 0
    RESOURCE = 1
    PORTAL = 2
    NPC = 3
    STATIC = 4
    FROM_AVATAR = 5
    MOVABLE = 6


class Avatar(Protocol):
    """What a seat knows of its own avatar."""

    @property
    def type(self) -> int:
        """-1 if there is none."""
        ...

    @property
    def position(self) -> tuple[int, int]:
        """In pixels."""
        ...

    @property
    def orientation(self) -> tuple[float, float]: ...

    @property
    def resources(self) -> Mapping[int, int]:
        """What it carries: amounts by type."""
        ...


@runtime_checkable
class ObjectView(View, Protocol):
    """A view that lists objects."""

    @property
    def tick(self) -> int: ...

    @property
    def score(self) -> float: ...

    @property
    def block(self) -> int:
        """The size of a cell in pixels."""
        ...

    @property
    def width(self) -> int:
        """In cells."""
        ...

    @property
    def height(self) -> int:
        """In cells."""
        ...

    @property
    def avatar(self) -> Avatar: ...

    @property
    def rows(self) -> NDArray[np.void]:
        """All objects the seat sees: category, type, id, x, y, width, height, each as int32."""
        ...


class Meeting(Protocol):
    """The detail of an event `meeting`: an avatar, or what it made, touched another object."""

    @property
    def by_product(self) -> bool:
        """Whether it was an object made by the avatar, not the avatar itself."""
        ...

    @property
    def passive_type(self) -> int: ...

    @property
    def active_type(self) -> int: ...


def meetings(events: Iterable[Event]) -> list[Meeting]:
    """The details of all events that are meetings (collisions of the avatar)."""
    return [cast(Meeting, event.detail) for event in events if event.kind == "meeting"]


def kinds_seen(view: Any) -> dict[int, Category]:
    """The types of all objects in a view, with their categories, types ascending."""
    rows = view.rows
    pairs = set(zip(rows["type"].tolist(), rows["category"].tolist(), strict=True))
    return {kind: Category(category) for kind, category in sorted(pairs)}
