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


def decisions(world, planner: Yolobot, budget: Budget, ticks: int) -> tuple[list[str], bool]:
    """Mode, action and visits of each decision of a match, and whether it is won by then."""
    game, imagined = world.model, world.model.metered(Meter())
    state, events, found = world.start(Rng(0)), [], []
    mind = planner.start(imagined, game.view(state, 0), budget, Rng(0))
    for tick in range(ticks):
        if game.over(state):
            break
        view = game.view(state, 0).recalling(history=History(events))
        decision = mind.decide(view, budget, Rng(tick))
        action = world.action_text(decision.action)
        visits = (str(count) for count in (decision.visits or {}).values())
        found.append(" ".join([decision.notes["mode"], action, *visits]))
        game.advance(state, (decision.action,), Rng(1000 + tick))
        events += game.events(state, 0)
    return found, game.over(state) and 0 in game.outcome(state).winners


@pytest.mark.parametrize("name", WORLDS)
def test_decisions_are_those_of_the_stored_match(name):
    found, _ = decisions(registry.world(f"vgdl/{name}"), Yolobot(), BUDGET, TICKS)
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    if REMAKE:
        STORED.write_text(json.dumps({**stored, name: found}, indent=1, sort_keys=True) + "\n")
    else:
        assert found == stored[name]


def test_sokoban_is_searched_while_waiting_then_played_back_and_won():
    planner = Yolobot(pre_run=False)
    found, won = decisions(registry.world("vgdl/sokoban"), planner, Budget(model_calls=600), 100)
    replayed = next(place for place, one in enumerate(found) if one.startswith("replay"))
    assert set(found[:replayed]) == {"search NIL"}
    assert all(one.startswith("replay") for one in found[replayed:])
    assert won


def test_zelda_is_searched_for_three_ticks_and_then_simulated():
    modes = [one.split()[0] for one in json.loads(STORED.read_text())["zelda"]]
    assert modes == ["search"] * 3 + ["simulate"] * (TICKS - 3)
