"""One short table for each world, with its result in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludex.cli.shared import screen
from ludex.cli.shared.options import counted

if TYPE_CHECKING:
    from rich.text import Text

    from ludex.core.world import World

COLOURS = {"ahead": "green", "behind": "red", "unclear": "yellow", "alone": "dim"}
WORDS = {"ahead": "is ahead of", "behind": "is behind", "unclear": "is not clearly ahead of"}
NARROW = 80  # columns of the smallest terminal that has room for bars
BAR = 16


def show_table(world: World, rows: list[dict[str, Any]]) -> None:
    """Print the table of one world and who is ahead in it."""
    console = screen.answers()
    bars = ("",) if console.width >= NARROW and rows[0]["by"] == "wins" else ()
    numbers = numbers_of(rows[0])
    table = screen.table("", "agents", *numbers, *bars, right=tuple(numbers))
    table.show_edge = False
    screen.keep_whole(table, "agents", *bars)
    for row in rows:
        table.add_row(
            line_of(row["agents"]), *numbers_of(row).values(), *(bar_of(row) for _ in bars)
        )
    console.print()
    console.print(headline(world), no_wrap=True, overflow="ellipsis")
    console.print(table)
    console.print(result_of(rows))


def numbers_of(row: dict[str, Any]) -> dict[str, str]:
    """The figures of a line with their heads: what was won, and what decides."""
    low, high = row["intervals"][0]
    wins, ties, games = row["wins"][0], row["ties"], row["games"]
    if len(row["agents"]) == 1:
        won = {"won": f"{wins} of {games}", "score": f"{row['mean_score']:,.4g}"}
    else:
        won = {"won-tied-lost": f"{wins}-{ties}-{games - wins - ties}"}
    if row["by"] == "return":
        return {**won, "mean return": mean_of(row)}
    return {**won, "wins, 95 %": f"{100 * low:.0f}-{100 * high:.0f} %"}


def bar_of(row: dict[str, Any]) -> Text:
    """The win rate between the ends of its range."""
    from rich.text import Text

    low, high = row["intervals"][0]
    drawn = screen.interval_bar(row["wins"][0] / row["games"], low, high, BAR)
    return Text(drawn, style=COLOURS[row["verdict"]])


def headline(world: World) -> Text:
    """The world and what it is."""
    about = " ".join((type(world).__doc__ or "").partition("\n\n")[0].split())
    if world.name == "vgdl":
        about = "A video game in VGDL, one of twenty-four of our own."
    return screen.line((str(world), "bold"), (f"  {about}", "dim"))


def line_of(agents: list[str]) -> str:
    """Name who plays, experts without their world.

    >>> line_of(["mcts", "parley/pledger", "parley/pledger"]), line_of(["mcts"])
    ('mcts v pledger x 2', 'mcts')
    """
    first, *rivals = [agent.rpartition("/")[2] if "(" not in agent else agent for agent in agents]
    if not rivals:
        return first
    return f"{first} v {rivals[0]}" + (f" x {len(rivals)}" if len(rivals) > 1 else "")


def mean_of(row: dict[str, Any]) -> str:
    """Write the mean return with half the width of its interval, where games were enough."""
    mean = f"{row['mean_return']:+.2f}"
    if row["return_interval"] is None:
        return mean
    low, high = row["return_interval"]
    return f"{mean} ±{(high - low) / 2:.2f}"


def result_of(rows: list[dict[str, Any]]) -> Text:
    """Say who is ahead of whom, by what the act is decided by."""
    from rich.text import Text

    said = Text()
    for first, word, rivals in results_by_agent(rows):
        said.append("; " if said else "")
        said.append(first, style="bold")
        said.append(f" {WORDS[word]} ", style=COLOURS[word])
        said.append(listed(rivals))
    by = ", by mean return" if rows[0]["by"] == "return" else ""
    how = f" ({counted(rows[0]['games'], 'game')} each at {rows[0]['budget']}{by})"
    return said.append(how, style="dim")


def results_by_agent(rows: list[dict[str, Any]]) -> list[tuple[str, str, list[str]]]:
    """Put together the rivals of one agent that it has the same result against."""
    if len(rows[0]["agents"]) == 1:
        mirrored = {"behind": "ahead", "ahead": "behind", "unclear": "unclear"}
        first = rows[0]["agents"]
        found = [(first[0], mirrored[row["verdict"]], row["agents"][0]) for row in rows[1:]]
    else:
        found = [(row["agents"][0], row["verdict"], row["agents"][1]) for row in rows]
    groups: dict[tuple[str, str], list[str]] = {}
    for agent, word, rival in found:
        groups.setdefault((line_of([agent]), word), []).append(line_of([rival]))
    return [(agent, word, rivals) for (agent, word), rivals in groups.items()]


def listed(names: list[str]) -> str:
    """Write a list as people do.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
