"""Who acts, what is legal, how it ends, and what simulation does with bad actions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.world import World
from ludex.testing.failure import fail, shown
from ludex.testing.walk import any_actions, is_the_worlds_own, positions

NOT_AN_ACTION = ("no such action", -1)


def check_someone_acts_or_chance_or_end(world: World, model: Model) -> None:
    """In every state exactly one of three holds: seats act, chance is pending, it is over."""
    model = model.metered(Meter())
    several = False
    for state in positions(world, model):
        seats, listed, outcome = model.to_act(state), model.chance(state), model.outcome(state)
        cases = [bool(seats), bool(listed), outcome is not None]
        if sum(cases) != 1:
            fail(
                f"in {shown(state)} to_act is {seats}, chance lists {len(listed)} outcomes and "
                f"outcome is {outcome}; exactly one of the three must hold"
            )
        if bool(model.over(state)) != (outcome is not None):
            fail(f"over and outcome disagree in {shown(state)}")
        if not isinstance(seats, tuple) or list(seats) != sorted(set(seats)):
            fail(f"to_act of {shown(state)} must be an ascending tuple of seats, got {seats!r}")
        if any(not 0 <= seat < model.traits.seats for seat in seats):
            fail(f"to_act of {shown(state)} is {seats} with {model.traits.seats} seats")
        several = several or len(seats) > 1
        if len(seats) > 1 and not model.traits.simultaneous:
            fail(f"seats {seats} act at once in {shown(state)}, but traits.simultaneous is False")
    if model.traits.simultaneous and not several and is_the_worlds_own(world, model):
        fail("traits.simultaneous is True, but in no state of the walks do several seats act")


def check_legal_lists(world: World, model: Model) -> None:
    """`legal` is ascending, without repeats, at most max_legal long, and empty off turn."""
    model = model.metered(Meter())
    for state in positions(world, model):
        seats = model.to_act(state)
        for seat in range(model.traits.seats):
            legal = list(model.legal(state, seat))
            if bool(legal) != (seat in seats):
                fail(
                    f"seat {seat} has {len(legal)} legal actions in {shown(state)}, where "
                    f"{seats} act; a list is empty exactly when the seat is not to act"
                )
            if len(set(legal)) != len(legal):
                fail(f"legal({shown(state)}, {seat}) lists an action twice: {legal!r}")
            if len(legal) > model.traits.max_legal:
                fail(
                    f"{len(legal)} actions are legal in {shown(state)}, more than "
                    f"traits.max_legal={model.traits.max_legal}"
                )
            if legal != list(model.legal(state.copy(), seat)):
                fail(f"legal({shown(state)}, {seat}) differs from one call to the next")
            if not is_ascending(legal):
                fail(f"legal({shown(state)}, {seat}) is not ascending: {legal!r}")
            check_actions_of_seat(model, state, seat, legal)


def check_actions_of_seat(
    model: Model[StateT], state: StateT, seat: int, legal: list[Action]
) -> None:
    for action in legal:
        kind = model.action_type(action)
        if not isinstance(kind, str) or not kind:
            fail(f"action_type({action!r}) must be a word, got {kind!r}")
    if legal and model.default_action(state, seat) not in legal:
        fail(f"default_action({shown(state)}, {seat}) is not legal")


def is_ascending(actions: Sequence[Action]) -> bool:
    """Whether a list is in order; kinds of actions without an order of their own pass."""
    try:
        return all(a < b for a, b in itertools.pairwise(actions))
    except TypeError:
        return True


def check_outcome_is_complete(world: World, model: Model) -> None:
    """An end names winners among the seats, one finite return per seat, and a reason."""
    model = model.metered(Meter())
    seats = model.traits.seats
    for state in positions(world, model):
        for seat in range(seats):
            if not math.isfinite(model.score(state, seat)):
                fail(f"score({shown(state)}, {seat}) is not a finite number")
        outcome = model.outcome(state)
        if outcome is None:
            continue
        if list(outcome.winners) != sorted({w for w in outcome.winners if 0 <= w < seats}):
            fail(f"winners of {shown(state)} must be ascending seats, got {outcome.winners}")
        if len(outcome.returns) != seats or not all(map(math.isfinite, outcome.returns)):
            fail(f"returns of {shown(state)} must be {seats} numbers, got {outcome.returns}")
        if model.traits.zero_sum and abs(sum(outcome.returns)) > 1e-9:
            fail(f"traits.zero_sum is True, but {shown(state)} returns {outcome.returns}")
        if not isinstance(outcome.reason, str) or not outcome.reason:
            fail(f"the outcome of {shown(state)} gives no reason")
        if outcome != model.outcome(state.copy()):
            fail(f"outcome({shown(state)}) differs from one call to the next")


def check_simulation_replaces_illegal_actions(world: World, model: Model) -> None:
    """An illegal or foreign action becomes the default one, counted by the meter."""
    meter = Meter()
    model = model.metered(meter)
    for index, state in enumerate(positions(world, model)):
        seats = model.to_act(state)
        if not seats:
            continue
        defaults = tuple(model.default_action(state, seat) for seat in seats)
        meant = model.step(state, defaults, Rng(index))
        for bad in ((NOT_AN_ACTION,) * len(seats), (None,) * len(seats)):
            meter.arm()
            try:
                found = model.step(state, bad, Rng(index))
            except Exception as error:
                fail(f"step raised {error!r} for the actions {bad!r}; simulation never raises")
            if found != meant:
                fail(
                    f"the actions {bad!r} in {shown(state)} must give what default_action gives, "
                    f"{shown(meant)}, got {shown(found)}"
                )
            if meter.replaced != len(seats):
                fail(
                    f"{len(seats)} replaced actions in {shown(state)} were counted as "
                    f"{meter.replaced}"
                )
        meter.arm()
        model.step(state, any_actions(model, state, Rng(index)), Rng(index))
        if meter.replaced or meter.ignored:
            fail(f"a legal step from {shown(state)} was counted as replaced or ignored")


def check_simulation_leaves_finished_states(world: World, model: Model) -> None:
    """A step where nobody acts changes nothing, and is counted as ignored."""
    meter = Meter()
    model = model.metered(meter)
    for state in positions(world, model):
        if model.to_act(state):
            continue
        meter.arm()
        try:
            after = model.step(state, (), Rng(0))
        except Exception as error:
            fail(f"step from {shown(state)}, where nobody acts, raised {error!r}")
        if after != state:
            fail(f"a step from {shown(state)}, where nobody acts, led to {shown(after)}")
        if (meter.calls, meter.ignored, meter.replaced) != (1, 1, 0):
            fail(f"a step from {shown(state)}, where nobody acts, was not counted as ignored")


def check_meter_counts_steps(world: World, model: Model) -> None:
    """A step or advance is one call, everything else is free, and a spent meter stops both."""
    meter = Meter()
    model = model.metered(meter)
    if model.meter is not meter:
        fail("metered(meter) must return a model that counts on that meter")
    for index, state in enumerate(positions(world, model, most=30)):
        seats = model.to_act(state)
        if not seats:
            continue
        actions = any_actions(model, state, Rng(index))
        meter.arm()
        query(model, state, index)
        free = meter.calls
        meter.arm(model_calls=2)
        model.step(state, actions, Rng(index))
        model.advance(state.copy(), actions, Rng(index))
        paid = meter.calls
        if free:
            fail(f"queries of {shown(state)} cost {free} calls; only steps cost")
        if paid != 2:
            fail(f"a step and an advance from {shown(state)} cost {paid} calls, not 2")
        refuse_when_spent(model, state, actions, index)


def query(model: Model[StateT], state: StateT, place: int) -> None:
    for seat in range(model.traits.seats):
        model.legal(state, seat)
        model.view(state, seat)
        model.score(state, seat)
        model.key(state, seat)
    model.outcome(state)
    model.events(state)
    model.settle(state.copy(), Rng(place))


def refuse_when_spent(
    model: Model[StateT], state: StateT, actions: tuple[Action, ...], place: int
) -> None:
    mine = state.copy()
    for call in (model.step, model.advance):
        try:
            call(mine, actions, Rng(place))
        except BudgetSpent:
            if mine != state:
                fail(f"a refused {call.__name__} changed {shown(state)} to {shown(mine)}")
        else:
            fail(f"{call.__name__} must raise BudgetSpent when the meter is spent")


def check_metered_models_are_separate(world: World, model: Model) -> None:
    """Each mind's copy of a model counts on its own meter alone."""
    one, other = Meter(), Meter()
    first, second = model.metered(one), model.metered(other)
    state = next(state for state in positions(world, model) if first.to_act(state))
    first.step(state, any_actions(first, state, Rng(0)), Rng(0))
    if one.calls != 1 or other.calls or second.meter is not other:
        fail("two metered copies of a model share a meter; each must count on its own")


def check_key_is_a_value(world: World, model: Model) -> None:
    """Equal states have equal keys, and states with one key offer the same game."""
    model = model.metered(Meter())
    seen: dict[Any, Any] = {}
    for state in positions(world, model):
        key = model.key(state)
        if key != model.key(state.copy()) or hash(key) != hash(model.key(state.copy())):
            fail(f"equal states {shown(state)} have unlike keys")
        for seat in range(model.traits.seats):
            hash(model.key(state, seat))
        hash(model.key(state, ignore=("no such part",)))
        twin = seen.setdefault(key, state)
        if what_may_happen(model, twin) != what_may_happen(model, state):
            fail(
                f"{shown(twin)} and {shown(state)} share a key but not the moves, chances and "
                "outcome that follow"
            )


def what_may_happen(model: Model[StateT], state: StateT) -> tuple[Any, ...]:
    legal = [tuple(model.legal(state, seat)) for seat in model.to_act(state)]
    return model.to_act(state), legal, list(model.chance(state)), model.outcome(state)


RULE_CHECKS = [
    check_someone_acts_or_chance_or_end,
    check_legal_lists,
    check_outcome_is_complete,
    check_simulation_replaces_illegal_actions,
    check_simulation_leaves_finished_states,
    check_meter_counts_steps,
    check_metered_models_are_separate,
    check_key_is_a_value,
]
