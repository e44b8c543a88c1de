"""Selection policies of tree search: bandit rules, by name.

Every rule gets the bandit, the planner's `exploration`, and `span`: the distance between the
least and the largest return seen so far in this search. The rules were made for returns from
0 to 1; multiplying their bonus by the span is the same as normalising the returns.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Literal, TypeAlias

from ludex.core.rng import Rng
from ludex.core.rollout import Arms
from ludex.planners.parts.bandit import Bandit

Selection: TypeAlias = Callable[[Bandit, float, float, Rng], int]
SelectionName: TypeAlias = Literal["ucb1", "ucb1_tuned", "epsilon_greedy", "smooth"]

TreeSelectionName: TypeAlias = Literal[
    "ucb1",
    "ucb1_tuned",
    "epsilon_greedy",
    "smooth",
    "puct",
    "puct_printed",
    "progressive_bias",
]

SMOOTH_START = 0.9  # Smooth UCT begins with this share of ucb1 choices ...
SMOOTH_LEAST = 0.1  # ... and ends with this one, as in its paper
SMOOTH_DECAY = 0.05


ucb1: Selection = Arms.ucb1
"""Mean + exploration * sqrt(ln N / n); Auer, Cesa-Bianchi and Fischer (2002) with sqrt 2.

Native, because it is asked at every node of every path."""


def ucb1_tuned(bandit: Bandit, exploration: float, span: float, rng: Rng) -> int:
    """Ucb1 with the measured variance in place of its largest; from the same paper.

    There `exploration` is 1: mean + sqrt(ln N / n * min(1/4, variance + sqrt(2 ln N / n))).
    """
    total = log(bandit.total)
    scale = exploration * span
    unit = 1.0 / (span * span) if span > 0.0 else 0.0
    bounds: list[float] = []
    for mean, square, count in zip(bandit.means, bandit.squares, bandit.visits, strict=True):
        share = total / count
        variance = max(0.0, square / count - mean * mean) * unit + sqrt(2.0 * share)
        bounds.append(mean + scale * sqrt(share * min(0.25, variance)))
    return bounds.index(max(bounds))


def epsilon_greedy(bandit: Bandit, exploration: float, span: float, rng: Rng) -> int:
    """The best mean, or with probability `exploration` any tried action."""
    if rng.uniform() < exploration:
        return rng.below(len(bandit))
    means = bandit.means
    return means.index(max(means))


def smooth(bandit: Bandit, exploration: float, span: float, rng: Rng) -> int:
    """Smooth UCT (Heinrich and Silver 2015): ucb1, or a draw in proportion to the visits.

    The mixture makes both sides answer each other's average play, which comes much nearer to
    an equilibrium of a game with hidden facts than ucb1 alone.
    """
    share = SMOOTH_START / (1.0 + SMOOTH_DECAY * sqrt(bandit.total))
    if rng.uniform() < max(SMOOTH_LEAST, share):
        return ucb1(bandit, exploration, span, rng)
    return rng.weighted(bandit.visits)


def puct(bandit: Bandit, exploration: float, span: float, rng: Rng) -> int:
    """Mean + exploration * prior * sqrt(visits of the others) / (1 + visits), as in AlphaGo."""
    width, total = exploration * span, float(bandit.total)
    bounds = [
        mean + width * prior * (sqrt(total - count) / (1.0 + count))
        for mean, count, prior in zip(bandit.means, bandit.visits, bandit.priors, strict=True)
    ]
    return bounds.index(max(bounds))


def puct_printed(bandit: Bandit, exploration: float, span: float, rng: Rng) -> int:
    """The same with the visits below the root, as M. Dobre's thesis (2018) prints it."""
    width, total = exploration * span, float(bandit.total)
    bounds = [
        mean + width * prior * sqrt((total - count) / (1.0 + count))
        for mean, count, prior in zip(bandit.means, bandit.visits, bandit.priors, strict=True)
    ]
    return bounds.index(max(bounds))


def progressive_bias(bandit: Bandit, exploration: float, span: float, rng: Rng) -> int:
    """Ucb1 + prior / (1 + visits) (Chaslot et al. 2008): the prior fades with experience."""
    reach = exploration * span * sqrt(log(bandit.total))
    rows = zip(bandit.means, bandit.spreads, bandit.visits, bandit.priors, strict=True)
    bounds = [
        mean + reach * spread + span * prior / (count + 1.0) for mean, spread, count, prior in rows
    ]
    return bounds.index(max(bounds))


SELECTIONS: dict[SelectionName, Selection] = {
    "ucb1": ucb1,
    "ucb1_tuned": ucb1_tuned,
    "epsilon_greedy": epsilon_greedy,
    "smooth": smooth,
}

USES_PRIORS: frozenset[str] = frozenset({"puct", "puct_printed", "progressive_bias"})
TREE_SELECTIONS: dict[TreeSelectionName, Selection] = {
    "ucb1": ucb1,
    "ucb1_tuned": ucb1_tuned,
    "epsilon_greedy": epsilon_greedy,
    "smooth": smooth,
    "puct": puct,
    "puct_printed": puct_printed,
    "progressive_bias": progressive_bias,
}
"""those that need a fixed list of actions at each node are among them"""
