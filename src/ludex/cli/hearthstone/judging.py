"""`ludex hearthstone assess`, `compare` and `thoughts`: how good learned players are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.cli.hearthstone.options import Learned, Seed, told
from ludex.cli.shared.options import Games, Json, Workers, check_writable, read_choice

RIVALS = ("random", "scripted")
PRINTED = {"random": "92.8 %", "scripted": "10.5 %"}  # D. Taralla 2015, tables 5.1 and 5.2


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
    from ludex.cli.shared import screen
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
    from ludex.cli.shared import screen

    shown = screen.table("on games it has not seen", "forest", "ROC area", "PR area", "nodes")
    for group, areas in judged.items():
        row = (f"{areas['roc_auc']:.3f}", f"{areas['average_precision']:.3f}")
        shown.add_row(group, *row, f"{nodes[group]:,}")
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
    from ludex.cli.shared import screen

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
    from ludex.cli.shared import screen
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
