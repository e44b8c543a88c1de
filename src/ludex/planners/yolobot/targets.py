"""Where to go: distances on the board, the most promising object, and when to give it up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from math import exp, inf
from typing import Any, TypeAlias

from ludex.core.budget import Budget
from ludex.core.notes import Cells
from ludex.core.objects import Category
from ludex.core.rng import Meter
from ludex.planners.parts.budget import spent_ms
from ludex.planners.yolobot.collisions import BLOCKED
from ludex.planners.yolobot.danger import Heat, as_cells, cost, heat_map
from ludex.planners.yolobot.habits import USUAL, Habits
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.own_board import own_distances
from ludex.planners.yolobot.sight import Cell, SeenObject, Sight

Distances: TypeAlias = dict[Cell, float]
Clock: TypeAlias = Callable[[], float]
"""tells what part of a budget of time is gone"""
PATH_SHARE = 0.2
"""of a budget of time, for each of the two searches for paths"""
LOOK_EVERY = 64
"""cells of such a search between two looks at the clock"""


class Board:
    """The cells as a graph: a step into a cell costs more the more dangerous it is."""

    def __init__(
        self,
        knowledge: Knowledge,
        sight: Sight,
        heat: Heat,
        moves: Iterable[Cell],
        spent: Clock | None = None,
    ) -> None:
        fear = knowledge.habits.fear
        self.function = knowledge.habits.distance
        self.costs = {cell: cost(heat, cell, fear) for cell in heat}  # of a safe cell it is 1
        self.spent = spent
        self.sight = sight
        self.moves = [move for move in moves if move != (0, 0)]
        kinds = {one.kind for one in sight.seen_objects}
        barred = {kind for kind in kinds if knowledge.is_barred(sight, kind)}
        exits = {kind: knowledge.portals.exit_of(kind) for kind in kinds}
        self.barred = {one.cell for one in sight.seen_objects if one.kind in barred}
        self.barred |= {
            cell for cell in knowledge.spawners.sources if knowledge.is_deadly_source(sight, cell)
        }
        self.exits = {
            one.cell: there
            for one in sight.seen_objects
            if (there := exits[one.kind]) is not None and there != one.cell
        }

    def steps(self, cell: Cell) -> list[Cell]:
        """The cells beside one that are on the board."""
        around = [(cell[0] + dx, cell[1] + dy) for dx, dy in self.moves]
        return [there for there in around if self.sight.holds(there)]

    def nearest(
        self, queue: list[tuple[float, Cell]], found: Distances
    ) -> Iterator[tuple[float, Cell]]:
        """Take from a queue what is nearest, until it is empty.

        A large board takes more than its share of the time: what is far away stays unknown then.
        """
        end = self.spent() + PATH_SHARE if self.spent is not None else inf
        for number in count(1):
            if not queue:
                return
            if self.spent is not None and number % LOOK_EVERY == 0 and self.spent() > end:
                return
            far, cell = heappop(queue)
            if far <= found[cell]:
                yield far, cell

    def from_cell(self, start: Cell) -> Distances:
        """What it costs to get to each cell; what bars the way is reached, but not passed."""
        if not isinstance(self.function, str):
            return own_distances(self.function, self.sight.view, start)
        found: Distances = {start: 0.0}
        queue = [(0.0, start)]
        for far, cell in self.nearest(queue, found):
            if cell in self.barred and cell != start:
                continue
            for there in self.steps(cell):
                total = far + self.costs.get(there, 1.0)
                end = there if there in self.barred else self.exits.get(there, there)
                if total < found.get(end, inf):
                    found[end] = total
                    heappush(queue, (total, end))
                if there != end and total < found.get(there, inf):
                    found[there] = total
        return found

    def to_cell(self, goal: Cell) -> Distances:
        """What it costs to get from each cell to a goal."""
        if not isinstance(self.function, str):
            return own_distances(self.function, self.sight.view, goal)
        entries: dict[Cell, list[Cell]] = {}
        for entry, there in self.exits.items():
            entries.setdefault(there, []).append(entry)
        found: Distances = {goal: 0.0}
        queue = [(0.0, goal)]
        for far, cell in self.nearest(queue, found):
            for entered in [cell, *entries.get(cell, ())]:
                if entered in self.exits and entered != goal and entered == cell:
                    continue  # whoever steps in here comes out elsewhere
                if entered in self.barred and entered != goal:
                    continue
                total = far + self.costs.get(entered, 1.0)
                for before in self.steps(entered):  # steps lead both ways
                    if before not in self.barred and total < found.get(before, inf):
                        found[before] = total
                        heappush(queue, (total, before))
        return found


@dataclass
class Target:
    """An object to go to, or a column or row where one cannot go anywhere else."""

    seen: SeenObject | None
    distances: Distances
    """what is left from each cell"""
    distance: float
    value: float

    def way(self, start: Cell) -> list[Cell]:
        """The cells from a start to the target, always the next one with the least left."""
        found = [start]
        while self.distances.get(found[-1], inf) > 0.0:
            x, y = found[-1]
            around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            nearest = min(around, key=lambda one: self.distances.get(one, inf))
            if self.distances.get(nearest, inf) >= self.distances.get(found[-1], inf):
                break  # through a portal, or there is no way
            found.append(nearest)
        return found


@dataclass
class Chooser:
    """Chooses a target for each tick, and gives up what cannot be reached."""

    habits: Habits = USUAL
    excluded: dict[int, int] = field(default_factory=dict)
    """objects that were given up, with the tick until which they are"""
    current: int | None = None
    nearest: float = inf
    waited: int = 0
    carried: tuple[Any, ...] = ()

    def choose(
        self, knowledge: Knowledge, sight: Sight, board: Board, shoots: bool
    ) -> Target | None:
        """The most promising object now, with the way to it."""
        self.refresh(sight)
        if line := one_axis(board.moves):
            return column_target(knowledge, sight, line)
        values = self.values(knowledge, sight, shoots)
        if not values:
            return None
        reached = board.from_cell(sight.avatar_cell)
        able = {one: value for one, value in values.items() if one.number not in self.excluded}
        if not able:
            self.excluded.clear()
            able = values
        far = {one: reached.get(one.cell, inf) for one in able}
        if all(distance == inf for distance in far.values()):
            x, y = sight.avatar_cell
            far = {
                one: self.habits.detour * (abs(one.cell[0] - x) + abs(one.cell[1] - y))
                for one in able
            }
        promises = {one: promise(self.habits, able[one], far[one]) for one in able}
        best = self.preferred(promises)
        self.keep_patience(best, far[best], sight.tick)
        return Target(best, board.to_cell(best.cell), far[best], promises[best])

    def preferred(self, promises: Mapping[SeenObject, float]) -> SeenObject:
        """The most promising object, or the last one as long as that is hardly better."""
        best = max(promises, key=lambda one: (promises[one], -one.number))
        if self.habits.loyalty:
            for one, value in promises.items():
                if one.number == self.current and promises[best] <= value + self.habits.loyalty:
                    return one
        return best

    def refresh(self, sight: Sight) -> None:
        """Let go of exclusions that are over; another inventory or avatar opens new ways."""
        carried = (sight.avatar_kind, *sorted(sight.inventory.items()))
        if carried != self.carried:
            self.carried = carried
            self.excluded.clear()
        self.excluded = {one: end for one, end in self.excluded.items() if end > sight.tick}

    def keep_patience(self, best: SeenObject, distance: float, tick: int) -> None:
        """Give up a target that has not come nearer for too long."""
        if best.number != self.current:
            self.current, self.nearest, self.waited = best.number, distance, 0
        elif distance < self.nearest:
            self.nearest, self.waited = distance, 0
        else:
            self.waited += 1
            if self.waited >= self.habits.patience:
                self.excluded[best.number] = tick + self.habits.excluded_ticks
                self.current = None

    def values(self, knowledge: Knowledge, sight: Sight, shoots: bool) -> dict[SeenObject, float]:
        """What the objects on the board promise; those that are part of the scene are left out."""
        counts = Counter(one.kind for one in sight.seen_objects)
        scene = {
            kind
            for kind, count in counts.items()
            if 2 * count > sight.view.width * sight.view.height
        }
        worth = {
            kind: worth_of(knowledge, sight, kind, shoots) for kind in counts if kind not in scene
        }
        found = {
            one: value
            for one in sight.seen_objects
            if (value := worth.get(one.kind)) is not None and sight.holds(one.cell)
        }
        # A wall at hand must not be better than a prize far away.
        return {one: value for one, value in found.items() if value > 0.0} or found


def promise(habits: Habits, worth: float, way: float) -> float:
    """What an object promises of this worth and so far away.

    >>> promise(Habits(), 50.0, 20.0), promise(Habits(worth_by="product"), 0.0, 20.0)
    (30.0, -20.0)
    """
    if habits.worth_by == "sum":
        return worth - way
    return -way * exp(-worth / habits.worth_scale)


def clock(meter: Meter, budget: Budget) -> Clock | None:
    """The clock of a decision; None for a budget that is counted."""
    whole = budget.time_ms
    if whole is None:
        return None
    return lambda: spent_ms(budget, meter) / whole


def aim(
    knowledge: Knowledge, chooser: Chooser, sight: Sight, model: Any, spent: Clock | None
) -> Target | None:
    """Choose where to go from here."""
    moves = sorted({model.heading(action) for action in sight.legal})
    board = Board(knowledge, sight, heat_map(knowledge, sight), moves, spent)
    shoots = any(model.action_type(action) == "use" for action in sight.legal)
    return chooser.choose(knowledge, sight, board, shoots)


def shown_aim(knowledge: Knowledge, sight: Sight, target: Target | None) -> dict[str, Any]:
    """Danger, target and the way to it, for those who watch."""
    heat = as_cells(heat_map(knowledge, sight), knowledge.habits.heat_horizon)
    found: dict[str, Any] = {"danger": heat}
    if target is not None:
        found["way"] = Cells(dict.fromkeys(target.way(sight.avatar_cell), 1.0))
        found["distance"] = target.distance
        if target.seen is not None:
            found["target"] = Cells({target.seen.cell: 1.0})
    return found


def worth_of(knowledge: Knowledge, sight: Sight, kind: int, shoots: bool) -> float | None:
    """What meeting a type promises, in steps one would go for it; None where nothing happens."""
    effect = knowledge.effect(sight, kind)
    shot = knowledge.shot_effect(sight, kind) if shoots else None
    if effect is not None and effect is not BLOCKED and not effect.group and shot is None:
        return None
    habits, total = knowledge.habits, 0.0
    if effect is BLOCKED:
        total += habits.worth_block
    for found in (effect, shot):
        for bit in found.group if found is not None else ():
            if found is effect or bit in ("won", "score+", "score-"):
                total += habits.worths.get(bit, 0.0)
    if shot is not None:
        total += habits.worth_use
    if knowledge.categories.get(kind) is Category.PORTAL:
        total += habits.worth_portal
    if kind not in knowledge.met:
        total += habits.worth_new
    return total


def one_axis(moves: Sequence[Cell]) -> Cell | None:
    """The only axis along which the avatar can move, where there is only one."""
    axes = {(abs(dx), abs(dy)) for dx, dy in moves}
    return axes.pop() if len(axes) == 1 else None


def column_target(knowledge: Knowledge, sight: Sight, axis: Cell) -> Target | None:
    """The column (or row) with the most interesting objects, nearer ones weighted higher."""
    side, along = (0, 1) if axis == (1, 0) else (1, 0)
    here = sight.avatar_cell
    scores: Counter[int] = Counter()
    worth: dict[int, float] = {}
    for one in sight.seen_objects:
        if one.kind not in worth:
            worth[one.kind] = worth_of(knowledge, sight, one.kind, shoots=True) or 0.0
        if worth[one.kind] > 0.0:
            scores[one.cell[side]] += 1.0 / (1.0 + abs(one.cell[along] - here[along]))  # type: ignore[assignment]  # counts of anything
    if not scores:
        return None
    line = min(scores, key=lambda one: (-scores[one], abs(one - here[side]), one))
    cells = [(x, y) for x in range(sight.view.width) for y in range(sight.view.height)]
    distances = {cell: float(abs(cell[side] - line)) for cell in cells}
    return Target(None, distances, distances.get(here, inf), scores[line])
