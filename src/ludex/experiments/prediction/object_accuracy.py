"""PBS-46: prediction accuracy of object-based models, game by game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from ludex.experiments.collection import Collection
from ludex.experiments.estimates import mean_share
from ludex.experiments.prediction.accuracy import (
    SIZES,
    STILL,
    AccuracyScale,
    TrainingRows,
    cross_validated,
    games_for,
    levels,
    means,
    plays,
    spread,
)
from ludex.experiments.prediction.source import SOURCE
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey
from ludex.models.learned.explain.accuracy import AHEAD, ANY, share_right
from ludex.models.learned.explain.object_accuracy import checked_objects, share_of_objects
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.training.transitions import Transition

PRINTED_LOWEST, PRINTED_HIGHEST = 0.614, 0.998
"""of all games; the source prints no other value"""
UNLIKE = "unlike_situations"
TINY_GAMES = 4
"""of those of the small scale"""
LEARNERS = {
    "as the source": ObjectBased(reach=1, position=True, holds=0, makes=False, prune=False),
    "without places": ObjectBased(reach=1, position=False, holds=0, makes=False, prune=False),
    "beyond, unpruned": ObjectBased(prune=False),
    "beyond": ObjectBased(),
}


class ObjectAccuracy(Survey):
    """The accuracy on objects in new play, and further measures."""

    id = "PBS-46"
    title = "how well do object-based models predict?"
    source = f"{SOURCE}, section 4.10.2"
    takes_games = True
    deviations = (
        "the source prints the lowest and the highest value of its thirty games, and neither which "
        "games these are nor whether things or unlike situations of things are counted: both stand "
        "beside its range",
        "things are those of new random play on the levels that were learned from, walls and all "
        "else that never moves included; unlike situations are those of kinds that change, each "
        "once, foretold from the other folds (3, at full scale 10)",
        "of the thirty games bait, decepticoins, fireman, labyrinthdual, shipwreck and whackamole "
        "are not in the GVGAI collection",
        "small has 12 games from all over the alphabet with 5 levels and 120 ticks, and tiny 4 of "
        "these, whose range and means are not compared; full has all games, 5 levels, 10 plays of "
        "200 ticks",
        "things that are new count, too: one that came unforetold is wrong; models as in the "
        "source know of no new things",
        "without places: a thing does not know where on the grid it is; beyond: besides, things "
        "see two cells far and what is carried, the model learns who makes what, and its trees are "
        "pruned",
    )

    def __init__(self) -> None:
        self.watched: dict[tuple[str, int], list[list[Transition]]] = {}
        self.compares = True

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        size, collection = SIZES[scale], self.collection or Collection.of_ludex()
        names = games_for(ObjectBased(), collection, size)
        if scale == "tiny":
            names = spread(names, TINY_GAMES)
        self.compares = scale != "tiny"
        return {
            title: partial(self.read, title, learner, collection, names, size)
            for title, learner in LEARNERS.items()
        }

    def watch(
        self, collection: Collection, name: str, size: AccuracyScale, seed: int
    ) -> list[list[Transition]]:
        """Random play on the levels of a game: the same for every learner."""
        if (name, seed) not in self.watched:
            worlds = levels(collection, name, size)
            self.watched[name, seed] = list(plays(worlds, size, seed))
        return self.watched[name, seed]

    def read(
        self,
        title: str,
        learner: ObjectBased,
        collection: Collection,
        names: list[str],
        size: AccuracyScale,
    ) -> list[Reading]:
        """The accuracy of one learner: the range, each game, and the means of all measures."""
        found: dict[str, list[float]] = {}
        unlike: list[float] = []
        games: list[Reading] = []
        for name in names:
            seen, new = (self.watch(collection, name, size, seed) for seed in (0, 1))
            pupil = learner.clone().fit(chain.from_iterable(seen))
            fresh = list(chain.from_iterable(new))
            measured = pupil.accuracy(fresh) | unmoved(pupil, fresh)
            unlike.append(share_of_unlike(pupil, size.folds))
            for what, value in measured.items():
                found.setdefault(what, []).append(value)
            games.append(of_game(title, name, measured, by_play(pupil, new)))
        return [
            *self.range_of(title, "things", names, found["things"]),
            *self.range_of(title, UNLIKE, names, unlike),
            *games,
            *means(title, found),
            *means(title, {UNLIKE: unlike}, "folds of the play that was learned from"),
        ]

    def range_of(
        self, title: str, what: str, names: list[str], values: list[float]
    ) -> list[Reading]:
        """The lowest and the highest of all games, beside those of the source."""
        by_game = dict(zip(names, values, strict=True))
        low, high = (pick(by_game, key=lambda name: by_game[name]) for pick in (min, max))
        return [
            Reading(title, f"{what}, {which}", printed, by_game[game], game, compared=self.compares)
            for which, printed, game in (
                ("lowest", PRINTED_LOWEST, low),
                ("highest", PRINTED_HIGHEST, high),
            )
        ]


def of_game(
    title: str, name: str, measured: Mapping[str, float], shares: Sequence[float]
) -> Reading:
    """The accuracy in a game, with an interval over plays."""
    plays = mean_share(shares)
    note = (
        f"{STILL} {measured[f'things, {STILL}']:.3f}; {measured['changed_things']:.3f} of changes"
    )
    return Reading(
        title,
        f"things, {name}",
        None,
        measured["things"],
        note,
        interval=plays.interval,
        cases=plays.cases,
    )


def by_play(learner: ObjectBased, new: Sequence[Sequence[Transition]]) -> list[float]:
    """The accuracy on objects, play by play."""
    model = learner.model(ANY)
    return [share_of_objects(list(checked_objects(model, one))) for one in new]


def unmoved(learner: ObjectBased, transitions: Sequence[Transition]) -> dict[str, float]:
    """The accuracy of the prediction that nothing changes."""
    model = learner.model(ANY)
    near, far = (
        [replace(one, said=one.was) for one in checked_objects(model, transitions, steps)]
        for steps in (1, AHEAD)
    )
    return {
        f"things, {STILL}": share_of_objects(near),
        f"states, {STILL}": share_right(near),
        f"states_{AHEAD}, {STILL}": share_right(far),
    }


def share_of_unlike(learner: ObjectBased, folds: int) -> float:
    """Cross-validated accuracy over distinct features of objects that change."""
    right, total = 0.0, 0
    for model in learner.models_.values():
        changes = {change: number for number, change in enumerate(dict.fromkeys(model.changes))}
        if len(changes) < 2 or len(model.rows) < folds:
            continue
        order = np.random.default_rng(0).permutation(len(model.rows))
        after = np.array([changes[change] for change in model.changes], np.uint16)
        rows = TrainingRows(model.rows[order], after[order])
        right += cross_validated(learner.classifier_settings, rows, folds) * len(order)
        total += len(order)
    return right / total if total else 1.0
