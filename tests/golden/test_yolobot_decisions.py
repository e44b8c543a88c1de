"""YOLOBOT decides in stored matches as it did when they were stored.

Its knowledge base keeps answers to be quick, and none of that may change a decision. A change that
is meant to remakes the file: LUDEX_REMAKE_GOLDEN=1 pytest tests/golden/test_yolobot_decisions.py,
and says in its message what changed and why.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.view import History
from ludex.planners.yolobot import Yolobot

STORED = Path(__file__).parent / "yolobot_decisions.json"
REMAKE = os.environ.get("LUDEX_REMAKE_GOLDEN") == "1"
WORLDS = ("aliens", "boulderdash", "butterflies", "frogs", "portals", "sokoban", "zelda")
BUDGET = Budget(model_calls=80)
TICKS = 12


def decisions(world) -> list[str]:
    """Mode, action and visits of each decision of a match."""
    game, imagined = world.model, world.model.metered(Meter())
    state, events, found = world.start(Rng(0)), [], []
    mind = Yolobot().start(imagined, game.view(state, 0), BUDGET, Rng(0))
    for tick in range(TICKS):
        view = game.view(state, 0).recalling(history=History(events))
        decision = mind.decide(view, BUDGET, Rng(tick))
        action = world.action_text(decision.action)
        visits = (str(count) for count in (decision.visits or {}).values())
        found.append(" ".join([decision.notes["mode"], action, *visits]))
        game.advance(state, (decision.action,), Rng(1000 + tick))
        events += game.events(state, 0)
    return found


@pytest.mark.parametrize("name", WORLDS)
def test_decisions_are_those_of_the_stored_match(name):
    found = decisions(registry.world(f"vgdl/{name}"))
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    if REMAKE:
        STORED.write_text(json.dumps({**stored, name: found}, indent=1, sort_keys=True) + "\n")
    else:
        assert found == stored[name]
