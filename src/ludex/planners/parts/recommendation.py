"""Recommendation policies: which action is played once the search is over, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any, Literal, Protocol, TypeAlias

from ludex.core.model import Action
from ludex.core.rng import Rng
from ludex.core.twin import NativeTree

Visits: TypeAlias = Mapping[Action, int]
Values: TypeAlias = Mapping[Action, float]
Recommendation: TypeAlias = Callable[[Visits, Values, Rng], Action]
RecommendationName: TypeAlias = Literal["visits", "value", "secure", "ucb", "sampled"]


def best_of(values: Values, key: Callable[[Action], Any], rng: Rng) -> Action:
    """The action of the highest key; among equals any.

    Where a search sees no difference, always taking the first would mean to stand still or to
    run into the same wall for ever.
    """
    keys = {action: key(action) for action in values}
    highest = max(keys.values())
    best = [action for action, found in keys.items() if found == highest]
    return best[0] if len(best) == 1 else best[rng.below(len(best))]


def most_visited(visits: Visits, values: Values, rng: Rng) -> Action:
    """The robust child; among equals the one of higher value."""
    return best_of(values, lambda action: (visits[action], values[action]), rng)


def highest_value(visits: Visits, values: Values, rng: Rng) -> Action:
    """The max child; among equals the one visited more."""
    return best_of(values, lambda action: (values[action], visits[action]), rng)


def most_secure(visits: Visits, values: Values, rng: Rng) -> Action:
    """The highest lower bound: value - span * sqrt(ln N / n)."""
    total = log(sum(visits.values()) + 1)
    span = max(values.values()) - min(values.values())
    return best_of(values, lambda one: values[one] - span * sqrt(total / visits[one]), rng)


def highest_bound(visits: Visits, values: Values, rng: Rng) -> Action:
    """The highest upper bound: value + span * sqrt(2 ln N / n), as ucb1 would choose next."""
    total = log(sum(visits.values()) + 1)
    span = max(values.values()) - min(values.values())
    return best_of(values, lambda one: values[one] + span * sqrt(2.0 * total / visits[one]), rng)


def sampled(visits: Visits, values: Values, rng: Rng) -> Action:
    """Draw in proportion to the visits: mixed play, for games with hidden facts."""
    actions = list(values)
    return actions[rng.weighted([visits[action] for action in actions])]


RECOMMENDATIONS: dict[RecommendationName, Recommendation] = {
    "visits": most_visited,
    "value": highest_value,
    "secure": most_secure,
    "ucb": highest_bound,
    "sampled": sampled,
}


class Tried(Protocol):
    """What was tried at a node: actions, and their visits and mean values side by side."""

    actions: list[Action]
    total: int

    @property
    def visits(self) -> list[int]: ...

    @property
    def means(self) -> list[float]: ...

    @property
    def squares(self) -> list[float]: ...


@dataclass(slots=True)
class TriedActions:
    """The statistics of a seat at a root, as a native search tells them."""

    actions: list[Action]
    visits: list[int]
    means: list[float]
    squares: list[float]
    """sums of squared values; here that of all together"""
    total: int
    """visits of all"""


def tried_natively(tree: NativeTree, seat: int) -> list[TriedActions]:
    """The statistics of a seat at each root of a native tree."""
    return [
        TriedActions(
            [action for action, _, _ in rows],
            [visits for _, visits, _ in rows],
            [mean for _, _, mean in rows],
            [squares],
            total,
        )
        for _, total, rows, squares in tree.root_bandits(seat)
    ]


def evidence(
    legal: tuple[Action, ...], bandits: Sequence[Tried]
) -> tuple[dict[Action, int], dict[Action, float]]:
    """Add up the bandits of one seat: visits of all legal actions, mean returns of the tried."""
    visits: dict[Action, int] = dict.fromkeys(legal, 0)
    totals: dict[Action, float] = {}
    for bandit in bandits:
        for action, count, mean in zip(bandit.actions, bandit.visits, bandit.means, strict=True):
            if action in visits:  # a sequence stands for many states, with other actions
                visits[action] += count
                totals[action] = totals.get(action, 0.0) + mean * count
    return visits, {action: totals[action] / n for action, n in visits.items() if n}


def decide(
    rule: RecommendationName, legal: tuple[Action, ...], visits: Visits, values: Values, rng: Rng
) -> Action:
    """Apply a rule to the tried actions; draw any legal one when none was tried."""
    if not values:
        return legal[rng.below(len(legal))]
    return RECOMMENDATIONS[rule](visits, values, rng)
