"""The code of child processes: one agent, or one worker.

An agent's process is told what to do in pickles and answers in JSON, so that nothing an agent
says can run code in the process of the match. Every answer carries the number of its question.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import socket
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from ludex.agents.compose import Composed
from ludex.agents.files import FileAgent, foreign_files
from ludex.arena.match.seat import Answer, Failure, LocalSeat, broken_file, crash, is_possible
from ludex.arena.processes.last_words import speak_when_asked
from ludex.arena.processes.wire import WireBroken, receive, send
from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.errors import BrokenAgent, LudexError
from ludex.core.module_files import folder_of, is_beside
from ludex.core.notes import pack, sound, unpack
from ludex.core.own_part import OwnPart
from ludex.core.planner import Agent
from ludex.core.rng import calls_of_process
from ludex.core.world import World

LARGEST_ANSWER = 2**20
PORTABLE = ("iterations", "model_calls", "depth", "elapsed_ms", "cpu_ms", "confidence")


def serve(kind: str, wire: socket.socket) -> None:
    """Answer requests until the other side closes the wire."""
    reseed()
    try:
        if kind == "agent":
            speak_when_asked()
            serve_agent(wire)
        else:
            serve_work(wire)
    except WireBroken:
        pass
    os._exit(0)  # threads an agent left behind do not keep the process


def reseed() -> None:
    """Let no two forks draw the same numbers from numpy's global generator."""
    if "numpy" in sys.modules:
        import numpy

        numpy.random.seed(int.from_bytes(os.urandom(4), "big"))


def serve_work(wire: socket.socket) -> None:
    """Call functions and send back what they return or raise."""
    while True:
        request = receive(wire)
        try:
            function, arguments = pickle.loads(request)
            answer = ("done", function(**arguments))
            content = pickle.dumps(answer)
        except LudexError as error:
            content = pickle.dumps(("refused", error))
        except Exception as error:
            content = pickle.dumps(("failed", repr(error)))
        send(wire, content)


def serve_agent(wire: socket.socket) -> None:
    """Play one seat in one match after another.

    Calls are counted here, in variables of this function, which other code cannot change: an
    agent may reach every object of its process, and the tally itself is native.
    """
    desk = Desk()
    tally, write, put = calls_of_process, encode, send
    counting, counted = "meter", 0
    while True:
        number, request, arguments = pickle.loads(receive(wire))
        if request == "load":
            counting = arguments["counting"]
        is_timed = request == "decide" and arguments["budget"].time_ms is not None
        if is_timed:
            gc.disable()  # until the answer is on its way; long decisions turn it on again
        heard: dict[str, Any] = {}
        if arguments.get("events"):  # what is done with them is no part of a decision
            heard = answered(desk, "observe", {"events": arguments["events"]})
        arguments.pop("events", None)
        before = tally() + (tally(apart=True) if counting == "all" else 0)
        answer = heard or answered(desk, request, arguments)
        after = tally() + (tally(apart=True) if counting == "all" else 0)
        if counting != "meter" and "measured_model_calls" in answer:
            answer["measured_model_calls"] = max(after - before, answer["measured_model_calls"])
            answer["measured_observe_calls"] = before - counted
        if request in ("start", "decide"):
            counted = after
        answer["number"] = number
        put(wire, write(answer))
        desk.let_go(request)
        if is_timed:
            gc.enable()


def answered(desk: Desk, request: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Do what is asked; whatever goes wrong is an answer, too."""
    try:
        answer: dict[str, Any] = getattr(desk, request)(**arguments)
    except BrokenAgent as error:  # its own code failed
        return pack_failure(broken_file(error))
    except LudexError as error:
        return {"refused": type(error).__name__, "message": str(error)}
    except Failure as failure:
        return pack_failure(failure)
    except BaseException as error:  # Ctrl-C is ignored here, so the agent raised it
        return pack_failure(crash(error, "while answering"))
    return answer


class Desk:
    """Serves the requests to an agent's process; each method is one request."""

    def __init__(self) -> None:
        self.table: World | None = None
        self.agent: Agent | None = None
        self.seat: LocalSeat | None = None
        self.watched = False

    def world(self, world: Any) -> dict[str, Any]:
        """Make the world that is played; this is nobody's time."""
        self.table = unpack_world(world)
        _ = self.table.model
        return {}

    def load(self, agent: bytes, counting: str) -> dict[str, Any]:
        """Make the agent; one in a file is run here, and nowhere else.

        Args:
            agent: The agent, as a pickle.
            counting: How its model calls are counted: on the `meter` that it is given, on all
                `open` ones of its process but those that parts of ours keep apart, or on `all`.
        """
        made: Agent = pickle.loads(agent)
        foreign = sources_of(made)
        if foreign:
            before = own_functions()
            for one in foreign:
                one.load()
            if changed := changed_functions(before):
                raise Failure("rubbish", f"it changes {changed}; an agent leaves ludex as it is")
        self.agent = made
        return {}

    def describe(self, agent: bytes) -> dict[str, Any]:
        """Make the agent, and tell what it is."""
        self.load(agent, "meter")
        assert self.agent is not None
        foreign = file_agent_of(self.agent)
        if foreign is None:  # a planner of ours with parts in files
            return {"name": str(self.agent)[:1000]}
        return {
            "name": str(foreign.agent)[:1000],
            "parameters": {
                str(name)[:100]: str(value)[:1000]
                for name, value in list(foreign.parameters.items())[:100]
            },
            "libraries": list(foreign.libraries),
            "files": loaded_beside(foreign.path),
        }

    def call(self, function: Callable[[Any], Any]) -> dict[str, Any]:
        """Have a function of ours look at the agent that was loaded; it returns plain data."""
        foreign = file_agent_of(self.agent)
        return {"result": function(foreign.agent if foreign is not None else self.agent)}

    def start(self, **given: Any) -> dict[str, Any]:
        assert self.table is not None
        assert self.agent is not None
        self.seat = LocalSeat(self.table, self.agent, whole_process=True)
        return {"cpu_ms": self.seat.start(**given)}

    def hear(self) -> dict[str, Any]:
        """Take in events alone, which come with any request."""
        return {}

    def observe(self, events: Any) -> dict[str, Any]:
        self.seated.observe(events)
        return {}

    def decide(self, watched: bool, **given: Any) -> dict[str, Any]:
        self.watched = watched
        return pack_answer(self.seated.decide(**given), given["view"].legal)

    def show(self) -> dict[str, Any]:
        """What the mind has to show of its last decision."""
        return {"notes": pack(self.seated.thoughts())}

    def finish(self, **given: Any) -> dict[str, Any]:
        self.seated.finish(**given)
        return {}

    def let_go(self, request: str) -> None:
        """Free what nobody will ask for, once the answer is on its way: trees take their time."""
        if self.seat is not None and (request == "show" or not self.watched):
            self.seat.last = None

    @property
    def seated(self) -> LocalSeat:
        assert self.seat is not None
        return self.seat


def file_agent_of(agent: Any) -> FileAgent | None:
    """The agent in a file that this agent is or is composed of."""
    inner = agent.planner if isinstance(agent, Composed) else agent
    return inner if isinstance(inner, FileAgent) else None


def sources_of(agent: Any) -> tuple[FileAgent | OwnPart, ...]:
    """What of an agent, or of the one it is composed of, is in files of the user's own."""
    return foreign_files(agent.planner if isinstance(agent, Composed) else agent)


def own_functions() -> dict[tuple[str, ...], Any]:
    """All functions and classes of ludex by name, as they are now."""
    found: dict[tuple[str, ...], Any] = {}
    for name, module in list(sys.modules.items()):
        if name == "ludex" or name.startswith("ludex."):
            for key, value in list(vars(module).items()):
                if isinstance(value, FUNCTIONS):
                    found[name, key] = value
                if isinstance(value, type) and value.__module__ == name:
                    for part, method in list(vars(value).items()):
                        if isinstance(method, (*FUNCTIONS, property, classmethod, staticmethod)):
                            found[name, key, part] = method
    return found


FUNCTIONS = (type, types.FunctionType, types.BuiltinFunctionType)


def changed_functions(before: Mapping[tuple[str, ...], Any]) -> str:
    """The first function that is another one now, or an empty text."""
    after = own_functions()
    # Methods that an abstract base writes into its classes, and caches, come later by themselves.
    for name, value in before.items():
        if after.get(name) is not value:
            return ".".join(name)
    return ""


def loaded_beside(path: Path) -> list[str]:
    """The files of all modules loaded here that lie beside an agent's file."""
    folder = folder_of(path)
    files = {str(Path(file)) for module in list(sys.modules.values()) if (file := file_of(module))}
    return sorted(file for file in files if is_beside(Path(file), folder))[:1000]


def file_of(module: Any) -> str:
    file = getattr(module, "__file__", None)
    return file if isinstance(file, str) else ""


def pack_failure(failure: Failure) -> dict[str, Any]:
    packed: dict[str, Any] = {
        "kind": failure.kind,
        "message": failure.message,
        "trace": failure.trace,
    }
    return packed if failure.where is None else {**packed, "where": asdict(failure.where)}


def encode(answer: dict[str, Any]) -> bytes:
    """Write an answer; evidence that is too long or cannot be written is left out."""
    try:
        content = json.dumps(answer).encode()
    except (TypeError, ValueError, RecursionError):
        content = b""
    if not content or len(content) > LARGEST_ANSWER:
        for name in ("visits", "values", "notes"):
            answer.pop(name, None)
        content = json.dumps(answer).encode()
    return content


def pack_answer(answer: Answer, legal: tuple[Any, ...]) -> dict[str, Any]:
    """Write actions as places in the legal list, and everything else as plain numbers."""
    decision = answer.decision
    places = {action: index for index, action in enumerate(legal)}
    packed: dict[str, Any] = {name: getattr(decision, name) for name in PORTABLE}
    packed["action"] = places[decision.action]
    for name in ("visits", "values"):
        table: Mapping[Any, Any] | None = getattr(decision, name)
        if table is not None:
            packed[name] = [
                [places[action], value] for action, value in table.items() if action in places
            ]
    packed["notes"] = pack(sound(decision.notes, str))
    for item in fields(Answer):
        if item.name != "decision":
            packed["measured_" + item.name] = getattr(answer, item.name)
    return packed


def unpack_answer(packed: Any, legal: tuple[Any, ...]) -> Answer:
    """Read what `pack_answer` wrote; ValueError, KeyError or TypeError when it is nonsense."""
    place = packed["action"]
    if type(place) is not int or not 0 <= place < len(legal):
        raise ValueError("no such action")
    tables: dict[str, Any] = {
        name: {legal[int(row[0])]: row[1] for row in packed[name]}
        for name in ("visits", "values")
        if name in packed
    }
    decision = Decision(
        action=legal[place],
        notes=unpack(packed.get("notes", {})),
        **{name: packed[name] for name in PORTABLE},
        **tables,
    )
    packed = {"measured_observe_calls": 0, **packed}
    measured = {
        item.name: packed["measured_" + item.name]
        for item in fields(Answer)
        if item.name != "decision"
    }
    for name, value in measured.items():
        kinds = (int,) if name.endswith("calls") else (int, float)
        if type(value) not in kinds or not is_possible(value):
            raise ValueError("measurements are numbers from 0")
    return Answer(decision=decision, **measured)


def pack_world(world: World) -> Any:
    """Name a world for another process: its text, or its class when the registry lacks it."""
    text = str(world)
    try:
        if registry.world(text) == world:
            return text
    except LudexError:
        pass
    return type(world), {item.name: getattr(world, item.name) for item in fields(world)}


def unpack_world(packed: Any) -> World:
    if isinstance(packed, str):
        return registry.world(packed)
    cls, values = packed
    made = cls(**values)
    assert isinstance(made, World)
    return made
