"""The conformance kit: checks for a world, model or planner, yours or ours.

`WORLD_CHECKS` take `(world)`, `MODEL_CHECKS` take `(world, model)`, `PLANNER_CHECKS` take
`(planner, world)`; each raises CheckFailed with one sentence when a promise does not hold.
"""

from ludex.testing.failure import CheckFailed
from ludex.testing.lists import (
    EVERY_WORLD_CHECKS,
    MODEL_CHECKS,
    PLANNER_CHECKS,
    PLANNER_WORLDS,
    THING_WORLDS,
    TILE_WORLDS,
    WORLD_CHECKS,
    every_world,
)
from ludex.testing.report import CheckResult, run_checks, run_planner_checks
from ludex.testing.strategies import games_of, seeds, states_of
from ludex.testing.walk import positions, walk, wander

__all__ = [
    "EVERY_WORLD_CHECKS",
    "MODEL_CHECKS",
    "PLANNER_CHECKS",
    "PLANNER_WORLDS",
    "THING_WORLDS",
    "TILE_WORLDS",
    "WORLD_CHECKS",
    "CheckFailed",
    "CheckResult",
    "every_world",
    "games_of",
    "positions",
    "run_checks",
    "run_planner_checks",
    "seeds",
    "states_of",
    "walk",
    "wander",
]
