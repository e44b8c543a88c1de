"""The fast paths of the Model contract in plain Python.

Models written in Python use these; native ones are tested to agree with them draw for draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ludex.core._native import Rollout
from ludex.core.errors import BadParameter, BudgetSpent
from ludex.core.event import Event
from ludex.core.model import Action, Actions, ChooseFunction, Model, Policy
from ludex.core.rng import Rng


@dataclass(slots=True)
class Trace:
    """What happened in each tick of a rollout."""

    scores: list[tuple[float, ...]] = field(default_factory=list)
    avatars: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    events: list[tuple[Event, ...]] = field(default_factory=list)

    def note(self, model: Model, state: Any, events: tuple[Event, ...]) -> None:
        self.scores.append(scores_of(model, state))
        self.avatars.append(model.avatars(state))
        self.events.append(events)


def scores_of(model: Model, state: Any) -> tuple[float, ...]:
    return tuple(model.score(state, seat) for seat in range(model.traits.seats))


def choose_uniform(model: Model, state: Any, seat: int, rng: Rng) -> Action:
    """Draw one legal action; one draw even when there is only one."""
    legal = model.legal(state, seat)
    return legal[rng.below(len(legal))]


def choose_type_first(model: Model, state: Any, seat: int, rng: Rng) -> Action:
    """Draw a type among those that are legal, then an action of it; no draw without a choice."""
    by_type: dict[str, list[Action]] = {}
    for action in model.legal(state, seat):
        by_type.setdefault(model.action_type(action), []).append(action)
    types = list(by_type.values())
    actions = types[rng.below(len(types))] if len(types) > 1 else types[0]
    return actions[rng.below(len(actions))] if len(actions) > 1 else actions[0]


def chooser(policy: Policy) -> ChooseFunction:
    """The function that a policy stands for."""
    if not isinstance(policy, str):
        return policy
    if policy in POLICIES:
        return POLICIES[policy]

    def choose(model: Any, state: Any, seat: int, rng: Rng) -> Action:
        if not hasattr(model, "choose"):
            known = ", ".join(POLICIES)
            raise BadParameter(f"no rollout policy named {policy!r}; this model knows {known}")
        return model.choose(state, policy, rng)

    return choose


POLICIES: dict[str, ChooseFunction] = {
    "uniform": choose_uniform,
    "type_first": choose_type_first,
}


def finish(model: Model, state: Any, ticks: int, cut: bool, trace: Trace | None) -> Rollout:
    outcome = model.outcome(state)
    returns = outcome.returns if outcome else None
    return Rollout(state, ticks, scores_of(model, state), returns, cut, trace)


def rollout(
    model: Model, state: Any, policy: Policy, limit: int, rng: Rng, trace: bool = False
) -> Rollout:
    """Settle, then act and settle until the end, the limit or the end of the budget.

    A rollout that runs out of budget returns what it has, marked `cut`; one that finds the
    budget already spent raises BudgetSpent.
    """
    choose = chooser(policy)
    current = state.copy()
    model.meter.count_copy()
    model.settle(current, rng)
    notes = Trace() if trace else None
    ticks = 0
    cut = False
    while ticks < limit and (seats := model.to_act(current)):
        actions = tuple(choose(model, current, seat, rng) for seat in seats)
        try:
            model.advance(current, actions, rng)
        except BudgetSpent:
            if ticks == 0:
                raise
            cut = True
            break
        events = model.events(current) if notes else ()
        model.settle(current, rng)
        ticks += 1
        if notes:
            notes.note(model, current, events)
    return finish(model, current, ticks, cut, notes)


def play(
    model: Model, state: Any, sequences: Sequence[Sequence[Actions]], rng: Rng
) -> list[Rollout]:
    """Play each sequence from a copy; sequences cut short by the budget end the list."""
    results: list[Rollout] = []
    for index, sequence in enumerate(sequences):
        stream = rng.fork("play", index)
        current = state.copy()
        model.meter.count_copy()
        model.settle(current, stream)
        ticks = 0
        cut = False
        for actions in sequence:
            if not model.to_act(current):
                break
            try:
                model.advance(current, actions, stream)
            except BudgetSpent:
                if ticks == 0:
                    if index == 0:
                        raise
                    return results
                cut = True
                break
            model.settle(current, stream)
            ticks += 1
        results.append(finish(model, current, ticks, cut, None))
        if cut:
            break
    return results


def step_many(
    model: Model, states: Sequence[Any], actions: Sequence[Actions], rng: Rng
) -> list[Any]:
    """Step and settle each state; states the budget does not reach are left out at the end."""
    results: list[Any] = []
    for index, (state, joint) in enumerate(zip(states, actions, strict=True)):
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
