"""How much a learned model foretells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.models.learned.parts.transitions import Transition

if TYPE_CHECKING:
    from ludex.models.learned.parts.tile_learner import TileLearner

ANY = Traits(seats=1, max_legal=1024)


def accuracy_of(learner: TileLearner, transitions: Sequence[Transition]) -> dict[str, float]:
    """Compare one-step predictions with what happened.

    `cells`: the share of cells that are right, which static ones dominate. `changed_cells`: of
    cells that change or are foretold to, the share that is right. `grids`: of transitions, those
    with no cell wrong. `seen`: of neighbourhoods, those that were known. `gains`: of transitions,
    those whose gain is right to 0.05. Of nothing, all is right.
    """
    model = learner.model(ANY)
    cells = right = changed = right_changes = grids = seen = gains = 0
    for one in transitions:
        before, after = (model.imagine(moment.view, Rng(0)) for moment in (one.before, one.after))
        foretold = model.step(before, one.actions, Rng(0))
        was, is_, said = (state.tiles for state in (before, after, foretold))
        hits = said == is_
        moved = (was != is_) | (was != said)
        cells += hits.size
        right += int(hits.sum())
        changed += int(moved.sum())
        right_changes += int((hits & moved).sum())
        grids += bool(hits.all())
        seen += hits.size - foretold.unseen
        gains += abs(foretold.score - after.score) <= 0.05
    total = len(transitions)
    return {
        "cells": right / cells if cells else 1.0,
        "changed_cells": right_changes / changed if changed else 1.0,
        "grids": grids / total if total else 1.0,
        "seen": seen / cells if cells else 1.0,
        "gains": gains / total if total else 1.0,
    }
