"""States are values, random streams are arguments, and a step changes only the caller's copy."""

from __future__ import annotations

import math

from ludex.core.model import Model
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.world import World
from ludex.testing.failure import fail, shown
from ludex.testing.snapshot import MACHINERY, STREAMS, other_global_dice, pickled, reachable, reload
from ludex.testing.walk import any_actions, positions


def move_on(model: Model[StateT], state: StateT, rng: Rng) -> None:
    """Change a state in place in the way its phase allows."""
    if model.to_act(state):
        model.advance(state, any_actions(model, state, rng), rng)
    model.settle(state, rng)


def check_states_are_values(world: World, model: Model) -> None:
    """`==` and hash compare by value, survive a pickle, and tell other states and objects apart."""
    states = positions(world, model)
    for state in states:
        twin = reload(state)
        if twin is state or twin != state:
            fail(f"state {shown(state)} is not equal to itself after a pickle")
        if hash(twin) != hash(state):
            fail(f"state {shown(state)} has another hash after a pickle")
        if state == "a text" or state == None:  # noqa: E711  # equality itself is under test
            fail(f"state {shown(state)} equals objects that are not states")
    if all(state == states[0] for state in states):
        fail("all states of a walk are equal: == does not look at what changes")


def check_copy_is_independent(world: World, model: Model) -> None:
    """Changing a copy never changes the original, nor does the original change its copies."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model)):
        first, second = state.copy(), state.copy()
        if first is state or first != state or hash(first) != hash(state):
            fail(f"copy() of {shown(state)} is not an equal state of its own")
        before = pickled(state), pickled(second)
        move_on(model, first, Rng(index))
        if pickled(state) != before[0]:
            fail(f"moving on a copy changed the original, now {shown(state)}: they share a part")
        if pickled(second) != before[1]:
            fail(f"moving on one copy changed another, now {shown(second)}: they share a part")


def check_copy_from_takes_everything(world: World, model: Model) -> None:
    """`copy_from` makes any state equal to another, and shares nothing with it."""
    model = model.metered(Meter())
    states = positions(world, model)
    for index, state in enumerate(states):
        used = states[(index * 7 + 3) % len(states)].copy()
        used.copy_from(state)
        if used != state or reload(used) != state or hash(used) != hash(state):
            fail(f"copy_from({shown(state)}) left {shown(used)}")
        before = pickled(state)
        move_on(model, used, Rng(index))
        if pickled(state) != before:
            fail(f"moving on a state filled by copy_from changed its source, now {shown(state)}")


def check_state_holds_no_machinery(world: World, model: Model) -> None:
    """No random stream, meter, model, world or agent can be reached through a state."""
    for state in positions(world, model, most=12, seeds=(0,)):
        for part in reachable(state):
            if isinstance(part, STREAMS):
                fail(f"state {shown(state)} holds a random stream; streams are arguments")
            if isinstance(part, MACHINERY):
                fail(f"state {shown(state)} holds a {type(part).__name__}, which is no value")


def check_step_is_pure(world: World, model: Model) -> None:
    """`step` leaves its state alone, and depends on state, actions and stream alone."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model)):
        if not model.to_act(state):
            continue
        actions = any_actions(model, state, Rng(index))
        before = pickled(state)
        first_stream, second_stream = Rng(index).fork("step"), Rng(index).fork("step")
        with other_global_dice(2 * index):
            first = model.step(state, actions, first_stream)
        if pickled(state) != before:
            fail(f"step changed the state it was given, now {shown(state)}")
        with other_global_dice(2 * index + 1):
            second = model.step(state, actions, second_stream)
        if first != second:
            fail(
                f"two steps from {shown(state)} with {actions!r} and the same stream differ: "
                f"{shown(first)} and {shown(second)}; draw from the stream given alone"
            )
        if first_stream != second_stream:
            fail(f"two equal steps from {shown(state)} drew differently often from their stream")


def check_advance_equals_step(world: World, model: Model) -> None:
    """`advance` does in place what `step` does on a copy, draw for draw."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model)):
        if not model.to_act(state):
            continue
        actions = any_actions(model, state, Rng(index))
        one, other = Rng(index), Rng(index)
        stepped = model.step(state, actions, one)
        advanced = state.copy()
        model.advance(advanced, actions, other)
        if stepped != advanced or one != other:
            fail(
                f"from {shown(state)} with {actions!r} step gives {shown(stepped)} and advance "
                f"gives {shown(advanced)}"
            )


def check_facts_are_those_of_the_state(world: World, model: Model) -> None:
    """Equal states have the same hashable facts, and no distance is negative or infinite."""
    for state in positions(world, model):
        before = pickled(state)
        facts, again = set(model.features(state)), set(model.features(reload(state)))
        if facts != again:
            fail(f"the features of {shown(state)} are other ones after a pickle: {facts ^ again!r}")
        for seat in range(model.traits.seats):
            distance = model.distance(state, seat)
            if not 0.0 <= distance < math.inf:  # also refuses NaN
                fail(f"the distance of {shown(state)} from a win is {distance!r} for seat {seat}")
        if pickled(state) != before:
            fail(f"asking for the features or distance of {shown(state)} changed it")


STATE_CHECKS = [
    check_states_are_values,
    check_copy_is_independent,
    check_copy_from_takes_everything,
    check_state_holds_no_machinery,
    check_step_is_pure,
    check_advance_equals_step,
    check_facts_are_those_of_the_state,
]
