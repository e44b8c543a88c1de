"""PBS-45: prediction accuracy of local models by neighbourhood, classifier and game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ludex.core.rng import Rng
from ludex.core.world import World
from ludex.experiments.collection import Collection
from ludex.experiments.estimates import mean_share
from ludex.experiments.prediction.source import SOURCE
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey
from ludex.models.learned._native import TileMemory
from ludex.models.learned.classifiers import fitting as classifiers
from ludex.models.learned.classifiers.fitting import Classifier, ClassifierSettings
from ludex.models.learned.explain.accuracy import (
    ANY,
    checked_tiles,
    share,
    share_right,
    tile_accuracy,
)
from ludex.models.learned.local import Local
from ludex.models.learned.tiles.learner import shown_or_refused
from ludex.models.learned.tiles.model import TileEncoder
from ludex.models.learned.tiles.neighbourhood import Shape, neighbourhood
from ludex.models.learned.tiles.vocabulary import Vocabulary
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition, random_play

GAMES = {
    "bait": 0.99,
    "catapults": 0.99,
    "chainreaction": 1.00,
    "chase": 0.98,
    "chipschallenge": 1.00,
    "clusters": 0.99,
    "colourescape": 0.99,
    "decepticoins": 0.99,
    "deceptizelda": 0.97,
    "doorkoban": 1.00,
    "escape": 0.99,
    "fireman": 0.98,
    "garbagecollector": 1.00,
    "hungrybirds": 1.00,
    "iceandfire": 1.00,
    "islands": 0.98,
    "labyrinth": 1.00,
    "labyrinthdual": 1.00,
    "painter": 0.89,
    "realsokoban": 0.99,
    "run": 0.98,
    "shipwreck": 1.00,
    "sokoban": 1.00,
    "surround": 0.99,
    "tercio": 0.99,
    "thecitadel": 1.00,
    "thesnowman": 1.00,
    "vortex": 0.98,
    "watergame": 0.99,
    "whackamole": 0.97,
}
"""the games of the source, with the accuracy of its best classifier, which is always a tree"""
SHAPES: tuple[tuple[Shape, int], ...] = (
    *(("cross", span) for span in (1, 2, 3)),
    *(("diamond", span) for span in (1, 2, 3)),
    *(("square", span) for span in (1, 2, 3)),
)
PRINTED: dict[Classifier, tuple[float, ...]] = {
    "tree": (0.906, 0.957, 0.969, 0.906, 0.969, 0.982, 0.953, 0.982, 0.988),
    "forest": (0.845, 0.911, 0.926, 0.847, 0.928, 0.951, 0.907, 0.951, 0.967),
    "neighbours": (0.783, 0.867, 0.903, 0.782, 0.903, 0.942, 0.863, 0.940, 0.961),
    "boosting": (0.695, 0.779, 0.807, 0.694, 0.806, 0.844, 0.781, 0.849, 0.877),
    "bayes": (0.749, 0.806, 0.831, 0.749, 0.823, 0.820, 0.812, 0.814, 0.770),
}
"""means over the thirty games, in the order of SHAPES; from the raw files of the source"""
WIDEST = max(span for _, span in SHAPES)
BEST = ("square", 3)
STILL = "if nothing changed"


@dataclass(frozen=True)
class AccuracyScale:
    """How much is played and fitted at a scale."""

    games: int
    levels: int
    plays: int
    """of each level"""
    ticks: int
    """of each play at most"""
    rows: int
    """the most distinct rows of each data set, sampled at random"""
    folds: int
    is_whole: bool = False
    """whether the whole grid of settings is searched"""


SIZES: dict[Scale, AccuracyScale] = {
    "tiny": AccuracyScale(12, 5, 1, 120, 1_000, 3),
    "small": AccuracyScale(12, 5, 1, 120, 1_000, 3),
    "full": AccuracyScale(30, 5, 10, 200, 10_000_000, 10, is_whole=True),
}


def settings_tried(classifier: Classifier, is_whole: bool) -> list[ClassifierSettings]:
    """Classifier settings of the grid search: all of the source, or its best and a few more."""
    depths = (1, 5, 10, None) if is_whole else (10, None)
    members = (5, 10, 100) if is_whole else (10,)
    match classifier:
        case "tree":
            splits = ("best", "random") if is_whole else ("best",)
            return [
                ClassifierSettings("tree", depth, split)  # type: ignore[arg-type]  # one of both words
                for depth in depths
                for split in splits
            ]
        case "forest":
            return [
                ClassifierSettings("forest", depth, members=n) for depth in depths for n in members
            ]
        case "neighbours":
            return [
                ClassifierSettings("neighbours", neighbours=n)
                for n in ((1, 5, 10) if is_whole else (1, 5))
            ]
        case "boosting":
            return [ClassifierSettings("boosting", members=n) for n in members]
        case "bayes" | "logistic" | "exceptions":  # these have no settings
            return [ClassifierSettings(classifier)]


@dataclass(frozen=True)
class TrainingRows:
    """Distinct pairs of neighbourhood and next tile."""

    before: NDArray[np.uint16]
    after: NDArray[np.uint16]


class Watched:
    """Random play in the levels of one game, as rows of every neighbourhood."""

    def __init__(self, worlds: list[World], size: AccuracyScale, seed: int = 0) -> None:
        self.size = size
        self.plays = list(chain.from_iterable(plays(worlds, size, seed)))
        vocabulary, verbs = Vocabulary(), list[int]()
        encoder = TileEncoder(vocabulary, verbs, WIDEST)
        around = {shape: neighbourhood(*shape) for shape in SHAPES}
        memories = {shape: TileMemory(around[shape].cells + 1) for shape in SHAPES}
        for one in self.plays:
            before, after = (shown_or_refused(each.view) for each in (one.before, one.after))
            act = before.acts[before.legal.index(one.actions[0])]
            if act.verb not in verbs:
                verbs.append(act.verb)
            states = encoder.state(before), encoder.state(after)
            for shape, memory in memories.items():
                verb = verbs.index(act.verb)
                memory.watch(around[shape], states[0], verb, act.cell, states[1])
        self.rows = {shape: self.drawn(memory) for shape, memory in memories.items()}

    def drawn(self, memory: TileMemory) -> TrainingRows:
        before, after, _ = memory.table()
        order = np.random.default_rng(0).permutation(len(after))[: self.size.rows]
        return TrainingRows(np.ascontiguousarray(before[order]), after[order])


def plays(worlds: list[World], size: AccuracyScale, seed: int) -> Iterator[list[Transition]]:
    """Random play on levels, play by play."""
    for number, world in enumerate(worlds):
        for play in range(size.plays):
            rng = Rng(seed).fork("accuracy", str(world), number, play)
            view = world.model.view(world.start(rng), 0)
            yield list(random_play(world.model, view, size.ticks, rng, size.ticks))


def cross_validated(
    classifier_settings: ClassifierSettings, rows: TrainingRows, folds: int
) -> float:
    """Cross-validated accuracy; rows are in random order."""
    parts = np.array_split(np.arange(len(rows.after)), folds)
    right = 0
    for fold in parts:
        rest = np.setdiff1d(np.arange(len(rows.after)), fold)
        right += hits(classifier_settings, rows, rest, fold)
    return right / len(rows.after)


def hits(
    classifier_settings: ClassifierSettings,
    rows: TrainingRows,
    known: NDArray[np.intp],
    asked: NDArray[np.intp],
) -> int:
    """The number of rows predicted correctly.

    Boosting that finds nothing better than chance predicts the most frequent class.
    """
    after = rows.after[known]
    try:
        said = classifiers.fit(classifier_settings, rows.before[known], after).own.predict(
            rows.before[asked]
        )
    except ValueError:
        said = np.bincount(after).argmax()
    return int(np.sum(said == rows.after[asked]))


class LocalAccuracy(Survey):
    """Cross-validated accuracy over distinct rows, and accuracy in new play."""

    id = "PBS-45"
    title = "which neighbourhood and which classifier predict best?"
    source = f"{SOURCE}, section 4.10.1, figure 4.12 and table A.2"
    takes_games = True
    deviations = (
        "games of the thirty that the collection does not have are left out: of the GVGAI "
        "collection bait, decepticoins, fireman, labyrinthdual, shipwreck and whackamole",
        "at tiny and small scale, which are alike, twelve games from all over the alphabet, one "
        "play of 120 ticks on each of five levels instead of ten of 200, at most 1,000 unlike rows "
        "of each data set, 3 folds instead of 10, and of the grid of settings those that won and a "
        "few more",
        "a cell is the set of all that it holds, with the way an avatar faces; the source had the "
        "names that its server sends",
        "AdaBoost is SAMME, because SAMME.R has left scikit-learn; means of the source are over "
        "its thirty games",
    )

    def __init__(self) -> None:
        self.watched: dict[str, Watched] = {}

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        size, collection = SIZES[scale], self.collection or Collection.of_ludex()
        names = games_for(Local(), collection, size)
        found: dict[str, Part] = {}
        for classifier, printed in PRINTED.items():
            for (shape, span), mean in zip(SHAPES, printed, strict=True):
                name = f"{classifier}, {shape} {span}"
                cell = partial(self.read, collection, names, size, classifier, (shape, span), mean)
                found[name] = cell
        for span in (1, 3):
            found[f"beyond, span {span}"] = partial(self.beyond, collection, names, size, span)
        return found

    def watch(self, collection: Collection, name: str, size: AccuracyScale) -> Watched:
        if name not in self.watched:
            self.watched[name] = Watched(levels(collection, name, size), size)
        return self.watched[name]

    def read(
        self,
        collection: Collection,
        names: list[str],
        size: AccuracyScale,
        classifier: Classifier,
        shape: tuple[Shape, int],
        printed: float,
    ) -> list[Reading]:
        """The best settings of a classifier in each game; of the best of all, game by game."""
        best: dict[str, float] = {}
        for name in names:
            rows = self.watch(collection, name, size).rows[shape]
            tried = settings_tried(classifier, size.is_whole)
            best[name] = max(cross_validated(one, rows, size.folds) for one in tried)
        title = f"{classifier}, {shape[0]} {shape[1]}"
        lowest = min(best, key=lambda name: best[name])
        note = f"{len(best)} games, lowest {best[lowest]:.3f} in {lowest}"
        readings = [
            Reading(title, "mean accuracy", printed, float(np.mean([*best.values()])), note)
        ]
        if classifier == "tree" and shape == BEST:
            readings += [
                Reading(title, f"accuracy, {name}", GAMES[name], value)
                for name, value in best.items()
            ]
        return readings

    def beyond(
        self, collection: Collection, names: list[str], size: AccuracyScale, span: int
    ) -> list[Reading]:
        """The accuracy of a tree in new play, averaged over games."""
        found: dict[str, list[float]] = {}
        for name in names:
            learner = Local(span=span).fit(self.watch(collection, name, size).plays)
            new = plays(levels(collection, name, size), size, seed=1)
            fresh = list(chain.from_iterable(new))
            still = [replace(one, said=one.was) for one in checked_tiles(learner.model(ANY), fresh)]
            cells = sum(one.was.size for one in still)
            measured = tile_accuracy(learner, fresh) | {
                f"cells, {STILL}": share(cells - sum(one.errors for one in still), cells),
                f"grids, {STILL}": share_right(still),
            }
            for what, value in measured.items():
                found.setdefault(what, []).append(value)
        return means(f"local(span={span})", found)


def means(
    title: str, found: Mapping[str, Sequence[float]], of: str = "new play on the same levels"
) -> list[Reading]:
    """Mean accuracy over games, with intervals over games."""
    readings: list[Reading] = []
    for what, values in found.items():
        mean = mean_share(values)
        note = f"{of}, lowest {min(values):.3f}"
        readings.append(
            Reading(title, what, None, mean.mean, note, interval=mean.interval, cases=mean.cases)
        )
    return readings


def spread(names: list[str], most: int) -> list[str]:
    """Names spread evenly over a list.

    >>> spread(["a", "b", "c", "d", "e"], 3)
    ['a', 'c', 'e']
    """
    return [names[place] for place in sorted({*np.linspace(0, len(names) - 1, most).astype(int)})]


def levels(collection: Collection, name: str, size: AccuracyScale) -> list[World]:
    """The first levels of a game."""
    world = collection.world(name)
    count = min(size.levels, collection.levels_of(name))
    return [world.clone(level=number) for number in range(count)]


def games_for(learner: GameLearner, collection: Collection, size: AccuracyScale) -> list[str]:
    """Available games of the source that a learner supports, spread over its list."""
    here, _ = collection.choose(list(GAMES), len(GAMES))

    def can_watch(world: World) -> bool:
        view = world.model.view(world.start(Rng(0)), 0)
        return learner.refusal(world.traits, view) is None

    return spread([name for name in here if can_watch(collection.world(name))], size.games)
