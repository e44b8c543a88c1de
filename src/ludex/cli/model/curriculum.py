"""`ludex model curriculum`: compare schedules of training levels on levels that are held out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.model.coverage import training_levels
from ludex.cli.model.fit import read_learner
from ludex.cli.shared.options import Json, read_choice, whole

if TYPE_CHECKING:
    from ludex.models.learned.curriculum.comparison import HeldOut

FEWEST_LEVELS = 3  # one to hold out, and two to choose between


def curriculum(
    world: Annotated[str, typer.Argument(metavar="GAME", help="A game with levels.")],
    levels: Annotated[
        str, typer.Option(metavar="LIST", help="Levels in their order; each is held out in turn.")
    ],
    learner: Annotated[
        str, typer.Option("--model", metavar="MODEL", help="As in local(span=2).")
    ] = "local(span=1)",
    schedules: Annotated[
        str, typer.Option(metavar="LIST", help="Some of fixed,uniform,novelty,gradual,success.")
    ] = "fixed,uniform,novelty,gradual,success",
    rounds: Annotated[
        int | None,
        typer.Option(
            parser=whole("--rounds", 1, 1000), metavar="N", help="If not given, one a level."
        ),
    ] = None,
    steps: Annotated[
        int,
        typer.Option(
            parser=whole("--steps", 1, 1_000_000), metavar="N", help="Random moves of a round."
        ),
    ] = 100,
    seeds: Annotated[
        int, typer.Option(parser=whole("--seeds", 1, 10_000), metavar="N", help="How many.")
    ] = 5,
    json: Json = False,
) -> None:
    """Train on all levels but one by each schedule, and predict random play of that one."""
    from ludex.cli.shared import screen
    from ludex.core.errors import BadParameter
    from ludex.models.learned.curriculum.comparison import Comparison
    from ludex.models.learned.curriculum.curriculum import Curriculum
    from ludex.models.learned.curriculum.schedules import SCHEDULES

    names: list[Any] = [read_choice(one, SCHEDULES, "schedule") for one in schedules.split(",")]
    found = training_levels(world, levels, "--levels", 0)
    if len(found) < FEWEST_LEVELS:
        raise BadParameter(
            f"--levels needs at least {FEWEST_LEVELS} levels, one to hold out and two to choose "
            f"between, got {levels!r}"
        )
    most = len(found) - 1 if rounds is None else rounds
    made = read_learner(learner)
    comparison = Comparison(made, found, Curriculum(rounds=most, steps=steps), names, range(seeds))
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task("training", total=seeds * len(found) * len(names))
        results = list(comparison.runs(lambda: bar.advance(task)))
    document = [summary(results, name, number + 1) for name in names for number in range(most)]
    if json:
        screen.print_json({"levels": [one.name for one in found], "results": document})
    else:
        tell(document, names, most)


def summary(results: list[HeldOut], schedule: str, rounds: int) -> dict[str, Any]:
    """Means over seeds and held-out levels, with the difference from the first schedule."""
    from ludex.experiments.estimates import mean_value

    def of(name: str) -> dict[tuple[int, int], HeldOut]:
        return {
            (one.seed, one.held_out): one
            for one in results
            if one.schedule == name and one.rounds == rounds
        }

    mine, first = of(schedule), of(results[0].schedule)
    document: dict[str, Any] = {"schedule": schedule, "rounds": rounds, "cases": len(mine)}
    for measure in measures(results):
        values = {case: one.accuracy[measure] for case, one in mine.items()}
        apart = mean_value(
            [value - first[case].accuracy[measure] for case, value in values.items()]
        )
        document[measure] = round(mean_value(list(values.values())).mean, 4)
        document[f"{measure}_gain"] = round(apart.mean, 4)
        document[f"{measure}_interval"] = [round(apart.low, 4), round(apart.high, 4)]
    return document


def measures(results: list[HeldOut]) -> list[str]:
    """The accuracy of changes, of whole states, and the share that was seen before."""
    wanted = ("changed_cells", "changed_things", "grids", "states", "seen")
    return [name for name in wanted if name in results[0].accuracy]


def tell(document: list[dict[str, Any]], names: list[str], most: int) -> None:
    from ludex.cli.shared import screen

    wanted = [name for name in document[0] if f"{name}_gain" in document[0]]
    table = screen.table(
        "on the level held out", "schedule", "rounds", *wanted, right=("rounds", *wanted)
    )
    for number in range(most):
        for row in document[number::most]:
            cells = [in_words(row, measure, names[0]) for measure in wanted]
            table.add_row(row["schedule"], str(row["rounds"]), *cells)
    console = screen.answers()
    console.print(table)
    console.print(
        f"{document[0]['cases']} cases each (seeds x levels held out); in brackets the 95 % "
        f"interval of the difference from {names[0]}",
        soft_wrap=True,
    )


def in_words(row: dict[str, Any], measure: str, first: str) -> str:
    low, high = row[f"{measure}_interval"]
    apart = "" if row["schedule"] == first else f" ({low:+.2f}..{high:+.2f})"
    return f"{row[measure]:.3f}{apart}"
