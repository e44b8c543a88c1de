"""A real game under way, moved on from outside, with agents in some of its seats.

Streams have the names that the match runner gives them, so a game with seed s and the same
decisions is the match with seed s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.agents.compose import as_agent
from ludex.arena.match.runner import as_world, seat_for
from ludex.arena.match.seat import Failure, Seat
from ludex.arena.match.streams import MatchStreams
from ludex.core.budget import Budget
from ludex.core.codec import Codec
from ludex.core.errors import BadAgent, BadParameter, IllegalAction
from ludex.core.event import Event
from ludex.core.model import Action
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.core.view import View, recall
from ludex.core.world import Sensor, World

OPPONENTS_BUDGET = Budget(model_calls=1000)
"""counted in calls, so that equal seeds give equal games"""
MAX_TICKS = 10_000


class Known:
    """What was asked about one state, to be answered at once when it is asked again."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.outcome: Outcome | None = None
        self.outcome_is_known = False
        self.views: dict[int, View] = {}


class Table:
    """The state of a game, its dice, and the minds of the agents that sit at it."""

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
        self.world = as_world(world)
        self.rules = self.world.referee
        self.seats = self.rules.traits.seats
        self.agents = {seat: as_agent(agent) for seat, agent in (agents or {}).items()}
        self.budget = Budget.parse(budget) if isinstance(budget, str) else budget
        self.reward = reward
        self.illegal = illegal
        self.max_ticks = max_ticks
        self.sensor = self.world.sensor() if sensor is None else sensor
        self.codec = self.world.codec if codec is None else codec
        self.minds: dict[int, Seat] = {}
        self.state: Any = None
        self.known: Known | None = None

    # The course of a game

    def reset(self, seed: int) -> None:
        self.streams = MatchStreams(seed)
        self.ticks = 0
        self.drawn = 0
        self.asked = dict.fromkeys(self.agents, 0)
        self.state = self.world.start(self.streams.of_game("start"))
        self.told = self.scores()
        self.last_actions: dict[int, Action] = {}
        self.close()
        self.minds = {seat: seat_for(self.world, agent) for seat, agent in self.agents.items()}
        for seat, mind in self.minds.items():
            stream = self.streams.of_seat(seat, "setup")
            try:
                mind.start(self.view(seat), self.budget, stream)
            except Failure as failure:
                raise self.failed(seat, failure) from failure
        self.settle()

    @property
    def of_now(self) -> Known:
        if self.known is None or self.known.state is not self.state:
            self.known = Known(self.state)
        return self.known

    @property
    def outcome(self) -> Outcome | None:
        """How it ended: by the rules, or by the limit."""
        known = self.of_now
        if not known.outcome_is_known:
            known.outcome, known.outcome_is_known = self.rules.outcome(self.state), True
        outcome = known.outcome
        if outcome is None and self.ticks >= self.max_ticks:
            reason = f"stopped after {self.ticks} ticks"
            return Outcome((), (0.0,) * self.seats, reason, truncated=True)
        return outcome

    @property
    def acting(self) -> tuple[int, ...]:
        return () if self.outcome else self.rules.to_act(self.state)

    def run_agents(self) -> None:
        """Play on while only agents act."""
        while self.acting and all(seat in self.minds for seat in self.acting):
            self.play({})

    def play(self, chosen: Mapping[int, Action]) -> None:
        """Play one joint decision: the given actions, and those of the agents."""
        seats = self.acting
        actions = tuple(chosen[seat] if seat in chosen else self.ask(seat) for seat in seats)
        after = self.world.step(self.state, actions, self.streams.of_game("step", self.ticks))
        self.ticks += 1
        self.state = after
        self.last_actions.update(zip(seats, actions, strict=True))
        self.tell(tuple(Event("move", seat, act) for seat, act in zip(seats, actions, strict=True)))
        self.settle()
        if outcome := self.outcome:
            self.finish(outcome)

    def settle(self) -> None:
        while listed := self.rules.chance(self.state):
            stream = self.streams.of_game("chance", self.drawn)
            self.drawn += 1
            outcome = listed[stream.weighted([chance for _, chance in listed])][0]
            self.state = self.rules.resolve(self.state, outcome)
            self.tell((Event("chance", None, outcome),))

    # The agents

    def ask(self, seat: int) -> Action:
        stream = self.streams.of_seat(seat, "decision", self.asked[seat])
        self.asked[seat] += 1
        try:
            return self.minds[seat].decide(self.view(seat), self.budget, stream).decision.action
        except Failure as failure:
            raise self.failed(seat, failure) from failure

    def tell(self, made_up: Sequence[Event]) -> None:
        """Pass on the world's events, or plain ones where it has none and hides nothing."""
        traits = self.rules.traits
        for seat, mind in self.minds.items():
            own = traits.events or traits.hidden
            events = self.rules.events(self.state, seat) if own else made_up
            try:
                mind.observe(events)
            except Failure as failure:
                raise self.failed(seat, failure) from failure

    def finish(self, outcome: Outcome) -> None:
        for seat, mind in self.minds.items():
            try:
                mind.finish(self.view(seat), outcome)
            except Failure as failure:
                raise self.failed(seat, failure) from failure

    def close(self) -> None:
        """Let go of the agents, and of the processes that those in files have."""
        for mind in self.minds.values():
            mind.close(clean=False)
        self.minds = {}

    def failed(self, seat: int, failure: Failure) -> BadAgent:
        return BadAgent(f"agent {self.agents[seat]} in seat {seat}: {failure.message}")

    # What a seat gets

    def view(self, seat: int) -> View:
        views = self.of_now.views
        if seat not in views:
            plain = self.rules.view(self.state, seat)
            views[seat] = recall(plain, last_action=self.last_actions.get(seat))
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
