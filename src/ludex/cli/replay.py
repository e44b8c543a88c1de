"""`ludex replay`: play a record again and verify it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.options import Delay, Json, check_writable, read_world

if TYPE_CHECKING:
    from ludex.arena.film import Camera
    from ludex.core.record import Record


def replay(
    file: Annotated[
        Path,
        typer.Argument(help="A record of ludex play --record, or match N of a study: STORE#N."),
    ],
    watch: Annotated[bool, typer.Option("--watch", help="Show every state.")] = False,
    delay: Delay = 0.7,
    out: Annotated[
        Path | None, typer.Option(help="Write a film: an SVG that plays by itself.")
    ] = None,
    strip: Annotated[
        bool, typer.Option("--strip", help="All pictures of the film side by side.")
    ] = False,
    world: Annotated[
        str | None, typer.Option(help="The world, where it is one of your own: file.py:Class.")
    ] = None,
    json: Json = False,
) -> None:
    """Play a record again, verify it, or make a film of it."""
    from ludex.arena.film import Camera
    from ludex.arena.replay import replay as play_again
    from ludex.arena.watcher import Watcher
    from ludex.cli import screen
    from ludex.cli.watch import LiveView, outcome_text
    from ludex.core.errors import ReplayDiffers

    check_film(out)
    record = read(file)
    own = read_world(world) if world else None
    camera = Camera()
    watchers: list[Watcher] = [camera] if out else []
    console = screen.messages() if json else screen.answers()
    with LiveView(console, delay) as view:
        if watch:
            watchers.append(view)
        try:
            outcome = play_again(record, watchers=watchers, world=own)
        except ReplayDiffers as error:
            if json:
                screen.print_json(summary(file, record, None) | {"difference": str(error)})
            raise
    if out:
        write_film(out, camera, strip)
    if json:
        screen.print_json(summary(file, record, outcome))
        return
    console.print(
        screen.line(("verified ", "green"), f"{file}: {record.world}, {record.steps} steps"),
        soft_wrap=True,
    )
    console.print(outcome_text(outcome, record.agents))
    if out:
        console.print(screen.line("wrote ", (str(out), "bold")), soft_wrap=True)


def read(file: Path) -> Record:
    """Read a record from a file of its own, or from the store of a study: `STORE#NUMBER`."""
    from ludex.arena.store import Store, is_store
    from ludex.cli.arena_show import store_of
    from ludex.core.errors import BadParameter
    from ludex.core.record import read_record

    study, mark, number = str(file).rpartition("#")
    if mark and number.isdigit() and not file.exists():
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


def check_film(out: Path | None) -> None:
    from ludex.core.errors import BadParameter

    if out is None:
        return
    if out.suffix.lower() != ".svg":
        raise BadParameter(f"films are written as .svg, got {str(out)!r}")
    check_writable(out)


def write_film(out: Path, camera: Camera, strip: bool) -> None:
    from ludex.arena import film
    from ludex.core.errors import LudexError

    drawn = film.strip(camera.pictures) if strip else film.animated(camera.pictures)
    try:
        out.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise LudexError(f"cannot write {str(out)!r}: {error.strerror}") from None
