"""`ludex vgdl survey`, `compare` and `tiles`: how whole collections of games fare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli.shared.options import Json, Workers, whole
from ludex.cli.shared.page import Page, put_into_page

if TYPE_CHECKING:
    from ludex.worlds.vgdl.tools.compare import Comparison
    from ludex.worlds.vgdl.tools.survey import Survey
    from ludex.worlds.vgdl.tools.tiles import TileReport

FAILED = 1


def survey(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the games are.")],
    ticks: Annotated[
        int,
        typer.Option(
            parser=whole("--ticks", 1, 1_000_000), metavar="N", help="Random ticks on each level."
        ),
    ] = 2000,
    workers: Workers = 2,
    page: Page = None,
    json: Json = False,
) -> None:
    """Load every game and level of a collection, and play each at random."""
    from ludex.cli.shared import screen
    from ludex.worlds.vgdl.tools import survey as surveys

    paths = surveys.descriptions(folder)
    rows: list[Survey] = []
    with screen.progress(screen.messages(), json) as bar:
        task = bar.add_task("surveying", total=len(paths))
        for row in surveys.survey(paths, folder, ticks, workers):
            rows.append(row)
            bar.advance(task)
    if page is not None:
        text = f"{surveys.summary(rows)}.\n\n{surveys.as_markdown(rows)}"
        put_into_page(page, "survey", text)
    if json:
        screen.print_json({"games": [row.as_json() for row in rows]})
    else:
        show_survey(rows)
    if not all(row.plays for row in rows):
        raise typer.Exit(FAILED)


def show_survey(rows: list[Survey]) -> None:
    from ludex.cli.shared import screen
    from ludex.worlds.vgdl.tools.survey import summary

    numbers = ("players", "levels", "ticks", "warnings")
    table = screen.table("", "folder", "game", "chance", *numbers, "status", right=numbers)
    for row in rows:
        table.add_row(
            row.folder,
            row.game,
            "yes" if row.is_random else "no",
            str(row.players),
            str(row.levels),
            str(row.ticks),
            str(row.warnings),
            row.status,
        )
    console = screen.answers()
    console.print(table)
    console.print(summary(rows), soft_wrap=True)


def compare(
    games: Annotated[
        Path,
        typer.Option("--games", metavar="DIR", help="Where the games are.", show_default=False),
    ],
    count: Annotated[
        int,
        typer.Option(
            parser=whole("--count", 10, 100_000), metavar="N", help="Random games under each."
        ),
    ] = 200,
    seed: Annotated[int, typer.Option(help="Where chance starts.")] = 0,
    workers: Workers = 2,
    page: Page = None,
    json: Json = False,
) -> None:
    """Compare games with chance under our generator and under the reference's."""
    from ludex.cli.shared import screen
    from ludex.worlds.vgdl.tools import compare as comparing
    from ludex.worlds.vgdl.tools.survey import descriptions

    paths = descriptions(games)
    rows: list[Comparison] = []
    with screen.progress(screen.messages(), json) as bar:
        task = bar.add_task("comparing", total=len(paths))
        for row in comparing.compare(paths, games, count, seed, workers):
            if row is not None:
                rows.append(row)
            bar.advance(task)
    different = comparing.differing(rows)
    if page is not None:
        text = f"{comparing.summary(rows)}.\n\n{comparing.as_markdown(rows)}"
        put_into_page(page, "comparison", text)
    if json:
        document = {"games": [row.as_json() for row in rows]}
        screen.print_json({**document, "different": [row.game for row in different]})
    else:
        show_comparison(rows, different)
    if different:
        raise typer.Exit(FAILED)


def show_comparison(rows: list[Comparison], different: list[Comparison]) -> None:
    from statistics import fmean

    from ludex.cli.shared import screen
    from ludex.worlds.vgdl.tools.compare import summary

    numbers = ("wins", "mean score", "mean ticks", "smallest p")
    table = screen.table("ours / reference", "folder", "game", *numbers, "", right=numbers)
    for row in rows:
        one, two = row.ours, row.reference
        table.add_row(
            row.folder,
            row.game,
            f"{one.wins} / {two.wins}",
            f"{fmean(one.scores):.2f} / {fmean(two.scores):.2f}",
            f"{fmean(one.lengths):.0f} / {fmean(two.lengths):.0f}",
            f"{row.p_least:.3f}",
            "differs" if row in different else "",
        )
    console = screen.answers()
    console.print(table)
    console.print(summary(rows), soft_wrap=True)


def tiles(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="Where the games are; ours if none is given."),
    ] = None,
    ticks: Annotated[
        int,
        typer.Option(
            parser=whole("--ticks", 1, 1_000_000), metavar="N", help="Random ticks on each level."
        ),
    ] = 200,
    workers: Workers = 2,
    page: Page = None,
    json: Json = False,
) -> None:
    """Say which games are games of tiles, as learners of forward models need them."""
    from ludex.cli.shared import screen
    from ludex.worlds.vgdl.tools import tiles as reporting

    games = reporting.candidates(folder)
    rows: list[TileReport] = []
    with screen.progress(screen.messages(), json) as bar:
        task = bar.add_task("trying", total=len(games))
        for row in reporting.reports(games, ticks, workers):
            rows.append(row)
            bar.advance(task)
    if page is not None:
        put_into_page(page, "tiles", f"{reporting.summary(rows)}.\n\n{reporting.as_markdown(rows)}")
    if json:
        screen.print_json({"games": [row.as_json() for row in rows]})
    else:
        show_tiles(rows)


def show_tiles(rows: list[TileReport]) -> None:
    from ludex.cli.shared import screen
    from ludex.worlds.vgdl.tools.tiles import summary

    numbers = ("levels", "types", "sorts of cells")
    table = screen.table("", "folder", "game", *numbers, "chance", "tiles", right=numbers)
    for row in rows:
        counts = (str(row.levels), str(row.kinds), str(row.contents))
        chance = "yes" if row.chance else "no"
        table.add_row(row.folder, row.game, *counts, chance, row.reason or "yes")
    console = screen.answers()
    console.print(table)
    console.print(summary(rows), soft_wrap=True)
