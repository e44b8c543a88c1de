"""Monte-Carlo tree search, closed loop: nodes hold states."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import inf
from typing import Any, ClassVar, Literal

from ludex.core.budget import Budget
from ludex.core.capabilities import LearnedModel, WeighsLegality, able
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.named_policy import named_policy
from ludex.core.notes import LONGEST_LINE, Line
from ludex.core.parameters import AtLeast, Between
from ludex.core.policy import NativePolicy
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.core.traits import Traits
from ludex.core.twin import NativeTree, ThreadedPlanner
from ludex.core.view import View
from ludex.planners.parts.backup import BACKUPS, BackupName
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.best_line import Way, best_line
from ludex.planners.parts.budget import ENDLESS, most_rounds, rounds
from ludex.planners.parts.growth import Growth, forced
from ludex.planners.parts.prior_service import PriorService
from ludex.planners.parts.priors import Prior, PriorFunction, Priors
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
from ludex.planners.parts.selection import TREE_SELECTIONS, USES_PRIORS, TreeSelectionName

IDLE = Rng(0)  # where no chance is drawn
LOST = -1e12  # the mean of an action that is proven to lose: finite, so that sums stay numbers


@dataclass(frozen=True, kw_only=True)
class Mcts(ThreadedPlanner):
    """MCTS (UCT), closed loop: chance nodes, any number of players, MCTS-Solver, a memory cap."""

    twin: ClassVar[str | None] = "mcts"
    in_batches: ClassVar[frozenset[str]] = frozenset({"prior"})
    LIMITS: ClassVar[Mapping[str, Any]] = {
        **ThreadedPlanner.LIMITS,
        "exploration": AtLeast(0),
        "root_share": Between(0, 1),
        "temperature": AtLeast(1e-3),
        "rollout_depth": AtLeast(0),
        "score_scale": AtLeast(1e-9),
        "max_depth": AtLeast(1),
        "max_nodes": AtLeast(1),
        "widening": Between(0, 1),
        "determinisations": Between(1, 10_000),
    }

    exploration: float = 1.4142135623730951
    """weight of the bonus for rarely tried actions, for returns normalised to 0 .. 1"""
    selection: TreeSelectionName = "ucb1"
    """the bandit rule that chooses among tried actions"""
    prior: Prior = "uniform"
    """for puct and progressive_bias: the rollout policy whose probabilities are the priors"""
    temperature: float = 1.0
    """of the priors: above 1 they become more even"""
    root_share: float = 0.2
    """part of the iterations that is spread evenly over the actions of the root"""
    rollout: RolloutPolicy = "uniform"
    """below the tree: uniform, type_first, decisive, a policy of the world's own, or none"""
    rollout_depth: int | None = None
    """ticks after which a rollout is stopped and valued by `value`; none: the world's limit"""
    backup: BackupName = "mean"
    """mean: average all results; max: average the value of the best reply below"""
    value: Value = "returns"
    """what a result counts: returns (squashed gain while unfinished), score, or a function"""
    score_scale: float = 10.0
    """the gain in score, or in the lead over others, that counts half a win while unfinished"""
    final: RecommendationName = "visits"
    """the action played: most visited, of highest value or lower bound, or drawn by visits"""
    transpositions: bool = False
    """merge nodes whose states have the same key"""
    afterstates: bool = True
    """with transpositions: an action counts all that passed through what it leads to"""
    outcomes: Literal["balanced", "drawn"] = "balanced"
    """listed chance: the outcome furthest behind its probability, or a drawn one"""
    solver: bool = True
    """prove wins and losses (two seats, zero sum, no chance); elsewhere it does nothing"""
    look_ahead: bool = True
    """with the solver: search each new node for an action that wins at once"""
    widening: float = 0.5
    """sampled chance: an action tried n times has at most ceil(n ** widening) successors"""
    legality: bool = True
    """in models of beliefs: an action counts by how likely it is to be legal"""
    determinisations: int = 8
    """trees, each from a state imagined anew, where the model does not know the real one"""
    max_depth: int = 1000
    """decisions of one descent, after which it goes on by rollout"""
    max_nodes: int = 250_000
    """no node is added beyond this many; statistics go on in those that exist"""

    def refusal(self, traits: Traits) -> str | None:
        if self.backup == "max" and traits.simultaneous:
            return "with backup=max needs one seat to move at a time; use backup=mean"
        return super().refusal(traits) or policy_refusal(self.rollout, traits)

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
            thoughts=lambda: {"best line": tree.best_line(made.action)},
        )

    def native_parts(self, model: Model) -> dict[str, Any]:
        return {
            **Rollouts(self.rollout, self.rollout_depth, model).native_parts(self.rollout),
            "prior": "uniform" if self.function else named_policy(self.prior, model),  # type: ignore[arg-type]  # no function
        }

    @property
    def function(self) -> PriorFunction | None:
        """The function of Python that gives the priors, if one does."""
        is_asked = self.selection in USES_PRIORS and not isinstance(self.prior, str | NativePolicy)
        return self.prior if is_asked else None  # type: ignore[return-value]  # no name

    def runs_threads(self) -> bool:
        # A function is asked by a thread of its own, whose answers come when they come.
        return (self.native and self.function is not None) or super().runs_threads()

    @property
    def even_turn(self) -> int:
        """Every so many iterations the least tried action of the root is taken."""
        return round(1 / self.root_share) if self.root_share else ENDLESS

    def proves(self, traits: Traits) -> bool:
        """Whether results can be proven in a model with these traits."""
        return (
            self.solver
            and self.value == "returns"
            and traits.seats == 2
            and traits.zero_sum
            and traits.chance == "none"
            and not traits.simultaneous
            and traits.model_sees_all
        )

    def search(self, model: Model, view: View, budget: Budget, rng: Rng) -> StateTree:
        """Grow a tree until the budget is spent or the root is solved."""
        trees = 1 if model.traits.model_sees_all else self.determinisations
        states = [model.imagine(view, rng) for _ in range(trees)]
        return self.search_from(states, model, budget, rng)

    def search_from(
        self,
        states: Sequence[Any],
        model: Model,
        budget: Budget,
        rng: Rng,
        wins: VirtualWins | None = None,
    ) -> StateTree:
        """Grow a tree from each of these states; some types of action may begin with wins."""
        if native := self.kernels(model):
            return self.search_natively(native, states, model, budget, rng, wins)
        tree = StateTree(self, model, states, wins)
        tree.grow(budget, rng)
        return tree

    def search_natively(
        self,
        native: Any,
        states: Sequence[Any],
        model: Model,
        budget: Budget,
        rng: Rng,
        wins: VirtualWins | None,
    ) -> NativeStateTree:
        """The same by the twin; a prior that is a function is asked in batches meanwhile."""
        parts = self.native_parts(model)
        if wins is not None:
            types = native.action_types()
            parts["virtual_wins"] = [wins.wins.get(name, 0) for name in types]
            parts["beside"] = types.index(wins.beside)
        service: AbstractContextManager[Any] = nullcontext()
        if self.function is not None:
            parts["prior"] = native.prior_queue()
            service = PriorService(parts["prior"], self.function, self.temperature, model)
        with service:
            tree = native.native_mcts(
                self,
                states,
                most_rounds(budget),
                rng,
                parts,
                even_turn=self.even_turn,
                provable=self.proves(model.traits),
                samples_chance=model.traits.sampled_chance,
            )
        return NativeStateTree(self, model, native, tree)


@dataclass(frozen=True, slots=True)
class VirtualWins:
    """Wins that actions of some types begin with at every node, as if they had been tried."""

    wins: Mapping[str, int]
    """by type of action"""
    beside: str
    """only where an action of this type is legal, too"""


class Kind(Enum):
    """What a node is."""

    LEAF = auto()
    """not opened yet: it has been visited once at most"""
    DECISION = auto()
    """has a bandit for each seat that acts; usually one"""
    CHANCE = auto()
    """has outcomes instead of actions; what leads to it is an afterstate"""
    SAMPLED = auto()
    """stands between an action and the different states that it was seen to lead to"""


class StateNode:
    """A state, and what the simulations that passed through it came to."""

    __slots__ = (
        "bandits", "children", "counts", "joint", "kind", "listed", "loss", "returns",
        "squares", "state", "total", "values", "visits",
    )  # fmt: skip

    children: dict[Any, StateNode]
    """by places of the actions (DECISION), by outcome (CHANCE), by key (SAMPLED)"""
    bandits: list[Bandit]
    listed: Sequence[tuple[Hashable, float]]
    counts: dict[Hashable, int]
    """visits of each outcome (CHANCE), sightings of each successor (SAMPLED)"""
    total: int
    """of these counts"""
    joint: tuple[Action, ...]
    """the actions that a SAMPLED node follows"""

    def __init__(self, state: State, seats: int, kind: Kind = Kind.LEAF) -> None:
        self.state = state
        self.kind = kind
        self.children = {}
        self.visits = 0
        self.values = [0.0] * seats  # mean return of each seat
        self.squares = [0.0] * seats
        self.loss = 0  # virtual: how often it was entered since it was last updated
        self.returns: Sequence[float] | None = None  # known for certain: the end, or proven

    def record(self, returns: Sequence[float]) -> None:
        """Count a simulation that passed through this node."""
        self.visits += 1
        self.loss = 0
        for seat, value in enumerate(returns):
            self.values[seat] += (value - self.values[seat]) / self.visits
            self.squares[seat] += value * value


@dataclass(slots=True)
class Descent:
    """One iteration on its way down the tree."""

    node: StateNode
    """the last one that it has reached"""
    evaluator: Evaluator
    steps: list[tuple[StateNode, tuple[int, ...]]] = field(default_factory=list)
    """decisions: the node, and the place of each seat's action in its bandit"""
    passed: list[StateNode] = field(default_factory=list)
    """nodes that were entered, in order; the root is not"""
    way: Hashable = None
    """how the new state is reached from the node,"""
    state: Any = None
    """where there is one that has no node yet"""

    def enter(self, node: StateNode) -> None:
        node.loss += 1  # a ring of merged nodes is left the sooner, the longer it is followed
        self.node = node
        self.passed.append(node)


class StateTree(Growth):
    """The roots (several only for imagined states), the merged nodes and the counters."""

    def __init__(
        self,
        planner: Mcts,
        model: Model,
        states: Sequence[Any],
        wins: VirtualWins | None = None,
    ) -> None:
        super().__init__()
        self.planner = planner
        self.model = model
        self.wins = wins
        traits = model.traits
        self.seats = traits.seats
        self.roots = [StateNode(state, self.seats) for state in states]
        self.merged: dict[Hashable, StateNode] = {}
        self.size = len(self.roots)
        self.rollouts = Rollouts(planner.rollout, planner.rollout_depth, model)
        self.priors = (
            Priors(planner.prior, planner.temperature, model)
            if planner.selection in USES_PRIORS
            else None
        )
        self.beliefs = able(model, WeighsLegality) if planner.legality else None
        self.select_by = TREE_SELECTIONS[planner.selection]
        self.back_up_by = BACKUPS[planner.backup]
        self.evaluators = [
            Evaluator(model, state, planner.value, planner.score_scale) for state in states
        ]
        self.provable = planner.proves(traits)
        for root in self.roots:
            self.open(root)
            if planner.transpositions:
                self.merged.setdefault(model.key(root.state), root)

    def grow(self, budget: Budget, rng: Rng) -> None:
        """Run iterations until the budget is spent or the root is solved."""
        try:
            for number in rounds(budget, self.model.meter):
                self.iterate(number, rng)
                if self.solved:
                    break
        except BudgetSpent:
            pass  # the unfinished iteration is dropped

    def iterate(self, number: int, rng: Rng) -> None:
        """Run one iteration: descend, value what is reached, and back the result up."""
        root, turn = number % len(self.roots), number // len(self.roots)
        descent = Descent(self.roots[root], self.evaluators[root])
        try:
            self.select(descent, turn, rng)
            returns = self.simulate(descent, rng)
        except BudgetSpent:
            drop(descent)
            raise
        self.back_up(descent, returns)
        self.note(returns, len(descent.steps))

    # Step 1. Select: descend along the most promising actions.

    def select(self, descent: Descent, turn: int, rng: Rng) -> None:
        """Descend to a known result, or to a state that has no node yet."""
        planner = self.planner
        while descent.node.returns is None and len(descent.steps) < planner.max_depth:
            node = descent.node
            if node.kind is Kind.LEAF:
                if self.is_full:
                    return
                self.open(node)
                continue
            way, state = self.choose(node, descent, turn, rng)
            child = node.children.get(way)
            if child is None and node.kind is Kind.DECISION and self.model.traits.sampled_chance:
                child = self.between(node, way)
            if child is None:
                descent.way = way
                descent.state = self.state_after(node, way, rng) if state is None else state
                return
            descent.enter(child)

    def choose(
        self, node: StateNode, descent: Descent, turn: int, rng: Rng
    ) -> tuple[Hashable, Any]:
        """Choose where to go on from a node; with it the state, where it had to be made."""
        if node.kind is Kind.CHANCE:
            return self.choose_outcome(node, rng), None
        if node.kind is Kind.SAMPLED:
            return sampled_successor(node, self.model, self.planner.widening, rng)
        is_even = (
            not descent.steps and len(node.bandits) == 1 and turn % self.planner.even_turn == 0
        )
        places = tuple(self.choose_action(node, one, is_even, rng) for one in node.bandits)
        descent.steps.append((node, places))
        return places, None

    def choose_action(self, node: StateNode, bandit: Bandit, is_even: bool, rng: Rng) -> int:
        """The place of an untried action, or of the one that the rule takes."""
        if bandit.untried:
            return bandit.try_one(rng)
        arms = self.arms_of(node, bandit)
        if is_even:
            return least_tried(arms)
        return self.select_by(arms, self.planner.exploration, self.span, rng)

    def arms_of(self, node: StateNode, bandit: Bandit) -> Bandit:
        """The statistics that actions are compared by.

        With afterstates those of the nodes that the actions lead to, which may have other
        parents, too. What was entered and not yet updated counts as lost so far, and what is
        proven to lose counts as lost.
        """
        if self.beliefs is not None:
            bandit = self.weighed(bandit)
        merges = self.planner.transpositions
        if len(node.bandits) > 1 or not (merges or self.provable):
            return bandit
        children = {way[0]: child for way, child in node.children.items()}
        if not merges and all(child.returns is None for child in children.values()):
            return bandit
        arms = bandit.copy()
        for place, child in children.items():
            if merges and self.planner.afterstates and child.visits:
                arms.put(place, child.visits, child.values[bandit.seat], child.squares[bandit.seat])
            if child.loss:
                share = child.loss / max(arms.visits[place], 1)
                arms.put_mean(place, arms.means[place] - self.span * share)
            if self.is_lost(child, bandit.seat):
                arms.put_mean(place, LOST)
        arms.total = sum(arms.visits)
        return arms

    def weighed(self, bandit: Bandit) -> Bandit:
        """The bandit with means and bonuses scaled by how likely the actions are to be legal.

        Above the least return seen, so that what is surely legal stays as it is.
        """
        arms = bandit.copy()
        low = 0.0 if self.low == inf else self.low
        for place, (mean, chance) in enumerate(zip(bandit.means, bandit.legality, strict=True)):
            arms.scale(place, low + chance * (mean - low), chance)
        arms.priors = [
            prior * chance for prior, chance in zip(bandit.priors, bandit.legality, strict=False)
        ]
        return arms

    def is_lost(self, child: StateNode, seat: int) -> bool:
        """Whether what an action leads to is proven to be lost for a seat."""
        return self.provable and child.returns is not None and child.returns[seat] < 0.0

    def choose_outcome(self, node: StateNode, rng: Rng) -> Hashable:
        """Choose the outcome whose visits are furthest below its probability, or draw one.

        The shares of the visits are then never further from the probabilities than one visit, so
        what is averaged above the node is its expected value without the noise of drawn dice.
        """
        node.total += 1
        shares = [share for _, share in node.listed]
        if self.planner.outcomes == "drawn":
            index = rng.weighted(shares)
        else:
            behind = [share * node.total - node.counts[one] for one, share in node.listed]
            index = behind.index(max(behind))
        outcome = node.listed[index][0]
        node.counts[outcome] += 1
        return outcome

    def state_after(self, node: StateNode, way: Any, rng: Rng) -> Any:
        """Make the state that an outcome or actions lead to."""
        if node.kind is Kind.CHANCE:
            return self.model.resolve(node.state, way)
        return self.model.step(node.state, actions_at(node, way), rng)

    # Step 2. Expand: give states nodes.

    def open(self, node: StateNode) -> None:
        """Turn a leaf into the kind of node that its state asks for."""
        model = self.model
        if seats := model.to_act(node.state):
            node.kind = Kind.DECISION
            node.bandits = [self.new_bandit(node.state, seat) for seat in seats]
        elif listed := model.chance(node.state):
            node.kind = Kind.CHANCE
            node.listed = listed
            node.counts = dict.fromkeys([outcome for outcome, _ in listed], 0)
            node.total = 0
        else:
            outcome = model.outcome(node.state)
            node.returns = outcome.returns if outcome else (0.0,) * self.seats

    def new_bandit(self, state: State, seat: int) -> Bandit:
        legal = self.model.legal(state, seat)
        bandit = Bandit(seat, legal)
        if self.priors is not None:
            bandit.set_priors(self.priors.of(state, seat, legal))
        if self.beliefs is not None:
            bandit.untried_legality = list(self.beliefs.legality(state, seat))
        if self.wins is not None:
            self.add_virtual_wins(bandit, self.wins)
        return bandit

    def add_virtual_wins(self, bandit: Bandit, wins: VirtualWins) -> None:
        """Let actions of some types begin with wins."""
        kinds = {action: self.model.action_type(action) for action in bandit.untried}
        if wins.beside not in kinds.values():
            return
        for action in [one for one in bandit.untried if wins.wins.get(kinds[one], 0)]:
            bandit.untried.remove(action)
            place = bandit.add(action)
            for _ in range(wins.wins[kinds[action]]):
                bandit.record(place, 1.0)

    def between(self, node: StateNode, places: Any) -> StateNode | None:
        """Add the node between an action and the states that sampled chance makes of it."""
        if not self.has_room(self.planner.max_nodes):
            return None
        child = StateNode(node.state, self.seats, Kind.SAMPLED)
        child.joint = actions_at(node, places)
        child.counts = {}
        child.total = 0
        node.children[places] = child
        return child

    def add(self, descent: Descent) -> StateNode | None:
        """Give the new state a node, or find the one it is merged with; None when full."""
        merges = self.planner.transpositions
        key = self.model.key(descent.state) if merges else None
        child = self.merged.get(key) if merges else None
        if child is None:
            if not self.has_room(self.planner.max_nodes):
                return None
            child = StateNode(descent.state, self.seats)
            if merges:
                self.merged[key] = child
        descent.node.children[descent.way] = child
        descent.enter(child)
        descent.state = None
        return child

    @property
    def is_full(self) -> bool:
        return self.size >= self.planner.max_nodes

    # Step 3. Simulate: value what was reached.

    def simulate(self, descent: Descent, rng: Rng) -> Sequence[float]:
        """Take a known result, or play on; a new state is given its node."""
        if self.provable and self.planner.look_ahead and descent.state is not None:
            child = self.add(descent)
            if child is not None and child.kind is Kind.LEAF and child.returns is None:
                self.find_win(child)
        if descent.state is None and descent.node.returns is not None:
            return descent.node.returns
        state = descent.node.state if descent.state is None else descent.state
        result = self.rollouts.play(state, rng)
        if result.cut:
            raise BudgetSpent
        returns = descent.evaluator.of_result(result)
        if descent.state is not None:
            child = self.add(descent)
            # With dice pending, the rollout saw one way to end, not the only one.
            if child is not None and not result.ticks and self.model.over(state):
                child.returns = returns
        return returns

    def find_win(self, node: StateNode) -> None:
        """Prove a new leaf if it is an end, or if an action wins at once."""
        seats = self.model.to_act(node.state)
        if not seats:
            self.open(node)
            return
        for action in self.model.legal(node.state, seats[0]):
            outcome = self.model.outcome(self.model.step(node.state, (action,), IDLE))
            if outcome is not None and outcome.returns[seats[0]] > 0.0:
                node.returns = outcome.returns
                return

    # Step 4. Back up.

    def back_up(self, descent: Descent, returns: Sequence[float]) -> None:
        """Record the result for every action and every node of the way, each of them once."""
        seen: set[tuple[int, tuple[int, ...]]] = set()
        path: list[tuple[Bandit, int]] = []
        for node, places in descent.steps:
            if (id(node), places) not in seen:
                seen.add((id(node), places))
                path += zip(node.bandits, places, strict=True)
        self.back_up_by(path, returns)
        for node in dict.fromkeys(descent.passed):
            node.record(returns)
        if self.provable and descent.state is None and descent.node.returns is not None:
            self.prove(descent.steps, descent.node.returns)

    def prove(
        self, steps: Sequence[tuple[StateNode, tuple[int, ...]]], returns: Sequence[float]
    ) -> None:
        """MCTS-Solver (Winands, Bjornsson and Saito 2008): take a certain result up the path.

        One winning reply proves a node; otherwise all replies must be proven, and the best counts.
        """
        for node, _ in reversed(steps):
            seat = node.bandits[0].seat
            if returns[seat] <= 0.0:
                if node.bandits[0].untried or len(node.children) < len(node.bandits[0]):
                    return
                results = [child.returns for child in node.children.values()]
                known = [one for one in results if one is not None]
                if len(known) < len(results):
                    return
                returns = max(known, key=lambda one: one[seat])
            node.returns = returns

    # What the roots say

    @property
    def solved(self) -> bool:
        return self.provable and self.roots[0].returns is not None

    def evidence(self, view: View) -> tuple[dict[Action, int], dict[Action, float]]:
        """Visits of every legal action and mean returns of the tried ones, over all roots."""
        visits, values = evidence(view.legal, self.root_bandits(view.seat))
        values |= {one: value for one, value in self.proven(view.seat).items() if value < 0.0}
        return visits, values

    def root_bandits(self, seat: int) -> Sequence[Tried]:
        """The statistics of a seat at each root."""
        return [one for root in self.roots for one in root.bandits if one.seat == seat]

    def proven(self, seat: int) -> dict[Action, float]:
        """The proven results of the root's actions."""
        if not self.provable:
            return {}
        return {one: node.returns[seat] for one, node in self.replies() if node.returns is not None}

    def proven_value(self, seat: int) -> float | None:
        """The proven result of the root."""
        returns = self.roots[0].returns
        return None if returns is None else returns[seat]

    def replies(self) -> list[tuple[Action, StateNode]]:
        """The actions of the first root with what they lead to, where one seat acts."""
        root = self.roots[0]
        if root.kind is not Kind.DECISION or len(root.bandits) > 1:
            return []
        pairs = enumerate(root.bandits[0].actions)
        return [(one, root.children[index,]) for index, one in pairs if (index,) in root.children]

    def after(self, action: Action) -> Any:
        """The state that an action leads to, where the tree knows the only one."""
        child = dict(self.replies()).get(action) if len(self.roots) == 1 else None
        return None if child is None or child.kind is Kind.SAMPLED else child.state

    def candidates(self, values: dict[Action, float], seat: int) -> dict[Action, float]:
        """The actions worth playing: proven best ones, else those not proven to lose.

        When all are proven to lose, all are: the most visited was the hardest to prove.
        """
        if not self.provable:
            return values
        proven, sure = self.proven(seat), self.proven_value(seat)
        if sure is not None and sure >= 0.0:
            keep = {one for one, result in proven.items() if result >= sure}
        else:
            keep = {one for one in values if proven.get(one, 0.0) >= 0.0}
        return {action: value for action, value in values.items() if action in keep} or values

    def best_line(self, played: Action) -> Any:
        """The principal variation of the first root."""
        return best_line(self.roots[0], ways_of, played)


class NativeStateTree(StateTree):
    """The same tree, grown by the native twin."""

    def __init__(self, planner: Mcts, model: Model, native: Any, tree: NativeTree) -> None:
        Growth.__init__(self)
        self.planner = planner
        self.model = model
        self.native = native
        self.tree = tree
        self.take_counters(tree)
        self.provable = tree.provable

    @property
    def solved(self) -> bool:
        return self.tree.solved

    def root_bandits(self, seat: int) -> Sequence[Tried]:
        return tried_natively(self.tree, seat)

    def proven(self, seat: int) -> dict[Action, float]:
        return self.tree.proven(seat) if self.provable else {}

    def proven_value(self, seat: int) -> float | None:
        return self.tree.proven_value(seat)

    def after(self, action: Action) -> Any:
        return self.native.native_after(self.tree, action)

    def best_line(self, played: Action) -> Any:
        return Line(tuple(self.tree.best_line(played, LONGEST_LINE)))


def drop(descent: Descent) -> None:
    """Take back what an unfinished iteration began: actions that nobody has come back from."""
    for node in descent.passed:
        node.loss = 0
    if not descent.steps:
        return
    node, places = descent.steps[-1]  # only there actions can be new
    for bandit, place in zip(node.bandits, places, strict=True):
        if not bandit.visits[place]:
            bandit.forget_last()
            node.children.pop(places, None)


def actions_at(node: StateNode, places: Sequence[int]) -> tuple[Action, ...]:
    pairs = zip(node.bandits, places, strict=True)
    return tuple(bandit.actions[place] for bandit, place in pairs)


def least_tried(arms: Bandit) -> int:
    """The least visited action that is not proven to lose."""
    pairs = zip(arms.visits, arms.means, strict=True)
    counts = [inf if mean == LOST else count for count, mean in pairs]
    return counts.index(min(counts))


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
    if node.kind is not Kind.DECISION or len(node.bandits) > 1:
        return
    bandit = node.bandits[0]
    for index, (action, visits) in enumerate(zip(bandit.actions, bandit.visits, strict=True)):
        after = node.children.get((index,))
        while after is not None and after.kind in (Kind.CHANCE, Kind.SAMPLED) and after.children:
            met = [key for key in after.counts if key in after.children]
            after = after.children[max(met, key=after.counts.__getitem__)]
        yield action, visits, after
