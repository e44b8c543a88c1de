"""Grids of tiles by hand, for tests of learners."""

from __future__ import annotations

import numpy as np

from ludex.core.outcome import Outcome
from ludex.core.rng import Rng
from ludex.core.tiles import Tiles, TileView, acts_of
from ludex.core.traits import Traits
from ludex.models.learned.training.transitions import Transition, as_observed, random_play

TRAITS = Traits(seats=1, max_legal=2)
ENDS = {
    None: None,
    "won": Outcome((0,), (1.0,), "won"),
    "lost": Outcome((), (-1.0,), "lost"),
}


def grid(text, kinds="abc", score=0.0, end=None, legal=(0, 1)):
    """A view of rows such as `a.b/..c`: a letter is a kind, a dot is an empty cell."""
    rows = text.split("/")
    masks = [[0 if one == "." else 1 << kinds.index(one) for one in row] for row in rows]
    legal = () if end else legal
    tiles = Tiles.of(tuple(kinds), np.array(masks, np.uint64))
    return TileView(0, legal, tiles, score, ENDS[end], acts_of(legal))


def step(before, action, after):
    """A transition between two views."""
    return Transition(as_observed(before), (action,), as_observed(after))


def text_of(model, state, kinds="abc"):
    """The rows of a state, as `grid` reads them."""
    tiles = model.encoder.vocabulary.decode(state.tiles)
    marks = {0: ".", **{1 << place: kind for place, kind in enumerate(kinds)}}
    return "/".join("".join(marks[int(mask)] for mask in row) for row in tiles.array)


def play(world, steps, seed=0, restart=300):
    """Random play from the start of a world."""
    view = world.model.view(world.start(Rng(seed).fork("start")), 0)
    return list(random_play(world.model, view, steps, Rng(seed), restart))
