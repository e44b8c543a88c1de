"""Fitted Q iteration: model-free values of actions from recorded steps.

D. Ernst, P. Geurts, L. Wehenkel, "Tree-Based Batch Mode Reinforcement Learning", JMLR 6, 2005. In
each round a forest learns the reward of every step plus the best value, by the last forest, of what
could be done next. While trees are grown anew the values may go up and down; once the trees are
kept and only their leaves are refreshed, the changes shrink by the discount from round to round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.agents.hearthstone.learning.forests import Arrays, grow, refreshed


@dataclass(frozen=True)
class RecordedSteps:
    """Recorded steps: features of state and action, rewards, and the next legal actions.

    The next rows of step i end at `ends[i]` and begin where those of the step before end; a step
    after which nothing could be done has none.
    """

    rows: NDArray[np.int16]
    rewards: NDArray[np.float32]
    next_rows: NDArray[np.int16]
    ends: NDArray[np.int64]

    def best_next(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """The best of the values of each step's next rows; 0 where there are none."""
        starts = np.concatenate([[0], self.ends[:-1]])
        going = self.ends > starts
        best = np.zeros(len(self.rewards))
        if going.any():
            best[going] = np.maximum.reduceat(values, starts[going])
        return best


@dataclass(frozen=True)
class IterationSettings:
    """Settings of fitted Q iteration."""

    rounds: int = 30
    regrown: int = 4
    """rounds in which the trees are fitted again; later only their leaves are"""
    discount: float = 0.95
    trees: int = 50
    least: int = 10
    """steps in the smallest leaf"""
    features: float = 0.3
    """share of the features looked at in each split"""
    seed: int = 0


def iterate(
    steps: RecordedSteps,
    settings: IterationSettings,
    told: Callable[[int], None] | None = None,
    workers: int = 1,
) -> tuple[Arrays, list[float]]:
    """Learn values; also says how far what is learned moved in each round, at most."""
    forest = Arrays.constant(0.0)
    last = np.zeros(len(steps.rewards))
    kept: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None
    moves: list[float] = []
    for done in range(settings.rounds):
        if kept is None:
            following = forest.native().predict(steps.next_rows)
        else:
            following = forest.leaves[kept[1]].mean(axis=1, dtype=np.float64)
        wanted = steps.rewards + settings.discount * steps.best_next(following)
        if done < settings.regrown:
            seed = settings.seed + done
            forest = grow(
                steps.rows,
                wanted,
                settings.trees,
                seed,
                settings.least,
                settings.features,
                workers,
            )
        else:
            if kept is None:  # where rows fall no longer changes
                native = forest.native()
                kept = native.leaves_of(steps.rows), native.leaves_of(steps.next_rows)
            forest = refreshed(forest, kept[0], wanted)
        moves.append(float(np.abs(wanted - last).max()))
        last = wanted
        if told:
            told(done + 1)
    return forest, moves
