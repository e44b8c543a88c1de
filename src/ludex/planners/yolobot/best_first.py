"""Best-first search of YOLOBOT: a repeatable path to a win in a deterministic game."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.prediction import Heading, worth_trying
from ludex.planners.yolobot.sight import Sight, Transition

if TYPE_CHECKING:
    from ludex.planners.yolobot import Yolobot

WinTest: TypeAlias = Literal["made", "expanded"]
Repeats: TypeAlias = Literal["dropped", "bettered"]
FREED_AT_ONCE = 5000
"""states of a search that is over; to free them takes a millisecond or two"""
Order: TypeAlias = tuple[float, int]
"""the gain of a state, and its depth below 0"""


@dataclass(slots=True, eq=False)
class BestFirstNode:
    """A state and how it was reached."""

    state: Any
    """None once it was expanded, or where there was no room for it"""
    key: int
    score: float
    is_won: bool = False
    parent: BestFirstNode | None = None
    action: Any = None
    depth: int = 0

    @classmethod
    def of(
        cls, state: State, sight: Sight, parent: BestFirstNode | None = None, action: Any = None
    ) -> BestFirstNode:
        """The node of a state."""
        depth = 0 if parent is None else parent.depth + 1
        return cls(state, sight.key, sight.score, sight.is_won, parent, action, depth)

    def plan(self) -> list[tuple[int, Any]]:
        """The actions from the root, each with the key of the state it is meant for."""
        steps: list[tuple[int, Any]] = []
        node = self
        while node.parent is not None:
            steps.append((node.parent.key, node.action))
            node = node.parent
        return steps[::-1]


class Expansion(NamedTuple):
    """A state that is being expanded, and what is still to be tried in it."""

    node: BestFirstNode
    state: State
    sight: Sight
    actions: list[Any]


class BestFirst:
    """Algorithm 1: expands the state of highest H = search_score_weight * gain - steps.

    Its open list lives on from one decision to the next.
    """

    def __init__(
        self, knowledge: Knowledge, model: Any, state: State, sight: Sight, planner: Yolobot
    ) -> None:
        self.knowledge = knowledge
        self.model = model
        self.planner = planner
        self.start, self.sight = state, sight
        self.root = BestFirstNode.of(state, sight)
        self.seat: int = sight.view.seat
        self.nothing = model.default_action(state, self.seat)
        self.heading: Heading = model.heading
        self.seen: dict[Hashable, Order] = {sight.key_by(planner.keys): (0.0, 0)}
        self.open: list[tuple[float, int, BestFirstNode]] = [(0.0, 0, self.root)]
        self.firsts: dict[Any, Sight] = {}  # where the actions of the root led the first time
        self.under_way: Expansion | None = None
        self.made = 1
        self.expanded = 0
        self.best: BestFirstNode = self.root
        """of all unfinished states the one of highest score, the nearer the better"""
        self.won: BestFirstNode | None = None
        """the same of all wins"""

    @property
    def is_exhausted(self) -> bool:
        is_empty = not self.open and self.under_way is None
        return is_empty or self.made >= self.planner.max_nodes

    def gain(self, node: BestFirstNode) -> float:
        return node.score - self.root.score

    def expand(self, rng: Rng) -> None:
        """Try what seems worth it in the most promising state.

        What the end of a budget cuts short goes on with the next call.
        """
        if self.under_way is None:
            self.under_way = self.begin(rng)
        if self.under_way is None:
            return
        node, state, sight, actions = self.under_way
        while actions:
            action = actions[0]
            after = self.model.step(state, (action,), rng)
            seen = Sight.of_state(self.model, after, self.seat)
            step = Transition(sight, action, self.heading(action), seen)
            self.knowledge.observe(step, waited=action == self.nothing)
            self.take(BestFirstNode.of(after, seen, node, action), seen)
            actions.pop(0)
        node.state = None  # nobody asks for it any more
        self.under_way = None

    def begin(self, rng: Rng) -> Expansion | None:
        """Take the most promising state; None where there is nothing to try in it."""
        node = self.open[0][2]
        state = node.state
        if state is None and not node.is_won:
            state = self.play_again(node, rng)  # if the budget ends here, its turn comes again
        heappop(self.open)
        self.expanded += 1
        if node.is_won:
            self.note_win(node)
            return None
        sight = Sight.of_state(self.model, state, self.seat)
        if sight.key != node.key:
            self.knowledge.suspect(sight.tick)  # the same line led elsewhere
            return None
        return Expansion(node, state, sight, list(self.actions(sight)))

    def play_again(self, node: BestFirstNode, rng: Rng) -> Any:
        """The state of a node that was not kept."""
        state = self.start.copy()
        self.model.meter.count_copy()
        for _, action in node.plan():
            self.model.advance(state, (action,), rng)
        return state

    def try_again(self, state: State, sight: Sight, rng: Rng) -> None:
        """Play some action in the real state, to see whether it leads where it did before."""
        if sight.key != self.root.key:
            return
        action = rng.choice(sight.legal)
        self.model.advance(state, (action,), rng)
        after = Sight.of_state(self.model, state, self.seat)
        first = self.firsts.setdefault(action, after)
        self.knowledge.saw_twice(sight, first, after)

    def actions(self, sight: Sight) -> Sequence[Any]:
        if not self.planner.knowledge_pruning:
            return sight.legal
        return worth_trying(self.knowledge, sight, sight.legal, self.heading, self.nothing)

    def take(self, child: BestFirstNode, sight: Sight) -> None:
        """Keep a new state, unless it is lost or was seen before."""
        order = self.order(child)
        if sight.is_lost:
            return
        if sight.is_won:
            if self.planner.win_test == "made":
                self.note_win(child)
                return
        elif self.is_repeated(sight.key_by(self.planner.keys), order):
            return
        elif order > self.order(self.best):
            self.best = child
        self.made += 1
        value = self.planner.search_score_weight * self.gain(child) - child.depth
        heappush(self.open, (-value, self.made, child))
        if len(self.open) > self.planner.max_states:
            child.state = None

    def note_win(self, node: BestFirstNode) -> None:
        """Keep a win that is better than the one we have."""
        if self.won is None or self.order(node) > self.order(self.won):
            self.won = node

    def is_repeated(self, key: Hashable, order: Order) -> bool:
        """Whether a state was seen before, and this way to it is no better where that matters."""
        if not self.planner.equal_pruning:
            return False
        known = self.seen.get(key)
        if known is not None:
            is_better = order[0] > known[0] and order[1] >= known[1]
            if self.planner.repeats == "dropped" or not is_better:
                return True
        self.seen[key] = order
        return False

    def order(self, node: BestFirstNode) -> Order:
        """By what states are compared: the score, then fewer steps."""
        return self.gain(node), -node.depth

    def let_go(self) -> bool:
        """Free a part of a search that is over; returns whether something is left."""
        del self.open[-FREED_AT_ONCE:]
        for _ in range(min(len(self.seen), FREED_AT_ONCE)):
            self.seen.popitem()
        return bool(self.open or self.seen)

    @property
    def is_optimal(self) -> bool:
        """Whether the win found has all the points that seem to be there."""
        return self.won is not None and self.gain(self.won) >= self.knowledge.best_score(self.sight)


class LookAhead:
    """A line of doing nothing that grows with each tick: what starts to move, and the end."""

    def __init__(self, knowledge: Knowledge, model: Any, start: Any, sight: Sight) -> None:
        self.knowledge = knowledge
        self.model = model
        self.state = start.copy()
        self.sight = sight
        self.ticks = 0
        self.ends_after: int | None = None
        self.is_won = False
        """whether doing nothing to the end wins"""

    def extend(self, steps: int, rng: Rng) -> None:
        """Wait for some more ticks."""
        seat = self.sight.view.seat
        for _ in range(steps):
            if self.sight.over:
                return
            nothing = self.model.default_action(self.state, seat)
            self.model.advance(self.state, (nothing,), rng)
            after = Sight.of_state(self.model, self.state, seat)
            self.knowledge.observe(Transition(self.sight, nothing, (0, 0), after), waited=True)
            self.sight = after
            self.ticks += 1
            if after.over:
                self.ends_after, self.is_won = self.ticks, after.is_won
