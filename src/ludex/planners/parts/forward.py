"""Forward search through states: the base of breadth-first, best-first, width and beam search.

A node is a state in which the deciding seat acts, or in which the game is over. The others move
between two nodes, by the planner's `opponent`; chance is drawn once for each node.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.native_model import OpenNativeModel
from ludex.core.notes import Line
from ludex.core.own_part import checked_number
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.core.twin import TwinPlanner, native_rules
from ludex.core.view import View
from ludex.planners.parts.budget import ENDLESS
from ludex.planners.parts.growth import answered, forced
from ludex.planners.parts.opponents import OpponentName, Opponents, act
from ludex.planners.parts.rollout import Evaluator, Value

Plan: TypeAlias = list[tuple[Hashable, Action]]
"""actions, each with the key of the state that it is meant for"""


class HeuristicFunction(Protocol):
    """How many steps are missing from a state to a win for a seat: 0 or more.

    A* finds a shortest path where it is never too high.
    """

    def __call__(self, model: Model, state: Any, seat: int, /) -> float: ...


class ForwardNode:
    """A state, how it was reached, and what was gained on the way."""

    __slots__ = (
        "action",
        "depth",
        "first",
        "gain",
        "hint",
        "is_kept",
        "is_won",
        "key",
        "parent",
        "state",
        "value",
        "weight",
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
        self.weight = 1.0  # what a change after this node counts
        self.hint = 0.0  # a guess of the steps still missing, where the planner asks for one
        self.first = action if parent is None or parent.parent is None else parent.first
        self.key: Hashable = None
        self.is_won = False
        self.is_kept = False

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
        self.plan: Plan = []
        # Freeing thousands of states takes time, which is taken from the next decision: at the
        # end of this one it would come on top of the budget.
        self.last: ForwardSearch | None = None


@dataclass(frozen=True, kw_only=True)
class ForwardPlanner(TwinPlanner, StatefulPlanner):
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
    value: Value = "returns"
    """what a state counts: returns (squashed gain while unfinished), score, or a function"""
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

    def guess(self, model: Model, state: State, seat: int) -> float:
        """How many steps are missing to a win, where the order of this planner asks for it."""
        return 0.0

    def native_parts(self, model: Model) -> dict[str, Any]:
        """Whether features and distances of the world are its own; else they follow from keys."""
        rules: Any = type(native_rules(model))
        return {
            "own_features": rules.features is not OpenNativeModel.features,
            "own_distance": rules.distance is not OpenNativeModel.distance,
        }

    def plan_on(
        self, memory: ForwardMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        memory.last = None
        search = memory.last = self.begin(memory, model, view, rng)
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
        search.run(budget)
        plan = search.plan
        memory.plan = plan[1:] if search.is_won and search.is_certain else []
        notes: dict[str, Any] = {"nodes": search.nodes}
        if search.is_won:
            notes["plan"] = len(plan)
        if search.is_complete:
            notes["complete"] = True
        action = plan[0][1] if plan else view.legal[rng.below(len(view.legal))]
        made = answered(search, action, search.visits, search.gains, notes)
        line, steps = "plan" if search.is_won else "best line", tuple(step for _, step in plan)
        return replace(made, thoughts=lambda: {line: Line(steps)})

    def begin(self, memory: ForwardMemory, model: Model, view: View, rng: Rng) -> ForwardSearch:
        """Look at the real state: the search that begins there, native where it can be."""
        kind = NativeForwardSearch if self.kernels(model) else ForwardSearch
        search = kind(self, model, view, memory, rng)
        memory.visited[search.root.key] += 1
        return search

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> ForwardSearch:
        """Search as in a first decision."""
        search = self.begin(self.fresh_memory(), model, view, rng)
        search.run(budget)
        return search


@dataclass(frozen=True, kw_only=True)
class GuidedPlanner(ForwardPlanner):
    """The base of those that ask a heuristic how far a state is from a win."""

    heuristic: Literal["world"] | HeuristicFunction = "world"
    """steps that a state is from a win: as the world guesses, or a function"""

    def guess(self, model: Model, state: State, seat: int) -> float:
        if isinstance(self.heuristic, str):
            return model.distance(state, seat)
        return checked_number(self.heuristic, self.heuristic(model, state, seat))


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
        self.is_certain = traits.seats == 1 and traits.chance == "none"
        state = model.imagine(view, rng)
        evaluator = Evaluator(model, state, planner.value, planner.score_scale)
        self.value_of = evaluator.of_states_for(self.seat)
        self.others = Opponents(planner.opponent, self.seat, evaluator)
        self.penalty = planner.revisit_penalty * evaluator.point
        self.unit = evaluator.point / 100
        self.root = self.node(state, None, None)
        self.best = self.root
        self.ties = 1  # nodes as good as the best
        self.kept: list[ForwardNode] = []
        self.held: list[Any] = []  # what else is freed with the search, and not earlier
        self.nodes = 1
        self.iterations = 0
        self.left = ENDLESS
        self.is_timed = False
        self.is_complete = False
        self.depth = 0
        self.visits: dict[Action, int] = dict.fromkeys(view.legal, 0)
        self.gains: dict[Action, float] = {}

    def run(self, budget: Budget) -> None:
        """Search until the planner has nothing left to do or the budget is spent."""
        self.left = budget.iterations or ENDLESS
        self.is_timed = budget.time_ms is not None
        try:
            self.planner.explore(self)
            self.is_complete = True
        except BudgetSpent:
            pass

    def look_at_clock(self) -> None:
        """End the search when its time is over: for work that calls no model for long."""
        if self.is_timed and self.model.meter.spent:
            raise BudgetSpent

    def key_of(self, state: State) -> Hashable:
        return self.model.key(state, ignore=self.planner.ignore)

    def node(self, state: State, parent: ForwardNode | None, action: Action) -> ForwardNode:
        """Make the node of a state and work out its gain."""
        node = ForwardNode(state, parent, action)
        node.value = self.value_of(state)
        node.key = self.key_of(state)
        if parent is not None:
            change = node.value - parent.value
            if again := self.memory.visited[node.key]:
                change -= self.penalty * again
            node.gain = parent.gain + parent.weight * change
            node.weight = parent.weight * self.planner.discount
        outcome = self.model.outcome(state)
        node.is_won = outcome is not None and self.seat in outcome.winners
        return node

    def rounded(self, node: ForwardNode) -> int:
        """The gain in hundredths of a point of score: closer ones are the same."""
        return round(node.gain / self.unit)

    def expand(self, node: ForwardNode) -> Iterator[ForwardNode]:
        """Make the children of a node, one after another; all of them are one iteration.

        What can be played now counts for the answer, whether its state is new or not.
        """
        model, rng = self.model, self.rng
        if self.left <= 0 or self.nodes >= self.planner.max_nodes or model.meter.spent:
            raise BudgetSpent
        self.left -= 1
        self.iterations += 1
        actions = list(model.legal(node.state, self.seat))
        rng.shuffle(actions)
        for action in actions:
            state = node.state.copy()
            model.meter.count_copy()
            act(model, state, self.seat, action, self.others, rng)
            self.nodes += 1
            child = self.node(state, node, action)
            yield child
            if node is self.root and not child.is_kept:
                self.keep(child)
        if node is not self.root:
            node.state = None  # nobody asks for it any more

    def keep(self, node: ForwardNode) -> None:
        """Take a node into account for the answer."""
        node.is_kept = True
        self.kept.append(node)
        if not node.is_won:
            node.hint = self.planner.guess(self.model, node.state, self.seat)
        first = node.first
        self.visits[first] += 1
        self.gains[first] = max(self.gains.get(first, -inf), node.gain)
        self.depth = max(self.depth, node.depth)
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

    # What it found

    @property
    def is_won(self) -> bool:
        return self.best.is_won

    @property
    def plan(self) -> Plan:
        """The best path."""
        path = self.best.path()
        keys = [self.root.key, *(node.key for node in path)]
        return [(key, node.action) for key, node in zip(keys, path, strict=False)]


class NativeForwardSearch(ForwardSearch):
    """The same search by the native twin; its keys are shorter."""

    found: Any

    def key_of(self, state: State) -> Hashable:
        key: bytes = self.rules.native_key(state, self.planner.ignore)
        return key

    @property
    def rules(self) -> Any:
        return native_rules(self.model)

    def run(self, budget: Budget) -> None:
        found = self.found = self.rules.native_forward(
            self.planner,
            self.root.state,
            self.seat,
            budget.iterations or ENDLESS,
            self.rng,
            dict(self.memory.visited),
            self.planner.native_parts(self.model),
        )
        self.nodes, self.iterations, self.depth = found.size, found.iterations, found.depth
        self.is_complete = found.complete
        for action, visits, gain in found.tried():
            self.visits[action], self.gains[action] = visits, gain

    @property
    def is_won(self) -> bool:
        won: bool = self.found.won
        return won

    @property
    def plan(self) -> Plan:
        steps: Plan = self.found.plan()
        return steps
