"""`ludex model coverage`: which local patterns levels offer, and how they cover others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.model.fit import first_view
from ludex.cli.shared.options import Json, read_choice, read_world, whole

if TYPE_CHECKING:
    from ludex.models.learned.curriculum.levels import PatternReport, TrainingLevel
    from ludex.models.learned.curriculum.patterns import Patterns, PatternSpace

MOST_LEVELS = 1000
MISSING_SHOWN = 8  # contents of cells


def coverage(
    world: Annotated[str, typer.Argument(metavar="GAME", help="A game with levels.")],
    levels: Annotated[
        str, typer.Option(metavar="LIST", help="Training levels in their order, as in 0-3,5.")
    ],
    target: Annotated[
        str, typer.Option(metavar="LIST", help="Levels to be covered by them, as in 4.")
    ] = "",
    shape: Annotated[str, typer.Option(help="Of neighbourhoods: cross, diamond, square.")] = (
        "square"
    ),
    span: Annotated[
        int, typer.Option(parser=whole("--span", 0, 7), metavar="N", help="Their radius in cells.")
    ] = 1,
    steps: Annotated[
        int,
        typer.Option(
            parser=whole("--steps", 0, 1_000_000), metavar="N", help="Random moves on each level."
        ),
    ] = 500,
    data: Annotated[
        Path | None,
        typer.Option(metavar="MODEL", help="A fitted local model: its data count as visited."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Where chance starts.")] = 0,
    json: Json = False,
) -> None:
    """Count the local patterns (a cell's neighbourhood, and the action) that levels offer.

    A local model has to guess what no training level has shown.
    """
    from ludex.cli.shared import screen
    from ludex.core.rng import Rng
    from ludex.models.learned.curriculum.levels import pattern_report

    space, known = space_and_data(shape, span, data)
    training = training_levels(world, levels, "--levels", seed)
    wanted = training_levels(world, target, "--target", seed) if target else []
    report = pattern_report(space, training, wanted, steps, Rng(seed), known)
    if json:
        screen.print_json(document_of(report))
    else:
        tell(report, world)


def space_and_data(shape: str, span: int, data: Path | None) -> tuple[PatternSpace, Patterns]:
    """The patterns that count, and those of a model file, whose shape and span then count."""
    from collections import Counter

    from ludex.core.errors import BadParameter
    from ludex.models.learned.curriculum.patterns import PatternSpace
    from ludex.models.learned.local import Local
    from ludex.models.learned.training.files import load

    if data is None:
        known = ("cross", "diamond", "square")
        chosen: Any = read_choice(shape, known, "shape of neighbourhoods")
        return PatternSpace(chosen, span), Counter()
    learner = load(data, Local)
    if (shape, span) not in (("square", 1), (learner.shape, learner.span)):
        raise BadParameter(
            f"{str(data)!r} holds patterns with shape={learner.shape} and span={learner.span}; "
            "leave --shape and --span out"
        )
    space = PatternSpace.of(learner)
    return space, space.learned(learner)


def training_levels(text: str, levels: str, option: str, seed: int) -> list[TrainingLevel]:
    """The levels of a game that a list such as 0-3,5 names."""
    from ludex.core.capabilities import HasLevels
    from ludex.core.errors import BadParameter
    from ludex.models.learned.curriculum.levels import TrainingLevel

    if not isinstance(read_world(text), HasLevels):
        raise BadParameter(f"{text} has no levels; name a game that has, such as vgdl/sokoban")
    worlds = {number: read_world(text, number) for number in read_levels(levels, option)}
    return [
        TrainingLevel(str(number), world.model, first_view(world, seed))
        for number, world in worlds.items()
    ]


def read_levels(text: str, option: str) -> list[int]:
    """Read a list of levels such as 0-3,5."""
    from ludex.core.errors import BadParameter

    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise BadParameter(f"{option} is a list of levels such as 0-3,5, got {text!r}")
        found += range(int(first), int(last or first) + 1)
        if len(found) > MOST_LEVELS:
            raise BadParameter(f"{option} names at most {MOST_LEVELS} levels, got {text!r}")
    if not found or len(set(found)) < len(found):
        raise BadParameter(
            f"{option} names every level once, and at least one, as in 0-3,5; got {text!r}"
        )
    return found


def document_of(report: PatternReport) -> dict[str, Any]:
    """The JSON document of a report."""
    document: dict[str, Any] = {
        "cells": len(report.space.cells),
        "offered": len(report.offered),
        "visited": len(report.visited),
        "levels": [one.as_json() for one in report.levels],
    }
    if report.target:
        document["target"] = len(report.target)
        document["missing"] = [
            {"cell": list(one.content), "missing": one.missing, "of": one.patterns}
            for one in report.space.missing(report.target, report.offered)
        ]
    return document


def tell(report: PatternReport, world: str) -> None:
    from ludex.cli.shared import screen

    heads = ["offers", "new", "elsewhere", "visited"]
    heads += ["covers"] if report.target else []
    heads += ["of play", "of cells"] if report.target_visited else []
    table = screen.table(f"local patterns of {world}", "level", *heads, right=tuple(heads))
    for one in report.levels:
        cells = [str(one.offered), str(one.new), f"{one.elsewhere.share:.0%}", str(one.visited)]
        if one.target_offered is not None:
            cells.append(f"{one.target_offered.share:.0%}")
        if one.target_visited is not None:
            cells.append(f"{one.target_visited.share:.0%}")
            cells.append(f"{one.target_visited.share_of_occurrences:.1%}")
        table.add_row(one.name, *cells)
    console = screen.answers()
    console.print(table)
    console.print(
        f"{len(report.offered)} patterns are offered by these levels, {len(report.visited)} were "
        "visited",
        soft_wrap=True,
    )
    for lack in report.space.missing(report.target, report.offered)[:MISSING_SHOWN]:
        content = " + ".join(lack.content) or "an empty cell"
        console.print(
            f"  not offered: {lack.missing} of {lack.patterns} patterns of the target around "
            f"{content}",
            soft_wrap=True,
        )
