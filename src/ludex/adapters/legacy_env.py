"""The old interface of GVGAI_GYM, for programs written for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium

from ludex.adapters.vgdl_env import GameEnv


class LegacyEnv:
    """A VGDL game with the calls that GVGAI_GYM had.

    `reset()` returns the observation alone, and `step(action)` four things: observation,
    reward, whether it is over, and info.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        self.env = env
        self.action_space = env.action_space
        self.observation_space = env.observation_space
        self.next_level: int | str | Path | None = None
        self.next_seed: int | None = None

    def seed(self, seed: int) -> list[int]:
        """The next reset uses it."""
        self.next_seed = seed
        return [seed]

    def _setLevel(self, level: int | str | Path) -> None:  # noqa: N802  # its old name
        """The next reset goes to this level, a number or the path of a level file."""
        self.next_level = level

    def reset(self) -> Any:
        options = None if self.next_level is None else {"level": self.next_level}
        observation, _ = self.env.reset(seed=self.next_seed, options=options)
        self.next_seed = None
        return observation

    def step(self, action: int) -> tuple[Any, float, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        over = terminated or truncated
        return observation, float(reward), over, {**info, "actions": self.get_action_meanings()}

    def get_action_meanings(self) -> list[str]:
        game = self.env.unwrapped
        assert isinstance(game, GameEnv)
        return game.get_action_meanings()

    def render(self) -> Any:
        return self.env.render()

    def close(self) -> None:
        self.env.close()
