"""Training of Nora: samples from random games, and three forests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning import forest_file
from ludex.agents.hearthstone.learning.forests import Arrays, Curves, curves, grow
from ludex.agents.hearthstone.learning.samples import (
    GROUPS,
    SHARD,
    STUDY_CARDS,
    Chunk,
    SampleSource,
    chunks,
    numbers_of,
    sample_world,
    world_model,
)
from ludex.core.errors import LudexError
from ludex.worlds.hearthstone.model import HearthstoneModel

MATCH_WORLD = "hearthstone"
MOST_GAMES = 2_000_000
MOST_TESTED = 20_000  # rows of each class for evaluation

Tell = Callable[[str, float], None]
"""progress callback: what is done, and which share of it"""


@dataclass(frozen=True)
class Recipe:
    """Training settings of a set of forests, stored with them."""

    samples: int = 30_000
    """rows of each class for each forest"""
    trees: int = 100
    least: int = 1
    """rows in the smallest leaf; 1 is the study's, 10 is much smaller and as good"""
    seed: int = 0
    """of games and trees"""
    released: bool = True
    """the trade term as the released program computed it, or as the text describes it"""
    one_hot: bool = False
    """one place for each targeted action, beside its number"""
    two_step: bool = False
    """the play forest learns from games in which targets are chosen by the first forest"""
    data_seed: int | None = None
    """of the games alone, where trees of other seeds share them"""
    cards: str = STUDY_CARDS
    """the profile of the games: as the released program had the cards, or `classic`"""
    test_from_same_run: bool = False
    """judged by later games of the same seed, as the study's scripts did, or by another seed"""
    silence_counts_as_enchanted: bool = True
    """whether a silenced minion is told as enchanted, as the released program did"""

    def source(self, part: int) -> SampleSource:
        """Where rows come from: 1 to learn from, 2 to be judged by, 101 for the second step."""
        seed = self.seed if self.data_seed is None else self.data_seed
        return SampleSource(
            2 * seed + part,
            self.released,
            self.one_hot,
            self.cards,
            self.silence_counts_as_enchanted,
        )


LEARNED, JUDGED, SECOND_STEP = 1, 2, 101


@dataclass
class SampleRows:
    """Samples of one group: vectors, and whether the score rose."""

    rows: NDArray[np.int16]
    good: NDArray[np.bool_]
    seen: int = 0
    zeros: int = 0


def gather(
    found: Iterator[Chunk], samples: int, tell: Tell | None = None, skipped: int = 0
) -> dict[str, SampleRows]:
    """Take the first rows of each class of each group from chunks of games, after those skipped."""
    kept: dict[str, list[Any]] = {group: [] for group in GROUPS}
    counts = {group: [-skipped, -skipped] for group in GROUPS}
    looked = {group: [0, 0] for group in GROUPS}
    games = 0
    while any(min(pair) < samples for pair in counts.values()):
        chunk = next(found, None)
        if chunk is None or games >= MOST_GAMES:
            fewest = max(0, min(min(pair) for pair in counts.values()))
            raise LudexError(
                f"{games} games gave {fewest} samples of the rarest class, not {samples}; "
                "play more games, or ask for fewer samples"
            )
        games += SHARD
        for group in GROUPS:
            rows, rewards, seen, zeros = chunk[group]
            looked[group][0] += seen
            looked[group][1] += zeros
            wanted = np.zeros(len(rewards), dtype=bool)
            for side, mask in enumerate((rewards < 0, rewards > 0)):
                have = counts[group][side]
                places = np.flatnonzero(mask)[: max(0, samples - have)]
                wanted[places[max(0, -have) :]] = True
                counts[group][side] += len(places)
            kept[group].append((rows[wanted], rewards[wanted] > 0))
        if tell:
            done = sum(min(n, samples) + skipped for pair in counts.values() for n in pair)
            tell(f"{games} random games", done / (6 * (samples + skipped)))
    return {
        group: SampleRows(
            np.concatenate([rows for rows, _ in kept[group]]),
            np.concatenate([good for _, good in kept[group]]),
            *looked[group],
        )
        for group in GROUPS
    }


def learn(
    recipe: Recipe,
    tell: Tell | None = None,
    workers: int = 1,
    found: Iterator[Chunk] | None = None,
) -> tuple[dict[str, Arrays], dict[str, Any]]:
    """Gather samples and fit the three forests; also return their accuracy in new games.

    Samples are taken from `found` where it is given, else they are made.
    """
    data = gather(
        chunks(recipe.source(LEARNED), workers) if found is None else found, recipe.samples, tell
    )
    forests = {"target": grown(recipe, data["target"], tell, "target", workers)}
    if recipe.two_step:
        target = dict.fromkeys(GROUPS, Arrays.constant(0.0)) | forests
        world = sample_world(recipe.cards)
        model, numbers = world_model(world), numbers_of(world)
        chooser = assembled(model, target, numbers, recipe)
        second = chunks(recipe.source(SECOND_STEP), workers, chooser)
        data["play"] = gather(second, recipe.samples, tell)["play"]
    for group in ("play", "attack"):
        forests[group] = grown(recipe, data[group], tell, group, workers)
    judged = {group: one.areas() for group, one in assess(forests, recipe, tell, workers).items()}
    return forests, judged


def assess(
    forests: dict[str, Arrays], recipe: Recipe, tell: Tell | None = None, workers: int = 1
) -> dict[str, Curves]:
    """Evaluate forests on games they have not seen."""
    samples = min(recipe.samples, MOST_TESTED)
    part, used = (LEARNED, recipe.samples) if recipe.test_from_same_run else (JUDGED, 0)
    fresh = gather(chunks(recipe.source(part), workers), samples, tell, used)
    return {
        group: curves(fresh[group].good, forests[group].native().predict(fresh[group].rows))
        for group in GROUPS
    }


def grown(
    recipe: Recipe, data: SampleRows, tell: Tell | None, group: str, workers: int = 1
) -> Arrays:
    if tell:
        tell(f"growing the {group} forest", 0.0)
    return grow(data.rows, data.good, recipe.trees, recipe.seed, recipe.least, workers=workers)


def assembled(
    model: HearthstoneModel,
    forests: dict[str, Arrays],
    numbers: list[int],
    recipe: Recipe,
    threshold: float = 0.0,
    faults: frozenset[str] = frozenset(),
) -> _native.Nora:
    """A player of three forests; `faults` are those of the released one that it shall have."""
    made = {group: forests[group].native() for group in GROUPS}
    return _native.Nora(
        model,
        made["play"],
        made["target"],
        made["attack"],
        numbers,
        recipe.one_hot,
        threshold,
        recipe.silence_counts_as_enchanted,
        "target_state_bug" in faults,
        "power_id_is_hero_id" in faults,
    )


def save(path: Path, forests: dict[str, Arrays], recipe: Recipe, judged: dict[str, Any]) -> None:
    forest_file.write(path, "nora", forests, {"recipe": asdict(recipe), "judged": judged})
