"""What `ludex bench` shows: tables of worlds, planners and models, and notes."""

from __future__ import annotations

from ludex.bench.panel import Panel
from ludex.bench.result import BenchResult, Row
from ludex.cli.bench import panel_tables
from ludex.cli.bench.units import large, short_time
from ludex.cli.shared import screen

MEANINGS = {
    "tick": "random moves in place",
    "copy_tick": "each on a fresh copy",
    "copy": "copies of a state",
    "rollout_tick": "ticks of random rollouts",
    "random_games": "whole random games",
    "tick_py": "advance, from Python",
    "step_py": "step, from Python",
    "copy_py": "copy, from Python",
    "legal": "lists of legal actions",
    "iterations_40ms": "iterations in a decision of 40 ms",
    "model_ticks_40ms": "model ticks in a decision of 40 ms",
    "iteration_us": "CPU time of one iteration",
}


def show_all(found: BenchResult, panel: Panel | None) -> None:
    """A table for each kind of results there is."""
    results = found.results
    if panel is not None:
        panel_tables.show_rows(panel, [row for row in results if "game" in row])
        results = [row for row in results if "game" not in row]
    if worlds := [row for row in results if "per_cpu_s" in row]:
        show_worlds(worlds)
    show_notes(found)
    if searches := [row for row in results if "position" in row]:
        show_native_searches(searches)
    if planners := [row for row in results if "planner" in row and "position" not in row]:
        show_planners(planners)
    if models := [row for row in results if "model" in row]:
        show_models(models)


def show_worlds(rows: list[Row]) -> None:
    """One line per metric, world by world."""
    numbers = ("per CPU-second", "each")
    speed = screen.table("worlds", "world", "metric", *numbers, "what", right=numbers)
    screen.keep_whole(speed, "world", "metric")
    last = None
    for row in rows:
        if last not in (None, row["world"]):
            speed.add_section()
        speed.add_row(
            row["world"] if row["world"] != last else "",
            row["metric"],
            large(row["per_cpu_s"]),
            short_time(1 / row["per_cpu_s"]) if row["per_cpu_s"] else "-",
            " ".join([MEANINGS[row["metric"]], *described(row)]),
        )
        last = row["world"]
    screen.answers().print(speed)


def show_notes(found: BenchResult) -> None:
    """Lines below the table of worlds."""
    console = screen.answers()
    for row in found.notes:
        console.print(screen.line(f"{row['world']}: {row['note']}"))
    for row in found.overheads:
        console.print(
            screen.line(
                f"{row['world']}: a bound {row['call']} costs ",
                (f"{row['ns']:.0f} ns", "bold"),
                " above the native work",
            )
        )


def described(row: Row) -> list[str]:
    """What a row says beyond its metric, such as the policy of a playout."""
    known = ("world", "metric", "per_cpu_s", "folder")
    return [f"{key}={value}" for key, value in row.items() if key not in known]


def show_planners(rows: list[Row]) -> None:
    """One line per planner and world, with both numbers."""
    numbers = ("iterations", "model ticks", "per iteration")
    shown = screen.table(
        "planners, in a decision of 40 ms", "world", "planner", *numbers, right=numbers
    )
    merged: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        merged.setdefault((row["world"], row["planner"]), {})[row["metric"]] = row["value"]
    last = None
    for (world, planner), values in merged.items():
        if last not in (None, world):
            shown.add_section()
        iterations = values["iterations_40ms"]
        shown.add_row(
            world if world != last else "",
            planner,
            f"{iterations:,.0f}" if iterations else "-",
            f"{values['model_ticks_40ms']:,.0f}",
            short_time(values["iteration_us"] * 1e-6) if iterations else "-",
        )
        last = world
    screen.answers().print(shown)


SEARCHED = {
    "iterations_40ms": "iterations in 40 ms",
    "model_ticks_40ms": "model ticks in 40 ms",
    "seconds_10000": "seconds for 10,000 iterations",
    "speedup_2": "two threads, times one",
}


def show_native_searches(rows: list[Row]) -> None:
    """One line for each decision: the native search, the same in Python, and the goal."""
    numbers = ("native", "Python", "times Python", "goal")
    made = screen.table(
        "native searches", "planner", "world", "position", "what", *numbers, "met", right=numbers
    )
    screen.keep_whole(made, "planner", "what", "met")
    for row in rows:
        of_python = row["goal_is_of"] == "times_python"
        goal = f"{row['goal']:,g} x" if of_python else f"{row['goal']:,g}"
        made.add_row(
            row["planner"],
            row["world"],
            row["position"],
            SEARCHED[row["metric"]],
            f"{row['value']:,.4g}" if row["value"] < 100 else f"{row['value']:,.0f}",
            f"{row['python']:,.4g}" if "python" in row else "-",
            f"{row['times_python']:.1f}" if "times_python" in row else "-",
            goal,
            "yes" if row["met"] else "no",
        )
    screen.answers().print(made)


def show_models(rows: list[Row]) -> None:
    """One line per level and model, with its numbers."""
    numbers = ("in batches of 50", "the first batch", "in playouts of 10")
    shown = screen.table("a predicted step", "world", "level", "model", *numbers, right=numbers)
    merged: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        place = (row["world"], row["level"], row["model"])
        merged.setdefault(place, []).append(short_time(row["value"] * 1e-6))
    for place, values in merged.items():
        shown.add_row(*place, *values)
    screen.answers().print(shown)
