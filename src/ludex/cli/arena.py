"""`ludex arena`: studies of many matches, with statistics."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.arena_show import STORE, Anonymous, StudyName, results_of, show, store_of
from ludex.cli.arena_sprt import sprt
from ludex.cli.arena_verify import Worlds, verify
from ludex.cli.options import Json, Workers, check_writable, counted, read_choice, whole

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from ludex.arena.statistics.results import Results
    from ludex.arena.study.run import Progress
    from ludex.arena.study.study import Study


SECONDS_BETWEEN_LINES = 15.0  # where there is no terminal to draw a bar in
FAILED, MISUSED, INTERRUPTED = 1, 2, 130

arena = typer.Typer(no_args_is_help=True, help="Studies of many matches, with statistics.")
arena.command("show")(show)
arena.command("sprt")(sprt)
arena.command("verify")(verify)


@arena.command("run")
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="A study file.")],
    store: Annotated[
        Path | None, typer.Option(help="Where to keep it; FILE.sqlite if not given.")
    ] = None,
    workers: Workers = 2,
    check: Annotated[
        bool, typer.Option("--check", help="Say what would be played, and play nothing.")
    ] = False,
    games: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A collection, to play its NAME for each vgdl/NAME."),
    ] = None,
    mixed: Annotated[
        bool,
        typer.Option(
            "--mixed", help="Go on although agents, worlds or ludex changed, and mark the rows."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Play all matches of a study that are not in its store yet."""
    from ludex.arena.study.run import run_study
    from ludex.cli import screen

    study = read(file, games)
    kept = store or file.with_suffix(STORE)
    if check:
        show_plan(study, kept, json)
        return
    check_writable(kept)
    with screen.progress(screen.messages(), quiet=json) as bar:
        teller = Teller(bar, study.name, quiet=json)
        try:
            results = run_study(study, kept, workers=workers, progress=teller.tell, mixed=mixed)
        except KeyboardInterrupt:
            bar.stop()
            teller.interrupted(kept)
            raise typer.Exit(INTERRUPTED) from None
    if json:
        screen.print_json(run_document(results, kept))
    else:
        show_end(results, kept)
    if results.abandoned:
        raise typer.Exit(FAILED)


def read(file: Path, games: Path | None) -> Study:
    """Read a study file; several problems are printed on a line each."""
    from ludex.arena.study.file import read_study
    from ludex.arena.study.problems import BadStudy
    from ludex.cli import screen
    from ludex.experiments.collection import Collection

    collection = Collection.of_folder(games.resolve()).worlds if games is not None else None
    try:
        return read_study(file, collection)
    except BadStudy as error:
        if len(error.problems) < 2:
            raise
        for problem in error.problems:
            screen.messages().print(f"ludex: {problem}", soft_wrap=True)
        raise typer.Exit(MISUSED) from None


class Teller:
    """Tells how far a run is: by a bar in a terminal, else by a line now and then."""

    def __init__(self, bar: Bar, name: str, quiet: bool) -> None:
        from ludex.cli import screen

        self.bar = bar
        self.task = bar.add_task(name, total=None)
        self.name = name
        self.by_lines = not quiet and not screen.messages().is_terminal
        self.told = time.monotonic()
        self.last: Progress | None = None

    def tell(self, progress: Progress) -> None:
        self.last = progress
        self.bar.update(self.task, completed=progress.done, total=progress.total)
        if self.by_lines and time.monotonic() - self.told > SECONDS_BETWEEN_LINES:
            from ludex.cli import screen

            self.told = time.monotonic()
            screen.messages().print(f"{self.name}: {self.line(progress)}", soft_wrap=True)

    def line(self, progress: Progress) -> str:
        left = progress.seconds_left
        time_left = "" if left is None else f", about {in_words(left)} left"
        return f"{progress.done:,} of {progress.total:,} matches{time_left}"

    def interrupted(self, store: Path) -> None:
        from ludex.cli import screen

        if self.last is None:
            return
        how_far = f"{self.last.done:,} of {self.last.total:,} matches are in {store}"
        screen.show_interruption(f"{how_far}; the same command goes on")


def in_words(seconds: float) -> str:
    """Write a time to the precision that a guess deserves.

    >>> [in_words(seconds) for seconds in (0.4, 59, 61, 5000, 200_000)]
    ['1 s', '59 s', '1 min', '1 h 23 min', '2 days 7 h']
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = whole // 60
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min"
    return f"{counted(hours // 24, 'day')} {hours % 24} h"


def show_plan(study: Study, store: Path, json: bool) -> None:
    """What a run would play."""
    from ludex.cli import screen

    if json:
        screen.print_json({**study.document(), "matches": study.size, "store": str(store)})
        return
    most = "at most " if study.pairing == "glicko" else ""
    screen.answers().print(
        f"{study.name}: {counted(len(study.agents), 'agent')}, "
        f"{counted(len(study.games), 'game')}, {counted(len(study.stages), 'level')}, "
        f"{counted(len(study.budgets), 'budget')}, {counted(study.repeats, 'repetition')}: "
        f"{most}{counted(study.size, 'match').replace('matchs', 'matches')}, kept in {store}",
        soft_wrap=True,
    )


def run_document(results: Results, store: Path) -> dict[str, Any]:
    return {
        "study": results.name,
        "store": str(store),
        "played": results.played,
        "scheduled": results.scheduled,
        "abandoned": {str(number): why for number, why in results.abandoned.items()},
    }


def show_end(results: Results, store: Path) -> None:
    from ludex.cli import screen

    console = screen.answers()
    console.print(f"{results.played:,} matches are in {store}", soft_wrap=True)
    for number, why in list(results.abandoned.items())[:5]:
        screen.messages().print(f"match {number} could not be played: {why}", soft_wrap=True)


@arena.command("report")
def report(
    study: StudyName,
    out: Annotated[
        Path | None,
        typer.Option(help="The page to write; STUDY.html if not given, with STUDY.md beside it."),
    ] = None,
    films: Annotated[
        int,
        typer.Option(
            parser=whole("--films", 0, 1000), metavar="N", help="Games to show a film of."
        ),
    ] = 12,
    anonymous: Anonymous = False,
    world: Worlds = None,
) -> None:
    """Write a page with tables and plots that needs no network, and a summary in Markdown."""
    from ludex.arena.report.markdown import as_markdown
    from ludex.arena.report.page import write_page
    from ludex.cli import screen
    from ludex.core.whole_file import write_whole

    store = store_of(study)
    if out is None and not store.name:
        raise typer.BadParameter(f"name the store of a study, got the folder {str(study)!r}")
    page = out or store.with_suffix(".html")
    if page.suffix != ".html":
        raise typer.BadParameter(f"a report is a .html file, got {str(page)!r}")
    summary = page.with_suffix(".md")
    for file in (page, summary):
        check_writable(file)
    with screen.progress(screen.messages()) as bar:
        task = bar.add_task("films", total=films)
        document = write_page(
            store,
            page,
            films,
            lambda made, total: bar.update(task, completed=made, total=total),
            anonymous,
            world or (),
        )
    for text in document.pop("not_filmed", []):
        screen.messages().print(text, soft_wrap=True)
    write_whole(summary, as_markdown(document, store.name).encode())
    for file in (page, summary):
        screen.answers().print(screen.line("wrote ", (str(file), "bold")), soft_wrap=True)


@arena.command("export")
def export(
    study: StudyName,
    out: Annotated[Path, typer.Option(help="A file that ends in .csv or .parquet.")],
    table: Annotated[
        str, typer.Option(metavar="seats|faults|courses", help="Which table to write.")
    ] = "seats",
    anonymous: Anonymous = False,
) -> None:
    """Write a table of a study for other programs."""
    from typing import cast

    from ludex.arena.report.export import TABLES, Table, check_format
    from ludex.arena.report.export import export as write
    from ludex.cli import screen

    wanted = cast(Table, read_choice(table, TABLES, "table"))
    check_format(out)
    check_writable(out)
    rows = write(results_of(study, anonymous), out, wanted)
    screen.answers().print(
        screen.line("wrote ", (str(out), "bold"), f": {counted(rows, 'row')}"), soft_wrap=True
    )
