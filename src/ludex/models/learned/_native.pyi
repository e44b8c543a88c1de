"""
Learned forward models of tile games: states, training data, classifiers, model.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy
import numpy.typing

import ludex.core._native


MOST_TILES: int = 16383

TOUCHED: int = 16384

class Choices:
    """
    The legal actions of a seat, each with its verb and the cell it acts on.
    """

    def __init__(self, actions: Sequence[int], verbs: Sequence[int], cells: Sequence[int]) -> None: ...

class State:
    """A state of a learned tile model: a grid of tiles, score and ending."""

    def __init__(self, tiles: numpy.typing.NDArray[numpy.uint16], margin: int, choices: Choices, score: float = 0.0, ending: int = 0) -> None: ...

    def copy(self) -> State: ...

    def copy_from(self, other: State | None) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, kept: tuple[Any, ...], /) -> None: ...

    @property
    def tiles(self) -> numpy.typing.NDArray[numpy.uint16]:
        """[row, column]"""

    @property
    def grid_bytes(self) -> bytes:
        """The grid with its margin as bytes, for keys of tables."""

    @property
    def score(self) -> float:
        """The predicted score, without any bonus."""

    @property
    def bonus(self) -> float: ...

    @property
    def confidence(self) -> float: ...

    @property
    def unseen(self) -> int:
        """Cells of the last step whose neighbourhood was never seen in training."""

    @property
    def ending(self) -> int: ...

    def verb_of(self, action: int) -> int:
        """The verb index of an action; -1 if it is not a legal action."""

    def becoming(self, tiles: numpy.typing.NDArray[numpy.uint16], score: float, bonus: float, confidence: float, unseen: int, ending: int) -> State:
        """
        The successor state with the same legal actions; for models written in Python.
        """

    def differs(self, other: State) -> int:
        """The number of cells that differ."""

class Neighbourhood:
    """The cells around a cell, as offsets."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int]) -> None: ...

    @property
    def span(self) -> int: ...

    @property
    def cells(self) -> int: ...

class TileMemory:
    """
    Training data of a local model: every row seen, with the tiles that followed and counts.
    """

    def __init__(self, width: int) -> None: ...

    def copy(self) -> TileMemory: ...

    def __len__(self) -> int: ...

    def watch(self, around: Neighbourhood, before: State, verb: int, touched: int, after: State) -> None:
        """Add the neighbourhood of every cell and the tile that followed it."""

    def add(self, rows: numpy.typing.NDArray[numpy.uint16], after: numpy.typing.NDArray[numpy.uint16], times: numpy.typing.NDArray[numpy.uint32]) -> None: ...

    def table(self) -> tuple[numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.uint32]]:
        """
        Rows, next tiles and counts: one line for each pair of a row and a next tile.
        """

    def knows(self, rows: numpy.typing.NDArray[numpy.uint16]) -> numpy.typing.NDArray[numpy.uint8]: ...

class TreeClassifier:
    """A tree or forest that predicts the next tile of a cell."""

    def __init__(self, features: Any, cuts: Any, rights: Any, roots: Any, classes: Any, leaves: Any, width: int) -> None: ...

    def classify(self, rows: numpy.typing.NDArray[numpy.uint16]) -> tuple[numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.float64]]: ...

class RewardModel:
    """
    Reward model: predicts the gain in score and the ending of a transition.
    """

    def __init__(self, features: int, tiles: int, returns: Sequence[float]) -> None: ...

    @property
    def width(self) -> int:
        """The number of features of a transition."""

    def describe(self, before: State, after: State) -> numpy.typing.NDArray[numpy.int16]: ...

    def score_by_weights(self, weights: Sequence[float]) -> None: ...

    def score_by_tree(self, features: Any, cuts: Any, rights: Any, roots: Any, leaves: Sequence[float]) -> None: ...

    def end_by_tree(self, features: Any, cuts: Any, rights: Any, roots: Any, leaves: Sequence[int]) -> None: ...

    def add_rule(self, terms: Sequence[Sequence[tuple[int, int]]], lows: Sequence[int], highs: Sequence[int], verb: int, gain: float, ending: int) -> None:
        """
        Append an association rule: for the ending, or for the gain if `ending` is 0.
        """

    def predict(self, row: numpy.typing.NDArray[numpy.int16], verb: int = -1) -> tuple[float, int]: ...

class FunctionPolicy:
    """A rollout policy of native code."""

class Model:
    """
    The native part of a learned tile model: stepping, rollouts, legal actions.
    """

    def __init__(self, around: Neighbourhood, verbs: int, memory: TileMemory, classifier: object, reward_model: RewardModel, *, remembers: bool = True, novelty: float = 0.5, caches: bool = True, curiosity: float = 0.0, discounts: bool = False, trust: float = 0.0, boredom: float = 0.0, samples: bool = False) -> None: ...

    @property
    def meter(self) -> ludex.core._native.Meter: ...

    def metered(self, meter: ludex.core._native.Meter) -> Self: ...

    def check_state(self, state: State | None) -> None:
        """Raise ForeignState unless the state is one of this model's."""

    def check_seat(self, seat: int | None) -> None:
        """Raise NoSuchSeat unless there is this seat."""

    def to_act(self, state: State) -> tuple[int, ...]: ...

    def legal(self, state: State, seat: int) -> tuple[int, ...]: ...

    def default_action(self, state: State | None, seat: int | None) -> int: ...

    def step(self, state: State, actions: tuple[Any, ...], rng: ludex.core._native.Rng) -> State: ...

    def advance(self, state: State, actions: tuple[Any, ...], rng: ludex.core._native.Rng) -> None: ...

    def over(self, state: State | None) -> bool: ...

    def return_of(self, state: State | None, seat: int | None) -> float:
        """What the seat got; not a number while the game goes on."""

    def score(self, state: State | None, seat: int | None) -> float: ...

    def rollout(self, state: State, policy: Any, limit: int, rng: ludex.core._native.Rng, trace: bool = False, backtrack: bool = False, opening: Sequence[tuple[Any, ...]] = ()) -> ludex.core._native.Rollout: ...

    def play(self, state: State, sequences: Any, rng: ludex.core._native.Rng) -> list[ludex.core._native.Rollout]: ...

    def step_many(self, states: Sequence[State], actions: Sequence[tuple[Any, ...]], rng: ludex.core._native.Rng, threads: int = 1) -> list[State]: ...

    def bench(self, metric: str, seconds: float = 0.5) -> float:
        """
        Measure tick, copy_tick, copy or rollout_tick per CPU-second, in one native call.
        """

    def chance(self, state: State) -> tuple[tuple[int, float], ...]: ...

    def resolve(self, state: State, outcome: Any) -> State: ...

    def settle(self, state: State, rng: ludex.core._native.Rng) -> tuple[int, ...]: ...

    def visit(self, state: State | None) -> None:
        """Count a visit of the real game to this state."""

    def visits(self, state: State | None) -> int: ...

    def work(self) -> tuple[int, int, int]:
        """Cells predicted, neighbourhoods read and predictions computed so far."""
