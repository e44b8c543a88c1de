"""How objects move: the avatar by our actions, others by themselves."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from ludex.planners.yolobot.habits import USUAL, Habits
from ludex.planners.yolobot.sight import Cell, Change, Sight, Transition

SEVERAL = -1  # changes in one cell


class AvatarMoves:
    """Where an action takes the avatar, and whether it still obeys."""

    def __init__(self, habits: Habits = USUAL) -> None:
        self.span = habits.control_span
        """how far the count of expected moves goes up and down; at the least, control is lost"""
        self.recovered = habits.control_back - self.span
        self.steps: defaultdict[tuple[int, Any, bool], Counter[Cell]] = defaultdict(Counter)
        self.usual: dict[tuple[int, Any, bool], Cell] = {}
        """the most common of them"""
        self.turning: set[int] = set()
        """avatars that were seen to turn on the spot"""
        self.control = 0
        self.is_lost = False
        self.longest = 1
        """the most cells of a usual move, along one axis"""
        self.learned = 0
        """moves after which another one is expected"""

    def observe(self, seen: Transition, is_blocked: bool, is_portal: bool) -> None:
        """Count a move as expected or not, and remember it."""
        if seen.after.over:
            return
        faced = faces(seen.before, seen.heading)
        expected = self.step(seen.before.avatar_kind, seen.action, seen.heading, faced)
        is_turn = seen.turned and seen.moved == (0, 0)
        if is_turn and seen.before.avatar_kind not in self.turning:
            self.turning.add(seen.before.avatar_kind)
            self.learned += 1
        agrees = seen.moved == expected or is_turn or is_blocked or is_portal
        self.control = max(-self.span, min(self.span, self.control + (1 if agrees else -1)))
        was_lost = self.is_lost
        if self.control <= -self.span:
            self.is_lost = True
        elif self.control > self.recovered:
            self.is_lost = False
        self.learned += was_lost != self.is_lost
        if not is_blocked and not is_portal:
            how = seen.before.avatar_kind, seen.action, faced
            moves = self.steps[how]
            moves[seen.moved] += 1
            usual = self.usual.get(how)
            if usual is None or moves[seen.moved] > moves[usual]:
                self.usual[how] = seen.moved
                self.longest = max(self.longest, *map(abs, seen.moved))
                self.learned += 1

    def step(self, kind: int, action: Any, heading: Cell, faced: bool) -> Cell:
        """The most common move of this avatar with this action; its heading until one is seen."""
        return heading if self.is_lost else self.usual.get((kind, action, faced), heading)


def faces(sight: Sight, heading: Cell) -> bool:
    """Whether the avatar looks where it is to go."""
    return heading == sight.facing


class ObjectMoves:
    """Which types move by themselves, how far, how often, and what they pass through."""

    def __init__(self, habits: Habits = USUAL) -> None:
        self.habits = habits
        self.stochastic: set[int] = set()
        self.reach: dict[int, Cell] = {}
        """the longest step of a type, in columns and in rows"""
        self.intervals: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self.periods: dict[int, int] = {}
        self.shares: defaultdict[int, set[int]] = defaultdict(set)
        """types that a type was seen in one cell with; all others are taken to block it"""
        self.moved_at: dict[int, int] = {}  # by object: the tick after which it last moved
        self.learned = 0
        """times that any of this changed, but for when an object last moved"""

    def accuse(self, changed: Sequence[Change], avatar: Iterable[Cell]) -> None:
        """Mark the types that must have moved by themselves.

        What has a changed neighbour, or the avatar beside it, may have been pushed.
        """
        touched = Touched(changed)
        avatar = tuple(avatar)
        for number, change in enumerate(changed):
            if change.seen.kind in self.stochastic:
                continue
            if not any(
                touched.beside(cell, number) or any(are_neighbours(cell, one) for one in avatar)
                for cell in change.cells
            ):
                self.stochastic.add(change.seen.kind)
                self.learned += 1

    def observe(self, seen: Transition) -> None:
        """Keep the statistics of what moves by itself."""
        for change in seen.changes:
            old, new = change
            if old is None or new is None or new.kind not in self.stochastic:
                continue
            step = abs(new.cell[0] - old.cell[0]), abs(new.cell[1] - old.cell[1])
            if not 0 < sum(step) <= self.habits.longest_step:
                continue  # what leaves the board on one side and comes back on the other jumps
            known = self.reach.get(new.kind, (0, 0))
            if step[0] > known[0] or step[1] > known[1]:
                self.reach[new.kind] = max(known[0], step[0]), max(known[1], step[1])
                self.learned += 1
            last = self.moved_at.get(new.number)
            if last is not None and seen.after.tick > last:
                self.take_interval(new.kind, seen.after.tick - last)
            self.moved_at[new.number] = seen.after.tick
            passed = self.shares[new.kind]
            for other in seen.after.at(new.cell):
                if other.number != new.number and other.kind not in passed:
                    passed.add(other.kind)
                    self.learned += 1

    def take_interval(self, kind: int, ticks: int) -> None:
        """Take in the time between two moves of an object; a period is where all agree."""
        known = self.intervals[kind]
        known[ticks] += 1
        period = ticks if len(known) == 1 and known[ticks] >= self.habits.period_samples else 1
        if period != self.period(kind):
            self.periods[kind] = period
            self.learned += 1

    def period(self, kind: int) -> int:
        """Ticks between two moves of a type: those seen if they always agree, else 1."""
        return self.periods.get(kind, 1)

    def wait(self, number: int, kind: int, tick: int) -> int:
        """Ticks until an object can move next, at least 1."""
        period = self.period(kind)
        last = self.moved_at.get(number)
        if last is None or period == 1:
            return 1
        return max(1, period - (tick - last) % period)


class Touched:
    """The cells in which something changed: who changed there, by place in a list of changes."""

    def __init__(self, changed: Sequence[Change]) -> None:
        self.by: dict[Cell, int] = {}
        for number, change in enumerate(changed):
            for one in change:
                if one is not None and self.by.setdefault(one.cell, number) != number:
                    self.by[one.cell] = SEVERAL

    def beside(self, cell: Cell, number: int) -> bool:
        """Whether anything but this one change was in a cell or touches it."""
        x, y = cell
        return any(
            self.by.get((x + dx, y + dy), number) != number
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        )


def are_neighbours(one: Cell, other: Cell) -> bool:
    """Whether two cells are the same or touch, also at a corner."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= 1
