"""Listed chance: outcomes are drawn with the probabilities that are listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from scipy.special import chdtrc

from ludex.core.model import Model
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.world import World
from ludex.testing.failure import fail, shown
from ludex.testing.snapshot import pickled
from ludex.testing.walk import is_the_worlds_own, positions, walk

DRAWS = 2000
FALSE_ALARMS = 1e-6
"""the probability that a correct `settle` fails one comparison; seeds are fixed, so a world
that passes once passes always"""
MOST_LISTS = 4  # unlike lists of outcomes that are compared by drawing
LEAST_EXPECTED = 5.0  # draws in a cell of the chi-square test; smaller ones are pooled

Listed = Sequence[tuple[Hashable, float]]


def afterstates(world: World, model: Model) -> list[Any]:
    """States with pending chance among the positions, or, where chance is rare, in one walk."""
    found = [state for state in positions(world, model) if model.chance(state)]
    if found or not is_the_worlds_own(world, model):
        return found
    return [state for state in walk(world) if model.chance(state)]


def check_listed_chance_is_a_distribution(world: World, model: Model) -> None:
    """Outcomes are listed once each, with positive probabilities that sum to 1."""
    model = model.metered(Meter())
    pending = afterstates(world, model)
    if pending and not model.traits.listed_chance:
        fail(f"{shown(pending[0])} lists chance, but traits.chance is {model.traits.chance!r}")
    if model.traits.listed_chance and not pending and is_the_worlds_own(world, model):
        fail(f"traits.chance is {model.traits.chance!r}, but no state of the walks lists chance")
    for state in pending:
        listed = model.chance(state)
        outcomes = [outcome for outcome, _ in listed]
        if len(set(outcomes)) != len(outcomes):
            fail(f"chance({shown(state)}) lists an outcome twice: {outcomes!r}")
        if any(probability <= 0 for _, probability in listed):
            fail(f"chance({shown(state)}) lists a probability that is not positive")
        total = sum(probability for _, probability in listed)
        if abs(total - 1) > 1e-9:
            fail(f"the probabilities of chance({shown(state)}) sum to {total!r}, not to 1")


def check_resolve_is_pure(world: World, model: Model) -> None:
    """`resolve` leaves its state alone and gives the same for the same outcome, for free."""
    meter = Meter()
    model = model.metered(meter)
    for state in afterstates(world, model):
        before = pickled(state)
        meter.arm()
        for outcome, _ in model.chance(state):
            first, second = model.resolve(state, outcome), model.resolve(state, outcome)
            if pickled(state) != before:
                fail(f"resolve changed the state it was given, now {shown(state)}")
            if first is state or first != second:
                fail(f"resolving {outcome!r} twice in {shown(state)} gave unlike states")
        if meter.calls:
            fail(f"resolving outcomes of {shown(state)} cost {meter.calls} calls; it is free")


def check_settle_draws_what_is_listed(world: World, model: Model) -> None:
    """Settling draws each listed outcome as often as listed, and leads where resolve leads."""
    model = model.metered(Meter())
    compared: list[Any] = []
    for state in afterstates(world, model):
        listed = list(model.chance(state))
        settle_as_resolved(model, state)
        if listed not in compared and len(compared) < MOST_LISTS:
            compared.append(listed)
            compare_draws(model, state, listed)


def settle_as_resolved(model: Model[StateT], state: StateT) -> None:
    for seed in range(5):
        settled = state.copy()
        drawn = model.settle(settled, Rng(seed))
        resolved = state
        for outcome in drawn:
            if outcome not in [one for one, _ in model.chance(resolved)]:
                fail(f"settle drew {outcome!r} in {shown(resolved)}, where it is not listed")
            resolved = model.resolve(resolved, outcome)
        if settled != resolved:
            fail(
                f"settle drew {drawn!r} in {shown(state)} and led to {shown(settled)}; resolve "
                f"leads to {shown(resolved)}"
            )
        if model.chance(settled):
            fail(f"chance is still pending in {shown(settled)} after settle")


def compare_draws(model: Model[StateT], state: StateT, listed: Listed) -> None:
    """A chi-square test of the first outcome that settle draws."""
    drawn: Counter[Hashable] = Counter()
    for seed in range(DRAWS):
        drawn[model.settle(state.copy(), Rng(seed).fork("settle"))[0]] += 1
    expected, found = pooled(listed, drawn)
    if len(expected) < 2:
        return
    statistic = sum((f - e) ** 2 / e for e, f in zip(expected, found, strict=True))
    if chdtrc(len(expected) - 1, statistic) < FALSE_ALARMS:
        fail(
            f"settle does not draw what chance lists in {shown(state)}: of {DRAWS} draws "
            f"{dict(drawn)!r}, listed {dict(listed)!r}"
        )


def pooled(listed: Listed, drawn: Counter[Hashable]) -> tuple[list[float], list[float]]:
    """Expected and found counts, with rare outcomes in one cell."""
    expected, found, rare, rare_found = [], [], 0.0, 0.0
    for outcome, probability in listed:
        if probability * DRAWS >= LEAST_EXPECTED:
            expected.append(probability * DRAWS)
            found.append(float(drawn[outcome]))
        else:
            rare += probability * DRAWS
            rare_found += drawn[outcome]
    if rare >= LEAST_EXPECTED:
        expected.append(rare)
        found.append(rare_found)
    return expected, found


CHANCE_CHECKS = [
    check_listed_chance_is_a_distribution,
    check_resolve_is_pure,
    check_settle_draws_what_is_listed,
]
