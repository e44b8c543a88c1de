"""Mistakes in a VGDL file that is played nevertheless, in a few lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.core.world import World
    from ludex.worlds.vgdl.language.definition import GameProblem

MOST_SHOWN = 6
MOST_WORDS = 8  # of mistakes that differ in a word alone
COLOURS = {"error": "bold red", "warning": "yellow"}
NOT_MAPPED = "{} is not mapped; nothing is created"


def name_mistakes(world: World) -> None:
    """Name the mistakes in a game file of the user's own on standard error, equal ones once."""
    from ludex.cli.shared import screen
    from ludex.worlds.vgdl.world import Vgdl

    found = world.mistakes() if isinstance(world, Vgdl) else ()
    lines = grouped(found)
    for problem in lines[:MOST_SHOWN]:
        print_problem(problem)
    if len(lines) > MOST_SHOWN:
        assert isinstance(world, Vgdl)
        more = f"and {len(lines) - MOST_SHOWN} more: ludex vgdl check {world.game}"
        screen.messages().print(screen.line((more, "yellow")), soft_wrap=True)


def print_problem(problem: GameProblem) -> None:
    from ludex.cli.shared import screen

    place, _, rest = str(problem).partition(": ")
    word = (problem.severity, COLOURS[problem.severity])
    screen.messages().print(screen.line(f"{place}: ", word, f": {rest}"), soft_wrap=True)


def grouped(problems: Iterable[GameProblem]) -> list[GameProblem]:
    """The problems, those that differ in nothing but place and word as one at the first place."""
    groups: dict[tuple[str, str, str], list[GameProblem]] = {}
    for problem in problems:
        kind = problem.reason.replace(repr(problem.word), "{}") if problem.word else problem.reason
        groups.setdefault((problem.file, problem.severity, kind), []).append(problem)
    return [
        together(kind, same) if len(same) > 1 else same[0] for (_, _, kind), same in groups.items()
    ]


def together(kind: str, same: list[GameProblem]) -> GameProblem:
    """Several mistakes of a kind in a sentence."""
    words = list(dict.fromkeys(repr(one.word) for one in same))
    listed = ", ".join(words[:MOST_WORDS]) + ", ..." * (len(words) > MOST_WORDS)
    first = same[0]
    if kind == NOT_MAPPED and len(words) > 1:
        reason = f"{len(words)} letters are not mapped: {listed}; nothing is created for them"
        return replace(first, reason=reason)
    told = f"{first.reason}{first.suggestion}"
    if len(words) > 1 and "{}" in kind:
        return replace(first, reason=f"{told} (and {len(words) - 1} more: {listed})", suggestion="")
    return replace(first, reason=f"{told} ({len(same)} times)", suggestion="")
