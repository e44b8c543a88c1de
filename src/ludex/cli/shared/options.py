"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ludex.core.planner import Agent
    from ludex.core.world import World

MOST_GAMES = 10_000_000
MOST_WORKERS = 512


def whole(option: str, least: int, most: int) -> Callable[[str], int]:
    """Make a reader of whole numbers between two limits, for one option."""

    def read(text: str) -> int:
        from ludex.core.errors import BadParameter

        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise BadParameter(
                f"{option} is a whole number from {least} to {most}, got {shortened(str(text))!r}"
            )
        return number

    return read


def seconds(option: str, least: float, most: float) -> Callable[[str], float]:
    """Make a reader of times between two limits, for one option."""

    def read(text: str) -> float:
        from ludex.core.errors import BadParameter

        try:
            number = float(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:  # also refuses NaN
            raise BadParameter(
                f"{option} is from {least:g} to {most:g} seconds, got {shortened(str(text))!r}"
            )
        return number

    return read


UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}


def duration(option: str, least: float, most: float) -> Callable[[str], float]:
    """Make a reader of long times, such as 90s, 30min or 2h, in seconds."""

    def read(text: str) -> float:
        from ludex.core.errors import BadParameter

        words = str(text).strip()
        unit = next((one for one in ("min", "h", "s") if words.endswith(one)), "")
        try:
            number = float(words.removesuffix(unit)) * UNITS.get(unit, float("nan"))
        except ValueError:
            number = float("nan")
        if not least <= number <= most:  # also refuses NaN
            raise BadParameter(
                f"{option} is a time such as 90s, 30min or 2h, from {least:g}s to "
                f"{most / 3600:g}h, got {shortened(words)!r}"
            )
        return number

    return read


Games = Annotated[
    int, typer.Option(parser=whole("--games", 1, MOST_GAMES), metavar="N", help="How many.")
]
Workers = Annotated[
    int,
    typer.Option(
        parser=whole("--workers", 1, MOST_WORKERS), metavar="N", help="Games at the same time."
    ),
]
Delay = Annotated[
    float | None,
    typer.Option(
        parser=seconds("--delay", 0.0, 60.0), metavar="S", help="Seconds between pictures."
    ),
]
Level = Annotated[
    int | None,
    typer.Option(parser=whole("--level", 0, 10_000), metavar="N", help="If it has any."),
]
Seed = Annotated[str, typer.Option(help="The same seed gives the same games.")]
DecisionBudget = Annotated[
    str, typer.Option(help="For each decision: 40ms, 900calls or 50iterations.")
]
Cell = Annotated[
    int, typer.Option(parser=whole("--cell", 1, 200), metavar="PX", help="Pixels of a cell.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document, for scripts.")]


def read_choice(word: str, known: Iterable[str], what: str) -> str:
    """Return the word when it is known; else say which one was probably meant."""
    from ludex.core.errors import UnknownName, did_you_mean

    known = tuple(known)
    if word in known:
        return word
    hint = did_you_mean(word, known) or f"; known: {', '.join(known)}"
    raise UnknownName(f"no {what} named {shortened(word)!r}{hint}")


def read_world(text: str, level: int | None = None) -> World:
    """Make a world from its name, or from a file of the user's own: `file.py:Class[k=v]`."""
    from ludex.core import registry
    from ludex.core.errors import LudexError
    from ludex.core.names import read_world as read_name

    name = read_name(text).name
    try:
        return read_level(registry.world(text), level)
    except LudexError:
        raise
    except Exception as error:  # a world that cannot be imported; the reason is its author's
        raise LudexError(
            f"the world {name!r} is broken: {type(error).__name__}: {error}"
        ) from error


def read_level(world: World, level: int | None) -> World:
    """Return the world at a level, where it has levels."""
    from dataclasses import fields

    from ludex.core.errors import BadParameter

    if level is None:
        return world
    if "level" not in {item.name for item in fields(world)}:
        raise BadParameter(f"{world.name} has no levels; leave --level out")
    changes: dict[str, Any] = {"level": level}
    return world.clone(**changes)


def read_agents(texts: str, world: World) -> list[Agent]:
    """Make the agents of a comma-separated list, one for each seat of the world."""
    from ludex.agents.compose import make_agent
    from ludex.core.errors import BadAgent, LudexError, WrongSeats
    from ludex.core.names import split_outside, unclosed

    seats = world.traits.seats
    if bracket := unclosed(texts):
        raise BadAgent(
            f"--agents {shortened(texts)!r} opens {bracket} and does not close it; "
            "an agent is written NAME or NAME(key=value,...)"
        )
    parts = split_outside(texts, ",")
    if not any(parts):
        raise WrongSeats(
            f"--agents names nobody; {world} needs {counted(seats, 'agent')}: write "
            f"--agents {','.join(['uniform'] * seats)}"
        )
    if len(parts) != seats:
        enough = [part or "uniform" for part in (parts + [""] * seats)[:seats]]
        raise WrongSeats(
            f"{world} needs {counted(seats, 'agent')}, got {len(parts)}; write "
            f"--agents {','.join(enough)}"
        )
    agents: list[Agent] = []
    for index, text in enumerate(parts, start=1):
        if not text:
            raise BadAgent(f"agent {index} of {seats} has no name; write uniform, or another")
        try:
            agents.append(make_agent(text, broken_too=False))
        except LudexError as error:
            where = f"agent {index} of {seats}: " if seats > 1 else ""
            raise type(error)(f"{where}{error}") from None
    return agents


def read_state(world: World, text: str | None) -> Any:
    """Read the state to start from; None starts the game as usual."""
    if text is None:
        return None
    state = world.parse(text)
    check_goes_on(world, state, repr(text))
    return state


def check_goes_on(world: World, state: Any, where: str, way_out: str = "") -> None:
    """Raise GameOver when there is nothing to play in a state."""
    from ludex.core.errors import GameOver

    outcome = world.model.outcome(state)
    if outcome is not None:
        raise GameOver(
            f"nothing to play from {where}: the game is over ({outcome.reason}){way_out}"
        )


def check_writable(path: Path) -> None:
    """Raise before any work is done when a file could not be written afterwards."""
    import os

    from ludex.core.errors import BadParameter

    folder = path.parent
    if path.is_dir():
        raise BadParameter(f"cannot write {str(path)!r}: it is a folder; name a file")
    if not folder.is_dir():
        raise BadParameter(f"cannot write {str(path)!r}: there is no folder {str(folder)!r}")
    target = path if path.exists() else folder
    if not os.access(target, os.W_OK) or not os.access(folder, os.W_OK):
        raise BadParameter(f"cannot write {str(path)!r}: permission denied")


def counted(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "agent"), counted(3, "agent")
    ('1 agent', '3 agents')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def shortened(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."
