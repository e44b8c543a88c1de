"""The real game: all that happens in a tick of it, written once.

A `Game` holds the state, asks the seats, tells each what it may know, draws chance, and keeps the
record. Its drivers (matches, live sessions, environments, replays, experiments) say what is played
and when it stops, and what a failure of an agent means.

Everything random comes from the named streams of the seed (`streams.py`): `start` (the world),
`chance` n (listed outcomes), `step` n (sampled chance), and for each seat `setup` and `decision` n.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn, Protocol

from ludex.arena.match.rules import MatchRules
from ludex.arena.match.seat import Answer, Failure, LocalSeat, Seat
from ludex.arena.match.setup import MatchSetup, as_world
from ludex.arena.match.streams import MatchStreams, is_isolated
from ludex.arena.match.thoughts import Diary
from ludex.arena.match.waiting import Question, Waits
from ludex.arena.match.watcher import Audience, Draw, Step
from ludex.core.budget import Budget
from ludex.core.capabilities import HumanAgent, able, is_human, version_of
from ludex.core.contents import contents_of_match
from ludex.core.decision import Decision
from ludex.core.errors import BrokenAgent
from ludex.core.event import Event
from ludex.core.model import Action, Actions
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.core.record import HASH_EVERY, Moment, Record
from ludex.core.rng import Rng
from ludex.core.version import package_version
from ludex.core.view import View, recall, recall_moves
from ludex.core.world import World

HUMAN = "human"  # the name of whoever plays from outside


@dataclass(frozen=True, slots=True)
class DecisionSummary:
    """What one decision was and what it cost."""

    tick: int
    action: str
    iterations: int
    model_calls: int
    depth: int
    cpu_ms: float
    wall_ms: float
    value: float | None = None
    """what the agent expected of its action"""


class GameStreams(Protocol):
    """Where the chance of a game comes from; `MatchStreams`, unless a driver has its own."""

    def of_game(self, *names: int | str) -> Rng: ...

    def of_seat(self, seat: int, *names: int | str) -> Rng: ...


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A point of a game to come back to."""

    state: Any
    tick: int
    drawn: int
    last_actions: Mapping[int, Action]
    moments: int


class Game:
    """A real game under way.

    Args:
        setup: What is played, and by whom; seats without an agent are played from outside.
        streams: Where chance comes from; None for the streams of the seed and the secret.
        audience: Sees the game without touching it.
        keeps_record: Whether a record is kept, and what each decision cost, which takes some time.
        on_failure: Called with the seat of an agent that fails while it is told of the game;
            None raises BrokenAgent.
        waits: Tells of agents that take long; None: nobody does.
    """

    def __init__(
        self,
        setup: MatchSetup,
        *,
        streams: GameStreams | None = None,
        audience: Audience | None = None,
        keeps_record: bool = True,
        on_failure: Callable[[int, Failure], None] | None = None,
        waits: Waits | None = None,
    ) -> None:
        self.setup = setup.made()
        self.world: World = as_world(self.setup.world)
        self.agents: tuple[Any, ...] = tuple(self.setup.agents)
        self.model = self.world.referee
        self.traits = self.model.traits
        self.has_events = self.traits.events or self.traits.hidden
        self.streams: GameStreams = streams or MatchStreams(setup.seed, setup.secret)
        self.audience = audience or Audience(())
        self.on_failure = on_failure or self.raise_failure
        self.waits = waits
        given = setup.start
        self.state: Any = (
            self.world.start(self.streams.of_game("start")) if given is None else given.copy()
        )
        self.seats: dict[int, Seat] = {}
        """those whose agents are asked and told; one that failed or has finished is gone"""
        self.asked = [0] * len(self.agents)
        """by seat, how many decisions were made"""
        self.decisions: list[list[DecisionSummary]] = [[] for _ in self.agents]
        """by seat, what was decided and what it cost, where a record is kept"""
        self.tick = 0
        self.drawn = 0
        """listed outcomes so far"""
        self.last_actions: dict[int, Action] = {}
        """what was last played for each seat"""
        self.diary = Diary(self.world)
        self.record = self.first_lines() if keeps_record else None

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(HUMAN if agent is None else str(agent) for agent in self.agents)

    # The course of the game

    def start(self) -> None:
        """Start all agents and draw what is pending; a driver with its own rules does it itself."""
        try:
            self.sit_down()
            for seat in list(self.seats):
                try:
                    self.start_seat(seat)
                except Failure as failure:
                    self.on_failure(seat, failure)
        except BaseException:  # a refusal, or Ctrl-C
            self.close()
            raise
        self.begin()

    def sit_down(self) -> None:
        """Seat all agents; all their processes start at the same time."""
        for seat, agent in enumerate(self.agents):
            if agent is not None:
                self.seats[seat] = seat_for(self.world, agent, self.setup.rules, self.setup.isolate)

    def start_seat(self, seat: int) -> float:
        """Start an agent, and return the CPU time it took in ms; Failure when it fails."""
        stream = self.streams.of_seat(seat, "setup")
        view, budget = self.view(seat), self.setup.budget
        with self.waiting_for(seat, "starting", budget):
            return self.seats[seat].start(view, budget, stream)

    def begin(self) -> None:
        """Show the first state, then draw what is pending in it."""
        self.audience.before_match(self.world, self.names, self.state)
        self.settle()

    @property
    def outcome(self) -> Outcome | None:
        """How it ended by the rules of the world; None while it goes on."""
        return self.model.outcome(self.state)

    @property
    def acting(self) -> tuple[int, ...]:
        return self.model.to_act(self.state)

    def stopped(self, reason: str = "") -> Outcome:
        """The outcome of a game that somebody stops now."""
        why = reason or f"stopped after {self.tick} ticks"
        return Outcome((), (0.0,) * len(self.agents), why, truncated=True)

    def play(self, actions: Actions, decisions: Mapping[int, Decision] | None = None) -> None:
        """Play one tick: the actions of the seats to act, then all chance that follows."""
        self.step(actions, self.streams.of_game("step", self.tick), decisions)
        self.settle()
        if self.record is not None and self.tick % HASH_EVERY == 0:
            self.record.moments.append(Moment(hash=self.world.fingerprint(self.state)))

    def step(
        self, actions: Actions, stream: Rng, decisions: Mapping[int, Decision] | None = None
    ) -> None:
        """The seats to act act; chance that is pending afterwards is left to be resolved."""
        before, acting = self.state, self.acting
        key = stream.text if self.record is not None and self.traits.sampled_chance else None
        self.state = self.world.step(before, actions, stream)
        self.tick += 1
        self.last_actions.update(zip(acting, actions, strict=True))
        if self.record is not None:
            texts = tuple(self.world.action_text(action) for action in actions)
            notes = self.diary.page(decisions or {}) if self.setup.keep_thoughts else None
            self.record.moments.append(Moment(actions=texts, key=key, notes=notes))
        if not self.seats and not self.audience.watchers:
            return
        made_up = tuple(
            Event("move", seat, action) for seat, action in zip(acting, actions, strict=True)
        )
        self.tell(made_up)
        if self.audience.watchers:
            events = self.events(None, made_up)
            self.audience.after_step(Step(before, actions, events, self.state, decisions or {}))

    def settle(self) -> None:
        """Draw all pending listed outcomes, one after another."""
        while listed := self.model.chance(self.state):
            stream = self.streams.of_game("chance", self.drawn)
            self.resolve(listed[stream.weighted([chance for _, chance in listed])][0])

    def resolve(self, outcome: Hashable) -> None:
        """One listed outcome comes, and everybody is told."""
        before = self.state
        self.state = self.model.resolve(before, outcome)
        self.drawn += 1
        if self.record is not None:
            self.record.moments.append(Moment(chance=self.world.outcome_text(outcome)))
        made_up = (Event("chance", None, outcome),)
        self.tell(made_up)
        if self.audience.watchers:
            events = self.events(None, made_up)
            self.audience.after_chance(Draw(before, outcome, events, self.state))

    def finish(self, outcome: Outcome) -> None:
        """Tell everybody how it ended, and let the agents go."""
        for seat in list(self.seats):
            try:
                view = self.view(seat)
                with self.waiting_for(seat, "finishing", self.setup.budget):
                    self.seats[seat].finish(view, outcome)
            except Failure as failure:
                self.on_failure(seat, failure)
            else:
                self.dismiss(seat, clean=True)
        self.audience.after_match(self.state, outcome)

    def close(self) -> None:
        """Let go of agents that are still busy, after an error or Ctrl-C."""
        for seat in list(self.seats):
            self.dismiss(seat, clean=False)

    def dismiss(self, seat: int, clean: bool) -> None:
        """Let go of one agent; it is neither asked nor told any more."""
        self.seats.pop(seat).close(clean)

    # The seats

    def view(self, seat: int) -> View:
        plain = self.model.view(self.state, seat)
        told = recall(plain, last_action=self.last_actions.get(seat))
        return recall_moves(told, self.last_actions) if self.traits.seats > 1 else told

    def ask(self, seat: int, budget: Budget | None = None, watched: bool = False) -> Answer:
        """Ask an agent for its decision, and keep what it cost; Failure when it fails."""
        stream = self.streams.of_seat(seat, "decision", self.asked[seat])
        given = budget or self.setup.budget
        view = self.view(seat)
        with self.waiting_for(seat, "thinking", given):
            answer = self.seats[seat].decide(view, given, stream, watched)
        self.asked[seat] += 1
        if self.record is not None:
            self.decisions[seat].append(self.summary(answer))
        return answer

    def waiting_for(self, seat: int, doing: str, budget: Budget) -> AbstractContextManager[None]:
        """Let somebody look at the clock while an agent, but no human, is waited for."""
        if self.waits is None or is_human(self.agents[seat]):
            return nullcontext()
        rules = self.setup.rules
        patience_ms = rules.hang_ms if doing == "thinking" else rules.setup_hang_ms
        is_local = isinstance(self.seats[seat], LocalSeat)
        ended_after_s = None if is_local else patience_ms(budget) / 1000
        question = Question(seat, self.names[seat], doing, budget, ended_after_s)
        return self.waits.asking(question)

    def chosen(self, seat: int) -> Action:
        """The action that an agent decides for; BrokenAgent when it fails."""
        try:
            return self.ask(seat).decision.action
        except Failure as failure:
            self.raise_failure(seat, failure)

    def events(self, seat: int | None, made_up: tuple[Event, ...]) -> tuple[Event, ...]:
        """The world's own events, or made-up ones where it has none and hides nothing."""
        return self.model.events(self.state, seat) if self.has_events else made_up

    def tell(self, made_up: tuple[Event, ...]) -> None:
        """Tell each agent what its seat may know of the last step or outcome."""
        for seat, mind in list(self.seats.items()):
            try:
                mind.observe(self.events(seat, made_up))
            except Failure as failure:
                self.on_failure(seat, failure)

    def raise_failure(self, seat: int, failure: Failure) -> NoReturn:
        self.close()
        told = f"agent {self.names[seat]} in seat {seat}: {failure.message}"
        raise BrokenAgent(told) from failure

    def summary(self, answer: Answer) -> DecisionSummary:
        decision = answer.decision
        value = (decision.values or {}).get(decision.action)
        return DecisionSummary(
            tick=self.tick,
            action=self.world.action_text(decision.action),
            iterations=decision.iterations,
            model_calls=answer.model_calls,
            depth=decision.depth,
            cpu_ms=answer.cpu_ms,
            wall_ms=answer.wall_ms,
            value=float(value) if isinstance(value, int | float) else None,
        )

    # The record

    def first_lines(self) -> Record:
        versions = [version_of(agent) or package_version() for agent in self.agents]
        return Record(
            world=str(self.world),
            world_version=self.world.version,
            package_version=package_version(),
            agents=list(self.names),
            agent_versions=versions,
            seed=self.setup.seed,
            budget=str(self.setup.budget),
            start=str(self.state),
            contents=contents_of_match(self.world, self.names),
            secret=self.setup.secret,
        )

    def recorded(self, outcome: Outcome) -> Record:
        """The record of the game as far as it was played, with this outcome."""
        assert self.record is not None
        last = Moment(hash=self.world.fingerprint(self.state))
        moments = [*self.record.moments, last]
        return replace(self.record, moments=moments, outcome=outcome, steps=self.tick)

    # Taking back, where nobody remembers

    def bookmark(self) -> Bookmark:
        moments = 0 if self.record is None else len(self.record.moments)
        return Bookmark(self.state, self.tick, self.drawn, dict(self.last_actions), moments)

    def go_back(self, to: Bookmark) -> None:
        self.state, self.tick, self.drawn = to.state, to.tick, to.drawn
        self.last_actions = dict(to.last_actions)
        if self.record is not None:
            del self.record.moments[to.moments :]


def seat_for(world: World, agent: Agent, rules: MatchRules, isolate: bool | None = None) -> Seat:
    """Seat an agent, in a process of its own or in this one.

    Args:
        world: What is played.
        agent: An agent; a `HumanAgent` is seated at the world, for its pictures and notation.
        rules: Limits of a match.
        isolate: Whether it gets a process of its own; None: when it is in a file.
    """
    if is_isolated(agent, isolate):
        from ludex.arena.processes.process import ProcessSeat

        return ProcessSeat(world, agent, rules)
    human = able(agent, HumanAgent)
    return LocalSeat(world, agent if human is None else human.seat_at(world))
