"""Predicts the effect of an action without the model, and prunes actions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ludex.planners.yolobot.collisions import BLOCKED, NOTHING, Effect
from ludex.planners.yolobot.danger import can_arrive_next
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.movement import faces
from ludex.planners.yolobot.sight import NOWHERE, Cell, SeenObject, Sight

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
    hunters: Sequence[SeenObject] = (),
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
        exit_cell = knowledge.portals.exit_of(one.kind)
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
    return Prediction(cell, False, is_idle, is_loss, is_risk, **combined(effects))


def combined(effects: Sequence[Effect]) -> dict[str, Any]:
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


@dataclass(slots=True)
class Outlook:
    """What is expected of some actions, and which are worth trying once that was asked."""

    expected: dict[Any, Prediction]
    worth: list[Any] | None = None


def foresee(
    knowledge: Knowledge, sight: Sight, actions: tuple[Any, ...], heading: Heading
) -> Outlook:
    """What is expected here; the same as in every other state in which it rests on the same."""
    asked = knowledge.extent, actions
    if sight.foreseen is not None and sight.foreseen[0] == asked:
        known: Outlook = sight.foreseen[1]
        return known
    question = actions, situation(knowledge, sight)
    found: Outlook | None = knowledge.answers.get(question)
    if found is None:
        hunters = hunters_at_hand(knowledge, sight)
        found = Outlook(
            {one: predict(knowledge, sight, one, heading(one), hunters) for one in actions}
        )
        if not leads_away(found, sight.avatar_cell, knowledge.avatar.longest):
            knowledge.keep(question, found)
    sight.foreseen = asked, found
    return found


def situation(knowledge: Knowledge, sight: Sight) -> Hashable:
    """All of a state that expectations rest on, as a key: the avatar and what is around it.

    That is as far as the avatar steps, and from there as far as a killer does.
    """
    hunting = knowledge.hunting(sight)
    x, y = sight.avatar_cell
    reach = knowledge.avatar.longest + hunting.reach
    around = sight.objects.around(x, y, reach)
    avatar = sight.avatar_kind, x, y, sight.facing, sight.carried
    if not hunting.pausing:
        return avatar, around
    moving = [
        knowledge.objects.wait(number, kind, sight.tick) == 1
        for number, kind, _, (column, row) in sight.objects.of_types(hunting.pausing)
        if abs(column - x) <= reach and abs(row - y) <= reach
    ]
    return avatar, around, tuple(moving)


def hunters_at_hand(knowledge: Knowledge, sight: Sight) -> list[SeenObject]:
    """The killers that can matter for the next step: near ones, or all if it can lead far away."""
    hunters = knowledge.hunters(sight)
    if knowledge.portals.arrivals:
        return hunters
    x, y = sight.avatar_cell
    reach = knowledge.avatar.longest + knowledge.hunting(sight).reach
    return [one for one in hunters if max(abs(one.cell[0] - x), abs(one.cell[1] - y)) <= reach]


def leads_away(outlook: Outlook, here: Cell, longest: int) -> bool:
    """Whether an action leads farther than the avatar steps, as portals do."""
    return any(
        abs(one.cell[0] - here[0]) > longest or abs(one.cell[1] - here[1]) > longest
        for one in outlook.expected.values()
    )


def worth_trying(
    knowledge: Knowledge, sight: Sight, actions: tuple[Any, ...], heading: Heading, nothing: Any
) -> list[Any]:
    """The actions left when those are dropped that do nothing, lose, or may lose.

    When all of them lose, those that only may are tried, then those that surely do.
    """
    outlook = foresee(knowledge, sight, actions, heading)
    if outlook.worth is None:
        outlook.worth = pruned(outlook.expected, nothing)
    return outlook.worth


def pruned(expected: Mapping[Any, Prediction], nothing: Any) -> list[Any]:
    """Those of some actions that are worth trying."""
    safe: list[Any] = []
    risky: list[Any] = []
    deadly: list[Any] = []
    inside: list[Any] = []
    for action, one in expected.items():
        if one.leaves_board:
            continue
        inside.append(action)
        if action == nothing or not one.is_idle:
            (deadly if one.is_loss else risky if one.is_risk else safe).append(action)
    return safe or risky or deadly or inside or list(expected)
