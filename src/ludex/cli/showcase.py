"""`ludex showcase`: several agents in every world present, and one game to look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from ludex.cli.shared.options import Games, Json, Workers

if TYPE_CHECKING:
    from ludex.arena.match.runner import MatchResult
    from ludex.core.world import World

BUDGET = "1200calls"  # repeatable, and some milliseconds for each decision
BUDGETS = {  # more where calls are cheap or decisions few; all pairings take half a minute
    "connect_four": "30000calls",
    "nim": "12000calls",
    "catan": "1000calls",
    "kuhn_poker": "4000calls",
    "parley": "2500calls",
    "goofspiel": "2000calls",
    "pig": "2000calls",
    "vgdl": "200calls",  # hundreds of decisions in a game
}
SHORTER = {"catan": "catan[points=4,trades=none]"}  # whole games have a thousand decisions
GAMES = 20
SECONDS_OF_THE_FILM = 12.0
BUDGET_OF_THE_FILM = "4000calls"  # two searches think while somebody watches
WIDE = 112  # columns a terminal needs for the bars, too
STRONG = ("mcts", "ismcts", "open_loop_mcts", "minimax")
WEAK = ("one_step", "uniform")
ALONE = ("open_loop_mcts", "one_step", "uniform")
COLOURS = {"ahead": "green", "behind": "red", "unclear": "yellow", "alone": "dim"}
FILMED = ("connect_four", "nim")
NEXT = (
    ("play against a search yourself", "ludex play connect_four --agents human,mcts"),
    ("write an agent of your own", "ludex new agent my_agent"),
    ("see how fast everything is", "ludex bench connect_four"),
)


def showcase(
    games: Games = GAMES,
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Play several agents in every world there is."""
    from ludex.cli.shared import screen

    pairings = [(world, agents) for world in worlds_present() for agents in tables_for(world)]
    if not json:
        screen.answers().print(
            f"Ludex plays {len(pairings)} pairings of {games} games\n", style="bold"
        )
    rows = rows_of(pairings, games, workers, quiet=json)
    interrupted = len(rows) < len(pairings)
    if json:
        screen.print_json({"interrupted": interrupted, "results": rows})
    elif rows:
        show(rows)
    if interrupted:
        if not json:
            screen.show_interruption(f"{len(rows)} of {len(pairings)} pairings played")
        raise typer.Exit(screen.INTERRUPTED)
    if not json:
        film(pairings)
        show_next()


def rows_of(
    pairings: list[tuple[World, list[str]]], games: int, workers: int, quiet: bool
) -> list[dict[str, Any]]:
    """Play the pairings; Ctrl-C keeps those that are finished."""
    from ludex.cli.shared import screen

    rows: list[dict[str, Any]] = []
    with screen.progress(screen.messages(), quiet=quiet) as progress:
        task = progress.add_task("showcase", total=len(pairings) * games)
        try:
            for world, agents in pairings:
                progress.update(task, description=f"{world}: {table_of(agents, False)}")
                results: list[MatchResult] = []
                for result in matches(world, agents, games, workers):
                    results.append(result)
                    progress.advance(task)
                rows.append(row_of(world, results))
        except KeyboardInterrupt:
            pass
    return rows


def show_next() -> None:
    from ludex.cli.shared import screen

    console = screen.answers()
    console.print("\nNext", style="bold")
    commands = [screen.to_type(command) for _, command in NEXT]
    for (word, _), command in zip(NEXT, commands, strict=True):
        padded = command.ljust(max(map(len, commands)) + 3)
        console.print(screen.line(f"  {padded}", (word, "dim")), soft_wrap=True)


def budget_for(world: World) -> str:
    return BUDGETS.get(world.name, BUDGET)


def worlds_present() -> Iterator[World]:
    from ludex.core import registry

    for name in registry.names("worlds"):
        try:
            yield registry.world(SHORTER.get(name, name))
        except Exception:  # ludex list says what is broken and why
            continue


def tables_for(world: World) -> Iterator[list[str]]:
    """Seat the strongest planner that fits against others, and against the world's experts.

    Where one plays alone, each planner has its turn.
    """
    from ludex.core import registry

    if world.traits.seats == 1:
        yield from ([name] for name in planners_for(world, ALONE))
        return
    strong, weak = planners_for(world, STRONG), planners_for(world, WEAK)
    experts = [name for name in registry.names("agents") if name.startswith(f"{world.name}/")]
    seats = world.traits.seats
    if not strong or not weak:
        return
    for rival in [*weak[::-1], *[one for one in experts if fits(one, world)][-1:]]:
        yield [strong[0], *[rival] * (seats - 1)]


def planners_for(world: World, names: tuple[str, ...]) -> list[str]:
    """Those of the named planners that are here and accept the world."""
    from ludex.core import registry

    return [name for name in names if name in registry.names("planners") and fits(name, world)]


def fits(name: str, world: World) -> bool:
    """Whether an agent accepts the world, asked as the match would ask it."""
    from ludex.agents.compose import make_agent
    from ludex.core.budget import Budget
    from ludex.core.errors import LudexError
    from ludex.core.rng import Meter, Rng

    rng = Rng(0)
    model = world.model.metered(Meter())
    state = world.start(rng)
    model.settle(state, rng)
    seat = model.to_act(state)[0]
    budget = Budget.parse(budget_for(world))
    try:
        make_agent(name).start(model, model.view(state, seat), budget, rng)
    except LudexError:
        return False
    return True


def matches(world: World, agents: list[str], games: int, workers: int) -> Iterator[MatchResult]:
    from ludex.arena.study.tournament import play_many

    budget = budget_for(world)
    return play_many(
        world, agents, games=games, seed=1, budget=budget, workers=workers, rotate=True
    )


def row_of(world: World, results: list[MatchResult]) -> dict[str, Any]:
    """How the first agent fared against the others."""
    from ludex.arena.statistics.intervals import tally

    tallies = tally(results)
    first = tallies[0]
    return {
        "world": world.name,
        "agents": [one.agent for one in tallies],
        "budget": budget_for(world),
        "games": first.games,
        "wins": [one.wins for one in tallies],
        "ties": first.ties,
        "intervals": [list(one.win_interval) for one in tallies],
        "mean_return": first.mean_return,
        "return_interval": list(first.return_interval) if first.games > 1 else None,
        "verdict": verdict([one.win_interval for one in tallies]),
        "ticks": sum(result.ticks for result in results) / len(results),
        "faults": sum(one.faults for one in tallies),
    }


def verdict(intervals: list[tuple[float, float]]) -> str:
    """Whether the first agent wins more or less often than all others; unclear if ranges overlap.

    >>> verdict([(0.6, 0.9), (0.1, 0.4)]), verdict([(0.4, 0.7), (0.3, 0.6)])
    ('ahead', 'unclear')
    """
    (low, high), *rivals = intervals
    if not rivals:
        return "alone"
    if low > max(most for _, most in rivals):
        return "ahead"
    return "behind" if high < max(least for least, _ in rivals) else "unclear"


def show(rows: list[dict[str, Any]]) -> None:
    from rich.text import Text

    from ludex.cli.shared import screen

    console = screen.answers()
    is_wide = console.width >= WIDE
    numbers = ("w-t-l", "wins", "return")
    bar = ("",) if is_wide else ()
    shown = screen.table("", "world", "agents", *numbers, "verdict", *bar, right=numbers)
    screen.keep_whole(shown, "world", "agents", "verdict", *bar)
    last = None
    for row in rows:
        low, high = row["intervals"][0]
        wins, ties, games = row["wins"][0], row["ties"], row["games"]
        style = COLOURS[row["verdict"]]
        shown.add_row(
            Text(row["world"] if row["world"] != last else "", style="bold"),
            table_of(row["agents"], is_wide),
            f"{wins}-{ties}-{games - wins - ties}",
            f"{100 * low:.0f}-{100 * high:.0f} %",
            mean_of(row),
            Text(row["verdict"], style=style),
            *([Text(screen.interval_bar(wins / games, low, high), style=style)] if is_wide else []),
        )
        last = row["world"]
    console.print(shown)
    budgets = {row["world"]: row["budget"] for row in rows}
    for remark in (
        "w-t-l: games that the first agent won, nobody won, and others won",
        "wins: the 95 % range of its win rate; return: its mean, with the 95 % range",
        "verdict: ahead or behind where its range of wins and those of others do not overlap",
        f"for each decision: {', '.join(f'{name} {given}' for name, given in budgets.items())}",
    ):
        console.print(remark, style="dim")


def table_of(agents: list[str], is_wide: bool) -> str:
    """Name who plays; where there is little room, experts without their world.

    >>> table_of(["mcts", "parley/pledger", "parley/pledger"], False), table_of(["mcts"], False)
    ('mcts v pledger x 2', 'mcts')
    """
    if len(agents) == 1:
        return agents[0]
    rival, number = agents[1], len(agents) - 1
    if not is_wide:
        rival = rival.rpartition("/")[2]
    return f"{agents[0]} v {rival}" + (f" x {number}" if number > 1 else "")


def mean_of(row: dict[str, Any]) -> str:
    """Write the mean return with half the width of its interval, where games were enough."""
    mean = f"{row['mean_return']:+.2f}"
    if row["return_interval"] is None:
        return mean
    low, high = row["return_interval"]
    return f"{mean} ±{(high - low) / 2:.2f}"


def film(pairings: list[tuple[World, list[str]]]) -> None:
    """Show one game as it is played: live in a terminal, else its pictures."""
    from ludex.arena.match.runner import play_match
    from ludex.cli.shared import screen
    from ludex.terminal.live_view import LiveView

    worlds = sorted(
        dict.fromkeys(world for world, _ in pairings),
        key=lambda world: FILMED.index(world.name) if world.name in FILMED else len(FILMED),
    )
    if not worlds:
        return
    world = worlds[0]
    strong = planners_for(world, STRONG)
    agents = [strong[seat and -1] for seat in range(world.traits.seats)]
    quiet = play_match(world, agents, seed=3, budget=BUDGET_OF_THE_FILM)
    delay = min(0.7, SECONDS_OF_THE_FILM / max(1, quiet.ticks))
    console = screen.answers()
    console.print(f"\nOne game of {world}", style="bold")
    with LiveView(console, delay) as view:
        play_match(world, agents, seed=3, budget=BUDGET_OF_THE_FILM, watchers=[view])
