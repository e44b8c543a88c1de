"""Monte-Carlo tree search over sequences of actions, played anew in each iteration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Literal, TypeAlias

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast
from ludex.core.planner import RememberingPlanner
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.planners.parts.backup import mean
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.budget import rounds
from ludex.planners.parts.dynamic_length import DynamicLength
from ludex.planners.parts.final import FinalName, evidence
from ludex.planners.parts.growth import Growth, forced
from ludex.planners.parts.rollout import POLICIES, RolloutName, ValueName, estimator
from ludex.planners.parts.selection import SELECTIONS, SelectionName
from ludex.planners.parts.subset import SubsetBandit


@dataclass(frozen=True, kw_only=True)
class OpenLoopMcts(RememberingPlanner):
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
    """below the tree: any action; any type, then any of it; winning ones; none, but the score"""
    rollout_depth: int = 50
    """ticks after which play is stopped and valued by `value`"""
    depth_from: Literal["leaf", "root"] = "leaf"
    """where those ticks are counted from; root: the tree is no deeper than that either"""
    dynamic_depth: bool = False
    """play longer where all of it seems worth the same, and shorter where it differs"""
    value: ValueName = "returns"
    """what a result counts: returns (squashed lead in score while unfinished), or the score"""
    score_scale: float = 10.0
    """the lead in score that counts half a win, for unfinished games"""
    final: FinalName = "visits"
    """the action played: most visited, of highest value or lower bound, or drawn by visits"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def fresh_memory(self) -> DynamicLength:
        return DynamicLength(self.rollout_depth)

    def plan_on(
        self, memory: DynamicLength, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        if decision := forced(view):
            return decision
        if not self.dynamic_depth:
            tree = self.search(model, view, budget, rng)
        else:
            now = self.clone(rollout_depth=memory.next_length())
            tree = now.search(model, view, budget, rng)
            memory.observe_arms(tree.root.bandits[view.seat], tree.low, tree.high)
        visits, values = evidence(view.legal, [tree.root.bandits[view.seat]])
        return tree.answer(self.final, view, visits, values, rng)

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> Tree:
        """Grow a tree until the budget is spent."""
        tree = Tree()
        grow(self, model, view, tree, budget, rng)
        return tree


class Node:
    """A sequence of joint actions, with one bandit for each seat that was seen to act there."""

    __slots__ = ("bandits", "children")

    def __init__(self) -> None:
        self.bandits: dict[int, SubsetBandit] = {}
        self.children: dict[tuple[Action, ...], Node | LoneNode] = {}


class LoneNode(SubsetBandit):
    """A sequence of actions where one seat plays alone: node and bandit in one.

    Children are found by the place of the action, which is quicker than by the action, and
    made when the action is tried a second time.
    """

    __slots__ = ("after",)

    def __init__(self, seat: int, legal: Sequence[Action]) -> None:
        self.after: list[LoneNode | None] = []
        SubsetBandit.__init__(self, seat, legal)

    def add(self, action: Action) -> int:
        self.after.append(None)
        return SubsetBandit.add(self, action)

    @property
    def bandits(self) -> dict[int, SubsetBandit]:
        return {self.seat: self}

    @property
    def children(self) -> dict[tuple[Action, ...], Node | LoneNode]:
        pairs = zip(self.actions, self.after, strict=True)
        return {(action,): child for action, child in pairs if child is not None}


class Tree(Growth):
    """The root, and what is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.root: Node | LoneNode = Node()


def grow(
    planner: OpenLoopMcts, model: Model, view: View, tree: Tree, budget: Budget, rng: Rng
) -> None:
    """Run iterations until the budget is spent."""
    if not tree.root.bandits:
        tree.root = new_root(model, view)
    rollout = model.rollout
    estimate = estimator(model, planner.value, planner.score_scale)
    policy = POLICIES[planner.rollout]
    limit = 0 if planner.rollout == "none" else planner.rollout_depth
    from_root = planner.depth_from == "root"
    walk = walk_alone if isinstance(tree.root, LoneNode) else walk_together
    steps = walk(planner, model, view, tree, rng)
    try:
        for _ in rounds(budget, model.meter):
            # Step 1. Play from the root along the tree, to the first sequence without a node.
            state, path, depth = next(steps)

            # Step 2. Value the state reached by playing on from it.
            result = rollout(state, policy, limit - depth if from_root and limit else limit, rng)
            if result.cut:
                break
            returns = estimate(result)

            # Step 3. Back up.
            mean(path, returns)
            tree.note(returns, depth)
    except BudgetSpent:
        pass  # the unfinished iteration is dropped


def new_root(model: Model, view: View) -> Node | LoneNode:
    if model.traits.seats == 1:
        return LoneNode(view.seat, view.legal)
    root = Node()
    root.bandits[view.seat] = SubsetBandit(view.seat, view.legal)
    return root


Walk: TypeAlias = Iterator[tuple[Any, list[tuple[Bandit, int]], int]]
"""Endless: the state that each iteration reaches, the way there, and its length."""


def walk_together(planner: OpenLoopMcts, model: Model, view: View, tree: Tree, rng: Rng) -> Walk:
    """Walk down a tree in which several seats act, at once or in turn."""
    to_act, legal_of, advance, settle = model.to_act, model.legal, model.advance, model.settle
    choose, exploration = SELECTIONS[planner.selection], planner.exploration
    deepest = planner.rollout_depth if planner.depth_from == "root" else inf
    listed = model.traits.listed_chance
    while True:
        state = model.imagine(view, rng)
        node: Any = tree.root
        path: list[tuple[Bandit, int]] = []
        depth = 0
        while depth < deepest and (seats := to_act(state)):
            joint: list[Action] = []
            for seat in seats:
                legal = legal_of(state, seat)
                bandit = node.bandits.get(seat)
                if bandit is None:
                    bandit = node.bandits[seat] = SubsetBandit(seat, legal)
                place = bandit.choose(legal, choose, exploration, tree.span, rng)
                path.append((bandit, place))
                joint.append(bandit.actions[place])
            actions = tuple(joint)
            advance(state, actions, rng)
            if listed:
                settle(state, rng)
            depth += 1
            child = node.children.get(actions)
            if child is None:
                if tree.has_room(planner.max_nodes):
                    node.children[actions] = Node()
                break
            node = child
        yield state, path, depth


def walk_alone(planner: OpenLoopMcts, model: Model, view: View, tree: Tree, rng: Rng) -> Walk:
    """Walk down a tree of one seat; every name of the loop is local, for speed."""
    legal_of, advance, settle = model.legal, model.advance, model.settle
    choose, exploration, seat = SELECTIONS[planner.selection], planner.exploration, view.seat
    deepest = planner.rollout_depth if planner.depth_from == "root" else inf
    listed = model.traits.listed_chance
    real = model.imagine(view, rng) if model.traits.model_sees_all else None
    state: Any = None if real is None else real.copy()
    count_copy = model.meter.count_copy
    while True:
        if real is None:
            state = model.imagine(view, rng)
        else:
            state.copy_from(real)  # imagining would copy it, too, into new memory
            count_copy()
        node: Any = tree.root
        above, place = node, 0
        path: list[tuple[Bandit, int]] = []
        depth = 0
        span = tree.span
        while depth < deepest and (legal := legal_of(state, seat)):
            if node is None:
                if not tree.has_room(planner.max_nodes):
                    break
                node = above.after[place] = LoneNode(seat, legal)
            after = node.after
            tried = len(after)
            place = node.choose(legal, choose, exploration, span, rng)
            path.append((node, place))
            advance(state, (node.actions[place],), rng)
            if listed:
                settle(state, rng)
            depth += 1
            if place == tried:  # a new arm
                break
            above, node = node, after[place]
        yield state, path, depth
