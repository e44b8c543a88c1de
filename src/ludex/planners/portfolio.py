"""A portfolio of planners, one for each kind of game, chosen by probing the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent
from ludex.core.fallback import choose_uniform
from ludex.core.model import Model
from ludex.core.parameters import AtLeast
from ludex.core.planner import Planner, StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.view import View

Role: TypeAlias = Literal["puzzle", "reactive", "exploring", "planning", "rivals"]
SET_UP_TICKS = 3
SAME = ("tick", "score")  # states that differ in these alone are the same


@dataclass(frozen=True, kw_only=True)
class Portfolio(StatefulPlanner):
    """Portfolio (hyper-heuristic): probes the game and chooses a planner that suits it.

    Where nothing moves by itself and nothing is left to chance it is a puzzle, and searched
    through; where points are within reach, reactive play takes them; else it explores. With
    rivals, one planner of several seats plays. After a long time without a point the next of
    the planners that fit takes over, with a mind that begins anew.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "probes": AtLeast(2),
        "probe_ticks": AtLeast(1),
        "patience": AtLeast(1),
        "puzzle_patience": AtLeast(1),
    }

    puzzle: str = "yolobot"
    """the planner for games that stand still and hold no chance"""
    reactive: str = "olets"
    """the planner for games with points within reach"""
    exploring: str = "mo_mcts"
    """the planner for games without"""
    planning: str = "iterated_width"
    """the planner that looks far ahead, for when the others gain nothing"""
    rivals: str = "open_loop_mcts"
    """the planner for games of several seats, and for what the others cannot play"""
    probes: int = 6
    """random plays with which the first decision begins, each played twice with other dice"""
    probe_ticks: int = 10
    """ticks of each"""
    patience: int = 200
    """decisions without a point after which another planner takes over ..."""
    puzzle_patience: int = 500
    """... and those of the search of a puzzle, which stands still in the meantime"""

    def contradiction(self) -> str | None:
        for role in get_args(Role):
            if getattr(self, role) == self.name:
                return f"{role}={self.name} would choose itself; name another planner"
        return None

    def fresh_memory(self) -> PortfolioMemory:
        return PortfolioMemory()

    def refusal(self, traits: Any) -> str | None:
        # A misspelt name is told before the first move, too.
        named = {role: planner_named(getattr(self, role)) for role in get_args(Role)}
        return super().refusal(traits) or named["rivals"].refusal(traits)

    def plan_on(
        self, memory: PortfolioMemory, model: Model, view: View, budget: Budget, rng: Rng
    ) -> Decision:
        if memory.seen is None:
            memory.seen = look(self, model, view, rng.fork("look"))
            order = order_of(memory.seen, model.traits.seats)
            memory.order = self.able(order, model.traits) or ("rivals",)
        memory.free()
        memory.keep_patience(self, score_of(model, view, rng))
        role = memory.order[memory.turn]
        name: str = getattr(self, role)
        decision = memory.ask(name, model, view, budget, rng.fork("plan"))
        notes = {"role": role, "planner": name, "switches": memory.switches}
        return replace(decision, notes={**decision.notes, **notes})

    def able(self, roles: tuple[Role, ...], traits: Any) -> tuple[Role, ...]:
        """The roles whose planners can play on a model."""
        return tuple(
            role for role in roles if not planner_named(getattr(self, role)).refusal(traits)
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """What the probes showed."""

    moves_alone: bool
    """doing nothing changes the state"""
    is_random: bool
    """the same actions led to different states"""
    scores: bool
    """some random play changed the score or ended the game"""


def planner_named(name: str) -> Planner:
    """A planner with its usual parameters; an unknown name is one sentence."""
    planner: Planner = registry.load("planners", name)()
    return planner


def score_of(model: Model, view: View, rng: Rng) -> float:
    return model.score(model.imagine(view, rng), view.seat)


def order_of(seen: Seen, seats: int) -> tuple[Role, ...]:
    """The roles that suit a game, the most fitting first."""
    if seats > 1:
        return ("rivals",)
    if not seen.moves_alone and not seen.is_random:
        return ("puzzle", "planning", "exploring", "reactive")
    if seen.scores:
        return ("reactive", "exploring", "planning")
    return ("exploring", "reactive", "planning")


def look(planner: Portfolio, model: Model, view: View, rng: Rng) -> Seen:
    """Play at random, every line twice, for as long as the budget lasts."""
    seat = view.seat
    moves_alone = is_random = scores = False
    start = model.imagine(view, rng)
    seats = model.traits.seats
    try:
        if seats == 1:
            moves_alone = changes_alone(model, start, seat, rng)
        for number in range(planner.probes if seats == 1 else 0):
            lines = [play_line(planner, model, start, seat, rng, number, again) for again in (0, 1)]
            is_random |= lines[0][0] != lines[1][0]
            scores |= any(has_scored for _, has_scored in lines)
    except BudgetSpent:
        pass  # what was seen so far must do
    return Seen(moves_alone, is_random, scores)


def changes_alone(model: Model, start: Any, seat: int, rng: Rng) -> bool:
    """Whether a state changes while its only seat waits.

    The first ticks are not counted: some games set themselves up in them.
    """
    state = start.copy()
    model.meter.count_copy()
    before = None
    for tick in range(SET_UP_TICKS + 1):
        if model.over(state):
            return True
        if tick == SET_UP_TICKS:
            before = model.key(state, ignore=SAME)
        model.advance(state, (model.default_action(state, seat),), rng)
        model.settle(state, rng)
    return model.key(state, ignore=SAME) != before


def play_line(
    planner: Portfolio, model: Model, start: Any, seat: int, rng: Rng, number: int, again: int
) -> tuple[Any, bool]:
    """Play random actions, the same for both tries of a number, with dice of its own.

    Returns the last state's key, and whether the score changed or the game ended.
    """
    choices, dice = rng.fork("line", number), rng.fork("dice", number, again)
    state = start.copy()
    model.meter.count_copy()
    for _ in range(planner.probe_ticks):
        if model.over(state):
            break
        model.advance(state, (choose_uniform(model, state, seat, choices),), dice)
        model.settle(state, dice)
    has_scored = model.over(state) or model.score(state, seat) != model.score(start, seat)
    return model.key(state, ignore=SAME), has_scored


class PortfolioMemory:
    """What is known of the game, whose turn it is, and what the planner at work remembers."""

    def __init__(self) -> None:
        self.seen: Seen | None = None
        self.order: tuple[Role, ...] = ()
        self.turn = 0
        self.switches = 0
        self.waited = 0  # decisions since the score last changed
        self.score: float | None = None
        self.mind: Any = None
        self.past: list[tuple[Any, Any]] = []  # planners whose minds are not freed yet

    def keep_patience(self, planner: Portfolio, score: float) -> None:
        """Hand over to the next role after too long a time without a point."""
        self.waited = self.waited + 1 if score == self.score else 0
        self.score = score
        role = self.order[self.turn]
        most = planner.puzzle_patience if role == "puzzle" else planner.patience
        if self.waited >= most and len(self.order) > 1:
            self.turn = (self.turn + 1) % len(self.order)
            self.switches += 1
            self.waited = 0
            if self.mind is not None:
                # What it thinks of the next moves would be old when it returns.
                self.past.append((planner_named(getattr(planner, role)), self.mind))
                self.mind = None

    def free(self) -> None:
        """Free a part of the minds that are not needed any more."""
        if self.past:
            planner, mind = self.past[-1]
            if not planner.let_go(mind):
                self.past.pop()

    def ask(self, name: str, model: Model, view: View, budget: Budget, rng: Rng) -> Decision:
        """Let a planner decide, on the meter that is running already."""
        planner = planner_named(name)
        if not isinstance(planner, StatefulPlanner):
            return planner.plan(model, view, budget, rng)
        if self.mind is None:
            self.mind = planner.fresh_memory()
        return planner.plan_on(self.mind, model, view, budget, rng)
