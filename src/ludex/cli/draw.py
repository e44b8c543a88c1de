"""`ludex draw`: a picture of a state."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ludex.cli.shared.options import Cell, Level, check_writable, read_world, whole
from ludex.cli.shared.record_files import COUNTED, read_position, split_moment

if TYPE_CHECKING:
    from ludex.core.world import World

SUFFIXES = (".png", ".svg", ".webp", ".txt")

Seat = Annotated[
    int | None,
    typer.Option(
        parser=whole("--seat", 0, 99), metavar="N", help="Draw only what this seat may see."
    ),
]


def draw(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="WORLD|RECORD", help="A world, as in vgdl/zelda or nim; or a record of a match."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The file: .svg, .txt, or .png of a video game; without it, text is printed."
        ),
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="N", help=f"The moment of a record: {COUNTED}.")
    ] = None,
    level: Level = None,
    state: Annotated[
        str | None,
        typer.Option("--from", help="The state, in the world's notation or as RECORD@N."),
    ] = None,
    seat: Seat = None,
    cell: Cell = 32,
    numbers: Annotated[
        bool, typer.Option("--numbers", help="Show the numbers of the places on the board.")
    ] = False,
    notation: Annotated[
        bool,
        typer.Option("--notation", help="Print the state in one line, as --from reads it."),
    ] = False,
) -> None:
    """Draw how a game begins, any state of it, or any moment of a record."""
    from ludex.core.errors import BadParameter

    kind = out.suffix.lower() if out else ""
    if out and kind not in SUFFIXES:
        raise BadParameter(f"pictures are written as {', '.join(SUFFIXES)}, got {str(out)!r}")
    if what is None:
        if state is None or split_moment(state) is None:
            raise BadParameter("name a world or a record, as in `ludex draw vgdl/zelda`")
        what, state = state, None  # a record names its world
    wanted = Wanted(*find(what, at, level, state), seat, numbers)
    if notation:
        if out or numbers or seat is not None:
            raise BadParameter("--notation prints a line; leave --out, --numbers and --seat out")
        print(wanted.world.state_text(wanted.state))
        return
    if problem := wanted.problem(kind):
        raise BadParameter(problem)
    if out is None:
        print_state(wanted)
        return
    check_writable(out)
    write(out, wanted, cell)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A state, and what of it is drawn."""

    world: World
    state: Any
    seat: int | None
    """whose view is drawn; None: everything"""
    numbers: bool

    def problem(self, kind: str) -> str | None:
        """Say why it cannot be drawn in a file of this kind ("": as text), or None."""
        from ludex.core.capabilities import DrawsNumbers, able

        world, seat = self.world, self.seat
        if seat is not None and seat >= world.traits.seats:
            return f"{world} has seats 0 to {world.traits.seats - 1}, got --seat {seat}"
        if seat is not None and kind in (".png", ".webp"):
            return "--seat goes with .svg and .txt; pixels show everything"
        if self.numbers and able(world, DrawsNumbers) is None:
            return f"the board of {world.name} has no numbered places; leave --numbers out"
        if self.numbers and seat is not None:
            return "--numbers shows everything; leave --seat out"
        return None

    def drawn(self, form: Literal["text", "svg"]) -> str:
        from ludex.core.capabilities import DrawsNumbers, able

        world, state = self.world, self.state
        if self.numbers and (numbered := able(world, DrawsNumbers)) is not None:
            return numbered.draw_numbers(state, form)
        if self.seat is None:
            return world.draw(state, form)
        return world.draw_view(world.model.view(state, self.seat), form)


def find(what: str, at: str | None, level: int | None, state: str | None) -> tuple[World, Any]:
    """The world and the state that are meant."""
    from ludex.core.errors import BadParameter
    from ludex.core.rng import Rng

    recorded = split_moment(what)
    given = split_moment(state) if state is not None else None
    if recorded and state is not None:
        raise BadParameter("a record has states of its own; leave --from out, and use --at N")
    if recorded or given or at is not None:
        if given and at is not None:
            raise BadParameter("--from names a moment already; leave --at out")
        name, moment = recorded or given or (what, "")
        if not recorded and not given and not Path(what).exists():
            raise BadParameter(f"--at names a moment of a record, and {what!r} is none")
        if recorded and moment and at is not None:
            raise BadParameter(f"{what!r} names a moment already; leave --at out")
        _, found = read_position(name, moment or at or "", what if given else None, level)
        return found.world, found.state
    world = read_world(what, level)
    return world, world.parse(state) if state is not None else world.start(Rng(0))


def print_state(wanted: Wanted) -> None:
    """Print a state, in its colours where the terminal has them."""
    from ludex.cli.shared import screen
    from ludex.core.capabilities import DrawsInColour, DrawsToWidth, able
    from ludex.core.paint import plain
    from ludex.terminal.live_view import shows_colours
    from ludex.terminal.picture import picture_text

    console = screen.answers()
    world, state = wanted.world, wanted.state
    in_colour = shows_colours(console) and not wanted.numbers
    if in_colour and wanted.seat is None and world.traits.objects:
        text = picture_text(world, state, console.width, max(4, console.height - 3))
        console.file.write(text + "\n")
        console.print(world.draw(state).splitlines()[-1], soft_wrap=True)
    elif not wanted.numbers and (wide := able(world, DrawsToWidth)) is not None:
        text = wide.draw_to_width(state, console.width, wanted.seat)
        if in_colour:
            console.file.write(text + "\n")
        else:
            console.print(plain(text), soft_wrap=True)
    elif in_colour and (painter := able(world, DrawsInColour)) is not None:
        console.file.write(painter.draw_in_colour(state, wanted.seat) + "\n")
    else:
        console.print(wanted.drawn("text"), soft_wrap=True)


def write(out: Path, wanted: Wanted, cell: int) -> None:
    from ludex.cli.shared import screen
    from ludex.core.errors import LudexError, Unsupported

    kind = out.suffix.lower()
    try:
        if kind in (".svg", ".txt"):
            form = wanted.drawn("svg" if kind == ".svg" else "text")
            out.write_text(form + "\n", encoding="utf-8")
        else:
            from PIL import Image

            Image.fromarray(wanted.world.pixels(wanted.state, cell)).save(out)
    except Unsupported as error:
        raise Unsupported(f"{error}; write --out {out.with_suffix('.svg')}") from None
    except OSError as error:
        raise LudexError(f"cannot write {str(out)!r}: {error.strerror or error}") from None
    screen.answers().print(screen.line("wrote ", (str(out), "bold")), soft_wrap=True)
