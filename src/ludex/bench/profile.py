"""Where agents spend the time of their decisions: samples of the stack, put down to parts."""

from __future__ import annotations

import linecache
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FrameType
from typing import Any, Literal, TypeAlias

from ludex.agents.compose import as_agent
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import MatchResult, play_match
from ludex.bench.result import Row
from ludex.core import registry
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.planner import Agent
from ludex.core.world import World

Part: TypeAlias = Literal["native", "model", "copies", "sight", "knowledge", "search"]
PARTS: dict[Part, str] = {
    "native": "a native search: its tree and the rules in it, which are not told apart",
    "model": "the model: steps, rollouts, views",
    "copies": "states that planners copy or imagine; those inside rollouts are the model's",
    "sight": "states as an agent sees them, and what changed",
    "knowledge": "what is known of a game: learned, asked, and what follows from it",
    "search": "trees, populations and everything else",
}
KNOWLEDGE = frozenset(
    {
        "ludex.planners.parts.knowledge",
        *(
            f"ludex.planners.yolobot.{part}"
            for part in (
                *("knowledge", "collisions", "movement", "passages"),
                *("danger", "prediction", "targets"),
            )
        ),
    }
)
SIGHT = "ludex.planners.yolobot.sight"
# As planners write it: model.step( and self.model.step(, state.copy( and parent.state.copy(.
CALL_OF_COPY = re.compile(r"(self\.)?(model\.imagine|([a-z]+\.)?(state|start)\.copy)\(")
CALL_OF_MODEL = re.compile(r"(self\.)?model\.\w+\(")
CALL_OF_TWIN = re.compile(r"[\w.]*\bnative_\w+\(")
EVERY_S = 0.001  # of CPU time; the kernel may take its samples less often


def profile_agent(
    world: World | str,
    agent: Any,
    *,
    budget: Budget | str = DEFAULT_BUDGET,
    ticks: int = 50,
    seed: int = 0,
) -> Row:
    """Say where an agent spends the time of its decisions.

    It plays some ticks on all seats, in this process, while the stack is looked at; this works in
    the main thread alone, where signals arrive.

    Args:
        world: The world, or its text.
        agent: The agent, or its text.
        budget: For each decision.
        ticks: How long to play.
        seed: The same seed gives the same game.

    Returns:
        The shares of each part of `PARTS`, and what a decision is on average.
    """
    played = registry.world(world) if isinstance(world, str) else world
    limit = Budget.parse(budget) if isinstance(budget, str) else budget
    chosen, sampler = as_agent(agent), Sampler()
    return row_of(chosen, play(played, chosen, sampler, limit, ticks, seed), sampler)


@dataclass
class Sampler:
    """Looks at the stack every now and then, and adds up the CPU time since by what is at work.

    A native search cannot be looked into: what it took is seen when it returns.
    """

    seconds: Counter[Part] = field(default_factory=Counter)
    samples: int = 0
    searches: Counter[str] = field(default_factory=Counter)
    """which search ran, native or Python, as decisions say"""
    on: bool = False
    last: float = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Take samples by CPU time until the block ends; the time of the kernel is not ours."""
        before = signal.signal(signal.SIGPROF, self.sample)
        signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            signal.signal(signal.SIGPROF, before)

    def sample(self, number: int, frame: FrameType | None) -> None:
        if self.on:
            now = time.thread_time()
            self.seconds[part_of(frame)] += now - self.last  # type: ignore[assignment]  # seconds
            self.samples += 1
            self.last = now

    def begin(self) -> None:
        """A decision begins."""
        self.on = True
        self.last = time.thread_time()


def part_of(frame: FrameType | None) -> Part:
    """Which part the innermost frame of ours belongs to."""
    while frame is not None:
        module: str = frame.f_globals.get("__name__", "")
        if module.startswith(("ludex.worlds", "ludex.models")):
            return "model"
        if module == SIGHT:
            return "sight"
        if module in KNOWLEDGE:
            return "knowledge"
        if module.startswith(("ludex.planners", "ludex.agents")):
            # Native calls have no frame; what is called is seen in the line that calls.
            return part_called(call_at(frame.f_code, frame.f_lasti), frame.f_locals)
        frame = frame.f_back  # libraries and contracts work for whoever calls them
    return "search"


def part_called(text: str, names: Mapping[str, Any]) -> Part:
    """Which part a call in the code of a planner belongs to; `names` are those known there."""
    if CALL_OF_TWIN.match(text):
        return "native"
    if CALL_OF_COPY.match(text):
        return "copies"
    if CALL_OF_MODEL.match(text):
        return "model"
    # Loops keep methods of the model under short names: rollout = model.rollout.
    owner = getattr(names.get(text.partition("(")[0]), "__self__", None)
    return "model" if hasattr(owner, "meter") else "search"


@cache
def call_at(code: CodeType, place: int) -> str:
    """The text of the call that the instruction at a place of some code makes."""
    positions = list(code.co_positions())
    line, last, begin, end = positions[min(place // 2, len(positions) - 1)]
    if line is None or last is None or begin is None or end is None:
        return ""
    lines = [linecache.getline(code.co_filename, one) for one in range(line, last + 1)]
    return lines[0][begin:end] if line == last else lines[0][begin:]


@dataclass(frozen=True)
class SampledAgent:
    """An agent whose decisions are looked at."""

    agent: Agent
    sampler: Sampler

    def start(self, model: Any, view: Any, budget: Any, rng: Any) -> SampledMind:
        return SampledMind(self.agent.start(model, view, budget, rng), self.sampler)

    def __str__(self) -> str:
        return str(self.agent)


class SampledMind:
    """Its mind."""

    def __init__(self, mind: Any, sampler: Sampler) -> None:
        self.mind = mind
        self.sampler = sampler

    def observe(self, event: Any) -> None:
        self.mind.observe(event)

    def decide(self, view: Any, budget: Any, rng: Any) -> Any:
        self.sampler.begin()
        try:
            decision = self.mind.decide(view, budget, rng)
        finally:
            self.sampler.on = False
        if "search" in decision.notes:
            self.sampler.searches[str(decision.notes["search"])] += 1
        return decision

    def finish(self, view: Any, outcome: Any) -> None:
        self.mind.finish(view, outcome)


def play(
    world: World, agent: Agent, sampler: Sampler, budget: Budget, ticks: int, seed: int
) -> MatchResult:
    """Play so many ticks of one match in this process, with the agent on all seats."""
    # A slow answer is what is looked for here, not a fault.
    rules = MatchRules(max_ticks=ticks, setup_ms=60_000, grace=1000)
    with sampler.running():
        seats = [SampledAgent(agent, sampler)] * world.traits.seats
        return play_match(world, seats, seed=seed, budget=budget, rules=rules)


def row_of(agent: Agent, result: MatchResult, sampler: Sampler) -> Row:
    """The shares of one agent, with what a decision of it is on average."""
    decisions = [one for seat in result.decisions for one in seat]
    total = sum(sampler.seconds.values())
    number = max(1, len(decisions))
    searches = sampler.searches
    return {
        "agent": str(agent),
        "search": searches.most_common(1)[0][0] if searches else None,
        "decisions": len(decisions),
        "samples": sampler.samples,
        "cpu_ms": sum(one.cpu_ms for one in decisions) / number,
        "iterations": sum(one.iterations for one in decisions) / number,
        "model_calls": sum(one.model_calls for one in decisions) / number,
        "shares": {part: sampler.seconds[part] / total if total else 0.0 for part in PARTS},
    }
