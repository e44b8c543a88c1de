"""`ludex vgdl format`: a game in its canonical form."""

from __future__ import annotations

from typing import Annotated

import typer

from ludex.cli.shared.options import check_writable
from ludex.cli.vgdl.check import GameFile

FAILED = 1


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
    from ludex.cli.shared import screen
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
