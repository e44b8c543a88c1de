"""Open-loop search over our own actions, as the video-game agents of the literature do it.

Every simulation starts at the root and lasts the same number of ticks: down a tree of action
sequences, then on by a policy. What such agents differ in is what they learn on the way, how they
play on, and what they count: these are the methods of `LoneSearch`.

These agents were made for one player. With several seats the others are a part of what happens:
in the tree they play by a model of the opponent, below it at random.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.fallback import scores_of
from ludex.core.model import Action, Model, Policy
from ludex.core.parameters import AtLeast
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.state import State
from ludex.core.view import View
from ludex.planners.parts.best_line import best_line
from ludex.planners.parts.budget import rounds
from ludex.planners.parts.growth import Growth, forced
from ludex.planners.parts.opponents import OpponentName, Opponents, act
from ludex.planners.parts.recommendation import RecommendationName, evidence
from ludex.planners.parts.rollout import END_BONUS, Evaluator, Value, leads, own_value, squash
from ludex.planners.parts.selection import ucb1
from ludex.planners.parts.sequence_node import SequenceNode, ways_after


@dataclass(frozen=True, kw_only=True)
class LonePlanner(StatefulPlanner):
    """The base of these planners: the parameters of GVGAI's sampleMCTS, which all of them have."""

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "exploration": AtLeast(0),
        "rollout_depth": AtLeast(1),
        "score_scale": AtLeast(1e-9),
        "max_nodes": AtLeast(1),
    }

    exploration: float = 1.4142135623730951
    """weight of the bonus for rarely tried actions, for values normalised to 0 .. 1"""
    rollout_depth: int = 10
    """moves of a simulation, counted from the root"""
    value: Value = "returns"
    """what counts: returns (squashed gain while unfinished), score (with a bonus), or a function"""
    score_scale: float = 10.0
    """the gain that counts half a win while unfinished"""
    opponent: OpponentName = "random"
    """other seats in the tree: play at random, or look one step ahead for their good or our harm"""
    lead: bool = False
    """with several seats the lead over the best other counts; no: our score alone"""
    final: RecommendationName = "visits"
    """the action played: most visited, of highest value or lower bound, or drawn by visits"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    @abstractmethod
    def search(self, memory: Any, model: Model, view: View, rng: Rng) -> LoneSearch:
        """Begin a decision; what memory holds of the real game is brought up to date here."""

    def plan_on(self, memory: Any, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        search = self.search(memory, model, view, rng)
        if decision := forced(view):
            return decision
        search.run(budget)
        return search.decision()


class LoneSearch(Growth):
    """One decision by simulations of equal length."""

    traces = False
    """whether `finished` needs the events, scores and cells of every tick of the rollout"""
    end_bonus = END_BONUS
    """with value=score, what is added for a win and taken for any other end"""

    def __init__(self, planner: LonePlanner, model: Any, view: Any, rng: Rng) -> None:
        super().__init__()
        self.planner = planner
        self.model = model
        self.view = view
        self.seat: int = view.seat
        self.rng = rng
        self.start = model.imagine(view, rng)
        self.is_alone: bool = model.traits.seats == 1
        self.base: float = self.standing(scores_of(model, self.start))
        if not self.is_alone:
            worth = Evaluator(model, self.start, planner.value, planner.score_scale)
            self.others = Opponents(planner.opponent, self.seat, worth)
        self.root = self.make_node(self.first_choices())

    # What a planner may change

    def first_choices(self) -> Sequence[Action]:
        """What can be chosen now."""
        legal: Sequence[Action] = self.view.legal
        return legal

    def choices(self, state: State) -> Sequence[Action]:
        """What can be chosen in a state of the tree; nothing when the game is over."""
        legal: Sequence[Action] = self.model.legal(state, self.seat)
        return legal

    def make_node(self, legal: Sequence[Action]) -> SequenceNode:
        return SequenceNode(self.seat, legal)

    def choose(self, node: SequenceNode, legal: Sequence[Action]) -> int:
        """Take an untried action, else one by the bandit rule; return its place."""
        return node.choose(legal, ucb1, self.planner.exploration, self.span, self.rng)

    def began(self) -> None:
        """A simulation begins."""

    def ticked(self, state: State) -> None:
        """A tick was played in the tree."""

    def move(self, state: State, action: Action) -> None:
        """Play a move of the tree in place; others play until we act again."""
        if not self.is_alone:
            act(self.model, state, self.seat, action, self.others, self.rng, self.ticked)
            return
        self.model.advance(state, (action,), self.rng)
        if self.model.traits.listed_chance:
            self.model.settle(state, self.rng)
        self.ticked(state)

    def policy(self) -> Policy:
        """How this simulation goes on below the tree."""
        return "uniform"

    def play_on(self, state: State, moves: int) -> Rollout:
        """Play as many moves below the tree."""
        return self.model.rollout(state, self.policy(), moves, self.rng, trace=self.traces)  # type: ignore[no-any-return]  # of any model

    def finished(self, result: Rollout) -> float:
        """Say what the simulation was worth."""
        return self.evaluator(result, self.gain(result))

    def back_up(self, path: Sequence[tuple[SequenceNode, int]], value: float) -> None:
        for node, place in path:
            node.record(place, value)

    def decision(self) -> Decision:
        """Answer with the evidence of the root."""
        visits, values = evidence(self.view.legal, [self.root])
        made = self.answer(self.planner.final, self.view, visits, values, self.rng, **self.notes())
        return replace(made, thoughts=lambda: self.thoughts(made.action))

    def notes(self) -> dict[str, Any]:
        """What else is worth showing."""
        return {}

    def thoughts(self, played: Action) -> dict[str, Any]:
        """More of it, for those who watch."""
        return {"best line": best_line(self.root, ways_after, played)}

    # What is the same for all

    def standing(self, scores: Sequence[float]) -> float:
        """Our score, or our lead over the others where that counts."""
        return leads(scores)[self.seat] if self.planner.lead else scores[self.seat]

    def gain(self, result: Rollout) -> float:
        return self.standing(result.scores) - self.base

    def evaluator(self, result: Rollout, gain: float) -> float:
        """Count a gain, and the end of the game where it was reached."""
        returns, value = result.returns, self.planner.value
        if not isinstance(value, str):
            return own_value(value, self.model, result.state, self.seat)
        if value == "returns":
            return squash(gain, self.planner.score_scale) if returns is None else returns[self.seat]
        if returns is None:
            return gain
        outcome = self.model.outcome(result.state)
        return gain + (self.end_bonus if self.seat in outcome.winners else -self.end_bonus)

    def run(self, budget: Budget) -> None:
        """Simulate until the budget is spent."""
        try:
            for _ in rounds(budget, self.model.meter):
                if not self.simulate():
                    break
        except BudgetSpent:
            pass  # the unfinished simulation is dropped

    def simulate(self) -> bool:
        """Play once from the root to the end; False when the budget ended on the way."""
        state = self.model.imagine(self.view, self.rng)
        self.began()
        path = self.descend(state)
        result = self.play_on(state, self.planner.rollout_depth - len(path))
        if result.cut:
            return False
        value = self.finished(result)
        self.back_up(path, value)
        self.note((value,), len(path))
        return True

    def descend(self, state: State) -> list[tuple[SequenceNode, int]]:
        """Play down the tree in place, to the first action that is new there."""
        model = self.model
        node = self.root
        path: list[tuple[SequenceNode, int]] = []
        while len(path) < self.planner.rollout_depth and (legal := self.choices(state)):
            known = len(node.after)
            place = self.choose(node, legal)
            path.append((node, place))
            self.move(state, node.actions[place])
            below = node.after[place]
            if below is None and place < known and not model.over(state):
                # Made on the second visit, when it is first needed.
                if not self.has_room(self.planner.max_nodes):
                    break
                below = node.after[place] = self.make_node(self.choices(state))
            if below is None:
                break
            node = below
        return path
