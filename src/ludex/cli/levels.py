"""`ludex vgdl levels`: how hard each level of a game is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.options import Json, Workers, counted, whole

if TYPE_CHECKING:
    from ludex.cli.figures import Figures, Task
    from ludex.worlds.vgdl.world import Vgdl

FAILED = 1


def levels(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Names or files; else all games of our own."),
    ] = None,
    agents: Annotated[
        str, typer.Option(help="Who plays, too: olets,open_loop_mcts. Nobody is quickest.")
    ] = "",
    number: Annotated[
        int,
        typer.Option(
            "--games", parser=whole("--games", 1, 1000), metavar="N", help="Games of each agent."
        ),
    ] = 2,
    budget: Annotated[str, typer.Option(help="For each decision of an agent.")] = "900calls",
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Play every level by doing nothing, at random and with agents; fail where that is enough."""
    from ludex.cli import screen
    from ludex.cli.figures import Figures, fault, levels_of, play_missing, read_players, tasks
    from ludex.core.budget import Budget

    Budget.parse(budget)
    playing = read_players(agents)
    worlds = [world for game in chosen(games) for world in levels_of(game)]
    wanted = {world: tasks(world, playing, number, budget) for world in worlds}
    figures = Figures()
    play_missing(figures, [task for each in wanted.values() for task in each], workers, json)
    faults = {
        world: fault(world, *(figures.of(task) for task in each[:2]))
        for world, each in wanted.items()
    }
    if json:
        screen.print_json(
            {"levels": [row(figures, each, faults[world]) for world, each in wanted.items()]}
        )
    else:
        show(figures, wanted, faults)
    if any(faults.values()):
        raise typer.Exit(FAILED)


def chosen(names: list[str] | None) -> list[str]:
    """The games asked for: paths, or names with or without the world before them."""
    from ludex.cli.figures import levels_of
    from ludex.core.errors import BadParameter
    from ludex.worlds.vgdl.world import games

    if not names:
        return [name for name, _ in games()]
    found = [name.removeprefix("vgdl/") for name in names]
    for name in found:
        if not levels_of(name):
            raise BadParameter(f"{name} has no level: there is no file of its level 0")
    return found


def row(figures: Figures, wanted: list[Task], fault: str) -> dict[str, Any]:
    world = wanted[0].world
    players = {
        task.agent: {
            "games": len(figures.of(task)),
            "wins": sum(one.won for one in figures.of(task)),
            "scores": [one.score for one in figures.of(task)],
            "ticks": [one.ticks for one in figures.of(task)],
        }
        for task in wanted
    }
    return {"game": world.game, "level": world.level, "players": players, "fault": fault or None}


def show(figures: Figures, wanted: dict[Vgdl, list[Task]], faults: dict[Vgdl, str]) -> None:
    from pathlib import Path

    from ludex.cli import screen
    from ludex.cli.figures import summary

    first = next(iter(wanted.values()))
    heads = ("nothing", "random", *(task.agent for task in first[2:]))
    table = screen.table(
        "games won, and mean score", "game", "level", *heads, "", right=("level", *heads)
    )
    last = ""
    for world, each in wanted.items():
        name = Path(world.game).stem
        cells = [summary(figures.of(task)) for task in each]
        table.add_row(name if name != last else "", str(world.level), *cells, faults[world])
        last = name
    console = screen.answers()
    console.print(table)
    easy = [world for world, fault in faults.items() if fault]
    console.print(
        f"{counted(len(wanted), 'level')}; too easy: {', '.join(map(str, easy)) or 'none'}",
        soft_wrap=True,
    )
