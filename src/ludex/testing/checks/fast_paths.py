"""Rollouts and batches, native or not, do what the plain loops of core/fallback.py do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludex.core import fallback
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.policy import Weighted
from ludex.core.rng import Meter, Rng
from ludex.core.rollout import Rollout
from ludex.core.state import StateT
from ludex.core.world import World
from ludex.testing.checks.rules import NOT_AN_ACTION
from ludex.testing.failure import fail, shown
from ludex.testing.walk import any_actions, positions

LIMITS = (0, 1, 5, 1000)
BUDGETS = (None, 1, 2, 3, 4, 5, 6, 7, 8)


def check_rollout_agrees_with_fallback(world: World, model: Model) -> None:
    """`rollout` draws, ends and counts as the fallback does, at every budget."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model, most=20, seeds=(0, 1))):
        for limit in LIMITS:
            for budget in BUDGETS if limit > 5 else (None, 3):
                compare(model, "rollout", (state, "uniform", limit), budget, index)


def check_guided_rollout_agrees_with_fallback(world: World, model: Model) -> None:
    """A rollout by a policy of ours, with its trace, agrees with the fallback."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model, most=10, seeds=(0,))):
        for budget in (None, 4):
            compare(model, "rollout", (state, last_or_any, 30), budget, index, trace=True)


def check_weighted_rollout_agrees_with_fallback(world: World, model: Model) -> None:
    """A rollout by weights, with the state before its last tick, agrees with the fallback."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model, most=10, seeds=(0,))):
        for budget in (None, 4):
            policy = some_weights(model, state, index)
            compare(model, "rollout", (state, policy, 30), budget, index, backtrack=True)


def check_opened_rollout_agrees_with_fallback(world: World, model: Model) -> None:
    """A rollout that begins with given actions agrees with the fallback, wherever it must end."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model, most=12, seeds=(0, 1))):
        for opening in [*some_sequences(model, state, index)[:2], stubborn(model, state)]:
            for limit, budget in ((0, None), (6, None), (6, 1), (6, 3), (6, 6)):
                compare(model, "rollout", (state, "uniform", limit), budget, index, opening=opening)
            options = {"opening": opening, "trace": True, "backtrack": True}
            compare(model, "rollout", (state, "uniform", 3), None, index, **options)


def stubborn(model: Model[StateT], state: StateT) -> list[Any]:
    """The same actions again and again: worlds whose lists never change play them all."""
    return [tuple(model.legal(state, seat)[-1] for seat in model.to_act(state))] * 5


def some_weights(model: Model[StateT], state: StateT, place: int) -> Weighted:
    """Weights of the actions that are legal now: small whole numbers, 0 among them."""
    rng = Rng(place).fork("weights")
    actions = [action for seat in model.to_act(state) for action in model.legal(state, seat)]
    return Weighted({action: float(rng.below(4)) for action in actions}, other=0.5)


def last_or_any(model: Model[StateT], state: StateT, seat: int, rng: Rng) -> Action:
    legal = model.legal(state, seat)
    return legal[-1] if rng.below(2) else legal[rng.below(len(legal))]


def check_play_agrees_with_fallback(world: World, model: Model) -> None:
    """`play` follows its sequences, illegal actions included, as the fallback does."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model, most=16, seeds=(0, 1))):
        sequences = some_sequences(model, state, index)
        for budget in BUDGETS:
            compare(model, "play", (state, sequences), budget, index)


def some_sequences(model: Model[StateT], state: StateT, place: int) -> list[list[Any]]:
    """Three sequences of joint actions: legal at first, then stale, with one foreign action."""
    sequences = []
    for index in range(3):
        rng = Rng(place).fork("sequence", index)
        current = state.copy()
        model.settle(current, rng)
        sequence: list[Any] = []
        for tick in range(4):
            if not model.to_act(current):
                break
            sequence.append(any_actions(model, current, rng))
            if tick == 2:
                sequence.append((NOT_AN_ACTION,) * len(sequence[-1]))
            model.advance(current, sequence[-1], rng)
            model.settle(current, rng)
        sequences.append(sequence + sequence[:1])
    return sequences


def check_step_many_agrees_with_fallback(world: World, model: Model) -> None:
    """`step_many` steps and settles each state as the fallback does."""
    model = model.metered(Meter())
    states = positions(world, model, most=12, seeds=(0, 1))
    actions = [any_actions(model, state, Rng(index)) for index, state in enumerate(states)]
    for budget in (*BUDGETS, len(states)):
        compare(model, "step_many", (states, actions), budget, 0)
    compare(model, "step_many", (states, actions), len(states) - 1, 0, threads=3)


def compare(
    model: Model,
    path: str,
    arguments: tuple[Any, ...],
    budget: int | None,
    seed: int,
    **options: Any,
) -> None:
    """Run a path and its fallback on fresh meters and equal streams, and compare all they do."""
    found = observe(model, getattr(type(model), path), arguments, budget, seed, **options)
    expected = observe(model, getattr(fallback, path), arguments, budget, seed, **options)
    for name, value in expected.items():
        if found[name] != value:
            limit = "without a budget" if budget is None else f"with a budget of {budget} calls"
            fail(
                f"{path} from {shown(arguments[0])} {limit}: {name} is {shown(found[name])}, the "
                f"fallback gives {shown(value)}"
            )


def observe(
    model: Model,
    run: Callable[..., Any],
    arguments: tuple[Any, ...],
    budget: int | None,
    seed: int,
    **options: Any,
) -> dict[str, Any]:
    meter = Meter()
    own = model.metered(meter)
    meter.arm(model_calls=budget)
    rng = Rng(seed).fork("fast path")
    try:
        results = run(own, *arguments, rng, **options)
        raised = False
    except BudgetSpent:
        results, raised = [], True
    return {
        "BudgetSpent raised": raised,
        "calls": meter.calls,
        "copies": meter.copies,
        "replaced": meter.replaced,
        "ignored": meter.ignored,
        "results": [describe(one) for one in (results if isinstance(results, list) else [results])],
        "stream position": rng.position,
    }


def describe(result: Any) -> Any:
    """A rollout as a tuple of its parts; a state as it is."""
    if not isinstance(result, Rollout):
        return result
    trace = result.trace
    noted = None if trace is None else (list(trace.scores), list(trace.avatars), list(trace.events))
    return (
        f"ticks={result.ticks} cut={result.cut}",
        result.state,
        tuple(result.scores),
        None if result.returns is None else tuple(result.returns),
        noted,
        result.before,
        result.last,
    )


def check_fast_paths_leave_their_states(world: World, model: Model) -> None:
    """Rollouts and batches never change the states they start from."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model, most=12, seeds=(0,))):
        before = state.copy()
        model.rollout(state, "uniform", 50, Rng(index))
        model.play(state, some_sequences(model, state, index), Rng(index))
        model.step_many([state], [any_actions(model, state, Rng(index))], Rng(index))
        if state != before:
            fail(f"a rollout or batch changed the state {shown(before)} it started from")


FAST_PATH_CHECKS = [
    check_rollout_agrees_with_fallback,
    check_guided_rollout_agrees_with_fallback,
    check_weighted_rollout_agrees_with_fallback,
    check_opened_rollout_agrees_with_fallback,
    check_play_agrees_with_fallback,
    check_step_many_agrees_with_fallback,
    check_fast_paths_leave_their_states,
]
