"""Uniform play over actions as catanatron lists them, for comparison."""

from __future__ import annotations

from collections import Counter

from ludex.core import registry
from ludex.core.rng import Meter, Rng
from ludex.worlds.catan.values import type_of

WORLD = registry.world("catan[trades=none,early=knights]")
LABELS = {
    "END_TURN": "end",
    "ROLL": "roll",
    "BUILD_ROAD": "road",
    "BUILD_SETTLEMENT": "settlement",
    "BUILD_CITY": "city",
    "BUY_DEVELOPMENT_CARD": "buy",
    "PLAY_KNIGHT_CARD": "knight",
    "PLAY_YEAR_OF_PLENTY": "plenty",
    "PLAY_MONOPOLY": "monopoly",
    "PLAY_ROAD_BUILDING": "roads",
    "MARITIME_TRADE": "trade",
}
"""the actions of catanatron that are counted, and ours"""


def play_as_listed(seed: int) -> Counter[str]:
    """One random game; a knight is listed once, and its hex drawn afterwards.

    Returns how often each type was played, and the turns.
    """
    model, rng = WORLD.model.metered(Meter()), Rng(seed).fork("as listed")
    state = WORLD.start(rng)
    counts: Counter[str] = Counter()
    while seats := model.to_act(state):
        legal = model.legal(state, seats[0])
        knights = [action for action in legal if type_of(action) == "knight"]
        others = [action for action in legal if type_of(action) != "knight"]
        place = rng.below(len(others) + bool(knights))
        action = others[place] if place < len(others) else rng.choice(knights)
        counts[type_of(action)] += 1
        model.advance(state, (action,), rng)
        model.settle(state, rng)
    counts["turns"] = state.turn
    return counts
