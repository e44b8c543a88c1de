"""Open-loop expectimax tree search (OLETS): no rollouts, and a max backup of child values."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, log, sqrt
from typing import Any, ClassVar, Literal

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.rollout import Arms, Rollout
from ludex.core.state import State
from ludex.core.view import View
from ludex.planners.parts.backup import mean
from ludex.planners.parts.best_line import Way, best_line
from ludex.planners.parts.budget import rounds
from ludex.planners.parts.growth import answered, forced
from ludex.planners.parts.opponents import OpponentName
from ludex.planners.parts.recommendation import decide
from ludex.planners.parts.rollout import Evaluator
from ludex.planners.parts.selection import ucb1
from ludex.planners.parts.subset import SubsetBandit

OTHERS_EXPLORE = sqrt(2.0)


@dataclass(frozen=True, kw_only=True)
class Olets(StatefulPlanner):
    """OLETS: open-loop expectimax tree search over own actions, without rollouts.

    A node is worth the mean of what was found in it and the best of what follows it, by how
    often simulations ended in it and how often they went on.
    """

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
    value: Literal["returns", "score", "released"] = "returns"
    """what a state counts: returns (squashed gain while unfinished), the score, or as released"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def fresh_memory(self) -> OletsMemory:
        return OletsMemory(self)

    def plan_on(
        self, memory: OletsMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        if decision := forced(view):
            memory.follow(self, decision.action)
            return decision
        memory.spent = None
        search = OletsSearch(self, model, view, memory, rng)
        search.run(budget)
        tried = {
            action: memory.root.ways[action] for action in view.legal if action in memory.root.ways
        }
        visits = dict.fromkeys(view.legal, 0) | {one: node.total for one, node in tried.items()}
        values = {action: node.value for action, node in tried.items()}
        action = decide("visits", view.legal, visits, values, rng)
        notes = {"tree_size": memory.size}
        root = memory.root
        memory.follow(self, action)
        made = answered(search, action, visits, values, notes)
        return replace(made, thoughts=lambda: {"best line": best_line(root, ways_of, action)})


class OletsNode(Arms):
    """A sequence of our actions. Its arms are its children, with their values and visits.

    `total` counts the simulations that passed through it, `ended` those that ended in it. The
    value of a taboo child is kept in its arm less the penalty, for choosing alone.
    """

    __slots__ = (
        "best",
        "children",
        "ended",
        "found",
        "joint",
        "others",
        "place",
        "taboo",
        "untried",
        "value",
        "ways",
    )

    def __init__(self, action: Action | None = None) -> None:
        Arms.__init__(self)
        self.joint = (action,)
        self.place = 0  # among the children of its parent
        self.ended = 0
        self.found = 0.0  # sum of the values of simulations that ended here
        self.value = 0.0
        self.best = -inf  # value of the best child
        self.taboo = False
        self.children: list[OletsNode] = []
        self.ways: dict[Action, OletsNode] = {}  # the same by action
        self.untried: list[Action] | None = None
        self.others: dict[tuple[int, int], SubsetBandit] = {}

    def add(self, child: OletsNode) -> OletsNode:
        """Take in a child; it is to be visited at once."""
        child.place = self.grow()
        self.ways[child.joint[0]] = child
        self.children.append(child)
        return child


def ways_of(node: OletsNode) -> Iterator[Way]:
    """What was tried after a sequence, for those who watch."""
    for action, child in node.ways.items():
        yield action, child.total, child


def back_up(path: list[OletsNode], value: float, penalty: float = 0.0) -> None:
    """Add a simulation that ended in the last node of a path.

    value(n) = found(n) / total(n) + (1 - ended(n) / total(n)) * best value of a child.
    """
    last = path[-1]
    last.ended += 1
    last.found += value
    last.total += 1
    below = None
    before = now = -inf  # of the child below: what it was worth, and is worth now
    for node in reversed(path):
        best = node.best
        if below is not None:
            node.replace(below.place, now - penalty if below.taboo else now)
            if now > best:
                best = node.best = now
            elif before == best != now:
                # The best child has become worse.
                best = node.best = max([child.value for child in node.children])
        before = node.value
        ended = node.ended
        if ended:
            total = node.total
            now = (
                (node.found + (total - ended) * best) / total
                if total > ended
                else node.found / total
            )
        else:
            now = best
        node.value = now
        below = node


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


def evaluator_of(planner: Olets, model: Model, root: Any) -> Evaluator:
    if planner.value == "released":
        return ReleasedEvaluator(model, root, "score", planner.score_scale)
    return Evaluator(model, root, planner.value, planner.score_scale)


class OletsMemory:
    """The tree, and where the seat was in its last decisions."""

    def __init__(self, planner: Olets) -> None:
        self.root = OletsNode()
        self.size = 1
        self.bases: list[float] = []
        self.low, self.high = inf, -inf  # of all values seen in this decision
        self.spent: OletsNode | None = (
            None  # freed in the next decision, not on top of this one's time
        )
        self.places: deque[Hashable] = deque(maxlen=planner.taboo_steps)

    @property
    def span(self) -> float:
        """The range of values, by which the bonus is scaled; 1 while there is no difference.

        Without a bonus a flat landscape would be searched along the first action alone.
        """
        return self.high - self.low if self.high > self.low else 1.0

    def rebase(self, bases: list[float]) -> None:
        """Begin a decision with these scores: values beside others cannot be used again."""
        if bases != self.bases:
            self.root, self.size = OletsNode(), 1
        self.bases = bases
        self.low, self.high = inf, -inf

    def follow(self, planner: Olets, action: Action) -> None:
        """Keep of the tree what follows this action."""
        child = self.root.ways.get(action) if planner.reuse else None
        self.spent, self.root = self.root, OletsNode() if child is None else child
        self.size = 1 + self.root.total  # each adds one at most


def place_of(model: Model, state: State, seat: int) -> Hashable:
    """Where a seat is: the cell of its avatar, or the whole state where there are none."""
    cells = model.avatars(state)
    return cells[seat] if cells else model.key(state, ignore=("score", "tick"))


class OletsSearch:
    """One decision."""

    def __init__(
        self, planner: Olets, model: Model, view: View, memory: OletsMemory, rng: Rng
    ) -> None:
        self.planner = planner
        self.model = model
        self.view = view
        self.seat = view.seat
        self.memory = memory
        self.rng = rng
        self.root_state = model.imagine(view, rng)
        self.epsilon = planner.epsilon
        self.iterations = 0
        self.depth = 0
        self.evaluator = evaluator_of(planner, model, self.root_state)
        self.estimate = self.evaluator.of_results_for(self.seat)
        memory.rebase(self.evaluator.bases)
        self.scale_bonus()
        if planner.taboo_steps:
            memory.places.append(place_of(model, self.root_state, self.seat))
        self.taboo = set(memory.places)

    def scale_bonus(self) -> None:
        """Bring bonus and penalty to the range of values seen."""
        self.span = self.memory.span
        self.reach = self.planner.exploration * self.span
        self.penalty = self.planner.taboo_penalty * self.span

    def run(self, budget: Budget) -> None:
        """Simulate until the budget is spent."""
        traits = self.model.traits
        # With one seat and actions that stay the same, a path needs no states while it is
        # chosen, and is then played in one call.
        alone = traits.seats == 1 and traits.model_sees_all
        meter = self.model.meter
        try:
            for number in rounds(budget, meter):
                if alone:
                    replaced = meter.replaced
                    done = self.simulate_at_once(number)
                    if meter.replaced != replaced:
                        alone = False  # some action was not legal where it was reached
                        self.forget_untried()
                else:
                    done = self.simulate()
                if not done:
                    break
                self.iterations = number + 1
        except BudgetSpent:
            pass  # the unfinished simulation is dropped

    def forget_untried(self) -> None:
        waiting = [self.memory.root]
        while waiting:
            node = waiting.pop()
            node.untried = None
            waiting += node.children

    def simulate_at_once(self, number: int) -> bool:
        """Choose a path to a new node, play it in one call, and back its value up."""
        node = self.memory.root
        path = [node]
        joints: list[tuple[Action]] = []
        reach, epsilon = self.reach, self.epsilon
        while not (untried := node.untried):
            if untried is None:
                node.untried = [one for one in self.view.legal if one not in node.ways]
                continue
            children = node.children
            if epsilon and self.rng.uniform() < epsilon:
                node = children[self.rng.below(len(children))]
            else:
                node = children[node.highest_bound(reach)]
            path.append(node)
            joints.append(node.joint)
        fresh = self.rng.below(len(untried))
        action = untried[fresh]
        joints.append((action,))
        result = self.model.play(self.root_state, [joints], self.rng.fork("olets", number))[0]
        if result.cut:
            return False
        ticks = result.ticks
        if ticks < len(joints):
            del path[ticks + 1 :]  # the game ended on the way
        elif self.has_room():
            path.append(node.add(OletsNode(action)))
            untried[fresh] = untried[-1]
            untried.pop()
            if self.taboo:
                path[-1].taboo = place_of(self.model, result.state, self.seat) in self.taboo
        self.finish(path, self.estimate(result), ticks)
        return True

    def simulate(self) -> bool:
        """The same tick by tick, for several seats and for actions that come and go."""
        model, seat, rng = self.model, self.seat, self.rng
        state = model.imagine(self.view, rng)
        node = self.memory.root
        path = [node]
        answers: list[tuple[SubsetBandit, int]] = []
        turns = 0  # of others since our last action
        fresh = False
        while seats := model.to_act(state):
            action: Action = None
            if seat in seats:
                if fresh:
                    break
                legal = model.legal(state, seat)
                untried = [one for one in legal if one not in node.ways]
                if untried:
                    fresh = True
                    action = untried[rng.below(len(untried))]
                else:
                    action = self.choose(node, [node.ways[one] for one in legal]).joint[0]
            joint = tuple(
                action if one == seat else self.answer(state, node, one, turns, answers)
                for one in seats
            )
            model.advance(state, joint, rng)
            model.settle(state, rng)
            turns += 1
            if seat in seats:
                turns = 0
                node = OletsNode(action) if fresh else node.ways[action]
                path.append(node)
        if fresh:
            # Only now: a simulation that the budget cuts short leaves no trace.
            if self.has_room():
                path[-2].add(node)
                node.taboo = bool(self.taboo) and place_of(model, state, seat) in self.taboo
            else:
                path.pop()
        values = self.evaluator.of_state(state, len(path) - 1)
        if self.planner.opponent == "pessimistic":
            values = [values[seat] if one == seat else -values[seat] for one in range(len(values))]
        mean(answers, values)
        self.finish(path, values[seat], len(path) - 1)
        return True

    def answer(
        self,
        state: State,
        node: OletsNode,
        seat: int,
        turn: int,
        answers: list[tuple[SubsetBandit, int]],
    ) -> Action:
        """Choose for another seat, by the bandit it has at this node where it learns."""
        legal = self.model.legal(state, seat)
        if self.planner.opponent == "random":
            return legal[self.rng.below(len(legal))]
        bandit = node.others.get((seat, turn))
        if bandit is None:
            bandit = node.others[seat, turn] = SubsetBandit(seat, legal)
        place = bandit.choose(legal, ucb1, OTHERS_EXPLORE, self.span, self.rng)
        answers.append((bandit, place))
        return bandit.actions[place]

    def choose(self, node: OletsNode, children: Sequence[OletsNode]) -> OletsNode:
        """`highest_bound` for some of the children, where not all are legal now."""
        if self.epsilon and self.rng.uniform() < self.epsilon:
            return children[self.rng.below(len(children))]
        width = self.reach * sqrt(log(node.total))
        bounds = [
            child.value - (self.penalty if child.taboo else 0.0) + width * child.total**-0.5
            for child in children
        ]
        return children[bounds.index(max(bounds))]

    def has_room(self) -> bool:
        """Whether the tree may have another node."""
        if self.memory.size >= self.planner.max_nodes:
            return False
        self.memory.size += 1
        return True

    def finish(self, path: list[OletsNode], value: float, depth: int) -> None:
        """Back a simulation up and keep the range of values, by which the bonus is scaled."""
        memory = self.memory
        if not memory.low <= value <= memory.high:
            memory.low, memory.high = min(memory.low, value), max(memory.high, value)
            self.scale_bonus()
        back_up(path, value, self.penalty)
        if depth > self.depth:
            self.depth = depth
