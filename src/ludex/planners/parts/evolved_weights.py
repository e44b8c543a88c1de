"""Weights of a rollout policy, evolved online with one mutant per rollout."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, inf, log, pi, sqrt

from ludex.core.model import Action
from ludex.core.policy import Distances
from ludex.core.rng import Rng


def gaussian(rng: Rng) -> float:
    """Draw from the normal distribution (Box and Muller)."""
    return sqrt(-2.0 * log(1.0 - rng.uniform())) * cos(2.0 * pi * rng.uniform())


class EvolvedWeights:
    """A (1+1) evolution strategy over a weight for each action and kind of object.

    Fitness is noisy, so every so many rollouts the parent itself is played again, and its
    fitness moves half-way to what it got.
    """

    def __init__(self, mutation: float, recheck: int, ties: bool) -> None:
        self.mutation = mutation
        self.recheck = recheck
        self.ties = ties
        self.weights: dict[tuple[Action, int], float] = {}
        self.fitness = -inf
        self.rollouts = 0
        self.replaced = 0
        self.trial: dict[tuple[Action, int], float] = self.weights

    def next(self, actions: Iterable[Action], kinds: Iterable[int], rng: Rng) -> Distances:
        """Make the policy of the next rollout; pairs not seen before begin at 0."""
        for action in actions:
            for kind in kinds:
                self.weights.setdefault((action, kind), 0.0)
        if self.rollouts % self.recheck == 0:
            self.trial = self.weights
        else:
            self.trial = {
                pair: weight + self.mutation * gaussian(rng)
                for pair, weight in self.weights.items()
            }
        self.rollouts += 1
        return Distances(self.trial)

    def learn(self, fitness: float) -> None:
        """Take in what the last rollout was worth."""
        if self.trial is self.weights:
            known = self.fitness
            self.fitness = fitness if known == -inf else (known + fitness) / 2
        elif fitness > self.fitness or (self.ties and fitness == self.fitness):
            self.weights, self.fitness = self.trial, fitness
            self.replaced += 1
