"""`ludex arena show`: what a study says, in a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from ludex.cli.shared import screen
from ludex.cli.shared.debugging import is_debugging
from ludex.cli.shared.options import Json, read_choice, shortened

if TYPE_CHECKING:
    from ludex.arena.statistics.results import Results

STORE = ".sqlite"
PARTS = ("ranking", "games", "differences", "pairs", "ratings", "cost", "faults")
WIDE = 100  # columns of a terminal that has room for bars
ROOMY = 12  # columns that a win rate with its score may need
NARROW = 5  # columns of a win rate alone
LONGEST_FAULT = 500  # letters: what was wrong, and the line of the agent's own file
POINTS = "points: 25, 18, 15, 12, 10, 8, 6, 4, 2, 1 for the ranks in each game, added up"
SHADES = ("red", "yellow", "bright_yellow", "green", "bright_green")

StudyName = Annotated[
    Path, typer.Argument(metavar="STUDY", help="A study file that was run, or its store.")
]


Anonymous = Annotated[
    bool, typer.Option("--anonymous", help="Without what tells which games were played.")
]


def store_of(study: Path) -> Path:
    """The store of a study: itself, or the one beside the file that was run."""
    return study.with_suffix(STORE) if study.suffix == ".toml" else study


def results_of(study: Path, anonymous: bool) -> Results:
    """Read the results of a study, as far as their reader may know them."""
    from ludex.arena.statistics.results import read_results
    from ludex.arena.study.anonymous import anonymised

    results = read_results(store_of(study))
    return anonymised(results) if anonymous else results


def show(
    study: StudyName,
    part: Annotated[
        list[str] | None,
        typer.Option("--part", metavar="|".join(PARTS), help="Only this; may be repeated."),
    ] = None,
    anonymous: Anonymous = False,
    json: Json = False,
) -> None:
    """Show what the matches of a study say, also while it runs."""
    from ludex.arena.statistics.summary import summarise

    wanted = [read_choice(one, PARTS, "part") for one in part or PARTS]
    document = summarise(results_of(study, anonymous), traces=is_debugging())
    if json:
        screen.print_json(document)
        return
    console = screen.answers()
    console.print(headline(document), soft_wrap=True)
    if document["about"]:
        console.print(screen.in_one_line(document["about"]), style="dim", soft_wrap=True)
    show_mixed(document)
    for budget in document["budgets"]:
        console.print(f"\nat {budget['budget']}", style="bold")
        for name, shown in SHOWN.items():
            if name in wanted:
                shown(budget)
    if "faults" in wanted:
        show_faults(document)


def headline(document: dict[str, Any]) -> Text:
    done, total = document["played"], document["scheduled"]
    share = f"{done:,} matches" if done == total else f"{done:,} of {total:,} matches"
    marks = "" if document["repeatable"] else "; some depend on time and are not repeatable exactly"
    return screen.line((document["study"], "bold"), f": {share}{marks}")


def show_mixed(document: dict[str, Any]) -> None:
    """Say which matches are not like the others, before anybody compares them."""
    for one in document["mixed"]:
        number = f"{one['matches']:,} match{'es' * (one['matches'] != 1)}"
        told = f"{number} from {one['first']} on: {screen.in_one_line(one['what'])}"
        screen.answers().print(screen.line(("mixed ", "yellow"), told), soft_wrap=True)
    if document["replays"]:
        told = f"{document['replays']} times, after a worker or an agent's process was killed"
        screen.answers().print(screen.line(("played again ", "yellow"), told), soft_wrap=True)


def show_ranking(budget: dict[str, Any]) -> None:
    console = screen.answers()
    bar = ("",) if console.width >= WIDE else ()
    numbers = ("points", "wins", "95 %", "score", "matches", "faults")
    table = screen.table("", "#", "agent", *numbers, *bar, right=("#", *numbers))
    screen.keep_whole(table, "agent", *bar)
    for one in budget["agents"]:
        low, high = one["interval"]
        table.add_row(
            str(one["place"]),
            one["agent"],
            str(one["points"]),
            screen.percent(one["win_rate"]),
            f"{100 * low:.0f}-{100 * high:.0f}",
            f"{one['score']:.4g}",
            str(one["matches"]),
            str(one["faults"] or ""),
            *([screen.interval_bar(one["win_rate"], low, high)] if bar else []),
        )
    console.print(table)
    console.print(screen.line((POINTS, "dim")), soft_wrap=True)


def show_games(budget: dict[str, Any]) -> None:
    """Win rate and score of every agent in every game; by place where names do not fit."""
    agents = [one["agent"] for one in budget["agents"]]
    console = screen.answers()
    longest = max(len(game["game"]) for game in budget["games"])
    is_wide = longest + sum(max(len(agent), ROOMY) + 2 for agent in agents) < console.width
    title = (
        "win rate % and mean score by game" if is_wide else "win rate % by game, agents as above"
    )
    heads = agents if is_wide else [f"#{index}" for index in range(1, len(agents) + 1)]
    fitting = len(agents) if is_wide else max(1, (console.width - longest - 2) // NARROW)
    for first in range(0, len(agents), fitting):
        part = slice(first, first + fitting)
        table = screen.table("" if first else title, "game", *heads[part], right=tuple(heads))
        screen.keep_whole(table, "game")
        for game in budget["games"]:
            cells = [game_cell(game["agents"].get(agent), is_wide) for agent in agents[part]]
            table.add_row(game["game"], *cells)
        console.print(table)


def game_cell(cell: dict[str, Any] | None, is_wide: bool) -> Text:
    if cell is None:
        return Text("")
    shade = SHADES[min(len(SHADES) - 1, int(cell["win_rate"] * len(SHADES)))]
    best = "bold " if cell["place"] == 1 else ""
    rate = (f"{100 * cell['win_rate']:.0f}", f"{best}{shade}")
    return Text.assemble(rate, (f" {cell['score']:.3g}", "dim")) if is_wide else Text.assemble(rate)


def show_differences(budget: dict[str, Any]) -> None:
    from ludex.arena.statistics.rank_words import rank_words

    found = budget["differences"]
    console = screen.answers()
    if "reason" in found:
        console.print(f"Differences over games are not tested: {found['reason']}.", style="dim")
        return
    console.print(rank_words(found), soft_wrap=True)


def show_pairs(budget: dict[str, Any]) -> None:
    table = screen.table(
        "pairs, every match counted, with Holm's correction",
        "pair",
        "over",
        "test",
        "p",
        "effect",
        "ahead",
        right=("p", "effect"),
    )
    decided = [pair for pair in budget["pairs"] if pair["ahead"]]
    for pair in decided:
        table.add_row(
            " v ".join(pair["agents"]),
            f"{pair['number']} {pair['over']}" if pair["over"][0] == "w" else pair["over"],
            pair["test"],
            f"{pair['p_holm']:.2g}",
            f"{pair['effect']:+.2f}",
            pair["ahead"],
        )
    console = screen.answers()
    undecided = len(budget["pairs"]) - len(decided)
    if decided:
        console.print(table)
    if undecided:
        console.print(
            f"{undecided} of {len(budget['pairs'])} comparisons are undecided", style="dim"
        )


def show_ratings(budget: dict[str, Any]) -> None:
    ratings = budget["ratings"]
    if ratings is None:
        return
    numbers = ("Elo", "95 %", "Glicko-2", "deviation")
    table = screen.table("ratings against each other", "agent", *numbers, right=numbers)
    for one in sorted(ratings["agents"], key=lambda one: -one["elo"]):
        low, high = one["elo_interval"]
        table.add_row(
            one["agent"],
            f"{one['elo']:+.0f}",
            f"{low:+.0f} to {high:+.0f}",
            f"{one['glicko']:.0f}",
            f"{one['deviation']:.0f}",
        )
    screen.answers().print(table)


def show_cost(budget: dict[str, Any]) -> None:
    numbers = ("calls", "most", "iterations", "depth", "CPU ms", "most ms")
    table = screen.table("what a decision costs", "agent", *numbers, right=numbers)
    for one in budget["use"]:
        table.add_row(
            one["agent"],
            f"{one['calls']['mean']:,.1f}",
            f"{one['calls']['most']:,}",
            f"{one['iterations']['mean']:,.1f}",
            f"{one['depth']['mean']:.1f}",
            f"{one['cpu_ms']['mean']:.3g}",
            f"{one['cpu_ms']['most']:.3g}",
        )
    screen.answers().print(table)


def fault_line(fault: dict[str, Any]) -> Text:
    return screen.line(
        ("fault ", "yellow"),
        f"{fault['agent']} at {fault['budget']}: {fault['kind']} x {fault['times']}; first "
        f"in match {fault['match']} ({fault['game']}, tick {fault['tick']}): "
        f"{screen.in_one_line(shortened(fault['message'], LONGEST_FAULT))}",
    )


def show_faults(document: dict[str, Any]) -> None:
    for fault in document["faults"]:
        screen.answers().print(fault_line(fault), soft_wrap=True)
        if "trace" in fault:
            screen.answers().print(screen.line(fault["trace"]), soft_wrap=True)
    for lost in document["abandoned"][:5]:
        screen.answers().print(
            screen.line(
                ("not played ", "red"),
                f"match {lost['match']}: {screen.in_one_line(lost['reason'])}",
            ),
            soft_wrap=True,
        )


SHOWN = {
    "ranking": show_ranking,
    "games": show_games,
    "differences": show_differences,
    "pairs": show_pairs,
    "ratings": show_ratings,
    "cost": show_cost,
}
