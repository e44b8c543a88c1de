"""The game behind an environment, stepped by its caller, with agents in the other seats.

It drives the same `Game` as a match, so a game with seed s and the same decisions is the match
with seed s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.agents.compose import as_agent
from ludex.arena.match.game import Game
from ludex.arena.match.setup import MatchSetup, as_budget, as_world
from ludex.arena.match.streams import MatchStreams
from ludex.core.budget import Budget
from ludex.core.codec import Codec
from ludex.core.errors import BadParameter, IllegalAction
from ludex.core.model import Action
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.core.view import View
from ludex.core.world import Sensor, World

OPPONENTS_BUDGET = Budget(model_calls=1000)
"""counted in calls, so that equal seeds give equal games"""
MAX_TICKS = 10_000


class Known:
    """What is asked about one state again and again, worked out once."""

    def __init__(self, game: Game, max_ticks: int) -> None:
        self.state = game.state
        self.outcome = game.outcome
        """how it ended: by the rules, or by the limit"""
        if self.outcome is None and game.tick >= max_ticks:
            self.outcome = game.stopped()
        self.acting = () if self.outcome else game.acting
        self.views: dict[int, View] = {}


class EnvironmentTable:
    """A game for environments: rewards, observations and masks for seats played from outside."""

    def __init__(
        self,
        world: World | str,
        agents: Mapping[int, Agent | str] | None = None,
        budget: Budget | str = OPPONENTS_BUDGET,
        *,
        reward: str = "returns",
        illegal: str = "replace",
        max_ticks: int = MAX_TICKS,
        sensor: Sensor | None = None,
        codec: Codec | None = None,
    ) -> None:
        for name, value, known in (
            ("reward", reward, ("returns", "score")),
            ("illegal", illegal, ("replace", "raise")),
        ):
            if value not in known:
                raise BadParameter(f"{name} must be one of {', '.join(known)}, got {value!r}")
        if max_ticks < 1:
            raise BadParameter(f"max_ticks must be at least 1, got {max_ticks!r}")
        made = as_world(world)
        self.seats = made.traits.seats
        seated = {seat: as_agent(agent) for seat, agent in (agents or {}).items()}
        self.setup = MatchSetup(
            world=made,
            agents=[seated.get(seat) for seat in range(self.seats)],
            budget=as_budget(budget),
        )
        self.world = made
        self.rules = made.referee
        self.reward = reward
        self.illegal = illegal
        self.max_ticks = max_ticks
        self.sensor = made.sensor() if sensor is None else sensor
        self.codec = made.codec if codec is None else codec
        self.game: Game | None = None
        self.kept: Known | None = None

    # The course of a game

    def reset(self, seed: int) -> None:
        self.close()
        # Without a secret, whoever plays: in an environment, equal seeds give equal games.
        streams = MatchStreams(seed)
        self.game = Game(self.setup, streams=streams, keeps_record=False)
        self.told = self.scores()
        self.game.start()

    @property
    def state(self) -> Any:
        """The state of the game; None before the first reset."""
        return None if self.game is None else self.game.state

    @property
    def ticks(self) -> int:
        return self.current.tick

    @property
    def current(self) -> Game:
        assert self.game is not None  # it was reset
        return self.game

    @property
    def known(self) -> Known:
        game, known = self.game, self.kept
        assert game is not None  # it was reset
        if known is None or known.state is not game.state:
            known = self.kept = Known(game, self.max_ticks)
        return known

    @property
    def outcome(self) -> Outcome | None:
        return self.known.outcome

    @property
    def acting(self) -> tuple[int, ...]:
        return self.known.acting

    def run_agents(self) -> None:
        """Play on while only agents act."""
        seats = self.current.seats
        while (acting := self.acting) and all(seat in seats for seat in acting):
            self.play({})

    def play(self, chosen: Mapping[int, Action]) -> None:
        """Play one joint decision: the given actions, and those of the agents."""
        game = self.current
        game.play(
            tuple(chosen[seat] if seat in chosen else game.chosen(seat) for seat in self.acting)
        )
        if outcome := self.outcome:
            game.finish(outcome)

    def close(self) -> None:
        """Let go of the agents, and of the processes that those in files have."""
        if self.game is not None:
            self.game.close()

    # What a seat gets

    def view(self, seat: int) -> View:
        views = self.known.views
        if seat not in views:
            views[seat] = self.current.view(seat)
        return views[seat]

    def observation(self, seat: int) -> Any:
        """What the sensor makes of the seat's view: an array, or a dictionary of them."""
        return self.sensor.observe(self.view(seat))

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for each legal action; all 0 for a seat that is not to act."""
        if seat not in self.acting:
            return np.zeros(self.codec.size, dtype=np.int8)
        return self.codec.mask(self.view(seat))

    def choose(self, seat: int, index: Any) -> tuple[Action, bool]:
        """Read an action's number; also say whether the default action was put in its place."""
        view = self.view(seat)
        try:
            action = self.codec.action(view, int(index))
            if action not in view.legal:
                raise IllegalAction(self.world.explain(self.state, seat, action))
        except (IllegalAction, TypeError, ValueError, OverflowError) as error:
            if self.illegal == "replace":
                return self.rules.default_action(self.state, seat), True
            if isinstance(error, IllegalAction):
                raise
            raise IllegalAction(f"an action is a whole number, got {index!r}") from None
        return action, False

    def scores(self) -> list[float]:
        return [float(self.rules.score(self.state, seat)) for seat in range(self.seats)]

    def rewards(self) -> list[float]:
        """What each seat has earned since the last time rewards were asked for."""
        if self.reward == "score":
            before, self.told = self.told, self.scores()
            return [now - then for now, then in zip(self.told, before, strict=True)]
        outcome = self.outcome
        return [float(value) for value in outcome.returns] if outcome else [0.0] * self.seats
