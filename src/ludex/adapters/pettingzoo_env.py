"""All seats of a world as PettingZoo environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from ludex.adapters.gymnasium_env import FORMS, check_render_mode, space_of
from ludex.adapters.table import MAX_TICKS, EnvironmentTable
from ludex.arena.match.setup import as_world
from ludex.core.errors import GameOver
from ludex.core.model import Action
from ludex.core.world import World


class Seats:
    """What both kinds of environment share: the table, the names and the spaces."""

    def __init__(
        self,
        world: World | str,
        reward: str,
        illegal: str,
        max_ticks: int,
        observation: str | None,
        observation_options: Mapping[str, Any],
    ) -> None:
        made = as_world(world)
        sensor = made.sensor(observation, **observation_options)
        self.table = EnvironmentTable(
            made, reward=reward, illegal=illegal, max_ticks=max_ticks, sensor=sensor
        )
        self.names = [f"seat_{seat}" for seat in range(self.table.seats)]
        self.seat_of = {name: seat for seat, name in enumerate(self.names)}
        size = self.table.world.codec.size
        self.observation_spaces = {
            name: spaces.Dict(
                {
                    "observation": space_of(self.table.sensor),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for name in self.names
        }
        self.action_spaces = {name: spaces.Discrete(size) for name in self.names}
        self.np_random = np.random.default_rng()

    def reset(self, seed: int | None) -> None:
        if seed is not None:
            self.np_random = np.random.default_rng(seed)
        self.table.reset(int(self.np_random.integers(2**62)) if seed is None else seed)

    def observe(self, name: str) -> dict[str, Any]:
        seat = self.seat_of[name]
        return {"observation": self.table.observation(seat), "action_mask": self.table.mask(seat)}

    def ended(self) -> tuple[bool, bool]:
        """Whether the rules ended the game, and whether the limit did."""
        outcome = self.table.outcome
        truncated = outcome is not None and outcome.truncated
        return outcome is not None and not truncated, truncated

    def picture(self, render_mode: str | None, name: str | None) -> str | None:
        """Draw what a seat sees, or the whole table when there is no seat to ask."""
        if render_mode is None or self.table.state is None:
            return None
        form: Any = FORMS[render_mode]
        if name is None:
            return self.table.world.draw(self.table.state, form)
        return self.table.world.draw_view(self.table.view(self.seat_of[name]), form)


class SeatsEnv:
    """What both kinds of environment do alike.

    Args:
        world: A world or its text.
        reward: "returns" at the end of the game, or the difference of "score" at each step.
        illegal: "replace" or "raise".
        max_ticks: Steps of the game after which it is truncated.
        render_mode: "ansi" or "svg".
        observation: The form of observations, in worlds that have several.
        observation_options: Those of the world's sensor.
    """

    metadata: dict[str, Any] = {"render_modes": list(FORMS), "render_fps": 4}

    def __init__(
        self,
        world: World | str,
        *,
        reward: str = "returns",
        illegal: str = "replace",
        max_ticks: int = MAX_TICKS,
        render_mode: str | None = None,
        observation: str | None = None,
        **observation_options: Any,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode, list(FORMS))
        self.game = Seats(world, reward, illegal, max_ticks, observation, observation_options)
        self.metadata = {**self.metadata, "name": self.game.table.world.name}
        self.render_mode = render_mode
        self.possible_agents = list(self.game.names)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.game.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.game.action_spaces[agent]

    def close(self) -> None:
        """There is nothing to close."""


class TurnEnv(SeatsEnv, AECEnv):  # type: ignore[misc]  # the library has no types
    """A world as an AEC environment: agents are `seat_0`, `seat_1`, ...

    Observations are dictionaries of `observation` and `action_mask`. Where several seats act
    at once they choose one after another, and none sees what the others chose. Rewards,
    illegal actions and limits are as in `SeatEnv`; `infos[agent]["replaced"]` flags an action
    that was replaced by the default one. `render` draws what the agent to act sees.
    """

    metadata: dict[str, Any] = {**SeatsEnv.metadata, "is_parallelizable": False}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.game.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {name: {"replaced": False} for name in self.agents}
        self.chosen: dict[int, Action] = {}
        self.note_the_end()
        self.select()

    def note_the_end(self) -> None:
        terminated, truncated = self.game.ended()
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)

    def select(self) -> None:
        waiting = [seat for seat in self.game.table.acting if seat not in self.chosen]
        self.agent_selection = self.game.names[waiting[0]] if waiting else self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        return self.game.observe(agent)

    def step(self, action: Any) -> None:
        if not self.agents:
            raise GameOver("no game is under way; call reset first")
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        table, seat = self.game.table, self.game.seat_of[name]
        self._cumulative_rewards[name] = 0.0
        self._clear_rewards()
        self.chosen[seat], replaced = table.choose(seat, action)
        self.infos[name] = {"replaced": replaced}
        if len(self.chosen) == len(table.acting):
            table.play(self.chosen)
            self.chosen = {}
            self.rewards = dict(zip(self.agents, table.rewards(), strict=True))
            self.note_the_end()
        self._accumulate_rewards()
        self.select()

    def render(self) -> str | None:
        return self.game.picture(self.render_mode, self.agent_selection if self.agents else None)

    def __str__(self) -> str:
        return str(self.metadata["name"])


class JointEnv(SeatsEnv, ParallelEnv):  # type: ignore[misc]  # the library has no types
    """A world as a Parallel environment: each step is one joint decision.

    Agents are `seat_0`, `seat_1`, ... and all get an observation with `action_mask` after
    every step. A seat that is not to act has a mask of zeros, and what is given for it is
    ignored; so worlds with turns can be played, too. An action that is missing or illegal is
    replaced by the default one and flagged in `infos`, or raises IllegalAction with
    `illegal="raise"`. `render` draws the whole table, as a spectator sees it.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.game.reset(seed)
        self.agents = list(self.possible_agents)
        observations = {name: self.game.observe(name) for name in self.agents}
        return observations, {name: {"replaced": False} for name in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        if not self.agents:
            raise GameOver("no game is under way; call reset first")
        table, names = self.game.table, self.agents
        chosen: dict[int, Action] = {}
        infos: dict[str, Any] = {name: {"replaced": False} for name in names}
        for seat in table.acting:
            name = names[seat]
            chosen[seat], infos[name]["replaced"] = table.choose(seat, actions.get(name))
        if chosen:
            table.play(chosen)
        rewards = dict(zip(names, table.rewards(), strict=True))
        terminated, truncated = self.game.ended()
        observations = {name: self.game.observe(name) for name in names}
        if terminated or truncated:
            self.agents = []
        return (
            observations,
            rewards,
            dict.fromkeys(names, terminated),
            dict.fromkeys(names, truncated),
            infos,
        )

    def render(self) -> str | None:
        return self.game.picture(self.render_mode, None)
