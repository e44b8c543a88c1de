"""Random walks through worlds and models: the states that the checks look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ludex.core.model import Actions, Model
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.world import World
from ludex.testing.failure import fail, shown

LONGEST_WALK = 400
SEEDS = (0, 1, 2)
OPENING = 12  # states of a walk that are always looked at, so that no phase of a turn is missed


def walk(
    world: World[StateT],
    seed: int = 0,
    each: Callable[[StateT], None] | None = None,
    limit: int = LONGEST_WALK,
) -> list[StateT]:
    """Play one game at random and return all its states, afterstates included.

    `each` is called with every state on the way, for a check of the world's own:
    `walk(world, seed=3, each=cards_are_conserved)`.
    """
    start = world.start(Rng(seed).fork("walk", "start"))
    return wander(world.model, start, seed, each, limit)


def wander(
    model: Model[StateT],
    state: StateT,
    seed: int = 0,
    each: Callable[[StateT], None] | None = None,
    limit: int = LONGEST_WALK,
) -> list[StateT]:
    """Walk at random from a given state, one decision or listed outcome at a time.

    Every state of the walk is a copy of its own, also where `step` should work in place.
    """
    own = model.metered(Meter())
    rng = Rng(seed).fork("walk")
    states = [state]
    while True:
        current = states[-1]
        if each is not None:
            each(current)
        if len(states) >= limit:
            return states
        if listed := own.chance(current):
            drawn = rng.weighted([probability for _, probability in listed])
            states.append(own.resolve(current.copy(), listed[drawn][0]))
        elif own.to_act(current):
            actions = any_actions(own, current, rng)
            states.append(own.step(current.copy(), actions, rng))
        else:
            return states


def any_actions(model: Model[StateT], state: StateT, rng: Rng) -> Actions:
    """Draw a legal action for each seat that acts."""
    actions = []
    for seat in model.to_act(state):
        legal = list(model.legal(state, seat))
        if not legal:
            fail(f"seat {seat} is to act in {shown(state)} but has no legal actions")
        actions.append(rng.choice(legal))
    return tuple(actions)


def is_the_worlds_own(world: World, model: Model) -> bool:
    """Whether these are the rules themselves, not a model learned or made of them."""
    return type(model) is type(world.model)


def first_state(world: World, model: Model, seed: int) -> Any:
    """Where a walk of this model begins.

    Models other than the world's own have states of their own kind, and make the first one
    from what the first seat to act sees.
    """
    rng = Rng(seed).fork("walk", "start")
    state = world.start(rng)
    if is_the_worlds_own(world, model):
        return state
    rules = world.model.metered(Meter())
    rules.settle(state, rng)
    return model.imagine(rules.view(state, rules.to_act(state)[0]), rng)


def positions(
    world: World, model: Model, most: int = 60, seeds: Iterable[int] = SEEDS
) -> list[Any]:
    """Collect states of several walks: all of the openings, the ends, and some between."""
    own = model.metered(Meter())
    picked: list[Any] = []
    walks = [wander(own, first_state(world, own, seed), seed) for seed in seeds]
    opening = min(OPENING, most // len(walks))
    share = max(1, most // len(walks) - opening)
    for states in walks:
        rest = states[opening:]
        stride = max(1, -(-len(rest) // share)) | 1  # odd, so that alternating phases both come
        picked += states[:opening] + rest[::stride]
        if rest:
            picked.append(rest[-1])
    return picked
