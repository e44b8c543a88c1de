"""Error analysis of object-based models: confusion of changes, wrong objects, drawn states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.object_list import ObjectListView
from ludex.models.learned.explain.diagnosis import BEYOND
from ludex.models.learned.explain.object_rules import STAYS, ObjectWords
from ludex.models.learned.explain.rules import EDGE, everywhere, named
from ludex.models.learned.objects.features import FACING, PlacedObject
from ludex.models.learned.objects.memory import (
    GONE,
    ItemKinds,
    ObjectChange,
    ObjectStep,
    birth_near,
    object_step,
    stays,
)
from ludex.models.learned.objects.model import ObjectModel, ObjectState, leaves_level
from ludex.models.learned.training.transitions import Transition

if TYPE_CHECKING:
    from ludex.models.learned.object_based import ObjectBased

COMES, NOT_PREDICTED = "comes", "was not predicted"
Content = tuple[PlacedObject, ...]
"""kinds in a cell, the topmost last, and the offset of each from the middle, in hundredths"""


@dataclass
class Contents:
    """Indices of distinct cell contents, so that states of objects can be drawn as grids."""

    known: list[Content] = field(default_factory=lambda: [()])
    """the first stands for what lies beyond the edge"""
    numbers: dict[Content, int] = field(default_factory=dict)

    def grid(self, state: ObjectState, exact: bool = True) -> NDArray[np.uint16]:
        """The content of every cell; unless exact, objects lie in the middle of their cell."""
        size = state.static.size
        cells: dict[tuple[int, int], list[PlacedObject]] = {}
        for kind, x, y in (*state.objects, *state.static.objects):
            column, row = size.cell(x, y)
            right, down = (x - column * size.block, y - row * size.block) if exact else (0, 0)
            off = 100 * right // size.block, 100 * down // size.block
            cells.setdefault((column, row), []).append((kind, *off))
        grid = np.full((size.height, size.width), self.number(()), np.uint16)
        for cell, content in cells.items():
            if size.holds(cell):
                grid[cell[1], cell[0]] = self.number(tuple(sorted(content)))
        return grid

    def number(self, content: Content) -> int:
        if content not in self.numbers:
            self.numbers[content] = len(self.known)
            self.known.append(content)
        return self.numbers[content]

    def drawn(self, kinds: Sequence[str]) -> list[dict[str, Any]]:
        """For each content: its name, the kinds to draw, and their offsets."""
        names = [[kinds[kind] for kind, _, _ in content] for content in self.known]
        common = everywhere(names[BEYOND + 1 :])
        shown = [[one for one in content if kinds[one[0]] not in common] for content in self.known]
        return [
            {
                "name": EDGE if number == BEYOND else named(names[number], common),
                "kinds": [kind for kind, _, _ in own],
                "shifts": [[x, y] for _, x, y in own],
            }
            for number, own in enumerate(shown)
        ]


@dataclass(frozen=True, slots=True)
class ObjectError:
    """A wrongly predicted object with its surroundings."""

    around: tuple[tuple[int, ...], ...]
    action: Any
    kind: int
    said: str
    came: str


@dataclass
class ObjectConfusion:
    """Counts of predicted and actual changes of objects."""

    confusion: dict[int, Counter[tuple[str, str]]] = field(default_factory=dict)
    """by kind: (what came, what was predicted) of objects that change or are predicted to"""
    errors: Counter[ObjectError] = field(default_factory=Counter)


def compare(
    learner: ObjectBased,
    model: ObjectModel,
    transitions: Sequence[Transition],
    contents: Contents,
    words: ObjectWords,
    span: int,
) -> ObjectConfusion:
    """Count predicted and actual changes of all objects, and collect the wrong ones."""
    found = ObjectConfusion()
    for one in transitions:
        before, after = (learner.own(learner.shown(at.view)) for at in (one.before, one.after))
        state = model.state_of(before)
        around = np.pad(contents.grid(state, exact=False), span, constant_values=BEYOND)
        for obj, said, came in told(learner, model, before, one.actions[0], after, words):
            kind, x, y = obj
            if (said, came) != (STAYS, STAYS):
                found.confusion.setdefault(kind, Counter())[came, said] += 1
            if said == came:
                continue
            column, row = state.static.size.cell(x, y)
            if not state.static.size.holds((column, row)):
                continue
            window = around[row : row + 2 * span + 1, column : column + 2 * span + 1]
            shown = tuple(map(tuple, window.tolist()))
            found.errors[ObjectError(shown, one.actions[0], kind, said, came)] += 1
    return found


def told(
    learner: ObjectBased,
    model: ObjectModel,
    before: ObjectListView,
    action: Any,
    after: ObjectListView,
    words: ObjectWords,
) -> Iterator[tuple[PlacedObject, str, str]]:
    """Each object with its predicted and actual change; then new objects without a maker."""
    item_kinds = ItemKinds(list(learner.item_kinds_.goods), list(learner.item_kinds_.made))
    verbs = learner.verbs_
    verb = verbs.index(action) if action in verbs else len(verbs)
    happened = object_step(learner.feature_settings, before, verb, after, item_kinds)
    makers = learner.makers()
    state = model.state_of(before)
    expected: dict[PlacedObject, list[ObjectChange]] = {}
    for obj, prediction in zip(state.objects, model.predictions(state, verb), strict=True):
        expected.setdefault(obj, []).append(prediction.change)
    for index, (obj, row) in enumerate(zip(happened.objects, happened.rows, strict=True)):
        changes = expected.get(obj)
        said = changes.pop() if changes else stays(obj[0])
        if leaves_level(obj, said, state.static.size):
            said = ObjectChange(GONE, births=said.births)
        came = happened.changes[index]
        own = tuple(birth for birth in came.births if (obj[0], birth[0]) in makers)
        yield (
            obj,
            words.change(said, obj[0], row[FACING]),
            words.change(came._replace(births=own), obj[0], row[FACING]),
        )
    for born in unmade(happened, makers):
        yield born, NOT_PREDICTED, COMES


def unmade(happened: ObjectStep, makers: set[tuple[int, int]]) -> Iterator[PlacedObject]:
    """New objects without a kind nearby that makes them."""
    for obj in happened.born:
        close = (
            kind
            for kind, x, y in happened.objects
            if birth_near(obj._replace(kind=kind, x=x, y=y), obj, happened.block)
        )
        if not any((kind, obj.kind) in makers for kind in close):
            yield obj.kind, obj.x, obj.y
