"""Play, learn, judge and make games by looking ahead.

>>> import ludex
>>> nim = ludex.world("nim[heaps=3-4-5]")
>>> nim.model.to_act(nim.start(ludex.Rng(1)))
(0,)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ludex import _moved  # noqa: F401

if TYPE_CHECKING:
    from ludex.agents.compose import as_agent as agent
    from ludex.arena.match.play import play
    from ludex.arena.match.runner import MatchResult
    from ludex.core.budget import Budget
    from ludex.core.decision import Decision
    from ludex.core.errors import LudexError
    from ludex.core.model import Model
    from ludex.core.native_files import cmake_dir
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
    "cmake_dir",
    "play",
    "world",
]

# Imported when first used, so that `import ludex` and the command line start at once.
MODULES = {
    "Budget": "ludex.core.budget",
    "Decision": "ludex.core.decision",
    "LudexError": "ludex.core.errors",
    "MatchResult": "ludex.arena.match.runner",
    "Model": "ludex.core.model",
    "Outcome": "ludex.core.outcome",
    "Planner": "ludex.core.planner",
    "Rng": "ludex.core.rng",
    "World": "ludex.core.world",
    "agent": "ludex.agents.compose:as_agent",
    "cmake_dir": "ludex.core.native_files",
    "play": "ludex.arena.match.play",
    "world": "ludex.core.registry",
}


def __getattr__(name: str) -> Any:
    if name == "__spec__":
        if is_gymnasium_imported():
            globals()["__spec__"] = SPEC
            register_environments()
        return SPEC
    if name == "__version__":
        from importlib.metadata import version

        return version("ludex")
    from ludex.core.lazy import lazy

    value = globals()[name] = lazy(__name__, MODULES)(name)
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def is_gymnasium_imported() -> bool:
    return hasattr(sys.modules.get("gymnasium"), "envs")  # not while it is still being imported


def register_environments() -> None:
    """Register every world and VGDL game with Gymnasium; if that fails, only warn."""
    import importlib
    import warnings

    try:
        importlib.import_module("ludex.adapters.register")
    except Exception as error:
        warnings.warn(f"ludex could not register its environments: {error}", stacklevel=2)


# Importing ludex registers its environments, as Gymnasium's users know it from other packages,
# but does not import Gymnasium. Where ludex was imported first, the next import of it registers
# them, such as the one by `gymnasium.make("ludex:vgdl/aliens-v0")`: Python asks a module that is
# already imported for its `__spec__`, and without one `__getattr__` above is called.
SPEC = __spec__
if is_gymnasium_imported():
    register_environments()
else:
    del __spec__
