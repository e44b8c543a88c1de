"""`ludex hearthstone learn` and its like: players that learn, and how good they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.cli.options import Games, Json, Workers, check_writable, read_choice, whole

TRADES = ("released", "text")
CARDS = ("nora2015", "classic")
RIVALS = ("random", "scripted")
PRINTED = {"random": "92.8 %", "scripted": "10.5 %"}  # D. Taralla 2015, tables 5.1 and 5.2

File = Annotated[Path, typer.Argument(metavar="FILE", help="Where the forests go (.npz).")]
Learned = Annotated[Path, typer.Argument(metavar="FILE", help="What has been learned (.npz).")]
Seed = Annotated[
    int, typer.Option(parser=whole("--seed", 0, 1_000_000), metavar="N", help="Of games and trees.")
]
Trees = Annotated[
    int, typer.Option(parser=whole("--trees", 1, 1_000), metavar="N", help="In each forest.")
]
Trade = Annotated[
    str, typer.Option(metavar="|".join(TRADES), help="Which reading of the trade term.")
]
OneHot = Annotated[bool, typer.Option("--one-hot", help="A place for each targeted action.")]
Cards = Annotated[
    str, typer.Option(metavar="|".join(CARDS), help="Swipe and Claw as released, or as printed.")
]
SilenceApart = Annotated[
    bool, typer.Option("--silence-apart", help="Silenced minions are not told as enchanted.")
]

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
    from ludex.cli import screen
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
    samples: Annotated[
        int,
        typer.Option(
            parser=whole("--samples", 10, 400_000),
            metavar="N",
            help="Of each class, for each forest.",
        ),
    ] = 30_000,
    trees: Trees = 100,
    least: Annotated[
        int,
        typer.Option(
            parser=whole("--least", 1, 1_000),
            metavar="N",
            help="Rows in the smallest leaf; 1 as published.",
        ),
    ] = 10,
    seed: Seed = 0,
    trade: Trade = "released",
    one_hot: OneHot = False,
    two_step: Annotated[
        bool, typer.Option("--two-step", help="Choose targets well where playing is learned.")
    ] = False,
    cards: Cards = CARDS[0],
    silence_apart: SilenceApart = False,
    test_from_same_run: Annotated[
        bool,
        typer.Option("--test-from-same-run", help="Judge by later games of the same seed."),
    ] = False,
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
    from ludex.agents.hearthstone.learning.samples import read_manifest, stored
    from ludex.cli import screen
    from ludex.core.errors import BadParameter

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
        kept = read_manifest(folder)
        for name, option in SHARED_WITH_SAMPLES.items():
            if kept.get(name) != getattr(recipe, name):
                raise BadParameter(
                    f"the samples in {str(folder)!r} were made with another {option}"
                )
    with told(json) as tell:
        found = stored(folder) if folder is not None else None
        forests, judged = grow_forests(recipe, tell, workers, found)
    save(file, forests, recipe, judged)
    nodes = {group: forest.nodes for group, forest in forests.items()}
    if json:
        answer = {"file": str(file), "recipe": asdict(recipe), "judged": judged, "nodes": nodes}
        screen.print_json(answer)
        return
    show_areas(judged, nodes)


def assess(
    file: Learned,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where curves.csv and curves.svg go.")
    ] = Path(),
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Draw the ROC and precision-recall curves of Nora's forests on new games."""
    from ludex.agents.hearthstone.learning import curve_plot, forest_file
    from ludex.agents.hearthstone.learning.nora import Recipe
    from ludex.agents.hearthstone.learning.nora import assess as rank
    from ludex.cli import screen
    from ludex.core.whole_file import write_whole

    for name in ("curves.csv", "curves.svg"):
        check_writable(out / name)
    forests, facts = forest_file.read(file, "nora")
    with told(json) as tell:
        found = rank(forests, Recipe(**facts["recipe"]), tell, workers)
    write_whole(out / "curves.csv", curve_plot.as_csv(found).encode())
    write_whole(out / "curves.svg", curve_plot.as_svg(found).encode())
    judged = {group: one.areas() for group, one in found.items()}
    if json:
        screen.print_json({"file": str(file), "judged": judged})
        return
    show_areas(judged, {group: forest.nodes for group, forest in forests.items()})
    screen.answers().print(screen.line(f"the curves are in {out / 'curves.svg'}"))


def show_areas(judged: dict[str, Any], nodes: dict[str, int]) -> None:
    from ludex.cli import screen

    shown = screen.table("on games it has not seen", "forest", "ROC area", "PR area", "nodes")
    for group, areas in judged.items():
        row = (f"{areas['roc_auc']:.3f}", f"{areas['average_precision']:.3f}")
        shown.add_row(group, *row, f"{nodes[group]:,}")
    screen.answers().print(shown)


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
    from ludex.cli import screen

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
    from ludex.cli import screen

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


def compare(
    file: Learned,
    games: Games = 1_000,
    threshold: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Least confidence; as the player has it if not given."),
    ] = None,
    seed: Seed = 1,
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Play a learned player against the random and the scripted one."""
    from dataclasses import asdict

    from ludex.agents.hearthstone import _native
    from ludex.agents.hearthstone.learning.forest_player import prepared
    from ludex.agents.hearthstone.learning.matches import play_matches
    from ludex.agents.hearthstone.learning.nora import MATCH_WORLD
    from ludex.agents.hearthstone.learning.samples import world_model
    from ludex.arena.statistics.intervals import wilson
    from ludex.cli import screen

    learned = prepared(MATCH_WORLD, str(file), None, threshold)
    model = world_model(MATCH_WORLD)
    rivals = {"random": _native.Chooser.random(), "scripted": _native.Chooser.scripted()}
    rows: list[dict[str, Any]] = []
    with told(json) as tell:
        for name, rival in rivals.items():
            tally = play_matches(
                model,
                learned.chooser,
                rival,
                games,
                seed,
                workers,
                lambda done, name=name: tell(f"against {name}", done / games),  # type: ignore[misc]
            )
            low, high = wilson(tally.won, games)
            rows.append({"rival": name, **asdict(tally), "low": low, "high": high})
    if json:
        screen.print_json({"file": str(file), "player": learned.kind, "results": rows})
        return
    shown = screen.table(learned.kind, "against", "won", "95 % range", "drawn", "Nora, printed")
    for row in rows:
        spread = f"{screen.percent(row['low'])} - {screen.percent(row['high'])}"
        won = screen.percent(row["won"] / games)
        shown.add_row(row["rival"], won, spread, str(row["drawn"]), PRINTED[row["rival"]])
    screen.answers().print(shown)


def thoughts(
    file: Learned,
    against: Annotated[str, typer.Option(metavar="|".join(RIVALS), help="The rival.")] = "scripted",
    seed: Seed = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also as JSON lines, one for a decision.")
    ] = None,
    json: Json = False,
) -> None:
    """Play one game of Nora and write down how sure it was of everything it could do."""
    from json import dumps

    from ludex.agents.hearthstone import _native
    from ludex.agents.hearthstone.learning.forest_player import prepared
    from ludex.agents.hearthstone.learning.nora import MATCH_WORLD
    from ludex.agents.hearthstone.learning.thoughts import game_aloud, in_words
    from ludex.cli import screen
    from ludex.core import registry
    from ludex.core.whole_file import write_whole

    read_choice(against, RIVALS, "rival")
    if out is not None:
        check_writable(out)
    nora = prepared(MATCH_WORLD, str(file), "nora").nora
    assert nora is not None
    world: Any = registry.world(MATCH_WORLD)
    rival = getattr(_native.Chooser, against)()
    decisions = list(game_aloud(world.model, world.tables, nora, rival, seed))
    if out is not None:
        write_whole(out, "".join(f"{dumps(one)}\n" for one in decisions).encode())
    if json:
        screen.print_json({"file": str(file), "against": against, "decisions": decisions})
        return
    for one in decisions:
        for line in in_words(one):
            screen.answers().print(screen.line(line), soft_wrap=True)


@contextmanager
def told(quiet: bool) -> Iterator[Callable[[str, float], None]]:
    """A bar of progress for work that says what it does and which share of it is done."""
    from ludex.cli import screen

    with screen.progress(screen.messages(), quiet) as bar:
        task = bar.add_task("learning", total=1.0)
        yield lambda what, share: bar.update(task, description=what, completed=share)


def check_forest_file(file: Path) -> None:
    from ludex.core.errors import BadParameter

    if file.suffix != ".npz":
        raise BadParameter(f"forests go into a file that ends in .npz, not {str(file)!r}")
    check_writable(file)
