"""`ludex vgdl levels`: how hard each level of a game is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli.shared.options import Json, Workers, counted, whole

if TYPE_CHECKING:
    from ludex.bench.levels import LevelReport

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
    from ludex.bench.levels import bench_levels
    from ludex.cli.shared import screen
    from ludex.core.names import split_outside

    playing = [text for text in split_outside(agents, ",") if text]
    with screen.counting("playing", quiet=json) as progress:
        found = bench_levels(
            games or (), playing, number=number, budget=budget, workers=workers, progress=progress
        )
    if json:
        screen.print_json({"levels": [one.as_json() for one in found]})
    else:
        show(found)
    if any(one.fault for one in found):
        raise typer.Exit(FAILED)


def show(found: list[LevelReport]) -> None:
    from pathlib import Path

    from ludex.bench.levels import summary
    from ludex.cli.shared import screen

    heads = ("nothing", "random", *list(found[0].games)[2:])
    table = screen.table(
        "games won, and mean score", "game", "level", *heads, "", right=("level", *heads)
    )
    last = ""
    for one in found:
        name = Path(one.world.game).stem
        cells = [summary(games) for games in one.games.values()]
        table.add_row(name if name != last else "", str(one.world.level), *cells, one.fault)
        last = name
    console = screen.answers()
    console.print(table)
    easy = [str(one.world) for one in found if one.fault]
    console.print(
        f"{counted(len(found), 'level')}; too easy: {', '.join(easy) or 'none'}", soft_wrap=True
    )
