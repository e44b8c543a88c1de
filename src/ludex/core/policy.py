"""Rollout policies as values, so that native models can run them without Python.

A policy is called as `policy(model, state, seat, rng)` and returns one of the seat's actions. A
native model plays those here without a call to Python; every other model, and any class of yours,
is called for each action. Both draw the same numbers, so the rollouts are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import exp, inf
from typing import Any

from ludex.core._native import DistancePolicy, GreedyPolicy, TypePolicy, WeightedPolicy
from ludex.core.capabilities import NumbersTypes, able
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.model import Action, Model
from ludex.core.rng import Rng

LARGEST = 1e12  # of a weight: sums of them stay finite
LAST_ACTION = 4095  # native tables have an entry for every action up to the last that is named


@dataclass(frozen=True, slots=True)
class NativePolicy:
    """The base of policies that native code knows."""

    native: Any = field(default=None, init=False, repr=False, compare=False)
    """what native code reads; None where this value has no native form"""

    def keep(self, **values: Any) -> None:
        """Set fields of a value that is being made."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def check(self, model: Any) -> None:
        """Raise, before the first tick, when the policy does not fit a model."""

    def __call__(self, model: Any, state: Any, seat: int, rng: Rng) -> Action:
        """One of the seat's legal actions."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it chooses")

    def weights_of(
        self, model: Any, state: Any, seat: int, legal: Sequence[Action]
    ) -> Sequence[float]:
        """What the legal actions are drawn in proportion to, where the policy has such weights."""
        raise Unsupported(
            f"the policy {type(self).__name__} does not say how likely it is to take each action, "
            "so it gives no priors; use Weighted, Types or Distances"
        )

    def for_model(self, model: Any) -> NativePolicy:
        """The policy with what native code needs to know of a model."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, item.name) for item in fields(self) if item.init)


@dataclass(frozen=True, slots=True)
class Weighted(NativePolicy):
    """Draw an action in proportion to its weight; any legal one when all of them have none.

    >>> Weighted({0: 1.0, 3: 2.5}, other=0.5)
    Weighted(weights={0: 1.0, 3: 2.5}, other=0.5)
    """

    weights: Mapping[Action, float]
    other: float = 0.0
    """the weight of actions that are not named"""

    def __post_init__(self) -> None:
        weights = {action: float(weight) for action, weight in self.weights.items()}
        self.keep(weights=weights, other=float(self.other))
        for what, weight in [*weights.items(), ("not named", self.other)]:
            if not 0.0 <= weight <= LARGEST:  # also refuses NaN
                raise BadParameter(f"the weight of action {what!r} must be >= 0, got {weight!r}")
        if type(self) is Weighted and are_small(weights):
            table = [
                weights.get(action, self.other) for action in range(max(weights, default=-1) + 1)
            ]
            self.keep(native=WeightedPolicy(table, self.other))

    def __call__(self, model: Model, state: Any, seat: int, rng: Rng) -> Action:
        legal = model.legal(state, seat)
        weights = [self.weights.get(action, self.other) for action in legal]
        if not any(weights):
            return legal[rng.below(len(legal))]
        return legal[rng.weighted(weights)]

    def weights_of(
        self, model: Any, state: Any, seat: int, legal: Sequence[Action]
    ) -> Sequence[float]:
        weights = [self.weights.get(action, self.other) for action in legal]
        return weights if any(weights) else [1.0] * len(legal)


@dataclass(frozen=True, slots=True)
class Types(NativePolicy):
    """Draw a type of action in proportion to its weight, then any action of that type.

    Types are the words of `model.action_type`. When no legal type has a weight, all are as likely.

    >>> Types({"settlement": 3.0, "city": 4.0}, other=1.0)
    Types(weights={'settlement': 3.0, 'city': 4.0}, other=1.0)
    """

    weights: Mapping[str, float]
    other: float = 0.0
    """the weight of types that are not named"""

    def __post_init__(self) -> None:
        weights = {str(name): float(weight) for name, weight in self.weights.items()}
        self.keep(weights=weights, other=float(self.other))
        for what, weight in [*weights.items(), ("not named", self.other)]:
            if not 0.0 <= weight <= LARGEST:  # also refuses NaN
                raise BadParameter(f"the weight of type {what!r} must be >= 0, got {weight!r}")

    def for_model(self, model: Any) -> NativePolicy:
        numbered = able(model, NumbersTypes)
        if type(self) is not Types or numbered is None:
            return self
        twin = Types(self.weights, self.other)
        names = numbered.action_types()
        twin.keep(native=TypePolicy([self.weights.get(one, self.other) for one in names]))
        return twin

    def by_type(self, model: Any, legal: Sequence[Action]) -> dict[str, list[Action]]:
        found: dict[str, list[Action]] = {}
        for action in legal:
            found.setdefault(model.action_type(action), []).append(action)
        return found

    def type_weights(self, types: Iterable[str]) -> list[float]:
        weights = [self.weights.get(one, self.other) for one in types]
        return weights if any(weights) else [1.0] * len(weights)

    def __call__(self, model: Any, state: Any, seat: int, rng: Rng) -> Action:
        found = self.by_type(model, model.legal(state, seat))
        actions = list(found.values())[rng.weighted(self.type_weights(found))]
        return actions[rng.below(len(actions))]

    def weights_of(
        self, model: Any, state: Any, seat: int, legal: Sequence[Action]
    ) -> Sequence[float]:
        found = self.by_type(model, legal)
        weights = dict(zip(found, self.type_weights(found), strict=True))
        kinds = [model.action_type(action) for action in legal]
        return [weights[kind] / len(found[kind]) for kind in kinds]


@dataclass(frozen=True, slots=True)
class Distances(NativePolicy):
    """Softmax over weights times distances to the nearest object of each kind.

    An action's energy is the sum over kinds of its weight times the distance; it is drawn with
    a probability proportional to exp(-energy). This is the rollout of Fast-Evo MCTS (Lucas,
    Samothrakis and Perez 2014), which evolves the weights while it searches. A kind without a
    live object adds nothing, and neither does a pair that is not named.
    """

    weights: Mapping[tuple[Action, int], float]
    """by action and kind of object"""
    kinds: tuple[int, ...] = field(default=(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        weights = {pair: float(weight) for pair, weight in self.weights.items()}
        kinds = tuple(sorted({kind for _, kind in weights}))
        self.keep(weights=weights, kinds=kinds)
        for pair, weight in weights.items():
            if not -LARGEST <= weight <= LARGEST:  # also refuses NaN
                raise BadParameter(
                    f"the weight of (action, kind) {pair!r} must be a number, got {weight!r}"
                )
        actions = {action for action, _ in weights}
        if type(self) is Distances and are_small(actions) and are_small(kinds):
            rows = range(max(actions, default=-1) + 1)
            table = [weights.get((action, kind), 0.0) for action in rows for kind in kinds]
            self.keep(native=DistancePolicy(list(kinds), table))

    def check(self, model: Any) -> None:
        if not model.traits.avatars:
            raise Unsupported(
                "the policy Distances needs a model that says how far objects are, such as that of "
                "a VGDL game; use uniform or Weighted"
            )

    def __call__(self, model: Any, state: Any, seat: int, rng: Rng) -> Action:
        legal = model.legal(state, seat)
        return legal[rng.weighted(self.weights_of(model, state, seat, legal))]

    def weights_of(self, model: Any, state: Any, seat: int, legal: Sequence[Action]) -> list[float]:
        distances = model.distances(state, seat, self.kinds)
        energies: list[float] = []
        for action in legal:
            energy = 0.0
            for kind, distance in zip(self.kinds, distances, strict=True):
                if distance is not None:
                    energy += self.weights.get((action, kind), 0.0) * distance
            energies.append(energy)
        lowest = min(energies)
        return [exp(lowest - energy) for energy in energies]


@dataclass(frozen=True, slots=True)
class Greedy(NativePolicy):
    """Step to the neighbouring cell of least cost, or with probability `epsilon` anywhere.

    The costs are what is left to pay from each cell, such as path lengths to a target; `inf` is
    a cell never to enter. Equal cells are drawn from. Random steps do not leave the map.

    A `target` may move or vanish while the map stays as it was. Where the map promises at most
    `near`, the step is the one that ends nearest to where the target is now; once it is gone,
    all steps are random. These are the informed rollouts of YOLOBOT (Joppen et al. 2018).
    """

    costs: Sequence[Sequence[float]]
    """row after row, from the top"""
    epsilon: float = 0.2
    target: tuple[int, int] | None = None
    """kind and stable number of an object"""
    near: float = 3.0

    def __post_init__(self) -> None:
        costs = tuple(tuple(float(cost) for cost in row) for row in self.costs)
        widths = {len(row) for row in costs}
        if len(widths) != 1 or 0 in widths:
            raise BadParameter(
                f"a cost map has rows of equal length, got lengths {sorted(widths)!r}"
            )
        flat = [cost for row in costs for cost in row]
        for cost in flat:
            if not cost >= 0.0:  # also refuses NaN
                raise BadParameter(f"the cost of a cell must be >= 0 or inf, got {cost!r}")
        for name, number, most in (("epsilon", self.epsilon, 1.0), ("near", self.near, inf)):
            if not 0.0 <= number <= most:
                raise BadParameter(f"Greedy.{name} must be from 0 to {most:g}, got {number!r}")
        self.keep(costs=costs, epsilon=float(self.epsilon), near=float(self.near))
        if type(self) is Greedy:
            made = GreedyPolicy(widths.pop(), flat, self.epsilon, self.target, self.near)
            self.keep(native=made)

    def check(self, model: Any) -> None:
        check_objects(self, model)
        columns, rows = model.grid()
        if (len(self.costs[0]), len(self.costs)) != (columns, rows):
            raise BadParameter(
                f"a cost map of {len(self.costs)} rows of {len(self.costs[0])} cells does not fit "
                f"this level, which has {rows} rows of {columns} cells"
            )

    def __call__(self, model: Any, state: Any, seat: int, rng: Rng) -> Action:
        legal = model.legal(state, seat)
        column, row = model.avatars(state)[seat]
        ahead: list[tuple[int, int]] = []
        for action in legal:
            step = model.heading(action)
            ahead.append((column + step[0], row + step[1]))
        inside = [action for action, cell in zip(legal, ahead, strict=True) if self.holds(cell)]
        anywhere = inside or legal
        if rng.uniform() < self.epsilon:
            return anywhere[rng.below(len(anywhere))]
        target = model.whereabouts(state, *self.target) if self.target else None
        if self.target and target is None:
            return anywhere[rng.below(len(anywhere))]
        goal = target if self.cost((column, row)) <= self.near else None
        prices = [self.price(cell, goal) for cell in ahead]
        least = min(prices)
        best = [action for action, price in zip(legal, prices, strict=True) if price == least]
        return best[rng.below(len(best))]

    def holds(self, cell: tuple[int, int]) -> bool:
        return 0 <= cell[0] < len(self.costs[0]) and 0 <= cell[1] < len(self.costs)

    def cost(self, cell: tuple[int, int]) -> float:
        return self.costs[cell[1]][cell[0]] if self.holds(cell) else inf

    def price(self, cell: tuple[int, int], goal: tuple[int, int] | None) -> float:
        """What a step to a cell costs; with a goal at hand, the squared distance to it."""
        cost = self.cost(cell)
        if goal is None or (cost == inf and cell != goal):
            return cost
        return float((cell[0] - goal[0]) ** 2 + (cell[1] - goal[1]) ** 2)


def are_small(numbers: Iterable[Any]) -> bool:
    """Whether all are whole numbers that a native table can have places for."""
    return all(isinstance(number, int) and 0 <= number <= LAST_ACTION for number in numbers)


def check_objects(policy: NativePolicy, model: Any) -> None:
    if not model.traits.objects:
        raise Unsupported(
            f"the policy {type(policy).__name__} needs a model with objects on a grid, such as "
            "that of a VGDL game; use uniform or Weighted"
        )
