"""`ludex bench`: how fast worlds, planners and learned models are."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.options import Json, counted, read_choice, read_world
from ludex.cli.options import seconds as seconds_between
from ludex.cli.panel import SECONDS_OF_SEARCH, SECONDS_PER_GAME, Panel, read_panel, show
from ludex.cli.panel import show_planners as show_panel_of_planners

if TYPE_CHECKING:
    from ludex.core.planner import Planner
    from ludex.core.world import World

SECONDS_PER_WORLD = 20.0
SECONDS_IN_ALL = 240.0  # the whole command ends within five minutes
LEAST_SECONDS = 0.1
SHARE_OF_OWN = 0.3  # more time, for rates that only one world has
SHARE_OF_PLANNERS = 0.1  # about what the planners of a world take of its time
VGDL = "vgdl"  # the world whose name stands for a panel of its games
PLANNERS = "planners"
MODELS = "models"
PROVING_GROUND = "connect_four"  # where `ludex bench planners` compares all that can play it
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
POLICIES = {"random_games": {"policy": "uniform"}}  # what chooses the moves, where it matters


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to measure: its name, and what measures it in so many seconds."""

    name: str
    rows: Callable[[float], Iterator[list[dict[str, Any]]]]
    beside: float = 0.0
    """seconds that it takes beside those it is given"""


class Clock:
    """Shares out what is left of the time; on a busy machine a second of work takes longer."""

    def __init__(self) -> None:
        self.begun, self.worked = time.monotonic(), self.work()

    def work(self) -> float:
        """CPU time of this process and of those it ran."""
        times = os.times()
        return times.user + times.system + times.children_user + times.children_system

    def share(self, targets: int) -> float:
        """CPU seconds for each of so many targets."""
        passed, worked = time.monotonic() - self.begun, self.work() - self.worked
        pace = max(1.0, passed / worked) if worked > 0.1 else 1.0
        return (SECONDS_IN_ALL - passed) / targets / pace


def bench(
    targets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORLD...|planners|models|vgdl]", help="All if none."),
    ] = None,
    games: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the VGDL games of `vgdl` and `planners` are."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            parser=seconds_between("--seconds", 0.1, 60.0),
            metavar="S",
            help="For each world or game.",
            show_default="20, and 4 for a game of `bench vgdl`",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Measure how fast worlds, planners and learned models are."""
    from ludex.cli import screen

    clock = Clock()
    panel = read_vgdl(targets or [], games)
    found = read_targets(targets or [], panel)
    usual = SECONDS_PER_GAME if panel else SECONDS_PER_WORLD
    results: list[dict[str, Any]] = []
    overheads: list[dict[str, Any]] = []
    finished = 0
    with screen.progress(screen.messages(), quiet=json) as progress:
        task = progress.add_task("bench", total=len(found))
        try:
            for place, target in enumerate(found):
                progress.update(task, description=f"bench {target.name}")
                share = clock.share(len(found) - place) - target.beside
                first = len(results)
                for rows in target.rows(max(LEAST_SECONDS, min(seconds or usual, share))):
                    results += rows
                overheads += overheads_of(results[first:])
                finished += 1
                progress.advance(task)
        except KeyboardInterrupt:
            pass
    interrupted = finished < len(found)
    if json:
        document = {"interrupted": interrupted, "results": results, "overheads": overheads}
        screen.print_json(document | (panel.as_json(results) if panel else {}))
    else:
        show_all(results, overheads, panel)
    if interrupted:
        if not json:
            screen.show_interruption(f"{finished} of {counted(len(found), 'target')} measured")
        raise typer.Exit(screen.INTERRUPTED)


def read_vgdl(targets: list[str], games: Path | None) -> Panel | None:
    """The panel of VGDL games, where it was asked for."""
    from ludex.core.errors import BadParameter

    if VGDL in targets or PLANNERS in targets:
        return read_panel(games)
    if games is not None:
        raise BadParameter(
            "--games goes with the target vgdl or planners: ludex bench vgdl --games DIR"
        )
    return None


def read_targets(targets: list[str], panel: Panel | None) -> list[Target]:
    """Find what to measure: worlds with the planners that can play them, or groups."""
    from ludex.core import registry

    names = registry.names("worlds")
    found: list[Target] = []
    for target in dict.fromkeys(targets or names):
        if target == VGDL and panel is not None:
            found += panel_targets(panel, panel.rows)
        elif target == PLANNERS and panel is not None:
            planners = list(planners_present())
            found.append(Target(target, partial(rows_of, None, planners)))
            found += panel_targets(panel, partial(panel.planner_rows, planners))
        elif target == MODELS:
            from ludex.cli.bench_models import rows_of_models

            found.append(Target(target, rows_of_models))
        else:
            if not is_path_like(target):
                name = target.partition("[")[0]
                read_choice(name, [*names, PLANNERS, MODELS], "world or group to measure")
            world = read_world(target)
            planners = [one for one in planners_present() if accepts(one, world)]
            found.append(Target(str(world), partial(rows_of, world, planners)))
    return found


def is_path_like(target: str) -> bool:
    """Whether a name is a file, or a game of a world; `read_world` says what is wrong with it."""
    return "." in target.partition("[")[0] or "/" in target.partition("[")[0]


def panel_targets(
    panel: Panel, rows: Callable[[int, float], Iterator[list[dict[str, Any]]]]
) -> list[Target]:
    """The yardstick first, so that every figure of Java's is carried to this machine."""

    def carry(seconds: float) -> Iterator[list[dict[str, Any]]]:
        panel.java.carry(panel.shared)
        yield []

    yardstick = [Target("yardstick", carry)] if panel.java.games else []
    games = enumerate(panel.games)
    return yardstick + [
        Target(game, partial(rows, place), SECONDS_OF_SEARCH) for place, (_, game, _) in games
    ]


def planners_present() -> Iterator[Planner]:
    """The planners that load, with their usual parameters."""
    from ludex.core import registry

    for name in registry.names("planners"):
        try:
            yield registry.load("planners", name)()
        except Exception:  # ludex list says what is broken and why
            continue


def accepts(planner: Planner, world: World) -> bool:
    return planner.refusal(world.traits) is None


def rows_of(
    world: World | None, planners: list[Planner], seconds: float
) -> Iterator[list[dict[str, Any]]]:
    """Measure one thing after the other; what belongs together comes at once."""
    from ludex.cli import timing

    if world is not None:
        for metric, rate in timing.world_rates(world, seconds * (1 - SHARE_OF_PLANNERS)):
            row = {"world": str(world), "metric": metric, "per_cpu_s": float(f"{rate:.4g}")}
            yield [row | POLICIES.get(metric, {})]
        for own in world.own_rates(seconds * SHARE_OF_OWN):
            yield [{"world": str(world), **own}]
    for planner in planners:
        ground = world or ground_for(planner)
        if ground is None:
            continue
        named = {"planner": str(planner), "world": str(ground)}
        yield [
            {**named, "metric": metric, "value": value}
            for metric, value in timing.planner_rates(planner, ground).items()
        ]


def ground_for(planner: Planner) -> World | None:
    """The world to compare planners in: connect four, or the first one that fits."""
    from ludex.core import registry

    names = registry.names("worlds")
    for name in sorted(names, key=lambda name: name != PROVING_GROUND):
        try:
            world = registry.world(name)
        except Exception:  # ludex list says what is broken and why
            continue
        if accepts(planner, world):
            return world
    return None


def overheads_of(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a call from Python costs above the native work, in native worlds."""
    rates = {row["metric"]: row["per_cpu_s"] for row in rows if "per_cpu_s" in row}
    if "copy_py" not in rates:
        return []
    world = rows[0]["world"]
    return [
        {"world": world, "call": call, "ns": round(1e9 / rates[called] - 1e9 / rates[inside], 1)}
        for call, called, inside in (("advance", "tick_py", "tick"), ("copy", "copy_py", "copy"))
    ]


def show_all(
    results: list[dict[str, Any]], overheads: list[dict[str, Any]], panel: Panel | None
) -> None:
    from ludex.cli import screen

    console = screen.answers()
    if panel is not None:
        rows = [row for row in results if "game" in row]
        if any("per_cpu_s" in row for row in rows):
            show(panel, rows)
        elif rows:
            show_panel_of_planners(panel, rows)
        results = [row for row in results if "game" not in row]
    worlds = [row for row in results if "per_cpu_s" in row]
    planners = [row for row in results if "planner" in row]
    models = [row for row in results if "model" in row]
    if worlds:
        speed = screen.table(
            "worlds",
            "world",
            "metric",
            "per CPU-second",
            "each",
            "what",
            right=("per CPU-second", "each"),
        )
        screen.keep_whole(speed, "world", "metric")
        last = None
        for row in worlds:
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
        console.print(speed)
    for row in results:
        if "note" in row:
            console.print(screen.line(f"{row['world']}: {row['note']}"))
    for row in overheads:
        console.print(
            screen.line(
                f"{row['world']}: a bound {row['call']} costs ",
                (f"{row['ns']:.0f} ns", "bold"),
                " above the native work",
            )
        )
    if planners:
        show_planners(planners)
    if models:
        show_models(models)


def described(row: dict[str, Any]) -> list[str]:
    """What a row says beyond its metric, such as the policy of a playout."""
    known = ("world", "metric", "per_cpu_s", "folder")
    return [f"{key}={value}" for key, value in row.items() if key not in known]


def show_planners(rows: list[dict[str, Any]]) -> None:
    """One line per planner and world, with both numbers."""
    from ludex.cli import screen

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


def show_models(rows: list[dict[str, Any]]) -> None:
    """One line per level and model, with its numbers."""
    from ludex.cli import screen

    numbers = ("in batches of 50", "the first batch", "in playouts of 10")
    shown = screen.table("a predicted step", "world", "level", "model", *numbers, right=numbers)
    merged: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        place = (row["world"], row["level"], row["model"])
        merged.setdefault(place, []).append(short_time(row["value"] * 1e-6))
    for place, values in merged.items():
        shown.add_row(*place, *values)
    screen.answers().print(shown)


def large(rate: float) -> str:
    """Write a rate with its size in words a reader grasps.

    >>> large(5_123_456.0), large(81_234.0), large(912.0)
    ('5.12 M', '81.2 k', '912')
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= size:
            return f"{rate / size:.3g} {letter}"
    return f"{rate:.3g}"


def short_time(seconds: float) -> str:
    """Write a short time.

    >>> short_time(2.5e-8), short_time(0.0021)
    ('25 ns', '2.1 ms')
    """
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
