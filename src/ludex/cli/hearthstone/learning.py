"""`ludex hearthstone samples`, `learn`, `improve` and `iterate`: players that learn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli.hearthstone.judging import show_areas
from ludex.cli.hearthstone.options import (
    CARDS,
    TRADES,
    Cards,
    File,
    Least,
    OneHot,
    Samples,
    Seed,
    SilenceApart,
    TestFromSameRun,
    Trade,
    Trees,
    TwoStep,
    check_forest_file,
    told,
)
from ludex.cli.shared.options import Games, Json, Workers, read_choice, whole

if TYPE_CHECKING:
    from ludex.agents.hearthstone.learning.nora import Recipe

SHARED_WITH_SAMPLES = {
    "released": "--trade",
    "one_hot": "--one-hot",
    "cards": "--cards",
    "silence_counts_as_enchanted": "--silence-apart",
}
"""what forests and the samples they are grown from must have in common"""


def samples(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the samples go.")],
    games: Games = 10_000,
    seed: Seed = 1,
    trade: Trade = "released",
    one_hot: OneHot = False,
    cards: Cards = CARDS[0],
    silence_apart: SilenceApart = False,
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Play random games and keep samples of them as Parquet files; goes on where it stopped."""
    from ludex.agents.hearthstone.learning.samples import SHARD, SampleSource, generate
    from ludex.cli.shared import screen
    from ludex.core.errors import BadParameter

    read_choice(trade, TRADES, "reading of the trade term")
    if folder.exists() and not folder.is_dir():
        raise BadParameter(f"{str(folder)!r} is a file; samples go into a folder")
    read_choice(cards, CARDS, "profile of cards")
    source = SampleSource(seed, trade == "released", one_hot, cards, not silence_apart)
    made = 0
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task("playing", total=-(-games // SHARD) * SHARD)
        for made in generate(folder, source, games, workers):
            bar.update(task, completed=made)
    if json:
        screen.print_json({"folder": str(folder), "games": made})
    else:
        screen.answers().print(screen.line(f"samples of {made:,} games are in {folder}"))


def learn(
    file: File,
    samples: Samples = 30_000,
    trees: Trees = 100,
    least: Least = 10,
    seed: Seed = 0,
    trade: Trade = "released",
    one_hot: OneHot = False,
    two_step: TwoStep = False,
    cards: Cards = CARDS[0],
    silence_apart: SilenceApart = False,
    test_from_same_run: TestFromSameRun = False,
    folder: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR", help="Take samples from here; else they are made."),
    ] = None,
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Let Nora learn from random games, and say how well it judges new ones."""
    from dataclasses import asdict

    from ludex.agents.hearthstone.learning.nora import Recipe, save
    from ludex.agents.hearthstone.learning.nora import learn as grow_forests
    from ludex.agents.hearthstone.learning.samples import stored
    from ludex.cli.shared import screen

    read_choice(trade, TRADES, "reading of the trade term")
    check_forest_file(file)
    read_choice(cards, CARDS, "profile of cards")
    recipe = Recipe(
        samples=samples,
        trees=trees,
        least=least,
        seed=seed,
        released=trade == "released",
        one_hot=one_hot,
        two_step=two_step,
        cards=cards,
        test_from_same_run=test_from_same_run,
        silence_counts_as_enchanted=not silence_apart,
    )
    if folder is not None:
        check_samples(folder, recipe)
    with told(json) as tell:
        found = stored(folder) if folder is not None else None
        forests, judged = grow_forests(recipe, tell, workers, found)
    save(file, forests, recipe, judged)
    nodes = {group: forest.nodes for group, forest in forests.items()}
    if json:
        answer = {"file": str(file), "recipe": asdict(recipe), "judged": judged, "nodes": nodes}
        screen.print_json(answer)
    else:
        show_areas(judged, nodes)


def check_samples(folder: Path, recipe: Recipe) -> None:
    """Raise unless the samples in a folder suit the forests that are to be grown from them."""
    from ludex.agents.hearthstone.learning.samples import read_manifest
    from ludex.core.errors import BadParameter

    kept = read_manifest(folder)
    for name, option in SHARED_WITH_SAMPLES.items():
        if kept.get(name) != getattr(recipe, name):
            raise BadParameter(f"the samples in {str(folder)!r} were made with another {option}")


def improve(
    file: File,
    pairs: Annotated[
        int,
        typer.Option(
            parser=whole("--pairs", 10, 10_000_000),
            metavar="N",
            help="Decisions that are tried twice.",
        ),
    ] = 100_000,
    trees: Trees = 100,
    seed: Seed = 0,
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Let the apprentice learn where the scripted player errs."""
    from ludex.agents.hearthstone.learning.improving import learn as learn_corrections
    from ludex.agents.hearthstone.learning.improving import save
    from ludex.cli.shared import screen

    check_forest_file(file)
    with told(json) as tell:
        forest, judged = learn_corrections(pairs, trees, seed, tell, workers)
    save(file, forest, judged)
    if json:
        screen.print_json({"file": str(file), "judged": judged, "nodes": forest.nodes})
        return
    text = f"{judged['rows']:,} decisions made a difference; ROC area {judged['roc_auc']:.3f}"
    screen.answers().print(screen.line(text))


def iterate(
    file: File,
    steps: Annotated[
        int,
        typer.Option(
            parser=whole("--steps", 100, 10_000_000),
            metavar="N",
            help="Recorded steps for each forest.",
        ),
    ] = 100_000,
    levels: Annotated[
        bool, typer.Option("--levels", help="Value cards, attacks and what to do at all.")
    ] = False,
    rounds: Annotated[
        int,
        typer.Option(parser=whole("--rounds", 1, 1_000), metavar="N", help="Of fitted iteration."),
    ] = 30,
    trees: Trees = 50,
    seed: Seed = 0,
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Let a player learn values of actions by fitted Q iteration."""
    from ludex.agents.hearthstone.learning.iteration import IterationSettings
    from ludex.agents.hearthstone.learning.valuing import Values, save
    from ludex.agents.hearthstone.learning.valuing import learn as learn_values
    from ludex.cli.shared import screen

    check_forest_file(file)
    values = Values(
        steps, levels, settings=IterationSettings(rounds=rounds, trees=trees, seed=seed)
    )
    with told(json) as tell:
        forests, moves = learn_values(values, tell, workers)
    save(file, forests, values, moves)
    if json:
        screen.print_json({"file": str(file), "moves": moves})
        return
    shown = screen.table("how far values moved", "forest", "first round", "last round")
    for level, course in moves.items():
        shown.add_row(level, f"{course[0]:.4f}", f"{course[-1]:.6f}")
    screen.answers().print(shown)
