"""`ludex replay`: play a record again and verify it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.options import Cell, Delay, Json, check_writable, whole
from ludex.cli.shared.record_files import own_world, read

if TYPE_CHECKING:
    from ludex.arena.pictures.film import Camera
    from ludex.arena.pictures.writing import WrittenFilm
    from ludex.core.outcome import Outcome
    from ludex.core.record import Record

Fps = Annotated[
    int, typer.Option(parser=whole("--fps", 1, 50), metavar="N", help="Pictures of a second.")
]
Strip = Annotated[bool, typer.Option("--strip", help="All pictures of an SVG film side by side.")]
OwnWorld = Annotated[
    str | None,
    typer.Option(help="The world, where it is in a Python file that you trust: file.py:Class."),
]


def replay(
    file: Annotated[
        Path,
        typer.Argument(help="A record of ludex play --record, or match N of a study: STORE#N."),
    ],
    watch: Annotated[
        bool, typer.Option("--watch", help="Show every state; keys pause, step and quit.")
    ] = False,
    delay: Delay = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write a film: .svg, or .webp and .gif of video games; .png: its end."),
    ] = None,
    minds: Annotated[
        bool, typer.Option("--minds", help="Show in the film what agents thought, if it was kept.")
    ] = False,
    strip: Strip = False,
    fps: Fps = 20,
    cell: Cell = 24,
    world: OwnWorld = None,
    json: Json = False,
) -> None:
    """Play a record again, verify it, or make a film of it."""
    from ludex.arena.pictures.film import Camera
    from ludex.cli.shared import screen
    from ludex.core.errors import ReplayDiffers

    check_film(out, strip)
    record = read(file)
    check_minds(record, out, minds)
    in_pixels = out is not None and out.suffix.lower() != ".svg"
    camera = Camera(cell=cell if in_pixels else None, minds=minds)
    done = Replayed(file, record)
    try:
        play_again(done, world, camera if out else None, watch, delay, json)
    except ReplayDiffers as error:
        if json:
            screen.print_json(done.document() | {"difference": str(error), "changed": done.changed})
        raise
    film = write_film(out, camera, strip, fps) if out else None
    if json:
        left_out = {"film": film.document()} if film else {}
        screen.print_json(done.document() | {"changed": done.changed} | left_out)
    else:
        show(done, out)
        if film and film.note:
            screen.messages().print(film.note, soft_wrap=True)


@dataclass(slots=True)
class Replayed:
    """A record that is played again."""

    file: Path
    record: Record
    outcome: Outcome | None = None
    """how it ended; None while it is not verified"""
    changed: list[str] = field(default_factory=list)
    """files of the world that are not as they were"""

    def document(self) -> dict[str, Any]:
        outcome = self.outcome
        return {
            "file": str(self.file),
            "world": self.record.world,
            "agents": list(self.record.agents),
            "seed": self.record.seed,
            "ticks": self.record.steps,
            "verified": outcome is not None,
            "winners": list(outcome.winners) if outcome else None,
            "returns": list(outcome.returns) if outcome else None,
            "reason": outcome.reason if outcome else None,
        }


def play_again(
    done: Replayed,
    world: str | None,
    camera: Camera | None,
    watch: bool,
    delay: float | None,
    json: bool,
) -> None:
    """Play the record, for the camera and for who watches."""
    from ludex.arena.match.replay import changed_since, replay, world_of
    from ludex.arena.match.watcher import Watcher
    from ludex.cli.shared import screen
    from ludex.terminal.live_view import LiveView, usual_delay

    record = done.record
    own = world_of(record, own_world(world, record.world) if world else None)
    done.changed = changed_since(record, own)
    watchers: list[Watcher] = [camera] if camera else []
    console = screen.messages() if json else screen.answers()
    pause = usual_delay(own) if delay is None else delay
    with LiveView(console, pause, ends_match=False) as view:
        if watch:
            watchers.append(view)
        done.outcome = replay(record, watchers=watchers, world=own)


def show(done: Replayed, out: Path | None) -> None:
    from ludex.cli.shared import screen
    from ludex.terminal.scene import outcome_text

    console, record = screen.answers(), done.record
    what = f"{done.file}: {record.world}, {record.steps} steps"
    console.print(screen.line(("verified ", "green"), what), soft_wrap=True)
    if done.changed:
        screen.messages().print(
            f"files of the world have changed since it was recorded: {', '.join(done.changed)}; "
            "the match is the same",
            soft_wrap=True,
        )
    assert done.outcome is not None
    console.print(outcome_text(done.outcome, record.agents))
    if out:
        console.print(screen.line("wrote ", (str(out), "bold")), soft_wrap=True)


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


def write_film(out: Path, camera: Camera, strip: bool, fps: int) -> WrittenFilm:
    from ludex.arena.pictures.writing import write_frames, write_svg
    from ludex.core.errors import LudexError, Unsupported

    try:
        if camera.cell is not None:
            assert camera.world is not None
            return write_frames(out, camera.world, camera.frames, camera.cell, fps)
        return write_svg(out, camera.pictures, strip)
    except Unsupported as error:
        raise Unsupported(f"{error}; write --out {out.with_suffix('.svg')}") from None
    except OSError as error:
        raise LudexError(f"cannot write {str(out)!r}: {error.strerror or error}") from None
