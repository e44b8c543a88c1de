"""Rollouts and state evaluation: play on by a policy, then evaluate the last state.

Returns are used as they are when the game ended. When it did not, `value` says what stands in
for them:

- `returns`: what a seat has gained since the search's root in its lead in score (its own score
  with one seat, else its distance to the best other seat), squashed into (-1, 1) by
  gain / (score_scale + |gain|);
- `score`: the bare score of each seat, and of ended games too, there with `END_BONUS` added for
  the winners and taken from the others, as the sample controllers of GVGAI do. The search
  normalises by the least and largest value seen;
- a function: what it returns for the state and a seat, whether the game ended or not. What an end
  is worth is its own business. The search normalises this, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from ludex.core.capabilities import HasRolloutModel, able
from ludex.core.errors import did_you_mean
from ludex.core.model import Action, ChooseFunction, Model, Policy
from ludex.core.named_policy import OF_ALL_MODELS, named_policy
from ludex.core.own_part import checked_number
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.state import State
from ludex.core.traits import Traits
from ludex.core.twin import native_rules

RolloutPolicy: TypeAlias = str | ChooseFunction
ValueName: TypeAlias = Literal["returns", "score"]


class ValueFunction(Protocol):
    """What a state is worth for a seat: any finite number, more is better.

    It is asked for states in which the game goes on and for ended ones; `model.outcome(state)`
    tells which, and who won.
    """

    def __call__(self, model: Model, state: Any, seat: int, /) -> float: ...


Value: TypeAlias = ValueName | ValueFunction

END_BONUS = 1e7  # the HUGE_POSITIVE of GVGAI's sampleMCTS


def decisive(model: Model, state: State, seat: int, rng: Rng) -> Action:
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


OWN_POLICIES: dict[str, Policy] = {
    "decisive": decisive,
    "none": "uniform",  # for no ticks at all
}


def policy_refusal(policy: RolloutPolicy, traits: Traits, what: str = "rollout") -> str | None:
    """Say why a model with these traits cannot play a policy, or None when it can."""
    if not isinstance(policy, str) or "/" in policy:
        return None  # seen when it is looked up
    known = [*OF_ALL_MODELS, *(OWN_POLICIES if what == "rollout" else ()), *traits.policies]
    if policy in known:
        return None
    hint = did_you_mean(policy, known) or f"; it knows {', '.join(known)}"
    return f"cannot use {what}={policy}: this model has no policy of that name{hint}"


def own_value(function: ValueFunction, model: Model, state: State, seat: int) -> float:
    """What a function says that a state is worth; BrokenAgent unless that is a finite number."""
    return checked_number(function, function(model, state, seat))


class Rollouts:
    """Plays on below the tree, by a policy, in the model that is meant for it."""

    def __init__(self, policy: RolloutPolicy, depth: int | None, model: Model) -> None:
        other = able(model, HasRolloutModel)
        self.model: Model = model if other is None else other.rollout_model()
        own = OWN_POLICIES.get(policy) if isinstance(policy, str) else None
        self.policy = named_policy(policy, self.model) if own is None else own
        usual = model.traits.longest_playout
        self.limit = 0 if policy == "none" else usual if depth is None else depth

    def native_parts(self, policy: RolloutPolicy) -> dict[str, Any]:
        """What a native search is told: the model, the policy and the ticks of rollouts."""
        own = isinstance(policy, str) and policy in OWN_POLICIES
        return {
            "rollouts": native_rules(self.model),
            "policy": policy if own else self.policy,
            "depth": self.limit,
        }

    def play(self, state: State, rng: Rng, limit: int | None = None) -> Rollout:
        """Play on from a copy of a state, for so many ticks or the usual number."""
        return self.model.rollout(state, self.policy, self.limit if limit is None else limit, rng)


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


class Evaluator:
    """Evaluates results and states for each player, relative to the root state.

    The lead of an unfinished game is its change since then: a point counts as much late in a
    game of high scores as early. Where facts are hidden, every imagined state is a beginning of
    its own.
    """

    def __init__(self, model: Model, root: Any, value: Value, score_scale: float) -> None:
        self.model = model
        self.value = value
        self.function = None if isinstance(value, str) else value
        self.scale = score_scale
        self.bases = leads([model.score(root, seat) for seat in range(model.traits.seats)])

    @property
    def point(self) -> float:
        """The value of the first point of score; what counts as one with a value of one's own."""
        return squash(1.0, self.scale) if self.value == "returns" else 1.0

    def of_result(self, result: Rollout) -> Sequence[float]:
        """The worth of the end of a rollout for every seat."""
        if self.function is not None:
            return self.own_values(result.state)
        if self.value == "score":
            return self.score_of(result)
        if result.returns is not None:
            return result.returns
        pairs = zip(leads(result.scores), self.bases, strict=True)
        return [squash(lead - base, self.scale) for lead, base in pairs]

    def score_of(self, result: Rollout) -> Sequence[float]:
        """The bare scores, with the bonus of the end."""
        outcome = self.model.outcome(result.state) if result.returns is not None else None
        if outcome is None:
            return result.scores
        return [
            score + (END_BONUS if seat in outcome.winners else -END_BONUS)
            for seat, score in enumerate(result.scores)
        ]

    def own_values(self, state: State) -> Sequence[float]:
        """What the function says of a state, for every seat."""
        return [self.own_value(state, seat) for seat in range(len(self.bases))]

    def own_value(self, state: State, seat: int) -> float:
        assert self.function is not None
        return own_value(self.function, self.model, state, seat)

    def of_state(self, state: State, ticks: int = 0) -> Sequence[float]:
        """The worth of a state for every seat, so many ticks after the beginning."""
        if self.function is not None:
            return self.own_values(state)
        outcome = self.model.outcome(state)
        scores = tuple(self.model.score(state, seat) for seat in range(len(self.bases)))
        return self.of_result(Rollout(state, ticks, scores, outcome.returns if outcome else None))

    def of_results_for(self, seat: int) -> Callable[[Rollout], float]:
        """`of_result` for one seat, quicker where it plays alone."""
        if self.function is not None:
            return lambda result: self.own_value(result.state, seat)
        if self.value == "score" or len(self.bases) > 1:
            return lambda result: self.of_result(result)[seat]
        base, scale = self.bases[0], self.scale

        def alone(result: Rollout) -> float:
            returns = result.returns
            if returns is not None:
                return returns[0]
            lead = result.scores[0] - base
            return lead / (scale + abs(lead))

        return alone

    def of_states_for(self, seat: int) -> Callable[[Any], float]:
        """`of_state` for one seat, quicker where it plays alone."""
        if self.function is not None:
            return lambda state: self.own_value(state, seat)
        if self.value == "score" or len(self.bases) > 1:
            return lambda state: self.of_state(state)[seat]
        base, scale = self.bases[0], self.scale
        over, score = self.model.over, self.model.score

        def alone(state: State) -> float:
            if over(state):
                return self.of_state(state)[0]
            lead = score(state, 0) - base
            return lead / (scale + abs(lead))

        return alone
