"""The setup of a match: world, agents, seed, budget and rules as one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Any

from ludex.agents.compose import as_agent
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.streams import (
    needs_secret,
    process_secret,
    read_secret,
    secret_of_match,
)
from ludex.core import registry
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.errors import wrong_seats
from ludex.core.planner import Agent
from ludex.core.rng import read_seed
from ludex.core.world import World


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchSetup:
    """The facts of a match. Worlds and agents may be texts, so that a setup can be sent anywhere.

    >>> setup = MatchSetup(world="nim", agents=("uniform", "uniform"), seed=7)
    >>> replace(setup, seed=8).agents
    ('uniform', 'uniform')
    """

    world: World | str
    agents: Sequence[Agent | str | None]
    """one for each seat; None where somebody outside plays, which a match does not allow"""
    seed: int = 0
    """all that is random follows from it"""
    budget: Budget = DEFAULT_BUDGET
    """what each decision may cost"""
    start: Any = None
    """the first state; None for the world's own start"""
    rules: MatchRules = field(default_factory=MatchRules)
    """limits, and what happens to a seat that breaks them"""
    isolate: bool | None = None
    """give each agent a process of its own, which is ended when it hangs; None: only agents in
    files. False runs their code in this process, which they can then change."""
    secret: str | None = None
    """makes the streams of chance together with the seed, as in the record of a match that is to
    be repeated; None: see `with_secret`"""
    keep_thoughts: bool = False
    """write into the record what agents show of their thinking"""
    tells_waits: str | None = None
    """say on standard error when an agent takes long, and this about the patience with it; None:
    say nothing"""
    refusals_lose: bool = False
    """whether an agent that cannot play this world loses; else the caller is told. An agent in a
    file whose own code refuses loses in either case."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", tuple(self.agents))
        object.__setattr__(self, "seed", read_seed(self.seed))
        if self.secret is not None:
            object.__setattr__(self, "secret", read_secret(self.secret))

    def made(self) -> MatchSetup:
        """The same with its world and agents made; LudexError when that cannot be done."""
        world = as_world(self.world)
        agents = [None if agent is None else as_agent(agent) for agent in self.agents]
        if len(agents) != world.traits.seats:
            raise wrong_seats(world, world.traits.seats, len(agents))
        if world is self.world and all(map(is_, agents, self.agents)):
            return self
        return replace(self, world=world, agents=agents)

    @property
    def needs_secret(self) -> bool:
        """Whether it has no secret yet, and somebody plays who might foresee the dice."""
        if self.secret is not None:
            return False
        seated = [as_agent(agent) for agent in self.agents if agent is not None]
        return needs_secret(seated, self.isolate)

    def with_secret(self) -> MatchSetup:
        """The same with a secret where one is needed; in one process it follows from the seed."""
        if not self.needs_secret:
            return self
        return replace(self, secret=secret_of_match(process_secret(), self.seed))


def as_world(given: World | str) -> World:
    return registry.world(given) if isinstance(given, str) else given


def as_budget(given: Budget | str) -> Budget:
    return Budget.parse(given) if isinstance(given, str) else given
