"""The heat map: how soon something deadly can be in each cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from ludex.core.notes import Cells
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.sight import Cell, Sight, Thing

HORIZON = 10
"""ticks that are looked ahead; beyond, a cell is safe"""
FEAR = 80.0
"""what is added to the cost of a cell where a killer is already"""

Heat = dict[Cell, int]
"""The least number of ticks by cell; cells that are not in it are safe."""


def heat_map(knowledge: Knowledge, sight: Sight) -> Heat:
    """The least number of ticks until some killer can be in each cell."""
    heat: Heat = {}
    hunters = knowledge.hunters(sight)
    if hunters:
        sight.sort_by_cell()
    for hunter in hunters:
        for cell, ticks in arrivals(knowledge, sight, hunter):
            heat[cell] = min(ticks, heat.get(cell, ticks))
    return heat


def arrivals(knowledge: Knowledge, sight: Sight, hunter: Thing) -> Iterator[tuple[Cell, int]]:
    """All cells that an object can be in within the horizon, with the ticks it needs."""
    period = knowledge.objects.period(hunter.kind)
    ticks = knowledge.objects.wait(hunter.number, hunter.kind, sight.tick)
    reached = {hunter.cell}
    front = [hunter.cell]
    yield hunter.cell, 0
    while front and ticks <= HORIZON:
        following: list[Cell] = []
        for cell in front:
            for there in steps_from(knowledge, sight, hunter, cell):
                if there not in reached:
                    reached.add(there)
                    following.append(there)
                    yield there, ticks
        front = following
        ticks += period


def steps_from(knowledge: Knowledge, sight: Sight, hunter: Thing, cell: Cell) -> Iterator[Cell]:
    """The cells that one move of an object can end in: along one axis, nothing in the way."""
    reach = knowledge.reach(hunter.kind)
    for dx, dy, most in ((1, 0, reach[0]), (-1, 0, reach[0]), (0, 1, reach[1]), (0, -1, reach[1])):
        for length in range(1, most + 1):
            there = cell[0] + dx * length, cell[1] + dy * length
            if not sight.holds(there) or blocks(knowledge, sight, hunter, there):
                break
            yield there


def blocks(knowledge: Knowledge, sight: Sight, hunter: Thing, cell: Cell) -> bool:
    """Whether a cell holds something that the object was never seen in one cell with."""
    passed = knowledge.objects.shares.get(hunter.kind, ())
    return any(one.kind not in passed and one.number != hunter.number for one in sight.at(cell))


def as_cells(heat: Heat) -> Cells:
    """The heat map, to be shown: the sooner, the heavier."""
    return Cells({cell: 1.0 - ticks / (HORIZON + 1) for cell, ticks in heat.items()})


def cost(heat: Heat, cell: Cell) -> float:
    """What a step into a cell costs: 1, and more the sooner a killer can be there.

    >>> cost({}, (0, 0)), cost({(0, 0): 0}, (0, 0)), cost({(0, 0): 3}, (0, 0))
    (1.0, 81.0, 21.0)
    """
    ticks = heat.get(cell, inf)
    return 1.0 + FEAR / (ticks + 1.0)


def can_arrive_next(
    knowledge: Knowledge, sight: Sight, hunters: Iterable[Thing], cell: Cell
) -> bool:
    """Whether one of these killers can be in a cell after the next tick."""
    x, y = cell
    for hunter in hunters:
        if hunter.cell == cell:
            return True
        reach = knowledge.reach(hunter.kind)
        if abs(hunter.cell[0] - x) > reach[0] or abs(hunter.cell[1] - y) > reach[1]:
            continue
        if knowledge.objects.wait(hunter.number, hunter.kind, sight.tick) == 1 and any(
            there == cell for there in steps_from(knowledge, sight, hunter, hunter.cell)
        ):
            return True
    return False
