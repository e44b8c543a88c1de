"""One hash per part that changes when its behaviour does.

Fixed seeds, fixed budgets of calls and iterations, and texts alone go into a hash, so it is the
same on every machine and for every order of Python's sets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.names import read_named
from ludex.core.planner import Planner
from ludex.core.rng import Meter, Rng
from ludex.core.world import World
from ludex.testing.lists import PLANNER_WORLDS

WALKS = 8
LONGEST_WALK = 400
STEPS_OF_A_PLANNER = 4
BUDGETS = ("150calls", "25iterations")
DIGITS = 6  # of values: the last bits of a logarithm differ between machines


class Signed(NamedTuple):
    """The hash of one part."""

    kind: str
    name: str
    signature: str
    """sixteen hexadecimal digits, or `broken`"""
    of: str
    """what was hashed, or why it is broken"""


def parts() -> list[str]:
    """The names of all parts that can be signed: the worlds, then the planners."""
    return sorted(registry.names("worlds")) + sorted(registry.names("planners"))


def bare_name(part: str) -> str:
    """The name of a part without its options.

    >>> bare_name("nim[heaps=3-4-5]"), bare_name("mcts(exploration=1)")
    ('nim', 'mcts')
    """
    return part.partition("[")[0].partition("(")[0]


def sign(part: str) -> Signed:
    """Hash what a world or planner does; it changes when the behaviour does.

    >>> sign("nim[heaps=1-1]").kind
    'world'

    Args:
        part: A name, with options or parameters if it has any.
    """
    name = bare_name(part)
    kind = "world" if name in registry.names("worlds") else "planner"
    try:
        if kind == "world":
            return signed_lines(kind, part, walk_lines(registry.world(part)), "lines of walks")
        named = read_named(part, "()", "a planner")
        planner = registry.load("planners", named.name).from_texts(named.arguments)
        return signed_lines(kind, part, planner_lines(planner), "lines of decisions")
    except Exception as error:
        if part != name:
            raise
        # One broken part must not hide the signatures of the others.
        return Signed(kind, part, "broken", " ".join(str(error).split()))


def sign_all(signed: Iterable[Signed]) -> str:
    """One hash of many."""
    return hashed(f"{one.name} {one.signature}" for one in signed)


def signed_lines(kind: str, part: str, lines: Iterator[str], what: str) -> Signed:
    listed = list(lines)
    return Signed(kind, part, hashed(listed), f"{len(listed)} {what}")


def hashed(lines: Iterable[str]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def walk_lines(world: World) -> Iterator[str]:
    """Walk at random and write down everything a player or planner could notice."""
    for walk in range(WALKS):
        rng = Rng(walk).fork("signature", world.name)
        state = world.start(rng)
        for _ in range(LONGEST_WALK):
            yield from state_lines(world, state)
            seats = world.model.to_act(state)
            if seats:
                actions = tuple(rng.choice(list(world.model.legal(state, seat))) for seat in seats)
                yield "play " + ", ".join(world.action_text(action) for action in actions)
                state = world.step(state, actions, rng)
            elif listed := world.model.chance(state):
                index = rng.weighted([probability for _, probability in listed])
                yield f"chance {world.outcome_text(listed[index][0])}"
                state = world.model.resolve(state, listed[index][0])
            else:
                break


def state_lines(world: World, state: Any) -> Iterator[str]:
    model = world.model
    yield f"state {world.text_to_hash(state)}"
    for seat in range(world.traits.seats):
        legal = " | ".join(world.action_text(action) for action in model.legal(state, seat))
        yield f"seat {seat} score {model.score(state, seat):.{DIGITS}g} legal {legal}"
        for event in model.events(state, seat):
            yield f"event {event.kind} {event.seat} {settled_text(event.detail)}"
    for outcome, probability in model.chance(state):
        yield f"outcome {world.outcome_text(outcome)} {probability:.{DIGITS}g}"
    if end := model.outcome(state):
        yield f"end {end.winners} {end.returns} {end.reason}"


def settled_text(value: Any) -> str:
    """Write a value so that the order of sets does not show."""
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(settled_text(one) for one in value)) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(settled_text(one) for one in value) + ")"
    return str(value)


def planner_lines(planner: Planner) -> Iterator[str]:
    """Let a planner choose in the first few states of the small worlds that suit it."""
    for world in worlds_for(planner):
        model = world.model.metered(Meter())
        for text in BUDGETS:
            rng = Rng(1).fork("signature", world.name, text)
            state = world.start(rng)
            for step in range(STEPS_OF_A_PLANNER):
                model.settle(state, rng)
                actions: list[Any] = []
                for seat in model.to_act(state):
                    stream = rng.fork("decide", step, seat)
                    view = model.view(state, seat)
                    decision = planner.decide(model, view, Budget.parse(text), stream)
                    yield from decision_lines(world, text, decision)
                    actions.append(decision.action)
                if not actions:
                    break
                state = world.step(state, tuple(actions), rng)


def decision_lines(world: World, budget: str, decision: Any) -> Iterator[str]:
    yield (
        f"{world} {budget} plays {world.action_text(decision.action)} after "
        f"{decision.iterations} iterations, {decision.model_calls} calls, depth {decision.depth}"
    )
    for evidence in (decision.visits, decision.values):
        texts = {world.action_text(action): number for action, number in (evidence or {}).items()}
        for text in sorted(texts):
            yield f"{text} {texts[text]:.{DIGITS}g}"


def worlds_for(planner: Planner) -> Iterator[World]:
    """The kit's worlds whose traits the planner accepts.

    Not all worlds there are: a new world must not change the signatures of planners.
    """
    for name in PLANNER_WORLDS:
        try:
            world = registry.world(name)
        except Exception:  # a broken world is named by its own signature
            continue
        if planner.refusal(world.traits) is None:
            yield world
