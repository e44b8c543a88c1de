"""Monte-Carlo tree search, closed loop: nodes hold states."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar

from ludex.core.budget import Budget
from ludex.core.capabilities import LearnedModel, able
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import Planner
from ludex.core.rng import Rng
from ludex.core.rollout import Arms
from ludex.core.state import State
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.planners.parts.backup import BACKUPS, BackupName
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.best_line import Way, best_line
from ludex.planners.parts.budget import ENDLESS, rounds
from ludex.planners.parts.growth import Growth, forced
from ludex.planners.parts.recommendation import RecommendationName, evidence
from ludex.planners.parts.rollout import POLICIES, Evaluator, RolloutName, ValueName
from ludex.planners.parts.selection import SELECTIONS, SelectionName

IDLE = Rng(0)  # where no chance is drawn
LEAF, DECISION, JOINT, CHANCE, SAMPLED = range(5)
LOST = -1e12  # the mean of an action that is proven to lose: finite, so that sums stay numbers
LONGEST_PATH = 10_000


@dataclass(frozen=True, kw_only=True)
class Mcts(Planner):
    """MCTS (UCT), closed loop: chance nodes, any number of players, MCTS-Solver, a memory cap."""

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "exploration": AtLeast(0),
        "root_share": Between(0, 1),
        "rollout_depth": AtLeast(0),
        "score_scale": AtLeast(1e-9),
        "max_nodes": AtLeast(1),
        "widening": Between(0, 1),
        "determinisations": AtLeast(1),
    }

    exploration: float = 1.4142135623730951
    """weight of the bonus for rarely tried actions, for returns normalised to 0 .. 1"""
    selection: SelectionName = "ucb1"
    """the bandit rule that chooses among tried actions"""
    root_share: float = 0.2
    """part of the iterations that is spread evenly over the actions of the root"""
    rollout: RolloutName = "uniform"
    """below the tree: any action; any type, then any of it; winning ones; none, but the score"""
    rollout_depth: int = 1000
    """ticks after which a rollout is stopped and valued by `value`"""
    backup: BackupName = "mean"
    """mean: average all results; max: average the value of the best reply below"""
    value: ValueName = "returns"
    """what a result counts: returns (squashed gain in score while unfinished), or the score"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""
    final: RecommendationName = "visits"
    """the action played: most visited, of highest value or lower bound, or drawn by visits"""
    transpositions: bool = False
    """merge nodes whose states have the same key"""
    solver: bool = True
    """prove wins and losses (two seats, zero sum, no chance); elsewhere it does nothing"""
    look_ahead: bool = True
    """with the solver: search each new node for an action that wins at once"""
    widening: float = 0.5
    """sampled chance: an action tried n times has at most ceil(n ** widening) successors"""
    determinisations: int = 8
    """trees, each from a state imagined anew, where the model does not know the real one"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def refusal(self, traits: Traits) -> str | None:
        if self.backup == "max" and traits.simultaneous:
            return "with backup=max needs one seat to move at a time; use backup=mean"
        return super().refusal(traits)

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if decision := forced(view):
            return decision
        tree = self.search(model, view, budget, rng)
        visits, values = tree.evidence(view)
        candidates = tree.candidates(values, view.seat)
        made = tree.answer(self.final, view, visits, candidates, rng)
        predicted = tree.after(made.action)
        learned = able(model, LearnedModel)
        return replace(
            made,
            predicted=predicted,
            confidence=learned.confidence(predicted) if learned and predicted is not None else None,
            values=values,
            notes={**made.notes, "solved": True} if tree.solved else made.notes,
            thoughts=lambda: {"best line": best_line(tree.roots[0], ways_of, made.action)},
        )

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> StateTree:
        """Grow a tree until the budget is spent or the root is solved."""
        trees = 1 if model.traits.model_sees_all else self.determinisations
        tree = StateTree(self, model, [model.imagine(view, rng) for _ in range(trees)])
        grow(tree, budget, rng)
        return tree


class StateNode(Bandit):
    """A state and the statistics of the seat that acts in it.

    It is a LEAF until its second visit. A JOINT node has one bandit per acting seat; a CHANCE
    node has outcomes instead of actions; a SAMPLED node stands between an action and the
    different states that it was seen to lead to.
    """

    __slots__ = ("bandits", "children", "counts", "joint", "kind", "listed", "returns", "state")

    children: dict[Any, StateNode]
    """by place of the action (DECISION) or actions (JOINT), by outcome, by key (SAMPLED)"""
    bandits: list[Bandit]
    listed: Sequence[tuple[Hashable, float]]
    counts: dict[Hashable, int]
    """visits of each outcome (CHANCE), sightings of each successor (SAMPLED)"""
    joint: tuple[Action, ...]
    """the actions that a SAMPLED node follows"""

    def __init__(self, state: State, kind: int = LEAF) -> None:
        Arms.__init__(self)  # opened on its second visit
        self.state = state
        self.kind = kind
        self.returns: Sequence[float] | None = None  # known for certain: the end, or proven


class StateTree(Growth):
    """The roots (several only for imagined states), the merged nodes and the counters."""

    def __init__(self, planner: Mcts, model: Model, states: Sequence[Any]) -> None:
        super().__init__()
        self.planner = planner
        self.model = model
        self.roots = [StateNode(state) for state in states]
        self.merged: dict[Hashable, StateNode] = {}
        self.size = len(self.roots)
        traits = model.traits
        self.provable = (
            planner.solver
            and planner.value == "returns"
            and traits.seats == 2
            and traits.zero_sum
            and traits.chance == "none"
            and not traits.simultaneous
            and traits.model_sees_all
        )
        for root in self.roots:
            self.expand(root)

    def expand(self, node: StateNode) -> None:
        """Turn a leaf into the kind of node that its state asks for."""
        model = self.model
        node.children = {}
        seats = model.to_act(node.state)
        if len(seats) == 1:
            node.kind = DECISION
            node.open(seats[0], model.legal(node.state, seats[0]))
        elif seats:
            node.kind = JOINT
            node.bandits = [Bandit(seat, model.legal(node.state, seat)) for seat in seats]
        elif listed := model.chance(node.state):
            node.kind = CHANCE
            node.listed = listed
            node.counts = dict.fromkeys([outcome for outcome, _ in listed], 0)
            node.total = 0
        else:
            outcome = model.outcome(node.state)
            node.returns = outcome.returns if outcome else (0.0,) * model.traits.seats

    def find_win(self, node: StateNode) -> None:
        """Prove a new leaf if it is an end, or if an action wins at once."""
        model, state = self.model, node.state
        step, over = model.step, model.over
        seats = model.to_act(state)
        if not seats:
            self.expand(node)
            return
        for action in model.legal(state, seats[0]):
            after = step(state, (action,), IDLE)
            if over(after):
                outcome = model.outcome(after)
                if outcome is not None and outcome.returns[seats[0]] > 0.0:
                    node.returns = outcome.returns
                    return

    def child(self, state: State) -> StateNode | None:
        """Make the node of a state, or find the one it is merged with; None when full."""
        merges = self.planner.transpositions
        key = self.model.key(state) if merges else None
        if merges and key in self.merged:
            return self.merged[key]
        if not self.has_room(self.planner.max_nodes):
            return None
        node = StateNode(state)
        if merges:
            self.merged[key] = node
        return node

    def between(self, node: StateNode, joint: tuple[Action, ...]) -> StateNode | None:
        """Make the node between an action and the states that sampled chance makes of it."""
        if not self.has_room(self.planner.max_nodes):
            return None
        node = StateNode(node.state, SAMPLED)
        node.joint = joint
        node.children = {}
        node.counts = {}
        node.total = 0
        return node

    # What the roots say

    @property
    def solved(self) -> bool:
        return self.provable and self.roots[0].returns is not None

    def evidence(self, view: View) -> tuple[dict[Action, int], dict[Action, float]]:
        """Visits of every legal action and mean returns of the tried ones, over all roots."""
        arms: list[Bandit] = []
        for root in self.roots:
            arms += root.bandits if root.kind == JOINT else [root]
        visits, values = evidence(view.legal, [one for one in arms if one.seat == view.seat])
        for index, mean in enumerate(arms[0].means):
            if mean == LOST:
                child = self.roots[0].children[index]
                values[arms[0].actions[index]] = known(child)[view.seat]
        return visits, values

    def after(self, action: Action) -> Any:
        """The state that an action leads to, where the tree knows the only one."""
        root = self.roots[0]
        if len(self.roots) > 1 or root.kind != DECISION or action not in root.actions:
            return None
        child = root.children.get(root.actions.index(action))
        return None if child is None or child.kind == SAMPLED else child.state

    def candidates(self, values: dict[Action, float], seat: int) -> dict[Action, float]:
        """The actions worth playing: proven best ones, else those not proven to lose.

        When all are proven to lose, all are: the most visited was the hardest to prove.
        """
        root = self.roots[0]
        if not self.provable:
            return values
        if root.returns is not None and root.returns[seat] >= 0.0:
            keep = {
                root.actions[place]
                for place, child in root.children.items()
                if child.returns is not None and child.returns[seat] >= root.returns[seat]
            }
        else:
            keep = {
                action
                for action, mean in zip(root.actions, root.means, strict=True)
                if mean != LOST
            }
        return {action: value for action, value in values.items() if action in keep} or values


def known(node: StateNode) -> Sequence[float]:
    assert node.returns is not None
    return node.returns


def grow(tree: StateTree, budget: Budget, rng: Rng) -> None:
    """Run iterations until the budget is spent; all names that they use are local, for speed."""
    planner, model, roots = tree.planner, tree.model, tree.roots
    step, rollout, over = model.step, model.rollout, model.over
    choose = SELECTIONS[planner.selection]
    back_up = BACKUPS[planner.backup]
    evaluators = [Evaluator(model, one.state, planner.value, planner.score_scale) for one in roots]
    policy = POLICIES[planner.rollout]
    limit = 0 if planner.rollout == "none" else planner.rollout_depth
    always_estimate = planner.value == "score"
    sampled, listed = model.traits.sampled_chance, model.traits.listed_chance
    exploration, provable, merges = planner.exploration, tree.provable, planner.transpositions
    even_turn = round(1 / planner.root_share) if planner.root_share else ENDLESS
    looks_ahead = provable and planner.look_ahead
    try:
        for number in rounds(budget, model.meter):
            # Step 1. Descend along the most promising actions to a state without a node.
            node, evaluator = roots[number % len(roots)], evaluators[number % len(roots)]
            path: list[tuple[Bandit, int]] = []
            beside = 0  # entries of the path that belong to the same level as another
            state = None
            passed = {id(node)} if merges else set()
            for _ in range(LONGEST_PATH):
                if node.returns is not None:
                    break
                kind = node.kind
                place: Any
                if kind == DECISION:
                    if node.untried:
                        place = node.try_one(rng)
                    elif path or number // len(roots) % even_turn:
                        place = choose(node, exploration, tree.span, rng)
                    else:
                        place = least_tried(node)
                    path.append((node, place))
                elif kind == LEAF:
                    tree.expand(node)
                    continue
                elif kind == JOINT:
                    place = tuple(
                        arms.try_one(rng)
                        if arms.untried
                        else choose(arms, exploration, tree.span, rng)
                        for arms in node.bandits
                    )
                    path.extend(zip(node.bandits, place, strict=True))
                    beside += len(place) - 1
                elif kind == CHANCE:
                    place = outcome_behind_its_share(node)
                else:
                    place, state = sampled_successor(node, model, planner.widening, rng)

                child = node.children.get(place)
                if child is not None:
                    node = child
                    state = None
                    if merges:
                        # Rules that allow repetition make rings of merged nodes: play on there.
                        if id(node) in passed:
                            break
                        passed.add(id(node))
                    continue
                if kind == CHANCE:
                    state = model.resolve(node.state, place)
                elif kind != SAMPLED:
                    joint = actions_at(node, place)
                    if sampled and (child := tree.between(node, joint)) is not None:
                        node.children[place] = child
                        node = child
                        continue
                    state = step(node.state, joint, rng)
                break

            # Step 2. Give the new state a node, and value it by playing on from it.
            if state is not None and looks_ahead and (child := tree.child(state)) is not None:
                node.children[place] = node = child
                state = None
                if child.kind == LEAF:
                    tree.find_win(child)
            if node.returns is not None:
                returns = node.returns
            else:
                result = rollout(node.state if state is None else state, policy, limit, rng)
                if result.cut:
                    break
                ended = result.returns
                returns = evaluator.of_result(result) if ended is None or always_estimate else ended
                if state is not None and (child := tree.child(state)) is not None:
                    node.children[place] = child
                    # With dice pending, the rollout saw one way to end, not the only one.
                    if ended is not None and not result.ticks and (not listed or over(state)):
                        child.returns = returns
                    node = child

            # Step 3. Back up; what is proven is not averaged.
            back_up(path, returns)
            if provable and node.returns is not None:
                prove(path, node.returns)

            # Step 4. Count it, and stop when there is nothing left to find out.
            tree.note(returns, len(path) - beside)
            if tree.solved:
                break
    except BudgetSpent:
        pass  # the unfinished iteration is dropped


def actions_at(node: StateNode, place: Any) -> tuple[Action, ...]:
    if node.kind == DECISION:
        return (node.actions[place],)
    return tuple(arms.actions[one] for arms, one in zip(node.bandits, place, strict=True))


def least_tried(node: StateNode) -> int:
    """The least visited action that is not proven to lose."""
    counts = [
        inf if mean == LOST else count for count, mean in zip(node.visits, node.means, strict=True)
    ]
    return counts.index(min(counts))


def outcome_behind_its_share(node: StateNode) -> Hashable:
    """Choose the outcome whose visits are furthest below its probability.

    The shares of the visits are then never further from the probabilities than one visit, so
    what is averaged above the node is its expected value without the noise of drawn dice.
    """
    node.total += 1
    counts, total = node.counts, node.total
    behind = [share * total - counts[outcome] for outcome, share in node.listed]
    outcome = node.listed[behind.index(max(behind))][0]
    counts[outcome] += 1
    return outcome


def sampled_successor(
    node: StateNode, model: Model, widening: float, rng: Rng
) -> tuple[Hashable, Any]:
    """Progressive widening (Couetoux et al. 2011): step again, or take a state seen before.

    Returns the key of a successor and, when it was stepped to, its state. Old successors are
    drawn as often as they were seen.
    """
    counts = node.counts
    node.total += 1
    if len(node.children) < node.total**widening:
        state = model.step(node.state, node.joint, rng)
        key = model.key(state)
        counts[key] = counts.get(key, 0) + 1
        return key, state
    keys = list(node.children)
    return keys[rng.weighted([counts[key] for key in keys])], None


def ways_of(node: StateNode) -> Iterator[Way]:
    """The actions of a node with what they lead to, beyond chance: its likeliest answer."""
    if node.kind != DECISION:
        return
    for index, (action, visits) in enumerate(zip(node.actions, node.visits, strict=True)):
        after = node.children.get(index)
        while after is not None and after.kind in (CHANCE, SAMPLED) and after.children:
            after = after.children[max(after.children, key=after.counts.__getitem__)]
        yield action, visits, after


def prove(path: Sequence[tuple[Any, int]], returns: Sequence[float]) -> None:
    """MCTS-Solver (Winands, Bjornsson and Saito 2008): take a certain result up the path.

    One winning reply proves a node; otherwise all replies must be proven, and the best counts.
    """
    for node, place in reversed(path):
        seat = node.seat
        if returns[seat] <= 0.0:
            if returns[seat] < 0.0:
                node.put_mean(place, LOST)
            children = node.children
            if node.untried or len(children) < len(node.actions):
                return
            results = [child.returns for child in children.values()]
            if None in results:
                return
            returns = max(results, key=lambda one: one[seat])
        node.returns = returns
