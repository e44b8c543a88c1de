"""The heat map: how soon something deadly can be in each cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf

from ludex.core.notes import Cells
from ludex.planners.yolobot.habits import USUAL, Habits
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.sight import Cell, SeenObject, Sight

Heat = dict[Cell, int]
"""The least number of ticks by cell; cells that are not in it are safe."""


def heat_map(knowledge: Knowledge, sight: Sight) -> Heat:
    """The least number of ticks until some killer can be in each cell."""
    heat: Heat = {}
    packs: dict[tuple[int, int], set[Cell]] = {}
    for one in knowledge.hunters(sight):
        ticks = knowledge.objects.wait(one.number, one.kind, sight.tick)
        packs.setdefault((one.kind, ticks), set()).add(one.cell)
    for (kind, ticks), cells in packs.items():
        for cell, arrival in arrivals(knowledge, sight, kind, ticks, cells):
            heat[cell] = min(arrival, heat.get(cell, arrival))
    return heat


def arrivals(
    knowledge: Knowledge, sight: Sight, kind: int, ticks: int, cells: Iterable[Cell]
) -> Iterator[tuple[Cell, int]]:
    """All cells that objects of a type which move next after some ticks can be in within the
    horizon, with the ticks they need.
    """
    habits = knowledge.habits
    period, reach = knowledge.objects.period(kind), knowledge.reach(kind)
    steps = steps_of(habits)
    passed = knowledge.objects.shares.get(kind, ())
    # They are in each other's way. That each is in its own, too, where it started, changes
    # nothing: what lies beyond was within its reach at once.
    blocked = {one.cell for one in sight.seen_objects if one.kind not in passed}

    def is_free(cell: Cell) -> bool:
        return cell not in blocked and sight.holds(cell)

    reached = set(cells)
    front = list(reached)
    yield from ((cell, 0) for cell in front)
    while front and ticks <= habits.heat_horizon:
        following: list[Cell] = []
        for cell in front:
            for there in steps(cell, reach, is_free):
                if there not in reached:
                    reached.add(there)
                    following.append(there)
                    yield there, ticks
        front = following
        ticks += period


def steps_of(habits: Habits) -> Callable[[Cell, Cell, Callable[[Cell], bool]], Iterator[Cell]]:
    """How killers are taken to move."""
    return steps_from if habits.heat_steps == "straight" else steps_round


def steps_from(cell: Cell, reach: Cell, is_free: Callable[[Cell], bool]) -> Iterator[Cell]:
    """The cells that one move from a cell can end in: along one axis, nothing in the way."""
    for dx, dy, most in ((1, 0, reach[0]), (-1, 0, reach[0]), (0, 1, reach[1]), (0, -1, reach[1])):
        for length in range(1, most + 1):
            there = cell[0] + dx * length, cell[1] + dy * length
            if not is_free(there):
                break
            yield there


def steps_round(cell: Cell, reach: Cell, is_free: Callable[[Cell], bool]) -> Iterator[Cell]:
    """The cells that one move from a cell can end in: along both axes, round what is in the way."""
    found, front = {cell}, [cell]
    while front:
        x, y = front.pop()
        for there in [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]:
            is_near = abs(there[0] - cell[0]) <= reach[0] and abs(there[1] - cell[1]) <= reach[1]
            if there not in found and is_near and is_free(there):
                found.add(there)
                front.append(there)
                yield there


def as_cells(heat: Heat, horizon: int) -> Cells:
    """The heat map, to be shown: the sooner, the heavier."""
    return Cells({cell: 1.0 - ticks / (horizon + 1) for cell, ticks in heat.items()})


def cost(heat: Heat, cell: Cell, fear: float = USUAL.fear) -> float:
    """What a step into a cell costs: 1, and more the sooner a killer can be there.

    >>> cost({}, (0, 0)), cost({(0, 0): 0}, (0, 0)), cost({(0, 0): 3}, (0, 0))
    (1.0, 81.0, 21.0)
    """
    ticks = heat.get(cell, inf)
    return 1.0 + fear / (ticks + 1.0)


def can_arrive_next(
    knowledge: Knowledge, sight: Sight, hunters: Iterable[SeenObject], cell: Cell
) -> bool:
    """Whether one of these killers can be in a cell after the next tick."""
    return any(can_step_to(knowledge, sight, hunter, cell) for hunter in hunters)


def can_step_to(knowledge: Knowledge, sight: Sight, hunter: SeenObject, cell: Cell) -> bool:
    """Whether a killer can be in a cell after the next tick."""
    if hunter.cell == cell:
        return True
    reach = knowledge.reach(hunter.kind)
    if abs(hunter.cell[0] - cell[0]) > reach[0] or abs(hunter.cell[1] - cell[1]) > reach[1]:
        return False
    if knowledge.objects.wait(hunter.number, hunter.kind, sight.tick) > 1:
        return False
    passed = knowledge.objects.shares.get(hunter.kind, ())

    def is_free(there: Cell) -> bool:
        if not sight.holds(there):
            return False
        others = [one for one in sight.at(there) if one.number != hunter.number]
        return all(one.kind in passed for one in others)

    return cell in steps_of(knowledge.habits)(hunter.cell, reach, is_free)
