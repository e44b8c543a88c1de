"""`ludex showcase`: the order of the show, and what to type after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.options import MOST_GAMES, Json, Workers, counted, whole

if TYPE_CHECKING:
    from ludex.arena.match.runner import MatchResult
    from ludex.cli.showcase.programme import Act
    from ludex.core.record import Record
    from ludex.core.world import World

FOLDER = Path("showcase")
NEXT = (
    (
        "Play",
        ("ludex play vgdl/zelda --agents human", "ludex play connect_four --agents human,mcts"),
    ),
    ("Film", ("ludex replay {record} --minds --out zelda.webp",)),
    (
        "Report",
        ("ludex new study first", "ludex arena run first.toml", "ludex arena report first.toml"),
    ),
    ("Write", ("ludex new agent my_agent",)),
)

GamesOfEach = Annotated[
    int | None,
    typer.Option(
        parser=whole("--games", 1, MOST_GAMES),
        metavar="N",
        help="So many games for every line; as many as each table needs, if left out.",
    ),
]
Out = Annotated[Path, typer.Option(metavar="DIR", help="The folder for pictures.")]


def showcase(
    games: GamesOfEach = None,
    workers: Workers = 2,
    out: Out = FOLDER,
    json: Json = False,
) -> None:
    """Watch an agent think, then see agents play every world there is."""
    from dataclasses import replace

    from ludex.cli.shared import screen
    from ludex.cli.showcase.programme import acts

    record = None if json else opening()
    chosen = [(world, replace(act, games=games or act.games)) for world, act in acts()]
    rows: list[list[dict[str, Any]]] = []
    try:
        for world, found in played(chosen, workers, quiet=json):
            rows.append(found)
            if not json:
                show(world, found)
    except KeyboardInterrupt:
        pass
    interrupted = len(rows) < len(chosen)
    if json:
        results = [row for found in rows for row in found]
        screen.print_json({"interrupted": interrupted, "results": results})
    if interrupted:
        if not json:
            stop(f"{len(rows)} of {counted(len(chosen), 'world')} played")
        raise typer.Exit(screen.INTERRUPTED)
    if record is not None:
        show_next(leave_pictures(out, record))


def opening() -> Record:
    """Show the film, and say in a line what it was."""
    from ludex.cli.shared import screen
    from ludex.cli.showcase import film

    console = screen.answers()
    console.print(
        screen.line(
            ("YOLOBOT plays zelda", "bold"),
            " and shows its mind: ",
            ("danger", "red"),
            ", ",
            ("target", "yellow"),
            " and the ",
            ("way", "blue"),
            " to it\n",
        )
    )
    try:
        result = film.play_film(console)
    except KeyboardInterrupt:
        stop("the film was not shown to its end")
        raise typer.Exit(screen.INTERRUPTED) from None
    how = "won" if result.winners else "was left" if result.outcome.truncated else "lost"
    console.print(
        screen.line(
            (film.AGENT, "bold"), f" {how} after {result.ticks} ticks, at {film.BUDGET} a decision."
        )
    )
    return result.record


def played(
    acts: Sequence[tuple[World, Act]], workers: int, quiet: bool
) -> Iterator[tuple[World, list[dict[str, Any]]]]:
    """Play act after act, and yield the rows of each as soon as it is finished."""
    from ludex.cli.shared import screen
    from ludex.cli.showcase.matches import play_all, rows_of
    from ludex.cli.showcase.tables import line_of

    results = play_all(acts, workers)
    for number, (world, act) in enumerate(acts, start=1):
        lines: list[list[MatchResult]] = []
        with screen.progress(screen.messages(), quiet=quiet) as progress:
            task = progress.add_task("", total=act.games * len(act.lines))
            for line in act.lines:
                told = f"{number}/{len(acts)} {world}: {line_of(list(line))}"
                progress.update(task, description=told)
                lines.append([])
                for _ in range(act.games):
                    lines[-1].append(next(results))
                    progress.advance(task)
        yield world, rows_of(world, act, lines)


def show(world: World, rows: list[dict[str, Any]]) -> None:
    from ludex.cli.showcase.tables import show_table

    show_table(world, rows)


def leave_pictures(folder: Path, record: Record) -> Path | None:
    """Write the pictures and name them; say why where that is not possible."""
    from ludex.cli.shared import screen
    from ludex.cli.showcase.pictures import RECORD, write_pictures

    try:
        files = write_pictures(folder, record)
    except OSError as error:
        problem = f"cannot write pictures to {str(folder)!r}: {error.strerror}; name another "
        screen.messages().print(f"{problem}folder with --out", soft_wrap=True)
        return None
    names = " and ".join(file.name for file in files if file.name != RECORD)
    said = screen.line("\nPictures are in ", (f"{folder}/", "bold"), (f": {names}", "dim"))
    screen.answers().print(said, soft_wrap=True)
    return folder / RECORD


def show_next(record: Path | None) -> None:
    """Say what to type now."""
    from ludex.cli.shared import screen

    console = screen.answers()
    console.print("\nNext", style="bold")
    widest = max(len(word) for word, _ in NEXT) + 2
    for word, commands in NEXT:
        for index, command in enumerate(commands):
            if "{record}" in command and record is None:
                continue
            typed = screen.to_type(command.format(record=record))
            label = "" if index else word
            console.print(screen.line((f"  {label:{widest}}", "dim"), typed), soft_wrap=True)


def stop(how_far: str) -> None:
    """Say kindly that the show ended early."""
    from ludex.cli.shared import screen

    screen.show_interruption(f"{how_far}; {screen.to_type('ludex showcase')} begins again")
