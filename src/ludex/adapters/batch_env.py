"""Many VGDL games at once: a Gymnasium vector environment over one native call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ludex.adapters.gymnasium_env import space_of
from ludex.adapters.vgdl_env import Semantics, game_world
from ludex.core.errors import BadParameter, GameOver, WrongSeats
from ludex.core.outcome import Outcome
from ludex.core.rng import Rng
from ludex.worlds.vgdl import _native
from ludex.worlds.vgdl.language.definition import TICK_LIMIT
from ludex.worlds.vgdl.sensor import CELL, MAX_OBJECTS
from ludex.worlds.vgdl.view import WINNERS, Winner

TERMINATED, TRUNCATED = 1, 2
MOST_THREADS = 256
GAMES_PER_THREAD = {"pixels": 32}  # below that, waking a thread costs more than it does
USUAL_GAMES_PER_THREAD = 512


class BatchEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """Steps games of one player side by side, several threads for all of them.

    Game i with seed s is the game of `GameEnv` with seed s + i: observations, rewards, ends
    and infos are those that `SyncVectorEnv` would give, in all three modes of autoreset.

    Args:
        num_envs: How many games.
        game: As in `GameEnv`, as are level, observation, size, cell, max_objects, reward,
            max_ticks, semantics and point.
        max_episode_steps: Another name of a lower `max_ticks`, as Gymnasium passes it.
        threads: How many work at once; None: as many as pay for so many games.
        autoreset_mode: When a game that has ended begins anew: at the next step (its action
            is ignored), in the same step, or never by itself.
        copy: Give new arrays at each step; otherwise the same ones are filled again.
        render_mode: "rgb_array" or None.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 25}

    def __init__(
        self,
        num_envs: int = 1,
        game: str | Path = "aliens",
        *,
        level: int | str | Path = 0,
        observation: str = "grid",
        size: tuple[int, int] | None = None,
        cell: int = CELL,
        max_objects: int = MAX_OBJECTS,
        reward: str = "score",
        max_ticks: int = TICK_LIMIT,
        max_episode_steps: int | None = None,
        semantics: Semantics = "gvgai",
        point: tuple[int, ...] = (),
        threads: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self.world = game_world(game, level, semantics, point)
        if self.world.traits.seats != 1:
            raise WrongSeats(
                f"{self.world} is a game of {self.world.traits.seats} players and batches are for "
                'one; use vectorization_mode="sync" or PettingZoo'
            )
        limit = max_ticks if max_episode_steps is None else min(max_ticks, max_episode_steps)
        self.limit = min(limit, TICK_LIMIT)  # where the engine ends a game by itself
        threads = paying_threads(num_envs, observation) if threads is None else threads
        threads = min(MOST_THREADS, threads)
        check_parameters(num_envs, self.limit, threads, reward, render_mode)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.autoreset_mode = read_autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.copy = copy
        self.cell = cell
        self.sensor = self.world.sensor(observation, size=size, cell=cell, max_objects=max_objects)
        self.actions = self.world.model.scene.choices
        self.single_observation_space = space_of(self.sensor)
        self.single_action_space = spaces.Discrete(len(self.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch = self.native_batch(reward == "score", threads)
        self.generators: list[np.random.Generator | None] = [None] * num_envs
        self.nobody = np.zeros(num_envs, np.uint8)
        self.is_ready = False

    def native_batch(self, rewards_score: bool, threads: int) -> _native.Batch:
        """The native games, and the arrays that they fill at each step."""
        games = self.num_envs
        self.observations = {
            name: np.zeros((games, *spec.shape), spec.dtype)
            for name, spec in self.sensor.arrays.items()
        }
        self.rewards = np.zeros(games, np.float64)
        self.standings = np.zeros(games, np.uint8)
        self.replaced = np.zeros(games, np.uint8)
        self.masks = np.zeros((games, len(self.actions)), np.int8)
        return _native.Batch(
            self.world.model.level,
            self.sensor.observer,
            [int(action) for action in self.actions],
            self.limit,
            rewards_score,
            threads,
            self.rewards,
            self.standings,
            self.replaced,
            self.masks,
            self.observations,
        )

    # The course of the games

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin anew: all games, or those that `options["reset_mask"]` marks."""
        seeds = self.read_seeds(seed)
        mask = self.read_mask(options)
        for game in np.flatnonzero(mask).tolist():
            self.begin(game, seeds[game])
        self.is_ready = True
        return self.observed(), self.infos(mask)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        if not self.is_ready:
            raise GameOver("no game has begun; call reset first")
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise BadParameter(f"{self.num_envs} actions are needed, got shape {chosen.shape}")
        ended = self.standings != 0
        skipped = self.nobody
        if ended.any():
            if self.autoreset_mode != AutoresetMode.NEXT_STEP:
                over = np.flatnonzero(ended).tolist()
                raise GameOver(f'games {over} are over; reset them with options "reset_mask"')
            skipped = ended.astype(np.uint8)
            for game in np.flatnonzero(ended).tolist():
                self.begin(game, None)
        self.batch.step(chosen, skipped)
        terminated, truncated = self.standings == TERMINATED, self.standings == TRUNCATED
        everybody = np.ones(self.num_envs, np.bool_)
        if self.autoreset_mode != AutoresetMode.SAME_STEP or not self.standings.any():
            infos = self.infos(everybody)
        else:
            infos = self.reset_at_once()
        return self.observed(), self.rewards.copy(), terminated, truncated, infos

    def begin(self, game: int, seed: int | None) -> None:
        """Start a game with a seed, or with the next one of its own generator."""
        generator = self.generators[game]
        if seed is not None or generator is None:
            generator, _ = seeding.np_random(seed)
            self.generators[game] = generator
        number = int(generator.integers(2**62)) if seed is None else seed
        self.batch.reset(game, Rng(number).fork("step"))
        self.standings[game] = self.replaced[game] = 0

    def reset_at_once(self) -> dict[str, Any]:
        """Keep the last observations and infos of games that ended, and begin them anew."""
        last: dict[int, dict[str, Any]] = {}
        for game in np.flatnonzero(self.standings).tolist():
            final = {name: array[game].copy() for name, array in self.observations.items()}
            last[game] = {"final_obs": self.shaped(final), "final_info": self.info(game)}
        for game in last:
            self.begin(game, None)
        infos = self.infos(np.ones(self.num_envs, np.bool_))
        for game, final in last.items():
            infos = self._add_info(infos, final, game)
        return infos

    # What comes back

    def shaped(self, arrays: dict[str, NDArray[Any]]) -> Any:
        return arrays if self.sensor.form == "objects" else arrays[self.sensor.form]

    def observed(self) -> Any:
        if not self.copy:
            return self.shaped(self.observations)
        return self.shaped({name: array.copy() for name, array in self.observations.items()})

    def outcome(self, game: int) -> Outcome | None:
        """How a game ended: by the rules, or by the limit."""
        if not self.standings[game]:
            return None
        outcome = self.world.model.outcome(self.batch.state(game))
        if outcome is not None:
            return outcome
        return Outcome((), (0.0,), f"stopped after {self.limit} ticks", truncated=True)

    def info(self, game: int) -> dict[str, Any]:
        """The info of one game, as `GameEnv` has it."""
        info: dict[str, Any] = {
            "action_mask": self.masks[game].copy(),
            "replaced": bool(self.replaced[game]),
        }
        if outcome := self.outcome(game):
            info |= {"winners": outcome.winners, "reason": outcome.reason}
        winner = WINNERS[self.batch.state(game).winners[0]]
        return {**info, "winner": winner.name}

    def infos(self, mask: NDArray[np.bool_]) -> dict[str, Any]:
        """The infos of the marked games, one array for each fact."""
        rows = np.flatnonzero(mask) if not mask.all() else slice(None)
        found: dict[str, Any] = {}
        for name, values in (
            ("action_mask", self.masks),
            ("replaced", self.replaced.astype(np.bool_)),
            ("winner", np.full(self.num_envs, Winner.NO_WINNER.name, object)),
        ):
            array = np.zeros_like(values) if values.dtype != object else np.full_like(values, None)
            array[rows] = values[rows]
            found[name], found[f"_{name}"] = array, mask.copy()
        for game in np.flatnonzero(self.standings.astype(np.bool_) & mask).tolist():
            info = self.info(game)
            ended: dict[str, Any] = {key: info[key] for key in ("winners", "reason", "winner")}
            found = self._add_info(found, ended, game)
        return found

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        if self.render_mode != "rgb_array":
            return None
        model = self.world.model
        return tuple(
            model.view(self.batch.state(game), 0).pixels(self.cell) for game in range(self.num_envs)
        )

    # Reading what is given

    def read_seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            return [int(seed) + game for game in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise BadParameter(f"{self.num_envs} seeds are needed, got {len(seed)}")
        return list(seed)

    def read_mask(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        everybody = np.ones(self.num_envs, np.bool_)
        given = (options or {}).get("reset_mask")
        if given is None:
            return everybody
        mask = np.asarray(given)
        if mask.shape != everybody.shape or mask.dtype != np.bool_ or not mask.any():
            raise BadParameter(
                f"reset_mask must be {self.num_envs} truth values, one of them true at least"
            )
        return mask

    def get_action_meanings(self) -> list[str]:
        return [f"ACTION_{action.name}" for action in self.actions]


def check_parameters(
    num_envs: int, limit: int, threads: int, reward: str, render_mode: str | None
) -> None:
    """Refuse what a batch cannot play with."""
    if reward not in ("score", "returns"):
        raise BadParameter(f"reward must be one of returns, score, got {reward!r}")
    for name, value in (("num_envs", num_envs), ("max_ticks", limit), ("threads", threads)):
        if value < 1:
            raise BadParameter(f"{name} must be at least 1, got {value!r}")
    if render_mode not in (None, "rgb_array"):
        raise BadParameter(f"render_mode must be rgb_array or None, got {render_mode!r}")


def read_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(one.value for one in AutoresetMode)
        raise BadParameter(f"autoreset_mode must be one of {known}, got {mode!r}") from None


def paying_threads(games: int, observation: str) -> int:
    """How many threads are quickest for a number of games, at most one for each core.

    >>> paying_threads(64, "grid")
    1
    """
    share = GAMES_PER_THREAD.get(observation, USUAL_GAMES_PER_THREAD)
    return max(1, min(len(os.sched_getaffinity(0)), games // share))
