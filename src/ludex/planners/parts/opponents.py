"""Opponent models of a search that plans for one player, by name.

- `random`: any legal action, each as likely;
- `same`: others look for their own good as we do for ours;
- `pessimistic`: others look for our harm.

Searches that keep statistics or populations of the others' actions grow them by these aims.
The others ask the policies below, which look one step ahead; each try is a model call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ludex.core.fallback import choose_uniform
from ludex.core.model import Action, ChooseFunction, Model
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.planners.parts.rollout import Evaluator

OpponentName: TypeAlias = Literal["random", "same", "pessimistic"]

LONGEST_WAIT = 1000  # ticks of others in a row, after which a state is taken as it is


class Opponents:
    """The policy of all other seats, for a search that keeps nothing about them."""

    def __init__(self, name: OpponentName, own_seat: int, evaluator: Evaluator) -> None:
        self.name = name
        self.own_seat = own_seat
        self.evaluator = evaluator

    def __call__(
        self, model: Model, state: State, seat: int, rng: Rng, ours: Action | None = None
    ) -> Action:
        """Choose for a seat; `ours` is our action where we act at once, which a pessimist fears
        to be known. Other actions of the same tick are drawn.
        """
        actions = list(model.legal(state, seat))
        if self.name == "random" or len(actions) == 1:
            return actions[rng.below(len(actions))]
        seats = model.to_act(state)
        joint = [choose_uniform(model, state, one, rng) for one in seats]
        aim, sign = seat, 1.0
        if self.name == "pessimistic":
            aim, sign = self.own_seat, -1.0
            if ours is not None:
                joint[seats.index(self.own_seat)] = ours
        rng.shuffle(actions)  # equals have no favourite
        found: list[float] = []
        for action in actions:
            joint[seats.index(seat)] = action
            after = model.step(state, tuple(joint), rng)
            model.settle(after, rng)
            found.append(sign * self.evaluator.of_state(after)[aim])
        return actions[found.index(max(found))]


@dataclass(frozen=True, slots=True)
class AgainstRandom:
    """A rollout policy: ours for our seat, any legal action for the others."""

    seat: int
    ours: ChooseFunction

    def __call__(self, model: Any, state: Any, seat: int, rng: Rng) -> Action:
        choose = self.ours if seat == self.seat else choose_uniform
        return choose(model, state, seat, rng)


def act(
    model: Model,
    state: State,
    seat: int,
    action: Action,
    others: Opponents,
    rng: Rng,
    ticked: Callable[[State], None] | None = None,
) -> None:
    """Play an action in place, and let the others play until this seat acts again.

    `ticked` is called after every tick.
    """
    for _ in range(LONGEST_WAIT):
        seats = model.to_act(state)
        known = action if seat in seats else None
        joint = [action if one == seat else others(model, state, one, rng, known) for one in seats]
        model.advance(state, tuple(joint), rng)
        model.settle(state, rng)
        if ticked is not None:
            ticked(state)
        seats = model.to_act(state)
        if seat in seats or not seats:
            return
