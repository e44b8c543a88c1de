"""What became of things: what was seen, and who makes what."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from ludex.core.things import NOBODY, Thing, ThingView
from ludex.models.learned.objects.sight import (
    BEHIND,
    FACINGS,
    MOST_GOODS,
    Ground,
    Held,
    Moment,
    Placed,
    Row,
    Sense,
    Size,
    nearby,
    rows_at_once,
)

GONE = -1
MIL = 1000  # parts of a cell in which moves are counted
NEARLY = 0.9  # of the most births that any kind was near: so many make another kind a candidate
RARE = 0.1  # of the births of a kind: what explains fewer is left unexplained
Birth: TypeAlias = tuple[int, int, int]
"""a kind, and where it begins: right and down of its maker, in parts of a cell"""


class Fate(NamedTuple):
    """What becomes of a thing."""

    kind: int
    """GONE, or what it is afterwards"""
    right: int = 0
    """how it moves, in parts of a cell"""
    down: int = 0
    facing: int = 0
    """which way it looks afterwards, if it is the avatar"""
    gains: Held = ()
    """what it carries more or less, if it is the avatar"""
    births: tuple[Birth, ...] = ()
    """what is new beside it"""


@dataclass(frozen=True)
class Happened:
    """One step: every thing with what it saw and what became of it, and all that is new."""

    things: list[Placed]
    rows: list[Row]
    fates: list[Fate]
    born: list[Thing]
    movable: tuple[int, ...]
    """kinds that may move"""
    block: int


@dataclass
class Wares:
    """Kinds that are ever carried, and kinds that are ever made; more can turn up."""

    goods: list[int] = field(default_factory=list)
    made: list[int] = field(default_factory=list)

    def note(self, *views: ThingView) -> None:
        for view in views:
            self.add(self.goods, (kind for kind, _ in view.held))

    @staticmethod
    def add(known: list[int], kinds: Iterable[int]) -> None:
        for kind in kinds:
            if kind not in known and len(known) < MOST_GOODS:
                known.append(kind)


def moment_of(sense: Sense, view: ThingView, verb: int, wares: Wares) -> Moment:
    """A moment of the real game, in which nothing is ground."""
    things = [(kind, x, y) for kind, _, x, y in view.things]
    load, ground = sense.load(view.held, wares.goods), Ground(Size(*view.size))
    return Moment(ground, things, view.avatar, view.facing, load, verb, wares.made)


def happenings(
    sense: Sense, before: ThingView, verb: int, after: ThingView, wares: Wares
) -> Happened:
    """What became of every thing, and what is new and was none of them before."""
    wares.note(before, after)
    later = {thing.id: thing for thing in after.things}
    known = {thing.id for thing in before.things}
    new = [thing for thing in after.things if thing.id not in known]
    became = changes_of_kind(before, after, later, new)
    born = [thing for thing in new if thing not in became.values()]
    wares.add(wares.made, (thing.kind for thing in born))
    moment = moment_of(sense, before, verb, wares)
    block = before.size[2]
    fates: list[Fate] = []
    for place, thing in enumerate(before.things):
        next_one = later.get(thing.id) or became.get(thing.id)
        births = tuple(sorted(birth for one in born if (birth := near(thing, one, block))))
        if place == before.avatar and next_one is not None:
            facing = FACINGS.index(after.facing) if after.facing in FACINGS else 0
            gains = gained(before.held, after.held)
            fates.append(Fate(*moved(thing, next_one, block), facing, gains, births))
        elif next_one is None:
            fates.append(Fate(GONE, births=births))
        elif next_one != thing or births:
            fates.append(Fate(*moved(thing, next_one, block), births=births))
        else:
            fates.append(stays(thing.kind))
    rows = rows_at_once(sense, moment)
    own = () if before.avatar == NOBODY else (before.things[before.avatar].kind,)
    return Happened(list(moment.things), rows, fates, born, (*own, *before.movable), block)


@cache
def stays(kind: int) -> Fate:
    """What becomes of nearly everything."""
    return Fate(kind)


def moved(thing: Thing, next_one: Thing, block: int) -> tuple[int, int, int]:
    right, down = next_one.x - thing.x, next_one.y - thing.y
    return next_one.kind, right * MIL // block, down * MIL // block


def changes_of_kind(
    before: ThingView, after: ThingView, later: Mapping[int, Thing], new: Sequence[Thing]
) -> dict[int, Thing]:
    """Things that went where another came: the avatar's next body, and what lies in its place."""
    became: dict[int, Thing] = {}
    free = list(new)
    if before.avatar != NOBODY and after.avatar != NOBODY:
        old, own = before.things[before.avatar], after.things[after.avatar]
        if old.id not in later and own in free:
            became[old.id] = own
            free.remove(own)
    for thing in before.things:
        if thing.id in later or thing.id in became:
            continue
        for one in free:
            if (one.x, one.y) == (thing.x, thing.y) and one.kind != thing.kind:
                became[thing.id] = one
                free.remove(one)
                break
    return became


def near(thing: Thing, born: Thing, block: int) -> Birth | None:
    """Where something new is, seen from a thing, if that is at most a cell away."""
    right, down = born.x - thing.x, born.y - thing.y
    if abs(right) > block or abs(down) > block:
        return None
    return born.kind, right * MIL // block, down * MIL // block


def gained(before: Held, after: Held) -> Held:
    """What is carried more or less."""
    amounts = Counter(dict(after))
    amounts.subtract(dict(before))
    return tuple(sorted((kind, amount) for kind, amount in amounts.items() if amount))


@dataclass
class ThingMemory:
    """Every row that things of a kind saw, with what became of them and how often."""

    seen: dict[int, dict[Row, dict[Fate, int]]] = field(default_factory=dict)
    """by kind"""
    movers: set[int] = field(default_factory=set)
    """kinds that may move or have moved; rows of others have no distances"""
    births: Counter[tuple[int, frozenset[int]]] = field(default_factory=Counter)
    """new things, by their kind and the kinds that were near"""
    present: Counter[int] = field(default_factory=Counter)
    """things of each kind, over all steps"""

    def watch(self, step: Happened) -> None:
        pairs = zip(step.things, step.fates, strict=True)
        moved = {kind for (kind, _, _), fate in pairs if fate.right or fate.down}
        for kind in moved.union(step.movable) - self.movers:
            self.movers.add(kind)
            # Rows without distances would teach that what sees none stays where it is.
            self.seen.pop(kind, None)
        for (kind, _, _), row, fate in zip(step.things, step.rows, step.fates, strict=True):
            table = self.seen.setdefault(kind, {})
            fates = table.setdefault(row if kind in self.movers else nearby(row), {})
            fates[fate] = fates.get(fate, 0) + 1
            self.present[kind] += 1
        for thing in step.born:
            places = (Thing(kind, 0, x, y) for kind, x, y in step.things)
            close = frozenset(one.kind for one in places if near(one, thing, step.block))
            self.births[thing.kind, close] += 1

    def makers(self) -> set[tuple[int, int]]:
        """Who makes what: pairs of a maker's kind and a kind.

        What is new may lie near to many things. Its maker is the kind that is near to nearly all
        births of that kind, and of several such kinds the rarest. What that does not explain is
        looked at in the same way again.
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

    def fates(self, kind: int, makers: set[tuple[int, int]]) -> dict[Row, Counter[Fate]]:
        """What became of things of a kind; of what is new beside them, only what they make."""
        table: dict[Row, Counter[Fate]] = {}
        for row, fates in self.seen[kind].items():
            kept = table.setdefault(row, Counter())
            for fate, times in fates.items():
                if fate.births:
                    own = tuple(birth for birth in fate.births if (kind, birth[0]) in makers)
                    fate = fate._replace(births=own)
                kept[fate] += times
        return table


# In files


def table_of(memory: ThingMemory) -> Iterator[tuple[Row, Fate, int]]:
    """All that was seen: the kind and its row, what became of it, how often."""
    for kind, rows in memory.seen.items():
        for row, fates in rows.items():
            for fate, times in fates.items():
                yield (kind, *row), fate, times


def read_memory(arrays: Mapping[str, Any], around: int) -> ThingMemory:
    """What a file holds of what was seen; ValueError where that cannot be."""
    unlike, births = (json.loads(text) for text in arrays["memory.texts"].tolist())
    fates = [read_fate(one) for one in unlike]
    found = ThingMemory(
        movers=set(arrays["memory.movers"].tolist()),
        present=Counter(dict(arrays["memory.present"].tolist())),
    )
    for new, close, times in births:
        found.births[int(new), frozenset(map(int, close))] = int(times)
    rows = arrays["memory.rows"]
    if rows.ndim != 2 or rows.shape[1] != 1 + around + BEHIND:
        raise ValueError("what things saw is of another reach")
    columns = (arrays[name].tolist() for name in ("memory.fates", "memory.times"))
    for (kind, *row), fate, times in zip(rows.tolist(), *columns, strict=True):
        found.seen.setdefault(kind, {}).setdefault(tuple(row), {})[fates[fate]] = times
    return found


def read_fate(listed: Sequence[Any]) -> Fate:
    kind, right, down, facing, gains, births = listed
    if facing not in range(len(FACINGS)):
        raise ValueError("an avatar looks nowhere")
    return Fate(
        int(kind),
        int(right),
        int(down),
        int(facing),
        tuple((int(good), int(amount)) for good, amount in gains),
        tuple((int(new), int(x), int(y)) for new, x, y in births),
    )
