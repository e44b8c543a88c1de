"""A game played tick by tick by whoever calls, with agents on the other seats.

The match runner asks its seats and waits; a session is told what players press, and can be
taken back. Both draw from the same named streams, so a session's record replays like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludex.arena.match.runner import package_version, seat_for
from ludex.arena.match.seat import Failure, Seat
from ludex.arena.match.streams import MatchStreams
from ludex.core.budget import Budget
from ludex.core.errors import LudexError, wrong_seats
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.core.record import HASH_EVERY, Moment, Record
from ludex.core.world import World


class Session:
    """A game under way.

    Args:
        world: What is played. All seats may act at once; listed chance is not handled.
        agents: One for each seat; None where the caller plays.
        seed: All that is random follows from it.
        budget: What each decision of an agent may cost.
        state: Where to start; None for the world's own start.
    """

    def __init__(
        self,
        world: World,
        agents: Sequence[Agent | None],
        seed: int,
        budget: Budget,
        state: Any = None,
    ) -> None:
        self.world = world
        self.model = world.referee
        if len(agents) != self.model.traits.seats:
            raise wrong_seats(world, self.model.traits.seats, len(agents))
        self.agents = tuple(agents)
        self.seed = seed
        self.budget = budget
        self.streams = MatchStreams(seed)
        first = world.start(self.streams.of_game("start")) if state is None else state.copy()
        self.states: list[Any] = [first]
        """all states so far"""
        self.moves: list[tuple[Any, ...]] = []
        self.seats: dict[int, Seat] = {}
        for seat, agent in enumerate(agents):
            if agent is not None:
                self.seats[seat] = seat_for(world, agent)
                stream = self.streams.of_seat(seat, "setup")
                try:
                    self.seats[seat].start(self.model.view(first, seat), budget, stream)
                except Failure as failure:
                    self.close()
                    raise LudexError(f"{agent}: {failure.message}") from failure

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def tick(self) -> int:
        return len(self.moves)

    @property
    def outcome(self) -> Outcome | None:
        return self.model.outcome(self.state)

    @property
    def can_undo(self) -> bool:
        """Whether ticks can be taken back: nothing is random, and no agent remembers them."""
        return not self.seats and not self.model.traits.sampled_chance

    def step(self, pressed: Mapping[int, Any]) -> None:
        """Play one tick; what is not legal or not pressed is the default action."""
        if self.outcome is not None:
            return
        state = self.state
        actions: list[Any] = []
        for seat in self.model.to_act(state):
            chosen = self.decided(seat) if seat in self.seats else pressed.get(seat)
            legal = self.model.legal(state, seat)
            actions.append(chosen if chosen in legal else self.model.default_action(state, seat))
        stream = self.streams.of_game("step", self.tick)
        self.states.append(self.world.step(state, tuple(actions), stream))
        self.moves.append(tuple(actions))
        for seat, local in self.seats.items():
            local.observe(self.model.events(self.state, seat))

    def decided(self, seat: int) -> Any:
        view = self.model.view(self.state, seat)
        stream = self.streams.of_seat(seat, "decision", self.tick)
        try:
            return self.seats[seat].decide(view, self.budget, stream).decision.action
        except Failure as failure:
            raise LudexError(f"{self.agents[seat]}: {failure.message}") from failure

    def close(self) -> None:
        """Let go of the agents, and of the processes that they have."""
        for seat in self.seats.values():
            seat.close(clean=False)

    def undo(self) -> None:
        """Take the last tick back, where that is possible."""
        if self.moves and self.can_undo:
            self.states.pop()
            self.moves.pop()

    def record(self, human: str = "human") -> Record:
        """The record of the game as far as it was played."""
        names = [str(agent) if agent is not None else human for agent in self.agents]
        made = Record(
            world=str(self.world),
            world_version=self.world.version,
            package_version=package_version(),
            agents=names,
            agent_versions=[getattr(a, "version", None) or package_version() for a in self.agents],
            seed=self.seed,
            budget=str(self.budget),
            start=str(self.states[0]),
        )
        sampled = self.model.traits.sampled_chance
        for tick, actions in enumerate(self.moves):
            texts = tuple(self.world.action_text(action) for action in actions)
            key = self.streams.of_game("step", tick).text if sampled else None
            made.moments.append(Moment(actions=texts, key=key))
            reached = self.states[tick + 1]
            if (tick + 1) % HASH_EVERY == 0 or tick + 1 == self.tick:
                made.moments.append(Moment(hash=self.world.fingerprint(reached)))
        if not self.moves:
            made.moments.append(Moment(hash=self.world.fingerprint(self.state)))
        made.steps = self.tick
        seats = len(names)
        made.outcome = self.outcome or Outcome((), (0.0,) * seats, "left the game", truncated=True)
        return made
