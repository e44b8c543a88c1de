"""Risk-averse open-loop MCTS: an action counts by its worst results, not by their mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ludex.core.capabilities import LearnedModel, OffersAlternatives, able
from ludex.core.errors import Unsupported
from ludex.core.model import Action, Model
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.planners.open_loop_mcts import KeptTree, OpenLoopMcts, Path, SequenceTree
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.risk import MEASURES, MeasureName, Results
from ludex.planners.parts.rollout import Rollouts

LEAST_SHARE = 0.001


@dataclass(frozen=True, kw_only=True)
class RiskAverseMcts(OpenLoopMcts):
    """Risk-averse open-loop MCTS: an action counts by its worst results (CVaR or a quantile).

    In an ensemble of learned models every simulation plays in one member, which is drawn. Where
    the members disagree about an action, some of its results are bad, and it is avoided.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **OpenLoopMcts.LIMITS,
        "risk": Between(LEAST_SHARE, 1),
    }

    risk: float = 0.25
    """the share of the worst results that counts; 1 with cvar: all of them, the mean"""
    measure: MeasureName = "cvar"
    """cvar: the mean of these worst results; quantile: the best of them"""
    over: Literal["returns", "models"] = "returns"
    """returns: a result is that of a simulation; models: the mean in one member of an ensemble"""
    within: Literal["tree", "root"] = "tree"
    """tree: all own decisions count so; root: only the first, and later ones by their mean"""
    alternatives: Literal["drawn", "voted"] = "drawn"
    """of an ensemble: one drawn member in each simulation, or the vote of all"""
    confident: bool = False
    """the mean counts as much as the learned model is sure of what the first action does"""

    def contradiction(self) -> str | None:
        if self.over == "models" and self.alternatives == "voted":
            return "over=models compares single members, and alternatives=voted draws none"
        return super().contradiction()

    def check_model(self, model: Model) -> None:
        super().check_model(model)
        if self.over == "models" and able(model, OffersAlternatives) is None:
            raise Unsupported(
                f"{self.name} with over=models needs a model with several members; use "
                f"{self.name}(over=models)@ensemble, or over=returns"
            )
        if self.confident and able(model, LearnedModel) is None:
            raise Unsupported(
                f"{self.name} with confident=yes needs a learned model, which says how sure it "
                f"is; use {self.name}(confident=yes)@local, or confident=no"
            )

    def why_not_native(self, model: Model) -> str | None:
        reason = super().why_not_native(model)
        return "only Python keeps all results of an action" if reason else reason

    def new_tree(self, model: Model, view: View, rng: Rng, kept: KeptTree | None) -> RiskTree:
        return RiskTree(self, model, view, rng, kept)


class RiskTree(SequenceTree):
    """One decision: an open-loop tree whose actions keep all their results."""

    planner: RiskAverseMcts

    def __init__(
        self,
        planner: RiskAverseMcts,
        model: Model,
        view: View,
        rng: Rng,
        kept: KeptTree | None = None,
    ) -> None:
        super().__init__(planner, model, view, rng, kept)
        self.whole = model
        self.measured = MEASURES[planner.measure]
        self.sureness: dict[Action, float] = {}
        self.drawn = 0
        offers = able(model, OffersAlternatives) if planner.alternatives == "drawn" else None
        self.models: Sequence[Model] = () if offers is None else offers.alternatives()
        self.draws = rng.fork("alternatives")
        self.rollouts_in = [
            Rollouts(planner.rollout, planner.rollout_depth, one) for one in self.models
        ]

    @property
    def is_neutral(self) -> bool:
        """Whether all results count alike, so that the mean is kept to the last digit."""
        return self.planner.risk == 1.0 and self.planner.measure == "cvar"

    def iterate(self, path: Path) -> None:
        """Play an iteration in one of the models that may be the right one."""
        if self.models:
            self.drawn = self.draws.below(len(self.models))
            self.model = self.models[self.drawn]
            self.rollouts = self.rollouts_in[self.drawn]
        super().iterate(path)

    def back_up(self, path: Path, returns: Sequence[float]) -> None:
        own = [pair for pair in path if pair[0].seat == self.view.seat]
        if not own or self.is_neutral:
            super().back_up(path, returns)
            return
        first, place = own[0]
        sureness = self.sureness_of(first.actions[place]) if self.planner.confident else 0.0
        super().back_up(path, returns)
        for bandit, place in own if self.planner.within == "tree" else own[:1]:
            results = results_of(bandit, place)
            results.add(returns[bandit.seat], self.drawn)
            bandit.put_mean(place, self.worth(results, sureness))

    def worth(self, results: Results, sureness: float) -> float:
        """What an action counts: its risk, and the surer the model is, the mean instead."""
        by_models = self.planner.over == "models"
        compared = results.means_of_models() if by_models else results.ordered
        risky = self.measured(compared, self.planner.risk)
        return sureness * results.mean + (1.0 - sureness) * risky

    def sureness_of(self, action: Action) -> float:
        """How sure the model is of what an action of this seat does here; one model call."""
        found = self.sureness.get(action)
        if found is None:
            found = self.sureness[action] = self.new_sureness(action)
        return found

    def new_sureness(self, action: Action) -> float:
        learned = able(self.whole, LearnedModel)
        assert learned is not None  # others are refused before the first move
        start = self.states.first
        after = self.whole.step(start, (action,), self.draws)
        return min(1.0, learned.confidence(after) / max(learned.confidence(start), 1e-300))


def results_of(bandit: Bandit, place: int) -> Results:
    """All results of an action at a node."""
    while len(bandit.results) <= place:
        bandit.results.append(Results())
    return bandit.results[place]
