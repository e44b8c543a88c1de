"""`ludex showcase`: several agents in every world present, and one game to look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ludex.cli.options import Games, Json, Workers

if TYPE_CHECKING:
    from ludex.arena.match import MatchResult
    from ludex.core.world import World

BUDGET = "1200calls"  # repeatable, and some milliseconds for each decision
GAMES = 20
SECONDS_OF_THE_FILM = 12.0
WIDE = 100  # columns a terminal needs for all numbers
STRONG = ("mcts", "ismcts", "open_loop_mcts", "minimax")
WEAK = ("one_step", "uniform")
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
    from ludex.cli import screen

    pairings = [(world, agents) for world in worlds_present() for agents in tables_for(world)]
    rows: list[dict[str, Any]] = []
    console = screen.messages()
    if not json:
        screen.answers().print(
            f"Ludex plays {len(pairings)} pairings of {games} games, {BUDGET} for each decision\n",
            style="bold",
        )
    with screen.progress(console, quiet=json) as progress:
        task = progress.add_task("showcase", total=len(pairings) * games)
        for world, agents in pairings:
            progress.update(task, description=f"{world}: {' v '.join(agents)}")
            results: list[MatchResult] = []
            for result in matches(world, agents, games, workers):
                results.append(result)
                progress.advance(task)
            rows.append(row_of(world, results))
    if json:
        screen.print_json({"budget": BUDGET, "results": rows})
        return
    show(rows)
    film(pairings)
    console = screen.answers()
    console.print("\nNext", style="bold")
    for word, command in NEXT:
        console.print(screen.line(f"  {command:46}", (word, "dim")), soft_wrap=True)


def worlds_present() -> Iterator[World]:
    from ludex.core import registry

    for name in registry.names("worlds"):
        try:
            yield registry.world(name)
        except Exception:  # ludex list says what is broken and why
            continue


def tables_for(world: World) -> Iterator[list[str]]:
    """Seat the strongest planner that fits against others, and against the world's experts."""
    from ludex.core import registry

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
    try:
        make_agent(name).start(model, model.view(state, seat), Budget.parse(BUDGET), rng)
    except LudexError:
        return False
    return True


def matches(world: World, agents: list[str], games: int, workers: int) -> Iterator[MatchResult]:
    from ludex.arena.tournament import play_many

    return play_many(
        world, agents, games=games, seed=1, budget=BUDGET, workers=workers, rotate=True
    )


def row_of(world: World, results: list[MatchResult]) -> dict[str, Any]:
    """How the first agent fared against the others."""
    from ludex.arena.statistics import tally

    tallies = tally(results)
    first = tallies[0]
    return {
        "world": str(world),
        "agents": [one.agent for one in tallies],
        "games": first.games,
        "wins": [one.wins for one in tallies],
        "ties": first.ties,
        "intervals": [list(one.win_interval) for one in tallies],
        "mean_return": first.mean_return,
        "ticks": sum(result.ticks for result in results) / len(results),
        "faults": sum(one.faults for one in tallies),
    }


def show(rows: list[dict[str, Any]]) -> None:
    from rich.text import Text

    from ludex.cli import screen

    console = screen.answers()
    is_wide = console.width >= WIDE
    numbers = ("won", "95 % range", *(("tied", "return") if is_wide else ()))
    shown = screen.table("", "world", "agent", "against", *numbers, "", right=numbers)
    screen.keep_whole(shown, "world", "agent", "against", "")
    last = None
    for row in rows:
        low, high = row["intervals"][0]
        rate = row["wins"][0] / row["games"]
        others = f" x {len(row['agents']) - 1}" if len(row["agents"]) > 2 else ""
        rivals = row["intervals"][1:]
        is_ahead = low > max(most for _, most in rivals)
        is_behind = high < max(least for least, _ in rivals)
        style = "green" if is_ahead else "red" if is_behind else "yellow"
        shown.add_row(
            Text(row["world"] if row["world"] != last else "", style="bold"),
            row["agents"][0],
            row["agents"][1] + others,
            f"{row['wins'][0]}/{row['games']}",
            f"{100 * low:.0f} - {100 * high:.0f} %",
            *((str(row["ties"]), f"{row['mean_return']:+.2f}") if is_wide else ()),
            Text(screen.interval_bar(rate, low, high, 20 if is_wide else 12), style=style),
        )
        last = row["world"]
    console.print(shown)
    console.print(
        screen.line(
            "won by the first agent: ",
            ("ahead", "green"),
            ", ",
            ("behind", "red"),
            " or ",
            ("undecided", "yellow"),
            " (the ranges overlap)",
        ),
        style="dim",
    )


def film(pairings: list[tuple[World, list[str]]]) -> None:
    """Show one game as it is played: live in a terminal, else its pictures."""
    from ludex.arena.match import play_match
    from ludex.cli import screen
    from ludex.cli.watch import LiveView

    worlds = sorted(
        dict.fromkeys(world for world, _ in pairings),
        key=lambda world: FILMED.index(world.name) if world.name in FILMED else len(FILMED),
    )
    if not worlds:
        return
    world = worlds[0]
    strong = planners_for(world, STRONG)
    agents = [strong[seat and -1] for seat in range(world.traits.seats)]
    quiet = play_match(world, agents, seed=3, budget=BUDGET)
    delay = min(0.7, SECONDS_OF_THE_FILM / max(1, quiet.ticks))
    console = screen.answers()
    console.print(f"\nOne game of {world}", style="bold")
    with LiveView(console, delay) as view:
        play_match(world, agents, seed=3, budget=BUDGET, watchers=[view])
