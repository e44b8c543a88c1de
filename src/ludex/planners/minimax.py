"""Alpha-beta with transpositions and iterative deepening; exact where it reaches the end."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, NamedTuple

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import Planner
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.core.traits import Chance, Traits
from ludex.core.view import View
from ludex.planners.parts.budget import ENDLESS
from ludex.planners.parts.rollout import Evaluator

EXACT, AT_LEAST, AT_MOST = range(3)
WON = 1.0  # estimates lie inside (-1, 1), so a value of 1 or more is a certain result


@dataclass(frozen=True, kw_only=True)
class Minimax(Planner):
    """Minimax: alpha-beta with iterative deepening and transpositions; expectiminimax with dice.

    An iteration is one position stepped to. Dice are averaged over their listed outcomes
    (expectiminimax). Ends once no line was cut short; its answer is then exact.
    """

    handles_simultaneous: ClassVar[bool] = False
    handles_chance: ClassVar[frozenset[Chance]] = frozenset({"none", "listed"})
    handles_seats: ClassVar[tuple[int, int]] = (1, 2)
    LIMITS: ClassVar[Mapping[str, Any]] = {
        "max_depth": Between(1, 400),
        "score_scale": AtLeast(1e-9),
        "max_entries": AtLeast(2),
    }

    max_depth: int = 400
    """decisions looked ahead at most"""
    score_scale: float = 10.0
    """the gain in score, or in the lead, that counts half a win where a line is cut short"""
    stop_at_win: bool = True
    """end as soon as a return of 1 or more is certain"""
    full_root: bool = False
    """value every action of the root, not only the best (the others are then upper bounds)"""
    max_entries: int = 500_000
    """positions kept in the transposition table; older ones are forgotten first"""

    def refusal(self, traits: Traits) -> str | None:
        # A belief helps against hidden facts alone, so the other reasons come first.
        other = "ismcts" if traits.hidden else "mcts"
        if traits.seats > 2:
            return f"plays with 1 or 2 seats, and this world has {traits.seats}; use {other}"
        if traits.seats == 2 and not traits.zero_sum:
            return f"needs a zero-sum game when two play; use {other}"
        if traits.sampled_chance:
            return f"cannot look at every outcome of {traits.chance} chance; use {other}"
        if traits.simultaneous:
            return f"needs one seat to move at a time, and here several do; use {other}"
        return super().refusal(traits)

    def plan(self, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        if len(view.legal) == 1:
            return Decision(action=view.legal[0], notes={"forced": True})
        root = model.imagine(view, rng)
        evaluator = Evaluator(model, root, "returns", self.score_scale)
        search = AlphaBeta(self, model, view.seat, evaluator, budget.iterations or ENDLESS)
        order = list(view.legal)
        best: Action | None = None
        values: dict[Action, float] = {}
        found: dict[Action, float] = {}
        depth = 0
        solved = False
        try:
            while not solved and depth < self.max_depth and not model.meter.spent:
                found = {}
                whole = search.root(root, order, depth + 1, found)
                depth, values = depth + 1, found
                order.sort(key=lambda action: -values[action])  # stable: equals keep their order
                top = values[order[0]]
                # When all is lost, what seemed best one depth earlier holds out longest.
                if best is None or top > -WON:
                    best = order[0]
                solved = whole or (self.stop_at_win and top >= WON)
        except BudgetSpent:
            pass  # the unfinished depth is dropped, unless there is nothing else
        if best is None:
            values = found
            best = max(values, key=values.__getitem__, default=order[rng.below(len(order))])
        notes: dict[str, Any] = {"tree_size": search.table.size, "evicted": search.table.evicted}
        if solved or depth == self.max_depth:
            notes["solved" if solved else "complete"] = True
        return Decision(
            action=best, values=values, iterations=search.looked, depth=depth, notes=notes
        )


class TableEntry(NamedTuple):
    """What is known of a position: its value to a depth, exactly or as a bound."""

    depth: float
    """infinite when every line below reached the end"""
    bound: int
    value: float
    best: Action


class TranspositionTable:
    """Entries in two generations; when the younger is full, the older is forgotten."""

    def __init__(self, max_entries: int) -> None:
        self.half = max_entries // 2
        self.young: dict[Hashable, TableEntry] = {}
        self.old: dict[Hashable, TableEntry] = {}
        self.evicted = 0

    @property
    def size(self) -> int:
        return len(self.young) + len(self.old)

    def get(self, key: Hashable) -> TableEntry | None:
        return self.young.get(key) or self.old.get(key)

    def put(self, key: Hashable, entry: TableEntry) -> None:
        if len(self.young) >= self.half and key not in self.young:
            self.evicted += len(self.old)
            self.old, self.young = self.young, {}
        self.young[key] = entry


class AlphaBeta:
    """One decision: the table, and which actions refuted others before."""

    def __init__(
        self, planner: Minimax, model: Model, seat: int, evaluator: Evaluator, most: int
    ) -> None:
        self.planner = planner
        self.model = model
        self.seat = seat
        self.evaluator = evaluator.of_states_for(seat)
        self.table = TranspositionTable(planner.max_entries)
        self.history: dict[tuple[int, Action], int] = {}
        self.most = most  # positions that may be looked at
        self.looked = 0
        self.rng = Rng(0)  # no chance is sampled in the worlds this planner accepts

    def root(
        self, state: State, order: list[Action], depth: int, found: dict[Action, float]
    ) -> bool:
        """Value the actions of the root into `found`; return whether all lines were whole."""
        alpha = -inf
        whole = True
        for action in order:
            after = self.step(state, action)
            floor = -inf if self.planner.full_root else alpha
            value, exact = self.value(after, depth - 1, floor, inf)
            found[action] = value
            alpha = max(alpha, value)
            whole = whole and exact
        return whole

    def step(self, state: State, action: Action) -> Any:
        if self.looked == self.most:
            raise BudgetSpent
        after = self.model.step(state, (action,), self.rng)
        self.looked += 1
        return after

    def value(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, bool]:
        """The value for the deciding seat, and whether no line below was cut short.

        Outside (alpha, beta) the value is a bound on that side ("fail soft").
        """
        model = self.model
        seats = model.to_act(state)
        if not seats:
            return self.settled(state, depth)
        if depth == 0:
            return self.evaluator(state), False

        # Step 1. Ask the table.
        key = model.key(state)
        entry = self.table.get(key)
        if entry is not None and entry.depth >= depth:
            known, bound = entry.value, entry.bound
            if (
                bound == EXACT
                or (bound == AT_LEAST and known >= beta)
                or (bound == AT_MOST and known <= alpha)
            ):
                return known, entry.depth == inf

        # Step 2. Order the actions: the best of last time, then by what they refuted before.
        mover = seats[0]
        history = self.history
        actions = sorted(model.legal(state, mover), key=lambda a: -history.get((mover, a), 0))
        if entry is not None:
            actions.sort(key=lambda action: action != entry.best)

        # Step 3. Try them until one is too good for the other side to allow.
        sign = 1.0 if mover == self.seat else -1.0
        low, high = alpha, beta
        best, best_action, whole = -inf, actions[0], True
        for action in actions:
            value, exact = self.value(self.step(state, action), depth - 1, low, high)
            whole = whole and exact
            if sign * value > best:
                best, best_action = sign * value, action
            if sign > 0:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                history[mover, action] = history.get((mover, action), 0) + depth * depth
                whole = exact  # what refutes needs no other line
                break

        # Step 4. Remember.
        result = sign * best
        bound = AT_MOST if result <= alpha else AT_LEAST if result >= beta else EXACT
        self.table.put(key, TableEntry(inf if whole else depth, bound, result, best_action))
        return result, whole

    def settled(self, state: State, depth: int) -> tuple[float, bool]:
        """The end, or the mean over all listed outcomes."""
        listed = self.model.chance(state)
        if not listed:
            end = self.model.outcome(state)
            return (end.returns[self.seat] if end else 0.0), True
        total, whole = 0.0, True
        for outcome, probability in listed:
            value, exact = self.value(self.model.resolve(state, outcome), depth, -inf, inf)
            total += probability * value
            whole = whole and exact
        return total, whole
