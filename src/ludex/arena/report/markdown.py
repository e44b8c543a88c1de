"""The summary of a study in Markdown: the tables of the page, for places that show text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ludex.arena.statistics.rank_words import rank_words
from ludex.core.printable import in_one_line, printable

HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
SIGNS = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
"""what Markdown obeys within a line; an underscore within a word means nothing"""
BEGINNINGS = re.compile(r"[#+=:-]|\d+[.)]")
"""what it obeys where a paragraph begins"""


def escaped(text: str) -> str:
    r"""A text from outside, shown as it is: neither HTML nor Markdown in it is obeyed.

    >>> print(escaped("open_loop_mcts <b>_x_</b> [a](b) | `c`"))
    open_loop_mcts &lt;b&gt;\_x\_&lt;/b&gt; \[a\](b) \| \`c\`
    """
    marked = SIGNS.sub(lambda found: f"\\{found[0]}", in_one_line(text))
    return "".join(HTML.get(sign, sign) for sign in marked)


def paragraph(text: str) -> str:
    r"""The same where a paragraph begins.

    >>> print(paragraph("# no heading")), print(paragraph("1. no list"))
    \# no heading
    1\. no list
    (None, None)
    """
    line = escaped(text)
    if found := BEGINNINGS.match(line):
        last = found.end() - 1
        return f"{line[:last]}\\{line[last:]}"
    return line


class Bold(str):
    """A cell of our own that is set bold."""

    __slots__ = ()


def as_markdown(document: dict[str, Any], store: str) -> str:
    """Write the summary of a study."""
    parts = [
        f"# {escaped(document['study'])}",
        paragraph(document["about"]),
        opening(document, store),
        mixed(document["mixed"]),
    ]
    for budget in document["budgets"]:
        parts += [
            f"## At {escaped(budget['budget'])} per decision",
            ranking(budget),
            differences(budget["differences"]),
            games(budget),
            ratings(budget["ratings"]),
            pairs(budget["pairs"]),
            cost(budget["use"]),
        ]
    parts += [faults(document["faults"]), abandoned(document["abandoned"])]
    return "\n\n".join(part for part in parts if part) + "\n"


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    r"""A Markdown table; columns that only hold numbers are set right.

    >>> print(table(["agent", "points"], [["a|b", 25]]))
    | agent | points |
    |---|---:|
    | a\|b | 25 |
    """
    right = [all(looks_numeric(row[index]) for row in rows) for index in range(len(head))]
    marks = "|".join("---:" if one else "---" for one in right)
    lines = [f"| {' | '.join(escaped(one) for one in head)} |", f"|{marks}|"]
    for row in rows:
        cells = (f"**{cell}**" if isinstance(cell, Bold) else escaped(str(cell)) for cell in row)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def looks_numeric(cell: Any) -> bool:
    return isinstance(cell, int | float) or str(cell)[:1] in "0123456789+-"


def opening(document: dict[str, Any], store: str) -> str:
    done, total = document["played"], document["scheduled"]
    of_all = "" if done == total else f" of {total:,}"
    budgets = escaped(", ".join(one["budget"] for one in document["budgets"]))
    exact = ""
    if not document["repeatable"]:
        exact = " Some matches depend on time and cannot be repeated exactly."
    games = len(document["games"])
    command = code(f"ludex replay '{store}#N'")
    return (
        f"{done:,}{of_all} matches of {len(document['agents'])} agents in "
        f"{games} game{'s' * (games != 1)} at {budgets}, ludex "
        f"{escaped(document['versions']['ludex'])}. "
        f"{command} shows any of them.{exact}"
    )


def code(text: str) -> str:
    r"""A text as code, in more backticks than it has itself.

    >>> print(code("a `b`"))
    ``a `b` ``
    """
    line = in_one_line(text)
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    return f"{ticks}{line}{' ' if line.endswith('`') else ''}{ticks}"


def mixed(found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    lines = [
        f"- {one['matches']:,} match{'es' * (one['matches'] != 1)} from {one['first']} on: "
        f"{escaped(one['what'])}"
        for one in found
    ]
    return "Not all matches were played with the same parts:\n\n" + "\n".join(lines)


def interval(bounds: Sequence[float], scale: float = 1.0, digits: int = 0) -> str:
    return " to ".join(f"{scale * one:.{digits}f}" for one in bounds)


def ranking(budget: dict[str, Any]) -> str:
    return table(
        ["rank", "agent", "points", "wins %", "95 % interval", "mean score", "matches", "faults"],
        [
            [
                one["place"],
                one["agent"],
                one["points"],
                f"{100 * one['win_rate']:.1f}",
                interval(one["interval"], 100, 1),
                f"{one['score']:.4g}",
                one["matches"],
                one["faults"],
            ]
            for one in budget["agents"]
        ],
    )


def differences(found: dict[str, Any]) -> str:
    if "reason" in found:
        return f"Differences over games are not tested: {found['reason']}."
    return rank_words(found, escaped)


def games(budget: dict[str, Any]) -> str:
    agents = [one["agent"] for one in budget["agents"]]
    rows = []
    for game in budget["games"]:
        cells = [game["agents"].get(agent) for agent in agents]
        best = [
            Bold(shown) if cell and cell["place"] == 1 else shown
            for cell, shown in ((cell, game_cell(cell)) for cell in cells)
        ]
        rows.append([game["game"], *best])
    return "Wins % and mean score by game, first ranks in bold:\n\n" + table(
        ["game", *agents], rows
    )


def game_cell(cell: dict[str, Any] | None) -> str:
    return f"{100 * cell['win_rate']:.0f} ({cell['score']:.3g})" if cell else ""


def ratings(found: dict[str, Any] | None) -> str:
    if found is None:
        return ""
    return "Ratings from matches against each other:\n\n" + table(
        ["agent", "Elo (Bradley-Terry)", "95 % interval", "Glicko-2", "deviation"],
        [
            [
                one["agent"],
                f"{one['elo']:+.0f}",
                interval(one["elo_interval"]),
                f"{one['glicko']:.0f}",
                f"{one['deviation']:.0f}",
            ]
            for one in sorted(found["agents"], key=lambda one: -one["elo"])
        ],
    )


def pairs(found: list[dict[str, Any]]) -> str:
    decided = [one for one in found if one["ahead"]]
    rest = f"{len(found) - len(decided)} of {len(found)} comparisons of pairs are undecided."
    if not decided:
        return rest if found else ""
    return (
        "Pairs that differ when every match counts, after Holm's correction:\n\n"
        + table(
            ["ahead", "behind", "over", "test", "p", "effect"],
            [
                [
                    one["ahead"],
                    next(agent for agent in one["agents"] if agent != one["ahead"]),
                    one["over"],
                    one["test"],
                    f"{one['p_holm']:.2g}",
                    f"{abs(one['effect']):.2f}",
                ]
                for one in decided
            ],
        )
        + f"\n\n{rest}"
    )


def cost(use: list[dict[str, Any]]) -> str:
    return "What a decision costs, on average:\n\n" + table(
        ["agent", "model calls", "iterations", "depth", "CPU ms"],
        [
            [
                one["agent"],
                f"{one['calls']['mean']:.1f}",
                f"{one['iterations']['mean']:.1f}",
                f"{one['depth']['mean']:.1f}",
                f"{one['cpu_ms']['mean']:.3g}",
            ]
            for one in use
        ],
    )


def faults(found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    rows = table(
        ["agent", "budget", "kind", "times", "first in match", "message"],
        [
            [one["agent"], one["budget"], one["kind"], one["times"], one["match"], one["message"]]
            for one in found
        ],
    )
    traces = [indented(one["trace"]) for one in found if "trace" in one]
    return "\n\n".join(["## Faults", rows, *traces])


def indented(text: str) -> str:
    r"""A text of several lines as a block of code, in which nothing is obeyed.

    >>> print(indented("a\n\n```b"))
        a
    <BLANKLINE>
        ```b
    """
    return "\n".join(f"    {line}".rstrip() for line in printable(text).splitlines())


def abandoned(found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    lines = [f"- match {one['match']}: {escaped(one['reason'])}" for one in found]
    return "## Not played\n\n" + "\n".join(lines)
