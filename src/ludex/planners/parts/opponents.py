"""What a search that plans for one seat expects of the others, by name.

- `random`: any legal action, each as likely;
- `same`: others look for their own good as we do for ours;
- `pessimistic`: others look for our harm.

Searches that keep statistics or populations of the others' actions grow them by these aims.
The others ask the policies below, which look one step ahead; each try is a model call.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from ludex.core.fallback import choose_uniform
from ludex.core.model import Action, ChooseFunction, Model
from ludex.core.rng import Rng
from ludex.planners.parts.rollout import ValueName, value_of_state

OpponentName: TypeAlias = Literal["random", "same", "pessimistic"]

LONGEST_WAIT = 1000  # ticks of others in a row, after which a state is taken as it is


def opponent(name: OpponentName, own_seat: int, value: ValueName, scale: float) -> ChooseFunction:
    """Return the policy of the other seats for a search that keeps nothing about them."""
    if name == "random":
        return choose_uniform

    def choose(model: Model, state: Any, seat: int, rng: Rng) -> Action:
        """Take the best of one step for the aim; where several act at once the rest are drawn."""
        seats = model.to_act(state)
        place = seats.index(seat)
        joint = [choose_uniform(model, state, one, rng) for one in seats]
        aim, sign = (seat, 1.0) if name == "same" else (own_seat, -1.0)
        actions = list(model.legal(state, seat))
        rng.shuffle(actions)  # equals have no favourite
        found: list[float] = []
        for action in actions if len(actions) > 1 else ():
            joint[place] = action
            after = model.step(state, tuple(joint), rng)
            model.settle(after, rng)
            found.append(sign * value_of_state(model, after, value, scale)[aim])
        return actions[found.index(max(found)) if found else 0]

    return choose


def act(
    model: Model, state: Any, seat: int, action: Action, others: ChooseFunction, rng: Rng
) -> None:
    """Play an action in place, and let the others play until this seat acts again."""
    seats = model.to_act(state)
    for _ in range(LONGEST_WAIT):
        joint = [action if one == seat else others(model, state, one, rng) for one in seats]
        model.advance(state, tuple(joint), rng)
        model.settle(state, rng)
        seats = model.to_act(state)
        if seat in seats or not seats:
            return
