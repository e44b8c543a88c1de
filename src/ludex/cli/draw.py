"""`ludex draw`: a picture of a state."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludex.cli.shared.options import Cell, Level, check_writable, read_world

SUFFIXES = (".png", ".svg", ".webp", ".txt")


def draw(
    world: Annotated[str, typer.Argument(help="A world, as in vgdl/zelda or nim.")],
    out: Annotated[Path, typer.Option(help="The file: .svg, .txt, or .png of a video game.")],
    level: Level = None,
    state: Annotated[
        str | None, typer.Option("--from", help="The state, in the world's notation.")
    ] = None,
    cell: Cell = 32,
    numbers: Annotated[
        bool, typer.Option("--numbers", help="Show the numbers of the places on the board.")
    ] = False,
) -> None:
    """Draw a state, or how a game begins."""
    from ludex.cli.shared import screen
    from ludex.core.capabilities import DrawsNumbers, able
    from ludex.core.errors import BadParameter, LudexError
    from ludex.core.rng import Rng

    kind = out.suffix.lower()
    if kind not in SUFFIXES:
        raise BadParameter(f"pictures are written as {', '.join(SUFFIXES)}, got {str(out)!r}")
    chosen = read_world(world, level)
    shown = chosen.parse(state) if state is not None else chosen.start(Rng(0))
    numbered = able(chosen, DrawsNumbers) if numbers else None
    if numbers and numbered is None:
        raise BadParameter(
            f"the board of {chosen.name} has no numbered places; leave --numbers out"
        )
    check_writable(out)
    try:
        if kind in (".svg", ".txt"):
            artist = chosen.draw if numbered is None else numbered.draw_numbers
            form = artist(shown, "svg" if kind == ".svg" else "text")
            out.write_text(form + "\n", encoding="utf-8")
        else:
            from PIL import Image

            Image.fromarray(chosen.pixels(shown, cell)).save(out)
    except OSError as error:
        raise LudexError(f"cannot write {str(out)!r}: {error.strerror or error}") from None
    screen.answers().print(screen.line("wrote ", (str(out), "bold")), soft_wrap=True)
