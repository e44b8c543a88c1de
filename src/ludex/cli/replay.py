"""`ludex replay`: play a record again and verify it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.options import Delay, Json, check_writable, whole

if TYPE_CHECKING:
    from ludex.arena.pictures.film import Camera
    from ludex.core.record import Record
    from ludex.core.world import World


LONGEST_NUMBER = 20  # digits


def replay(
    file: Annotated[
        Path,
        typer.Argument(help="A record of ludex play --record, or match N of a study: STORE#N."),
    ],
    watch: Annotated[bool, typer.Option("--watch", help="Show every state.")] = False,
    delay: Delay = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write a film: .svg, or .webp and .gif of video games; .png: its end."),
    ] = None,
    minds: Annotated[
        bool, typer.Option("--minds", help="Show in the film what agents thought, if it was kept.")
    ] = False,
    strip: Annotated[
        bool, typer.Option("--strip", help="All pictures of an SVG film side by side.")
    ] = False,
    fps: Annotated[
        int,
        typer.Option(parser=whole("--fps", 1, 50), metavar="N", help="Pictures of a second."),
    ] = 20,
    cell: Annotated[
        int,
        typer.Option(parser=whole("--cell", 1, 200), metavar="PX", help="Pixels of a cell."),
    ] = 24,
    world: Annotated[
        str | None,
        typer.Option(help="The world, where it is in a Python file that you trust: file.py:Class."),
    ] = None,
    json: Json = False,
) -> None:
    """Play a record again, verify it, or make a film of it."""
    from ludex.arena.match.replay import changed_since, world_of
    from ludex.arena.match.replay import replay as play_again
    from ludex.arena.match.watcher import Watcher
    from ludex.arena.pictures.film import Camera
    from ludex.cli import screen
    from ludex.cli.play import usual_delay
    from ludex.cli.watch import LiveView, outcome_text
    from ludex.core.errors import ReplayDiffers

    check_film(out, strip)
    record = read(file)
    check_minds(record, out, minds)
    in_pixels = out is not None and out.suffix.lower() != ".svg"
    camera = Camera(cell=cell if in_pixels else None, minds=minds)
    watchers: list[Watcher] = [camera] if out else []
    console = screen.messages() if json else screen.answers()
    changed: list[str] = []
    try:
        own = world_of(record, own_world(world, record.world) if world else None)
        changed = changed_since(record, own)
        with LiveView(console, usual_delay(own) if delay is None else delay) as view:
            if watch:
                watchers.append(view)
            outcome = play_again(record, watchers=watchers, world=own)
    except ReplayDiffers as error:
        if json:
            document = summary(file, record, None) | {"difference": str(error)}
            screen.print_json(document | {"changed": changed})
        raise
    if out:
        write_film(out, camera, strip, fps)
    if json:
        screen.print_json(summary(file, record, outcome) | {"changed": changed})
        return
    console.print(
        screen.line(("verified ", "green"), f"{file}: {record.world}, {record.steps} steps"),
        soft_wrap=True,
    )
    if changed:
        screen.messages().print(
            f"files of the world have changed since it was recorded: {', '.join(changed)}; the "
            "match is the same",
            soft_wrap=True,
        )
    console.print(outcome_text(outcome, record.agents))
    if out:
        console.print(screen.line("wrote ", (str(out), "bold")), soft_wrap=True)


def read(file: Path) -> Record:
    """Read a record from a file of its own, or from the store of a study: `STORE#NUMBER`."""
    from ludex.arena.store.store import Store, is_store
    from ludex.cli.arena_show import store_of
    from ludex.core.errors import BadParameter
    from ludex.core.record import read_record

    study, mark, number = str(file).rpartition("#")
    is_number = number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER
    if mark and is_number and not file.exists():
        with Store.open(store_of(Path(study))) as store:
            return store.record(int(number))
    if is_store(file):
        raise BadParameter(f"{str(file)!r} holds a whole study; name a match of it: '{file}#1'")
    return read_record(file)


def summary(file: Path, record: Any, outcome: Any) -> dict[str, Any]:
    return {
        "file": str(file),
        "world": record.world,
        "agents": list(record.agents),
        "seed": record.seed,
        "ticks": record.steps,
        "verified": outcome is not None,
        "winners": list(outcome.winners) if outcome else None,
        "returns": list(outcome.returns) if outcome else None,
        "reason": outcome.reason if outcome else None,
    }


def own_world(text: str, recorded: str) -> World:
    """The world that the user names for a record, with the record's options if it has none."""
    from ludex.arena.match.replay import named_world
    from ludex.core.errors import LudexError, in_a_line

    try:
        return named_world(text, recorded)
    except LudexError:
        raise
    except Exception as error:  # a world that cannot be imported; the reason is its author's
        raise LudexError(f"the world {text!r} is broken: {in_a_line(error)}") from error


def check_film(out: Path | None, strip: bool) -> None:
    from ludex.arena.pictures.film import SUFFIXES
    from ludex.core.errors import BadParameter

    if out is None:
        if strip:
            raise BadParameter("--strip is for films; name one with --out")
        return
    if out.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise BadParameter(f"films are written as {known}, got {str(out)!r}")
    if strip and out.suffix.lower() != ".svg":
        raise BadParameter(f"--strip needs an .svg film, got {str(out)!r}")
    check_writable(out)


def check_minds(record: Record, out: Path | None, minds: bool) -> None:
    from ludex.core.errors import BadParameter

    if minds and out is None:
        raise BadParameter("--minds is for films; name one with --out, or use --watch")
    if minds and not any(moment.notes for moment in record.moments):
        raise BadParameter(
            "this record keeps no thoughts to show; `ludex play --record` keeps them"
        )


def write_film(out: Path, camera: Camera, strip: bool, fps: int) -> None:
    from ludex.arena.pictures import film
    from ludex.core.errors import LudexError

    try:
        if camera.cell is not None:
            assert camera.world is not None
            film.write_frames(out, camera.world, camera.frames, camera.cell, fps)
            return
        drawn = film.strip(camera.pictures) if strip else film.animated(camera.pictures)
        out.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise LudexError(f"cannot write {str(out)!r}: {error.strerror or error}") from None
