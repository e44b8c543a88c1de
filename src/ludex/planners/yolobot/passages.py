"""Where objects lead to and come from: portals and spawners."""

from __future__ import annotations

from collections import Counter, defaultdict

from ludex.core.objects import Category
from ludex.planners.yolobot.movement import are_neighbours
from ludex.planners.yolobot.sight import Cell, Sight, Transition

TELEPORT = 2
"""a move of more cells than this, columns and rows together, is a teleport"""


class Portals:
    """Which objects take the avatar elsewhere, and where to. Their exits are taken to be fixed."""

    def __init__(self) -> None:
        self.exits: dict[int, int] = {}
        """types of exits by types of entries"""
        self.arrivals: defaultdict[int, Counter[Cell]] = defaultdict(Counter)
        """cells where the avatar came out, by entry type"""

    def observe(self, seen: Transition) -> bool:
        """Learn from a step; whether it was a teleport."""
        if sum(map(abs, seen.moved)) <= TELEPORT:
            return False
        entries = [one.passive_type for one in seen.after.meetings if not one.by_product]
        for entry in entries:
            self.arrivals[entry][seen.after.avatar_cell] += 1
            there = seen.after.at(seen.after.avatar_cell)
            order = {Category.PORTAL: 0, Category.STATIC: 1}
            there.sort(key=lambda one: order.get(Category(one.category), 2))
            if there:
                self.exits[entry] = there[0].kind
        return True

    def exit_of(self, entry: int, sight: Sight) -> Cell | None:
        """Where an entry leads: the cell seen most often, else the first exit of its type."""
        if known := self.arrivals.get(entry):
            return known.most_common(1)[0][0]
        kind = self.exits.get(entry)
        if kind is None:
            return None
        return next((one.cell for one in sight.things if one.kind == kind), None)


class Spawners:
    """Which types make which others appear, and where some appear out of nothing."""

    def __init__(self) -> None:
        self.makes: defaultdict[int, set[int]] = defaultdict(set)
        self.sources: defaultdict[Cell, set[int]] = defaultdict(set)
        """cells without a maker in which types appeared"""

    def observe(self, seen: Transition) -> None:
        """Find the makers of what appeared away from the avatar and from all other change."""
        for change in seen.changes:
            made = change.after
            if change.before is not None or made is None:
                continue
            if are_neighbours(made.cell, seen.before.avatar_cell):
                continue
            others = [cell for one in seen.changes if one is not change for cell in one.cells]
            if any(are_neighbours(made.cell, cell) for cell in others):
                continue
            makers = [one for one in seen.before.at(made.cell) if one.kind != made.kind]
            if not makers:
                self.sources[made.cell].add(made.kind)
            else:
                makers.sort(
                    key=lambda one: (one.category != Category.PORTAL, one.kind in self.makes)
                )
                self.makes[makers[0].kind].add(made.kind)
