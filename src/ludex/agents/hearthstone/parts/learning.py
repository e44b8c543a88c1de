"""How Nora learns: samples from random games, three forests, and the file they are kept in."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.agents.hearthstone.parts.forests import Arrays, areas, grow
from ludex.core import registry
from ludex.core.errors import BadParameter, LudexError
from ludex.worlds.hearthstone import _native, pools
from ludex.worlds.hearthstone.model import HearthstoneModel
from ludex.worlds.hearthstone.tables import Tables

SAMPLE_WORLD = "hearthstone[decks=random/random,pool=nora]"
MATCH_WORLD = "hearthstone"
GROUPS = ("play", "target", "attack")
CHUNK = 1_000  # games between two reports
MOST_GAMES = 2_000_000
FORMAT = 1

Tell = Callable[[str, float], None]
"""told what is done and which share of it"""


@dataclass(frozen=True)
class Recipe:
    """How a set of forests is made; it is kept with them."""

    samples: int = 30_000
    """rows of each class for each forest"""
    trees: int = 100
    least: int = 1
    """rows in the smallest leaf; 1 is the study's, 10 is much smaller and as good"""
    seed: int = 0
    released: bool = True
    """the trade term as the released program computed it, or as the text describes it"""
    one_hot: bool = False
    """one place for each targeted action, beside its number"""
    two_step: bool = False
    """the play forest learns from games in which targets are chosen by the first forest"""


@dataclass
class Rows:
    """Samples of one group: vectors, and whether the score rose."""

    rows: NDArray[np.int16]
    good: NDArray[np.bool_]
    seen: int = 0
    zeros: int = 0


def study_numbers(tables: Tables) -> list[int]:
    """The study's card number for each of ours; -1 for cards it does not have."""
    known = pools.nora_numbers(tables)
    return [-1, *(known.get(number, -1) for number in range(1, len(tables.cards) + 1))]


def world_model(text: str) -> HearthstoneModel:
    model = registry.world(text).model
    assert isinstance(model, HearthstoneModel)
    return model


def numbers_of(text: str) -> list[int]:
    world: Any = registry.world(text)
    return study_numbers(world.tables)


def gather(
    recipe: Recipe, seed: int, tell: Tell | None = None, chooser: _native.Nora | None = None
) -> dict[str, Rows]:
    """Play random games until each class of each group has its rows."""
    model, numbers = world_model(SAMPLE_WORLD), numbers_of(SAMPLE_WORLD)
    kept: dict[str, list[Any]] = {group: [] for group in GROUPS}
    counts = {group: [0, 0] for group in GROUPS}
    looked = {group: [0, 0] for group in GROUPS}
    game = 0
    while any(min(pair) < recipe.samples for pair in counts.values()):
        if game >= MOST_GAMES:
            raise LudexError(f"{game} games did not give {recipe.samples} samples of each class")
        chunk = model.samples(
            numbers, seed, game, CHUNK, 10**9, recipe.released, recipe.one_hot, chooser
        )
        game += CHUNK
        for group in GROUPS:
            rows, rewards, seen, zeros = chunk[group]
            looked[group][0] += seen
            looked[group][1] += zeros
            wanted = np.zeros(len(rewards), dtype=bool)
            for side, mask in enumerate((rewards < 0, rewards > 0)):
                left = recipe.samples - counts[group][side]
                places = np.flatnonzero(mask)[: max(0, left)]
                wanted[places] = True
                counts[group][side] += len(places)
            kept[group].append((rows[wanted], rewards[wanted] > 0))
        if tell:
            done = sum(min(n, recipe.samples) for pair in counts.values() for n in pair)
            tell(f"{game} random games", done / (6 * recipe.samples))
    return {
        group: Rows(
            np.concatenate([rows for rows, _ in kept[group]]),
            np.concatenate([good for _, good in kept[group]]),
            *looked[group],
        )
        for group in GROUPS
    }


def learn(recipe: Recipe, tell: Tell | None = None) -> tuple[dict[str, Arrays], dict[str, Any]]:
    """Gather samples and grow the three forests; also says how well they judge new games."""
    data = gather(recipe, 2 * recipe.seed + 1, tell)
    forests = {"target": grown(recipe, data["target"], tell, "target")}
    if recipe.two_step:
        chooser = assembled(world_model(SAMPLE_WORLD), dict.fromkeys(GROUPS, forests["target"]),
                            recipe.one_hot, 0.0, numbers_of(SAMPLE_WORLD))  # fmt: skip
        data["play"] = gather(recipe, 2 * recipe.seed + 101, tell, chooser)["play"]
    forests["play"] = grown(recipe, data["play"], tell, "play")
    forests["attack"] = grown(recipe, data["attack"], tell, "attack")
    test = Recipe(
        samples=min(recipe.samples, 20_000), released=recipe.released, one_hot=recipe.one_hot
    )
    fresh = gather(test, 2 * recipe.seed + 2, tell)
    judged = {}
    for group in GROUPS:
        scores = forests[group].native().predict(fresh[group].rows)
        roc, precision = areas(fresh[group].good, scores)
        judged[group] = {"roc_auc": roc, "average_precision": precision}
    return forests, judged


def grown(recipe: Recipe, data: Rows, tell: Tell | None, group: str) -> Arrays:
    if tell:
        tell(f"growing the {group} forest", 0.0)
    return grow(data.rows, data.good, recipe.trees, recipe.seed, recipe.least)


def assembled(
    model: HearthstoneModel,
    forests: dict[str, Arrays],
    one_hot: bool,
    threshold: float,
    numbers: list[int],
) -> _native.Nora:
    made = {group: forests[group].native() for group in GROUPS}
    return _native.Nora(
        model, made["play"], made["target"], made["attack"], numbers, one_hot, threshold
    )


# The file


def save(path: Path, forests: dict[str, Arrays], recipe: Recipe, judged: dict[str, Any]) -> None:
    """Keep forests with how they were made and which card numbers they know."""
    facts = {
        "format": FORMAT,
        "recipe": asdict(recipe),
        "judged": judged,
        "cards": [*pools.NORA_SPECIALS, *pools.NORA],
    }
    arrays: dict[str, Any] = {"facts": np.array(json.dumps(facts))}
    for group, forest in forests.items():
        for name, column in vars(forest).items():
            arrays[f"{group}_{name}"] = column
    np.savez_compressed(path, **arrays)


def load(path: Path) -> tuple[dict[str, Arrays], dict[str, Any]]:
    """Read forests back; refuses a file made with other cards."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            facts = json.loads(str(kept["facts"]))
            names = Arrays.__dataclass_fields__
            forests = {
                group: Arrays(**{name: kept[f"{group}_{name}"] for name in names})
                for group in GROUPS
            }
    except OSError as error:
        raise BadParameter(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (KeyError, ValueError) as error:
        raise BadParameter(f"{str(path)!r} holds no forests of nora: {error}") from None
    if facts.get("format") != FORMAT or facts["cards"] != [*pools.NORA_SPECIALS, *pools.NORA]:
        raise BadParameter(f"{str(path)!r} was made with other cards; learn again")
    return forests, facts


def prepared(model: HearthstoneModel, tables: Tables, path: Path, threshold: float) -> _native.Nora:
    """The forests of a file, ready to play with a model."""
    forests, facts = load(path)
    numbers = study_numbers(tables)
    return assembled(model, forests, facts["recipe"]["one_hot"], threshold, numbers)
