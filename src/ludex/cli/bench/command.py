"""`ludex bench`: how fast worlds, planners and learned models are."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli.shared.options import Json, counted, read_choice, read_world
from ludex.cli.shared.options import seconds as seconds_between

if TYPE_CHECKING:
    from ludex.bench.panel import Panel
    from ludex.bench.result import BenchResult
    from ludex.bench.targets import Clock, Target

VGDL = "vgdl"  # the world whose name stands for a panel of its games
PLANNERS = "planners"
MODELS = "models"


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
    from ludex.bench.result import BenchResult
    from ludex.bench.targets import Clock, usual_seconds
    from ludex.cli.bench.tables import show_all
    from ludex.cli.shared import screen

    clock = Clock()
    panel = read_vgdl(targets or [], games)
    chosen = read_targets(targets or [], panel)
    found = BenchResult()
    measure_with_bar(chosen, found, seconds or usual_seconds(panel), clock, quiet=json)
    interrupted = found.finished < len(chosen)
    if json:
        document = {"interrupted": interrupted, **found.as_json()}
        screen.print_json(document | (panel.as_json(found.results) if panel else {}))
    else:
        show_all(found, panel)
    if interrupted:
        if not json:
            how_far = f"{found.finished} of {counted(len(chosen), 'target')} measured"
            screen.show_interruption(how_far)
        raise typer.Exit(screen.INTERRUPTED)


def measure_with_bar(
    targets: list[Target], found: BenchResult, seconds: float, clock: Clock, quiet: bool
) -> None:
    """Measure behind a bar of progress; Ctrl-C keeps what is measured."""
    from ludex.bench.targets import measure
    from ludex.cli.shared import screen

    with screen.progress(screen.messages(), quiet=quiet) as progress:
        task = progress.add_task("bench", total=len(targets))

        def begin(target: Target) -> None:
            done = found.finished
            progress.update(task, description=f"bench {target.name}", completed=done)

        with contextlib.suppress(KeyboardInterrupt):
            measure(targets, found, seconds, clock, begin)


def read_vgdl(targets: list[str], games: Path | None) -> Panel | None:
    """The panel of VGDL games, where it was asked for."""
    from ludex.bench.panel import read_panel
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
    from ludex.bench.targets import model_target, panel_targets, planner_targets, world_target
    from ludex.core import registry

    names = registry.names("worlds")
    found: list[Target] = []
    for target in dict.fromkeys(targets or names):
        if target == VGDL and panel is not None:
            found += panel_targets(panel)
        elif target == PLANNERS and panel is not None:
            found += planner_targets(target, panel)
        elif target == MODELS:
            found.append(model_target(target))
        else:
            if not is_path_like(target):
                name = target.partition("[")[0]
                read_choice(name, [*names, PLANNERS, MODELS], "world or group to measure")
            found.append(world_target(read_world(target)))
    return found


def is_path_like(target: str) -> bool:
    """Whether a name is a file, or a game of a world; `read_world` says what is wrong with it."""
    return "." in target.partition("[")[0] or "/" in target.partition("[")[0]
