"""What the other seats play in a game that is shown as a game of one seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from ludex.core.capabilities import ExplainsEvents, able
from ludex.core.event import Event
from ludex.core.model import Action, Model
from ludex.core.rng import Rng

OpponentModelName: TypeAlias = Literal["nothing", "last", "mirror", "random"]
Reply: TypeAlias = Callable[[Model, Any, int, Action, Mapping[int, Action], Rng], Action]
"""The action of another seat: of the rules, a state, the seat, our action in the same tick (None
where we do not act), the last action that each seat was seen to take, and the dice."""


def nothing(
    model: Model, state: Any, seat: int, ours: Action, last: Mapping[int, Action], rng: Rng
) -> Action:
    """The default action, such as NIL."""
    return model.default_action(state, seat)


def repeat(
    model: Model, state: Any, seat: int, ours: Action, last: Mapping[int, Action], rng: Rng
) -> Action:
    """What the seat was last seen to do; nothing where that is not legal or not known."""
    return legal_or_nothing(model, state, seat, last.get(seat))


def mirror(
    model: Model, state: Any, seat: int, ours: Action, last: Mapping[int, Action], rng: Rng
) -> Action:
    """The same action as ours; nothing where that is not legal."""
    return legal_or_nothing(model, state, seat, ours)


def draw(
    model: Model, state: Any, seat: int, ours: Action, last: Mapping[int, Action], rng: Rng
) -> Action:
    """Any legal action."""
    legal = model.legal(state, seat)
    return legal[rng.below(len(legal))]


def legal_or_nothing(model: Model, state: Any, seat: int, action: Action) -> Action:
    if action is not None and action in model.legal(state, seat):
        return action
    return model.default_action(state, seat)


REPLIES: dict[OpponentModelName, Reply] = {
    "nothing": nothing,
    "last": repeat,
    "mirror": mirror,
    "random": draw,
}


def action_told(model: Model, event: Event) -> Action | None:
    """The action that an event tells of, where it tells of one alone; else None."""
    explaining = able(model, ExplainsEvents)
    if explaining is not None:
        behind = explaining.actions_behind(event)
        return behind[0] if behind is not None and len(behind) == 1 else None
    is_plain = not (model.traits.events or model.traits.hidden)  # told by whoever runs the game
    return event.detail if is_plain and event.kind == "move" else None
