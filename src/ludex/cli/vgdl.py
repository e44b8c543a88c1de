"""`ludex vgdl`: tools for authors of VGDL games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.gallery import gallery
from ludex.cli.levels import levels
from ludex.cli.options import Json, counted
from ludex.cli.vgdl_collections import compare, survey, tiles

if TYPE_CHECKING:
    from ludex.worlds.vgdl.language.definition import Problem
    from ludex.worlds.vgdl.language.reading import Report

FAILED = 1
vgdl = typer.Typer(help="Check and format games; survey collections.", no_args_is_help=True)
vgdl.command()(survey)
vgdl.command()(compare)
vgdl.command()(tiles)
vgdl.command()(gallery)
vgdl.command()(levels)

GameFile = Annotated[Path, typer.Argument(metavar="FILE", help="A game description.")]


@vgdl.command()
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
    from ludex.cli import screen
    from ludex.worlds.vgdl.language.reading import check_file

    report = check_file(file, "strict" if strict else "compatible")
    if json:
        screen.print_json(document(report))
    else:
        show(report)
    if not report.passed:
        raise typer.Exit(FAILED)


def document(report: Report) -> dict[str, Any]:
    return {
        "file": report.file,
        "mode": report.mode,
        "passed": report.passed,
        "levels": report.levels,
        "errors": [described(problem) for problem in report.errors],
        "warnings": [described(problem) for problem in report.warnings],
    }


def described(problem: Problem) -> dict[str, Any]:
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "word": problem.word,
        "reason": problem.reason,
        "suggestion": problem.suggestion.removeprefix("; "),
    }


def show(report: Report) -> None:
    from ludex.cli import screen

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


@vgdl.command("format")
def format_file(
    file: GameFile,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if it is not formatted.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--print", help="Change nothing; print the formatted text.")
    ] = False,
) -> None:
    """Put a game into its canonical form; comments stay, and so does its meaning."""
    from ludex.cli import screen
    from ludex.cli.options import check_writable
    from ludex.worlds.vgdl.language.formatter import format_game
    from ludex.worlds.vgdl.language.reading import read_text

    text = read_text(file)
    formatted = format_game(text, str(file))
    console = screen.answers()
    if show:
        print(formatted, end="")
    elif formatted == text:
        console.print(f"{file} is formatted already", soft_wrap=True)
    elif check:
        console.print(f"{file} would be changed", soft_wrap=True)
    else:
        check_writable(file)
        file.write_text(formatted, encoding="utf-8")
        console.print(f"{file} is formatted now", soft_wrap=True)
    if check and formatted != text:
        raise typer.Exit(FAILED)
