"""The table of docs/planners/which_plays_what.md, from what the planners themselves refuse."""

from __future__ import annotations

from functools import cache

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import Unsupported

WORLDS = {
    "one seat": ("vgdl/missilecommand", "true"),
    "two seats at once": ("vgdl/tank_duel", "true"),
    "two seats in turns": ("connect_four", "true"),
    "chance in turns": ("pig", "true"),
    "hidden": ("kuhn_poker", "true"),
    "hidden, believed": ("kuhn_poker", "believed"),
    "learned tiles": ("sokoban", "local"),
    "learned objects": ("vgdl/missilecommand", "object_based"),
    "two seats, learned": ("vgdl/tank_duel", "object_based"),
}
"""columns of the table: a game that stands for others like it, and the model"""
FEW = {"local": {"steps": 20}, "object_based": {"steps": 20}}


@cache
def model_of(column):
    world, name = WORLDS[column]
    made = registry.world(world)
    rules, state = made.model.metered(Meter()), made.start(Rng(0))
    rules.settle(state, Rng(0))
    view = rules.view(state, rules.to_act(state)[0])
    if name == "true":
        return rules
    part = registry.load("models", name)(**FEW.get(name, {}))
    return part.make(rules, view, Budget(iterations=1), Rng(0))


def plays(planner, column):
    try:
        registry.load("planners", planner)().check_model(model_of(column))
    except Unsupported:
        return False
    return True


def table():
    lines = ["| planner | " + " | ".join(WORLDS) + " |", "|---" * (len(WORLDS) + 1) + "|"]
    for name in registry.names("planners"):
        cells = ["yes" if plays(name, column) else "-" for column in WORLDS]
        lines.append(f"| [`{name}`]({name}.md) | " + " | ".join(cells) + " |")
    return "\n".join(lines)
