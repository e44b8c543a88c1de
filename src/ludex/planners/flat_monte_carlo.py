"""Flat Monte Carlo: values each action by random play, without a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model, Policy
from ludex.core.parameters import AtLeast
from ludex.core.planner import Planner
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.core.view import View
from ludex.planners.parts.backup import mean
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.budget import rounds
from ludex.planners.parts.growth import forced
from ludex.planners.parts.opponents import OpponentName, Opponents
from ludex.planners.parts.recommendation import RecommendationName, decide, evidence
from ludex.planners.parts.rollout import Evaluator, Value
from ludex.planners.parts.selection import ucb1


@dataclass(frozen=True, kw_only=True)
class FlatMonteCarlo(Planner):
    """Flat Monte Carlo: random rollouts after each root action; the best mean is played.

    `even` tries all actions as often; `ucb1` tries promising ones more often (flat UCB).
    """

    handles_hidden: ClassVar[bool] = True
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "exploration": AtLeast(0),
        "rollout_depth": AtLeast(0),
        "score_scale": AtLeast(1e-9),
    }

    allocation: Literal["even", "ucb1"] = "ucb1"
    """which action the next play begins with: all in turn, or by the bandit rule"""
    exploration: float = 1.4142135623730951
    """with ucb1: weight of the bonus for rarely tried actions, for returns from 0 to 1"""
    rollout_depth: int = 50
    """ticks after the first action, after which play is stopped and valued by `value`"""
    opponent: OpponentName = "random"
    """other seats while we play at random: play so, too, or look one step ahead"""
    value: Value = "returns"
    """what a result counts: returns (squashed gain while unfinished), score, or a function"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""
    final: RecommendationName = "value"
    """the action played: of highest value, bound or lower bound, most visited, or drawn"""

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if decision := forced(view):
            return decision
        seat = view.seat
        root = model.imagine(view, rng)
        others = Opponents(
            self.opponent, seat, Evaluator(model, root, self.value, self.score_scale)
        )

        def choose(model: Model, state: State, mover: int, dice: Rng) -> Action:
            legal = model.legal(state, mover)
            if mover == seat:
                return legal[dice.below(len(legal))]
            return others(model, state, mover, dice)

        policy: Policy = "uniform" if self.opponent == "random" else choose
        bandit = Bandit(seat, view.legal)
        low, high = inf, -inf
        done = 0
        try:
            for number in rounds(budget, model.meter):
                if bandit.untried:
                    place = bandit.try_one(rng)
                elif self.allocation == "even":
                    place = number % len(bandit.actions)
                else:
                    place = ucb1(bandit, self.exploration, high - low, rng)
                state = model.imagine(view, rng)
                evaluator = Evaluator(model, state, self.value, self.score_scale)
                own = bandit.actions[place]
                joint = [
                    own if one == seat else others(model, state, one, rng, own)
                    for one in model.to_act(state)
                ]
                model.advance(state, tuple(joint), rng)
                result = model.rollout(state, policy, self.rollout_depth, rng)
                if result.cut:
                    break
                returns = evaluator.of_result(result)
                mean([(bandit, place)], returns)
                low, high = min(low, returns[seat]), max(high, returns[seat])
                done = number + 1
        except BudgetSpent:
            pass  # the unfinished play is dropped
        visits, values = evidence(view.legal, [bandit])
        return Decision(
            action=decide(self.final, view.legal, visits, values, rng),
            visits=visits,
            values=values,
            iterations=done,
            depth=min(done, 1),
        )
