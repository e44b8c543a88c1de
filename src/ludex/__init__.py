"""Play, learn, judge and make games by looking ahead.

>>> import ludex
>>> nim = ludex.world("nim[heaps=3-4-5]")
>>> nim.model.to_act(nim.start(ludex.Rng(1)))
(0,)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ludex._gymnasium import register_with_gymnasium

if TYPE_CHECKING:
    from ludex.agents.compose import as_agent as agent
    from ludex.arena.match import MatchResult
    from ludex.arena.play import play
    from ludex.core.budget import Budget
    from ludex.core.decision import Decision
    from ludex.core.errors import LudexError
    from ludex.core.model import Model
    from ludex.core.outcome import Outcome
    from ludex.core.planner import Planner
    from ludex.core.registry import world
    from ludex.core.rng import Rng
    from ludex.core.world import World

__all__ = [
    "Budget",
    "Decision",
    "LudexError",
    "MatchResult",
    "Model",
    "Outcome",
    "Planner",
    "Rng",
    "World",
    "agent",
    "play",
    "world",
]

# Imported when first used, so that `import ludex` and the command line start at once.
PLACES = {
    "Budget": "ludex.core.budget:Budget",
    "Decision": "ludex.core.decision:Decision",
    "LudexError": "ludex.core.errors:LudexError",
    "MatchResult": "ludex.arena.match:MatchResult",
    "Model": "ludex.core.model:Model",
    "Outcome": "ludex.core.outcome:Outcome",
    "Planner": "ludex.core.planner:Planner",
    "Rng": "ludex.core.rng:Rng",
    "World": "ludex.core.world:World",
    "agent": "ludex.agents.compose:as_agent",
    "play": "ludex.arena.play:play",
    "world": "ludex.core.registry:world",
}


register_with_gymnasium()


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("ludex")
    if name not in PLACES:
        raise AttributeError(f"module 'ludex' has no attribute {name!r}")
    module, _, attribute = PLACES[name].partition(":")
    value = getattr(importlib.import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
