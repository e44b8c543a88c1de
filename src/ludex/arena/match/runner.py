"""The match runner: asks the seats, applies the rules, keeps the record.

Everything random comes from the named streams of the match's seed (`streams.py`): `start` (the
world), `chance` n (listed outcomes), `step` n (sampled chance), and for each seat `setup` and
`decision` n. Agents from outside the package play with a secret besides.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ludex.agents.compose import as_agent
from ludex.arena.match.rules import Fault, MatchRules, outcome_by_fault
from ludex.arena.match.seat import Answer, Failure, LocalSeat, Seat
from ludex.arena.match.streams import (
    MatchStreams,
    draw_secret,
    is_isolated,
    needs_secret,
    process_secret,
    read_secret,
    secret_of_match,
)
from ludex.arena.match.thoughts import Diary
from ludex.arena.match.watcher import Audience, Draw, Step, Watcher
from ludex.core import registry
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.contents import contents_of_match
from ludex.core.decision import Decision
from ludex.core.errors import LudexError, Unsupported, wrong_seats
from ludex.core.event import Event
from ludex.core.model import Action, Actions
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.core.record import HASH_EVERY, Moment, Record
from ludex.core.rng import read_seed
from ludex.core.view import View, recall
from ludex.core.world import World

MOST_REPLAYS = 2  # of a match whose agent the system killed


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


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match went."""

    world: str
    agents: tuple[str, ...]
    """by seat"""
    seed: int
    outcome: Outcome
    scores: tuple[float, ...]
    ticks: int
    """joint decisions played"""
    faults: tuple[Fault, ...]
    record: Record
    decisions: tuple[tuple[DecisionSummary, ...], ...]
    """by seat"""
    repeatable: bool
    """whether the same seed, and secret where there is one, gives the same match: not under time
    budgets or with humans"""
    index: int = 0
    """the number of the match in its series"""
    entrants: tuple[int, ...] = ()
    """by seat, the place of its agent in the list that was given"""
    replays: int = 0
    """how often it was begun before, and the system killed an agent's process"""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won."""
        return self.outcome.winners

    @property
    def returns(self) -> tuple[float, ...]:
        return self.outcome.returns


def play_match(
    world: World | str,
    agents: Sequence[Agent | str],
    *,
    seed: int = 0,
    budget: Budget | str = DEFAULT_BUDGET,
    state: Any = None,
    rules: MatchRules | None = None,
    isolate: bool | None = None,
    watchers: Sequence[Watcher] = (),
    keep_thoughts: bool = False,
    secret: str | None = None,
    refusals_lose: bool = False,
) -> MatchResult:
    """Play one match.

    A match whose agent was ended by the system, because the machine was out of memory, is
    played again, twice at most.

    Args:
        world: A world or its text.
        agents: One agent or its text for each seat.
        seed: All that is random follows from it.
        budget: What each decision may cost.
        state: Where to start; None for the world's own start.
        rules: Limits, and what happens to a seat that breaks them.
        isolate: Give each agent a process of its own, which is ended when it hangs; None: only
            agents in files. False runs their code in this process, which they can then change.
        watchers: See the match without touching it.
        keep_thoughts: Write into the record what agents show of their thinking.
        secret: Makes the streams of chance together with the seed, as in the record of a match
            that is to be repeated. None: one is drawn where isolated agents from outside the
            package play, so that they cannot foresee the dice, and none is needed elsewhere.
        refusals_lose: Whether an agent that cannot play this world loses; else the caller is
            told. An agent in a file whose own code refuses loses in either case.

    Raises:
        LudexError: When the match cannot begin. Later failures of agents are faults.
    """
    made, players = as_world(world), tuple(as_agent(agent) for agent in agents)
    killed: list[Fault] = []
    for _ in range(MOST_REPLAYS + 1):
        match = Match(
            world=made,
            agents=players,
            seed=read_seed(seed),
            budget=as_budget(budget),
            rules=rules or MatchRules(),
            isolate=isolate,
            audience=Audience(watchers),
            keep_thoughts=keep_thoughts,
            secret=None if secret is None else read_secret(secret),
            refusals_lose=refusals_lose,
            replays=len(killed),
            faults=list(killed),
        )
        try:
            return match.play(state)
        except KilledFromOutside as death:
            killed.append(death.fault)
            if match.secret is not None:  # its agents have seen the dice of this one
                secret = draw_secret()
        finally:
            match.close()
    raise AssertionError("the last try ends in a fault")


class KilledFromOutside(Exception):
    """The system ended an agent's process, for no fault of the agent."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def as_world(given: World | str) -> World:
    return registry.world(given) if isinstance(given, str) else given


def as_budget(given: Budget | str) -> Budget:
    return Budget.parse(given) if isinstance(given, str) else given


@cache
def package_version() -> str:
    try:
        return version("ludex")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "unknown"


def seat_for(
    world: World, agent: Any, rules: MatchRules | None = None, isolate: bool | None = None
) -> Seat:
    """Seat an agent, in a process of its own or in this one.

    Args:
        world: What is played.
        agent: An agent; one that wants the world's pictures and notation has `seat_at`.
        rules: Limits of a match; None for the usual ones.
        isolate: Whether it gets a process of its own; None: when it is in a file.
    """
    if is_isolated(agent, isolate):
        from ludex.arena.processes.process import ProcessSeat

        return ProcessSeat(world, agent, rules or MatchRules())
    return LocalSeat(world, agent.seat_at(world) if hasattr(agent, "seat_at") else agent)


@dataclass
class Match:
    """A match under way."""

    world: World
    agents: tuple[Agent, ...]
    seed: int
    budget: Budget
    rules: MatchRules
    isolate: bool | None
    audience: Audience
    keep_thoughts: bool = False
    secret: str | None = None
    refusals_lose: bool = False
    replays: int = 0
    """how often it was begun before, and an agent's process was killed from outside"""

    seats: list[Seat] = field(default_factory=list)
    out: set[int] = field(default_factory=set)
    """seats that failed; the default action is played for them"""
    faults: list[Fault] = field(default_factory=list)
    summaries: list[list[DecisionSummary]] = field(default_factory=list)
    left: dict[int, Budget | None] = field(default_factory=dict)
    """what seats have left of this turn, under budgets for whole turns"""
    tick: int = 0
    drawn: int = 0
    """listed outcomes so far"""
    last_actions: dict[int, Action] = field(default_factory=dict)
    """what was last played for each seat"""

    def __post_init__(self) -> None:
        self.model = self.world.referee
        self.traits = self.model.traits
        if self.secret is None and needs_secret(self.agents, self.isolate):
            self.secret = secret_of_match(process_secret(), self.seed)
        self.streams = MatchStreams(self.seed, self.secret)
        self.diary = Diary(self.world)
        needed = self.traits.seats
        if len(self.agents) != needed:
            raise wrong_seats(self.world, needed, len(self.agents))
        self.untimed = [bool(getattr(agent, "untimed", False)) for agent in self.agents]
        self.summaries = [[] for _ in self.agents]

    # The course of a match

    def play(self, state: Any) -> MatchResult:
        state = self.world.start(self.streams.of_game("start")) if state is None else state.copy()
        names = [str(agent) for agent in self.agents]
        self.record = Record(
            world=str(self.world),
            world_version=self.world.version,
            package_version=package_version(),
            agents=names,
            agent_versions=[getattr(a, "version", None) or package_version() for a in self.agents],
            seed=self.seed,
            budget=str(self.budget),
            start=str(state),
            contents=contents_of_match(self.world, names),
            secret=self.secret,
        )
        self.sit_down(state)
        self.audience.before_match(self.world, names, state)
        state = self.settle(state)
        outcome = self.ended(state)
        while outcome is None:
            state = self.one_tick(state)
            outcome = self.ended(state)
        return self.finish(state, outcome)

    def ended(self, state: Any) -> Outcome | None:
        """The rules speak first, then faults, then the limit."""
        outcome = self.model.outcome(state)
        if outcome is not None:
            return outcome
        grave = [fault for fault in self.faults if fault.ends_the_game]
        if grave and (self.rules.on_fault == "end" or len(self.out) == len(self.agents)):
            return outcome_by_fault(len(self.agents), grave)
        if self.tick >= self.rules.max_ticks:
            return Outcome(
                winners=(),
                returns=(0.0,) * len(self.agents),
                reason=f"stopped after {self.tick} ticks",
                truncated=True,
            )
        if not self.model.to_act(state):
            raise LudexError(
                f"{self.world} is stuck in {str(state)!r}: nobody acts, and it is not over"
            )
        return None

    def one_tick(self, state: Any) -> Any:
        """Ask all seats to act, then step; a fault that ends the match leaves the state alone."""
        acting = self.model.to_act(state)
        for seat in list(self.left):
            if acting != (seat,):
                del self.left[seat]  # another seat acts, so its turn is over
        actions: list[Any] = []
        decisions: dict[int, Decision] = {}
        for seat in acting:
            answer = None if seat in self.out else self.ask(state, seat)
            if answer is None:
                actions.append(self.model.default_action(state, seat))
            else:
                actions.append(answer.decision.action)
                decisions[seat] = answer.decision
        if self.rules.on_fault == "end" and any(fault.ends_the_game for fault in self.faults):
            return state
        return self.step(state, tuple(actions), decisions)

    def step(self, state: Any, actions: Actions, decisions: dict[int, Decision]) -> Any:
        acting = self.model.to_act(state)
        stream = self.streams.of_game("step", self.tick)
        key = stream.text if self.traits.sampled_chance else None
        after = self.world.step(state, actions, stream)
        self.tick += 1
        self.last_actions.update(zip(acting, actions, strict=True))
        texts = tuple(self.world.action_text(action) for action in actions)
        notes = self.diary.page(decisions) if self.keep_thoughts else None
        self.record.moments.append(Moment(actions=texts, key=key, notes=notes))
        made_up = tuple(
            Event("move", seat, action) for seat, action in zip(acting, actions, strict=True)
        )
        self.tell(after, made_up)
        if self.audience.watchers:
            events = self.events(after, None, made_up)
            self.audience.after_step(Step(state, actions, events, after, decisions))
        after = self.settle(after)
        if self.tick % HASH_EVERY == 0:
            self.record.moments.append(Moment(hash=self.world.fingerprint(after)))
        return after

    def settle(self, state: Any) -> Any:
        """Draw all pending listed outcomes, one after another, and tell everybody."""
        while listed := self.model.chance(state):
            stream = self.streams.of_game("chance", self.drawn)
            self.drawn += 1
            outcome: Hashable = listed[stream.weighted([chance for _, chance in listed])][0]
            after = self.model.resolve(state, outcome)
            self.record.moments.append(Moment(chance=self.world.outcome_text(outcome)))
            made_up = (Event("chance", None, outcome),)
            self.tell(after, made_up)
            if self.audience.watchers:
                events = self.events(after, None, made_up)
                self.audience.after_chance(Draw(state, outcome, events, after))
            state = after
        return state

    # What seats get to know

    def events(self, state: Any, seat: int | None, made_up: tuple[Event, ...]) -> tuple[Event, ...]:
        """The world's own events, or made-up ones where it has none and hides nothing."""
        if self.traits.events or self.traits.hidden:
            return self.model.events(state, seat)
        return made_up

    def view(self, state: Any, seat: int) -> View:
        return recall(self.model.view(state, seat), last_action=self.last_actions.get(seat))

    def tell(self, state: Any, made_up: tuple[Event, ...]) -> None:
        for number, seat in enumerate(self.seats):
            if number not in self.out:
                try:
                    seat.observe(self.events(state, number, made_up))
                except Failure as failure:
                    self.fail(number, failure)

    # Watching over the seats

    def sit_down(self, state: Any) -> None:
        """Start all minds; what fails is a fault, and a refusal is one or is raised."""
        for agent in self.agents:  # all processes start at the same time
            self.seats.append(seat_for(self.world, agent, self.rules, self.isolate))
        for number, seat in enumerate(self.seats):
            view = self.view(state, number)
            try:
                stream = self.streams.of_seat(number, "setup")
                cpu_ms = seat.start(view, self.budget, stream)
                limit = self.rules.setup_ms
                is_timed = self.budget.time_ms is not None and not self.untimed[number]
                if is_timed and cpu_ms > limit:
                    raise Failure("overrun", f"took {cpu_ms:.0f} ms of {limit:g} ms to start")
            except Failure as failure:
                self.fail(number, failure)
            except LudexError as error:
                self.refuse(number, error)

    def refuse(self, seat: int, error: LudexError) -> None:
        """An agent cannot play here: it loses, or whoever seated it is told."""
        if not self.refusals_lose:
            raise error
        self.fail(seat, Failure("refusal", str(error)))

    def ask(self, state: Any, seat: int) -> Answer | None:
        """Ask a seat for its decision; None when the default action is to be played."""
        whole_turn = self.budget.per == "turn"
        budget = self.left.get(seat, self.budget) if whole_turn else self.budget
        if budget is None:
            self.note(seat, "late", "the budget of the turn was spent before this decision")
            return None
        view = self.view(state, seat)
        number = len(self.summaries[seat])
        stream = self.streams.of_seat(seat, "decision", number)
        try:
            watched = self.keep_thoughts or self.audience.reads_minds
            answer = self.seats[seat].decide(view, budget, stream, watched)
            self.summaries[seat].append(self.summary(answer))
            if self.untimed[seat]:
                return answer
            self.check_counts(answer, budget)
            self.doubt(seat, answer, budget)
            on_time = self.check_time(answer, budget)
        except Failure as failure:
            self.fail(seat, failure)
            return None
        except Unsupported as error:
            self.refuse(seat, error)
            return None
        if whole_turn:
            self.left[seat] = budget.less(
                time_ms=self.time_of(answer),
                model_calls=answer.model_calls,
                iterations=answer.decision.iterations,
            )
        if not on_time:
            used = f"used {self.time_of(answer):.1f} ms of {budget.time_ms:g} ms"
            self.note(seat, "late", f"{used}; the default action was played")
            return None
        return answer

    def time_of(self, answer: Answer) -> float:
        return answer.wall_ms if self.budget.wall else answer.cpu_ms

    def check_counts(self, answer: Answer, budget: Budget) -> None:
        """Raise Failure when more calls or iterations were used than allowed."""
        used, limit = answer.model_calls, budget.model_calls
        if limit is not None and used > limit:
            raise Failure("overrun", f"made {used} model calls of {limit}")
        if limit is not None and answer.observe_calls > limit:
            used = answer.observe_calls
            raise Failure("overrun", f"made {used} model calls of {limit} between two decisions")
        used, limit = answer.decision.iterations, budget.iterations
        if limit is not None and used > limit:
            raise Failure("overrun", f"made {used} iterations of {limit}")

    def doubt(self, seat: int, answer: Answer, budget: Budget) -> None:
        """Note, once, an isolated seat whose counts do not explain the CPU time that it used."""
        is_known = any(fault.kind == "doubtful" and fault.seat == seat for fault in self.faults)
        if budget.time_ms is not None or is_known or isinstance(self.seats[seat], LocalSeat):
            return
        count, what = answer.model_calls, "calls"
        if budget.iterations is not None:
            count, what = answer.decision.iterations, "iterations"
        explained = self.rules.explained_ms(count, what)
        if answer.cpu_ms > explained:
            used = f"used {answer.cpu_ms:.0f} ms of CPU time and tells of {count} {what}"
            self.note(seat, "doubtful", f"{used}, which explain {explained:.0f} ms")

    def check_time(self, answer: Answer, budget: Budget) -> bool:
        """Whether the answer came in time; Failure when it came far too late."""
        if budget.time_ms is None:
            return True
        most = self.rules.disqualified_above(budget.time_ms)
        for used, what in ((self.time_of(answer), "decide"), (answer.observe_ms, "observe")):
            if used > most:
                raise Failure("overrun", f"used {used:.1f} ms of {budget.time_ms:g} ms to {what}")
        return self.time_of(answer) <= budget.time_ms

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

    def note(self, seat: int, kind: Any, message: str, trace: str = "") -> None:
        self.faults.append(Fault(seat, kind, self.tick, message, trace))

    def fail(self, seat: int, failure: Failure) -> None:
        """Write the fault down, and do not ask this seat again."""
        if failure.from_outside and self.replays < MOST_REPLAYS and not any(self.untimed):
            message = f"{failure.message}; the match was played again"
            raise KilledFromOutside(Fault(seat, "killed", self.tick, message))
        self.note(seat, failure.kind, failure.message, failure.trace)
        self.out.add(seat)
        self.seats[seat].close(clean=False)

    # The end

    def finish(self, state: Any, outcome: Outcome) -> MatchResult:
        for number, seat in enumerate(self.seats):
            if number not in self.out:
                try:
                    seat.finish(self.view(state, number), outcome)
                except Failure as failure:
                    self.fail(number, failure)  # too late to change the outcome
                else:
                    seat.close(clean=True)
                    self.out.add(number)
        self.audience.after_match(state, outcome)
        record = self.record
        record.outcome, record.steps = outcome, self.tick
        record.moments.append(Moment(hash=self.world.fingerprint(state)))
        record.faults = [
            {"seat": f.seat, "kind": f.kind, "tick": f.tick, "message": f.message}
            for f in self.faults
        ]
        timed = any(fault.kind in ("hang", "late", "doubtful", "killed") for fault in self.faults)
        return MatchResult(
            world=record.world,
            agents=tuple(record.agents),
            seed=self.seed,
            outcome=outcome,
            scores=tuple(self.model.score(state, s) for s in range(len(self.agents))),
            ticks=self.tick,
            faults=tuple(self.faults),
            record=record,
            decisions=tuple(tuple(one) for one in self.summaries),
            repeatable=self.budget.repeatable and not any(self.untimed) and not timed,
            entrants=tuple(range(len(self.agents))),
            replays=self.replays,
        )

    def close(self) -> None:
        """Let go of seats that are still busy, after an error or Ctrl-C."""
        for number, seat in enumerate(self.seats):
            if number not in self.out:
                seat.close(clean=False)
