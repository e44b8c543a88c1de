"""A mind that plans in a learned forward model, without access to the rules.

Each decision: (1) compare the last prediction with what is seen; (2) store the transition; (3) fit
again when due; (4) search in the model, or play at random while there is none; (5) store the
prediction of the next state.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludex.agents.recent_views import Recent
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.outcome import Outcome
from ludex.core.planner import Agent, Mind, Planner
from ludex.core.rng import Meter, Rng
from ludex.core.view import View
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import (
    Shown,
    Transition,
    actions_between,
    as_observed,
)


class LearningMind:
    """A planner in one game with a learner, which may continue to learn.

    `known` is a learner from earlier games to continue with.
    """

    def __init__(
        self,
        planner: Agent,
        part: GameLearner,
        rules: Model,
        view: View,
        budget: Budget,
        rng: Rng,
        known: GameLearner | None = None,
    ) -> None:
        self.planner = planner
        self.traits = rules.traits
        self.meter = rules.meter
        self.learner = known or part.beginner(rules, view, rng.fork("model"))
        self.learns = part.learn == "continuous"
        self.model: Any = None
        self.mind: Mind | None = None
        self.before: Shown | None = None
        self.action: Any = None
        self.predicted: Any = None
        self.here: Any = None
        """what the last prediction began with"""
        self.luck = rng
        """what a prediction that is made again draws from"""
        self.visited: list[Any] = []
        self.recent = Recent()
        self.foretold_ticks = self.wrong_ticks = self.wrong_cells = self.fittings = 0
        self.since_fit = 0
        self.erred = self.guessed = False
        if isinstance(planner, Planner):  # one that cannot use it refuses before the first move
            planner.check(part.traits_of(self.traits))
        if self.learner.is_fitted:
            self.search_anew(view, budget, rng)

    def search_anew(self, view: View, budget: Budget, rng: Rng) -> None:
        """Start the planner with the model learned so far."""
        self.model = self.learner.seats_model(self.traits).metered(self.meter)
        for state in self.visited:
            self.model.visit(state)
        self.mind = self.planner.start(self.model, view, budget, rng.fork("planner"))
        self.fittings += 1
        self.since_fit, self.erred, self.guessed = 0, False, False

    def observe(self, event: Event) -> None:
        if self.mind is not None:
            self.mind.observe(event)

    def decide(self, view: View, budget: Budget, rng: Rng) -> Decision:
        shown = self.learner.shown(view)
        self.take_in(shown)
        if self.is_due():
            self.learner.learn_again()
            self.search_anew(view, budget, rng)
        self.recent.remind(self.model)
        chance = self.learner.explore
        if self.mind is None or (chance > 0.0 and rng.fork("explore").uniform() < chance):
            budget.arm(self.meter)  # a random action costs no budget
            decision = Decision(action=rng.fork("random").choice(view.legal))
        else:
            decision = self.mind.decide(view, budget, rng)
        return self.with_evidence(shown, decision, rng)

    def take_in(self, shown: Shown) -> None:
        """Steps 1 and 2."""
        if self.before is not None and self.predicted is not None:
            if shown.others:  # what the other did is known only now
                done = actions_between(self.before, self.action, shown)
                private = self.model.metered(Meter(apart=True))
                self.predicted = private.step(self.here, done, self.luck)
            found = self.model.metered(Meter(apart=True)).imagine(shown, Rng(0))
            wrong = self.predicted.differs(found)
            self.foretold_ticks += 1
            self.wrong_ticks += wrong > 0
            self.wrong_cells += wrong
            self.erred = self.erred or wrong > 0 or found.ending != self.predicted.ending
            self.guessed = self.guessed or self.predicted.unseen > 0
        if self.before is not None and self.learns:
            done = actions_between(self.before, self.action, shown)
            happened = Transition(as_observed(self.before), done, as_observed(shown))
            self.learner.take(happened)
            self.since_fit += 1
        self.before = None

    def is_due(self) -> bool:
        """Step 3: fit after so many ticks with an error among them, or at once if eager.

        With curiosity, correct guesses also count: otherwise they would attract it forever.
        """
        if not self.learns or not self.since_fit:
            return False
        if self.model is None:
            return self.since_fit >= self.learner.refit
        learned = self.erred or (self.guessed and self.learner.curiosity > 0.0)
        return learned and (self.learner.eager or self.since_fit >= self.learner.refit)

    def with_evidence(self, shown: Shown, decision: Decision, rng: Rng) -> Decision:
        """Step 5: the predicted state, its confidence, and prediction errors so far."""
        self.before, self.action, self.predicted = shown, decision.action, None
        self.recent.add(shown, decision.action)
        notes = {
            **decision.notes,
            "learned_from": self.learner.seen_ if self.learner.is_fitted else 0,
            "fittings": self.fittings,
            "foretold": self.foretold_ticks,
            "wrong": self.wrong_ticks,
            "wrong_cells": self.wrong_cells,
        }
        if self.model is None:
            return replace(decision, notes=notes)
        private = self.model.metered(Meter(apart=True))
        here = private.imagine(shown, rng)
        self.model.visit(here)
        self.visited.append(here)
        expected = actions_between(shown, decision.action, shown)
        self.here, self.luck = here, rng.fork("expect again")
        self.predicted = private.step(here, expected, rng.fork("expect"))
        notes["unseen_cells"] = self.predicted.unseen
        return replace(
            decision,
            predicted=self.predicted,
            confidence=min(1.0, self.predicted.confidence),
            notes=notes,
        )

    def finish(self, view: View, outcome: Outcome) -> None:
        """Store the last transition, and fit to the whole game."""
        self.take_in(self.learner.shown(view))
        if self.learns and self.learner.is_fitted:
            self.learner.learn_again()
        if self.mind is not None:
            self.mind.finish(view, outcome)
