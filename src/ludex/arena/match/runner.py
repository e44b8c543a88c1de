"""The match runner: drives a game to its end, watches over the seats, and applies the limits.

Agents from outside the package play with a secret besides the seed (`streams.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from ludex.arena.match.allowance import Allowance
from ludex.arena.match.game import DecisionSummary, Game
from ludex.arena.match.rules import Fault, MatchRules, outcome_by_fault
from ludex.arena.match.seat import Answer, Failure, LocalSeat
from ludex.arena.match.setup import MatchSetup, as_budget
from ludex.arena.match.streams import draw_secret
from ludex.arena.match.waiting import Waits
from ludex.arena.match.watcher import Audience, MatchStopped, Watcher
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.capabilities import is_human, runs_threads
from ludex.core.decision import Decision
from ludex.core.errors import BadAgent, LudexError, Unsupported
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent
from ludex.core.record import Record
from ludex.core.world import World

MOST_REPLAYS = 2  # of a match whose agent the system killed


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
    return run_match(
        MatchSetup(
            world=world,
            agents=agents,
            seed=seed,
            budget=as_budget(budget),
            start=state,
            rules=rules or MatchRules(),
            isolate=isolate,
            secret=secret,
            keep_thoughts=keep_thoughts,
            refusals_lose=refusals_lose,
        ),
        watchers,
    )


def run_match(setup: MatchSetup, watchers: Sequence[Watcher] = ()) -> MatchResult:
    """Play one match as `play_match` does, of a setup."""
    setup = setup.made()
    if None in setup.agents:
        raise BadAgent("a match has an agent in every seat; use Session to play some from outside")
    killed: list[Fault] = []
    while True:
        waits = None if setup.tells_waits is None else Waits(setup.tells_waits)
        match = Match(setup.with_secret(), Audience(watchers), killed, waits)
        try:
            with waits or nullcontext():
                return match.play()
        except KilledFromOutside as death:
            killed.append(death.fault)
            if match.setup.secret is not None:  # its agents have seen the dice of this one
                setup = replace(setup, secret=draw_secret())
        finally:
            match.close()


class KilledFromOutside(Exception):
    """The system ended an agent's process, for no fault of the agent."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Match:
    """A match under way.

    Args:
        setup: What is played; all seats have agents.
        audience: Sees the match.
        killed: Faults of earlier tries, in which an agent's process was killed from outside.
        waits: Tells of agents that take long; None: nobody does.
    """

    def __init__(
        self,
        setup: MatchSetup,
        audience: Audience,
        killed: Sequence[Fault],
        waits: Waits | None = None,
    ) -> None:
        self.setup = setup
        self.rules = setup.rules
        self.game = Game(setup, audience=audience, on_failure=self.fail, waits=waits)
        self.threaded = {n for n, agent in enumerate(self.game.agents) if runs_threads(agent)}
        self.allowance = Allowance(setup.budget, setup.rules, self.threaded)
        self.replays = len(killed)
        self.faults = list(killed)
        self.watched = setup.keep_thoughts or audience.reads_minds
        self.untimed = [is_human(agent) for agent in self.game.agents]

    # The course of a match

    def play(self) -> MatchResult:
        self.sit_down()
        try:
            self.game.begin()
            while (outcome := self.ended()) is None:
                self.one_tick()
        except MatchStopped as stop:  # between two decisions, so the record is whole
            why = f"{stop or 'stopped by a watcher'} at tick {self.game.tick}"
            outcome = self.game.outcome or self.game.stopped(why)
        return self.finish(outcome)

    def ended(self) -> Outcome | None:
        """The rules speak first, then faults, then the limit."""
        game = self.game
        if (outcome := game.outcome) is not None:
            return outcome
        grave = [fault for fault in self.faults if fault.ends_the_game]
        if grave and (self.rules.on_fault == "end" or not game.seats):
            return outcome_by_fault(len(game.agents), grave)
        if game.tick >= self.rules.max_ticks:
            return game.stopped()
        if not game.acting:
            raise LudexError(
                f"{game.world} is stuck in {str(game.state)!r}: nobody acts, and it is not over"
            )
        return None

    def one_tick(self) -> None:
        """Ask all seats to act, then play; a fault that ends the match leaves the state alone."""
        game = self.game
        acting = game.acting
        self.allowance.next_tick(acting)
        actions: list[Any] = []
        decisions: dict[int, Decision] = {}
        for seat in acting:
            answer = self.ask(seat) if seat in game.seats else None
            if answer is None:
                actions.append(game.model.default_action(game.state, seat))
            else:
                actions.append(answer.decision.action)
                decisions[seat] = answer.decision
        if self.rules.on_fault == "end" and any(fault.ends_the_game for fault in self.faults):
            return
        game.play(tuple(actions), decisions)

    # Watching over the seats

    def sit_down(self) -> None:
        """Start all minds; what fails is a fault, and a refusal is one or is raised."""
        self.game.sit_down()
        for seat in list(self.game.seats):
            try:
                cpu_ms = self.game.start_seat(seat)
                if not self.untimed[seat]:
                    self.allowance.check_setup(cpu_ms)
            except Failure as failure:
                self.fail(seat, failure)
            except LudexError as error:
                self.refuse(seat, error)

    def refuse(self, seat: int, error: LudexError) -> None:
        """An agent cannot play here: it loses, or whoever seated it is told."""
        if not self.setup.refusals_lose:
            raise error
        self.fail(seat, Failure("refusal", str(error)))

    def ask(self, seat: int) -> Answer | None:
        """Ask a seat for its decision; None when the default action is to be played."""
        budget = self.allowance.of(seat)
        if budget is None:
            self.note(seat, "late", "the budget of the turn was spent before this decision")
            return None
        try:
            answer = self.game.ask(seat, budget, self.watched)
            if self.untimed[seat]:
                return answer
            in_time = self.allowance.charge(seat, answer, budget)
        except Failure as failure:
            self.fail(seat, failure)
            return None
        except Unsupported as error:
            self.refuse(seat, error)
            return None
        self.doubt(seat, answer)
        if not in_time:
            used = f"used {self.allowance.time_of(answer, budget):.1f} ms of {budget.time_ms:g} ms"
            self.note(seat, "late", f"{used}; the default action was played")
            return None
        return answer

    def doubt(self, seat: int, answer: Answer) -> None:
        """Note, once, an isolated seat whose counts do not explain the CPU time that it used."""
        if isinstance(self.game.seats[seat], LocalSeat):
            return
        is_known = any(fault.kind == "doubtful" and fault.seat == seat for fault in self.faults)
        if not is_known and (why := self.allowance.unexplained(answer)):
            self.note(seat, "doubtful", why)

    def note(self, seat: int, kind: Any, message: str) -> None:
        self.faults.append(Fault(seat, kind, self.game.tick, message))

    def fail(self, seat: int, failure: Failure) -> None:
        """Write the fault down, and do not ask this seat again."""
        if failure.from_outside and self.replays < MOST_REPLAYS and not any(self.untimed):
            message = f"{failure.message}; the match was played again"
            raise KilledFromOutside(Fault(seat, "killed", self.game.tick, message))
        fault = (failure.kind, self.game.tick, failure.message, failure.trace, failure.where)
        self.faults.append(Fault(seat, *fault))
        self.game.dismiss(seat, clean=False)

    # The end

    def finish(self, outcome: Outcome) -> MatchResult:
        game = self.game
        game.finish(outcome)  # a failure comes too late to change the outcome
        record = game.recorded(outcome)
        record.faults = [
            {"seat": f.seat, "kind": f.kind, "tick": f.tick, "message": f.message}
            for f in self.faults
        ]
        timed = any(fault.kind in ("hang", "late", "doubtful", "killed") for fault in self.faults)
        varies = timed or any(self.untimed) or bool(self.threaded)
        return MatchResult(
            world=record.world,
            agents=tuple(record.agents),
            seed=self.setup.seed,
            outcome=outcome,
            scores=tuple(game.model.score(game.state, s) for s in range(len(game.agents))),
            ticks=game.tick,
            faults=tuple(self.faults),
            record=record,
            decisions=tuple(tuple(one) for one in game.decisions),
            repeatable=self.setup.budget.repeatable and not varies,
            entrants=tuple(range(len(game.agents))),
            replays=self.replays,
        )

    def close(self) -> None:
        """Let go of seats that are still busy, after an error or Ctrl-C."""
        self.game.close()
