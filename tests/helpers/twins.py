"""Planners beside their native twins: random positions, parameters and budgets."""

from __future__ import annotations

import typing
from dataclasses import fields
from functools import cache

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BadParameter
from ludex.core.parameters import choices_of, hints_of
from ludex.core.twin import TwinPlanner, native_rules
from ludex.models.believed.believed import Believed

WORLDS = (
    "connect_four",
    "catan[view=open]",
    "catan",
    "catan[trades=none,seats=2]",
    "hearthstone",
    "hearthstone[actions=staged,mulligan=true]",
    "vgdl/aliens",
    "vgdl/sokoban",
    "vgdl/butterflies",
    "vgdl/zelda",
    "vgdl/lander",
    "vgdl/two_thieves",
    "vgdl/tank_duel",
)
"""native worlds of every kind: one seat to four, in turn and at once, hidden and open"""

NUMBERS = {
    "exploration": (0.0, 0.5, 1.4142135623730951, 3.0),
    "temperature": (1.0, 0.5, 7.0),
    "root_share": (0.0, 0.2, 1.0),
    "rollout_depth": (1, 5, 40),
    "rollout_length": (1, 3),
    "rollouts": (0, 1, 3),
    "score_scale": (10.0, 0.5),
    "max_depth": (1, 3, 1000),
    "max_nodes": (2, 12, 250_000),
    "widening": (0.0, 0.5, 1.0),
    "determinisations": (1, 3),
    "epsilon": (0.0, 0.3),
    "taboo_steps": (0, 3, 15),
    "taboo_penalty": (0.0, 0.1, 2.0),
    "population": (1, 2, 5, 10),
    "length": (1, 4, 10),
    "elite": (0, 1),
    "tournament": (1, 2, 5),
    "mutation_rate": (0.0, 0.1, 1.0),
    "mutants": (1, 5, 50),
    "discount": (1.0, 0.9),
    "revisit_penalty": (0.0, 0.1),
    "weight": (0.0, 1.0, 3.0),
    "width": (1, 2),
    "least_width": (1, 2),
}
"""what numeric parameters are drawn from; those that are not named keep their defaults"""
WORDS = {
    "rollout": ("uniform", "type_first", "decisive", "none"),
    "prior": ("uniform", "type_first"),
    "ignore": (("tick", "ids", "score"), ("tick",), ()),
}
OWN = {"native", "threads"}


def twin_planners():
    """The names of all planners that have a native twin."""
    return [
        name
        for name in registry.names("planners")
        if issubclass(cls := registry.load("planners", name), TwinPlanner) and vars(cls).get("twin")
    ]


def random_planner(name, rng):
    """Parameters of a planner, each its default or drawn."""
    cls = registry.load("planners", name)
    hints = hints_of(cls)
    for _ in range(100):
        drawn = {}
        for item in fields(cls):
            options = options_of(item.name, hints[item.name])
            if item.name not in OWN and options and rng.below(2):
                drawn[item.name] = options[rng.below(len(options))]
        try:
            return cls(**drawn)
        except BadParameter:  # some exclude each other
            continue
    raise AssertionError(f"no parameters of {name} were found")


def options_of(name, kind):
    if name in WORDS:
        return WORDS[name]
    if name in NUMBERS:
        return NUMBERS[name]
    for one in choices_of(kind):
        if typing.get_origin(one) is typing.Literal:
            return typing.get_args(one)
        if one is bool:
            return (False, True)
    return ()


def random_budget(rng):
    if rng.below(2):
        return Budget(iterations=(1, 2, 7, 40, 120)[rng.below(5)])
    return Budget(model_calls=(1, 2, 3, 30, 400, 1500)[rng.below(6)])


@cache
def world_named(name):
    return registry.world(name)


def position(world, rng):
    """A state some random ticks into a game in which somebody has a choice."""
    model = world.model.metered(Meter())
    while True:
        state = world.start(rng)
        model.settle(state, rng)
        for _ in range(rng.below(60)):
            seats = model.to_act(state)
            if not seats:
                break
            joint = tuple(rng.choice(list(model.legal(state, seat))) for seat in seats)
            state = model.step(state, joint, rng)
            model.settle(state, rng)
        seats = model.to_act(state)
        if seats and len(model.legal(state, seats[0])) > 1:
            return state


def model_for(planner, world, view, budget):
    """The world's model, or a belief where the planner cannot handle hidden facts."""
    model = world.model.metered(Meter())
    if planner.refusal(model.traits) is None:
        return model
    return Believed().make(model, view, budget, Rng(1))


def shown(decision):
    """All of a decision that both forms must agree on."""
    notes = {name: note for name, note in decision.notes.items() if name != "search"}
    return {
        "action": decision.action,
        "visits": dict(decision.visits or {}),
        "values": dict(decision.values or {}),
        "iterations": decision.iterations,
        "calls": decision.model_calls,
        "depth": decision.depth,
        "predicted": str(decision.predicted),
        "notes": notes,
        "thoughts": decision.thoughts() if decision.thoughts else None,
    }


def decisions(planner, world, state, budget, seed, most=3):
    """A few decisions of one mind in a row, with what else happens drawn from the seed."""
    rules = world.model.metered(Meter())
    seat = rules.to_act(state)[0]
    view = rules.view(state, seat)
    model = model_for(planner, world, view, budget)
    mind = planner.start(model, view, budget, Rng(seed).fork("start"))
    made = []
    for number in range(most):
        seats = rules.to_act(state)
        if seat not in seats:
            break
        decision = mind.decide(rules.view(state, seat), budget, Rng(seed).fork("decide", number))
        made.append((decision, shown(decision)))  # thoughts are of now
        dice = Rng(seed).fork("dice", number)
        joint = tuple(
            decision.action if one == seat else dice.choice(list(rules.legal(state, one)))
            for one in seats
        )
        state = rules.step(state, joint, dice)
        rules.settle(state, dice)
    return made


def accepts(planner, world):
    """Whether a planner plays a world, or a belief over it."""
    if planner.refusal(world.traits) is None:
        return True
    state = position(world, Rng(0))
    view = world.model.view(state, world.model.to_act(state)[0])
    model = Believed().make(world.model, view, Budget(iterations=1), Rng(0))
    return planner.refusal(model.traits) is None and native_rules(model) is not None
