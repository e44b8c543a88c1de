"""A seat of a match: asks a mind and checks its answers, in this or another process."""

from __future__ import annotations

import gc
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, Protocol

from ludex.agents.files import FileAgent
from ludex.agents.human import LeftGame
from ludex.arena.match.rules import FaultKind
from ludex.arena.match.streams import is_from_file
from ludex.core.budget import Budget
from ludex.core.crash_site import CrashSite, crash_site
from ludex.core.decision import Decision
from ludex.core.errors import BrokenAgent, BudgetSpent, LudexError, Unsupported, in_a_line
from ludex.core.event import Event
from ludex.core.notes import sound
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent, Mind
from ludex.core.rng import Meter, Rng
from ludex.core.view import History, View, recall
from ludex.core.world import World

NUMBERS = {
    "iterations": int,
    "model_calls": int,
    "depth": int,
    "elapsed_ms": float,
    "cpu_ms": float,
}


NOTHING = "decide returned nothing; return a Decision"
FEW = 4  # legal actions that are named
LONGEST_PAUSE_MS = 5000.0
LARGEST_NUMBER = 2**53
LONGEST_TRACE = 16_000  # letters; the end is kept


class Failure(Exception):
    """An agent failed; the match runner makes a Fault of it."""

    def __init__(
        self, kind: FaultKind, message: str, trace: str = "", where: CrashSite | None = None
    ) -> None:
        super().__init__(message)
        self.kind: FaultKind = kind
        self.message = message
        self.trace = trace
        self.where = where
        self.from_outside = False
        """whether the machine ended the agent's process, and not the agent"""


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked decision with what it cost, measured by the runner."""

    decision: Decision
    cpu_ms: float
    wall_ms: float
    model_calls: int
    observe_ms: float = 0.0
    """CPU time for the events since the last decision"""
    thoughts_ms: float = 0.0
    """wall time for what is shown to those who watch, which is no part of the decision"""
    observe_calls: int = 0
    """model calls since the last decision, where they are counted"""


class Seat(Protocol):
    """What the match runner needs of a seat; every method may raise Failure."""

    def start(self, view: View, budget: Budget, rng: Rng) -> float:
        """Start the mind and return the CPU time it took, in ms; Unsupported when it refuses."""
        ...

    def observe(self, events: Sequence[Event]) -> None: ...

    def decide(self, view: View, budget: Budget, rng: Rng, watched: bool = False) -> Answer:
        """Ask for a decision; when it is watched, with all that the mind has to show."""
        ...

    def finish(self, view: View, outcome: Outcome) -> None: ...

    def close(self, clean: bool) -> None:
        """Let go of what the seat holds; not clean: in the middle of something."""
        ...


class LocalSeat:
    """A mind in this process. A crash is noticed; a hang can only be waited for."""

    def __init__(self, world: World, agent: Agent, whole_process: bool = False) -> None:
        self.agent = agent
        self.is_from_file = is_from_file(agent)
        self.is_remote = whole_process
        self.write = world.action_text
        self.model = world.model.metered(Meter())
        self.mind: Mind | None = None
        self.clock = time.process_time if whole_process else time.thread_time
        self.last: Decision | None = None
        self.observe_ms = 0.0
        self.decided = False
        self.told: list[Event] = []

    def start(self, view: View, budget: Budget, rng: Rng) -> float:
        if isinstance(self.agent, FileAgent):
            self.load(self.agent)
        before = self.clock()
        try:
            self.mind = self.agent.start(self.model, view, budget, rng)
        except BrokenAgent as error:
            raise broken_file(error) from error
        except LudexError as error:
            raise self.refused(error) from error
        except (Exception, SystemExit) as error:
            raise crash(error, "while starting") from error
        for name in ("observe", "decide", "finish"):
            if not callable(getattr(self.mind, name, None)):
                raise Failure("rubbish", f"its start returned a mind without {name}")
        return 1000 * (self.clock() - before)

    def load(self, agent: FileAgent) -> None:
        """Run the file of an agent; its own errors are failures of the seat."""
        try:
            agent.load()
        except BrokenAgent as error:
            raise broken_file(error) from error

    def refused(self, error: LudexError) -> Exception:
        """A refusal is told to the caller; that of an agent in a file is its failure."""
        return failed("refusal", str(error), error) if self.is_from_file else error

    def observe(self, events: Sequence[Event]) -> None:
        assert self.mind is not None
        self.told += events
        before = self.clock()
        try:
            for event in events:
                self.mind.observe(event)
        except (Exception, SystemExit) as error:
            raise crash(error, "while observing") from error
        self.observe_ms += 1000 * (self.clock() - before)

    def decide(self, view: View, budget: Budget, rng: Rng, watched: bool = False) -> Answer:
        assert self.mind is not None
        first, self.decided = not self.decided, True
        view = recall(view, history=History(self.told))
        # Armed here, too, for minds that do not arm it themselves.
        budget.arm(self.model.meter)
        called = self.model.meter.calls_ever
        wall, cpu = time.perf_counter(), self.clock()
        try:
            with collection_paused(budget):
                decision = self.mind.decide(view, budget, rng)
                # Before the pause ends: the collection that follows it is not the agent's time.
                cpu_ms, wall_ms = 1000 * (self.clock() - cpu), 1000 * (time.perf_counter() - wall)
        except Unsupported as error:
            if first:
                raise self.refused(error) from error
            raise crash(error, "while deciding") from error
        except LeftGame as error:
            raise Failure("left", str(error)) from None
        except BrokenAgent as error:
            raise broken_file(error) from error
        except BudgetSpent as error:
            advice = "let BudgetSpent escape; catch it and answer with the best action so far"
            raise failed("crash", advice, error) from error
        except (Exception, SystemExit) as error:
            raise crash(error, "while deciding") from error
        observe_ms, self.observe_ms = self.observe_ms, 0.0
        checked = check_decision(decision, view, self.write)
        # Not `calls`: an agent that arms its meter again starts that count anew.
        calls = max(self.model.meter.calls_ever - called, checked.model_calls)
        self.last = checked if watched or self.is_remote else None
        # Thoughts are no part of a decision: they are asked for when all is measured.
        decided = time.perf_counter()
        notes = self.thoughts() if watched else checked.notes
        thoughts_ms = 1000 * (time.perf_counter() - decided)
        checked = replace(checked, notes=notes, thoughts=None)
        return Answer(checked, cpu_ms, wall_ms, calls, observe_ms, thoughts_ms)

    def thoughts(self) -> Mapping[str, Any]:
        """All that the mind has to show of its last decision, as sound notes."""
        assert self.last is not None
        return with_thoughts(self.last, self.write).notes

    def finish(self, view: View, outcome: Outcome) -> None:
        assert self.mind is not None
        view = recall(view, history=History(self.told))
        try:
            self.mind.finish(view, outcome)
        except (Exception, SystemExit) as error:
            raise crash(error, "after the end of the game") from error

    def close(self, clean: bool) -> None:
        pass


@contextmanager
def collection_paused(budget: Budget) -> Iterator[None]:
    """Keep Python's garbage collection out of a timed decision.

    A full collection visits every object of the process, not the agent's alone, and takes ten
    milliseconds and more. It runs between decisions instead. Long decisions need it.
    """
    paused = gc.isenabled() and budget.time_ms is not None and budget.time_ms <= LONGEST_PAUSE_MS
    if paused:
        gc.disable()
    try:
        yield
    finally:
        if paused:
            gc.enable()


def check_decision(decision: Any, view: View, write: Callable[[Any], str] = str) -> Decision:
    """Return a decision made of sound parts, its action one of the view's own; or Failure.

    Args:
        decision: What a mind answered.
        view: What it saw.
        write: How the world writes an action.
    """
    if decision is None:
        raise Failure("rubbish", NOTHING)
    if not isinstance(decision, Decision):
        raise Failure("rubbish", f"answered {shown(decision)} instead of a Decision")
    try:
        action = view.legal[view.legal.index(decision.action)]
        hash(decision.action)
    except ValueError:
        raise Failure("rubbish", not_legal(decision.action, view, write)) from None
    except Exception as error:  # comparing an agent's object runs the agent's code
        raise Failure("rubbish", f"chose {shown(decision.action)}: {in_a_line(error)}") from error
    for name, kind in NUMBERS.items():
        value: Any = getattr(decision, name)
        if type(value) is not kind and type(value) is not int:
            raise Failure("rubbish", f"its Decision.{name} is {shown(value)}, not a number")
        if not is_possible(value):
            raise Failure("rubbish", f"its Decision.{name} is {shown(value)}, which cannot be")
    confidence: Any = decision.confidence
    if confidence is not None and not isinstance(confidence, Real):
        raise Failure("rubbish", f"its Decision.confidence is {shown(confidence)}, not a number")
    if not isinstance(decision.notes, Mapping):
        raise Failure("rubbish", f"its Decision.notes is {shown(decision.notes)}, not a mapping")
    return replace(
        decision,
        action=action,
        visits=checked_table(decision, "visits", view),
        values=checked_table(decision, "values", view),
    )


def not_legal(action: Any, view: View, write: Callable[[Any], str]) -> str:
    """Say what was chosen, and what could have been."""
    if action is None:
        return NOTHING
    few = ", ".join(write(one) for one in view.legal[:FEW])
    more = f" and {len(view.legal) - FEW} more" if len(view.legal) > FEW else ""
    kind, own = type(action).__name__, type(view.legal[0]).__name__
    differs = f" of type {kind} (actions here are {own})" if kind != own else ""
    return (
        f"chose {shown(action)}{differs}, which is not legal; legal are {few}{more}: "
        "take one of view.legal"
    )


def is_possible(number: Any) -> bool:
    """Whether a number may count or measure something; NaN may not."""
    return bool(0 <= number < LARGEST_NUMBER)


def checked_table(decision: Decision, name: str, view: View) -> dict[Any, Any] | None:
    """The numbers given for legal actions; others may come from a model that differs."""
    table = getattr(decision, name)
    if table is None:
        return None
    try:
        legal = set(view.legal)
        checked = {action: number for action, number in table.items() if action in legal}
    except Exception as error:  # it may be any object of the agent's
        raise Failure("rubbish", f"its Decision.{name} is no table: {in_a_line(error)}") from error
    return {action: as_number(number, name) for action, number in checked.items()}


def as_number(value: Any, name: str) -> int | float:
    """A number of any kind as one of Python's own, which everybody can write; or Failure."""
    if isinstance(value, Real):
        with suppress(ArithmeticError, TypeError, ValueError):
            number = float(value)  # of whole numbers, too: some are too long to be written
            return int(value) if isinstance(value, Integral) else number
    raise Failure("rubbish", f"its Decision.{name} holds {shown(value)}, not a number")


def with_thoughts(decision: Decision, write: Callable[[Any], str]) -> Decision:
    """The decision with all that its mind has to show, as sound notes."""
    more: Any = {}
    if decision.thoughts is not None:
        try:
            more = decision.thoughts()
        except (Exception, SystemExit) as error:  # a match is the same whether watched or not
            more = {"broken": in_a_line(error)}
    added = sound(more, write)
    # What is said twice is said best by the thoughts, and stands among them.
    kept = {name: note for name, note in decision.notes.items() if name not in added}
    return replace(decision, notes={**sound(kept, write), **added})


def crash(error: BaseException, when: str) -> Failure:
    return failed("crash", f"{in_a_line(error)} {when}", error)


def failed(kind: FaultKind, message: str, error: BaseException) -> Failure:
    """The failure that an exception is, with the line of the agent's own that it came from."""
    where = crash_site(error)
    told = message if where is None else f"{message}, at {where}"
    return Failure(kind, told, trace_of(error), where)


def broken_file(error: BrokenAgent) -> Failure:
    """The failure of an agent whose own code fails; the message names the line already."""
    cause = error.__cause__ or error
    return Failure("crash", str(error), trace_of(cause), crash_site(cause))


def trace_of(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error))[-LONGEST_TRACE:]
    except Exception:  # an agent's exception may not even have a text
        return type(error).__name__


def shown(value: Any) -> str:
    """Write anything an agent may hand over, in a few words."""
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
