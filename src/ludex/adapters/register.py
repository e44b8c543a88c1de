"""Registers every world with Gymnasium; importing this module does it.

`gymnasium.make("ludex.adapters.register:ludex/nim-v0", seat=1, opponents=["mcts"])`
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

from ludex.core.registry import names

ENTRY_POINT = "ludex.adapters.gymnasium_env:SeatEnv"


def register_worlds() -> list[str]:
    """Register what is not registered yet, and return all ids; no world is imported."""
    ids: list[str] = []
    for world in names("worlds"):
        identity = f"ludex/{world}-v0"
        if identity not in registry:
            register(identity, entry_point=ENTRY_POINT, kwargs={"world": world})
        ids.append(identity)
    return ids


register_worlds()
