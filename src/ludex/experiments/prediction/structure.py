"""Structure learning on Sokoban: which cells depend on which (section 4.3.1 of the source)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ludex.core import registry
from ludex.core.rng import Rng
from ludex.experiments.prediction.source import SOURCE
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey
from ludex.models.learned.decomposed import Decomposed
from ludex.models.learned.explain.accuracy import tile_accuracy
from ludex.models.learned.structure.climbing import hill_climbing, tabu
from ludex.models.learned.structure.graph import Edge, Network
from ludex.models.learned.structure.grow_shrink import grow_shrink
from ludex.models.learned.structure.hybrid import rsmax2
from ludex.models.learned.structure.parents_and_children import hiton_pc, mmpc
from ludex.models.learned.structure.problem import Algorithm, StructureProblem
from ludex.models.learned.structure.table import CountTable
from ludex.models.learned.training.transitions import Transition, random_play

LEVEL = "sokoban[level=0,limit=100]"
RESTART = 100
NEAR = 2  # rows or columns: as far as a box is pushed and its pusher stands
STEPS: dict[Scale, int] = {"tiny": 5_000, "small": 5_000, "full": 5_000}
FRESH = 1_000

ALGORITHMS: dict[str, Algorithm] = {
    "hc": hill_climbing,
    "tabu": tabu,
    "rsmax2(gs, hc)": partial(rsmax2, restrict=grow_shrink, maximise=hill_climbing),
    "rsmax2(gs, tabu)": partial(rsmax2, restrict=grow_shrink, maximise=tabu),
    "rsmax2(mmpc, hc)": partial(rsmax2, restrict=mmpc, maximise=hill_climbing),
    "rsmax2(mmpc, tabu)": partial(rsmax2, restrict=mmpc, maximise=tabu),
    "rsmax2(si-hiton-pc, hc)": partial(rsmax2, restrict=hiton_pc, maximise=hill_climbing),
    "rsmax2(si-hiton-pc, tabu)": partial(rsmax2, restrict=hiton_pc, maximise=tabu),
}


@dataclass(frozen=True)
class PrintedStructure:
    """The printed results of an algorithm."""

    edges: int
    tests: int
    bic: float
    rank: int
    """by BIC, the best first"""


PRINTED = {
    "hc": PrintedStructure(43, 4301, -56034.66, 1),
    "tabu": PrintedStructure(43, 1309, -56044.29, 2),
    "rsmax2(gs, hc)": PrintedStructure(9, 1652, -76649.20, 5),
    "rsmax2(gs, tabu)": PrintedStructure(9, 1674, -76649.20, 5),
    "rsmax2(mmpc, hc)": PrintedStructure(32, 9183, -57818.19, 3),
    "rsmax2(mmpc, tabu)": PrintedStructure(32, 9705, -57818.19, 3),
    "rsmax2(si-hiton-pc, hc)": PrintedStructure(30, 4508, -57989.35, 4),
    "rsmax2(si-hiton-pc, tabu)": PrintedStructure(30, 4557, -57989.35, 4),
}


@dataclass(frozen=True)
class LearnedStructure:
    """The structure that an algorithm learned."""

    network: Network
    tests: int
    bic: float


@dataclass(frozen=True)
class SokobanData:
    """Random play as discrete data: cells without walls before, the action, cells after."""

    table: CountTable
    places: tuple[tuple[int, int], ...]
    """row and column of each cell"""

    @property
    def cells(self) -> int:
        return len(self.places)

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """The allowed edges: from cells before and the action to cells after."""
        total = 2 * self.cells + 1
        allowed = np.zeros((total, total), bool)
        allowed[: self.cells + 1, self.cells + 1 :] = True
        return allowed

    def is_near(self, edge: Edge) -> bool:
        """Whether an edge between two cells joins neighbours, or a cell with itself."""
        rows, columns = zip(
            self.places[edge[0]], self.places[edge[1] - self.cells - 1], strict=True
        )
        return max(abs(rows[0] - rows[1]), abs(columns[0] - columns[1])) <= NEAR


def watched(steps: int, seed: int = 0) -> list[Transition]:
    """Random play in the level, which begins again when it is solved or takes too long."""
    world = registry.world(LEVEL)
    view = world.model.view(world.start(Rng(seed)), 0)
    return list(random_play(world.model, view, steps, Rng(seed).fork("structure"), RESTART))


def level_of(transitions: list[Transition]) -> SokobanData:
    grids = [
        np.stack([moment.view.as_tiles().tiles.array for moment in moments])  # type: ignore[attr-defined]  # a view of tiles
        for moments in (
            [one.before for one in transitions],
            [one.after for one in transitions],
        )
    ]
    movable = (grids[0] != grids[0][0]).any(axis=0) | (grids[0][0] != 1)  # 1: a wall alone
    before, after = (grid[:, movable] for grid in grids)
    actions = np.array([int(one.actions[0]) for one in transitions], np.uint64)
    rows, columns = np.nonzero(movable)
    places = tuple(zip(rows.tolist(), columns.tolist(), strict=True))
    return SokobanData(CountTable.of(np.column_stack([before, actions, after])), places)


class StructureOnSokoban(Survey):
    """Edges, tests and scores of the algorithms, and whether few inputs are enough."""

    id = "PBS-44"
    title = "which algorithm finds the best structure of Sokoban?"
    source = f"{SOURCE}, section 4.3.1"
    deviations = (
        "the level is one of ours, 6 x 6 with one box, because the source shows its own as a "
        "picture: the order of scores counts, not their size",
        "tests count scores and tests of independence that had to be worked out; equal ones are "
        "worked out once",
        "tests of independence are G tests at 5 %, given at most 3 variables; tabu search does "
        "not go back to its last 10 networks; the source gives none of these",
        "tabu search begins as hill climbing does and ends with the best it met, so it is never "
        "behind",
    )
    fresh: ClassVar[int] = FRESH

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        steps = STEPS[scale]

        @cache
        def level() -> SokobanData:
            return level_of(watched(steps))

        @cache
        def learned(name: str) -> LearnedStructure:
            problem = StructureProblem(level().table, level().allowed)
            network = ALGORITHMS[name](problem)
            return LearnedStructure(network, problem.work, problem.bic.of(network.edges))

        found: dict[str, Part] = {
            name: partial(self.read, name, level, learned) for name in ALGORITHMS
        }
        found["order"] = partial(self.order, learned)
        for inputs in ("all", "hill_climbing", "mmpc"):
            found[f"decomposed, {inputs}"] = partial(self.predict, inputs, steps)
        return found

    def read(
        self,
        name: str,
        level: Callable[[], SokobanData],
        learned: Callable[[str], LearnedStructure],
    ) -> list[Reading]:
        """What one algorithm found."""
        one, printed, cells = learned(name), PRINTED[name], level().cells
        edges = one.network.edges
        between = {(u, v) for u, v in edges if u != cells}
        others = {(u, v) for u, v in between if v - cells - 1 != u}
        near = sum(level().is_near(edge) for edge in others)
        kinds = (
            f"{len(others)} between cells, {len(between) - len(others)} from a cell to itself, "
            f"{len(edges) - len(between)} from the action"
        )
        share = 100 * near / len(others) if others else 100.0
        return [
            Reading(name, "edges", printed.edges, len(edges), kinds),
            Reading(name, "tests", printed.tests, one.tests),
            Reading(name, "BIC", printed.bic, one.bic),
            Reading(
                name, f"edges at most {NEAR} cells long, %", None, share, "90 or more expected"
            ),
        ]

    def order(self, learned: Callable[[str], LearnedStructure]) -> list[Reading]:
        """Ranks by score, and whether both climbs agree along each skeleton."""
        scores = {name: round(learned(name).bic, 6) for name in ALGORITHMS}
        unlike = sorted(set(scores.values()), reverse=True)
        readings = [
            Reading("order", f"rank by BIC, {name}", PRINTED[name].rank, unlike.index(value) + 1)
            for name, value in scores.items()
        ]
        for restrict in ("gs", "mmpc", "si-hiton-pc"):
            same = (
                learned(f"rsmax2({restrict}, hc)").network
                == learned(f"rsmax2({restrict}, tabu)").network
            )
            readings.append(
                Reading("order", f"hc and tabu agree after {restrict}, 1: yes", 1, int(same))
            )
        return readings

    def predict(self, inputs: str, steps: int) -> list[Reading]:
        """The prediction accuracy of a decomposed model with these inputs."""
        learner = Decomposed.from_texts({"inputs": inputs}).fit(watched(steps))
        used = int((learner.inputs_ >= 0).sum()) / max(1, len(learner.cells_))
        title = f"decomposed, {inputs}"
        note = f"{len(learner.cells_)} cells that change, {self.fresh:,} new steps"
        readings = [Reading(title, "inputs of a cell", None, used, note)]
        for what, value in tile_accuracy(learner, watched(self.fresh, seed=1)).items():
            readings.append(Reading(title, f"{what}, %", None, 100 * value))
        return readings
