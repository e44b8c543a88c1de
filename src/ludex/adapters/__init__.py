"""Foreign interfaces: any world as a Gymnasium or PettingZoo environment.

Needs the extra `environments`; without it the functions raise MissingExtra.
"""

from __future__ import annotations

from typing import Any, Literal

from ludex.core.extra import require_extra

__all__ = ["register_all", "to_gymnasium", "to_pettingzoo", "to_pettingzoo_parallel"]

Reward = Literal["returns", "score"]
Illegal = Literal["replace", "raise"]


def to_gymnasium(world: Any, **options: Any) -> Any:
    """Make a Gymnasium environment: one seat is yours, agents play the others.

    Args:
        world: A world or its text, such as `nim[heaps=3-4-5]`.
        **options: Those of `ludex.adapters.gymnasium_env.SeatEnv`: seat, opponents, budget,
            reward, illegal, max_ticks, render_mode.
    """
    require_extra("gymnasium", "these environments", "environments")
    from ludex.adapters.gymnasium_env import SeatEnv

    return SeatEnv(world, **options)


def to_pettingzoo(world: Any, **options: Any) -> Any:
    """Make a PettingZoo AEC environment; seats that act at once choose one after another.

    Args:
        world: A world or its text.
        **options: reward, illegal, max_ticks, render_mode.
    """
    require_extra("pettingzoo", "these environments", "environments")
    from ludex.adapters.pettingzoo_env import TurnEnv

    return TurnEnv(world, **options)


def to_pettingzoo_parallel(world: Any, **options: Any) -> Any:
    """Make a PettingZoo Parallel environment; seats that are not to act have an empty mask.

    Args:
        world: A world or its text.
        **options: reward, illegal, max_ticks, render_mode.
    """
    require_extra("pettingzoo", "these environments", "environments")
    from ludex.adapters.pettingzoo_env import JointEnv

    return JointEnv(world, **options)


def register_all() -> list[str]:
    """Register every world with Gymnasium as `ludex/NAME-v0`; return the ids.

    `gymnasium.make("ludex.adapters.register:ludex/nim-v0")` does so by itself.
    """
    require_extra("gymnasium", "these environments", "environments")
    from ludex.adapters.register import register_worlds

    return register_worlds()
