"""Monte-Carlo tree search over sequences of actions, played anew in each iteration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
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
from ludex.planners.parts.final import FinalName, decide, evidence
from ludex.planners.parts.rollout import POLICIES, RolloutName, ValueName, estimator
from ludex.planners.parts.selection import SELECTIONS, SelectionName
from ludex.planners.parts.subset import SubsetBandit


@dataclass(frozen=True, kw_only=True)
class OpenLoopMcts(Planner):
    """UCT whose nodes are sequences of actions, whatever chance makes of them.

    Every iteration plays from the root again, so any kind of chance, hidden facts under a
    belief, several seats and simultaneous moves (decoupled UCT: each seat has its own bandit)
    need nothing special. `open_loop_mcts(rollout_depth=10,depth_from=root,value=score)` is
    the setting of GVGAI's sampleMCTS.
    """

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
    rollout: RolloutName = "uniform"
    """how play goes on below the tree; none: value the leaf by its score"""
    rollout_depth: int = 50
    """ticks after which play is stopped and valued by `value`"""
    depth_from: Literal["leaf", "root"] = "leaf"
    """where those ticks are counted from; root: the tree is no deeper than that either"""
    value: ValueName = "returns"
    """what a result counts: returns (squashed lead in score while unfinished), or the score"""
    score_scale: float = 10.0
    """the lead in score that counts half a win, for unfinished games"""
    final: FinalName = "visits"
    """the action played: most visited, of highest value or lower bound, or drawn by visits"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if len(view.legal) == 1:
            return Decision(action=view.legal[0], notes={"forced": True})
        tree = self.search(model, view, budget, rng)
        visits, values = evidence(view.legal, [tree.root.bandits[view.seat]])
        notes = {"tree_size": tree.size}
        if tree.refused:
            notes["refused"] = tree.refused
        return Decision(
            action=decide(self.final, view.legal, visits, values, rng),
            visits=visits,
            values=values,
            iterations=tree.iterations,
            depth=tree.depth,
            notes=notes,
        )

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> Tree:
        """Grow a tree until the budget is spent."""
        tree = self.empty_tree(view)
        grow(self, model, view, tree, budget, rng)
        return tree

    def empty_tree(self, view: View) -> Tree:
        """The tree before the first iteration."""
        tree = Tree()
        tree.root.bandits[view.seat] = SubsetBandit(view.seat, view.legal)
        return tree


class Node:
    """A sequence of joint actions, with one bandit for each seat that was seen to act there."""

    __slots__ = ("bandits", "children")

    def __init__(self) -> None:
        self.bandits: dict[int, SubsetBandit] = {}
        self.children: dict[tuple[Action, ...], Node] = {}


class Tree:
    """The root and the counters."""

    def __init__(self) -> None:
        self.root = Node()
        self.size = 1
        self.refused = 0  # nodes not added for want of room
        self.iterations = 0
        self.depth = 0


def grow(
    planner: OpenLoopMcts, model: Model, view: View, tree: Tree, budget: Budget, rng: Rng
) -> None:
    """Run iterations until the budget is spent; all names that they use are local, for speed."""
    to_act, legal_of, advance = model.to_act, model.legal, model.advance
    imagine, rollout, settle = model.imagine, model.rollout, model.settle
    choose = SELECTIONS[planner.selection]
    estimate = estimator(model, planner.value, planner.score_scale)
    policy = POLICIES[planner.rollout]
    limit = 0 if planner.rollout == "none" else planner.rollout_depth
    from_root = planner.depth_from == "root"
    deepest = planner.rollout_depth if from_root else inf
    listed = model.traits.listed_chance
    exploration = planner.exploration
    low, high, span = inf, -inf, 0.0
    try:
        for number in rounds(budget, model.meter):
            # Step 1. Play from the root along the tree, to the first sequence without a node.
            state = imagine(view, rng)
            node = tree.root
            path: list[tuple[Bandit, int]] = []
            depth = 0
            while depth < deepest and (seats := to_act(state)):
                joint: list[Action] = []
                for seat in seats:
                    legal = legal_of(state, seat)
                    bandit = node.bandits.get(seat)
                    if bandit is None:
                        bandit = node.bandits[seat] = SubsetBandit(seat, legal)
                    place = bandit.choose(legal, choose, exploration, span, rng)
                    path.append((bandit, place))
                    joint.append(bandit.actions[place])
                actions = tuple(joint)
                advance(state, actions, rng)
                if listed:
                    settle(state, rng)
                depth += 1
                child = node.children.get(actions)
                if child is None:
                    if tree.size < planner.max_nodes:
                        tree.size += 1
                        node.children[actions] = Node()
                    else:
                        tree.refused += 1
                    break
                node = child

            # Step 2. Value the state reached by playing on from it.
            result = rollout(state, policy, limit - depth if from_root and limit else limit, rng)
            if result.cut:
                break
            returns = estimate(result)

            # Step 3. Back up, and keep the range of returns, by which the bonus is scaled.
            mean(path, returns)
            for value in returns:
                if not low <= value <= high:
                    low, high = min(low, value), max(high, value)
                    span = high - low
            tree.depth = max(tree.depth, depth)
            tree.iterations = number + 1
    except BudgetSpent:
        pass  # the unfinished iteration is dropped
