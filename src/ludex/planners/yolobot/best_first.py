"""The search side: an exactly repeatable way to a win, from a state that stands still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from ludex.core.rng import Rng
from ludex.planners.yolobot.knowledge import Knowledge
from ludex.planners.yolobot.prediction import Heading, worth_trying
from ludex.planners.yolobot.sight import Sight, Transition


@dataclass(slots=True, eq=False)
class Node:
    """A state and how it was reached."""

    state: Any
    sight: Sight
    parent: Node | None = None
    action: Any = None
    depth: int = 0

    def plan(self) -> list[tuple[int, Any]]:
        """The actions from the root, each with the key of the state it is meant for."""
        steps: list[tuple[int, Any]] = []
        node = self
        while node.parent is not None:
            steps.append((node.parent.sight.key, node.action))
            node = node.parent
        return steps[::-1]


class BestFirst:
    """Algorithm 1: expands the state of highest H = score_weight * gain - steps.

    Its open list lives on from one decision to the next.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        model: Any,
        root: Node,
        *,
        score_weight: float,
        drop_equal: bool,
        prune: bool,
        max_nodes: int,
    ) -> None:
        self.knowledge = knowledge
        self.model = model
        self.root = root
        self.score_weight = score_weight
        self.drop_equal = drop_equal
        self.prune = prune
        self.max_nodes = max_nodes
        self.seat: int = root.sight.view.seat
        self.nothing = model.default_action(root.state, self.seat)
        self.heading: Heading = model.heading
        self.seen: set[int] = {root.sight.key}
        self.open: list[tuple[float, int, Node]] = [(0.0, 0, root)]
        self.firsts: dict[Any, Sight] = {}  # where the actions of the root led the first time
        self.made = 1
        self.expanded = 0
        self.best: Node = root
        """of all unfinished states the one of highest score, the nearer the better"""
        self.won: Node | None = None
        """the same of all wins"""

    @property
    def is_exhausted(self) -> bool:
        return not self.open or self.made >= self.max_nodes

    def gain(self, node: Node) -> float:
        return node.sight.score - self.root.sight.score

    def expand(self, rng: Rng) -> None:
        """Try what seems worth it in the most promising state."""
        node = heappop(self.open)[2]
        self.expanded += 1
        for action in self.actions(node):
            state = self.model.step(node.state, (action,), rng)
            child = Node(state, Sight.of_state(self.model, state, self.seat), node, action)
            child.depth = node.depth + 1
            self.learn(child)
            self.take(child)
        if node is not self.root:
            node.state = None  # nobody asks for it any more

    def try_again(self, state: Any, sight: Sight, rng: Rng) -> None:
        """Play some action in the real state, to see whether it leads where it did before."""
        if sight.key != self.root.sight.key:
            return
        action = rng.choice(sight.legal)
        self.model.advance(state, (action,), rng)
        after = Sight.of_state(self.model, state, self.seat)
        first = self.firsts.setdefault(action, after)
        self.knowledge.saw_twice(sight, first, after)

    def actions(self, node: Node) -> Sequence[Any]:
        legal = node.sight.legal
        if not self.prune:
            return legal
        return worth_trying(self.knowledge, node.sight, legal, self.heading, self.nothing)

    def learn(self, child: Node) -> None:
        assert child.parent is not None
        step = Transition(child.parent.sight, child.action, self.heading(child.action), child.sight)
        self.knowledge.observe(step, waited=child.action == self.nothing)

    def take(self, child: Node) -> None:
        """Keep a new state, unless it is lost or was seen before."""
        sight = child.sight
        if sight.is_lost:
            return
        if sight.is_won:
            if self.won is None or self.order(child) > self.order(self.won):
                self.won = child
            return
        if self.drop_equal:
            if sight.key in self.seen:
                return
            self.seen.add(sight.key)
        if self.order(child) > self.order(self.best):
            self.best = child
        self.made += 1
        value = self.score_weight * self.gain(child) - child.depth
        heappush(self.open, (-value, self.made, child))

    def order(self, node: Node) -> tuple[float, int]:
        """By what states are compared: the score, then fewer steps."""
        return self.gain(node), -node.depth

    @property
    def is_optimal(self) -> bool:
        """Whether the win found has all the points that seem to be there."""
        return self.won is not None and self.gain(self.won) >= self.knowledge.best_score(
            self.root.sight
        )


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
