"""`ludex play`: play matches and show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.debugging import HINT, is_debugging
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
    counted,
    read_agents,
    read_state,
    read_world,
    seconds,
)
from ludex.cli.shared.record_files import COUNTED, read_position, split_moment
from ludex.cli.shared.short_names import explain_names, short_names

if TYPE_CHECKING:
    from ludex.arena.match.rules import Fault, MatchRules
    from ludex.arena.match.runner import MatchResult
    from ludex.arena.match.setup import MatchSetup
    from ludex.arena.match.watcher import Watcher
    from ludex.arena.study.tournament import SeriesSetup
    from ludex.core.budget import Budget
    from ludex.core.record import Record
    from ludex.core.world import World

FAILED = 1  # the exit status when an agent broke down
LEAST_PATIENCE, MOST_PATIENCE = 0.1, 86_400.0  # seconds
ROOM_OF_NUMBERS = 66  # columns of the table of wins beside the names, with its bars

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


def at_the_screen(order: Order) -> bool:
    """Whether a human plays a video game at a terminal, and not through a pipe."""
    from ludex.terminal.live_view import has_screen
    from ludex.worlds.vgdl.world import Vgdl

    return order.has_human and order.games == 1 and isinstance(order.world, Vgdl) and has_screen()


def play_at_the_screen(order: Order, record: Path | None) -> None:
    """Hand the terminal to the players, and say afterwards how it went."""
    from ludex.cli.shared import screen
    from ludex.terminal.arcade import Arcade
    from ludex.terminal.scene import outcome_text
    from ludex.terminal.terminal import Terminal
    from ludex.worlds.vgdl.world import Vgdl

    assert isinstance(order.world, Vgdl)
    seated = [None if seat in order.humans else agent for seat, agent in enumerate(order.agents)]
    setup = replace(order.setup, agents=seated, isolate=None)  # ours answer at once from here
    with Terminal() as terminal:
        done = Arcade(terminal, setup, record).run()
    console = screen.answers()
    assert done.record.outcome is not None
    console.print(
        screen.line((done.record.world, "bold"), f", {counted(done.record.steps, 'tick')}")
    )
    names = [order.short.get(agent, agent) for agent in done.record.agents]
    console.print(outcome_text(done.record.outcome, names))
    explain_names(order.short)
    if done.saved is not None:
        console.print(screen.line("wrote ", (str(done.saved), "bold")), soft_wrap=True)


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


@dataclass(slots=True)
class Order:
    """What is to be played."""

    setup: MatchSetup
    games: int = 1
    workers: int = 1
    rotate: bool = False
    short: Mapping[str, str] = field(default_factory=dict)
    """names of GVGAI as they were typed, by the agents they stand for"""

    is_new_secret: bool = field(init=False)
    """whether no secret was given"""

    def __post_init__(self) -> None:
        self.is_new_secret = self.setup.secret is None
        if self.games > 1:
            self.setup = self.series.with_secret().match

    @property
    def series(self) -> SeriesSetup:
        from ludex.arena.study.tournament import SeriesSetup

        return SeriesSetup(self.setup, self.games, self.rotate)

    @property
    def world(self) -> World:
        from ludex.arena.match.setup import as_world

        return as_world(self.setup.world)

    @property
    def agents(self) -> Sequence[Any]:
        return self.setup.agents

    @property
    def has_human(self) -> bool:
        return bool(self.humans)

    @property
    def humans(self) -> list[int]:
        """The places of humans among the agents."""
        from ludex.core.capabilities import is_human

        agents = enumerate(self.agents)
        return [place for place, agent in agents if is_human(agent)]

    @property
    def only_human(self) -> int | None:
        """The seat of a lone human, who sees no more after the game than the rules show."""
        return self.humans[0] if len(self.humans) == 1 else None


@dataclass(slots=True)
class PlayedMatches:
    """What was played, as far as it got."""

    results: list[MatchResult] = field(default_factory=list)
    last_state: Any = None
    is_in_sight: bool = False
    """whether the last picture is still to be seen"""
    interrupted: bool = False
    """by Ctrl-C"""
    stopped: bool = False
    """by q of somebody who watched"""


def played(order: Order, delay: float | None, json: bool) -> PlayedMatches:
    """Play it all; with a delay, show every state on the way.

    Ctrl-C keeps what is finished, and q of somebody who watches a single game also that game.
    """
    from ludex.cli.shared import screen
    from ludex.cli.shared.tick_counter import TickCounter
    from ludex.terminal.live_view import LastState, LiveView

    done = PlayedMatches()
    last = LastState()
    console = screen.messages() if json else screen.answers()
    if order.has_human and delay is not None:
        screen.messages().print("a human sees what the seat may see, so --watch is left out")
        delay = None
    live = LiveView(console, delay or 0.0, short=order.short, faults_below=True)
    watchers: list[Watcher] = [last, *([live] if delay is not None else [])]
    is_shown = delay is not None or order.has_human
    with live, screen.progress(screen.messages(), quiet=json, silent=is_shown) as progress:
        if order.games == 1:
            watchers.append(TickCounter(progress, f"{order.world}"))
        else:
            task = progress.add_task(f"{order.world}", total=order.games, unit="games")
        try:
            for result in matches(order, watchers, one_by_one=delay is not None):
                done.stopped = live.has_quit
                if not (done.stopped and order.games > 1 and result.outcome.truncated):
                    done.results.append(result)  # of a series, whole games alone
                if done.stopped:
                    break
                if order.games > 1:
                    progress.advance(task)
        except KeyboardInterrupt:
            done.interrupted = True
    done.last_state = last.state
    done.is_in_sight = delay is not None
    return done


def matches(order: Order, watchers: list[Watcher], one_by_one: bool) -> Iterator[MatchResult]:
    """The matches asked for, each as soon as it is over and its turn has come."""
    from ludex.arena.match.runner import run_match
    from ludex.arena.study.tournament import run_series

    if order.games == 1:
        # The one game has the seed that was asked for itself, not one derived from it.
        yield run_match(order.setup, watchers)
    elif one_by_one:
        yield from (order.series.play(index, watchers) for index in range(order.games))
    else:
        yield from run_series(order.series, order.workers)


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


def document(order: Order, done: PlayedMatches) -> dict[str, Any]:
    from ludex.arena.statistics.intervals import tally

    tallies = tally(done.results)
    secret = secret_of(order, done)
    return {
        "world": str(order.world),
        "agents": [str(agent) for agent in order.agents],
        "budget": str(order.setup.budget),
        **({} if secret is None else {"secret": secret}),
        "repeatable": all(result.repeatable for result in done.results),
        "interrupted": done.interrupted or done.stopped,
        "games": [game_document(result) for result in done.results],
        "wins": [one.wins for one in tallies] or [0] * len(order.agents),
        "intervals": [list(one.win_interval) for one in tallies],
    }


def secret_of(order: Order, done: PlayedMatches) -> str | None:
    """What `--secret` repeats these games with, where one was drawn."""
    if order.games > 1 or not done.results:
        return order.setup.secret
    return done.results[0].record.secret


def game_document(result: MatchResult) -> dict[str, Any]:
    return {
        "seed": result.seed,
        **({} if result.record.secret is None else {"secret": result.record.secret}),
        "winners": list(result.winners),
        "returns": list(result.returns),
        "score": list(result.scores),
        "ticks": result.ticks,
        "reason": result.outcome.reason,
        "truncated": result.outcome.truncated,
        "entrants": list(result.entrants),
        "faults": [fault_document(fault) for fault in result.faults],
    }


def fault_document(fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "kind": fault.kind,
        "tick": fault.tick,
        "message": fault.message,
        "where": None if fault.where is None else asdict(fault.where),
        **({"trace": fault.trace} if is_debugging() else {}),
    }


def show(order: Order, done: PlayedMatches, files: list[Path]) -> None:
    from ludex.cli.shared import screen

    console = screen.answers()
    if order.games == 1 and done.results:
        show_game(order, done)
    elif order.games == 1:
        screen.show_interruption("the game was not played to its end")
    else:
        console.print(win_table(title_of(order, done.results), done.results, order.short))
        missing = order.games - len(done.results)
        if done.interrupted or done.stopped:
            screen.show_interruption(f"{counted(missing, 'game')} not played")
    explain_names(order.short)
    show_faults(done.results, order.short)
    if (secret := secret_of(order, done)) is not None:
        show_secret(order, secret)
    if files:
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        console.print(screen.line("wrote ", (str(files[0]), "bold"), more), soft_wrap=True)


def show_secret(order: Order, secret: str) -> None:
    """Say how games are played again whose dice do not follow from the seed alone."""
    from ludex.cli.shared import screen

    console = screen.answers()
    if order.is_new_secret:
        why = "an agent came from a file, so the dice were drawn from a secret:"
        console.print(screen.line((why, "dim")), soft_wrap=True)
    same = "the same game" if order.games == 1 else "the same games"
    console.print(screen.line((f"--secret {secret} plays {same} again", "dim")), soft_wrap=True)


def show_game(order: Order, done: PlayedMatches) -> None:
    """The last picture of the only game, and what each seat got."""
    from rich.text import Text

    from ludex.arena.match.rules import fault_in_brief
    from ludex.cli.shared import screen
    from ludex.terminal.live_view import print_scene
    from ludex.terminal.scene import Scene

    console = screen.answers()
    result = done.results[0]
    if not done.is_in_sight:
        scene = Scene(
            order.world,
            [order.short.get(agent, agent) for agent in result.agents],
            done.last_state,
            result.ticks,
            outcome=fault_in_brief(result.outcome),
            seen_by=order.only_human,
        )
        print_scene(console, scene)
    shown = screen.table(
        "",
        "seat",
        "agent",
        "return",
        "score",
        "decisions",
        "calls",
        "CPU",
        right=("seat", "return", "score", "decisions", "calls", "CPU"),
    )
    for seat, agent in enumerate(result.agents):
        made = result.decisions[seat]
        shown.add_row(
            str(seat),
            Text(order.short.get(agent, agent), style=screen.colour(seat)),
            screen.rounded(result.returns[seat], signed=True),
            screen.rounded(result.scores[seat]),
            str(len(made)),
            f"{sum(one.model_calls for one in made):,}",
            f"{sum(one.cpu_ms for one in made):,.0f} ms",
        )
    console.print(shown)


def win_table(title: str, results: list[MatchResult], short: Mapping[str, str]) -> Any:
    """Who wins how often, with the interval that holds the true rate 95 times in 100."""
    from rich.text import Text

    from ludex.arena.statistics.intervals import tally
    from ludex.cli.shared import screen

    numbers = ("wins", "rate", "95 % range", "return", "faults")
    tallies = tally(results)
    names = [short.get(one.agent, one.agent) for one in tallies]
    longest = max(map(len, names), default=0)
    bars = ("",) if longest <= screen.answers().width - ROOM_OF_NUMBERS else ()
    shown = screen.table(title, "agent", *numbers, *bars, right=numbers)
    screen.keep_whole(shown, *bars)
    for index, one in enumerate(tallies):
        low, high = one.win_interval
        bar = screen.interval_bar(one.win_rate, low, high)
        shown.add_row(
            Text(names[index], style=screen.colour(index)),
            str(one.wins),
            screen.percent(one.win_rate),
            f"{100 * low:.0f} - {100 * high:.0f} %",
            f"{one.mean_return:+.2f}",
            str(one.faults),
            *(Text(bar, style=screen.colour(index)) for _ in bars),
        )
    return shown


def title_of(order: Order, results: list[MatchResult]) -> str:
    draws = sum(not result.winners for result in results)
    nobody = f", {draws} without a winner" if draws else ""
    return f"{order.world}: {counted(len(results), 'game')} at {order.setup.budget}{nobody}"


def show_faults(results: list[MatchResult], short: Mapping[str, str]) -> None:
    """Name the first fault of each kind and agent; a run of many games may have hundreds."""
    from ludex.cli.shared import screen

    found: dict[tuple[str, str], list[tuple[int, Fault]]] = {}
    for result in results:
        for fault in result.faults:
            if fault.kind == "left":
                continue  # a human who goes is no fault, and the outcome tells
            agent = result.agents[fault.seat]
            key = (short.get(agent, agent), fault.kind)
            found.setdefault(key, []).append((result.index, fault))
    console = screen.messages()
    for (agent, kind), faults in found.items():
        game, first = faults[0]
        where = "" if first.where is None else f", at {first.where}"
        message = first.message.removesuffix(where)
        often = f" x {len(faults)}; first in tick {first.tick} of game {game}"
        if len(results) == 1:
            often = f" in tick {first.tick}"
        told = f"{agent}: {kind}{often}"
        console.print(screen.line(("fault ", "yellow"), f"{told}: {message}"), soft_wrap=True)
        if message != first.message:
            place = screen.line(("  at ", "dim"), (str(first.where), "bold"))
            console.print(place, soft_wrap=True)
        if first.trace and is_debugging():
            console.print(screen.line(first.trace), soft_wrap=True)
    if any(faults[0][1].where for faults in found.values()) and not is_debugging():
        console.print(screen.line((HINT, "dim")), soft_wrap=True)
