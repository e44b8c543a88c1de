"""Error analysis of learned models: confusion of tiles, wrong cells, film strips, learning curves.

Confusion and errors are those of tile models; runs, strips and learning curves those of any
learner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.rng import Rng
from ludex.core.tiles import tiles_of
from ludex.models.learned.explain.accuracy import CheckedPrediction, CheckedTiles, runs
from ludex.models.learned.tiles.vocabulary import FIRST_TILE, Vocabulary
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition

BEYOND = 0  # the tile beyond the edge


def confusion(predictions: Sequence[CheckedTiles]) -> Counter[tuple[int, int]]:
    """Counts of (what came, what was predicted) over cells that change or are predicted to."""
    met: Counter[tuple[int, int]] = Counter()
    for one in predictions:
        moved = one.moved
        met.update(zip(one.came[moved].tolist(), one.said[moved].tolist(), strict=True))
    return met


@dataclass(frozen=True, slots=True)
class TileError:
    """A wrongly predicted cell with its neighbourhood."""

    around: tuple[tuple[int, ...], ...]
    verb: int
    said: int
    came: int


def errors(
    transitions: Sequence[Transition], predictions: Sequence[CheckedTiles], span: int
) -> Counter[TileError]:
    """All wrong cells, equal ones counted together."""
    met: Counter[TileError] = Counter()
    for transition, one in zip(transitions, predictions, strict=True):
        verb = verb_of(transition)
        around = np.pad(one.was, span, constant_values=BEYOND)
        for row, column in np.argwhere(~one.hits).tolist():
            window = around[row : row + 2 * span + 1, column : column + 2 * span + 1]
            said, came = int(one.said[row, column]), int(one.came[row, column])
            met[TileError(tuple(map(tuple, window.tolist())), verb, said, came)] += 1
    return met


def verb_of(transition: Transition) -> int:
    shown = tiles_of(transition.before.view)
    assert shown is not None  # the learner has read it
    return shown.acts[shown.legal.index(transition.actions[0])].verb


@dataclass(frozen=True, slots=True)
class StripFrame:
    """A frame: what came, the one-step prediction, and the prediction from the first frame."""

    action: Hashable
    """the action before this frame; None at the beginning"""
    came: NDArray[np.uint16]
    said: NDArray[np.uint16]
    imagined: NDArray[np.uint16]


def strip(
    model: Any, run: Sequence[Transition], look: Callable[[Any], NDArray[np.uint16]]
) -> Iterator[StripFrame]:
    """A run of transitions with the model's predictions; `look` turns states into grids."""
    imagined = model.imagine(run[0].before.view, Rng(0))
    first = look(imagined)
    yield StripFrame(None, first, first, first)
    for one in run:
        before = model.imagine(one.before.view, Rng(0))
        said = model.step(before, one.actions, Rng(0))
        imagined = model.step(imagined, one.actions, Rng(0))
        came = model.imagine(one.after.view, Rng(0))
        yield StripFrame(one.actions[0], look(came), look(said), look(imagined))


def telling_runs(
    transitions: Sequence[Transition], predictions: Sequence[CheckedPrediction], length: int
) -> tuple[Sequence[Transition], Sequence[Transition]]:
    """The run with most changes, and the run with most prediction errors.

    They are shorter than `length` if no game lasts that long.
    """
    longest = max((len(run) for run in whole_games(transitions)), default=0)
    found = list(runs(transitions, min(length, longest)))
    index = {id(one): number for number, one in enumerate(transitions)}

    def total(run: Sequence[Transition], wrong: bool) -> int:
        met = [predictions[index[id(one)]] for one in run]
        return sum(one.errors if wrong else one.changes for one in met)

    return max(found, key=lambda run: total(run, False)), max(
        found, key=lambda run: total(run, True)
    )


def whole_games(transitions: Sequence[Transition]) -> Iterator[Sequence[Transition]]:
    """Split transitions into games."""
    begun = 0
    for index in range(1, len(transitions) + 1):
        if index == len(transitions) or transitions[index - 1].after != transitions[index].before:
            yield transitions[begun:index]
            begun = index


def learning_curve(
    learner: GameLearner,
    seen: Sequence[Transition],
    fresh: Sequence[Transition],
    sizes: Sequence[int],
) -> Iterator[tuple[int, dict[str, float]]]:
    """Learning curve: the accuracy of a fresh learner after so many transitions."""
    fresh_learner = learner.clone(file="")
    learned = 0
    for size in sizes:
        fresh_learner.partial_fit(seen[learned:size])
        learned = size
        yield size, fresh_learner.accuracy(fresh)


def movers(vocabulary: Vocabulary, predictions: Sequence[CheckedTiles]) -> set[str]:
    """The kinds of objects that entered or left a cell."""
    pairs: set[tuple[int, int]] = set()
    for one in predictions:
        changed = one.was != one.came
        pairs.update(zip(one.was[changed].tolist(), one.came[changed].tolist(), strict=True))
    contents = [set[str]()] * FIRST_TILE + [
        set(vocabulary.content(FIRST_TILE + index)) for index in range(len(vocabulary.contents))
    ]
    return set().union(*(contents[was] ^ contents[came] for was, came in pairs))
