"""Sights: how a learner reads objects out of pictures, with sprites that it knows or not."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from ludex.core.object_list import NOBODY, GameObject, ObjectListView
from ludex.core.pixels import PixelView
from ludex.models.learned.pixels.clusters import PatchBook, Tiles, ground_of, objects_of_tiles
from ludex.models.learned.pixels.control import Control
from ludex.models.learned.pixels.seen import SeenObject
from ludex.models.learned.pixels.templates import Template, TemplateStudy, found_by_templates
from ludex.models.learned.pixels.tracking import assigned

MOST_KNOWN = 10_000  # pictures


@dataclass(frozen=True)
class KeptView:
    """A view that was seen, in a form that needs little memory."""

    facts: PixelView
    """the view without its picture"""
    picture: Any
    """the picture as its sight keeps it"""


@dataclass(frozen=True)
class KeptStep:
    """A step that was seen."""

    before: KeptView
    action: Any
    after: KeptView
    begins: bool
    """whether it does not follow the step before"""


class Sight(ABC):
    """Reads the objects of pictures. Kinds have numbers, which never change, and names."""

    names: list[str]
    avatars: tuple[int, ...]
    """kinds that the player controls, the likeliest first"""
    movers: tuple[int, ...]
    """kinds that were seen to move"""
    directions: dict[Any, tuple[int, int]]
    """by action: the way in which it moves the avatar, a step right and down"""

    def keep(self, view: PixelView, labels: ObjectListView | None = None) -> KeptView:
        """A view as it is kept for learning; `labels` are its true objects, where they are told."""
        return KeptView(replace(view, frame=b""), self.kept(view, labels))

    @abstractmethod
    def kept(self, view: PixelView, labels: ObjectListView | None) -> Any:
        """The picture of a view as it is kept."""

    @abstractmethod
    def learn(self, steps: Sequence[KeptStep], reach: float) -> bool:
        """Learn kinds and the avatar from all steps kept; whether anything changed.

        `reach` is the longest way of an object in one step, in pixels.
        """

    @abstractmethod
    def objects(self, view: KeptView) -> list[SeenObject]:
        """The objects in a picture."""

    @abstractmethod
    def pack(self) -> dict[str, Any]:
        """What was learned as arrays, for a model file."""

    def observed(self, steps: Sequence[KeptStep], reach: float) -> tuple[Control, tuple[int, ...]]:
        """Which kinds are controlled, and which move at all."""
        control, movers = Control(), set()
        for one in steps:
            before, after = self.objects(one.before), self.objects(one.after)
            pairs = assigned(before, after, reach)
            control.watch(before, one.action, after, pairs)
            movers |= {
                before[old].kind for old, new in pairs if before[old][1:3] != after[new][1:3]
            }
        return control, tuple(sorted(movers))

    def avatar(self, objects: Sequence[SeenObject]) -> int:
        """The index of the avatar; NOBODY if it is not seen."""
        for kind in self.avatars:
            for index, one in enumerate(objects):
                if one.kind == kind:
                    return index
        return NOBODY

    def listed(
        self,
        facts: PixelView,
        objects: Sequence[SeenObject],
        ids: Sequence[int],
        facing: tuple[int, int] = (0, 0),
    ) -> ObjectListView:
        """The objects of a picture as a view.

        A picture does not show what is carried, nor where the avatar faces: `facing` is remembered.
        """
        return ObjectListView(
            facts.seat,
            facts.legal,
            tuple(self.names),
            tuple(
                GameObject(one.kind, number, one.x, one.y)
                for one, number in zip(objects, ids, strict=True)
            ),
            self.avatar(objects),
            facing,
            (),
            facts.size,
            facts.score,
            facts.outcome,
            tuple(sorted({one.kind for one in objects} & {*self.movers, *self.avatars})),
        )


@dataclass
class TileSight(Sight):
    """Sprites are not known: tiles are clustered, and all but the ground are objects.

    The avatar is the kind whose moves depend most on the actions.
    """

    tolerance: float
    books: dict[int, PatchBook] = field(default_factory=dict)
    """by the pixels of a cell; pictures of one game have one size"""
    names: list[str] = field(default_factory=list)
    avatars: tuple[int, ...] = ()
    movers: tuple[int, ...] = ()
    directions: dict[Any, tuple[int, int]] = field(default_factory=dict)
    ground: int = NOBODY

    def kept(self, view: PixelView, labels: ObjectListView | None) -> Tiles:
        return self.book(view).read(view.array).astype(np.int16)

    def book(self, view: PixelView) -> PatchBook:
        cell = view.size[2]
        return self.books.setdefault(cell, PatchBook(cell, self.tolerance))

    def learn(self, steps: Sequence[KeptStep], reach: float) -> bool:
        changed = False
        for book in self.books.values():
            changed = book.cluster() or changed
        self.names = [f"tile {number}" for number in range(self.count)]
        if not steps:
            return changed
        if self.ground == NOBODY:
            self.ground = ground_of(
                [(self.tiles(one.before), self.tiles(one.after)) for one in steps]
            )
            changed = True
        control, movers = self.observed(steps, reach)
        before = self.avatars, self.movers, self.directions
        self.avatars, self.movers = control.avatars(), movers
        self.directions = control.directions(self.avatars)
        return changed or before != (self.avatars, self.movers, self.directions)

    @property
    def count(self) -> int:
        return max((book.count for book in self.books.values()), default=0)

    def tiles(self, view: KeptView) -> Tiles:
        return self.books[view.facts.size[2]].kinds(view.picture)

    def objects(self, view: KeptView) -> list[SeenObject]:
        return objects_of_tiles(self.tiles(view), view.facts.size[2], self.ground)

    def pack(self) -> dict[str, Any]:
        (cell, book), *_ = self.books.items()
        return {
            "sight.patches": np.array(book.patches[: len(book.clusters)], np.uint8),
            "sight.clusters": np.array(book.clusters, np.int64),
            "sight.facts": np.array([cell, self.ground]),
            "sight.avatars": np.array(self.avatars, np.int64),
            "sight.movers": np.array(self.movers, np.int64),
            "sight.directions": packed(self.directions),
        }

    @classmethod
    def unpack(cls, arrays: Mapping[str, Any], tolerance: float) -> Self:
        """Read what `pack` wrote; ValueError if it is invalid."""
        cell, ground = map(int, arrays["sight.facts"].tolist())
        patches, clusters = arrays["sight.patches"], arrays["sight.clusters"].tolist()
        if patches.dtype != np.uint8 or patches.shape != (len(clusters), cell * cell * 3):
            raise ValueError("the patches of its tiles are not those of its clusters")
        if sorted(set(clusters)) != list(range(max(clusters, default=-1) + 1)):
            raise ValueError("its clusters of tiles are not numbered one by one")
        book = PatchBook(cell, tolerance)
        for patch in patches:
            book.number(patch)
        if len(book.patches) != len(clusters):
            raise ValueError("a patch of a tile is there twice")
        book.clusters = clusters
        avatars, movers = (
            tuple(arrays[f"sight.{name}"].tolist()) for name in ("avatars", "movers")
        )
        if any(not 0 <= kind < book.count for kind in (*avatars, *movers, ground)):
            raise ValueError("the avatar, a mover or the ground is of no cluster")
        names = [f"tile {number}" for number in range(book.count)]
        return cls(tolerance, {cell: book}, names, avatars, movers, directions_of(arrays), ground)


@dataclass
class TemplateSight(Sight):
    """Sprites are known: labelled pictures of the training show what each kind looks like."""

    tolerance: float
    study: TemplateStudy = field(default_factory=TemplateStudy)
    names: list[str] = field(default_factory=list)
    avatars: tuple[int, ...] = ()
    movers: tuple[int, ...] = ()
    directions: dict[Any, tuple[int, int]] = field(default_factory=dict)
    templates: list[Template] = field(default_factory=list)
    known: dict[tuple[Any, bytes], list[SeenObject]] = field(default_factory=dict)
    """objects of pictures that were read since templates last changed"""
    labelled: list[str] = field(default_factory=list)
    """the names of kinds that avatars were of"""

    def kept(self, view: PixelView, labels: ObjectListView | None) -> bytes:
        if labels is not None:
            self.study.watch(view, labels)
            if labels.avatar != NOBODY:
                own = labels.kinds[labels.objects[labels.avatar].kind]
                self.labelled += [own] if own not in self.labelled else []
        return zlib.compress(view.frame, 1)

    def learn(self, steps: Sequence[KeptStep], reach: float) -> bool:
        if not self.study.looks:  # read from a file
            return False
        before = self.avatars, self.directions, [look_of(one) for one in self.templates]
        self.names = list(self.study.kinds)
        self.templates = self.study.templates()
        self.known.clear()
        self.avatars = tuple(self.names.index(name) for name in self.labelled)
        control, movers = self.observed(steps, reach)
        changed = movers != self.movers
        self.movers, self.directions = movers, control.directions(self.avatars)
        looks = [look_of(one) for one in self.templates]
        return changed or before != (self.avatars, self.directions, looks)

    def objects(self, view: KeptView) -> list[SeenObject]:
        key = view.facts.size, view.picture
        if key not in self.known:
            picture = replace(view.facts, frame=zlib.decompress(view.picture)).array
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[key] = found_by_templates(picture, self.templates, self.tolerance)
        return self.known[key]

    def pack(self) -> dict[str, Any]:
        facts = [[one.kind, one.step_x, one.step_y, *one.patch.shape[:2]] for one in self.templates]
        return {
            "sight.patches": np.frombuffer(
                b"".join(one.patch.tobytes() for one in self.templates), np.uint8
            ),
            "sight.facts": np.array(facts, np.int64),
            "sight.names": np.array(self.names),
            "sight.avatars": np.array(self.avatars, np.int64),
            "sight.movers": np.array(self.movers, np.int64),
            "sight.directions": packed(self.directions),
        }

    @classmethod
    def unpack(cls, arrays: Mapping[str, Any], tolerance: float) -> Self:
        """Read what `pack` wrote; ValueError if it is invalid."""
        names = [str(one) for one in arrays["sight.names"].tolist()]
        patches, start = arrays["sight.patches"], 0
        templates: list[Template] = []
        for kind, step_x, step_y, height, width in arrays["sight.facts"].tolist():
            size = height * width * 3
            if not (0 <= kind < len(names) and min(step_x, step_y, height, width) > 0):
                raise ValueError("a template is of no kind, or has no size")
            patch = patches[start : start + size].reshape(height, width, 3)
            templates.append(Template(kind, patch, step_x, step_y))
            start += size
        avatars, movers = (
            tuple(arrays[f"sight.{name}"].tolist()) for name in ("avatars", "movers")
        )
        if any(not 0 <= kind < len(names) for kind in (*avatars, *movers)):
            raise ValueError("the avatar or a mover is of no kind")
        return cls(
            tolerance,
            names=names,
            avatars=avatars,
            movers=movers,
            directions=directions_of(arrays),
            templates=templates,
        )


def packed(directions: Mapping[Any, tuple[int, int]]) -> Any:
    """The direction of each action as rows of an array."""
    rows = [[int(action), *way] for action, way in directions.items()]
    return np.array(rows, np.int64).reshape(-1, 3)


def directions_of(arrays: Mapping[str, Any]) -> dict[Any, tuple[int, int]]:
    """The direction of each action; ValueError if it is invalid."""
    found = {action: (right, down) for action, right, down in arrays["sight.directions"].tolist()}
    if any(abs(right) + abs(down) != 1 for right, down in found.values()):
        raise ValueError("an action moves in no direction that there is")
    return found


def look_of(template: Template) -> tuple[Any, ...]:
    return template.kind, template.step_x, template.step_y, template.patch.tobytes()
