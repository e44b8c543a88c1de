"""`ludex arena run`: play the matches of a study that are not in its store yet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.arena.show import STORE
from ludex.cli.shared.options import Json, Workers, check_writable, counted

if TYPE_CHECKING:
    from ludex.arena.statistics.results import Results
    from ludex.arena.study.study import Study

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
MOST_FAULTS = 5  # to show after a run; `arena show` has all


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
    from ludex.cli.shared import screen
    from ludex.cli.shared.study_progress import StudyProgress

    study = read(file, games)
    kept = store or file.with_suffix(STORE)
    if check:
        show_plan(study, kept, json)
        return
    check_writable(kept)
    with screen.progress(screen.messages(), quiet=json) as bar:
        teller = StudyProgress(bar, study.name)
        try:
            results = run_study(
                study,
                kept,
                workers=workers,
                progress=teller.tell,
                mixed=mixed,
                tells_waits="hang_after_ms in [rules] changes that",
            )
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
    from ludex.cli.shared import screen
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


def show_plan(study: Study, store: Path, json: bool) -> None:
    """What a run would play."""
    from ludex.cli.shared import screen

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
    """Say where the results are, and what went wrong."""
    from ludex.arena.statistics.summary import fault_summary
    from ludex.cli.arena.show import fault_line
    from ludex.cli.shared import screen

    console = screen.answers()
    console.print(f"{results.played:,} matches are in {store}", soft_wrap=True)
    for fault in fault_summary(results)[:MOST_FAULTS]:
        screen.messages().print(fault_line(fault), soft_wrap=True)
    for number, why in list(results.abandoned.items())[:5]:
        screen.messages().print(f"match {number} could not be played: {why}", soft_wrap=True)
