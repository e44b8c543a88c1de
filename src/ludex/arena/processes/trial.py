"""Checks agents before a match, each in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludex.agents.files import FileAgent
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.seat import Failure
from ludex.arena.processes.children import Child
from ludex.arena.processes.process import ProcessSeat, limits_of, pack_agent
from ludex.core.capabilities import libraries_of
from ludex.core.errors import BrokenAgent, LudexError
from ludex.core.planner import Agent

TRYING_S = 2.0  # to run the file of an agent; a slower one is seen in its match
LOADING_S = 20.0  # the same where the agent is looked at for long

TRIED: dict[tuple[str, str], LudexError | None] = {}
"""What came of trying agents in files, by text and version."""


def try_out(agent: FileAgent, broken_too: bool) -> None:
    """Make an agent in a process of its own, and raise what is wrong with its text or class.

    A file that hangs or dies there is no mistake of whoever typed its name: it fails in its
    match. One whose code raises is refused only when that is asked for.
    """
    key = (agent.text, agent.version)
    if key not in TRIED:
        try:
            in_own_process(agent, "describe", TRYING_S)
            TRIED[key] = None
        except Failure as failure:
            TRIED[key] = BrokenAgent(failure.message) if failure.kind == "crash" else None
        except LudexError as error:
            TRIED[key] = error
    found = TRIED[key]
    if found is not None and (broken_too or not isinstance(found, BrokenAgent)):
        raise type(found)(str(found))


def described(agent: FileAgent, patience_s: float = TRYING_S) -> dict[str, Any]:
    """What an agent in a file tells of itself, as plain data: name, parameters, files."""
    return in_own_process(agent, "describe", patience_s)


def examined(agent: Agent, function: Callable[[Any], Any], patience_s: float) -> Any:
    """What a function of ours returns for an agent, called in a process of the agent's own."""
    return in_own_process(agent, "call", patience_s, function=function).get("result")


def in_own_process(agent: Agent, request: str, patience_s: float, **more: Any) -> dict[str, Any]:
    """Ask one question about an agent, of a process that lives as long as that."""
    seat = ProcessSeat.__new__(ProcessSeat)
    seat.agent = pack_agent(agent)
    seat.rules = MatchRules()
    seat.is_ours = False
    seat.child = Child("agent", libraries_of(agent), limits_of(seat.rules))
    try:
        seat.child.boot()
        if request == "describe":
            return seat.ask("describe", 1000 * patience_s, agent=seat.agent)
        seat.ask("load", 1000 * min(patience_s, LOADING_S), agent=seat.agent, counting="meter")
        return seat.ask(request, 1000 * patience_s, **more)
    finally:
        seat.child.end()
