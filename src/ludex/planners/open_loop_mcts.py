"""Open-loop Monte-Carlo tree search: nodes are action sequences, not states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.notes import LONGEST_LINE, Line
from ludex.core.parameters import AtLeast
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.core.traits import Traits
from ludex.core.twin import NativeTree, ThreadedPlanner
from ludex.core.view import View
from ludex.planners.parts.backup import mean
from ludex.planners.parts.best_line import best_line
from ludex.planners.parts.budget import ENDLESS, most_rounds, rounds
from ludex.planners.parts.determinise import Determinisations
from ludex.planners.parts.dynamic_length import DynamicLength
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
from ludex.planners.parts.sequence_node import JointSequenceNode, SequenceNode, ways_after
from ludex.planners.parts.subset import SubsetBandit


@dataclass(frozen=True, kw_only=True)
class OpenLoopMcts(ThreadedPlanner, StatefulPlanner):
    """Open-loop MCTS (UCT): nodes are action sequences, replayed from the root each iteration.

    Every iteration plays from the root again, so any kind of chance, hidden facts under a
    belief, several seats and simultaneous moves (decoupled UCT: each seat has its own bandit)
    need nothing special. `open_loop_mcts(rollout_depth=10,depth_from=root,value=score)` is
    the setting of GVGAI's sampleMCTS.
    """

    twin: ClassVar[str | None] = "open_loop_mcts"
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
    rollout: RolloutPolicy = "uniform"
    """below the tree: uniform, type_first, decisive, a policy of the world's own, or none"""
    rollout_depth: int = 50
    """ticks after which play is stopped and valued by `value`"""
    depth_from: Literal["leaf", "root"] = "leaf"
    """where those ticks are counted from; root: the tree is no deeper than that either"""
    dynamic_depth: bool = False
    """play longer where all of it seems worth the same, and shorter where it differs"""
    reuse: bool = False
    """begin each decision with the part of the last tree that follows the action played"""
    value: Value = "returns"
    """what a result counts: returns (squashed gain while unfinished), score, or a function"""
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

    def refusal(self, traits: Traits) -> str | None:
        return super().refusal(traits) or policy_refusal(self.rollout, traits)

    def fresh_memory(self) -> OpenLoopMemory:
        return OpenLoopMemory(DynamicLength(self.rollout_depth))

    def plan_on(
        self, memory: OpenLoopMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        if decision := forced(view):
            memory.kept = None  # nothing was searched, so nothing is known of what follows
            return decision
        now = self
        if self.dynamic_depth:
            now = self.clone(rollout_depth=memory.length.next_length())
        tree = now.grown(model, view, budget, rng, memory.kept)
        if self.dynamic_depth:
            memory.length.observe_arms(tree.root_bandit(view.seat), tree.low, tree.high)
        visits, values = evidence(view.legal, [tree.root_bandit(view.seat)])
        made = tree.answer(self.final, view, visits, values, rng)
        memory.kept = KeptTree(tree, made.action) if self.reuse else None
        return replace(made, thoughts=lambda: tree.thoughts(made.action))

    def native_parts(self, model: Model) -> dict[str, Any]:
        return Rollouts(self.rollout, self.rollout_depth, model).native_parts(self.rollout)

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> SequenceTree:
        """Grow a tree until the budget is spent."""
        return self.grown(model, view, budget, rng, None)

    def grown(
        self, model: Model, view: View, budget: Budget, rng: Rng, kept: KeptTree | None
    ) -> SequenceTree:
        """Grow a tree, or what is kept of the last one, until the budget is spent."""
        tree = self.new_tree(model, view, rng, kept)
        tree.grow(budget)
        return tree

    def new_tree(self, model: Model, view: View, rng: Rng, kept: KeptTree | None) -> SequenceTree:
        kind = NativeSequenceTree if self.kernels(model) else SequenceTree
        return kind(self, model, view, rng, kept)


@dataclass(slots=True)
class OpenLoopMemory:
    """What one decision leaves for the next."""

    length: DynamicLength
    kept: KeptTree | None = None


@dataclass(frozen=True, slots=True)
class KeptTree:
    """The tree of the last decision, of which the part after the action played is used again."""

    tree: SequenceTree
    action: Action


Node: TypeAlias = SequenceNode | JointSequenceNode
Path: TypeAlias = list[tuple[SubsetBandit, int]]


class SequenceTree(Growth):
    """A tree of action sequences, and one decision that grows it."""

    def __init__(
        self,
        planner: OpenLoopMcts,
        model: Model,
        view: View,
        rng: Rng,
        kept: KeptTree | None = None,
    ) -> None:
        super().__init__()
        self.planner = planner
        self.model = model
        self.view = view
        self.rng = rng
        self.rollouts = Rollouts(planner.rollout, planner.rollout_depth, model)
        self.deepest = planner.rollout_depth if planner.depth_from == "root" else ENDLESS
        self.states = Determinisations(model, view, rng)
        self.evaluator = self.new_evaluator(self.states.first)
        self.root = new_root(model, view)
        if kept is not None:
            self.take_over(kept)

    def new_evaluator(self, state: State) -> Evaluator:
        return Evaluator(self.model, state, self.planner.value, self.planner.score_scale)

    def take_over(self, kept: KeptTree) -> None:
        """Go on with a part of the last tree, where one seat plays and the score is as it was.

        Values beside another score could not be compared.
        """
        root, bases = kept.tree.root, kept.tree.evaluator.bases
        following = root.following(kept.action) if isinstance(root, SequenceNode) else None
        if following is not None and self.states.is_known and bases == self.evaluator.bases:
            self.root, self.size = following, following.count()

    def grow(self, budget: Budget) -> None:
        """Run iterations until the budget is spent."""
        path: Path = []
        try:
            for _ in rounds(budget, self.model.meter):
                path = []
                self.iterate(path)
        except BudgetSpent:  # the unfinished iteration is dropped
            for bandit, place in path:
                if not bandit.visits[place]:
                    bandit.forget_last()

    def iterate(self, path: Path) -> None:
        """Play from the root along the tree, then on from where it ends; record the result."""
        state = self.states.draw()
        if not self.states.is_known:
            self.evaluator = self.new_evaluator(state)
        depth = self.select(state, path)
        returns = self.simulate(state, depth)
        self.back_up(path, returns)
        self.note(returns, depth)

    # Steps 1 and 2. Select, and expand by one sequence.

    def select(self, state: State, path: Path) -> int:
        """Play in place along the tree, to the first action that is new; returns how many ticks."""
        model = self.model
        node: Node | None = self.root
        way: Any = None  # the node above with the actions taken there
        depth = 0
        while depth < self.deepest and (seats := model.to_act(state)):
            legal = [model.legal(state, seat) for seat in seats]
            if node is None:
                if not self.has_room(self.planner.max_nodes):
                    break
                above, joint, places = way
                node = above.new_child(joint, places, legal[0])
            bandits = [node.bandit_of(seat, one) for seat, one in zip(seats, legal, strict=True)]
            places = [self.choose(*pair, path) for pair in zip(bandits, legal, strict=True)]
            joint = tuple(
                bandit.actions[place] for bandit, place in zip(bandits, places, strict=True)
            )
            model.advance(state, joint, self.rng)
            model.settle(state, self.rng)
            depth += 1
            if node.is_first(joint, places):
                break
            way = node, joint, places
            node = node.child(joint, places)
        return depth

    def choose(self, bandit: SubsetBandit, legal: Sequence[Action], path: Path) -> int:
        """Choose one of the legal actions for a seat; returns its place."""
        rule = SELECTIONS[self.planner.selection]
        place = bandit.choose(legal, rule, self.planner.exploration, self.span, self.rng)
        path.append((bandit, place))
        return place

    # Step 3. Simulate.

    def simulate(self, state: State, depth: int) -> Sequence[float]:
        """Value a state reached at this depth by playing on from it."""
        limit = self.rollouts.limit
        if self.planner.depth_from == "root" and limit:
            limit -= depth
        result = self.rollouts.play(state, self.rng, limit)
        if result.cut:
            raise BudgetSpent
        return self.evaluator.of_result(result)

    # Step 4. Back up.

    def back_up(self, path: Path, returns: Sequence[float]) -> None:
        """Record the result for every action of the path."""
        mean(path, returns)

    # What the root says

    def root_bandit(self, seat: int) -> Tried:
        return self.root.bandits[seat]

    def thoughts(self, played: Action) -> dict[str, Any]:
        """What is expected, where one seat plays alone; others make no single line of it."""
        if not isinstance(self.root, SequenceNode):
            return {}
        return {"best line": best_line(self.root, ways_after, played)}


class NativeSequenceTree(SequenceTree):
    """The same tree, grown by the native twin."""

    tree: NativeTree
    kept: tuple[NativeTree, Action] | None = None

    def take_over(self, kept: KeptTree) -> None:
        """Hand what is kept to the native search, which decides whether it can be used."""
        is_same = kept.tree.evaluator.bases == self.evaluator.bases and self.states.is_known
        if is_same and isinstance(kept.tree, NativeSequenceTree):
            self.kept = kept.tree.tree, kept.action

    def grow(self, budget: Budget) -> None:
        self.tree = self.states.native.native_open_loop(
            self.planner,
            self.states.native_source(),
            self.view.legal,
            self.view.seat,
            most_rounds(budget),
            self.rng,
            self.planner.native_parts(self.model),
            self.kept,
        )
        self.take_counters(self.tree)

    def root_bandit(self, seat: int) -> Tried:
        return tried_natively(self.tree, seat)[0]

    def thoughts(self, played: Action) -> dict[str, Any]:
        if self.model.traits.seats > 1:
            return {}
        return {"best line": Line(tuple(self.tree.best_line(played, LONGEST_LINE)))}


def new_root(model: Model, view: View) -> Node:
    """The node of the empty sequence."""
    if model.traits.seats == 1:
        return SequenceNode(view.seat, view.legal)
    root = JointSequenceNode()
    root.bandit_of(view.seat, view.legal)
    return root
