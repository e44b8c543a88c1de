"""Checks agents before a match, each in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from ludex.agents.files import FileAgent
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.seat import Failure
from ludex.arena.processes.child import sources_of
from ludex.arena.processes.children import Child
from ludex.arena.processes.process import ProcessSeat, limits_of, pack_agent
from ludex.core.capabilities import libraries_of, version_of
from ludex.core.errors import BrokenAgent, LudexError
from ludex.core.planner import Agent

TRYING_S = 2.0  # to run the file of an agent; a slower one is seen in its match
LOADING_S = 20.0  # the same where the agent is looked at for long

TRIED: dict[tuple[str, str], LudexError | None] = {}
"""What came of trying agents in files, by text and version."""


def try_out(agent: Agent, broken_too: bool) -> None:
    """Make an agent in a process of its own, and raise what is wrong with its text or class.

    A file that hangs or dies there is no mistake of whoever typed its name: it fails in its
    match. One whose code raises is refused only when that is asked for. The agent is one in a
    file, or a planner with parts in files.
    """
    key = (str(agent), version_of(agent) or "")
    if key not in TRIED:
        try:
            in_own_process(agent, "describe", TRYING_S)
            TRIED[key] = None
        except Failure as failure:
            TRIED[key] = broken(failure) if failure.kind == "crash" else None
        except LudexError as error:
            TRIED[key] = error
    found = TRIED[key]
    if found is not None and (broken_too or not isinstance(found, BrokenAgent)):
        raised = type(found)(str(found))
        for note in getattr(found, "__notes__", ()):
            raised.add_note(note)
        raise raised


def broken(failure: Failure) -> BrokenAgent:
    """The error of an agent whose file cannot be run, with the traceback from its process."""
    made = BrokenAgent(failure.message)
    if failure.trace:
        made.add_note(failure.trace)
    return made


def described(agent: FileAgent, patience_s: float = TRYING_S) -> dict[str, Any]:
    """What an agent in a file tells of itself, as plain data: name, parameters, files."""
    return in_own_process(agent, "describe", patience_s)


class Examination:
    """Lets functions of ours look at an agent, in a process of the agent's own."""

    def __init__(self, agent: Agent) -> None:
        self.seat = seat_of(agent)

    def __enter__(self) -> Self:
        try:
            self.seat.child.boot()
            self.seat.ask("load", 1000 * LOADING_S, agent=self.seat.agent, counting="meter")
        except BaseException:
            self.seat.child.end()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.seat.child.end()

    def ask(self, function: Callable[[Any], Any], patience_s: float) -> Any:
        """What a function returns for the agent; Failure when it gives no answer."""
        return self.seat.ask("call", 1000 * patience_s, function=function).get("result")


def in_own_process(agent: Agent, request: str, patience_s: float) -> dict[str, Any]:
    """Ask one question about an agent, of a process that lives as long as that."""
    seat = seat_of(agent)
    try:
        seat.child.boot()
        return seat.ask(request, 1000 * patience_s, agent=seat.agent)
    finally:
        seat.child.end()


def seat_of(agent: Agent) -> ProcessSeat:
    """A seat at no game, for a process that is asked about its agent."""
    seat = ProcessSeat.__new__(ProcessSeat)
    seat.agent = pack_agent(agent)
    seat.sources = sources_of(agent)
    seat.rules = MatchRules()
    seat.is_ours = False
    seat.child = Child("agent", libraries_of(agent), limits_of(seat.rules))
    return seat
