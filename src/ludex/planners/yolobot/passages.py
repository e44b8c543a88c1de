"""Where objects lead to and come from: portals and spawners."""

from __future__ import annotations

from collections import Counter, defaultdict

from ludex.core.objects import Category
from ludex.planners.yolobot.habits import USUAL, Habits
from ludex.planners.yolobot.movement import Touched, are_neighbours
from ludex.planners.yolobot.sight import Cell, Transition


class Portals:
    """Which objects take the avatar elsewhere, and where to. Their exits are taken to be fixed."""

    def __init__(self, habits: Habits = USUAL) -> None:
        self.longest_step = habits.longest_step
        self.arrivals: defaultdict[int, Counter[Cell]] = defaultdict(Counter)
        """cells where the avatar came out, by entry type"""
        self.learned = 0
        """times that an entry was found to lead elsewhere"""

    def observe(self, seen: Transition) -> bool:
        """Learn from a step; whether it was a teleport."""
        if abs(seen.moved[0]) + abs(seen.moved[1]) <= self.longest_step:
            return False
        entries = [one.passive_type for one in seen.after.meetings if not one.by_product]
        for entry in entries:
            known = self.exit_of(entry)
            self.arrivals[entry][seen.after.avatar_cell] += 1
            self.learned += known != self.exit_of(entry)
        return True

    def exit_of(self, entry: int) -> Cell | None:
        """Where an entry leads: the cell in which the avatar came out most often."""
        known = self.arrivals.get(entry)
        return known.most_common(1)[0][0] if known else None


class Spawners:
    """Which types make which others appear, and where some appear out of nothing."""

    def __init__(self) -> None:
        self.makes: defaultdict[int, set[int]] = defaultdict(set)
        self.sources: defaultdict[Cell, set[int]] = defaultdict(set)
        """cells without a maker in which types appeared"""
        self.learned = 0
        """makers and sources that were found to make something"""

    def observe(self, seen: Transition) -> None:
        """Find the makers of what appeared away from the avatar and from all other change."""
        touched: Touched | None = None
        for number, (before, made) in enumerate(seen.changes):
            if before is not None or made is None:
                continue
            if are_neighbours(made.cell, seen.before.avatar_cell):
                continue
            touched = touched or Touched(seen.changes)
            if touched.beside(made.cell, number):
                continue
            makers = [one for one in seen.before.at(made.cell) if one.kind != made.kind]
            if not makers:
                known = self.sources[made.cell]
            else:
                makers.sort(
                    key=lambda one: (one.category != Category.PORTAL, one.kind in self.makes)
                )
                known = self.makes[makers[0].kind]
            self.learned += made.kind not in known
            known.add(made.kind)
