"""Random search over action sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.rng import Rng
from ludex.core.twin import NativeEvolution, TwinPlanner
from ludex.core.view import View
from ludex.planners.parts.budget import ENDLESS, most_rounds
from ludex.planners.parts.growth import forced
from ludex.planners.parts.rollout import Value
from ludex.planners.parts.sequences import (
    LONGEST,
    Alphabet,
    Gene,
    Genome,
    Stage,
    Valuation,
    random_genome,
)


@dataclass(frozen=True, kw_only=True)
class RandomSearch(TwinPlanner):
    """Random search: evaluates random action sequences and plays the first action of the best."""

    twin: ClassVar[str | None] = "random_search"
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "length": Between(1, LONGEST),
        "rollouts": AtLeast(0),
        "rollout_length": AtLeast(1),
        "score_scale": AtLeast(1e-9),
    }

    length: int = 10
    """actions in a sequence"""
    rollouts: int = 0
    """random plays after each sequence, whose mean values it; 0: its last state is valued"""
    rollout_length: int | None = None
    """ticks of each of these plays; none: half the length"""
    value: Value = "returns"
    """what a result counts: returns (squashed gain while unfinished), score, or a function"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if decision := forced(view):
            return decision
        search = self.search(model, view, budget, rng)
        values = search.values
        # Among equals the action whose best sequence was found first.
        best = max(values, key=values.__getitem__, default=view.legal[rng.below(len(view.legal))])
        return Decision(
            action=best,
            visits=search.visits,
            values=values,
            iterations=search.iterations,
            depth=search.depth,
            notes={"complete": True} if search.iterations == self.most else {},
        )

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> Sampling:
        """Try sequences until the budget is spent."""
        kind = NativeSampling if self.kernels(model) else Sampling
        search = kind(self, model, view, rng)
        search.grow(budget)
        return search

    @property
    def most(self) -> int:
        """How many sequences are tried at most, whatever the budget is."""
        return ENDLESS

    @property
    def mutant_rate(self) -> float | None:
        """How often genes of a first sequence are redrawn; None: each sequence is a new one."""
        return None

    def drawer(self, alphabets: list[Alphabet], rng: Rng) -> Callable[[], Genome]:
        """Return what draws the sequences of a decision."""
        return lambda: random_genome(alphabets, rng)


class Sampling:
    """One decision: what the sequences tried tell about their first actions."""

    def __init__(self, planner: RandomSearch, model: Model, view: View, rng: Rng) -> None:
        self.planner = planner
        self.view = view
        self.rng = rng
        valuation = Valuation.after(
            planner.length,
            planner.value,
            planner.score_scale,
            planner.rollouts,
            planner.rollout_length,
        )
        self.stage = Stage(model, view, planner.length, valuation, rng)
        self.iterations = self.depth = 0
        self.visits: dict[Action, int] = dict.fromkeys(view.legal, 0)
        self.values: dict[Action, float] = {}  # of the best, in the order they were found in

    def grow(self, budget: Budget) -> None:
        seat, meter = self.view.seat, self.stage.model.meter
        alphabets = self.stage.alphabets_of(seat)
        draw = self.planner.drawer(alphabets, self.rng)
        most = min(self.planner.most, most_rounds(budget))
        try:
            while self.iterations < most and not meter.spent:
                genome = draw()
                self.note(genome[0], self.stage.play(seat, genome, alphabets, {})[seat])
        except BudgetSpent:  # the sequence that was being played is dropped
            pass
        self.depth = self.stage.deepest

    def note(self, first: Gene, value: float) -> None:
        self.iterations += 1
        if first is None:
            return  # nobody could act
        self.visits[first] = self.visits.get(first, 0) + 1
        self.values[first] = max(value, self.values.get(first, -inf))


class NativeSampling(Sampling):
    """The same, by the native twin."""

    found: NativeEvolution

    def grow(self, budget: Budget) -> None:
        stage = self.stage
        self.found = stage.states.native.native_random_search(
            stage,
            stage.states.native_source(),
            self.view.legal,
            self.view.seat,
            min(self.planner.most, most_rounds(budget)),
            self.rng,
            self.planner.mutant_rate,
        )
        self.iterations, self.depth = self.found.iterations, self.found.depth
        for action, visits, best in self.found.firsts():
            self.visits[action] = visits
            self.values[action] = best
