"""`ludex bench vgdl`: a panel of VGDL games beside the figures of the Java framework."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from ludex.cli.java import Java
    from ludex.core.planner import Planner
    from ludex.core.world import World

Row = dict[str, Any]
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


GOALS = {
    "tick": Goal(50, each=15),
    "copy_tick": Goal(150),
    "model_ticks_40ms": Goal(25),
    "root_iterations_40ms": Goal(10),
}
PLANNER_GOALS = {  # of model_ticks_40ms
    "open_loop_mcts": Goal(25),
    "rhea": Goal(25),
    "olets": Goal(8),
}
SHOWN = ("tick", "copy_tick", "copy", "rollout_tick", "tick_py")
PLANNER_METRICS = ("iterations_40ms", "model_ticks_40ms")
# Where our usual parameters are not those of the sample controller.
AS_IN_JAVA: dict[str, dict[str, Any]] = {PLANNER: LEAF_PLAYOUT}
PLANNED = ("iterations_40ms", "model_ticks_40ms", "root_iterations_40ms")
HEADS = {
    "iterations_40ms": "iterations",
    "model_ticks_40ms": "model ticks",
    "root_iterations_40ms": "from the root",
}


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
        from ludex.cli import timing

        folder, game, world = self.games[place]
        able = [one for one in planners if one.refusal(world.traits) is None]
        most = int(seconds * 1000 / (timing.BUDGET.time_ms or 40.0) / max(1, len(able)))
        for planner in able:
            measured = planner.clone(**AS_IN_JAVA.get(planner.name, {}))
            found = timing.planner_rates(measured, world, max(1, min(most, timing.DECISIONS)))
            rows: list[Row] = []
            for metric in PLANNER_METRICS:
                row: Row = {"world": "vgdl", "folder": folder, "game": game}
                row |= {"planner": planner.name, "metric": metric, "value": found[metric]}
                if figure := self.java.figure(folder, game, metric, planner.name):
                    ratio = float(f"{found[metric] / figure:.4g}")
                    row |= {"java": float(f"{figure:.4g}"), "ratio": ratio}
                rows.append(row)
            yield rows

    def as_json(self, rows: list[Row]) -> Row:
        """What a document of `ludex bench` holds beside the rows of the panel."""
        carried = {"scale": self.java.scale, "problem": self.java.problem or None}
        return {"ratios": ratios(rows), "yardstick": carried, "missing": self.missing}


def read_panel(folder: Path | None) -> Panel:
    """Find the games: in a folder, in the reference data, or our own where there are none."""
    from ludex.cli.java import FIGURES, Java, read_java, shared_folder
    from ludex.core.errors import BadParameter

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
    from ludex.core import registry

    names = [name for name, _ in registry.load("worlds", "vgdl").games()]
    return [(OURS, name, registry.world(f"vgdl/{name}")) for name in names]


def all_games(folder: Path) -> list[tuple[str, str, World]]:
    """Every game of a folder that has a first level."""
    from ludex.core.errors import BadParameter

    paths = sorted(path for path in folder.rglob("*.txt") if first_level(path).is_file())
    if not paths:
        raise BadParameter(f"there is no game with a level 0 below {str(folder)!r}")
    return [(str(path.parent.relative_to(folder)), path.stem, load(path)) for path in paths]


def first_level(path: Path) -> Path:
    return path.with_name(f"{path.stem}_lvl0.txt")


def load(path: Path) -> World:
    from ludex.core import registry

    return registry.world(str(path))


def rates(world: World, seconds: float) -> Iterator[tuple[str, float]]:
    """Time a game, and what a search in Python reaches in it."""
    from ludex.cli import timing
    from ludex.core import registry

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
    """What the panel as a whole says of each metric that has a figure of Java's."""
    from ludex.cli.java import geometric_mean

    found: list[Row] = []
    rows = [row for row in rows if "ratio" in row]
    named = [(row.get("planner"), row["metric"]) for row in rows]
    for planner, metric in dict.fromkeys(named):
        each = {
            row["game"]: row["ratio"]
            for row in rows
            if (row.get("planner"), row["metric"]) == (planner, metric)
        }
        mean, lowest = geometric_mean(list(each.values())), min(each, key=lambda game: each[game])
        goal = GOALS.get(metric)
        if metric == "model_ticks_40ms":
            goal = PLANNER_GOALS.get(planner or PLANNER)
        found.append(
            {
                "metric": metric,
                "planner": planner,
                "games": len(each),
                "geometric_mean": float(f"{mean:.4g}"),
                "least": each[lowest],
                "least_game": lowest,
                "goal": goal and goal.mean,
                "goal_each": goal.each if goal and goal.each else None,
                "met": goal and mean >= goal.mean and each[lowest] >= goal.each,
            }
        )
    return found


def show(panel: Panel, rows: list[Row]) -> None:
    """Tables of the games, one of the goals, and what the figures are worth."""
    from ludex.cli import screen

    console = screen.answers()
    for title, metrics, text in (
        ("VGDL games, per CPU-second of one thread", SHOWN, cell_text),
        (f"{PLANNER}, in a decision of 40 ms", PLANNED, cell_text),
        ("times Java", SHOWN + PLANNED, ratio_text),
    ):
        if any(text(row) for row in rows if row["metric"] in metrics):
            console.print(table_of_games(title, metrics, text, rows))
    if summary := ratios(rows):
        show_ratios(summary)
    show_remarks(panel)


def table_of_games(
    title: str, metrics: tuple[str, ...], text: Callable[[Row], str], rows: list[Row]
) -> Table:
    """A line for each game, and a column for each metric that has something to show."""
    from ludex.cli import screen

    games = dict.fromkeys((row["folder"], row["game"]) for row in rows)
    cells = {(row["folder"], row["game"], row["metric"]): text(row) for row in rows}
    known = [one for one in metrics if any(cells.get((*game, one)) for game in games)]
    heads = [HEADS.get(metric, metric) for metric in known]
    made = screen.table(title, "game", *heads, right=tuple(heads))
    screen.keep_whole(made, "game")
    for folder, game in games:
        twice = sum(other == game for _, other in games) > 1
        texts = [cells.get((folder, game, metric)) or "-" for metric in known]
        made.add_row(f"{folder}/{game}" if twice else game, *texts)
    return made


def show_remarks(panel: Panel) -> None:
    """Say what Java's figures are worth here, and which games are missing."""
    from ludex.cli import screen

    console = screen.answers()
    remark = panel.java.problem and f"as measured on another machine: {panel.java.problem}"
    if panel.java.games:
        carried = f"carried here by the yardstick: this machine is {panel.java.scale:.2f} x theirs"
        console.print(screen.line("Java's figures are ", (remark or carried, "bold")))
    else:
        console.print(screen.line("without Java's figures: ", panel.java.problem))
    if panel.missing:
        console.print(screen.line("not in the folder: ", ", ".join(panel.missing)))


def show_planners(panel: Panel, rows: list[Row]) -> None:
    """A table with a line per planner: model ticks in each game, beside Java's."""
    from ludex.cli import screen

    console = screen.answers()
    heads = ("iterations", "model ticks", "times Java")
    made = screen.table(
        "planners in VGDL games, in a decision of 40 ms", "planner", "game", *heads, right=heads
    )
    screen.keep_whole(made, "planner", "game")
    cells = {(row["planner"], row["game"], row["metric"]): row for row in rows}
    last = None
    for planner, game in dict.fromkeys((row["planner"], row["game"]) for row in sorted_rows(rows)):
        if last not in (None, planner):
            made.add_section()
        ticks = cells[planner, game, "model_ticks_40ms"]
        made.add_row(
            planner if planner != last else "",
            game,
            f"{cells[planner, game, 'iterations_40ms']['value']:,.0f}",
            f"{ticks['value']:,.0f}",
            f"{ticks['ratio']:.1f}" if "ratio" in ticks else "-",
        )
        last = planner
    console.print(made)
    if summary := ratios(rows):
        show_ratios(summary)
    show_remarks(panel)


def sorted_rows(rows: list[Row]) -> list[Row]:
    """By planner; the games stay in their order."""
    return sorted(rows, key=lambda row: row["planner"])


def show_ratios(summary: list[Row]) -> None:
    """A line for each metric, those of a planner below its name."""
    from ludex.cli import screen

    counts = sorted({row["games"] for row in summary})
    games = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    right = ("mean", "goal", "least")
    made = screen.table(
        f"times Java, geometric means over {games} games", "", *right, "in", "met", right=right
    )
    screen.keep_whole(made, "", "in", "met")
    last = None
    for row in summary:
        if row["planner"] not in (None, last):
            made.add_row(row["planner"])
        last = row["planner"]
        goal = f"{row['goal']:g} x" if row["goal"] else "-"
        made.add_row(
            f"{'  ' if last else ''}{HEADS.get(row['metric'], row['metric'])}",
            f"{row['geometric_mean']:.1f} x",
            f"{goal}, each {row['goal_each']:g} x" if row["goal_each"] else goal,
            f"{row['least']:.1f} x",
            row["least_game"],
            "-" if row["met"] is None else "yes" if row["met"] else "no",
        )
    screen.answers().print(made)


def cell_text(row: Row) -> str:
    from ludex.cli.bench import large

    return f"{row['value']:,.0f}" if "value" in row else large(row["per_cpu_s"])


def ratio_text(row: Row) -> str:
    if "ratio" not in row:
        return ""
    return f"{row['ratio']:.0f}" if row["ratio"] >= 100 else f"{row['ratio']:.1f}"
