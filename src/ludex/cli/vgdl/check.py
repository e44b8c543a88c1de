"""`ludex vgdl check`: the mistakes in a game and its levels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.options import Json, counted

if TYPE_CHECKING:
    from ludex.worlds.vgdl.language.definition import GameProblem
    from ludex.worlds.vgdl.language.reading import GameReport

FAILED = 1

GameFile = Annotated[Path, typer.Argument(metavar="FILE", help="A game description.")]


def check(
    file: GameFile,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict/--compatible",
            help="Whether mistakes are errors, or warnings where GVGAI passes over them.",
        ),
    ] = True,
    json: Json = False,
) -> None:
    """Find the mistakes in a game and in the levels beside it."""
    from ludex.cli.shared import screen
    from ludex.worlds.vgdl.language.reading import check_file

    report = check_file(file, "strict" if strict else "compatible")
    if json:
        screen.print_json(document(report))
    else:
        show(report)
    if not report.passed:
        raise typer.Exit(FAILED)


def document(report: GameReport) -> dict[str, Any]:
    return {
        "file": report.file,
        "mode": report.mode,
        "passed": report.passed,
        "levels": report.levels,
        "errors": [described(problem) for problem in report.errors],
        "warnings": [described(problem) for problem in report.warnings],
    }


def described(problem: GameProblem) -> dict[str, Any]:
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "word": problem.word,
        "reason": problem.reason,
        "suggestion": problem.suggestion.removeprefix("; "),
    }


def show(report: GameReport) -> None:
    from ludex.cli.shared import screen

    console = screen.answers()
    colours = {"error": "bold red", "warning": "yellow"}
    for problem in report.problems:
        place, _, rest = str(problem).partition(": ")
        style = colours[problem.severity]
        line = screen.line(f"{place}: ", (problem.severity, style), f": {rest}")
        console.print(line, soft_wrap=True)
    found = f"{counted(len(report.errors), 'error')}, {counted(len(report.warnings), 'warning')}"
    colour = "bold green" if report.passed else "bold red"
    levels = f" and {counted(report.levels, 'level')}" if report.levels else ""
    console.print(screen.line((found, colour), f" in {report.file}{levels}"), soft_wrap=True)
