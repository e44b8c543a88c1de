"""Sarsa-UCT(lambda): open-loop tree search that learns from the rewards on its way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt
from typing import Any, ClassVar, Self

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.fallback import choose_uniform, scores_of
from ludex.core.model import Action, Model
from ludex.core.notes import Cells
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.core.view import View
from ludex.planners.parts.best_line import best_line
from ludex.planners.parts.budget import rounds
from ludex.planners.parts.growth import Growth, forced
from ludex.planners.parts.recommendation import RecommendationName
from ludex.planners.parts.rollout import END_BONUS, Value, leads, own_value, squash
from ludex.planners.parts.sequence_node import ActionSequence, ways_after

Cell = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Tovo2(StatefulPlanner):
    """ToVo2, Sarsa-UCT(lambda): temporal-difference learning in the tree and in the rollout.

    Every tick has its reward, all that a simulation passes through becomes part of the tree, and
    after each decision half of what was learned is forgotten. Others are taken to play at random.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "exploration": AtLeast(0),
        "discount": Between(0, 1),
        "trace_decay": Between(0, 1),
        "forget": Between(0, 1),
        "shortest": AtLeast(1),
        "longest": AtLeast(1),
        "lengthen_by": AtLeast(0),
        "lengthen_every": AtLeast(1),
        "score_scale": AtLeast(1e-9),
        "max_nodes": AtLeast(1),
    }

    exploration: float = 1.4142135623730951
    """weight of the bonus for rarely tried actions, for values normalised to 0 .. 1"""
    discount: float = 0.99
    """what a reward one move later counts, of one now"""
    trace_decay: float = 0.6
    """lambda: how much of a surprise is passed on to the move before"""
    forget: float = 0.5
    """the part of all visits that is forgotten after a decision; 1: nothing is taken along"""
    weighted_rollouts: bool = True
    """untried actions that lead to cells seldom visited are drawn more often"""
    shortest: int = 5
    """moves of the first simulations of a decision, counted from the root"""
    lengthen_by: int = 5
    """moves by which simulations grow ..."""
    lengthen_every: int = 5
    """... after so many of them"""
    longest: int = 50
    """moves of the longest simulations"""
    value: Value = "returns"
    """rewards: returns and squashed changes in score; score with a huge bonus; or of a function"""
    score_scale: float = 10.0
    """the change in score, or in the lead over others, that counts half a win"""
    lead: bool = True
    """with several seats the lead over the best other counts; no: our score alone, as printed"""
    final: RecommendationName = "visits"
    """the action played: most visited, of highest value or lower bound, or drawn by visits"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def contradiction(self) -> str | None:
        if self.shortest > self.longest:
            return f"shortest={self.shortest} is above longest={self.longest}; raise longest"
        return None

    def fresh_memory(self) -> Tovo2Memory:
        return Tovo2Memory()

    def length(self, iteration: int) -> int:
        """How many moves a simulation has, by its number in the decision."""
        steps = iteration // self.lengthen_every
        return max(self.shortest, min(self.longest, self.shortest + self.lengthen_by * steps))

    def plan_on(
        self, memory: Tovo2Memory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        memory.begin(1.0 - self.forget)
        if decision := forced(view):
            memory.follow(decision.action)
            return decision
        search = Tovo2Search(self, memory, model, view, rng)
        search.run(budget)
        root = memory.root
        visits = dict.fromkeys(view.legal, 0)
        values: dict[Action, float] = {}
        for action, count, value in zip(root.actions, root.visits, root.values, strict=True):
            if action in visits and count > 0.0:
                visits[action] = max(1, round(count))
                values[action] = value
        decision = search.answer(self.final, view, visits, values, rng)
        memory.follow(decision.action)
        return replace(
            decision,
            thoughts=lambda: {
                "best line": best_line(root, ways_after, decision.action),
                "visited": Cells(memory.cells),
            },
        )


class Tovo2Node(ActionSequence):
    """A sequence of our actions: how often each was tried after it, and its worth.

    The visits are fractions, because every decision forgets a part of them.
    """

    __slots__ = ("actions", "after", "decision", "places", "total", "values", "visits")

    def __init__(self, decision: int) -> None:
        self.decision = decision  # in which the visits were last reduced
        self.actions: list[Action] = []
        self.places: dict[Action, int] = {}
        self.visits: list[float] = []
        self.values: list[float] = []
        self.after: list[Self | None] = []
        self.total = 0.0

    def place_of(self, action: Action) -> int:
        """Where the statistics of an action are; a new place for one that is new."""
        place = self.places.get(action)
        if place is None:
            place = self.places[action] = len(self.actions)
            self.actions.append(action)
            self.visits.append(0.0)
            self.values.append(0.0)
            self.after.append(None)
        return place

    def fade(self, decision: int, kept: float) -> None:
        """Forget part of the visits for each decision that has passed."""
        if self.decision < decision:
            share = kept ** (decision - self.decision)
            self.visits = [count * share for count in self.visits]
            self.total *= share
            self.decision = decision

    def highest_bound(self, legal: Sequence[Action], width: float) -> Action:
        """The legal action of highest value + width * sqrt(ln total / visits)."""
        reach = width * sqrt(log(max(self.total, 1.0)))
        places, visits, values = self.places, self.visits, self.values
        bounds = [
            values[place] + reach / sqrt(visits[place])
            for place in [places[action] for action in legal]
        ]
        return legal[bounds.index(max(bounds))]


class Tovo2Memory:
    """The tree and the cells visited, of which every decision forgets a part."""

    def __init__(self) -> None:
        self.decision = 0
        self.kept = 1.0
        self.root = Tovo2Node(0)
        self.spent: Tovo2Node | None = (
            None  # freed in the next decision, not on top of this one's time
        )
        self.cells: defaultdict[Cell, float] = defaultdict(float)

    def begin(self, kept: float) -> None:
        """Begin a decision: what was learned before counts this part of what it did."""
        self.spent = None
        self.decision += 1
        self.kept = kept
        for cell in self.cells:
            self.cells[cell] *= kept
        if kept == 0.0:
            self.spent, self.root = self.root, Tovo2Node(self.decision)

    def follow(self, action: Action) -> None:
        """Keep of the tree what follows this action."""
        below = self.root.following(action)
        self.spent = self.root
        self.root = Tovo2Node(self.decision) if below is None else below


@dataclass(slots=True)
class Move:
    """One of our moves in a simulation."""

    action: Action
    reward: float = 0.0


def back_up(
    moves: Sequence[Move],
    edges: Sequence[tuple[Tovo2Node, int]],
    discount: float,
    trace_decay: float,
) -> float:
    """Update the values of a path from its end, and return what its rewards add up to.

    delta(t) = r(t) + discount * V(t + 1) - V(t), where V is 0 after the end and off the tree;
    the trace e(t) = delta(t) + discount * lambda * e(t + 1) is averaged into V(t).
    """
    trace = following = total = 0.0
    for number in range(len(moves) - 1, -1, -1):
        reward = moves[number].reward
        total = reward + discount * total
        if number >= len(edges):
            trace = discount * trace_decay * trace + reward  # both values are 0
            continue
        node, place = edges[number]
        known = node.values[place]
        trace = discount * trace_decay * trace + reward + discount * following - known
        node.visits[place] += 1.0
        node.total += 1.0
        node.values[place] = known + trace / node.visits[place]
        following = known
    return total


class Tovo2Search(Growth):
    """One decision."""

    def __init__(
        self, planner: Tovo2, memory: Tovo2Memory, model: Any, view: View, rng: Rng
    ) -> None:
        super().__init__()
        self.planner = planner
        self.memory = memory
        self.model = model
        self.view = view
        self.seat = view.seat
        self.rng = rng
        self.counts_lead = planner.lead and model.traits.seats > 1
        self.walks = planner.weighted_rollouts and model.traits.objects

    def run(self, budget: Budget) -> None:
        """Simulate until the budget is spent."""
        try:
            for number in rounds(budget, self.model.meter):
                self.simulate(self.planner.length(number))
        except BudgetSpent:
            pass  # the unfinished simulation is dropped

    def simulate(self, length: int) -> None:
        """Play so many moves from the root, then learn from all of them."""
        model, seat, rng = self.model, self.seat, self.rng
        memory = self.memory
        state = model.imagine(self.view, rng)
        node: Tovo2Node | None = memory.root
        moves: list[Move] = []
        cells: list[Cell] = []
        before = self.standing(state)
        listed = model.traits.listed_chance
        while seats := model.to_act(state):
            action: Action = None
            if seat in seats:
                if len(moves) == length:
                    break
                action = self.choose(state, node)
                moves.append(Move(action))
                node = None if node is None else node.following(action)
            joint = [
                action if one == seat else choose_uniform(model, state, one, rng) for one in seats
            ]
            model.advance(state, tuple(joint), rng)
            if listed:
                model.settle(state, rng)
            now = self.standing(state)
            moves[-1].reward += self.reward(state, now - before)
            before = now
            if self.walks:
                cells.append(model.avatars(state)[seat])
        for cell in cells:
            memory.cells[cell] += 1.0
        planner = self.planner
        evaluator = back_up(moves, self.keep(moves), planner.discount, planner.trace_decay)
        self.note((evaluator,), len(moves))

    def standing(self, state: State) -> float:
        """Our score, or our lead where others play, or what a function says."""
        value = self.planner.value
        if not isinstance(value, str):
            return own_value(value, self.model, state, self.seat)
        if self.counts_lead:
            return leads(scores_of(self.model, state))[self.seat]
        return float(self.model.score(state, self.seat))

    def reward(self, state: State, change: float) -> float:
        """What a tick brought: the change in score, and what the end of the game is worth."""
        if not isinstance(self.planner.value, str):
            return change
        is_squashed = self.planner.value == "returns"
        gain = squash(change, self.planner.score_scale) if is_squashed else change
        if not self.model.over(state):
            return gain
        outcome = self.model.outcome(state)
        if is_squashed:
            return gain + float(outcome.returns[self.seat])
        return gain + (END_BONUS if self.seat in outcome.winners else -END_BONUS)

    def choose(self, state: State, node: Tovo2Node | None) -> Action:
        """Draw among actions that were never tried here, else take the most promising."""
        legal = self.model.legal(state, self.seat)
        if node is not None:
            node.fade(self.memory.decision, self.memory.kept)
            untried = [action for action in legal if action not in node.places]
            if not untried:
                return node.highest_bound(legal, self.planner.exploration * self.span)
            legal = untried
        if not self.walks:
            return legal[self.rng.below(len(legal))]
        return legal[self.rng.weighted(self.weights(state, legal))]

    def weights(self, state: State, actions: Sequence[Action]) -> list[float]:
        """1 / (1 + visits) of the cell that each action leads to, as its heading says."""
        column, row = self.model.avatars(state)[self.seat]
        cells = self.memory.cells
        weights: list[float] = []
        for action in actions:
            step = self.model.heading(action)
            weights.append(1.0 / (1.0 + cells.get((column + step[0], row + step[1]), 0.0)))
        return weights

    def keep(self, moves: Sequence[Move]) -> list[tuple[Tovo2Node, int]]:
        """Make the whole path part of the tree, as far as there is room."""
        edges: list[tuple[Tovo2Node, int]] = []
        node = self.memory.root
        for move in moves:
            place = node.place_of(move.action)
            edges.append((node, place))
            below = node.after[place]
            if below is None:
                if not self.has_room(self.planner.max_nodes):
                    break
                below = node.after[place] = Tovo2Node(self.memory.decision)
            node = below
        return edges
