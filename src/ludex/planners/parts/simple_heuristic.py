"""The heuristic of GVGAI's sample one-step agent, as a value of states (`value=gvgai_simple`)."""

from __future__ import annotations

from typing import Any

from ludex.core.model import Model
from ludex.core.objects import Category

WIN = 1e9
LOSS = -1e9
NPC = 100.0  # what each character that is left costs
NPC_DISTANCE = 0.01  # what the square of the distance to the nearest costs
PORTAL_DISTANCE = 10.0  # the same of the nearest portal


def gvgai_simple(model: Model, state: Any, seat: int) -> float:
    """The score, less what is left to do; a win and a loss count more than all of it.

    Where there is a portal it is what there is to do, and the value falls with the square of the
    distance to the nearest one. Else it falls with the number of NPCs and the square of the
    distance to the nearest. Distances are those between the upper left corners, in pixels.
    """
    outcome = model.outcome(state)
    if outcome is not None and seat not in outcome.winners:
        return LOSS
    value = model.score(state, seat) + (0.0 if outcome is None else WIN)
    view: Any = model.view(state, seat)
    portals = squares(view, Category.PORTAL)
    if portals:
        return value - PORTAL_DISTANCE * min(portals)
    characters = squares(view, Category.NPC)
    if characters:
        value -= NPC * len(characters) + NPC_DISTANCE * min(characters)
    return value


def squares(view: Any, category: Category) -> list[int]:
    """The squared distance from the avatar to each object of a category, in pixels."""
    rows = view.rows
    column, row = view.avatar.position
    found = rows[rows["category"] == category]
    return [
        (x - column) ** 2 + (y - row) ** 2
        for x, y in zip(found["x"].tolist(), found["y"].tolist(), strict=True)
    ]
