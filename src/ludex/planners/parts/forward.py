"""Forward search through states: the base of breadth-first, best-first, width and beam search.

A node is a state in which the deciding seat acts, or in which the game is over. The others move
between two nodes, by the planner's `opponent`; chance is drawn once for each node.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar, Literal

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.notes import Line
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.core.view import View
from ludex.planners.parts.budget import ENDLESS
from ludex.planners.parts.growth import answered, forced
from ludex.planners.parts.opponents import OpponentName, Opponents, act
from ludex.planners.parts.rollout import Evaluator, ValueName


class ForwardNode:
    """A state, how it was reached, and what was gained on the way."""

    __slots__ = (
        "action",
        "depth",
        "first",
        "gain",
        "hint",
        "is_won",
        "key",
        "parent",
        "state",
        "value",
    )

    depth: int
    first: Action
    """the action of the root that this node follows"""

    def __init__(self, state: State, parent: ForwardNode | None, action: Action) -> None:
        self.state: Any = state  # None when nobody asks for it any more
        self.parent = parent
        self.action = action
        self.depth = 0 if parent is None else parent.depth + 1
        self.value = 0.0  # of the state
        self.gain = 0.0  # of the path: discounted changes in worth, less penalties
        self.hint = 0.0  # a guess of the steps still missing, where the planner asks for one
        self.first = action if parent is None or parent.parent is None else parent.first
        self.key: Hashable = None
        self.is_won = False

    def path(self) -> list[ForwardNode]:
        """The nodes after the root, up to this one."""
        nodes: list[ForwardNode] = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]


class ForwardMemory:
    """How often each real state was met, and a plan that is being followed."""

    def __init__(self) -> None:
        self.visited: Counter[Hashable] = Counter()
        self.plan: list[tuple[Hashable, Action]] = []  # an action, and the state it is meant for
        # Freeing thousands of states takes time, which is taken from the next decision: at the
        # end of this one it would come on top of the budget.
        self.spent: ForwardSearch | None = None


@dataclass(frozen=True, kw_only=True)
class ForwardPlanner(StatefulPlanner):
    """The base of planners that search through states: subclasses say in which order.

    Where nothing is left to chance and nobody else plays, a plan that wins is followed to its
    end without another search, as long as the game goes as foreseen.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "discount": Between(0, 1),
        "revisit_penalty": AtLeast(0),
        "score_scale": AtLeast(1e-9),
        "max_nodes": AtLeast(2),
    }

    discount: float = 1.0
    """what a gain one step later counts, of one now"""
    revisit_penalty: float = 0.1
    """taken from a path for each earlier decision in a state that it passes through"""
    ties: Literal["shallowest", "any"] = "shallowest"
    """which of equally good paths is followed: one of the shortest, or any"""
    ignore: tuple[str, ...] = ("tick", "ids", "score")
    """states that differ in these alone are the same; in VGDL `orientation` can be ignored, too"""
    opponent: OpponentName = "random"
    """other seats between our actions: play at random, or look one step ahead"""
    value: ValueName = "returns"
    """what a state counts: returns (squashed gain in score while unfinished), or the score"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""
    max_nodes: int = 100_000
    """the search ends with this many states in memory"""

    def fresh_memory(self) -> ForwardMemory:
        return ForwardMemory()

    @abstractmethod
    def explore(self, search: ForwardSearch) -> None:
        """Expand nodes in the order of this planner, until none is left or a win is found.

        `search.keep` tells which children are worth answering with; BudgetSpent ends it all.
        """

    def plan_on(
        self, memory: ForwardMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        memory.spent = None
        search = memory.spent = ForwardSearch(self, model, view, memory, rng)
        memory.visited[search.root.key] += 1
        if decision := forced(view):
            del memory.plan[:1]
            return decision
        if memory.plan and memory.plan[0][0] == search.root.key:
            action = memory.plan.pop(0)[1]
            if action in view.legal:
                left = Line((action, *(step for _, step in memory.plan)))
                return Decision(
                    action=action,
                    notes={"complete": True, "plan": len(memory.plan)},
                    thoughts=lambda: {"plan": left},
                )
        memory.plan = []
        is_complete = search.run(budget)
        best = search.best
        path = best.path()
        if best.is_won and search.is_certain:
            keys = [node.key for node in path]
            actions = [node.action for node in path[1:]]
            memory.plan = list(zip(keys, actions, strict=False))
        notes: dict[str, Any] = {"nodes": search.nodes}
        if best.is_won:
            notes["plan"] = len(path)
        if is_complete:
            notes["complete"] = True
        action = path[0].action if path else view.legal[rng.below(len(view.legal))]
        made = answered(search, action, search.visits, search.gains, notes)
        line = "plan" if best.is_won else "best line"
        return replace(made, thoughts=lambda: {line: Line(tuple(node.action for node in path))})


class ForwardSearch:
    """One decision: the states reached, and the best path so far."""

    def __init__(
        self, planner: ForwardPlanner, model: Model, view: View, memory: ForwardMemory, rng: Rng
    ) -> None:
        self.planner = planner
        self.model = model
        self.view = view
        self.seat = view.seat
        self.memory = memory
        self.rng = rng
        traits = model.traits
        self.is_alone = traits.seats == 1
        self.is_certain = self.is_alone and traits.chance == "none"
        state = model.imagine(view, rng)
        evaluator = Evaluator(model, state, planner.value, planner.score_scale)
        self.value_of = evaluator.of_states_for(self.seat)
        self.others = Opponents(planner.opponent, self.seat, evaluator)
        self.penalty = planner.revisit_penalty * evaluator.point
        self.unit = evaluator.point / 100
        self.root = self.node(state, None, None)
        self.best = self.root
        self.ties = 1  # nodes as good as the best
        self.nodes = 1
        self.iterations = 0
        self.left = ENDLESS
        self.is_timed = False
        self.is_cut = False  # children were left out for want of budget
        self.depth = 0
        self.visits: dict[Action, int] = dict.fromkeys(view.legal, 0)
        self.gains: dict[Action, float] = {}
        self.held: list[Any] = []

    def run(self, budget: Budget) -> bool:
        """Search until the planner has nothing left to do (True) or the budget is spent."""
        self.left = budget.iterations or ENDLESS
        self.is_timed = budget.time_ms is not None
        try:
            self.planner.explore(self)
        except BudgetSpent:
            return False
        return not self.is_cut

    @property
    def is_late(self) -> bool:
        """Whether a budget of time has ended; one of calls ends where they are made."""
        return self.is_timed and self.model.meter.spent

    def look_at_clock(self) -> None:
        """End the search when its time is over: for work that calls no model for long."""
        if self.is_late:
            raise BudgetSpent

    def hold(self, *things: Any) -> None:
        """Keep a planner's lists alive until the next decision has time to free them."""
        self.held.append(things)

    def node(self, state: State, parent: ForwardNode | None, action: Action) -> ForwardNode:
        """Make the node of a state and work out its gain."""
        node = ForwardNode(state, parent, action)
        node.value = self.value_of(state)
        node.key = self.model.key(state, ignore=self.planner.ignore)
        if parent is not None:
            change = node.value - parent.value
            if again := self.memory.visited[node.key]:
                change -= self.penalty * again
            node.gain = parent.gain + self.planner.discount**parent.depth * change
        if self.model.over(state):
            outcome = self.model.outcome(state)
            node.is_won = outcome is not None and self.seat in outcome.winners
        return node

    def rounded(self, node: ForwardNode) -> int:
        """The gain in hundredths of a point of score: closer ones are the same."""
        return round(node.gain / self.unit)

    def expand(self, node: ForwardNode) -> list[ForwardNode]:
        return self.expand_all([node])

    def expand_all(self, nodes: Sequence[ForwardNode]) -> list[ForwardNode]:
        """Make the children of nodes, for as long as the budget lasts; one iteration per node."""
        if self.left <= 0 or self.nodes >= self.planner.max_nodes:
            raise BudgetSpent
        nodes = nodes[: self.left]
        tries: list[tuple[ForwardNode, Action]] = []
        for parent in nodes:
            actions = list(self.model.legal(parent.state, self.seat))
            self.rng.shuffle(actions)
            tries += [(parent, action) for action in actions]
        states = self.states_after(tries)
        children: list[ForwardNode] = []
        for state, (parent, action) in zip(states, tries, strict=False):
            if children and self.is_late:
                break
            children.append(self.node(state, parent, action))
        self.is_cut |= len(children) < len(tries)
        for parent in nodes:
            if parent is not self.root:
                parent.state = None  # nobody asks for it any more
        self.left -= len(nodes)
        self.iterations += len(nodes)
        self.nodes += len(children)
        for child in children:
            if child.parent is self.root:
                self.keep(child)
        return children

    def expand_unseen(self, nodes: Sequence[ForwardNode], seen: set[Hashable]) -> list[ForwardNode]:
        """Keep the children whose states were not seen yet, with a guess of what they miss."""
        fresh: list[ForwardNode] = []
        for child in self.expand_all(nodes):
            if fresh and self.is_late:
                self.is_cut = True
                break
            if child.key not in seen:
                seen.add(child.key)
                child.hint = self.model.distance(child.state, self.seat)
                self.keep(child)
                fresh.append(child)
        return fresh

    def states_after(self, tries: Sequence[tuple[ForwardNode, Action]]) -> list[Any]:
        """Play every action; states that the budget does not reach are left out at the end."""
        model, rng = self.model, self.rng
        if self.is_alone:
            if not tries:
                return []
            stream = rng.fork("expand", self.iterations)
            return model.step_many(
                [parent.state for parent, _ in tries], [(action,) for _, action in tries], stream
            )
        states: list[Any] = []
        for parent, action in tries:
            after = parent.state.copy()
            model.meter.count_copy()
            try:
                act(model, after, self.seat, action, self.others, rng)
            except BudgetSpent:
                if not states:
                    raise
                break
            states.append(after)
        return states

    def keep(self, node: ForwardNode) -> None:
        """Take a node into account for the answer."""
        first = node.first
        self.visits[first] += 1
        if node.gain > self.gains.get(first, -inf):
            self.gains[first] = node.gain
        if node.depth > self.depth:
            self.depth = node.depth
        order, best = self.order(node), self.order(self.best)
        if self.best is self.root or order > best:
            self.best, self.ties = node, 1
        elif order == best:
            self.ties += 1
            if self.rng.below(self.ties) == 0:  # each of the equals is as likely in the end
                self.best = node

    def order(self, node: ForwardNode) -> tuple[float, float, int]:
        """By what nodes are compared: gain, what is missing, and depth if shorter is better."""
        depth = -node.depth if self.planner.ties == "shallowest" else 0
        return self.rounded(node), -node.hint, depth
