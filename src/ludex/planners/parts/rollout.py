"""How the end of a tree is judged: playing on by a policy, then valuing where it led.

Returns are used as they are when the game ended. When it did not, `value` says what stands in
for them:

- `returns`: the lead of a seat in score (its own score with one seat, else its distance to the
  best other seat), squashed into (-1, 1) by lead / (score_scale + |lead|);
- `score`: the bare score of each seat, and of ended games too, there with `END_BONUS` added for
  the winners and taken from the others, as the sample controllers of GVGAI do. The search
  normalises by the least and largest value seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from ludex.core._native import Rollout
from ludex.core.model import Action, Model, Policy
from ludex.core.rng import Rng

RolloutName: TypeAlias = Literal["uniform", "type_first", "decisive", "none"]
ValueName: TypeAlias = Literal["returns", "score"]
Estimate: TypeAlias = Callable[[Rollout], Sequence[float]]

END_BONUS = 1e7  # the HUGE_POSITIVE of GVGAI's sampleMCTS


def decisive(model: Model, state: Any, seat: int, rng: Rng) -> Action:
    """Play a move that wins at once where there is one, else any (Teytaud and Teytaud 2010).

    Each try is a model call. With several seats to act at once there is no such move.
    """
    legal = model.legal(state, seat)
    if len(model.to_act(state)) == 1:
        for action in legal:
            outcome = model.outcome(model.step(state, (action,), rng))
            if outcome is not None and seat in outcome.winners:
                return action
    return legal[rng.below(len(legal))]


POLICIES: dict[RolloutName, Policy] = {
    "uniform": "uniform",
    "type_first": "type_first",
    "decisive": decisive,
    "none": "uniform",  # for no ticks at all
}


def squash(lead: float, scale: float) -> float:
    """Map any lead into (-1, 1), keeping order and sign; half of it at `scale`.

    >>> squash(10.0, 10.0), squash(-30.0, 10.0)
    (0.5, -0.75)
    """
    return lead / (scale + abs(lead))


def leads(scores: Sequence[float]) -> list[float]:
    """How far each seat is ahead of the best other one; the score itself with one seat.

    >>> leads((3.0, 5.0, 4.0))
    [-2.0, 1.0, -1.0]
    """
    if len(scores) == 1:
        return list(scores)
    first, second = sorted(scores, reverse=True)[:2]
    return [own - (second if own == first else first) for own in scores]


def estimator(model: Model, value: ValueName, score_scale: float) -> Estimate:
    """Return the function that values the end of a rollout for every seat."""
    alone = model.traits.seats == 1

    def by_returns(result: Rollout) -> Sequence[float]:
        returns = result.returns
        if returns is not None:
            return returns
        if alone:
            return (squash(result.scores[0], score_scale),)
        return [squash(lead, score_scale) for lead in leads(result.scores)]

    def by_score(result: Rollout) -> Sequence[float]:
        outcome = model.outcome(result.state) if result.returns is not None else None
        if outcome is None:
            return result.scores
        return [
            score + (END_BONUS if seat in outcome.winners else -END_BONUS)
            for seat, score in enumerate(result.scores)
        ]

    return by_returns if value == "returns" else by_score


def value_of_state(model: Model, state: Any, value: ValueName, score_scale: float) -> list[float]:
    """Value a state as the end of a rollout is valued, without playing on."""
    outcome = model.outcome(state)
    scores = tuple(model.score(state, seat) for seat in range(model.traits.seats))
    returns = outcome.returns if outcome else None
    return list(estimator(model, value, score_scale)(Rollout(state, 0, scores, returns)))
