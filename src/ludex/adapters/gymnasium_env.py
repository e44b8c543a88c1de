"""One seat of a world as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ludex.adapters.table import MAX_TICKS, OPPONENTS_BUDGET, EnvironmentTable
from ludex.arena.match.setup import as_world
from ludex.core.budget import Budget
from ludex.core.codec import Codec
from ludex.core.errors import BadParameter, GameOver, WrongSeats, wrong_seats
from ludex.core.planner import Agent
from ludex.core.world import ArraySpec, Sensor, World

FORMS = {"ansi": "text", "svg": "svg"}


def box(spec: ArraySpec) -> spaces.Box:
    kind: Any = np.dtype(spec.dtype).type
    return spaces.Box(kind(spec.low), kind(spec.high), spec.shape, kind)


def space_of(sensor: Sensor) -> spaces.Space[Any]:
    """A box for one array, a dictionary of boxes for several."""
    spec = sensor.spec
    if isinstance(spec, ArraySpec):
        return box(spec)
    return spaces.Dict({name: box(one) for name, one in spec.items()})


def check_render_mode(render_mode: str | None, known: Sequence[str]) -> None:
    if render_mode is not None and render_mode not in known:
        listed = f"{', '.join(known[:-1])} or {known[-1]}"
        raise BadParameter(f"render_mode must be {listed}, got {render_mode!r}")


class SeatEnv(gymnasium.Env[Any, np.int64]):
    """Plays one seat; the other seats are played by agents.

    Observations are what a sensor of the world makes of the seat's own view. Actions are numbers of
    the world's codec; `info["action_mask"]` marks the legal ones. An illegal action is
    replaced by the world's default action and flagged by `info["replaced"]`, or raises
    IllegalAction with `illegal="raise"`. A step ends at the seat's next decision or at the end.

    Args:
        world: A world or its text.
        seat: The seat that is yours.
        opponents: Agents or their texts for the other seats, ascending; one text for all of them;
            `uniform` when None.
        budget: What each decision of an opponent may cost.
        reward: "returns" at the end of the game, or the difference of "score" at each step.
        illegal: "replace" or "raise".
        max_ticks: Steps of the game after which it is truncated.
        render_mode: "ansi" or "svg"; both give the seat's view as text.
        sensor: What observations look like; the world's first form when None.
        codec: Which actions the numbers mean; the world's own when None.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"], "render_fps": 4}

    def __init__(
        self,
        world: World | str,
        *,
        seat: int = 0,
        opponents: Sequence[Agent | str] | str | None = None,
        budget: Budget | str = OPPONENTS_BUDGET,
        reward: str = "returns",
        illegal: str = "replace",
        max_ticks: int = MAX_TICKS,
        render_mode: str | None = None,
        sensor: Sensor | None = None,
        codec: Codec | None = None,
    ) -> None:
        made = as_world(world)
        seats = made.traits.seats
        if not 0 <= seat < seats:
            raise WrongSeats(f"{made} has seats 0 to {seats - 1}, got {seat!r}")
        others = [other for other in range(seats) if other != seat]
        if opponents is None or isinstance(opponents, str):
            given: list[Agent | str] = [opponents or "uniform"] * len(others)
        else:
            given = list(opponents)
        if len(given) != len(others):
            raise wrong_seats(made, len(others), len(given), "other seat opponent")
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.table = EnvironmentTable(
            made,
            dict(zip(others, given, strict=True)),
            budget,
            reward=reward,
            illegal=illegal,
            max_ticks=max_ticks,
            sensor=sensor,
            codec=codec,
        )
        self.seat = seat
        self.render_mode = render_mode
        self.observation_space = space_of(self.table.sensor)
        self.action_space = spaces.Discrete(self.table.codec.size)
        self.ended = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.table.reset(int(self.np_random.integers(2**62)) if seed is None else seed)
        self.table.run_agents()
        self.ended = False
        return self.table.observation(self.seat), self.info(replaced=False)

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self.ended:
            raise GameOver("no game is under way; call reset first")
        replaced = False
        if not self.table.outcome:  # it may have ended before this seat's first decision
            chosen, replaced = self.table.choose(self.seat, action)
            self.table.play({self.seat: chosen})
            self.table.run_agents()
        reward = self.table.rewards()[self.seat]
        outcome = self.table.outcome
        self.ended = outcome is not None
        truncated = outcome is not None and outcome.truncated
        observation = self.table.observation(self.seat)
        return observation, reward, self.ended and not truncated, truncated, self.info(replaced)

    def info(self, replaced: bool) -> dict[str, Any]:
        outcome = self.table.outcome
        ended = {"winners": outcome.winners, "reason": outcome.reason} if outcome else {}
        return {"action_mask": self.table.mask(self.seat), "replaced": replaced, **ended}

    def close(self) -> None:
        """End the processes of agents in files."""
        self.table.close()

    def render(self) -> Any:
        if self.render_mode is None or self.table.state is None:
            return None
        form: Any = FORMS[self.render_mode]
        return self.table.world.draw_view(self.table.view(self.seat), form)
