"""A panel of VGDL games, measured beside the figures of the Java framework."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludex.bench import timing
from ludex.bench.java import FIGURES, Java, geometric_mean, read_java, shared_folder
from ludex.bench.native_searches import python_form
from ludex.bench.result import Row
from ludex.core import registry
from ludex.core.errors import BadParameter
from ludex.core.planner import Planner
from ludex.core.world import World

SECONDS_PER_GAME = 4.0
SECONDS_OF_SEARCH = 1.0  # about what loading a game and ten decisions take beside that
OURS = "ours"  # the folder of games that come with ludex
NO_DATA = "there is no reference data; set LUDEX_SHARED to its folder, or give --games DIR"
PLANNER = "open_loop_mcts"
LEAF_PLAYOUT: dict[str, Any] = {"rollout_depth": 10}
ROOT_PLAYOUT: dict[str, Any] = {"rollout_depth": 10, "depth_from": "root"}


@dataclass(frozen=True, slots=True)
class Goal:
    """How many times Java a metric should reach."""

    mean: float
    """geometric mean over the panel"""
    each: float = 0.0
    """in every game"""
    each_times_python: float = 0.0
    """in every game, how many times the same search in Python"""


GOALS = {
    "tick": Goal(50, each=15),
    "copy_tick": Goal(150),
    "model_ticks_40ms": Goal(100),
    "root_iterations_40ms": Goal(10),
}
PLANNER_GOALS = {  # of model_ticks_40ms
    "open_loop_mcts": Goal(100, each_times_python=1),
    "rhea": Goal(90),
    "olets": Goal(60),
}
PLANNER_METRICS = ("iterations_40ms", "model_ticks_40ms")
# Where our usual parameters are not those of the sample controller.
AS_IN_JAVA: dict[str, dict[str, Any]] = {PLANNER: LEAF_PLAYOUT}
PLANNED = ("iterations_40ms", "model_ticks_40ms", "root_iterations_40ms")


@dataclass(slots=True)
class Panel:
    """The games to measure, by folder and name, and what they are compared with."""

    games: list[tuple[str, str, World]]
    java: Java
    shared: Path | None = None
    missing: list[str] = field(default_factory=list)
    """games of the panel that the folder does not hold"""

    def rows(self, place: int, seconds: float) -> Iterator[list[Row]]:
        """Measure one game; each metric as soon as it is known."""
        folder, game, world = self.games[place]
        named = {"world": "vgdl", "folder": folder, "game": game}
        for metric, value in rates(world, seconds):
            rate = float(f"{value:.4g}")
            row: Row = {**named, "metric": metric}
            row |= {"planner": PLANNER, "value": rate} if metric in PLANNED else {"per_cpu_s": rate}
            if figure := self.java.figure(folder, game, metric):
                row |= {"java": float(f"{figure:.4g}"), "ratio": float(f"{value / figure:.4g}")}
            yield [row]

    def planner_rows(
        self, planners: list[Planner], place: int, seconds: float
    ) -> Iterator[list[Row]]:
        """Ask every planner that can play a game for a few decisions of 40 ms in it."""
        folder, game, world = self.games[place]
        able = [one for one in planners if one.refusal(world.traits) is None]
        able = [one.clone(**AS_IN_JAVA.get(one.name, {})) for one in able]
        forms = {one: python_form(one, world) for one in able}
        measured = len(able) + sum(form is not None for form in forms.values())
        most = int(seconds * 1000 / (timing.BUDGET.time_ms or 40.0) / max(1, measured))
        decisions = max(1, min(most, timing.DECISIONS))
        for planner, form in forms.items():
            found = timing.planner_rates(planner, world, decisions)
            plain = timing.planner_rates(form, world, decisions) if form is not None else None
            rows: list[Row] = []
            for metric in PLANNER_METRICS:
                row: Row = {"world": "vgdl", "folder": folder, "game": game}
                row |= {"planner": planner.name, "metric": metric, "value": found[metric]}
                if figure := self.java.figure(folder, game, metric, planner.name):
                    ratio = float(f"{found[metric] / figure:.4g}")
                    row |= {"java": float(f"{figure:.4g}"), "ratio": ratio}
                if plain is not None:
                    times = float(f"{found[metric] / max(plain[metric], 1.0):.4g}")
                    row |= {"python": plain[metric], "times_python": times}
                rows.append(row)
            yield rows

    def as_json(self, rows: list[Row]) -> Row:
        """What a document of `ludex bench` holds beside the rows of the panel."""
        carried = {"scale": self.java.scale, "problem": self.java.problem or None}
        return {"ratios": ratios(rows), "yardstick": carried, "missing": self.missing}


def bench_vgdl(folder: Path | None = None, seconds: float = SECONDS_PER_GAME) -> list[Row]:
    """Measure a panel of VGDL games, beside Java's figures where there are any.

    Args:
        folder: Where the games are; those of the reference data or our own if not given.
        seconds: CPU time for each game.
    """
    panel = read_panel(folder)
    if panel.java.games:
        panel.java.carry(panel.shared)
    indices = range(len(panel.games))
    return [row for index in indices for rows in panel.rows(index, seconds) for row in rows]


def read_panel(folder: Path | None) -> Panel:
    """Find the games: in a folder, in the reference data, or our own where there are none."""
    shared = shared_folder(folder)
    if folder is not None and not folder.is_dir():
        raise BadParameter(f"there is no folder {str(folder)!r} to take games from")
    if folder is None and shared is not None and (shared / "data" / "gvgai").is_dir():
        folder = shared / "data" / "gvgai"
    if folder is None:
        return Panel(own_games(), Java(problem=NO_DATA))
    figures = [folder / FIGURES]
    if shared is not None:
        figures.append(shared / "data" / "gvgai" / FIGURES)
    known = next((path for path in figures if path.is_file()), None)
    if known is None:
        return Panel(all_games(folder), Java(problem=f"there is no {FIGURES}"), shared)
    java = read_java(known)
    paths = {(part, game): folder / part / f"{game}.txt" for part, game in java.games}
    found = [(*name, load(path)) for name, path in paths.items() if path.is_file()]
    if not found:
        return Panel(all_games(folder), java, shared)
    missing = [game for (_, game), path in paths.items() if not path.is_file()]
    return Panel(found, java, shared, missing)


def own_games() -> list[tuple[str, str, World]]:
    names = [name for name, _ in registry.load("worlds", "vgdl").games()]
    return [(OURS, name, registry.world(f"vgdl/{name}")) for name in names]


def all_games(folder: Path) -> list[tuple[str, str, World]]:
    """Every game of a folder that has a first level."""
    paths = sorted(path for path in folder.rglob("*.txt") if first_level(path).is_file())
    if not paths:
        raise BadParameter(f"there is no game with a level 0 below {str(folder)!r}")
    return [(str(path.parent.relative_to(folder)), path.stem, load(path)) for path in paths]


def first_level(path: Path) -> Path:
    return path.with_name(f"{path.stem}_lvl0.txt")


def load(path: Path) -> World:
    return registry.world(str(path))


def rates(world: World, seconds: float) -> Iterator[tuple[str, float]]:
    """Time a game, and what a search in Python reaches in it."""
    planner = registry.load("planners", PLANNER)
    share = seconds / (len(timing.NATIVE_METRICS) + 1)
    yield from timing.native_rates(world, share)
    yield "tick_py", timing.per_cpu_second(timing.loops(world)["tick_py"], share)
    reached = timing.planner_rates(planner(**LEAF_PLAYOUT), world)
    yield "iterations_40ms", reached["iterations_40ms"]
    yield "model_ticks_40ms", reached["model_ticks_40ms"]
    reached = timing.planner_rates(planner(**ROOT_PLAYOUT), world)
    yield "root_iterations_40ms", reached["iterations_40ms"]


def ratios(rows: list[Row]) -> list[Row]:
    """What the panel as a whole says of each metric that has a figure of Java's, or of Python's."""
    found: list[Row] = []
    rows = [row for row in rows if "game" in row and ("ratio" in row or "times_python" in row)]
    named = [(row.get("planner"), row["metric"]) for row in rows]
    for planner, metric in dict.fromkeys(named):
        chosen = [row for row in rows if (row.get("planner"), row["metric"]) == (planner, metric)]
        goal = GOALS.get(metric)
        if metric == "model_ticks_40ms":
            goal = PLANNER_GOALS.get(planner or PLANNER)
        for against in ("ratio", "times_python"):
            each = {row["game"]: row[against] for row in chosen if against in row}
            if each:
                found.append(summed(planner, metric, against, each, goal))
    return found


def summed(
    planner: str | None, metric: str, against: str, each: dict[str, float], goal: Goal | None
) -> Row:
    """One line of the summary: by how much, over all games and at least."""
    mean, lowest = geometric_mean(list(each.values())), min(each, key=lambda game: each[game])
    is_java = against == "ratio"
    wanted = goal.mean if goal and is_java else None
    least = goal and ((goal.each if is_java else goal.each_times_python) or None)
    met = mean >= (wanted or 0.0) and each[lowest] >= (least or 0.0)
    return {
        "metric": metric,
        "planner": planner,
        "against": "java" if is_java else "python",
        "games": len(each),
        "geometric_mean": float(f"{mean:.4g}"),
        "least": each[lowest],
        "least_game": lowest,
        "goal": wanted,
        "goal_each": least,
        "met": met if wanted or least else None,
    }
