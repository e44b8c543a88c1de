"""What runs in the processes that the arena starts: one agent, or one worker.

An agent's process is told what to do in pickles and answers in JSON, so that nothing an agent
says can run code in the process of the match. Its standard output is its standard error, so
that printing cannot spoil a result.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import pickle
import signal
import socket
import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ludex.arena.seat import Answer, Failure, LocalSeat, crash
from ludex.arena.wire import WireBroken, receive, send
from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.errors import LudexError
from ludex.core.notes import pack, sound, unpack
from ludex.core.world import World

LARGEST_ANSWER = 2**20
PR_SET_PDEATHSIG = 1
PORTABLE = ("iterations", "model_calls", "depth", "elapsed_ms", "cpu_ms", "confidence")


def serve(kind: str, file_number: int, parent: int) -> None:
    """Answer requests until the parent closes the wire or dies."""
    die_with(parent)
    os.dup2(2, 1)
    wire = socket.socket(fileno=file_number)
    try:
        sys.path[:], libraries = pickle.loads(receive(wire))
        for library in libraries:  # large ones, whose import is not an agent's thinking
            with contextlib.suppress(ImportError):  # what is missing is told when it is needed
                importlib.import_module(library)
        gc.freeze()  # what was imported is never garbage, so collections need not visit it
        send(wire, b"ready")
        if kind == "agent":
            serve_agent(wire)
        else:
            serve_work(wire)
    except WireBroken:
        pass
    os._exit(0)  # threads an agent left behind do not keep the process


def die_with(parent: int) -> None:
    """Have the kernel end this process when its parent ends, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):  # not on Linux: the closed wire ends us
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


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
    """Play one seat in one match after another."""
    seat: LocalSeat | None = None
    while True:
        request, arguments = pickle.loads(receive(wire))
        answer: dict[str, Any]
        try:
            if request == "start":
                seat = LocalSeat(
                    unpack_world(arguments["world"]),
                    pickle.loads(arguments["agent"]),
                    whole_process=True,
                )
                rest = {name: arguments[name] for name in ("view", "budget", "rng")}
                answer = {"cpu_ms": seat.start(**rest)}
            elif request == "decide":
                assert seat is not None
                seat.observe(arguments["events"])
                rest = {name: arguments[name] for name in ("view", "budget", "rng", "watched")}
                answer = pack_answer(seat.decide(**rest), arguments["view"].legal)
            else:
                assert seat is not None
                seat.observe(arguments["events"])
                seat.finish(arguments["view"], arguments["outcome"])
                answer = {}
        except LudexError as error:
            answer = {"refused": type(error).__name__, "message": str(error)}
        except Failure as failure:
            answer = pack_failure(failure)
        except BaseException as error:  # Ctrl-C is ignored here, so the agent raised it
            answer = pack_failure(crash(error, "while answering"))
        send(wire, encode(answer))


def pack_failure(failure: Failure) -> dict[str, Any]:
    return {"kind": failure.kind, "message": failure.message, "trace": failure.trace}


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
    places = {action: place for place, action in enumerate(legal)}
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
    measured = {
        item.name: packed["measured_" + item.name]
        for item in fields(Answer)
        if item.name != "decision"
    }
    if not all(type(value) in (int, float) for value in measured.values()):
        raise ValueError("measurements are numbers")
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
