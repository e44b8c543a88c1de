"""What happens when the avatar, or something it made, meets an object: learned by two rules.

For each pair of an active and a passive type there is one rule for being blocked, and one that
tells the first kind of effect that was seen from all others. A rule is a conjunction of intervals
over the inventory: the smallest that hold all positive examples, without the items in whose
interval a negative example lies.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf
from types import MappingProxyType
from typing import Literal, TypeAlias

from ludex.core.objects import Meeting
from ludex.planners.yolobot.habits import USUAL, Habits
from ludex.planners.yolobot.movement import are_neighbours
from ludex.planners.yolobot.sight import Transition

Bit: TypeAlias = Literal[
    "type", "inventory", "score+", "score-", "won", "lost", "appeared", "disappeared"
]
Group: TypeAlias = frozenset[Bit]
"""What an effect did, several things at once."""
Inventory: TypeAlias = Mapping[int, int]
Carried: TypeAlias = tuple[tuple[int, int], ...]

NOTHING: Inventory = MappingProxyType({})


@dataclass(slots=True)
class Interval:
    """What is known of one item: the range of the positive examples, and all negative values."""

    low: float = inf
    high: float = -inf
    negatives: set[int] = field(default_factory=set)
    is_dead: bool = False
    """a negative example lies in the range; that never changes again"""

    def take(self, value: int, positive: bool) -> bool:
        """Take a value in; whether that is new."""
        if self.low <= value <= self.high if positive else value in self.negatives:
            return False
        if positive:
            self.low, self.high = min(self.low, value), max(self.high, value)
        else:
            self.negatives.add(value)
        self.is_dead = any(self.low <= one <= self.high for one in self.negatives)
        return True


class IntervalRule:
    """Tells positive from negative examples by the inventory."""

    def __init__(self, is_strict: bool = False) -> None:
        self.is_strict = is_strict
        """whether nothing is believed of inventories beyond those of the positive examples"""
        self.items: dict[int, Interval] = {}
        self.positives = 0
        self.negatives = 0

    def observe(self, inventory: Inventory, positive: bool) -> bool:
        """Learn from an example; whether any answer can be another now."""
        is_new = not (self.positives if positive else self.negatives)
        majority = self.positives > self.negatives
        for item in inventory.keys() - self.items.keys():
            # All earlier examples had none of it.
            self.items[item] = Interval()
            if self.positives:
                self.items[item].take(0, True)
            if self.negatives:
                self.items[item].take(0, False)
        for item, interval in self.items.items():
            is_new |= interval.take(inventory.get(item, 0), positive)
        if positive:
            self.positives += 1
        else:
            self.negatives += 1
        return is_new or majority != (self.positives > self.negatives)

    def predict(self, inventory: Inventory) -> bool:
        """What holds here; by majority where no item can tell."""
        if self.positives and self.negatives and not self.live:
            return self.positives > self.negatives
        return self.is_sure(inventory)

    def is_sure(self, inventory: Inventory) -> bool:
        """Whether this is a positive example by a rule, not by majority."""
        if not self.positives:
            return False
        live = self.live
        if not self.negatives:
            # A wall that only ever blocked blocks whatever is carried.
            return not self.is_strict or (
                self.holds(inventory, live)
                and not any(count for item, count in inventory.items() if item not in self.items)
            )
        return bool(live) and self.holds(inventory, live)

    def holds(self, inventory: Inventory, live: list[int]) -> bool:
        """Whether these items are in the ranges of the positive examples."""
        return all(
            self.items[item].low <= inventory.get(item, 0) <= self.items[item].high for item in live
        )

    @property
    def live(self) -> list[int]:
        """The items that tell positive from negative examples."""
        return [item for item, one in self.items.items() if not one.is_dead and one.low < inf]


@dataclass(slots=True)
class Effect:
    """What a kind of effect does, on average."""

    group: Group
    count: int = 0
    score: float = 0.0
    gains: dict[int, float] = field(default_factory=dict)
    """how amounts of items change"""
    becomes: int | None = None
    """the type that the avatar was last seen to become"""

    def take(self, score: float, gained: Inventory, becomes: int | None) -> bool:
        """Average one more of these effects in; items that did not change count as 0.

        Returns whether that changed anything but the count.
        """
        was = self.score, dict(self.gains), self.becomes
        self.count += 1
        self.score += (score - self.score) / self.count
        for item in self.gains.keys() | gained.keys():
            known = self.gains.get(item, 0.0)
            self.gains[item] = known + (gained.get(item, 0) - known) / self.count
        if becomes is not None:
            self.becomes = becomes
        return was != (self.score, self.gains, self.becomes)

    def has(self, bit: Bit) -> bool:
        return bit in self.group


NO_EFFECT: Group = frozenset()
BLOCKED = Effect(NO_EFFECT)
"""stands for the prediction that the avatar stays where it is"""


class Pair:
    """What is known of an active and a passive type."""

    def __init__(self, habits: Habits = USUAL) -> None:
        self.habits = habits
        self.blocks = IntervalRule(habits.intervals == "strict")
        self.is_first = IntervalRule(habits.intervals == "strict")
        self.first: Group | None = None
        self.effects: dict[Group, Effect] = {}
        self.seen: Counter[tuple[object, ...]] = Counter()
        self.expected: dict[Carried, Effect | None] = {}  # answers since something was learned

    def observe(
        self,
        inventory: Inventory,
        blocked: bool,
        group: Group,
        score: float,
        gained: Inventory = NOTHING,
        becomes: int | None = None,
    ) -> bool:
        """Learn from one meeting: what was carried, and what it did.

        Returns whether any answer can be another now.
        """
        example = (tuple(sorted(inventory.items())), blocked, group)
        self.seen[example] += 1
        if self.seen[example] > self.habits.learn_most:
            return False
        is_new = self.blocks.observe(inventory, blocked)
        if blocked:
            is_new |= self.seen[example] <= self.habits.sure_after
        else:
            if self.first is None:
                self.first = group
            usual = self.other
            is_new |= self.is_first.observe(inventory, group == self.first)
            if group not in self.effects:
                self.effects[group] = Effect(group)
                is_new = True
            is_new |= self.effects[group].take(score, gained, becomes)
            is_new |= usual is not self.other
        if is_new:
            self.expected.clear()
        return is_new

    @property
    def other(self) -> Effect | None:
        """Of all effects but the first, the most frequent."""
        others = [one for group, one in self.effects.items() if group != self.first]
        return max(others, key=lambda one: one.count) if others else None

    def surely_blocks(self, inventory: Inventory) -> bool:
        """Whether a rule says so, or nothing else was seen and it was seen with this inventory."""
        if not self.blocks.is_sure(inventory):
            return False
        example = (tuple(sorted(inventory.items())), True, NO_EFFECT)
        return self.blocks.negatives > 0 or self.seen[example] >= self.habits.sure_after

    def predict(self, inventory: Inventory) -> Effect | None:
        """`BLOCKED`, or the effect to expect; None when nothing is known."""
        carried = tuple(inventory.items())
        if carried not in self.expected:
            self.expected[carried] = self.infer(inventory)
        return self.expected[carried]

    def infer(self, inventory: Inventory) -> Effect | None:
        """Ask the rules."""
        if not self.seen:
            return None
        if self.blocks.predict(inventory):
            return BLOCKED
        if self.first is None:
            return None  # it only ever blocked, but not with this inventory
        if self.is_first.predict(inventory):
            return self.effects[self.first]
        return self.other or self.effects[self.first]


class Collisions:
    """All pairs. The avatar's own meetings and those of what it made are kept by active type."""

    def __init__(self, habits: Habits = USUAL) -> None:
        self.pairs: defaultdict[tuple[int, int], Pair] = defaultdict(partial(Pair, habits))
        self.ambiguous = 0
        self.learned = 0
        """meetings after which some answer could be another"""

    def observe(self, seen: Transition) -> None:
        """Learn from a step in which only one kind of object was met."""
        for by_product in (False, True):
            met = [one for one in seen.after.meetings if one.by_product == by_product]
            if not met:
                continue
            if len({one.passive_type for one in seen.after.meetings}) > 1:
                self.ambiguous += 1  # whose effect it was cannot be told
                continue
            pair = self.pairs[met[0].active_type, met[0].passive_type]
            blocked = not by_product and is_blocked(seen)
            score = seen.after.score - seen.before.score
            group = group_of(seen, met[0])
            becomes = seen.after.avatar_kind if "type" in group else None
            held = seen.before.inventory
            self.learned += pair.observe(held, blocked, group, score, gained(seen), becomes)

    def predict(self, active: int, passive: int, inventory: Inventory) -> Effect | None:
        """`BLOCKED`, the effect to expect, or None when nothing is known."""
        pair = self.pairs.get((active, passive))
        return None if pair is None else pair.predict(inventory)

    def by_shot(self, passive: int, inventory: Inventory, avatar: int) -> Effect | None:
        """What to expect when something we made meets an object."""
        for (active, kind), pair in self.pairs.items():
            if kind == passive and active != avatar:
                found = pair.predict(inventory)
                if found is not None and found is not BLOCKED:
                    return found
        return None


def is_blocked(seen: Transition) -> bool:
    """Whether an action that should have moved the avatar did not; turning is no block."""
    return (
        seen.heading != (0, 0) and seen.moved == (0, 0) and not seen.turned and not seen.after.over
    )


def gained(seen: Transition) -> Inventory:
    """By how much the amount of each item changed; items that did not are left out."""
    if seen.after.over:
        return NOTHING  # an avatar that is gone carries nothing, which is no loss
    before, after = seen.before.inventory, seen.after.inventory
    changes = {
        item: after.get(item, 0) - before.get(item, 0) for item in before.keys() | after.keys()
    }
    return {item: change for item, change in changes.items() if change}


def group_of(seen: Transition, met: Meeting) -> Group:
    """What the step did. Objects that came or went count if they are of the type that was met,
    or next to the avatar.
    """
    bits: set[Bit] = set()
    before, after = seen.before, seen.after
    if after.score != before.score:
        bits.add("score+" if after.score > before.score else "score-")
    if after.over:
        bits.add("won" if after.is_won else "lost")
    else:
        if after.avatar_kind != before.avatar_kind:
            bits.add("type")
        if dict(after.inventory) != dict(before.inventory):
            bits.add("inventory")
    for old, new in seen.changes:
        if old is not None and new is not None:
            continue
        bit: Bit = "appeared" if old is None else "disappeared"
        one = old or new
        if bit not in bits and one is not None:
            near = are_neighbours(one.cell, before.avatar_cell)
            if near or one.kind == met.passive_type:
                bits.add(bit)
    return frozenset(bits)
