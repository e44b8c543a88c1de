"""`ludex arena sprt`: play until it is clear whether one agent is better than another."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.options import (
    Json,
    Level,
    Seed,
    Workers,
    counted,
    read_level,
    read_world,
    whole,
)

if TYPE_CHECKING:
    from ludex.arena.statistics.sprt import Sprt
    from ludex.arena.study.contest import Contest

STYLES = {"better": "green", "not better": "yellow", "undecided": "dim"}


def sprt(
    first: Annotated[str, typer.Argument(metavar="A", help="The agent that may be better.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The agent it is compared with.")],
    world: Annotated[str, typer.Argument(metavar="WORLD", help="What they play.")],
    level: Level = None,
    budget: Annotated[str, typer.Option(help="For each decision.")] = "40ms",
    elo0: Annotated[float, typer.Option(help="Not better: by at most so many points.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="Better: by at least so many points.")] = 50.0,
    alpha: Annotated[float, typer.Option(help="Chance of a false 'better'.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance of a false 'not better'.")] = 0.05,
    pairs: Annotated[
        int,
        typer.Option(
            parser=whole("--pairs", 1, 1_000_000), metavar="N", help="Give up after so many."
        ),
    ] = 1000,
    seed: Seed = "0",
    workers: Workers = 2,
    notes: Annotated[
        Path | None, typer.Option(help="Keep results here; the same command goes on with them.")
    ] = None,
    json: Json = False,
) -> None:
    """Play pairs of games until it is clear whether A is better than B."""
    from ludex.arena.statistics.sprt import Sprt
    from ludex.arena.study.contest import Contest, hold
    from ludex.cli.shared import screen
    from ludex.core.rng import read_seed

    place = str(read_level(read_world(world), level))
    contest = Contest(first, second, place, budget, read_seed(seed))
    test = Sprt(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    interrupted = False
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task(f"{first} v {second}", total=pairs)
        try:
            for _ in hold(contest, test, pairs, workers, notes):
                bar.update(task, completed=test.pairs, description=line_of(test))
        except KeyboardInterrupt:
            interrupted = True
    if json:
        screen.print_json({**document(contest, test), "interrupted": interrupted})
    else:
        show(contest, test)
    if interrupted:
        raise typer.Exit(screen.INTERRUPTED)


def line_of(test: Sprt) -> str:
    low, high = test.bounds
    return f"log ratio {test.ratio:+.2f} in {low:.2f} to {high:.2f}"


def document(contest: Contest, test: Sprt) -> dict[str, Any]:
    from ludex.arena.statistics.sprt import elo_of

    elo = elo_of(test.mean)
    return {
        "agents": [contest.first, contest.second],
        "world": contest.world,
        "budget": contest.budget,
        "seed": contest.seed,
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "pairs": test.pairs,
        "results": {f"{result:g}": number for result, number in sorted(test.counts.items())},
        "mean": test.mean,
        "elo": elo if math.isfinite(elo) else None,
        "log_ratio": test.ratio,
        "bounds": list(test.bounds),
        "verdict": test.verdict,
    }


def show(contest: Contest, test: Sprt) -> None:
    from ludex.arena.statistics.sprt import elo_of
    from ludex.cli.shared import screen

    console = screen.answers()
    low, high = test.bounds
    sentence = {
        "better": f"is better than {contest.second} by {test.elo1:g} points or more, not by "
        f"{test.elo0:g} or less",
        "not better": f"is better than {contest.second} by {test.elo0:g} points or less, not by "
        f"{test.elo1:g} or more",
        "undecided": f"may be better than {contest.second}, or not: more pairs are needed",
    }[test.verdict]
    console.print(
        screen.line((f"{test.verdict}: ", STYLES[test.verdict]), f"{contest.first} {sentence}"),
        soft_wrap=True,
    )
    results = ", ".join(f"{result:g} x {number}" for result, number in sorted(test.counts.items()))
    console.print(
        f"{counted(test.pairs, 'pair')} in {contest.world} at {contest.budget}; "
        f"mean result {test.mean:.3f} ({elo_of(test.mean):+.0f} Elo); {results}",
        soft_wrap=True,
    )
    console.print(
        f"log likelihood ratio {test.ratio:+.3f}, decided at {low:.3f} or {high:.3f}", style="dim"
    )
