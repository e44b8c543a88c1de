"""VGDL games as Gymnasium environments, compatible with GVGAI_GYM."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from ludex.adapters.gymnasium_env import FORMS, SeatEnv, space_of
from ludex.adapters.table import OPPONENTS_BUDGET
from ludex.core.budget import Budget
from ludex.core.codec import FixedCodec
from ludex.core.errors import BadParameter
from ludex.core.planner import Agent
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.language.definition import TICK_LIMIT
from ludex.worlds.vgdl.sensor import CELL, MAX_OBJECTS
from ludex.worlds.vgdl.view import VgdlView
from ludex.worlds.vgdl.world import Vgdl

Semantics = Literal["gvgai", "clean"]


def game_world(
    game: str | Path, level: int | str | Path, semantics: Semantics, point: tuple[int, ...]
) -> Vgdl:
    """A game of ours or a description at a path, on a numbered level or one at a path."""
    rules: dict[str, Any] = {"game": str(game), "semantics": semantics, "point": point}
    if isinstance(level, str | Path):
        return Vgdl(level_file=str(level), **rules)
    return Vgdl(level=level, **rules)


class GameEnv(SeatEnv):
    """A VGDL game: `gymnasium.make("ludex:vgdl/aliens-v0", level=0, observation="grid")`.

    Action 0 is NIL; the others are those of the avatar in the order of the reference, and of
    all avatars where a game has several kinds. They are the same on every level of a game.
    `info["winner"]` is NO_WINNER, PLAYER_WINS or PLAYER_LOSES. `reset(options={"level": 2})`
    goes to another level, given by its number or a path.

    Args:
        game: The name of one of our games, or the path of a description.
        level: The number of a level, or the path of a level file.
        observation: `grid`, `pixels` or `objects`; see `ludex.worlds.vgdl.sensor.Sensor`.
        size: Columns and rows of `grid` and `pixels`, for levels of unlike sizes.
        cell: Pixels of a cell.
        max_objects: Rows of `objects`.
        reward: The difference of "score" at each step, or "returns" at the end of the game.
        max_ticks: Ticks after which a game is truncated; the engine itself ends one at 2000.
        semantics: "gvgai" with all quirks of the reference, or "clean".
        point: Which game of a game space.
        seat: The seat that is yours, in games of two players.
        opponents: Agents for the other seats, or one text for all; `uniform` when None.
        budget: What each decision of an opponent may cost.
        illegal: "replace" or "raise".
        render_mode: "ansi", "svg" or "rgb_array".
    """

    metadata: dict[str, Any] = {"render_modes": [*FORMS, "rgb_array"], "render_fps": 25}

    def __init__(
        self,
        game: str | Path = "aliens",
        *,
        level: int | str | Path = 0,
        observation: str = "grid",
        size: tuple[int, int] | None = None,
        cell: int = CELL,
        max_objects: int = MAX_OBJECTS,
        reward: str = "score",
        max_ticks: int = TICK_LIMIT,
        semantics: Semantics = "gvgai",
        point: tuple[int, ...] = (),
        seat: int = 0,
        opponents: Sequence[Agent | str] | str | None = None,
        budget: Budget | str = OPPONENTS_BUDGET,
        illegal: str = "replace",
        render_mode: str | None = None,
    ) -> None:
        self.game = game
        self.semantics: Semantics = semantics
        self.point = point
        self.level = level
        self.form = observation
        self.look: dict[str, Any] = {"size": size, "cell": cell, "max_objects": max_objects}
        self.other_options: dict[str, Any] = {
            "opponents": opponents,
            "budget": budget,
            "reward": reward,
            "illegal": illegal,
            "max_ticks": max_ticks,
            "render_mode": render_mode,
        }
        self.seat = seat
        self.load(level)

    def load(self, level: int | str | Path) -> None:
        """Take up a level; nothing has changed when it is refused."""
        world = game_world(self.game, level, self.semantics, self.point)
        sensor = world.sensor(self.form, **self.look)
        before = self.__dict__.get("observation_space")
        if before is not None and space_of(sensor) != before:
            raise BadParameter(
                f"level {level!r} has another size than the first one; make the environment with "
                "size=(columns, rows) of the largest level"
            )
        self.actions = world.model.scene.choices
        super().__init__(
            world,
            seat=self.seat,
            sensor=sensor,
            codec=FixedCodec(self.actions),
            **self.other_options,
        )
        self.level = level
        self.sensor = sensor

    @property
    def world(self) -> Vgdl:
        world = self.table.world
        assert isinstance(world, Vgdl)
        return world

    @property
    def view(self) -> VgdlView:
        """All that the seat may see now."""
        view = self.table.view(self.seat)
        assert isinstance(view, VgdlView)
        return view

    @property
    def channels(self) -> tuple[str, ...]:
        """The name of the type that each plane of `grid` shows."""
        return tuple(self.world.definition.types[kind].name for kind in self.sensor.scene.channels)

    def get_action_meanings(self) -> list[str]:
        return [f"ACTION_{Action(action).name}" for action in self.actions]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        options = options or {}
        if "level" in options and options["level"] != self.level:
            self.load(options["level"])
        return super().reset(seed=seed)

    def info(self, replaced: bool) -> dict[str, Any]:
        return {**super().info(replaced), "winner": self.view.winner.name}

    def render(self) -> Any:
        if self.render_mode != "rgb_array" or self.table.state is None:
            return super().render()
        return self.view.pixels(self.look["cell"])
