"""Open-loop Monte-Carlo tree search: nodes are action sequences, not states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.rollout import Arms
from ludex.core.state import State
from ludex.core.view import View
from ludex.planners.parts.backup import mean
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.best_line import best_line, ways_after
from ludex.planners.parts.budget import ENDLESS, rounds
from ludex.planners.parts.dynamic_length import DynamicLength
from ludex.planners.parts.growth import Growth, forced
from ludex.planners.parts.recommendation import RecommendationName, evidence
from ludex.planners.parts.rollout import POLICIES, Evaluator, RolloutName, ValueName
from ludex.planners.parts.selection import SELECTIONS, SelectionName
from ludex.planners.parts.subset import SubsetBandit


@dataclass(frozen=True, kw_only=True)
class OpenLoopMcts(StatefulPlanner):
    """Open-loop MCTS (UCT): nodes are action sequences, replayed from the root each iteration.

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
    """what a result counts: returns (squashed gain in score while unfinished), or the score"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""
    final: RecommendationName = "visits"
    """the action played: most visited, of highest value or lower bound, or drawn by visits"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def contradiction(self) -> str | None:
        if self.depth_from == "root" and self.rollout_depth == 0:
            return "rollout_depth=0 with depth_from=root lets no simulation move; raise it"
        return None

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
        made = tree.answer(self.final, view, visits, values, rng)
        return replace(made, thoughts=lambda: tree.thoughts(made.action))

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> SequenceTree:
        """Grow a tree until the budget is spent."""
        tree = SequenceTree()
        grow(self, model, view, tree, budget, rng)
        return tree


class JointSequenceNode:
    """A sequence of joint actions, with one bandit for each seat that was seen to act there."""

    __slots__ = ("bandits", "children")

    def __init__(self) -> None:
        self.bandits: dict[int, SubsetBandit] = {}
        self.children: dict[tuple[Action, ...], JointSequenceNode | SequenceNode] = {}


class SequenceNode(SubsetBandit):
    """A sequence of actions where one seat plays alone: node and bandit in one.

    Children are found by the place of the action, which is quicker than by the action, and
    made when the action is tried a second time.
    """

    __slots__ = ("after",)

    def __init__(self, seat: int, legal: Sequence[Action]) -> None:
        # The same as in its bases, in one frame: a search makes thousands.
        Arms.__init__(self, seat)
        self.untried = list(legal)
        self.actions = []
        self.vectors = []
        self.legal = legal
        self.varies = False
        self.after: list[SequenceNode | None] = []

    def add(self, action: Action) -> int:
        self.after.append(None)
        return SubsetBandit.add(self, action)

    @property
    def bandits(self) -> dict[int, SubsetBandit]:
        return {self.seat: self}

    @property
    def children(self) -> dict[tuple[Action, ...], JointSequenceNode | SequenceNode]:
        pairs = zip(self.actions, self.after, strict=True)
        return {(action,): child for action, child in pairs if child is not None}


class SequenceTree(Growth):
    """The root, and what is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.root: JointSequenceNode | SequenceNode = JointSequenceNode()

    def thoughts(self, played: Action) -> dict[str, Any]:
        """What is expected, where one seat plays alone; others make no single line of it."""
        if not isinstance(self.root, SequenceNode):
            return {}
        return {"best line": best_line(self.root, ways_after, played)}


def grow(
    planner: OpenLoopMcts, model: Model, view: View, tree: SequenceTree, budget: Budget, rng: Rng
) -> None:
    """Run iterations until the budget is spent."""
    if not tree.root.bandits:
        tree.root = new_root(model, view)
    plays = OpenLoopSearch(planner, model, view, tree, rng).plays()
    try:
        # Steps 1 and 2. Play from the root along the tree, to the first sequence without a node,
        # and value the state reached by playing on from it.
        for _, (path, returns, depth) in zip(rounds(budget, model.meter), plays, strict=False):
            # Step 3. Back up.
            mean(path, returns)
            tree.note(returns, depth)
    except BudgetSpent:
        pass  # the unfinished iteration is dropped


def new_root(model: Model, view: View) -> JointSequenceNode | SequenceNode:
    if model.traits.seats == 1:
        return SequenceNode(view.seat, view.legal)
    root = JointSequenceNode()
    root.bandits[view.seat] = SubsetBandit(view.seat, view.legal)
    return root


Path: TypeAlias = list[tuple[Bandit, int]]
Plays: TypeAlias = Iterator[tuple[Path, Sequence[float], int]]
"""Of each iteration: the way down the tree, what play came to, and the length of the way."""


class OpenLoopSearch:
    """One decision: how an iteration goes down the tree, and plays on from where it ends."""

    def __init__(
        self, planner: OpenLoopMcts, model: Model, view: View, tree: SequenceTree, rng: Rng
    ) -> None:
        self.planner = planner
        self.model = model
        self.view = view
        self.tree = tree
        self.rng = rng
        self.choose = SELECTIONS[planner.selection]
        self.policy = POLICIES[planner.rollout]
        self.limit = 0 if planner.rollout == "none" else planner.rollout_depth
        self.from_root = planner.depth_from == "root"
        self.deepest = planner.rollout_depth if self.from_root else ENDLESS
        self.evaluator: Evaluator | None = None

    def plays(self) -> Plays:
        """Iterations without end, but for that of the budget."""
        if not isinstance(self.tree.root, SequenceNode):
            return self.play_together()
        return self.play_at_once() if self.model.traits.model_sees_all else self.play_alone()

    def begin(self) -> Any:
        """Imagine a state to play from; what follows is valued beside it."""
        state = self.model.imagine(self.view, self.rng)
        if self.evaluator is None or not self.model.traits.model_sees_all:
            planner = self.planner
            self.evaluator = Evaluator(self.model, state, planner.value, planner.score_scale)
        return state

    def play_on(self, state: State, depth: int) -> Sequence[float] | None:
        """Value a state reached at this depth; None when the budget ended on the way."""
        limit = self.limit - depth if self.from_root and self.limit else self.limit
        result = self.model.rollout(state, self.policy, limit, self.rng)
        assert self.evaluator is not None
        return None if result.cut else self.evaluator.of_result(result)

    def play_together(self) -> Plays:
        """Go down a tree in which several seats act, at once or in turn."""
        model, tree, rng = self.model, self.tree, self.rng
        choose, exploration = self.choose, self.planner.exploration
        listed = model.traits.listed_chance
        while True:
            state = self.begin()
            node: Any = tree.root
            path: Path = []
            depth = 0
            while depth < self.deepest and (seats := model.to_act(state)):
                joint: list[Action] = []
                for seat in seats:
                    legal = model.legal(state, seat)
                    bandit = node.bandits.get(seat)
                    if bandit is None:
                        bandit = node.bandits[seat] = SubsetBandit(seat, legal)
                    place = bandit.choose(legal, choose, exploration, tree.span, rng)
                    path.append((bandit, place))
                    joint.append(bandit.actions[place])
                actions = tuple(joint)
                model.advance(state, actions, rng)
                if listed:
                    model.settle(state, rng)
                depth += 1
                child = node.children.get(actions)
                if child is None:
                    if tree.has_room(self.planner.max_nodes):
                        node.children[actions] = JointSequenceNode()
                    break
                node = child
            if not (returns := self.play_on(state, depth)):
                return
            yield path, returns, depth

    def play_alone(self) -> Plays:
        """Go down a tree of one seat, looking at what is legal in every state."""
        model, tree, rng, seat = self.model, self.tree, self.rng, self.view.seat
        choose, exploration = self.choose, self.planner.exploration
        listed = model.traits.listed_chance
        while True:
            state = self.begin()
            node: Any = tree.root
            above, place = node, 0
            path: Path = []
            depth = 0
            while depth < self.deepest and (legal := model.legal(state, seat)):
                if node is None:
                    if not tree.has_room(self.planner.max_nodes):
                        break
                    node = above.after[place] = SequenceNode(seat, legal)
                tried = len(node)
                place = node.choose(legal, choose, exploration, tree.span, rng)
                path.append((node, place))
                model.advance(state, (node.actions[place],), rng)
                if listed:
                    model.settle(state, rng)
                depth += 1
                if place == tried:  # a new arm
                    break
                above, node = node, node.after[place]
            if not (returns := self.play_on(state, depth)):
                return
            yield path, returns, depth

    def play_at_once(self) -> Plays:
        """Go down a tree of one seat whose actions are always the same, as in most video games.

        The way down can then be chosen without a look at states, and is played together with
        what follows it in one call. Once a state turns out to have other actions, all the rest
        is left to `play_alone`. Every name of the loop is local, for speed.
        """
        tree, rng, seat, legal = self.tree, self.rng, self.view.seat, self.view.legal
        rollout, policy, limit, from_root = (
            self.model.rollout,
            self.policy,
            self.limit,
            self.from_root and self.limit > 0,
        )
        choose, exploration, levels = self.choose, self.planner.exploration, range(self.deepest)
        start = self.begin()
        assert self.evaluator is not None
        value_of = self.evaluator.of_results_for(seat)
        while True:
            node: Any = tree.root
            above, place, span = node, 0, tree.span
            path: Path = []
            joints: list[tuple[Action]] = []
            fresh = None  # a node that belongs to the tree once it was reached
            for _ in levels:
                if node is None:
                    if not tree.has_room(self.planner.max_nodes):
                        break
                    node = fresh = SequenceNode(seat, legal)
                if node.untried:
                    joints.append((node.draw_untried(rng),))
                    break
                place = choose(node, exploration, span, rng)
                path.append((node, place))
                joints.append((node.actions[place],))
                above, node = node, node.after[place]
            depth = len(joints)
            after = limit - depth if from_root else limit
            result = rollout(start, policy, after, rng, False, False, joints)
            if result.cut:
                return
            if result.ticks < depth:
                depth = result.ticks
                del path[depth:]
                tree.size -= fresh is not None
                if result.returns is None:  # no end: other actions are legal here
                    if returns := self.play_on(result.state, depth):
                        yield path, returns, depth
                        yield from self.play_alone()
                    return
            elif len(path) < depth:  # the last action was new
                if fresh is not None:
                    above.after[place] = fresh
                path.append((node, node.add(node.untried.pop())))
            yield path, (value_of(result),), depth
