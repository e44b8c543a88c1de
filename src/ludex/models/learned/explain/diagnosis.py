"""Where a learned model errs: which tiles it takes for others, where, and how errors grow.

Confusion and errors are those of tiles; runs, strips and learning curves those of any learner.
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
from ludex.models.learned.explain.accuracy import Compared, Forecast, runs
from ludex.models.learned.tiles.vocabulary import FIRST_TILE, Vocabulary
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition

BEYOND = 0  # the tile of all that lies beyond the edge


def confusion(forecast: Sequence[Compared]) -> Counter[tuple[int, int]]:
    """How often (what came, what was said) met, in cells that change or are foretold to."""
    met: Counter[tuple[int, int]] = Counter()
    for one in forecast:
        moved = one.moved
        met.update(zip(one.came[moved].tolist(), one.said[moved].tolist(), strict=True))
    return met


@dataclass(frozen=True, slots=True)
class Error:
    """A cell that became something else than foretold, with what lay around it."""

    around: tuple[tuple[int, ...], ...]
    verb: int
    said: int
    came: int


def errors(
    transitions: Sequence[Transition], forecast: Sequence[Compared], span: int
) -> Counter[Error]:
    """Every wrong cell, those that look the same counted together."""
    met: Counter[Error] = Counter()
    for transition, one in zip(transitions, forecast, strict=True):
        verb = verb_of(transition)
        around = np.pad(one.was, span, constant_values=BEYOND)
        for row, column in np.argwhere(~one.hits).tolist():
            window = around[row : row + 2 * span + 1, column : column + 2 * span + 1]
            said, came = int(one.said[row, column]), int(one.came[row, column])
            met[Error(tuple(map(tuple, window.tolist())), verb, said, came)] += 1
    return met


def verb_of(transition: Transition) -> int:
    shown = tiles_of(transition.before.view)
    assert shown is not None  # a learner has looked at it
    return shown.acts[shown.legal.index(transition.actions[0])].verb


@dataclass(frozen=True, slots=True)
class Frame:
    """A moment: as it was, as foretold from the one before, and as imagined from the first."""

    action: Hashable
    """what led here; none at the beginning"""
    came: NDArray[np.uint16]
    said: NDArray[np.uint16]
    imagined: NDArray[np.uint16]


def strip(
    model: Any, run: Sequence[Transition], look: Callable[[Any], NDArray[np.uint16]]
) -> Iterator[Frame]:
    """A run of transitions, with what the model makes of it; `look` makes grids of states."""
    imagined = model.imagine(run[0].before.view, Rng(0))
    first = look(imagined)
    yield Frame(None, first, first, first)
    for one in run:
        before = model.imagine(one.before.view, Rng(0))
        said = model.step(before, one.actions, Rng(0))
        imagined = model.step(imagined, one.actions, Rng(0))
        came = model.imagine(one.after.view, Rng(0))
        yield Frame(one.actions[0], look(came), look(said), look(imagined))


def telling_runs(
    transitions: Sequence[Transition], forecast: Sequence[Forecast], length: int
) -> tuple[Sequence[Transition], Sequence[Transition]]:
    """The run in which most changes, and the one in which most is foretold wrongly.

    They are shorter than asked for where no game lasts that long.
    """
    longest = max((len(run) for run in whole_games(transitions)), default=0)
    found = list(runs(transitions, min(length, longest)))
    place = {id(one): number for number, one in enumerate(transitions)}

    def total(run: Sequence[Transition], wrong: bool) -> int:
        met = [forecast[place[id(one)]] for one in run]
        return sum(one.errors if wrong else one.changes for one in met)

    return max(found, key=lambda run: total(run, False)), max(
        found, key=lambda run: total(run, True)
    )


def whole_games(transitions: Sequence[Transition]) -> Iterator[Sequence[Transition]]:
    """Transitions that follow each other, game by game."""
    begun = 0
    for place in range(1, len(transitions) + 1):
        if place == len(transitions) or transitions[place - 1].after != transitions[place].before:
            yield transitions[begun:place]
            begun = place


def learning_curve(
    learner: GameLearner,
    seen: Sequence[Transition],
    fresh: Sequence[Transition],
    sizes: Sequence[int],
) -> Iterator[tuple[int, dict[str, float]]]:
    """How much a learner with the same parameters foretells after so many transitions."""
    pupil = learner.clone(file="")
    learned = 0
    for size in sizes:
        pupil.partial_fit(seen[learned:size])
        learned = size
        yield size, pupil.accuracy(fresh)


def movers(vocabulary: Vocabulary, forecast: Sequence[Compared]) -> set[str]:
    """The kinds of things that came into a cell or left one."""
    pairs: set[tuple[int, int]] = set()
    for one in forecast:
        changed = one.was != one.came
        pairs.update(zip(one.was[changed].tolist(), one.came[changed].tolist(), strict=True))
    contents = [set[str]()] * FIRST_TILE + [
        set(vocabulary.content(FIRST_TILE + place)) for place in range(len(vocabulary.contents))
    ]
    return set().union(*(contents[was] ^ contents[came] for was, came in pairs))
