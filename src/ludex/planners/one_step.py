"""One-step look-ahead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ludex.core import Action, AtLeast, Budget, BudgetSpent, Decision, Model, Planner, Rng, View
from ludex.core.state import State
from ludex.core.traits import Traits
from ludex.planners.parts.budget import rounds
from ludex.planners.parts.rollout import Evaluator, Value
from ludex.planners.parts.simple_heuristic import gvgai_simple


@dataclass(frozen=True, kw_only=True)
class OneStep(Planner):
    """One-step look-ahead: tries each action and plays the best return or gain in score.

    Listed chance is averaged exactly. Where chance is sampled, facts are hidden or others move
    at the same time (they are taken to play uniformly), each action is tried `samples` times.
    """

    handles_hidden: ClassVar[bool] = True
    LIMITS: ClassVar[Mapping[str, Any]] = {"samples": AtLeast(1), "score_scale": AtLeast(1e-9)}

    samples: int = 8
    """tries per action where one try does not tell all"""
    value: Literal["gvgai_simple"] | Value = "returns"
    """what a state counts: returns (squashed gain), score, gvgai_simple, or a function"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""

    def refusal(self, traits: Traits) -> str | None:
        if self.value == "gvgai_simple" and not traits.objects:
            return (
                "with value=gvgai_simple needs views that list objects, as those of VGDL games "
                "do; use value=score"
            )
        return super().refusal(traits)

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if len(view.legal) == 1:
            return Decision(action=view.legal[0], notes={"forced": True})
        # The order is drawn, so that equals and a budget for a few of them have no favourite.
        actions = list(view.legal)
        rng.shuffle(actions)
        traits = model.traits
        uncertain = traits.sampled_chance or traits.simultaneous or not traits.model_sees_all
        tries = len(actions) * (self.samples if uncertain else 1)
        visits: dict[Action, int] = dict.fromkeys(view.legal, 0)
        values: dict[Action, float] = {}
        done = 0
        try:
            for number in rounds(budget, model.meter):
                if number == tries:
                    break
                action = actions[number % len(actions)]
                value = self.look(model, view, action, rng)
                visits[action] += 1
                mean = values.get(action, 0.0)
                values[action] = mean + (value - mean) / visits[action]
                done = number + 1
        except BudgetSpent:
            pass
        best = max((a for a in actions if a in values), key=values.__getitem__, default=actions[0])
        return Decision(
            action=best,
            visits=visits,
            values=values,
            iterations=done,
            depth=min(done, 1),
            notes={"complete": True} if done == tries else {},
        )

    def look(self, model: Model, view: View, action: Action, rng: Rng) -> float:
        """Take one step with this action and value what it leads to."""
        state = model.imagine(view, rng)
        value = gvgai_simple if self.value == "gvgai_simple" else self.value
        evaluator = Evaluator(model, state, value, self.score_scale)
        joint: list[Action] = []
        for seat in model.to_act(state):
            legal = model.legal(state, seat)
            joint.append(action if seat == view.seat else legal[rng.below(len(legal))])
        model.advance(state, tuple(joint), rng)
        return expected(evaluator, state, view.seat)


def expected(evaluator: Evaluator, state: State, seat: int) -> float:
    """The value of a state, averaged over all pending chance outcomes."""
    listed = evaluator.model.chance(state)
    if not listed:
        return evaluator.of_states_for(seat)(state)
    return sum(
        probability * expected(evaluator, evaluator.model.resolve(state, outcome), seat)
        for outcome, probability in listed
    )
