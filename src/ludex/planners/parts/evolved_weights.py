"""Weights of a rollout policy, evolved online with one mutant per rollout."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from math import cos, exp, inf, log, pi, sqrt
from typing import Any, Protocol, TypeAlias

from ludex.core.errors import BrokenAgent, in_short
from ludex.core.model import Action, Model
from ludex.core.own_part import called_by, checked_number
from ludex.core.policy import Distances
from ludex.core.rng import Rng

Weights: TypeAlias = dict[tuple[Action, Any], float]
"""by action and feature"""
Features: TypeAlias = Mapping[Hashable, float]


class FeatureFunction(Protocol):
    """What a rollout policy sees of a state: numbers by name, such as `{"food": 0.2}`.

    Which names there are may differ from state to state. About 0 to 1 is a good size, as the
    weights change by steps of one.
    """

    def __call__(self, model: Model, state: Any, seat: int, /) -> Features: ...


def checked_features(function: Any, found: Any) -> dict[Hashable, float]:
    """What a function returned, if those are numbers by name; else BrokenAgent."""
    if not isinstance(found, Mapping):
        told = f"must return numbers by name, as in {{'food': 0.2}}, got {in_short(found)}"
        raise BrokenAgent(f"{called_by(function)} {told}")
    return {name: checked_number(function, number) for name, number in found.items()}


def gaussian(rng: Rng) -> float:
    """Draw from the normal distribution (Box and Muller)."""
    return sqrt(-2.0 * log(1.0 - rng.uniform())) * cos(2.0 * pi * rng.uniform())


class FeaturePolicy:
    """Softmax over weights times features: `ludex.core.Distances`, for features of any kind.

    An action's energy is the sum over features of its weight times the feature; it is drawn with
    a probability proportional to exp(-energy). A pair without a weight adds nothing.
    """

    def __init__(self, weights: Weights, features: Callable[[Model, Any, int], Features]) -> None:
        self.weights = weights
        self.features = features

    def __call__(self, model: Model, state: Any, seat: int, rng: Rng) -> Action:
        legal = model.legal(state, seat)
        features = self.features(model, state, seat)
        energies: list[float] = []
        for action in legal:
            energy = 0.0
            for name, number in features.items():
                energy += self.weights.get((action, name), 0.0) * number
            energies.append(energy)
        lowest = min(energies)
        return legal[rng.weighted([exp(lowest - energy) for energy in energies])]


class EvolvedWeights:
    """A (1+1) evolution strategy over a weight for each action and feature.

    Fitness is noisy, so every so many rollouts the parent itself is played again, and its
    fitness moves half-way to what it got.
    """

    def __init__(self, mutation: float, recheck: int, ties: bool) -> None:
        self.mutation = mutation
        self.recheck = recheck
        self.ties = ties
        self.weights: Weights = {}
        self.fitness = -inf
        self.rollouts = 0
        self.replaced = 0
        self.trial: Weights = self.weights

    def next(self, actions: Iterable[Action], kinds: Iterable[int], rng: Rng) -> Distances:
        """Make the policy of the next rollout, by distances to kinds of objects."""
        return Distances(self.next_weights(actions, kinds, rng))

    def next_weights(self, actions: Iterable[Action], features: Iterable[Any], rng: Rng) -> Weights:
        """Make the weights of the next rollout; pairs not seen before begin at 0."""
        for action in actions:
            for name in features:
                self.weights.setdefault((action, name), 0.0)
        if self.rollouts % self.recheck == 0:
            self.trial = self.weights
        else:
            self.trial = {
                pair: weight + self.mutation * gaussian(rng)
                for pair, weight in self.weights.items()
            }
        self.rollouts += 1
        return self.trial

    def learn(self, fitness: float) -> None:
        """Take in what the last rollout was worth."""
        if self.trial is self.weights:
            known = self.fitness
            self.fitness = fitness if known == -inf else (known + fitness) / 2
        elif fitness > self.fitness or (self.ties and fitness == self.fitness):
            self.weights, self.fitness = self.trial, fitness
            self.replaced += 1
