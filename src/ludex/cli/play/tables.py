"""What people see of games that were played: the last picture, tables, faults."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludex.cli.play.documents import secret_of
from ludex.cli.play.order import Order, PlayedMatches
from ludex.cli.shared.debugging import HINT, is_debugging
from ludex.cli.shared.options import counted
from ludex.cli.shared.short_names import explain_names

if TYPE_CHECKING:
    from ludex.arena.match.rules import Fault
    from ludex.arena.match.runner import MatchResult

ROOM_OF_NUMBERS = 66  # columns of the table of wins beside the names, with its bars


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
