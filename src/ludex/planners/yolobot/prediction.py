"""What an action will do, without asking the model; and which actions need not be tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ludex.planners.yolobot.collisions import BLOCKED, NOTHING, Effect
from ludex.planners.yolobot.danger import can_arrive_next
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.movement import faces
from ludex.planners.yolobot.sight import NOWHERE, Cell, Sight, Thing

Heading = Callable[[Any], Cell]


class Prediction(NamedTuple):
    """The avatar's next cell, and what is expected there."""

    cell: Cell
    leaves_board: bool = False
    is_idle: bool = False
    """as if nothing had been done"""
    is_loss: bool = False
    is_risk: bool = False
    """something deadly may come to that cell"""
    is_win: bool = False
    score: float = 0.0
    """points that are expected"""
    gains: Mapping[int, float] = NOTHING
    """expected change of what is carried"""
    avatar_kind: int | None = None
    """what the avatar is expected to become, if it changes"""


def predict(
    knowledge: Knowledge,
    sight: Sight,
    action: Any,
    heading: Cell,
    hunters: Sequence[Thing] = (),
) -> Prediction:
    """Foresee one step from what is known; the unknown is taken to be harmless."""
    here = sight.avatar_cell
    if here == NOWHERE:
        return Prediction(here)
    faced = faces(sight, heading)
    step = knowledge.avatar.step(sight.avatar_kind, action, heading, faced)
    cell = here[0] + step[0], here[1] + step[1]
    if not sight.holds(cell):
        return Prediction(here, leaves_board=True)
    is_risk = cell != here and knowledge.is_deadly_source(sight, cell)
    met = sight.at(cell) if cell != here else ()
    if not met:  # nothing there, as in most cells
        is_risk |= can_arrive_next(knowledge, sight, hunters, cell)
        return Prediction(cell, False, knowledge.avatar.is_lost, False, is_risk)
    is_loss = is_blocked = is_sure = False
    effects: list[Effect] = []
    for one in met:
        effect = knowledge.effect(sight, one.kind)
        if effect is BLOCKED:
            is_blocked = True
            is_sure |= knowledge.surely_blocks(sight, one.kind)
        elif effect is not None:
            effects.append(effect)
            is_loss |= effect.has("lost")
        is_risk |= knowledge.is_deadly_spawner(sight, one.kind)
        exit_cell = knowledge.portals.exit_of(one.kind, sight)
        if exit_cell is not None:
            cell = exit_cell
    if is_blocked:
        cell = here
    # An avatar that looks elsewhere turns, at least. What only often is in the way, such as a
    # box, must still be tried.
    may_turn = sight.avatar_kind in knowledge.avatar.turning and not faced
    is_idle = knowledge.avatar.is_lost or (heading != (0, 0) and is_sure and not may_turn)
    is_risk |= can_arrive_next(knowledge, sight, hunters, cell)
    if is_blocked or not effects:
        return Prediction(cell, False, is_idle, is_loss, is_risk)
    return Prediction(cell, False, is_idle, is_loss, is_risk, **expected(effects))


def expected(effects: Sequence[Effect]) -> dict[str, Any]:
    """What meetings together do besides losing, which comes before winning."""
    gains: dict[int, float] = {}
    for effect in effects:
        for item, gain in effect.gains.items():
            gains[item] = gains.get(item, 0.0) + gain
    lost = any(effect.has("lost") for effect in effects)
    return {
        "is_win": not lost and any(effect.has("won") for effect in effects),
        "score": sum(effect.score for effect in effects),
        "gains": gains,
        "avatar_kind": next((one.becomes for one in effects if one.becomes is not None), None),
    }


def foresee(
    knowledge: Knowledge, sight: Sight, actions: Sequence[Any], heading: Heading
) -> dict[Any, Prediction]:
    """What is expected of all these actions; asked again, the same until more is known."""
    known = (knowledge.extent, actions)
    if sight.foreseen is None or sight.foreseen[0] != known:
        hunters = knowledge.hunters(sight)
        expectations = {
            action: predict(knowledge, sight, action, heading(action), hunters)
            for action in actions
        }
        sight.foreseen = known, expectations
    found: dict[Any, Prediction] = sight.foreseen[1]
    return found


def worth_trying(
    knowledge: Knowledge, sight: Sight, actions: Sequence[Any], heading: Heading, nothing: Any
) -> list[Any]:
    """The actions left when those are dropped that do nothing, lose, or may lose.

    When all of them lose, those that only may are tried, then those that surely do.
    """
    seen = foresee(knowledge, sight, actions, heading)
    safe: list[Any] = []
    risky: list[Any] = []
    deadly: list[Any] = []
    inside: list[Any] = []
    for action in actions:
        one = seen[action]
        if one.leaves_board:
            continue
        inside.append(action)
        if action == nothing or not one.is_idle:
            (deadly if one.is_loss else risky if one.is_risk else safe).append(action)
    return safe or risky or deadly or inside or list(actions)
