"""Open-loop expectimax tree search (OLETS): no rollouts, and a max backup of child values."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any, ClassVar, Literal, TypeAlias

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.notes import LONGEST_LINE, Line
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.state import State
from ludex.core.twin import NativeTree, TwinPlanner
from ludex.core.view import View
from ludex.planners.parts.backup import mean
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.best_line import best_line
from ludex.planners.parts.budget import most_rounds, rounds
from ludex.planners.parts.determinise import Determinisations
from ludex.planners.parts.growth import Growth, forced
from ludex.planners.parts.opponents import OpponentName
from ludex.planners.parts.recommendation import TriedActions, evidence, tried_natively
from ludex.planners.parts.rollout import Evaluator, Value
from ludex.planners.parts.selection import ucb1
from ludex.planners.parts.sequence_node import SequenceNode, ways_after
from ludex.planners.parts.subset import SubsetBandit

OTHERS_EXPLORE = sqrt(2.0)


@dataclass(frozen=True, kw_only=True)
class Olets(TwinPlanner, StatefulPlanner):
    """OLETS: open-loop expectimax tree search over own actions, without rollouts.

    An action is worth the mean of what was found right after it and the best of what follows, by
    how often simulations ended there and how often they went on.
    """

    twin: ClassVar[str | None] = "olets"
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "exploration": AtLeast(0),
        "epsilon": Between(0, 1),
        "taboo_steps": AtLeast(0),
        "taboo_penalty": AtLeast(0),
        "score_scale": AtLeast(1e-9),
        "max_nodes": AtLeast(1),
    }

    exploration: float = 1.0
    """weight of the bonus for rarely tried actions, for values normalised to 0 .. 1"""
    epsilon: float = 0.0
    """probability that any tried action is followed instead of the most promising"""
    taboo_steps: int = 15
    """a place where the seat was fewer decisions ago than this is avoided; 0: none is"""
    taboo_penalty: float = 0.1
    """what is taken from the value of an action that leads to such a place, when choosing"""
    reuse: bool = True
    """begin each decision with the part of the last tree that follows the action played"""
    opponent: OpponentName = "random"
    """other seats: drawn at random, or chosen by bandits for their own good or for our harm"""
    value: Literal["released"] | Value = "returns"
    """what a state counts: returns (squashed gain until the end), score, released, or a function"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def fresh_memory(self) -> OletsMemory:
        return OletsMemory(deque(maxlen=self.taboo_steps))

    def plan_on(
        self, memory: OletsMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        if decision := forced(view):
            memory.played.append(decision.action)
            return decision
        tree = self.grown(memory, model, view, budget, rng)
        visits, values = evidence(view.legal, [tree.tried()])
        made: Decision = tree.answer("visits", view, visits, values, rng)
        line = tree.best_line(made.action)
        memory.keep(tree if self.reuse else None, made.action)
        return replace(made, thoughts=lambda: {"best line": line})

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> OletsTree:
        """Grow a tree until the budget is spent."""
        return self.grown(self.fresh_memory(), model, view, budget, rng)

    def grown(
        self, memory: OletsMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> OletsTree:
        """Grow a tree, or what is kept of the last one, until the budget is spent."""
        kind = NativeOletsTree if self.kernels(model) else OletsTree
        tree = kind(self, model, view, memory, rng)
        tree.grow(budget)
        return tree


@dataclass(slots=True)
class OletsMemory:
    """What one decision leaves for the next."""

    places: deque[Hashable]
    """where the seat was in its last decisions"""
    tree: OletsTree | None = None
    played: list[Action] = field(default_factory=list)
    """the actions since that tree was grown"""

    def keep(self, tree: OletsTree | None, action: Action) -> None:
        self.tree, self.played = tree, [action]

    def take(self) -> OletsTree | None:
        """The last tree, which nothing else holds from now on."""
        tree, self.tree = self.tree, None
        return tree


class OletsNode(SequenceNode):
    """A sequence of our actions, with what was found right after each of the next ones.

    The means are what actions are chosen by: their values, less the penalty of taboo places.
    """

    __slots__ = ("ended", "found", "others", "taboo", "values")

    def __init__(self, seat: int, legal: Sequence[Action]) -> None:
        super().__init__(seat, legal)
        self.values: list[float] = []
        self.ended: list[int] = []  # simulations that ended right after an action
        self.found: list[float] = []  # the sum of their values
        self.taboo: list[bool] = []
        self.others: dict[Situation, SubsetBandit] = {}

    def add(self, action: Action) -> int:
        for values, first in self.columns():
            values.append(first)
        return super().add(action)

    def forget_last(self) -> None:
        for values, _ in self.columns():
            values.pop()
        last = len(self.values)
        self.others = {now: bandit for now, bandit in self.others.items() if now[0] != last}
        super().forget_last()

    def columns(self) -> list[tuple[list[Any], Any]]:
        """What is known of each action beside its arm, and what it begins with."""
        return [(self.values, 0.0), (self.ended, 0), (self.found, 0.0), (self.taboo, False)]

    def visit(self, place: int, penalty: float) -> None:
        """Count a visit of an action, and work out its value from what is known below it.

        value = found / visits + (1 - ended / visits) * best value of the actions that follow
        """
        visits = self.visits[place] + 1
        after, went_on = self.after[place], visits - self.ended[place]
        total = self.found[place]
        if went_on and after is not None:
            total += went_on * max(after.values)
        value = self.values[place] = total / visits
        self.replace(place, value - penalty if self.taboo[place] else value)


def back_up(path: Sequence[tuple[OletsNode, int]], value: float, penalty: float) -> None:
    """Add a simulation that ended with this value right after the last action of a path."""
    last, place = path[-1]
    last.ended[place] += 1
    last.found[place] += value
    for node, place in reversed(path):
        node.visit(place, penalty)


Situation: TypeAlias = tuple[int | None, int, int]
"""When another seat acts: after which of our actions, by its place, or together with us (None);
how many ticks later; which seat"""


class ReleasedEvaluator(Evaluator):
    """The score as it is, and at the end what the released agent makes of it.

    A win is worth score + 100 * (1 + |score|), and anything else score - 2000 / (1 + depth) ** 2
    * (1 + |score|): the later the better.
    """

    def score_of(self, result: Rollout) -> Sequence[float]:
        outcome = self.model.outcome(result.state) if result.returns is not None else None
        if outcome is None:
            return result.scores
        loss = -2000.0 / (1 + result.ticks) ** 2
        return [
            score + (100.0 if seat in outcome.winners else loss) * (1.0 + abs(score))
            for seat, score in enumerate(result.scores)
        ]


class OletsTree(Growth):
    """A tree of sequences of our actions, and one decision that grows it."""

    def __init__(
        self, planner: Olets, model: Model, view: View, memory: OletsMemory, rng: Rng
    ) -> None:
        super().__init__()
        self.planner = planner
        self.model = model
        self.view = view
        self.seat: int = view.seat
        self.rng = rng
        self.states = Determinisations(model, view, rng)
        self.evaluator = self.new_evaluator(self.states.first)
        self.bases = self.evaluator.bases
        memory.places.append(self.place_of(self.states.first))
        self.taboo = set(memory.places)
        self.root = OletsNode(view.seat, view.legal)
        last = memory.take()
        if last is not None and last.bases == self.bases:  # others could not be compared
            self.take_over(last, memory.played)
        self.path: list[tuple[OletsNode, int]] = []  # of this simulation
        self.replies: list[tuple[SubsetBandit, int]] = []  # of the others on it

    def new_evaluator(self, state: State) -> Evaluator:
        planner = self.planner
        if planner.value == "released":
            return ReleasedEvaluator(self.model, state, "score", planner.score_scale)
        return Evaluator(self.model, state, planner.value, planner.score_scale)

    def place_of(self, state: State) -> Hashable:
        """Where the seat is: the cell of its avatar, or the whole state where there are none."""
        cells = self.model.avatars(state)
        return cells[self.seat] if cells else self.model.key(state, ignore=("score", "tick"))

    def take_over(self, last: OletsTree, played: Sequence[Action]) -> None:
        """Go on with the part of the last tree that follows what was played."""
        node: OletsNode | None = last.root
        for action in played:
            node = None if node is None else node.following(action)
        if node is not None:
            self.root, self.size = node, node.count()

    def grow(self, budget: Budget) -> None:
        """Simulate until the budget is spent."""
        try:
            for _ in rounds(budget, self.model.meter):
                self.simulate()
        except BudgetSpent:  # the unfinished simulation is dropped
            for bandit, place in (*self.path, *self.replies):
                if not bandit.visits[place]:
                    bandit.forget_last()

    def simulate(self) -> None:
        """Play from the root along the tree to an action that is new; record what it leads to."""
        self.path, self.replies = [], []
        state = self.states.draw()
        if not self.states.is_known:
            self.evaluator = self.new_evaluator(state)
        self.select(state)
        values = self.evaluator.of_state(state, len(self.path))
        self.note((values[self.seat],), len(self.path))
        self.learn(values)

    # Steps 1 and 2. Select, and expand by one action.

    def select(self, state: State) -> None:
        """Play in place along the tree, to what follows the first action that is new."""
        node: OletsNode | None = self.root
        while node is not None:
            place = self.move(state, node)
            if node.is_first((), (place,)):
                node.taboo[place] = bool(self.taboo) and self.place_of(state) in self.taboo
                return
            node = self.node_after(node, place, state)

    def move(self, state: State, node: OletsNode) -> int:
        """Choose one of our actions and play until we act again; returns its place."""
        legal = self.model.legal(state, self.seat)
        place = node.choose(legal, self.explore, self.planner.exploration, self.span, self.rng)
        self.path.append((node, place))
        self.tick(state, None, 0)
        ticks = 0
        while (seats := self.model.to_act(state)) and self.seat not in seats:
            self.tick(state, place, ticks)
            ticks += 1
        return place

    def explore(self, bandit: Bandit, exploration: float, span: float, rng: Rng) -> int:
        """The highest bound, or with probability epsilon any tried action."""
        if self.planner.epsilon and rng.uniform() < self.planner.epsilon:
            return rng.below(len(bandit))
        return ucb1(bandit, exploration, span, rng)

    def tick(self, state: State, after: int | None, ticks: int) -> None:
        """Play what all choose who act now: together with us, or after one of our actions."""
        node, place = self.path[-1]
        ours = node.actions[place]
        joint = tuple(
            ours if seat == self.seat else self.reply(state, node, (after, ticks, seat))
            for seat in self.model.to_act(state)
        )
        self.model.advance(state, joint, self.rng)
        self.model.settle(state, self.rng)

    def reply(self, state: State, node: OletsNode, now: Situation) -> Action:
        """Choose for another seat, by the bandit that it has in this situation if it learns."""
        seat = now[-1]
        legal = self.model.legal(state, seat)
        if self.planner.opponent == "random":
            return legal[self.rng.below(len(legal))]
        if now not in node.others:
            node.others[now] = SubsetBandit(seat, legal)
        bandit = node.others[now]
        place = bandit.choose(legal, ucb1, OTHERS_EXPLORE, self.span, self.rng)
        self.replies.append((bandit, place))
        return bandit.actions[place]

    def node_after(self, node: OletsNode, place: int, state: State) -> OletsNode | None:
        """What follows an action where we act again; none where there is no room for it."""
        if not self.model.to_act(state):
            return None
        if node.after[place] is None and self.has_room(self.planner.max_nodes):
            node.new_child((), (place,), self.model.legal(state, self.seat))
        return node.after[place]

    # Step 3. Back up.

    def learn(self, values: Sequence[float]) -> None:
        """Add what all seats found at the end of the path."""
        ours = values[self.seat]
        back_up(self.path, ours, self.planner.taboo_penalty * self.span)
        if self.planner.opponent == "pessimistic":
            values = [-ours] * len(values)
        mean(self.replies, values)

    # What the root says

    def tried(self) -> TriedActions:
        root = self.root
        return TriedActions(root.actions, root.visits, root.values, root.squares, root.total)

    def best_line(self, played: Action) -> Line:
        return best_line(self.root, ways_after, played)


class NativeOletsTree(OletsTree):
    """The same tree, grown by the native twin."""

    tree: NativeTree
    kept: tuple[NativeTree, Sequence[Action]] | None = None

    def place_of(self, state: State) -> Hashable:
        return self.states.native.native_place(state, self.seat)  # type: ignore[no-any-return]  # of any model

    def take_over(self, last: OletsTree, played: Sequence[Action]) -> None:
        """Hand the last tree to the native search, which goes on with a part of it."""
        if isinstance(last, NativeOletsTree):
            self.kept = last.tree, played

    def grow(self, budget: Budget) -> None:
        kept, self.kept = self.kept, None
        self.tree = self.states.native.native_olets(
            self.planner,
            self.states.native_source(),
            self.view.legal,
            self.seat,
            most_rounds(budget),
            self.rng,
            list(self.taboo),
            kept,
        )
        self.take_counters(self.tree)

    def tried(self) -> TriedActions:
        return tried_natively(self.tree, self.seat)[0]

    def best_line(self, played: Action) -> Line:
        return Line(tuple(self.tree.best_line(played, LONGEST_LINE)))
