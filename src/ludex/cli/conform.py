"""`ludex conform`: replays reference data and reports the first difference of each trace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli.shared.options import Json, Workers, read_choice, shortened

if TYPE_CHECKING:
    from ludex.core.difference import Difference
    from ludex.worlds.hearthstone.tools.conform import CardReport
    from ludex.worlds.vgdl.tools.conform import TraceReport

KINDS = ("vgdl", "hearthstone")
FAILED = 1
SHOWN = 20


def conform(
    kind: Annotated[str, typer.Argument(metavar="|".join(KINDS), help="Which world.")],
    folder: Annotated[str, typer.Argument(metavar="DIR", help="Where the traces are.")],
    games: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Where the games are; found from DIR if left out."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also scenarios marked doubtful or of another year.")
    ] = False,
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Replay reference traces and report the first difference of each."""
    from ludex.cli.shared import screen

    read_choice(kind, KINDS, "world with traces")
    if kind == "hearthstone":
        conform_cards(Path(folder), everything, json)
        return
    report = run(Path(folder), read_games(Path(folder), games), workers, quiet=json)
    if json:
        screen.print_json(report.as_json())
    else:
        show(report)
    if report.failures or report.total == 0:
        raise typer.Exit(FAILED)


def read_games(folder: Path, games: str | None) -> Path:
    """The folder of the games: as given, or `data/gvgai` beside one of the folders above."""
    from ludex.core.errors import BadParameter

    if not folder.is_dir():
        raise BadParameter(f"there is no folder {shortened(str(folder))!r}")
    if games is not None:
        if not Path(games).is_dir():
            raise BadParameter(f"there is no folder {shortened(games)!r}")
        return Path(games)
    for above in folder.resolve().parents:
        if (above / "data" / "gvgai").is_dir():
            return above / "data" / "gvgai"
    raise BadParameter(f"no games beside {shortened(str(folder))!r}; say where: --games DIR")


def run(folder: Path, games: Path, workers: int, quiet: bool) -> TraceReport:
    from ludex.cli.shared import screen
    from ludex.core.errors import BadParameter
    from ludex.worlds.vgdl.tools.conform import TraceReport, conform, trace_paths

    paths = trace_paths(folder)
    if not paths:
        raise BadParameter(f"there are no traces (*.jsonl.gz) below {shortened(str(folder))!r}")
    report = TraceReport()
    with screen.progress(screen.messages(), quiet) as bar:
        task = bar.add_task("replaying", total=len(paths))
        for path, result in conform(paths, games, workers):
            report.add(str(path.relative_to(folder)), result)
            bar.advance(task)
    return report


def show(report: TraceReport) -> None:
    from ludex.cli.shared import screen

    console = screen.answers()
    show_failures(report.failures, "tick")
    for name, reason in report.skipped:
        console.print(screen.line(f"skipped {name}: {reason}"), soft_wrap=True)
    colour = "red" if report.failures or report.total == 0 else "green"
    verdict = (f"{report.matched} of {report.total} traces match", f"bold {colour}")
    console.print(screen.line(verdict, f", {len(report.skipped)} skipped"))


def show_failures(failures: list[Difference], step: str) -> None:
    """Print the first differences, the first few of them."""
    from ludex.cli.shared import screen

    console = screen.answers()
    for failure in failures[:SHOWN]:
        console.print(screen.line((failure.trace, "bold"), f" {step} {failure.tick}"))
        console.print(screen.line(f"  expected {failure.expected}"), soft_wrap=True)
        console.print(screen.line(f"  found    {failure.found}"), soft_wrap=True)
    if len(failures) > SHOWN:
        console.print(screen.line(f"... and {len(failures) - SHOWN} more"))


def conform_cards(folder: Path, everything: bool, json: bool) -> None:
    """Replay recorded Hearthstone scenarios."""
    from ludex.cli.shared import screen
    from ludex.core.errors import BadParameter
    from ludex.worlds.hearthstone.tools.conform import CardReport, conform, note, scenario_paths

    paths = scenario_paths(folder)
    if not paths:
        where = shortened(str(folder))
        raise BadParameter(f"there are no scenarios (*.jsonl.gz) below {where!r}")
    report = CardReport()
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task("replaying", total=None)
        for name, result in conform(paths, everything):
            note(report, name, result)
            bar.advance(task)
    if json:
        screen.print_json(report.as_json())
    else:
        show_cards(report)
    if not report.passed:
        raise typer.Exit(FAILED)


def show_cards(report: CardReport) -> None:
    from collections import Counter

    from ludex.cli.shared import screen

    console = screen.answers()
    show_failures(report.failures, "action")
    for rule, count in Counter(rule for _, rule in report.disputed).most_common():
        console.print(screen.line(f"argued {count}: {rule}"), soft_wrap=True)
    for reason, count in Counter(reason for _, reason in report.skipped).most_common():
        console.print(screen.line(f"skipped {count}: {reason}"), soft_wrap=True)
    console.print(
        screen.line(
            f"legal moves and other facts of the second level differ in {len(report.second)}"
        )
    )
    verdict = f"{report.matched} of {report.total} scenarios match"
    told = (verdict, f"bold {'green' if report.passed else 'red'}")
    aside = f", in {len(report.disputed)} the recording is wrong, {len(report.skipped)} skipped"
    console.print(screen.line(told, aside))
