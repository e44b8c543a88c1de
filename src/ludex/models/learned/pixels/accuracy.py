"""How well objects are found in pictures: precision and recall, types, and tracks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludex.core.object_list import ObjectListView
from ludex.models.learned.pixels.seen import SeenObject

TrueKey = tuple[str, int, int]


@dataclass
class PixelAccuracy:
    """Counts of objects that were found in pictures, beside the true ones.

    A kind that was found without a name is taken for the true kind that it most often lies on.
    """

    found: list[tuple[list[SeenObject], list[int]]] = field(default_factory=list)
    """objects with their ids, picture by picture"""
    true: list[dict[int, TrueKey]] = field(default_factory=list)
    """by true id: kind and place in pixels"""

    def watch(
        self, objects: Sequence[SeenObject], ids: Sequence[int], labels: ObjectListView, cell: int
    ) -> None:
        """Add a picture, as it was read and as it is."""
        block = labels.size[2]
        self.found.append((list(objects), list(ids)))
        self.true.append(
            {
                obj.id: (labels.kinds[obj.kind], obj.x * cell // block, obj.y * cell // block)
                for obj in labels.objects
            }
        )

    def names(self) -> dict[int, str]:
        """The true kind of each kind that was found."""
        votes: dict[int, Counter[str]] = {}
        for (objects, _), true in zip(self.found, self.true, strict=True):
            at: dict[tuple[int, int], list[str]] = {}
            for kind, x, y in true.values():
                at.setdefault((x, y), []).append(kind)
            for one in objects:
                # What is drawn last is seen; kinds below lie there much more often elsewhere.
                votes.setdefault(one.kind, Counter()).update(at.get((one.x, one.y), []))
        spread = Counter(kind for true in self.true for kind, _, _ in true.values())
        return {
            kind: max(counts, key=lambda name: (counts[name] / spread[name], name))
            for kind, counts in votes.items()
            if counts
        }

    def report(
        self, names: Mapping[int, str] | None = None, ignore: Sequence[str] = ()
    ) -> dict[str, float]:
        """Precision, recall and the share of right tracks; kinds in `ignore` do not count.

        An object is right where one of its kind is, at the same place to a pixel. A track is right
        where two pictures in a row give one id to what is one object.
        """
        names = self.names() if names is None else names
        right = said = there = 0
        tracks = right_tracks = 0
        last: dict[int, int] = {}
        for (objects, ids), true in zip(self.found, self.true, strict=True):
            kept = {number: key for number, key in true.items() if key[0] not in ignore}
            own = [
                (names.get(one.kind, ""), one.x, one.y, number)
                for one, number in zip(objects, ids, strict=True)
                if names.get(one.kind, "") not in ignore
            ]
            matched = matches(own, kept)
            right, said, there = right + len(matched), said + len(own), there + len(kept)
            for number, found in matched.items():
                if number in last:
                    tracks += 1
                    right_tracks += last[number] == found
            last = matched
        return {
            "precision": share(right, said),
            "recall": share(right, there),
            "tracks": share(right_tracks, tracks),
        }


def matches(own: Sequence[tuple[Any, ...]], true: Mapping[int, TrueKey]) -> dict[int, int]:
    """The id that was given to each true object that was found, by true id."""
    open_ones: dict[TrueKey, list[int]] = {}
    for number, key in true.items():
        open_ones.setdefault(key, []).append(number)
    found: dict[int, int] = {}
    for kind, x, y, number in own:
        for near in nearby(kind, x, y):
            if open_ones.get(near):
                found[open_ones[near].pop(0)] = number
                break
    return found


def nearby(kind: str, x: int, y: int) -> list[TrueKey]:
    """The place itself, and those a pixel away."""
    steps = sorted(
        ((right, down) for right in (-1, 0, 1) for down in (-1, 0, 1)),
        key=lambda step: abs(step[0]) + abs(step[1]),
    )
    return [(kind, x + right, y + down) for right, down in steps]


def share(right: int, total: int) -> float:
    return right / total if total else 1.0
