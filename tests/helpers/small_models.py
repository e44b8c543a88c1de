"""Worlds of a few lines, whose best play is known, for tests of planners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.core import Budget, Meter, Rng
from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.state import PlainState
from ludex.core.traits import Traits

STEPS = {"up": (0, -1), "left": (-1, 0), "down": (0, 1), "right": (1, 0)}


@dataclass(slots=True, unsafe_hash=True)
class Cell(PlainState):
    """Where the walker is."""

    x: int
    y: int


class Maze(PythonModel):
    """One walker among walls (#) from S to G, which wins; steps against a wall stay in place."""

    def __init__(self, *rows: str) -> None:
        super().__init__()
        self.rows = rows
        self.traits = Traits(seats=1, max_legal=4)

    def find(self, letter: str) -> Cell:
        return next(Cell(row.index(letter), y) for y, row in enumerate(self.rows) if letter in row)

    def letter(self, x: int, y: int) -> str:
        return self.rows[y][x]

    def to_act(self, state: Cell) -> tuple[int, ...]:
        return () if self.over(state) else (0,)

    def legal(self, state: Cell, seat: int) -> tuple[str, ...]:
        return tuple(STEPS) if self.to_act(state) else ()

    def _apply(self, state: Cell, actions: Actions, rng: Rng) -> None:
        dx, dy = STEPS[actions[0]]
        if self.letter(state.x + dx, state.y + dy) != "#":
            state.x, state.y = state.x + dx, state.y + dy

    def outcome(self, state: Cell) -> Outcome | None:
        won = self.letter(state.x, state.y) == "G"
        return Outcome((0,), (1.0,), "reached the goal") if won else None

    def score(self, state: Cell, seat: int) -> float:
        return 0.0

    def distance(self, state: Cell, seat: int) -> float:
        goal = self.find("G")
        return abs(goal.x - state.x) + abs(goal.y - state.y)


@dataclass(slots=True, unsafe_hash=True)
class Typed(PlainState):
    """What was typed so far."""

    keys: str = ""


class Lock(PythonModel):
    """One seat types a code; every key that stands where the code has it scores a point."""

    def __init__(self, code: str, keys: str = "abcd", ends: bool = True) -> None:
        super().__init__()
        self.code = code
        self.keys = keys
        self.ends = ends
        self.traits = Traits(seats=1, max_legal=len(keys))

    def to_act(self, state: Typed) -> tuple[int, ...]:
        return () if self.over(state) else (0,)

    def legal(self, state: Typed, seat: int) -> tuple[str, ...]:
        return tuple(self.keys) if self.to_act(state) else ()

    def _apply(self, state: Typed, actions: Actions, rng: Rng) -> None:
        state.keys += actions[0]

    def outcome(self, state: Typed) -> Outcome | None:
        if not self.ends or len(state.keys) < len(self.code):
            return None
        return Outcome((), (self.score(state, 0),), "typed all keys")

    def score(self, state: Typed, seat: int) -> float:
        return float(sum(typed == key for typed, key in zip(state.keys, self.code, strict=False)))


class Scored(Lock):
    """One seat chooses letters; the score of each sequence is read from a table, else it is 0."""

    def __init__(self, scores: dict[str, float], keys: str, depth: int) -> None:
        super().__init__("-" * depth, keys)
        self.scores = scores

    def score(self, state: Typed, seat: int) -> float:
        return self.scores.get(state.keys, 0.0)


@dataclass(slots=True, unsafe_hash=True)
class Chosen(PlainState):
    """What both seats chose; empty before they did."""

    joint: str = ""


class Matrix(PythonModel):
    """Two seats choose at once, and a table says what each gets: then it is over."""

    def __init__(self, payoffs: dict[str, tuple[float, float]]) -> None:
        super().__init__()
        self.payoffs = payoffs
        self.traits = Traits(seats=2, max_legal=2, simultaneous=True)

    def to_act(self, state: Chosen) -> tuple[int, ...]:
        return () if state.joint else (0, 1)

    def legal(self, state: Chosen, seat: int) -> tuple[str, ...]:
        if state.joint:
            return ()
        return tuple(dict.fromkeys(joint[seat] for joint in self.payoffs))

    def _apply(self, state: Chosen, actions: Actions, rng: Rng) -> None:
        state.joint = "".join(actions)

    def outcome(self, state: Chosen) -> Outcome | None:
        return Outcome((), self.payoffs[state.joint], "chosen") if state.joint else None

    def score(self, state: Chosen, seat: int) -> float:
        return self.payoffs[state.joint][seat] if state.joint else 0.0


# Against a draw, a is worth 1.5 and b 1. The other seat likes R better, and L harms us less.
KEEN = Matrix({"aL": (3.0, 0.0), "aR": (0.0, 1.0), "bL": (1.0, 0.0), "bR": (1.0, 1.0)})
# The same for us, but now the other seat likes L better: only a pessimist fears R.
KIND = Matrix({"aL": (3.0, 1.0), "aR": (0.0, 0.0), "bL": (1.0, 1.0), "bR": (1.0, 0.0)})


def ask(planner: Any, model: Any, state: Any, budget: Budget, seed: int = 0, seat: int = 0) -> Any:
    """One decision of a fresh mind."""
    metered = model.metered(Meter())
    return planner.decide(metered, metered.view(state, seat), budget, Rng(seed))


def walk(planner: Any, model: Any, state: Any, budget: Budget, most: int = 60) -> list[Any]:
    """The decisions of one mind until the game is over."""
    metered = model.metered(Meter())
    mind = planner.start(metered, metered.view(state, 0), budget, Rng(0))
    made: list[Any] = []
    while not model.over(state) and len(made) < most:
        decision = mind.decide(metered.view(state, 0), budget, Rng(len(made)))
        made.append(decision)
        state = model.step(state, (decision.action,), Rng(0))
    return made
