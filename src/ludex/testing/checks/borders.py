"""Invalid arguments: states, seats and actions of other rules are refused in one sentence."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ludex.core.errors import LudexError
from ludex.core.model import Model
from ludex.core.native_model import OpenNativeModel
from ludex.core.rng import Meter, Rng
from ludex.core.state import PlainState, StateT
from ludex.core.world import World
from ludex.testing.failure import fail, shown
from ludex.testing.walk import positions

NO_SEATS = (-1, 1000, 2**70, None, "0", 0.5)
"""none of them is a seat of any world"""
LONG_ROLLOUT = 600
"""ticks: so long a rollout lets other Python threads run"""
THREADS = 3


class Stranger(PlainState):
    """A state of no world."""

    __dataclass_fields__: dict[str, Any] = {}  # as of a dataclass without fields

    def __str__(self) -> str:
        return "a stranger"


def questions(model: Model[StateT], state: StateT) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every call of the contract that is about a state."""
    seats = model.traits.seats
    joint = (None,) * max(1, seats)
    yield "to_act", lambda: model.to_act(state)
    yield "legal", lambda: model.legal(state, 0)
    yield "default_action", lambda: model.default_action(state, 0)
    yield "over", lambda: model.over(state)
    yield "outcome", lambda: model.outcome(state)
    yield "score", lambda: model.score(state, 0)
    yield "chance", lambda: model.chance(state)
    yield "resolve", lambda: model.resolve(state, 0)
    yield "settle", lambda: model.settle(state, Rng(0))
    yield "step", lambda: model.step(state, joint, Rng(0))
    yield "advance", lambda: model.advance(state, joint, Rng(0))
    yield "view", lambda: model.view(state, 0)
    yield "events", lambda: model.events(state)
    yield "events", lambda: model.events(state, 0)
    yield "avatars", lambda: model.avatars(state)
    yield "key", lambda: model.key(state)
    yield "features", lambda: model.features(state)
    yield "distance", lambda: model.distance(state, 0)
    yield "rollout", lambda: model.rollout(state, "uniform", 3, Rng(0))
    yield "rollout with a trace", lambda: model.rollout(state, "uniform", 3, Rng(0), trace=True)
    yield "play", lambda: model.play(state, [[joint]], Rng(0))
    yield "step_many", lambda: model.step_many([state], [joint], Rng(0))


def check_foreign_states_are_refused(world: World, model: Model) -> None:
    """A state of no world, or no state at all, is one clear error in every call."""
    model = model.metered(Meter())
    for stranger in (Stranger(), object(), None, "a state", 7):
        for name, ask in questions(model, stranger):
            refused(f"{name} of {stranger!r}", ask)


def check_foreign_views_are_refused(world: World, model: Model) -> None:
    """`imagine` refuses what is not a view of this model."""
    model = model.metered(Meter())
    strangers: tuple[Any, ...] = (Stranger(), object(), None)
    for stranger in strangers:
        refused(f"imagine from {stranger!r}", partial(model.imagine, stranger, Rng(0)))


def check_wrong_seats_are_refused(world: World, model: Model) -> None:
    """A seat that does not exist is one clear error, in every phase of a game."""
    model = model.metered(Meter())
    for state in positions(world, model, most=8, seeds=(0,)):
        for seat in (model.traits.seats, *NO_SEATS):
            given: Any = seat
            asked: list[tuple[str, Callable[[], object]]] = [
                ("legal", partial(model.legal, state, given)),
                ("score", partial(model.score, state, given)),
                ("view", partial(model.view, state, given)),
                ("default_action", partial(model.default_action, state, given)),
                ("distance", partial(model.distance, state, given)),
            ]
            if seat is not None:
                asked += [
                    ("events", partial(model.events, state, given)),
                    ("key", partial(model.key, state, given)),
                ]
            for name, ask in asked:
                refused(f"{name}({shown(state)}, {seat!r})", ask)


def check_wrong_numbers_of_actions_are_refused(world: World, model: Model) -> None:
    """Too few or too many actions, or no tuple of them, are one clear error."""
    meter = Meter()
    model = model.metered(meter)
    for state in positions(world, model, most=12, seeds=(0,)):
        seats = len(model.to_act(state))
        if seats == 0:
            continue
        before = state.copy()
        for given in ((), (None,) * (seats - 1), (None,) * (seats + 1), [None] * seats, None, 3):
            joint: Any = given
            if joint == (None,) * seats:
                continue
            asked: list[tuple[str, Callable[[], object]]] = [
                ("step", partial(model.step, state, joint, Rng(0))),
                ("advance", partial(model.advance, state, joint, Rng(0))),
                ("step_many", partial(model.step_many, [state], [joint], Rng(0))),
                ("play", partial(model.play, state, [[joint]], Rng(0))),
                ("rollout", partial(model.rollout, state, "uniform", 2, Rng(0), opening=[joint])),
            ]
            for name, ask in asked:
                refused(f"{name} of {shown(state)} with the actions {joint!r}", ask)
        if state != before:
            fail(f"{shown(before)} was changed by actions that were refused")


def check_outcomes_that_are_not_pending_are_refused(world: World, model: Model) -> None:
    """Only what `chance` lists can be resolved."""
    model = model.metered(Meter())
    for state in positions(world, model, most=12, seeds=(0,)):
        listed = [outcome for outcome, _ in model.chance(state)]
        for outcome in (-1, 2**70, "no outcome", None, (0,)):
            if outcome in listed:
                continue
            given: Any = outcome
            refused(
                f"resolve of {shown(state)} with {outcome!r}", partial(model.resolve, state, given)
            )


def check_threads_share_a_model(world: World, model: Model) -> None:
    """Rollouts of several threads by one model are what one thread gets, and counted alike."""
    if not isinstance(model, OpenNativeModel):
        return  # Python runs one thread at a time
    meter = Meter()
    shared = model.metered(meter)
    states = positions(world, shared, most=3, seeds=(0,))
    meter.arm()

    def played(thread: int) -> list[tuple[Any, int]]:
        ends = []
        for index, state in enumerate(states):
            rng = Rng(index).fork("thread", thread)
            end = shared.rollout(state.copy(), "uniform", LONG_ROLLOUT, rng)
            ends.append((end.state, end.ticks))
        return ends

    together: dict[int, list[tuple[Any, int]]] = {}
    threads = [
        threading.Thread(target=lambda number=number: together.update({number: played(number)}))
        for number in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    calls = meter.calls
    for number in range(THREADS):
        if together.get(number) != played(number):
            fail(f"thread {number} of {THREADS} that share a model got other ends than it alone")
    if meter.calls != 2 * calls:
        one_by_one = meter.calls - calls
        fail(f"{THREADS} threads were counted {calls} calls, one after the other {one_by_one}")


def refused(what: str, ask: Callable[[], object]) -> None:
    """Fail unless a call raises one of our own errors, with a sentence."""
    try:
        found = ask()
    except LudexError as error:
        if not str(error):
            fail(f"{what} was refused without a word")
        return
    except Exception as error:
        fail(f"{what} raised {error!r}, which is no error of ludex.core.errors")
    fail(f"{what} was not refused; it gave {shown(found)}")


BORDER_CHECKS: list[Callable[[World, Model], None]] = [
    check_foreign_states_are_refused,
    check_foreign_views_are_refused,
    check_wrong_seats_are_refused,
    check_wrong_numbers_of_actions_are_refused,
    check_outcomes_that_are_not_pending_are_refused,
    check_threads_share_a_model,
]
