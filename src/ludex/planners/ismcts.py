"""Information-set Monte-Carlo tree search (ISMCTS), for games with hidden information."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.core.traits import Traits
from ludex.core.twin import NativeTree, ThreadedPlanner
from ludex.core.view import View
from ludex.planners.parts.backup import mean
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.budget import most_rounds, rounds
from ludex.planners.parts.determinise import Determinisations
from ludex.planners.parts.growth import Growth, forced
from ludex.planners.parts.recommendation import (
    RecommendationName,
    Tried,
    evidence,
    tried_natively,
)
from ludex.planners.parts.rollout import (
    Evaluator,
    RolloutPolicy,
    Rollouts,
    Value,
    policy_refusal,
)
from ludex.planners.parts.selection import SELECTIONS, SelectionName
from ludex.planners.parts.subset import SubsetBandit


@dataclass(frozen=True, kw_only=True)
class Ismcts(ThreadedPlanner):
    """Information-set MCTS (ISMCTS): each iteration samples a determinisation of what is hidden.

    Statistics belong to what a seat can see, not to states, so a decision is never better
    informed than the player who makes it.
    """

    handles_hidden: ClassVar[bool] = True
    twin: ClassVar[str | None] = "ismcts"
    LIMITS: ClassVar[Mapping[str, Any]] = {
        **ThreadedPlanner.LIMITS,
        "exploration": AtLeast(0),
        "rollout_depth": AtLeast(0),
        "score_scale": AtLeast(1e-9),
        "max_nodes": AtLeast(1),
    }

    exploration: float = 1.4142135623730951
    """weight of the bonus for rarely tried actions, for returns normalised to 0 .. 1"""
    selection: SelectionName = "ucb1"
    """the bandit rule that chooses among tried actions"""
    observer: Literal["each", "own"] = "each"
    """whose view tells nodes apart: of the seat that acts there, or always of the searcher"""
    rollout: RolloutPolicy = "uniform"
    """below the tree: uniform, type_first, decisive, a policy of the world's own, or none"""
    rollout_depth: int | None = None
    """ticks after which a rollout is stopped and valued by `value`; none: the world's limit"""
    value: Value = "returns"
    """what a result counts: returns (squashed gain while unfinished), score, or a function"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""
    final: RecommendationName = "visits"
    """the action played: most visited, of highest value or lower bound, or drawn by visits"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def refusal(self, traits: Traits) -> str | None:
        return super().refusal(traits) or policy_refusal(self.rollout, traits)

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if decision := forced(view):
            return decision
        tree = self.search(model, view, budget, rng)
        visits, values = evidence(view.legal, [tree.root_bandit()])
        return tree.answer(self.final, view, visits, values, rng)

    def native_parts(self, model: Model) -> dict[str, Any]:
        return Rollouts(self.rollout, self.rollout_depth, model).native_parts(self.rollout)

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> InformationSetTree:
        """Grow a tree until the budget is spent."""
        kind = NativeInformationSetTree if self.kernels(model) else InformationSetTree
        tree = kind(self, model, view, rng)
        tree.grow(budget)
        return tree


class InformationSetTree(Growth):
    """The nodes by (acting seat, what the observer sees), and one decision that adds to them.

    A table instead of links: the same information reached in two ways is the same node.
    """

    def __init__(self, planner: Ismcts, model: Model, view: View, rng: Rng) -> None:
        super().__init__()
        self.planner = planner
        self.model = model
        self.view = view
        self.rng = rng
        self.states = Determinisations(model, view, rng)
        self.rollouts = Rollouts(planner.rollout, planner.rollout_depth, model)
        self.root = SubsetBandit(view.seat, view.legal)
        self.nodes: dict[Hashable, SubsetBandit] = {}

    def grow(self, budget: Budget) -> None:
        """Run iterations until the budget is spent."""
        try:
            for _ in rounds(budget, self.model.meter):
                self.iterate()
        except BudgetSpent:
            pass  # the unfinished iteration is dropped

    def iterate(self) -> None:
        """Determinise what is hidden, play along the tree to new information, and on from there."""
        state = self.states.draw()
        evaluator = Evaluator(self.model, state, self.planner.value, self.planner.score_scale)
        path: list[tuple[Bandit, int]] = []
        depth = self.select(state, path)
        returns = self.simulate(state, evaluator)
        mean(path, returns)
        self.note(returns, depth)

    # Steps 1 and 2. Select, and expand by what is new.

    def select(self, state: State, path: list[tuple[Bandit, int]]) -> int:
        """Play in place along the tree, to new information; returns how many ticks."""
        depth = 0
        is_new = False
        met: set[Hashable] = set()
        while not is_new and (seats := self.model.to_act(state)):
            joint: list[Action] = []
            for seat in seats:
                bandit, is_fresh = self.bandit_of(state, seat, depth, met)
                is_new = is_new or is_fresh
                place = self.choose(bandit, self.model.legal(state, seat))
                path.append((bandit, place))
                joint.append(bandit.actions[place])
            self.model.advance(state, tuple(joint), self.rng)
            self.model.settle(state, self.rng)
            depth += 1
        return depth

    def bandit_of(
        self, state: State, seat: int, depth: int, met: set[Hashable]
    ) -> tuple[SubsetBandit, bool]:
        """The bandit of what is seen, and whether the descent ends with it.

        It does where the information is new, and where it comes up for the second time: that is a
        circle, and it might never be left.
        """
        observer = seat if self.planner.observer == "each" else self.view.seat
        key = (seat, self.model.key(state, observer))
        is_circle = key in met
        met.add(key)
        if depth == 0 and seat == self.view.seat:
            return self.root, is_circle
        if key in self.nodes:
            return self.nodes[key], is_circle
        bandit = SubsetBandit(seat, self.model.legal(state, seat))
        if self.has_room(self.planner.max_nodes):
            self.nodes[key] = bandit
        return bandit, True

    def choose(self, bandit: SubsetBandit, legal: Sequence[Action]) -> int:
        rule = SELECTIONS[self.planner.selection]
        return bandit.choose(legal, rule, self.planner.exploration, self.span, self.rng)

    # Step 3. Simulate.

    def simulate(self, state: State, evaluator: Evaluator) -> Sequence[float]:
        """Value the state reached by playing on from it."""
        result = self.rollouts.play(state, self.rng)
        if result.cut:
            raise BudgetSpent
        return evaluator.of_result(result)

    def root_bandit(self) -> Tried:
        return self.root


class NativeInformationSetTree(InformationSetTree):
    """The same tree, grown by the native twin."""

    tree: NativeTree

    def grow(self, budget: Budget) -> None:
        self.tree = self.states.native.native_ismcts(
            self.planner,
            self.states.native_source(),
            self.view.legal,
            self.view.seat,
            self.model.traits.hidden,
            most_rounds(budget),
            self.rng,
            self.planner.native_parts(self.model),
        )
        self.take_counters(self.tree)

    def root_bandit(self) -> Tried:
        return tried_natively(self.tree, self.view.seat)[0]
