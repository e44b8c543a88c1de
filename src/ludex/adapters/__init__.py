"""Adapters: any world as a Gymnasium or PettingZoo environment.

Needs the extra `environments`; without it the functions raise MissingExtra.
"""

from __future__ import annotations

from typing import Any, Literal

from ludex.core.extra import require_extra

__all__ = [
    "register_all",
    "register_games",
    "to_gymnasium",
    "to_legacy",
    "to_pettingzoo",
    "to_pettingzoo_parallel",
    "to_vector",
]

Reward = Literal["returns", "score"]
Illegal = Literal["replace", "raise"]


def to_gymnasium(world: Any, **options: Any) -> Any:
    """Make a Gymnasium environment: one seat is yours, agents play the others.

    Args:
        world: A world or its text, such as `nim[heaps=3-4-5]`.
        **options: Those of `ludex.adapters.gymnasium_env.SeatEnv`: seat, opponents, budget,
            reward, illegal, max_ticks, render_mode.
    """
    require_library("gymnasium")
    from ludex.adapters.gymnasium_env import SeatEnv

    return SeatEnv(world, **options)


def to_pettingzoo(world: Any, **options: Any) -> Any:
    """Make a PettingZoo AEC environment; seats that act at once choose one after another.

    Args:
        world: A world or its text.
        **options: reward, illegal, max_ticks, render_mode, observation and its options.
    """
    require_library("pettingzoo")
    from ludex.adapters.pettingzoo_env import TurnEnv

    return TurnEnv(world, **options)


def to_pettingzoo_parallel(world: Any, **options: Any) -> Any:
    """Make a PettingZoo Parallel environment; seats that are not to act have an empty mask.

    Args:
        world: A world or its text.
        **options: reward, illegal, max_ticks, render_mode, observation and its options.
    """
    require_library("pettingzoo")
    from ludex.adapters.pettingzoo_env import JointEnv

    return JointEnv(world, **options)


def to_vector(game: str, num_envs: int, **options: Any) -> Any:
    """Make a Gymnasium vector environment of a VGDL game for one player.

    Args:
        game: The name of one of our games, or the path of a description.
        num_envs: How many games are played side by side.
        **options: Those of `ludex.adapters.batch_env.BatchEnv`.
    """
    require_library("gymnasium")
    from ludex.adapters.batch_env import BatchEnv

    return BatchEnv(num_envs, game, **options)


def to_legacy(env: Any, **options: Any) -> Any:
    """Give a VGDL environment, or the id of one, the interface that GVGAI_GYM had."""
    require_library("gymnasium")
    import gymnasium

    from ludex.adapters.legacy_env import LegacyEnv

    register_all()
    return LegacyEnv(gymnasium.make(env, **options) if isinstance(env, str) else env)


def register_all() -> list[str]:
    """Register every world and every VGDL game with Gymnasium; return the ids.

    Where Gymnasium is imported, `import ludex` does so, and so does
    `gymnasium.make("ludex:vgdl/aliens-v0")`; call this where ludex was imported first.
    """
    require_library("gymnasium")
    from ludex.adapters.register import register_worlds

    return register_worlds()


def register_games(folder: Any) -> list[str]:
    """Register a folder of VGDL games, NAME.txt with levels NAME_lvlN.txt; return the ids."""
    require_library("gymnasium")
    from ludex.adapters.register import register_games as register_folder

    return register_folder(folder)


def require_library(name: str) -> None:
    """Say in one sentence how to get a library of environments that is missing."""
    require_extra(name, "these environments", "environments")
