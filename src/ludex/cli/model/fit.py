"""`ludex model fit`: fit a learned model to random play and keep it in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.options import Json, check_writable, read_world, whole

if TYPE_CHECKING:
    from ludex.core.world import World
    from ludex.models.learned.training.game_learner import GameLearner

NEW_STEPS = 500  # played after fitting, to see how much is predicted


def fit(
    worlds: Annotated[
        list[str], typer.Argument(metavar="WORLD...", help="Levels to learn from, one or more.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to keep it.")],
    learner: Annotated[
        str, typer.Option("--model", metavar="MODEL", help="As in local(span=2,classifier=forest).")
    ] = "local",
    steps: Annotated[
        int,
        typer.Option(
            parser=whole("--steps", 1, 1_000_000), metavar="N", help="Random moves in each world."
        ),
    ] = 2000,
    seed: Annotated[int, typer.Option(help="Where chance starts.")] = 0,
    json: Json = False,
) -> None:
    """Watch random play, learn from it, and keep what was learned in a file.

    A model that begins with a file, as in local(file=FILE), learns on.
    """
    from ludex.cli.shared import screen
    from ludex.models.learned.training.files import save
    from ludex.models.learned.training.transitions import random_play

    check_writable(out)
    made = read_learner(learner)
    found = [read_world(name) for name in worlds]
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task("watching", total=steps * len(found))
        for number, world in enumerate(found):
            view = first_view(world, seed)
            made.refuse(world.traits, view)
            for one in random_play(world.model, view, steps, dice(seed, number), made.restart):
                made.take(one)
                bar.advance(task)
        bar.update(task, description="fitting")
        made.learn_again()
    save(made, out, [str(world) for world in found])
    document = {"file": str(out), **described(made), "accuracy": accuracy(made, found[0], seed)}
    if json:
        screen.print_json(document)
    else:
        tell(document)


def read_learner(text: str) -> GameLearner:
    """A learner that can be kept, with what its file knows, if it begins with one."""
    from ludex.core import registry
    from ludex.core.capabilities import BeginsLearners, able
    from ludex.core.errors import BadParameter
    from ludex.core.names import read_named

    named = read_named(text, "()", "a model")
    part = registry.load("models", named.name).from_texts(named.arguments)
    if able(part, BeginsLearners) is None:
        raise BadParameter(
            f"{named.name} cannot be kept in a file; local can, as in --model 'local(span=2)'"
        )
    learner: GameLearner = part.from_file() if part.file else part
    learner.clone(file="").load_libraries()
    return learner


def first_view(world: World, seed: int) -> Any:
    return world.model.view(world.start(dice(seed, 0).fork("start")), 0)


def dice(seed: int, number: int) -> Any:
    from ludex.core.rng import Rng

    return Rng(seed).fork("fit", number)


def described(made: GameLearner) -> dict[str, Any]:
    return {
        "model": str(made),
        "transitions": made.seen_,
        **made.told(),
        "knows_rewards": made.reward_model_.knows_rewards,
        "rules": [str(rule) for rule in made.reward_model_.rules],
    }


def accuracy(made: GameLearner, world: World, seed: int) -> dict[str, float]:
    """How much of new random play is predicted."""
    from ludex.models.learned.training.transitions import random_play

    view = first_view(world, seed)
    fresh = random_play(world.model, view, NEW_STEPS, dice(seed, 0).fork("fresh"), made.restart)
    return {name: round(value, 4) for name, value in made.accuracy(list(fresh)).items()}


def tell(document: dict[str, Any]) -> None:
    from ludex.cli.shared import screen

    console = screen.answers()
    sizes = {"tiles": "sorts of cells", "kinds": "kinds of objects"}
    size = ", ".join(f"{document[name]} {text}" for name, text in sizes.items() if name in document)
    console.print(
        screen.line(
            (document["model"], "bold"),
            f" learned from {document['transitions']} transitions, {size}; it is in "
            f"{document['file']}",
        ),
        soft_wrap=True,
    )
    words = {
        "cells": "of all cells",
        "changed_cells": "of cells that change",
        "grids": "of whole grids",
        "grids_5": "of whole grids five steps ahead",
        "things": "of all objects",
        "changed_things": "of objects that change",
        "states": "of whole states",
        "states_5": "of whole states five steps ahead",
        "seen": "of what was asked was seen before",
    }
    found = document["accuracy"]
    shares = [f"{found[name]:.1%} {text}" for name, text in words.items() if name in found]
    console.print(f"in {NEW_STEPS} new random steps: {', '.join(shares)}", soft_wrap=True)
    if (apart := found.get("calibration_error")) is not None:
        console.print(f"its confidence lies {apart:.3f} from the truth on average", soft_wrap=True)
    if not document["knows_rewards"]:
        console.print("no gain was ever seen, so a search has nothing to look for", soft_wrap=True)
    for rule in document["rules"]:
        console.print(screen.line(f"  {rule}"), soft_wrap=True)
