"""`ludex vgdl gallery`: a page with a picture for each of our own games, and one for all."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludex.cli.shared.options import Workers, counted, read_choice, whole

AGENTS = "olets,open_loop_mcts"


def gallery(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pages go.")],
    agents: Annotated[str, typer.Option(help="Whose scores to show beside random play.")] = AGENTS,
    only: Annotated[
        str | None, typer.Option("--game", help="One game alone; the page of all is left as it is.")
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            parser=whole("--games", 1, 1000), metavar="N", help="Games of each agent on each level."
        ),
    ] = 2,
    budget: Annotated[str, typer.Option(help="For each decision.")] = "900calls",
    cell: Annotated[
        int, typer.Option(parser=whole("--cell", 4, 100), metavar="PX", help="Pixels of a cell.")
    ] = 20,
    workers: Workers = 2,
) -> None:
    """Write a page with picture, rules, traits and agents' scores for each of our games.

    What agents reached is kept in a file beside the pages, and only what is missing is played.
    """
    from ludex.bench.gallery import write_gallery
    from ludex.cli.shared import screen
    from ludex.core.errors import BadParameter
    from ludex.core.names import split_outside
    from ludex.worlds.vgdl.world import games as our_games

    if not folder.is_dir():
        raise BadParameter(f"cannot write in {str(folder)!r}: there is no such folder")
    if only is not None:
        read_choice(only, [name for name, _ in our_games()], "game")
    playing = [text for text in split_outside(agents, ",") if text]
    if not playing:
        raise BadParameter(f"--agents names nobody; write --agents {AGENTS}")
    with screen.counting("playing") as progress:
        written = write_gallery(
            folder,
            playing,
            only=only,
            games=games,
            budget=budget,
            cell=cell,
            workers=workers,
            progress=progress,
        )
    screen.answers().print(f"wrote {counted(len(written), 'page')} in {folder}", soft_wrap=True)
