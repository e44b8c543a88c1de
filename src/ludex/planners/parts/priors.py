"""Priors of tree search: how likely a policy is to take each action.

A prior is named like a rollout policy: its probabilities are the priors. A function of one's own
gets batches: it is called with the model, states, seats and legal actions of several nodes at once,
and returns a list of numbers for each, which are normalised. The native search hands nodes to it
through a queue and goes on with equal priors until the answer is in; in Python a node has its
priors at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import isfinite
from operator import add
from typing import Any, Protocol, TypeAlias

from ludex.core.capabilities import RatesActions, able
from ludex.core.errors import BadParameter, BrokenAgent, Unsupported, in_short
from ludex.core.model import Action, Model
from ludex.core.named_policy import named_policy
from ludex.core.own_part import called_by
from ludex.core.policy import NativePolicy
from ludex.core.state import State


class PriorFunction(Protocol):
    """How likely the seats to act are to take each action, for several states at once.

    It returns a list of numbers >= 0 for each state, one for each of its actions.
    """

    def __call__(
        self,
        model: Model,
        states: Sequence[Any],
        seats: Sequence[int],
        actions: Sequence[Sequence[Action]],
        /,
    ) -> Sequence[Sequence[float]]: ...


Prior: TypeAlias = str | PriorFunction


class Priors:
    """The prior probabilities of actions, brought to a temperature."""

    def __init__(self, prior: Prior, temperature: float, model: Model) -> None:
        self.model = model
        self.temperature = temperature
        self.policy: Any = None
        self.function: PriorFunction | None = None
        if isinstance(prior, str | NativePolicy):
            self.policy = named_policy(prior, model)
        else:
            self.function = prior

    def of(self, state: State, seat: int, legal: Sequence[Action]) -> list[float]:
        """The priors of the legal actions; they add up to 1."""
        if self.function is not None:
            found = answers(self.function, self.model, [state], [seat], [legal])[0]
            weights = checked(found, len(legal))
        else:
            weights = self.of_policy(state, seat, legal)
        return tempered(weights, self.temperature)

    def of_policy(self, state: State, seat: int, legal: Sequence[Action]) -> list[float]:
        policy = self.policy
        if policy == "uniform":
            return [1.0] * len(legal)
        if policy == "type_first":
            return by_type(self.model, legal)
        if isinstance(policy, NativePolicy):
            return list(policy.weights_of(self.model, state, seat, legal))
        rates = able(self.model, RatesActions)
        if rates is None:
            raise Unsupported(
                f"prior={policy} needs a model that says how likely its policies are to take "
                "each action; use prior=type_first"
            )
        return list(rates.probabilities(state, seat, policy))


def by_type(model: Model, legal: Sequence[Action]) -> list[float]:
    """All types of action as likely, and within a type all actions."""
    kinds = [model.action_type(action) for action in legal]
    sizes = {kind: kinds.count(kind) for kind in kinds}
    return [1.0 / sizes[kind] for kind in kinds]


def answers(
    function: PriorFunction,
    model: Model,
    states: Sequence[Any],
    seats: Sequence[int],
    actions: Sequence[Sequence[Action]],
) -> list[list[float]]:
    """Ask a function about several nodes; BrokenAgent when it does not answer with lists."""
    found = function(model, states, seats, actions)
    try:
        rows = [list(row) for row in found]
    except TypeError:
        rows = []
    if len(rows) != len(states):
        raise BrokenAgent(
            f"{called_by(function)} must return a list of numbers for each of {len(states)} "
            f"states, got {in_short(found)}"
        )
    return rows


def checked(found: list[float], count: int) -> list[float]:
    """What a function returned; numbers that make no sense leave the priors equal."""
    if len(found) != count:
        raise BadParameter(f"a prior gives a number for each of {count} actions, got {len(found)}")
    good = all(isfinite(number) and number >= 0.0 for number in found) and sum(found) > 0.0
    return [float(number) for number in found] if good else [1.0] * count


def tempered(weights: Sequence[float], temperature: float) -> list[float]:
    """Raise to the power 1 / temperature and normalise.

    >>> tempered([4.0, 1.0], 1.0), tempered([4.0, 1.0], 2.0)
    ([0.8, 0.2], [0.6666666666666666, 0.3333333333333333])
    """
    if temperature != 1.0:
        total = added(weights)
        weights = [(weight / total) ** (1.0 / temperature) for weight in weights]
    total = added(weights)
    if not total > 0.0:
        return [1.0 / len(weights)] * len(weights)
    return [weight / total for weight in weights]


def added(numbers: Sequence[float]) -> float:
    """The sum, added one by one as native code does; `sum` of newer Pythons rounds less."""
    return reduce(add, numbers, 0.0)
