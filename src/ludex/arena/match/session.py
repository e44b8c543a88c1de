"""A live session: the caller plays tick by tick, agents play the other seats.

The match runner asks its seats and waits; a session is told what players press, and can be
taken back. Both drive the same `Game`, so a session's record replays like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from ludex.arena.match.game import Bookmark, Game
from ludex.arena.match.setup import MatchSetup, as_budget
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.core.record import Record
from ludex.core.world import World


class Session:
    """A game under way.

    Args:
        world: What is played.
        agents: One for each seat; None where the caller plays.
        seed: All that is random follows from it.
        budget: What each decision of an agent may cost.
        state: Where to start; None for the world's own start.

    Raises:
        LudexError: When an agent refuses or fails, here and in later ticks.
    """

    def __init__(
        self,
        world: World | str,
        agents: Sequence[Agent | str | None],
        seed: int = 0,
        budget: Budget | str = DEFAULT_BUDGET,
        state: Any = None,
    ) -> None:
        self.begin(
            MatchSetup(world=world, agents=agents, seed=seed, budget=as_budget(budget), start=state)
        )

    @classmethod
    def of(cls, setup: MatchSetup) -> Self:
        """A session of a setup; of its rules, those about isolated agents hold."""
        made = cls.__new__(cls)
        made.begin(setup)
        return made

    def begin(self, setup: MatchSetup) -> None:
        self.game = Game(setup.made().with_secret())
        self.world = self.game.world
        self.model = self.game.model
        self.has_agents = any(agent is not None for agent in self.game.agents)
        self.moves: list[Actions] = []
        self.past: list[Bookmark] = []
        """where each tick began, as long as ticks can be taken back"""
        self.game.start()

    @property
    def state(self) -> Any:
        return self.game.state

    @property
    def tick(self) -> int:
        return self.game.tick

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome

    @property
    def can_undo(self) -> bool:
        """Whether ticks can be taken back: nothing is random, and no agent remembers them."""
        return not self.has_agents and self.model.traits.chance == "none"

    def step(self, pressed: Mapping[int, Any]) -> None:
        """Play one tick; what is not legal or not pressed is the default action."""
        if self.outcome is not None:
            return
        game = self.game
        if self.can_undo:
            self.past.append(game.bookmark())
        actions = tuple(
            game.chosen(seat) if seat in game.seats else self.allowed(seat, pressed.get(seat))
            for seat in game.acting
        )
        game.play(actions)
        self.moves.append(actions)
        if (outcome := game.outcome) is not None:
            game.finish(outcome)

    def allowed(self, seat: int, pressed: Any) -> Any:
        """What is played for a seat that is played from outside."""
        if pressed in self.model.legal(self.state, seat):
            return pressed
        return self.model.default_action(self.state, seat)

    def undo(self) -> None:
        """Take the last tick back, where that is possible."""
        if self.past:
            self.game.go_back(self.past.pop())
            self.moves.pop()

    def leave(self) -> None:
        """Stop playing; agents are told that the game has ended, and let go."""
        self.game.finish(self.last_outcome)

    def close(self) -> None:
        """Let go of the agents as they are, and of the processes that they have."""
        self.game.close()

    @property
    def last_outcome(self) -> Outcome:
        return self.outcome or self.game.stopped("left the game")

    def record(self) -> Record:
        """The record of the game as far as it was played."""
        return self.game.recorded(self.last_outcome)
