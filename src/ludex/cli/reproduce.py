"""`ludex reproduce`: a published experiment, measured beside the printed numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ludex.cli.shared.options import Json, Workers, duration, read_choice
from ludex.cli.shared.page import Page, put_into_page, split_page

if TYPE_CHECKING:
    from rich.progress import TaskID

    from ludex.arena.study.run import Progress
    from ludex.experiments.by_game import MeasuredGameTable, PairwiseResult
    from ludex.experiments.collection import Collection
    from ludex.experiments.experiment import Experiment, Figure
    from ludex.experiments.ranks import Ranks
    from ludex.experiments.run import Reproduction
    from ludex.experiments.scale import Scale
    from ludex.experiments.survey import Survey

VERDICT_COLOURS = {
    "holds": "green",
    "undecided": "yellow",
    "too few": "yellow",
    "contradicted": "red",
}
UNTIL = ("decided",)
LONGEST_S = 1000 * 3600.0
HEAD_COLOURS = {"reproduced": "green", "not reproduced": "red", "measured": "cyan"}


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="ID", help="As `ludex list studies` shows it.")
    ] = None,
    scale: Annotated[
        str, typer.Option(metavar="tiny|small|full", help="About 2 CPU-minutes, 30, or all of it.")
    ] = "tiny",
    games: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A collection; our own games if not given.")
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where results are kept, to go on from.")
    ] = Path("studies"),
    workers: Workers = 2,
    page: Page = None,
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Go on although agents, worlds or ludex changed.")
    ] = False,
    until: Annotated[
        str | None,
        typer.Option(metavar="decided", help="Play more and more, until every claim is decided."),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            parser=duration("--budget", 1.0, LONGEST_S),
            metavar="TIME",
            help="With --until: how long, such as 30min or 2h.",
        ),
    ] = None,
    claims: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Instead: all claims that the pages of a folder tell of."),
    ] = None,
    json: Json = False,
) -> None:
    """Repeat a published experiment and judge what its source claims."""
    from ludex.cli.shared import screen
    from ludex.core.errors import BadParameter
    from ludex.experiments.catalogue import experiment, survey
    from ludex.experiments.scale import SCALES

    if name is None or claims is not None:
        if name is not None or claims is None:
            raise BadParameter("give the ID of an experiment, or --claims DIR (ludex list studies)")
        show_claims_of(claims, page, json)
        return
    read_choice(scale, SCALES, "scale")
    size = cast("Scale", scale)
    if until is not None:
        read_choice(until, UNTIL, "end")
    if (until is None) != (budget is None):
        raise BadParameter("--until decided and --budget TIME go together")
    if (counted := survey(name)) is not None:
        if until is not None:
            raise BadParameter(f"{counted.id} measures and tests no claims: leave out --until")
        give_games(counted, games)
        measure(counted, size, out, workers, page, json, mixed)
        return
    wanted = experiment(name)
    if page is not None:
        split_page(page, f"{wanted.id} {size}")  # a page without marks is refused at once
    done = repeat_with_bars(wanted, size, games, out, workers, mixed, json, budget)
    if page is not None:
        put_into_page(page, f"{wanted.id} {size}", done.as_markdown())
    if json:
        screen.print_json(done.document())
    else:
        show(done)


def show_claims_of(folder: Path, page: Path | None, json: bool) -> None:
    """Print every claim that the result pages of a folder tell of."""
    from dataclasses import asdict

    from ludex.cli.shared import screen
    from ludex.experiments.claims import HEADS_OF_PAGE, MARK, as_markdown, read_claims, summary

    if page is not None:
        split_page(page, MARK)  # a page without marks is refused at once
    found = read_claims(folder)
    if page is not None:
        put_into_page(page, MARK, as_markdown(found))
    if json:
        screen.print_json({"claims": [asdict(one) for one in found]})
        return
    table = screen.table("published claims", *HEADS_OF_PAGE, right=("printed", "measured"))
    for one in found:
        table.add_row(f"{one.experiment} {one.scale}", *one.cells[1:])
    screen.answers().print(table)
    for line in summary(found):
        screen.answers().print(line.replace("**", ""), soft_wrap=True)


def give_games(survey: Survey, games: Path | None) -> None:
    """Give a survey the collection to play, where it takes one."""
    from ludex.core.errors import BadParameter

    if survey.takes_games:
        survey.collection = read_collection(games)
    elif games is not None:
        raise BadParameter(f"--games goes with experiments on VGDL games, not {survey.id}")


def read_collection(games: Path | None) -> Collection:
    from ludex.experiments.collection import Collection

    return Collection.of_folder(games) if games else Collection.of_ludex()


def repeat_with_bars(
    wanted: Experiment,
    scale: Scale,
    games: Path | None,
    out: Path,
    workers: int,
    mixed: bool,
    quiet: bool,
    seconds: float | None,
) -> Reproduction:
    """Play all studies of an experiment, each behind a bar of progress."""
    from ludex.cli.shared import screen
    from ludex.cli.shared.study_progress import StudyProgress
    from ludex.experiments.run import Playing
    from ludex.experiments.run import reproduce as repeat
    from ludex.experiments.until_decided import reproduce_until_decided

    collection = read_collection(games)
    studies: dict[str, StudyProgress] = {}
    with screen.progress(screen.messages(), quiet=quiet) as bar:

        def tell(study: str, how_far: Progress) -> None:
            if study not in studies:
                studies[study] = StudyProgress(bar, study)
            studies[study].tell(how_far)

        tasks: list[TaskID] = []

        def tell_making(what: str, done: int, total: int) -> None:
            tasks[:] = tasks or [bar.add_task(wanted.id, total=total)]
            bar.update(tasks[0], description=f"making {what}", completed=done, total=total)

        try:
            if seconds is not None:
                playing = Playing(out, workers, tell, tell_making, mixed)
                return reproduce_until_decided(wanted, scale, collection, playing, seconds=seconds)
            return repeat(
                wanted,
                scale,
                collection,
                out,
                workers=workers,
                progress=tell,
                making=tell_making,
                mixed=mixed,
            )
        except KeyboardInterrupt:
            bar.stop()
            if not quiet:
                screen.show_interruption(f"what is played is in {out}; the same command goes on")
            raise typer.Exit(screen.INTERRUPTED) from None


def measure(
    survey: Survey,
    scale: Scale,
    out: Path,
    workers: int,
    page: Path | None,
    json: bool,
    mixed: bool,
) -> None:
    """Take the readings of a survey and print them beside the printed numbers."""
    from dataclasses import asdict

    from ludex.cli.shared import screen
    from ludex.experiments.survey import HEADS, as_markdown
    from ludex.experiments.survey import measure as take
    from ludex.experiments.verdict import verdict_on_readings

    if page is not None:
        split_page(page, f"{survey.id} {scale}")  # a page without marks is refused at once
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task(survey.id, total=None)

        def tell(part: str, done: int, total: int) -> None:
            bar.update(task, description=f"{survey.id}: {part}", completed=done, total=total)

        try:
            readings = take(survey, scale, out, progress=tell, workers=workers, mixed=mixed)
        except KeyboardInterrupt:
            bar.stop()
            if not json:
                screen.show_interruption(f"finished parts are in {out}; the same command goes on")
            raise typer.Exit(screen.INTERRUPTED) from None
    if page is not None:
        put_into_page(page, f"{survey.id} {scale}", as_markdown(survey, readings))
    if json:
        rows = [asdict(one) for one in readings]
        verdict = verdict_on_readings(readings)
        screen.print_json({"id": survey.id, "scale": scale, "verdict": verdict, "readings": rows})
        return
    numbers = ("printed", "measured", "difference")
    table = screen.table(f"{survey.id}, {scale}: {survey.title}", *HEADS, right=numbers)
    for one in readings:
        table.add_row(*one.texts)
    screen.answers().print(table)
    screen.answers().print("What differs from the source", style="bold")
    for line in survey.deviations:
        screen.answers().print(f"  - {line}", soft_wrap=True)
    show_verdict(verdict_on_readings(readings))


def show(done: Reproduction) -> None:
    """Print the arms, the claims and the deviations."""
    from ludex.cli.shared import screen
    from ludex.experiments.run import interval_text

    console = screen.answers()
    experiment = done.experiment
    numbers = ("printed %", "measured %", "95 % interval", "levels", "matches")
    table = screen.table(
        f"{experiment.id}, {done.scale}: {experiment.title}",
        "arm",
        "budget",
        *numbers,
        right=numbers,
    )
    screen.keep_whole(table, "arm", "budget")
    for one in done.arms:
        table.add_row(
            one.arm.label,
            one.arm.budget,
            printed(one.arm.printed),
            f"{one.percent:.1f}",
            interval_text(one.interval),
            str(one.levels),
            str(one.games),
        )
    console.print(table)
    show_claims(done)
    show_further(done)
    console.print("\nWhat differs from the source", style="bold")
    for line in done.plan.deviations:
        console.print(f"  - {line}", soft_wrap=True)
    console.print(
        f"\n{done.plan.matches:,} matches, {done.cpu_s / 60:.1f} CPU-minutes of "
        f"agents; source: {experiment.source}",
        style="dim",
        soft_wrap=True,
    )
    show_verdict(done.verdict)


def show_verdict(text: str) -> None:
    """The last line: what came of it, for people."""
    from ludex.cli.shared import screen

    head, colon, rest = text.partition(":")
    shade = HEAD_COLOURS.get(head, "yellow")
    line = screen.line("\nVerdict: ", (head, f"bold {shade}"), colon + rest)
    screen.answers().print(line, soft_wrap=True)


def show_further(done: Reproduction) -> None:
    """Print the tables that only some experiments have."""
    from ludex.cli.shared import screen

    for ranks in done.ranks:
        show_ranks(ranks)
    for won in done.by_game:
        show_won(won)
    for found in done.pairwise:
        show_pairwise(found)
    for found_table in done.tables:
        shown = screen.table(found_table.title, *found_table.heads, right=found_table.heads[1:])
        for row in found_table.rows:
            shown.add_row(*row)
        screen.answers().print(shown)


def printed(figure: Figure | None) -> str:
    return "-" if figure is None else str(figure)


def show_ranks(ranks: Ranks) -> None:
    """Print average ranks, best first, with the critical difference."""
    from ludex.cli.shared import screen

    console = screen.answers()
    if ranks.found is None:
        console.print(f"average ranks over {ranks.blocks}: {ranks.reason}", soft_wrap=True)
        return
    table = screen.table(
        "average ranks", "arm", f"{ranks.found.blocks} {ranks.blocks}", right=(ranks.blocks,)
    )
    for arm, rank in ranks.order():
        table.add_row(arm, f"{rank:.2f}")
    console.print(table)
    critical = ranks.found.critical_difference
    console.print(f"critical difference {critical:.2f}, Friedman p = {ranks.found.p:.2g}")


def show_won(won: MeasuredGameTable) -> None:
    """Print games won game by game."""
    from ludex.cli.shared import screen

    table = screen.table(
        f"wins in per cent, printed/measured: {won.table.text}",
        "game",
        *won.table.arms,
        right=won.table.arms,
    )
    for line in won.lines():
        table.add_row(*line)
    screen.answers().print(table)


def show_pairwise(found: PairwiseResult) -> None:
    """Print in how many games each arm is better than each other."""
    from ludex.cli.shared import screen

    console, arms = screen.answers(), found.pairwise.arms
    if found.reason:
        console.print(f"{found.pairwise.text}: not tested. {found.reason}.", soft_wrap=True)
        return
    letters = [chr(ord("A") + index) for index in range(len(arms))]
    table = screen.table(
        f"games in which the row is better, printed/measured: {found.pairwise.text}",
        "",
        "arm",
        *letters,
        right=tuple(letters),
    )
    for row, arm in enumerate(arms):
        table.add_row(letters[row], arm, *(found.cell(row, one) for one in range(len(arms))))
    console.print(table)


def show_claims(done: Reproduction) -> None:
    """Print what the source claims, with the difference that was measured."""
    from ludex.cli.shared import screen
    from ludex.experiments.experiment import LevelClaim
    from ludex.experiments.run import claim_text, interval_text

    numbers = ("measured %", "95 % interval", "levels", "would decide")
    table = screen.table("Claims", "claim", *numbers, "verdict", right=numbers)
    screen.keep_whole(table, "verdict")
    for one in done.claims:
        sign = "" if isinstance(one.claim, LevelClaim) else "+"
        table.add_row(
            claim_text(one),
            f"{one.value:{sign}.1f}",
            interval_text(one.interval, sign),
            str(one.pairs),
            done.needs(one),
            screen.line((one.verdict, VERDICT_COLOURS[one.verdict])),
        )
    screen.answers().print(table)
