"""Training data of an object-based model: changes of objects, and which kinds create others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from ludex.core.object_list import NOBODY, GameObject, ObjectListView
from ludex.models.learned.objects.features import (
    BEHIND,
    FACINGS,
    MOST_GOODS,
    FeatureRow,
    FeatureSettings,
    Held,
    LevelSize,
    ObjectScene,
    PlacedObject,
    StaticObjects,
    nearby,
    rows_at_once,
)

GONE = -1
MIL = 1000  # parts of a cell, the unit of moves
NEARLY = 0.9  # share of the best candidate's births that makes another kind a candidate, too
RARE = 0.1  # share of the births of a kind below which they stay unexplained
Birth: TypeAlias = tuple[int, int, int]
"""a kind and its position relative to its maker, right and down, in parts of a cell"""


class ObjectChange(NamedTuple):
    """The change of an object in one step."""

    kind: int
    """GONE, or its kind afterwards"""
    right: int = 0
    """its move, in parts of a cell"""
    down: int = 0
    facing: int = 0
    """the direction it faces afterwards, if it is the avatar"""
    gains: Held = ()
    """changes of what it carries, if it is the avatar"""
    births: tuple[Birth, ...] = ()
    """new objects near it"""


@dataclass(frozen=True)
class ObjectStep:
    """One step: every object with its features and its change, and all new objects."""

    objects: list[PlacedObject]
    rows: list[FeatureRow]
    changes: list[ObjectChange]
    born: list[GameObject]
    movable: tuple[int, ...]
    """kinds that may move"""
    block: int


@dataclass
class ItemKinds:
    """Kinds that are ever carried (goods), and kinds that are ever created (made)."""

    goods: list[int] = field(default_factory=list)
    made: list[int] = field(default_factory=list)

    def note(self, *views: ObjectListView) -> None:
        for view in views:
            self.add(self.goods, (kind for kind, _ in view.held))

    @staticmethod
    def add(known: list[int], kinds: Iterable[int]) -> None:
        for kind in kinds:
            if kind not in known and len(known) < MOST_GOODS:
                known.append(kind)


def scene_of(
    feature_settings: FeatureSettings, view: ObjectListView, verb: int, item_kinds: ItemKinds
) -> ObjectScene:
    """A view as a scene in which no object is static."""
    objects = [(kind, x, y) for kind, _, x, y in view.objects]
    load, static = (
        feature_settings.load(view.held, item_kinds.goods),
        StaticObjects(LevelSize(*view.size)),
    )
    return ObjectScene(static, objects, view.avatar, view.facing, load, verb, item_kinds.made)


def object_step(
    feature_settings: FeatureSettings,
    before: ObjectListView,
    verb: int,
    after: ObjectListView,
    item_kinds: ItemKinds,
) -> ObjectStep:
    """The change of every object between two views, and all new objects."""
    item_kinds.note(before, after)
    later = {obj.id: obj for obj in after.objects}
    known = {obj.id for obj in before.objects}
    new = [obj for obj in after.objects if obj.id not in known]
    became = changes_of_kind(before, after, later, new)
    born = [obj for obj in new if obj not in became.values()]
    item_kinds.add(item_kinds.made, (obj.kind for obj in born))
    scene = scene_of(feature_settings, before, verb, item_kinds)
    block = before.size[2]
    changes: list[ObjectChange] = []
    for index, obj in enumerate(before.objects):
        next_one = later.get(obj.id) or became.get(obj.id)
        births = tuple(sorted(birth for one in born if (birth := birth_near(obj, one, block))))
        if index == before.avatar and next_one is not None:
            facing = FACINGS.index(after.facing) if after.facing in FACINGS else 0
            gains = gained(before.held, after.held)
            changes.append(ObjectChange(*moved(obj, next_one, block), facing, gains, births))
        elif next_one is None:
            changes.append(ObjectChange(GONE, births=births))
        elif next_one != obj or births:
            changes.append(ObjectChange(*moved(obj, next_one, block), births=births))
        else:
            changes.append(stays(obj.kind))
    rows = rows_at_once(feature_settings, scene)
    own = () if before.avatar == NOBODY else (before.objects[before.avatar].kind,)
    return ObjectStep(list(scene.objects), rows, changes, born, (*own, *before.movable), block)


@cache
def stays(kind: int) -> ObjectChange:
    """The change of an object that stays as it is."""
    return ObjectChange(kind)


def moved(obj: GameObject, next_one: GameObject, block: int) -> tuple[int, int, int]:
    right, down = next_one.x - obj.x, next_one.y - obj.y
    return next_one.kind, right * MIL // block, down * MIL // block


def changes_of_kind(
    before: ObjectListView,
    after: ObjectListView,
    later: Mapping[int, GameObject],
    new: Sequence[GameObject],
) -> dict[int, GameObject]:
    """Objects that changed their kind: gone where another one appeared, by id."""
    became: dict[int, GameObject] = {}
    free = list(new)
    if before.avatar != NOBODY and after.avatar != NOBODY:
        old, own = before.objects[before.avatar], after.objects[after.avatar]
        if old.id not in later and own in free:
            became[old.id] = own
            free.remove(own)
    for obj in before.objects:
        if obj.id in later or obj.id in became:
            continue
        for one in free:
            if (one.x, one.y) == (obj.x, obj.y) and one.kind != obj.kind:
                became[obj.id] = one
                free.remove(one)
                break
    return became


def birth_near(obj: GameObject, born: GameObject, block: int) -> Birth | None:
    """A new object relative to another, if it is at most a cell away."""
    right, down = born.x - obj.x, born.y - obj.y
    if abs(right) > block or abs(down) > block:
        return None
    return born.kind, right * MIL // block, down * MIL // block


def gained(before: Held, after: Held) -> Held:
    """The difference in what is carried."""
    amounts = Counter(dict(after))
    amounts.subtract(dict(before))
    return tuple(sorted((kind, amount) for kind, amount in amounts.items() if amount))


@dataclass
class ObjectMemory:
    """The features of objects of each kind, with the changes that followed and counts."""

    seen: dict[int, dict[FeatureRow, dict[ObjectChange, int]]] = field(default_factory=dict)
    """by kind"""
    movers: set[int] = field(default_factory=set)
    """kinds that may move or have moved; others have no distances as features"""
    births: Counter[tuple[int, frozenset[int]]] = field(default_factory=Counter)
    """new objects, by kind and the kinds nearby"""
    present: Counter[int] = field(default_factory=Counter)
    """the number of objects of each kind, over all steps"""

    def watch(self, step: ObjectStep) -> None:
        pairs = zip(step.objects, step.changes, strict=True)
        moved = {kind for (kind, _, _), change in pairs if change.right or change.down}
        for kind in moved.union(step.movable) - self.movers:
            self.movers.add(kind)
            # Rows without distances would teach that objects without distances do not move.
            self.seen.pop(kind, None)
        for (kind, _, _), row, change in zip(step.objects, step.rows, step.changes, strict=True):
            table = self.seen.setdefault(kind, {})
            changes = table.setdefault(row if kind in self.movers else nearby(row), {})
            changes[change] = changes.get(change, 0) + 1
            self.present[kind] += 1
        for obj in step.born:
            indices = (GameObject(kind, 0, x, y) for kind, x, y in step.objects)
            close = frozenset(one.kind for one in indices if birth_near(one, obj, step.block))
            self.births[obj.kind, close] += 1

    def makers(self) -> set[tuple[int, int]]:
        """Which kinds create which: pairs of a maker's kind and a new kind.

        A new object may be near many others. Its maker is the kind that is near nearly all births
        of the new kind; of several such kinds, the rarest. Births that this does not explain are
        treated in the same way again.
        """
        pairs: set[tuple[int, int]] = set()
        for kind in {kind for kind, _ in self.births}:
            open_births = {close: n for (new, close), n in self.births.items() if new == kind}
            least = RARE * sum(open_births.values())
            while open_births:
                beside: Counter[int] = Counter()
                for close, times in open_births.items():
                    beside.update(dict.fromkeys(close, times))
                most = max(beside.values(), default=0)
                if most < max(1, least):
                    break
                likely = [one for one, times in beside.items() if times >= NEARLY * most]
                maker = min(likely, key=lambda one: (self.present[one], one))
                pairs.add((maker, kind))
                open_births = {close: n for close, n in open_births.items() if maker not in close}
        return pairs

    def changes(
        self, kind: int, makers: set[tuple[int, int]]
    ) -> dict[FeatureRow, Counter[ObjectChange]]:
        """The changes of objects of a kind; of new objects nearby, only those they create."""
        table: dict[FeatureRow, Counter[ObjectChange]] = {}
        for row, changes in self.seen[kind].items():
            kept = table.setdefault(row, Counter())
            for change, times in changes.items():
                if change.births:
                    own = tuple(birth for birth in change.births if (kind, birth[0]) in makers)
                    change = change._replace(births=own)
                kept[change] += times
        return table


# Files


def table_of(memory: ObjectMemory) -> Iterator[tuple[FeatureRow, ObjectChange, int]]:
    """All data: kind and features, change, count."""
    for kind, rows in memory.seen.items():
        for row, changes in rows.items():
            for change, times in changes.items():
                yield (kind, *row), change, times


def read_memory(arrays: Mapping[str, Any], around: int) -> ObjectMemory:
    """Read the training data of a model file; ValueError if it is invalid."""
    unlike, births = (json.loads(text) for text in arrays["memory.texts"].tolist())
    changes = [read_fate(one) for one in unlike]
    found = ObjectMemory(
        movers=set(arrays["memory.movers"].tolist()),
        present=Counter(dict(arrays["memory.present"].tolist())),
    )
    for new, close, times in births:
        found.births[int(new), frozenset(map(int, close))] = int(times)
    rows = arrays["memory.rows"]
    if rows.ndim != 2 or rows.shape[1] != 1 + around + BEHIND:
        raise ValueError("the features of objects are those of another reach")
    columns = (arrays[name].tolist() for name in ("memory.fates", "memory.times"))
    for (kind, *row), change, times in zip(rows.tolist(), *columns, strict=True):
        found.seen.setdefault(kind, {}).setdefault(tuple(row), {})[changes[change]] = times
    return found


def read_fate(listed: Sequence[Any]) -> ObjectChange:
    kind, right, down, facing, gains, births = listed
    if facing not in range(len(FACINGS)):
        raise ValueError("an avatar faces no known direction")
    return ObjectChange(
        int(kind),
        int(right),
        int(down),
        int(facing),
        tuple((int(good), int(amount)) for good, amount in gains),
        tuple((int(new), int(x), int(y)) for new, x, y in births),
    )
