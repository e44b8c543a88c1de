"""The fast paths of the Model contract in plain Python.

Models written in Python use these; native ones are tested to agree with them draw for draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.capabilities import NamesPolicies, able
from ludex.core.errors import BadParameter, BudgetSpent, IllegalAction, in_short
from ludex.core.event import Event
from ludex.core.model import Action, Actions, ChooseFunction, Model, Policy, Sequences
from ludex.core.policy import NativePolicy
from ludex.core.rng import Meter, Rng
from ludex.core.rollout import Rollout
from ludex.core.state import StateT

MOST_THREADS = 256


@dataclass(slots=True)
class Trace:
    """What happened in each tick of a rollout."""

    scores: list[tuple[float, ...]] = field(default_factory=list)
    avatars: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    events: list[tuple[Event, ...]] = field(default_factory=list)

    def note(self, model: Model[StateT], state: StateT, events: tuple[Event, ...]) -> None:
        self.scores.append(scores_of(model, state))
        self.avatars.append(model.avatars(state))
        self.events.append(events)


def scores_of(model: Model[StateT], state: StateT) -> tuple[float, ...]:
    return tuple(model.score(state, seat) for seat in range(model.traits.seats))


def choose_uniform(model: Model[StateT], state: StateT, seat: int, rng: Rng) -> Action:
    """Draw one legal action; one draw even when there is only one."""
    legal = model.legal(state, seat)
    return legal[rng.below(len(legal))]


def choose_type_first(model: Model[StateT], state: StateT, seat: int, rng: Rng) -> Action:
    """Draw a type among those that are legal, then an action of it; no draw without a choice."""
    by_type: dict[str, list[Action]] = {}
    for action in model.legal(state, seat):
        by_type.setdefault(model.action_type(action), []).append(action)
    types = list(by_type.values())
    actions = types[rng.below(len(types))] if len(types) > 1 else types[0]
    return actions[rng.below(len(actions))] if len(actions) > 1 else actions[0]


def chooser(policy: Policy, model: Model) -> ChooseFunction:
    """The function that a policy stands for; raises where it does not fit the model."""
    if isinstance(policy, NativePolicy):
        policy.check(model)
    if not isinstance(policy, str):
        return policy
    if policy in POLICIES:
        return POLICIES[policy]
    own = able(model, NamesPolicies)
    if own is None:
        known = ", ".join(POLICIES)
        raise BadParameter(f"no rollout policy named {policy!r}; this model knows {known}")

    def choose(model: Any, state: Any, seat: int, rng: Rng) -> Action:
        return model.choose(state, policy, rng)

    return choose


POLICIES: dict[str, ChooseFunction] = {
    "uniform": choose_uniform,
    "type_first": choose_type_first,
}


def finish(model: Model[StateT], state: StateT, ticks: int, cut: bool, **kept: Any) -> Rollout:
    outcome = model.outcome(state)
    returns = outcome.returns if outcome else None
    return Rollout(state, ticks, scores_of(model, state), returns, cut, **kept)


def rollout(
    model: Model[StateT],
    state: StateT,
    policy: Policy,
    limit: int,
    rng: Rng,
    trace: bool = False,
    backtrack: bool = False,
    opening: Sequence[Actions] = (),
) -> Rollout:
    """Settle, then act and settle until the end, the limit or the end of the budget.

    A rollout that runs out of budget returns what it has, marked `cut`; one that finds the
    budget already spent raises BudgetSpent.
    """
    choose = chooser(policy, model)
    seats_of_all = model.traits.seats
    joints = check_listed(opening, "an opening is a list of joint actions")
    given = [check_planned(joint, seats_of_all) for joint in joints]
    if given:
        check_number(model.to_act(state), given[0])
    current = state.copy()
    model.meter.count_copy()
    model.settle(current, rng)
    choices = choices_in(model, current) if given else {}
    notes = Trace() if trace else None
    before = last = None
    ticks = 0
    cut = False
    while ticks < len(given) + limit and (seats := model.to_act(current)):
        if ticks >= len(given):
            if len(seats) == 1:
                actions = (choose(model, current, seats[0], rng),)
            else:
                actions = tuple(choose(model, current, seat, rng) for seat in seats)
        elif choices == choices_in(model, current) and allows(choices, given[ticks]):
            actions = given[ticks][: len(seats)]
        else:
            break
        earlier = current.copy() if backtrack else None
        try:
            model.advance(current, actions, rng)
        except BudgetSpent:
            if ticks == 0:
                raise
            cut = True
            break
        if backtrack:
            model.meter.count_copy()
            before, last = earlier, actions
        if notes:
            events = model.events(current)
            current, chances = settled_telling(model, current, rng)
            notes.note(model, current, events + chances)
        else:
            model.settle(current, rng)
        ticks += 1
    return finish(model, current, ticks, cut, trace=notes, before=before, last=last)


def settled_telling(
    model: Model[StateT], state: StateT, rng: Rng
) -> tuple[StateT, tuple[Event, ...]]:
    """Settle as `model.settle` does, and also return what every outcome told."""
    told: tuple[Event, ...] = ()
    unmetered = model.metered(Meter())  # one copy for each outcome, which settling would not make
    while listed := unmetered.chance(state):
        outcome = listed[rng.weighted([probability for _, probability in listed])][0]
        state = unmetered.resolve(state, outcome)
        told += unmetered.events(state)
    return state, told


def choices_in(model: Model[StateT], state: StateT) -> dict[int, Sequence[Action]]:
    """What each seat that is to act may do."""
    return {seat: tuple(model.legal(state, seat)) for seat in model.to_act(state)}


def allows(choices: dict[int, Sequence[Action]], actions: Actions) -> bool:
    """Whether there is a legal action for each seat."""
    pairs = zip(choices.values(), actions, strict=False)
    return len(actions) >= len(choices) and all(action in legal for legal, action in pairs)


def check_population(sequences: Any, seats: int) -> NDArray[np.int64]:
    """Read an array of sequences as [sequence, tick, seat]."""
    if sequences.dtype.kind not in "iu":
        raise BadParameter(
            f"sequences in an array are whole numbers, got an array of {sequences.dtype}"
        )
    shape = sequences.shape
    if seats == 1 and len(shape) in (1, 2):
        shape = (*((1,) if len(shape) == 1 else ()), *shape, 1)
    if len(shape) != 3 or shape[2] != seats:
        forms = (
            "[tick], [sequence, tick] or [sequence, tick, 1]"
            if seats == 1
            else (f"[sequence, tick, {seats}]")
        )
        raise BadParameter(f"an array of sequences is {forms} here, got shape {shape!r}")
    return np.ascontiguousarray(sequences, dtype=np.int64).reshape(shape)


def listed(model: Model, sequences: Sequences) -> Sequence[Sequence[Actions]]:
    """Turn an array of sequences into tuples; leave tuples as they are."""
    if not isinstance(sequences, np.ndarray):
        return check_listed(sequences, "play needs a list of sequences of actions")
    numbers = check_population(sequences, model.traits.seats).tolist()
    return [[tuple(joint) for joint in sequence] for sequence in numbers]


def check_joint(joint: Any) -> Actions:
    if not isinstance(joint, tuple):
        raise BadParameter(
            f"joint actions are a tuple with one action for each seat, got {in_short(joint)}"
        )
    return joint


def check_number(seats: tuple[int, ...], joint: Any) -> None:
    """Refuse more or fewer actions than seats that act; where nobody does, nothing is done."""
    if len(check_joint(joint)) == len(seats) or not seats:
        return
    who = "1 seat acts now (seat " if len(seats) == 1 else f"{len(seats)} seats act now (seats "
    given = f"{len(joint)} action" if len(joint) == 1 else f"{len(joint)} actions"
    raise IllegalAction(f"{who}{', '.join(map(str, seats))}), got {given}")


def fitted(joint: Actions, seats: int) -> Actions:
    """Give a joint action that was planned before a place for each seat that acts now."""
    return (*joint[:seats], *(None,) * (seats - len(joint)))


def check_planned(joint: Any, seats: int) -> Actions:
    """Read a joint action for a later tick, when other seats may act than now."""
    if len(check_joint(joint)) > seats:
        raise IllegalAction(f"a joint action has at most {seats} actions here, got {len(joint)}")
    return joint  # type: ignore[no-any-return]  # a tuple


def check_listed(items: Any, what: str) -> tuple[Any, ...]:
    """Read anything that can be gone through."""
    try:
        return tuple(items)
    except TypeError:
        raise BadParameter(f"{what}, got {in_short(items)}") from None


def play(model: Model[StateT], state: StateT, sequences: Sequences, rng: Rng) -> list[Rollout]:
    """Play each sequence from a copy; sequences cut short by the budget end the list."""
    results: list[Rollout] = []
    seats, acting = model.traits.seats, model.to_act(state)
    scripts = [
        [
            check_planned(one, seats)
            for one in check_listed(script, "a sequence is a list of actions")
        ]
        for script in listed(model, sequences)
    ]
    if not isinstance(sequences, np.ndarray):  # in an array all seats have a place
        for script in scripts:
            check_number(acting, script[0] if script else (None,) * len(acting))
    for index, sequence in enumerate(scripts):
        stream = rng.fork("play", index)
        current = state.copy()
        model.meter.count_copy()
        model.settle(current, stream)
        ticks = 0
        cut = False
        for actions in sequence:
            acting = model.to_act(current)
            if not acting:
                break
            try:
                model.advance(current, fitted(actions, len(acting)), stream)
            except BudgetSpent:
                if ticks == 0:
                    if index == 0:
                        raise
                    return results
                cut = True
                break
            model.settle(current, stream)
            ticks += 1
        results.append(finish(model, current, ticks, cut))
        if cut:
            break
    return results


def step_many(
    model: Model[StateT],
    states: Sequence[StateT],
    actions: Sequence[Actions],
    rng: Rng,
    threads: int = 1,
) -> list[StateT]:
    """Step and settle each state; states the budget does not reach are left out at the end.

    In Python more threads would not be quicker, so all is done by one.
    """
    if not 1 <= threads <= MOST_THREADS:
        raise BadParameter(f"threads must be from 1 to {MOST_THREADS}, got {threads!r}")
    states = check_listed(states, "step_many needs a list of states")
    joints = [
        check_joint(joint)
        for joint in check_listed(actions, "step_many needs a list of joint actions")
    ]
    if len(states) != len(joints):
        raise BadParameter(
            f"step_many needs as many joint actions as states, got {len(joints)} for "
            f"{len(states)} states"
        )
    results: list[StateT] = []
    for index, (state, joint) in enumerate(zip(states, joints, strict=True)):
        stream = rng.fork("step", index)
        try:
            after = model.step(state, joint, stream)
        except BudgetSpent:
            if index == 0:
                raise
            break
        model.settle(after, stream)
        results.append(after)
    return results
