"""A game of two seats as learners of one seat read it: its actions are joint actions.

A joint action is one number, `PLACES` times the action of seat 0 plus that of seat 1, so it names
what both do. Score and end are those of the seat that looks; those of the other one are learned
beside them (`GameLearner.take`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter
from ludex.core.model import Actions
from ludex.core.tiles import NOWHERE, TileView, acts_of
from ludex.models.learned.training.transitions import Shown, Transition, as_observed

PLACES = 64  # numbers of actions of one seat


def joint_number(actions: Actions) -> int:
    """The number of a joint action.

    >>> joint_number((2, 5)), both_actions(133)
    (133, (2, 5))
    """
    first, second = map(int, actions)
    if not (0 <= first < PLACES and 0 <= second < PLACES):
        raise BadParameter(
            f"models of two seats learn from actions 0 to {PLACES - 1}, got {actions!r}"
        )
    return PLACES * first + second


def both_actions(number: int) -> tuple[int, int]:
    return number // PLACES, number % PLACES


def legal_of_both(shown: Shown) -> tuple[tuple[Any, ...], ...]:
    """The legal actions of each seat; empty ones where nobody acts."""
    other = shown.others[0]
    pair = (tuple(shown.legal), tuple(other.legal))
    return pair if shown.seat < other.seat else pair[::-1]


def joint_view(shown: Any) -> Any:
    """A view of a game of two seats as one of a game of one seat."""
    if not shown.others:
        return shown
    first, second = legal_of_both(shown)
    legal = tuple(joint_number((a, b)) for a in first for b in second)
    if not isinstance(shown, TileView):
        return replace(shown, legal=legal, others=())
    if any(act.cell != NOWHERE for act in shown.acts):
        raise BadParameter("models of two seats learn games in which no action is done to a cell")
    return replace(shown, legal=legal, acts=acts_of(legal), others=())


def joint_transition(before: Shown, actions: Actions, after: Shown) -> Transition:
    """A step of a game of two seats as one of a game of one seat."""
    views = (as_observed(joint_view(shown)) for shown in (before, after))
    observed_before, observed_after = views
    return Transition(observed_before, (joint_number(actions),), observed_after)


class PairedRows:
    """Rows of tiles whose last column, the number of a joint verb, becomes one for each seat."""

    def __init__(self, verbs: list[int]) -> None:
        # Verbs that were never seen share the last place, and have a number of their own.
        pairs = [both_actions(verb) for verb in verbs] + [(PLACES, PLACES)]
        self.pairs: NDArray[np.uint16] = np.array(pairs, np.uint16)

    def __call__(self, rows: NDArray[np.uint16]) -> NDArray[np.uint16]:
        return np.ascontiguousarray(np.hstack([rows[:, :-1], self.pairs[rows[:, -1]]]))

    def classifier(self, asked: Any) -> Any:
        """A function that asks native trees, or another function, about rows of pairs."""
        classify = asked.classify if hasattr(asked, "classify") else asked

        def paired(rows: NDArray[np.uint16]) -> Any:
            return classify(self(rows))

        return paired
