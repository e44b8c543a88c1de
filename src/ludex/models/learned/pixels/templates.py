"""Known sprites: each is found where the picture differs least from its template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import gcd

import numpy as np
from numpy.typing import NDArray

from ludex.core.object_list import ObjectListView
from ludex.core.pixels import PixelView
from ludex.models.learned.pixels.seen import SeenObject

Picture = NDArray[np.uint8]
"""[y, x, colour]"""


@dataclass
class Template:
    """A sprite's look, and the steps of the grid of places where it was seen."""

    kind: int
    patch: Picture
    step_x: int = 1
    step_y: int = 1


def differences(picture: Picture, template: Template) -> NDArray[np.float32]:
    """The mean difference between a template and each place where its corner may lie, [y, x]."""
    height, width, _ = template.patch.shape
    rows = range(0, picture.shape[0] - height + 1, template.step_y)
    columns = range(0, picture.shape[1] - width + 1, template.step_x)
    total = np.zeros((len(rows), len(columns)), np.int32)
    if not total.size:
        return total.astype(np.float32)
    wide, patch = picture.astype(np.int16), template.patch.astype(np.int16)
    for y in range(height):
        for x in range(width):
            part = wide[y : rows[-1] + y + 1 : template.step_y]
            part = part[:, x : columns[-1] + x + 1 : template.step_x]
            total += np.abs(part - patch[y, x]).sum(axis=2, dtype=np.int32)
    return (total / patch.size).astype(np.float32)


def found_by_templates(
    picture: Picture, templates: Sequence[Template], tolerance: float = 8.0
) -> list[SeenObject]:
    """The objects in a picture, by the least difference of patches.

    Places that differ by at most `tolerance` are taken in the order of their difference, then of
    the templates given, then row after row; a place is left out when more than half of its pixels
    belong to objects that were taken before.
    """
    candidates: list[tuple[float, int, int, int]] = []
    for order, template in enumerate(templates):
        apart = differences(picture, template)
        for row, column in np.argwhere(apart <= tolerance).tolist():
            place = (row * template.step_y, column * template.step_x)
            candidates.append((round(float(apart[row, column]), 2), order, *place))
    explained = np.zeros(picture.shape[:2], bool)
    found: list[SeenObject] = []
    for error, order, y, x in sorted(candidates):
        template = templates[order]
        height, width, _ = template.patch.shape
        box = explained[y : y + height, x : x + width]
        if 2 * box.sum() > box.size:
            continue
        box[:] = True
        found.append(SeenObject(template.kind, x, y, width, height, error))
    return [*found, *partly_hidden(picture, templates, explained, tolerance)]


def partly_hidden(
    picture: Picture,
    templates: Sequence[Template],
    explained: NDArray[np.bool_],
    tolerance: float,
) -> list[SeenObject]:
    """Objects of which a part lies below others: what is seen of them agrees with a template.

    At least a quarter of an object must be seen, and everything around what is seen must be
    explained by others.
    """
    found: list[SeenObject] = []
    for template in templates:
        height, width, _ = template.patch.shape
        open_places = places_of(explained, template)
        for y, x in open_places:
            box = explained[y : y + height, x : x + width]
            seen = ~box
            if 4 * seen.sum() < seen.size or seen.all():
                continue
            apart = np.abs(
                picture[y : y + height, x : x + width].astype(np.int16) - template.patch
            )[seen]
            if apart.mean() <= tolerance:
                found.append(SeenObject(template.kind, x, y, width, height, float(apart.mean())))
                box[:] = True
    return found


def places_of(explained: NDArray[np.bool_], template: Template) -> list[tuple[int, int]]:
    """Places of a template in which some pixels are not explained, most of them open first."""
    height, width, _ = template.patch.shape
    sums = np.zeros((explained.shape[0] + 1, explained.shape[1] + 1), np.int32)
    sums[1:, 1:] = (~explained).cumsum(0).cumsum(1)
    rows = np.arange(0, explained.shape[0] - height + 1, template.step_y)
    columns = np.arange(0, explained.shape[1] - width + 1, template.step_x)
    if not rows.size or not columns.size:
        return []
    low, right = rows + height, columns + width
    count = (
        sums[np.ix_(low, right)]
        - sums[np.ix_(rows, right)]
        - sums[np.ix_(low, columns)]
        + sums[np.ix_(rows, columns)]
    )
    order = np.argsort(-count, axis=None, kind="stable")
    order = order[count.ravel()[order] > 0]
    return [(int(rows[one // len(columns)]), int(columns[one % len(columns)])) for one in order]


# Templates from labelled pictures


@dataclass
class TemplateStudy:
    """Collects how labelled objects look, for templates: the most frequent patch of each kind."""

    kinds: list[str] = field(default_factory=list)
    looks: dict[int, Counter[tuple[bytes, int, int]]] = field(default_factory=dict)
    """by kind: patches with width and height, and how often they were seen"""
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    """by kind: greatest common divisors of the columns and rows of pixels seen"""

    def watch(self, view: PixelView, labels: ObjectListView) -> None:
        """Look at a picture whose objects are known; those over the edge are left out."""
        self.kinds += [name for name in labels.kinds if name not in self.kinds]
        picture, cell = view.array, view.size[2]
        for obj in labels.objects:
            x, y = (place * cell // labels.size[2] for place in (obj.x, obj.y))
            patch = picture[max(0, y) : y + cell, max(0, x) : x + cell]
            if x < 0 or y < 0 or patch.shape[:2] != (cell, cell):
                continue
            kind = self.kinds.index(labels.kinds[obj.kind])
            self.looks.setdefault(kind, Counter())[patch.tobytes(), cell, cell] += 1
            right, down = self.places.get(kind, (0, 0))
            self.places[kind] = gcd(right, x), gcd(down, y)

    def templates(self) -> list[Template]:
        """A template for each kind, of its most frequent look."""
        found: list[Template] = []
        for kind in self.in_order():
            (patch, width, height), _ = self.looks[kind].most_common(1)[0]
            step_x, step_y = (max(1, step) for step in self.places[kind])
            array = np.frombuffer(patch, np.uint8).reshape(height, width, 3)
            found.append(Template(kind, array, step_x, step_y))
        return found

    def in_order(self) -> Iterable[int]:
        """Kinds that are seen most often come first: of equal looks the likelier kind is found."""
        return sorted(self.looks, key=lambda kind: (-self.looks[kind].total(), kind))
