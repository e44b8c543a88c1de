"""`ludex hearthstone`: tools for authors of cards and decks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.cli.options import Json, check_writable, counted, read_choice

FAILED = 1
PRINTED = {"random": "92.8 %", "scripted": "10.5 %"}  # D. Taralla 2015, tables 5.1 and 5.2
hearthstone = typer.Typer(help="Check cards and decks of one's own.", no_args_is_help=True)


@hearthstone.command()
def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A card file (.cards) or a deck (.deck).")
    ],
    cards: Annotated[
        str, typer.Option(metavar="PROFILE", help="The cards it is read after.")
    ] = "classic",
    json: Json = False,
) -> None:
    """Find the first mistake in a file of cards or in a deck."""
    from ludex.cli import screen
    from ludex.core.errors import BadParameter, LudexError
    from ludex.worlds.hearthstone import decks, profiles

    read_choice(cards, list(profiles.PROFILES), "profile of cards")
    if not file.is_file():
        raise BadParameter(f"there is no file {str(file)!r}")
    answer: dict[str, Any] = {"file": str(file), "passed": True, "problem": None}
    try:
        if file.suffix == ".deck":
            deck = decks.load(str(file), profiles.load(cards))
            answer["found"] = f"a {deck.hero} deck of {counted(len(deck.cards), 'card')}"
        else:
            tables = profiles.load(cards, (str(file),))
            own = [card for card in tables.cards if card.profile == "own"]
            answer["found"] = counted(len(own), "card")
    except LudexError as error:
        answer |= {"passed": False, "problem": str(error)}
    if json:
        screen.print_json(answer)
    elif answer["passed"]:
        screen.answers().print(screen.line(("fine", "bold green"), f": {answer['found']}"))
    else:
        screen.answers().print(screen.line(("error", "bold red"), f": {answer['problem']}"))
    if not answer["passed"]:
        raise typer.Exit(FAILED)


@hearthstone.command()
def learn(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the forests go (.npz).")],
    samples: Annotated[
        int, typer.Option(min=10, max=400_000, help="Of each class, for each forest.")
    ] = 30_000,
    trees: Annotated[int, typer.Option(min=1, max=1_000, help="In each forest.")] = 100,
    least: Annotated[
        int, typer.Option(min=1, max=1_000, help="Rows in the smallest leaf; 1 as published.")
    ] = 10,
    seed: Annotated[int, typer.Option(min=0, max=1_000, help="Of games and trees.")] = 0,
    trade: Annotated[
        str, typer.Option(metavar="released|text", help="Which reading of the trade term.")
    ] = "released",
    one_hot: Annotated[
        bool, typer.Option("--one-hot", help="A place for each targeted action.")
    ] = False,
    two_step: Annotated[
        bool, typer.Option("--two-step", help="Choose targets well where playing is learned.")
    ] = False,
    json: Json = False,
) -> None:
    """Let Nora learn from random games, and say how well it judges new ones."""
    from dataclasses import asdict

    from ludex.agents.hearthstone.parts.learning import Recipe, save
    from ludex.agents.hearthstone.parts.learning import learn as grow_forests
    from ludex.cli import screen

    read_choice(trade, ("released", "text"), "reading of the trade term")
    check_forest_file(file)
    recipe = Recipe(samples, trees, least, seed, trade == "released", one_hot, two_step)
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task("learning", total=1.0)
        forests, judged = grow_forests(
            recipe, lambda what, share: bar.update(task, description=what, completed=share)
        )
    save(file, forests, recipe, judged)
    nodes = {group: forest.nodes for group, forest in forests.items()}
    answer = {"file": str(file), "recipe": asdict(recipe), "judged": judged, "nodes": nodes}
    if json:
        screen.print_json(answer)
        return
    shown = screen.table("on games it has not seen", "forest", "ROC area", "PR area", "nodes")
    for group, areas in judged.items():
        row = (f"{areas['roc_auc']:.3f}", f"{areas['average_precision']:.3f}")
        shown.add_row(group, *row, f"{nodes[group]:,}")
    screen.answers().print(shown)


@hearthstone.command()
def improve(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the forest goes (.npz).")],
    pairs: Annotated[
        int, typer.Option(min=10, max=10_000_000, help="Decisions that are tried twice.")
    ] = 100_000,
    trees: Annotated[int, typer.Option(min=1, max=1_000, help="In the forest.")] = 100,
    seed: Annotated[int, typer.Option(min=0, max=1_000, help="Of games and trees.")] = 0,
    json: Json = False,
) -> None:
    """Let the apprentice learn where the scripted player errs."""
    from ludex.agents.hearthstone.parts.improving import learn as learn_corrections
    from ludex.agents.hearthstone.parts.improving import save
    from ludex.cli import screen

    check_forest_file(file)
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task("trying", total=1.0)
        forest, judged = learn_corrections(
            pairs,
            trees,
            seed,
            lambda what, share: bar.update(task, description=what, completed=share),
        )
    save(file, forest, judged)
    if json:
        screen.print_json({"file": str(file), "judged": judged, "nodes": forest.nodes})
        return
    text = f"{judged['rows']:,} decisions made a difference; ROC area {judged['roc_auc']:.3f}"
    screen.answers().print(screen.line(text))


def check_forest_file(file: Path) -> None:
    from ludex.core.errors import BadParameter

    if file.suffix != ".npz":
        raise BadParameter(f"forests go into a file that ends in .npz, not {str(file)!r}")
    check_writable(file)


@hearthstone.command()
def compare(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `learn` has written.")],
    games: Annotated[int, typer.Option(min=1, max=100_000, help="Against each.")] = 1_000,
    threshold: Annotated[float, typer.Option(min=0.0, max=1.0, help="Least confidence.")] = 0.0,
    seed: Annotated[int, typer.Option(min=0, max=1_000_000, help="Of the games.")] = 1,
    json: Json = False,
) -> None:
    """Play Nora against the random and the scripted player, beside the printed results."""
    from ludex.agents.hearthstone.nora import prepared
    from ludex.agents.hearthstone.parts.learning import MATCH_WORLD, world_model
    from ludex.arena.statistics import wilson
    from ludex.cli import screen

    model = world_model(MATCH_WORLD)
    nora = prepared(MATCH_WORLD, str(file), threshold)
    rows: list[dict[str, Any]] = []
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task("playing", total=2 * games)
        for rival in ("random", "scripted"):
            outcomes: list[int] = []
            while len(outcomes) < games:
                part = min(100, games - len(outcomes))
                outcomes += model.matches("nora", rival, seed, len(outcomes), part, nora)
                bar.advance(task, part)
            won, drawn = outcomes.count(1), outcomes.count(2)
            low, high = wilson(won, games)
            rows.append(
                {
                    "rival": rival,
                    "games": games,
                    "won": won,
                    "drawn": drawn,
                    "low": low,
                    "high": high,
                }
            )
    if json:
        screen.print_json({"file": str(file), "threshold": threshold, "results": rows})
        return
    shown = screen.table("nora", "against", "won", "95 % range", "drawn", "printed")
    for row in rows:
        percent = f"{100 * row['won'] / games:.1f} %"
        spread = f"{100 * row['low']:.1f} - {100 * row['high']:.1f} %"
        shown.add_row(row["rival"], percent, spread, str(row["drawn"]), PRINTED[row["rival"]])
    screen.answers().print(shown)
