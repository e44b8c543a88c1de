"""The three lists of checks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import TypeAlias

from ludex.core import registry
from ludex.core.capabilities import HoldsGames
from ludex.core.errors import LudexError
from ludex.core.model import Model
from ludex.core.planner import Agent
from ludex.core.world import World
from ludex.testing.checks import planners
from ludex.testing.checks.borders import BORDER_CHECKS
from ludex.testing.checks.capabilities import CAPABILITY_CHECKS
from ludex.testing.checks.chance import CHANCE_CHECKS
from ludex.testing.checks.events import EVENT_CHECKS, EVENT_CHECKS_OF_WORLDS
from ludex.testing.checks.fast_paths import FAST_PATH_CHECKS
from ludex.testing.checks.people import PEOPLE_CHECKS
from ludex.testing.checks.rules import RULE_CHECKS
from ludex.testing.checks.states import STATE_CHECKS
from ludex.testing.checks.views import VIEW_CHECKS
from ludex.testing.checks.worlds import OWN_CHECKS

WorldCheck: TypeAlias = Callable[[World], None]
ModelCheck: TypeAlias = Callable[[World, Model], None]
PlannerCheck: TypeAlias = Callable[[Agent, World], None]

PLANNER_WORLDS = (
    "nim[heaps=1-2-3]",
    "pig",
    "kuhn_poker",
    "goofspiel",
    "parley",
    "connect_four",
    "vgdl/missilecommand",
)
"""small worlds that together have every trait a planner may meet"""

TILE_WORLDS = ("life[width=4,height=3,ticks=12]", "sokoban[limit=40]")
"""small worlds whose views are grids of tiles, for models that learn from them"""

THING_WORLDS = ("vgdl/sokoban", "vgdl/chase")
"""small worlds whose views list objects, for models that learn from them"""


def of_the_true_model(check: ModelCheck) -> WorldCheck:
    """Make a check of a world from one of its rules."""

    @wraps(check)
    def checked(world: World) -> None:
        check(world, world.model)

    return checked


MODEL_CHECKS: list[ModelCheck] = [
    *STATE_CHECKS,
    *RULE_CHECKS,
    *CHANCE_CHECKS,
    *VIEW_CHECKS,
    *EVENT_CHECKS,
    *FAST_PATH_CHECKS,
    *BORDER_CHECKS,
    *CAPABILITY_CHECKS,
]
WORLD_CHECKS: list[WorldCheck] = [
    *OWN_CHECKS,
    *PEOPLE_CHECKS,
    *EVENT_CHECKS_OF_WORLDS,
    *(of_the_true_model(check) for check in MODEL_CHECKS),
]
PLANNER_CHECKS: list[PlannerCheck] = list(planners.PLANNER_CHECKS)
EVERY_WORLD_CHECKS: list[PlannerCheck] = [planners.check_plays_a_few_ticks]
"""checks of planners that are quick enough for every registered world"""


def every_world() -> list[str]:
    """Every registered world, and every game of those that have games."""
    found: list[str] = []
    for name in registry.names("worlds"):
        with suppress(LudexError):  # a stranger's that cannot be imported
            part = registry.load("worlds", name)
            holds_games = isinstance(part, HoldsGames)
            found += [f"{name}/{game}" for game, _ in part.games()] if holds_games else [name]
    return found
