"""What `ludex bench vgdl` shows: the panel of games, beside Java's figures."""

from __future__ import annotations

from collections.abc import Callable

from rich.table import Table

from ludex.bench.panel import PLANNED, PLANNER, Panel, ratios
from ludex.bench.result import Row
from ludex.cli.bench.units import large
from ludex.cli.shared import screen

SHOWN = ("tick", "copy_tick", "copy", "rollout_tick", "tick_py")
HEADS = {
    "iterations_40ms": "iterations",
    "model_ticks_40ms": "model ticks",
    "root_iterations_40ms": "from the root",
}


def show_rows(panel: Panel, rows: list[Row]) -> None:
    """The tables of the games, or those of all planners in them."""
    if any("per_cpu_s" in row for row in rows):
        show_games(panel, rows)
    elif rows:
        show_planners(panel, rows)


def show_games(panel: Panel, rows: list[Row]) -> None:
    """Tables of the games, one of the goals, and what the figures are worth."""
    console = screen.answers()
    for title, metrics, text in (
        ("VGDL games, per CPU-second of one thread", SHOWN, cell_text),
        (f"{PLANNER}, in a decision of 40 ms", PLANNED, cell_text),
        ("times Java", SHOWN + PLANNED, ratio_text),
    ):
        if any(text(row) for row in rows if row["metric"] in metrics):
            console.print(table_of_games(title, metrics, text, rows))
    show_summaries(rows)
    show_remarks(panel)


def table_of_games(
    title: str, metrics: tuple[str, ...], text: Callable[[Row], str], rows: list[Row]
) -> Table:
    """A line for each game, and a column for each metric that has something to show."""
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
    console = screen.answers()
    heads = ("iterations", "model ticks", "times Java", "times Python")
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
            f"{ticks['times_python']:.1f}" if "times_python" in ticks else "-",
        )
        last = planner
    console.print(made)
    show_summaries(rows)
    show_remarks(panel)


def show_summaries(rows: list[Row]) -> None:
    """The panel as a whole, beside Java and beside the same searches in Python."""
    summary = ratios(rows)
    for against, title in (("java", "times Java"), ("python", "times the search in Python")):
        if chosen := [row for row in summary if row["against"] == against]:
            show_ratios(chosen, title)


def sorted_rows(rows: list[Row]) -> list[Row]:
    """By planner; the games stay in their order."""
    return sorted(rows, key=lambda row: row["planner"])


def show_ratios(summary: list[Row], title: str) -> None:
    """A line for each metric, those of a planner below its name."""
    counts = sorted({row["games"] for row in summary})
    games = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    right = ("mean", "goal", "least")
    made = screen.table(
        f"{title}, geometric means over {games} games", "", *right, "in", "met", right=right
    )
    screen.keep_whole(made, "", "in", "met")
    last = None
    for row in summary:
        if row["planner"] not in (None, last):
            made.add_row(row["planner"])
        last = row["planner"]
        made.add_row(
            f"{'  ' if last else ''}{HEADS.get(row['metric'], row['metric'])}",
            f"{row['geometric_mean']:.1f} x",
            goal_text(row),
            f"{row['least']:.1f} x",
            row["least_game"],
            "-" if row["met"] is None else "yes" if row["met"] else "no",
        )
    screen.answers().print(made)


def goal_text(row: Row) -> str:
    goals = [f"{row['goal']:g} x"] if row["goal"] else []
    goals += [f"each {row['goal_each']:g} x"] if row["goal_each"] else []
    return ", ".join(goals) or "-"


def cell_text(row: Row) -> str:
    return f"{row['value']:,.0f}" if "value" in row else large(row["per_cpu_s"])


def ratio_text(row: Row) -> str:
    if "ratio" not in row:
        return ""
    return f"{row['ratio']:.0f}" if row["ratio"] >= 100 else f"{row['ratio']:.1f}"
