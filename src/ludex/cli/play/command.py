"""`ludex play`: read what is asked for, play it, and answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.play.at_the_screen import at_the_screen, play_at_the_screen
from ludex.cli.play.documents import document
from ludex.cli.play.order import Order, PlayedMatches, played
from ludex.cli.play.tables import show
from ludex.cli.shared.mistakes import name_mistakes
from ludex.cli.shared.options import (
    DecisionBudget,
    Delay,
    Games,
    Json,
    Level,
    Workers,
    check_goes_on,
    check_writable,
    read_agents,
    read_state,
    read_world,
    seconds,
)
from ludex.cli.shared.record_files import COUNTED, read_position, split_moment
from ludex.cli.shared.short_names import short_names

if TYPE_CHECKING:
    from ludex.arena.match.rules import MatchRules
    from ludex.arena.match.runner import MatchResult
    from ludex.core.budget import Budget
    from ludex.core.record import Record
    from ludex.core.world import World

FAILED = 1  # the exit status when an agent broke down
LEAST_PATIENCE, MOST_PATIENCE = 0.1, 86_400.0  # seconds
Patience = Annotated[
    float | None,
    typer.Option(
        parser=seconds("--patience", LEAST_PATIENCE, MOST_PATIENCE),
        metavar="S",
        help="Seconds of silence after which an agent is ended.",
    ),
]
RecordFile = Annotated[
    Path | None, typer.Option(help="Write the record here; several games are numbered.")
]
Seed = Annotated[
    str,
    typer.Option(
        help="The same seed gives the same games. With an agent from a file, dice come from a "
        "secret: the same seed and --secret do, or --in-process."
    ),
]
Secret = Annotated[
    str | None,
    typer.Option(
        help="Plays games with an agent from a file again: the secret is shown at their end."
    ),
]
Thoughts = Annotated[
    bool, typer.Option("--thoughts/--no-thoughts", help="Keep in the record what agents thought.")
]
Isolate = Annotated[
    bool, typer.Option("--isolate/--in-process", help="Give each agent a process of its own.")
]


def play(
    world: Annotated[
        str | None,
        typer.Argument(help=r"A world, as in nim or nim\[heaps=3-4-5]; a record names its own."),
    ] = None,
    agents: Annotated[
        str | None,
        typer.Option(
            help="One per seat, by commas: mcts,uniform or file.py:Class,human. "
            "From a record: its own if not given."
        ),
    ] = None,
    level: Level = None,
    seed: Seed = "0",
    secret: Secret = None,
    budget: DecisionBudget = "40ms",
    games: Games = 1,
    workers: Workers = 1,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Every agent plays every seat in turn.")
    ] = False,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="Begin in this state, in the world's notation; or in a moment of a record, "
            f"RECORD@N: {COUNTED}.",
        ),
    ] = None,
    record: RecordFile = None,
    thoughts: Thoughts = True,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Show every state, decision and thought; keys pause, step and quit."
        ),
    ] = False,
    delay: Delay = None,
    isolate: Isolate = True,
    patience: Patience = None,
    warnings: Annotated[
        bool,
        typer.Option("--warnings/--no-warnings", help="Name mistakes in a VGDL file of your own."),
    ] = True,
    json: Json = False,
) -> None:
    """Play one game or many, and show who wins; the exit status is 1 when an agent breaks down."""
    from ludex.arena.match.setup import MatchSetup
    from ludex.core.budget import Budget
    from ludex.core.rng import read_seed
    from ludex.terminal.live_view import usual_delay

    chosen, first, names = read_start(world, level, start, agents)
    if warnings:
        name_mistakes(chosen)
    seated = read_agents(names, chosen)
    setup = MatchSetup(
        world=chosen,
        agents=seated,
        seed=read_seed(seed),
        secret=secret,
        budget=Budget.parse(budget),
        start=first,
        isolate=isolate,
        rules=read_rules(patience, Budget.parse(budget), isolate),
        keep_thoughts=record is not None and thoughts,
        tells_waits=advice(isolate, watch),
    )
    order = Order(setup, games, workers, rotate, short_names(names, seated))
    if record is not None:
        check_writable(record)
    if not json and at_the_screen(order):
        play_at_the_screen(order, record)
        if warnings:
            name_mistakes(chosen)  # again: the screen has hidden them
        return
    pause = usual_delay(chosen) if delay is None else delay
    answer(order, played(order, pause if watch else None, json), record, json)


def advice(isolate: bool, watch: bool) -> str | None:
    """What to tell of the patience with an agent that takes long; None beside a live picture."""
    from ludex.cli.shared import screen

    if watch and screen.messages().is_terminal:
        return None
    if not isolate:
        return "leave --in-process out, and it is ended when it hangs"
    return "--patience S changes that"


def read_start(
    world: str | None, level: int | None, start: str | None, agents: str | None
) -> tuple[World, Any, str]:
    """The world, the state to begin in (None: as usual), and the agents: named, or recorded."""
    from ludex.core.errors import BadParameter

    if world is not None and (recorded := split_moment(world)) is not None:
        file, step = recorded
        raise BadParameter(
            f"{file!r} is a record: `ludex play --from {file}@{step or 'N'}` plays on from step "
            f"{step or 'N'}, and `ludex replay {file} --watch` shows it"
        )
    moment = split_moment(start) if start is not None else None
    if moment is None:
        if world is None:
            raise BadParameter(
                "name a world, as in `ludex play nim --agents mcts,uniform` (ludex list worlds)"
            )
        if agents is None:
            raise BadParameter(
                "--agents is missing: one per seat, as in --agents mcts,uniform "
                "(ludex list planners, ludex list agents)"
            )
        chosen = read_world(world, level)
        return chosen, read_state(chosen, start), agents
    record, found = read_position(*moment, world, level)
    earlier = f"; name an earlier one: {moment[0]}@N"
    check_goes_on(found.world, found.state, f"step {found.step} of {moment[0]}", earlier)
    return found.world, found.state, agents or agents_of(record)


def agents_of(record: Record) -> str:
    """The agents that played a record, unless that would run somebody's Python."""
    from ludex.core.errors import BadParameter

    for agent in record.agents:
        if ".py:" in agent:
            raise BadParameter(
                f"{agent!r} played this record, whose code is not run unless you name it: "
                "add --agents"
            )
    return ",".join(record.agents)


def answer(order: Order, done: PlayedMatches, record: Path | None, json: bool) -> None:
    """Write the records, and show what was played."""
    from ludex.cli.shared import screen

    files: list[Path] = []
    if record is not None:
        files = write_records(done.results, record, is_series=order.games > 1)
    if json:
        screen.print_json(document(order, done))
    else:
        show(order, done, files)
    if done.interrupted:
        raise typer.Exit(screen.INTERRUPTED)
    if any(fault.is_breakdown for result in done.results for fault in result.faults):
        raise typer.Exit(FAILED)


def read_rules(patience: float | None, budget: Budget, isolate: bool) -> MatchRules:
    """The usual rules of a match, with the patience asked for."""
    from ludex.arena.match.rules import MatchRules
    from ludex.core.errors import BadParameter

    if patience is None:
        return MatchRules()
    if not isolate:
        raise BadParameter(
            "--patience needs agents in processes of their own, which can be ended; "
            "leave --in-process out"
        )
    if budget.time_ms is not None and 1000 * patience <= budget.time_ms:
        raise BadParameter(
            f"--patience {patience:g} would end agents within their budget of {budget}; "
            f"give more than {budget.time_ms / 1000:g}"
        )
    return MatchRules(hang_after_ms=1000 * patience)


def write_records(results: list[MatchResult], path: Path, is_series: bool) -> list[Path]:
    """Write one file, or numbered ones for a series of games, however many of it were played."""
    files: list[Path] = []
    for result in results:
        file = numbered(path, result.index) if is_series else path
        result.record.write(file)
        files.append(file)
    return files


def numbered(path: Path, number: int) -> Path:
    """Put a number before the suffixes.

    >>> str(numbered(Path("out/game.jsonl.gz"), 7))
    'out/game-7.jsonl.gz'
    """
    stem, dot, suffixes = path.name.partition(".")
    return path.with_name(f"{stem}-{number}{dot}{suffixes}")
