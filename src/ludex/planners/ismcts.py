"""Information-set Monte-Carlo tree search (ISMCTS), for games with hidden information."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast
from ludex.core.planner import Planner
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.planners.parts.backup import mean
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.budget import rounds
from ludex.planners.parts.growth import Growth, forced
from ludex.planners.parts.recommendation import RecommendationName, evidence
from ludex.planners.parts.rollout import POLICIES, Evaluator, RolloutName, ValueName
from ludex.planners.parts.selection import SELECTIONS, SelectionName
from ludex.planners.parts.subset import SubsetBandit


@dataclass(frozen=True, kw_only=True)
class Ismcts(Planner):
    """Information-set MCTS (ISMCTS): each iteration samples a determinisation of what is hidden.

    Statistics belong to what a seat can see, not to states, so a decision is never better
    informed than the player who makes it.
    """

    handles_hidden: ClassVar[bool] = True
    LIMITS: ClassVar[Mapping[str, Any]] = {
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
    rollout: RolloutName = "uniform"
    """below the tree: any action; any type, then any of it; winning ones; none, but the score"""
    rollout_depth: int = 200
    """ticks after which a rollout is stopped and valued by `value`"""
    value: ValueName = "returns"
    """what a result counts: returns (squashed gain in score while unfinished), or the score"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""
    final: RecommendationName = "visits"
    """the action played: most visited, of highest value or lower bound, or drawn by visits"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if decision := forced(view):
            return decision
        tree = self.search(model, view, budget, rng)
        visits, values = evidence(view.legal, [tree.root])
        return tree.answer(self.final, view, visits, values, rng)

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> InformationSetTree:
        """Grow a tree until the budget is spent."""
        tree = InformationSetTree(SubsetBandit(view.seat, view.legal))
        grow(self, model, view, tree, budget, rng)
        return tree


class InformationSetTree(Growth):
    """The nodes by (acting seat, what the observer sees), and the counters.

    A table instead of links: the same information reached in two ways is the same node.
    """

    def __init__(self, root: SubsetBandit) -> None:
        super().__init__()
        self.root = root
        self.nodes: dict[Hashable, SubsetBandit] = {}


def grow(
    planner: Ismcts, model: Model, view: View, tree: InformationSetTree, budget: Budget, rng: Rng
) -> None:
    """Run iterations until the budget is spent."""
    choose = SELECTIONS[planner.selection]
    policy = POLICIES[planner.rollout]
    limit = 0 if planner.rollout == "none" else planner.rollout_depth
    nodes, root = tree.nodes, tree.root
    try:
        for _ in rounds(budget, model.meter):
            # Step 1. Imagine what is hidden, then play along the tree to new information.
            state = model.imagine(view, rng)
            evaluator = Evaluator(model, state, planner.value, planner.score_scale)
            path: list[tuple[Bandit, int]] = []
            depth = 0
            is_new = False
            met: set[Hashable] = set()
            while not is_new and (seats := model.to_act(state)):
                joint: list[Action] = []
                for seat in seats:
                    legal = model.legal(state, seat)
                    observer = seat if planner.observer == "each" else view.seat
                    key = (seat, model.key(state, observer))
                    is_new = is_new or key in met  # a circle, and it might never leave it
                    met.add(key)
                    bandit = root if depth == 0 and seat == view.seat else nodes.get(key)
                    if bandit is None:
                        is_new = True
                        bandit = SubsetBandit(seat, legal)
                        if tree.has_room(planner.max_nodes):
                            nodes[key] = bandit
                    place = bandit.choose(legal, choose, planner.exploration, tree.span, rng)
                    path.append((bandit, place))
                    joint.append(bandit.actions[place])
                model.advance(state, tuple(joint), rng)
                model.settle(state, rng)
                depth += 1

            # Step 2. Value the state reached by playing on from it.
            result = model.rollout(state, policy, limit, rng)
            if result.cut:
                break
            returns = evaluator.of_result(result)

            # Step 3. Back up.
            mean(path, returns)
            tree.note(returns, depth)
    except BudgetSpent:
        pass  # the unfinished iteration is dropped
