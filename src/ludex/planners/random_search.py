"""Random search over action sequences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast
from ludex.core.planner import Planner
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.planners.parts.budget import ENDLESS
from ludex.planners.parts.growth import forced
from ludex.planners.parts.rollout import Evaluator, ValueName
from ludex.planners.parts.sequences import BATCH, Genome, Stage, valuer


@dataclass(frozen=True, kw_only=True)
class RandomSearch(Planner):
    """Random search: evaluates random action sequences and plays the first action of the best."""

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "length": AtLeast(1),
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
    value: ValueName = "returns"
    """what a result counts: returns (squashed gain in score while unfinished), or the score"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if decision := forced(view):
            return decision
        stage = Stage(model, view, self.length, rng)
        evaluator = Evaluator(model, stage.root, self.value, self.score_scale)
        estimate = evaluator.of_results_for(view.seat)
        after = self.rollout_length or max(1, self.length // 2)
        value_of = valuer(model, estimate, self.rollouts, after, rng.fork("rollouts"))
        visits: dict[Action, int] = dict.fromkeys(view.legal, 0)
        values: dict[Action, float] = {}
        draw = self.drawer(stage, view.seat, rng)
        left = min(self.most, budget.iterations or ENDLESS)
        done = deepest = 0
        while left > done and not model.meter.spent:
            count = min(BATCH, left - done)
            genomes = [draw() for _ in range(count)]
            results = stage.play(genomes, view.seat, {})
            for genome, result in zip(genomes, results, strict=False):
                value = value_of(result)
                gene = genome[0]
                if value is None or gene is None:
                    break
                done += 1
                visits[gene[0]] += 1
                values[gene[0]] = max(value, values.get(gene[0], -inf))
                deepest = max(deepest, result.ticks)
            if len(results) < count:
                break
        # Among equals the action whose best sequence was found first.
        best = max(values, key=values.__getitem__, default=view.legal[rng.below(len(view.legal))])
        return Decision(
            action=best,
            visits=visits,
            values=values,
            iterations=done,
            depth=deepest,
            notes={"complete": True} if done == self.most else {},
        )

    @property
    def most(self) -> int:
        """How many sequences are tried at most, whatever the budget is."""
        return ENDLESS

    def drawer(self, stage: Stage, seat: int, rng: Rng) -> Callable[[], Genome]:
        """Return what draws the sequences of a decision."""
        return lambda: stage.random_genome(seat, rng)
