"""Learned model that predicts the whole next grid, from one or several frames.

The model contract in Python; the predictor of the grid is end-to-end or one classifier per cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.core.model import Action, Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.tiles import NOWHERE, TileView, tiles_of
from ludex.core.traits import Traits
from ludex.core.view import OpenView, View
from ludex.models.learned._native import TOUCHED, Choices, RewardModel, State
from ludex.models.learned.rewards.reward_model import RUNNING, UNKNOWN
from ludex.models.learned.tiles.model import TileEncoder, learned_traits, outcome_of
from ludex.models.learned.whole.recall import Recalled

NO_CHOICES = Choices([], [], [])  # a WholeState keeps them itself


@dataclass(frozen=True, slots=True)
class PredictedGrid:
    """The predicted grid, its confidence, and its number of unseen cells."""

    tiles: NDArray[np.uint16]
    confidence: float
    unseen: int


class GridPredictor(Protocol):
    """Interface of predictors of the next grid."""

    def predict(
        self, row: NDArray[np.uint16], tiles: NDArray[np.uint16], rng: Rng | None
    ) -> PredictedGrid:
        """Predict the grid after a row of frames, the newest first; `tiles` is the newest grid.

        With `rng` the outcome is sampled, without it the likeliest is taken.
        """
        ...


@dataclass(slots=True, unsafe_hash=True)
class WholeState(PlainState):
    """A state: grid with score and ending, legal actions, and earlier frames."""

    grid: State
    acts: tuple[tuple[int, int, int], ...]
    """action, verb and cell of each legal action, ascending"""
    past: tuple[bytes, ...] = ()
    """earlier frames, the newest first, as many as the order needs"""
    confidence: float = field(default=1.0, compare=False)
    unseen: int = field(default=0, compare=False)
    bonus: float = field(default=0.0, compare=False)

    @property
    def tiles(self) -> NDArray[np.uint16]:
        return self.grid.tiles

    @property
    def score(self) -> float:
        """The predicted score, without any bonus."""
        return self.grid.score

    @property
    def ending(self) -> int:
        return self.grid.ending

    def differs(self, other: Any) -> int:
        """The number of cells that differ."""
        return self.grid.differs(other.grid if isinstance(other, WholeState) else other)

    def __str__(self) -> str:
        return str(self.grid)


def frame_of(tiles: NDArray[np.uint16], verb: int, touched: int) -> NDArray[np.uint16]:
    """All cells, row after row, and the verb; the cell that the action acts on is marked."""
    frame = np.append(tiles.ravel(), np.uint16(verb))
    if touched != NOWHERE:
        frame[touched] |= TOUCHED
    return frame


def row_of(frames: Sequence[bytes], order: int, width: int) -> NDArray[np.uint16]:
    """Concatenated frames, the newest first; 0 for missing ones."""
    row = np.zeros(order * width, np.uint16)
    known = np.frombuffer(b"".join(frames[:order]), np.uint16)
    row[: len(known)] = known
    return row


class WholeModel(PythonModel[WholeState]):
    """Predicts the next grid and its reward; its states carry a confidence.

    The legal actions of a predicted state are those of the last real view.
    """

    state_type = WholeState

    def __init__(
        self,
        encoder: TileEncoder,
        traits: Traits,
        predictor: GridPredictor,
        reward_model: RewardModel,
        returns: Sequence[float],
        *,
        shape: tuple[int, int],
        order: int,
        curiosity: float,
        discounts: bool,
        trust: float,
        boredom: float,
        samples: bool,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.traits = learned_traits(traits, samples)
        self.predictor = predictor
        self.reward_model = reward_model
        self.returns = returns
        self.shape = shape
        self.order = order
        self.curiosity = curiosity
        self.discounts = discounts
        self.trust = trust
        self.boredom = boredom
        self.samples = samples
        self.recalled = Recalled[tuple[bytes, ...]](())
        self.visited = Counter[bytes]()

    # Views

    def recall(self, recent: Sequence[tuple[View, Action]]) -> None:
        """Set the recent frames of the real game."""
        frames: tuple[bytes, ...] = ()
        for view, action in recent:
            shown = self.shown(view)
            done = (act[1:] for act in self.encoder.acts(shown) if act[0] == action)
            verb, cell = next(
                done, (len(self.encoder.verbs), NOWHERE)
            )  # an action that was not legal
            tiles = self.encoder.vocabulary.encode(shown.tiles)
            frames = (frame_of(tiles, verb, cell).tobytes(), *frames)[: self.order - 1]
        self.recalled.value = frames

    def shown(self, view: View) -> TileView:
        shown = tiles_of(view)
        assert shown is not None  # unsupported views are refused before the first move
        if (shown.tiles.height, shown.tiles.width) != self.shape:
            raise other_size(self.shape, shown)
        return shown

    def imagine(self, view: Any, rng: Rng) -> WholeState:
        """Encode a view as a state, with the recalled earlier frames."""
        self.meter.count_copy()
        if isinstance(view, OpenView) and isinstance(view.state, WholeState):
            return view.state.copy()
        shown = self.shown(view)
        return WholeState(self.encoder.state(shown), self.encoder.acts(shown), self.recalled.value)

    def confidence(self, state: WholeState) -> float:
        return state.confidence

    def visit(self, state: WholeState) -> None:
        """Count a visit of the real game to this state."""
        self.visited[state.grid.grid_bytes] += 1

    # Model contract

    def to_act(self, state: WholeState) -> tuple[int, ...]:
        return () if self.over(state) else (0,)

    def legal(self, state: WholeState, seat: int) -> tuple[int, ...]:
        if seat != 0 or self.over(state):
            return ()
        return tuple(action for action, _, _ in state.acts)

    def over(self, state: WholeState) -> bool:
        return state.ending != RUNNING or not state.acts

    def outcome(self, state: WholeState) -> Outcome | None:
        if not self.over(state):
            return None
        return outcome_of(state.ending, self.returns[state.ending])

    def score(self, state: WholeState, seat: int) -> float:
        return state.score + state.bonus

    def _apply(self, state: WholeState, actions: Actions, rng: Rng) -> None:
        verb, cell = next(act[1:] for act in state.acts if act[0] == actions[0])
        tiles = state.tiles
        frames = (frame_of(tiles, verb, cell).tobytes(), *state.past)
        row = row_of(frames, self.order, tiles.size + 1)
        predicted = self.predictor.predict(row, tiles, rng if self.samples else None)
        state.confidence *= predicted.confidence
        state.unseen = predicted.unseen
        state.past = frames[: self.order - 1]
        self.add_reward(state, verb, predicted.tiles)
        state.bonus += self.curiosity * predicted.unseen
        if self.boredom:
            state.bonus -= self.boredom * self.visited[state.grid.grid_bytes]

    def add_reward(self, state: WholeState, verb: int, tiles: NDArray[np.uint16]) -> None:
        """Replace the grid by the predicted one, with its gain and ending."""
        before = state.grid
        bare = State(tiles, 0, NO_CHOICES)
        gain, ending = self.reward_model.predict(self.reward_model.describe(before, bare), verb)
        if state.confidence < self.trust:
            ending = UNKNOWN
        score = before.score + (gain * state.confidence if self.discounts else gain)
        state.grid = State(tiles, 0, NO_CHOICES, score, ending)

    def key(
        self, state: WholeState, seat: int | None = None, ignore: tuple[str, ...] = ()
    ) -> Hashable:
        score = None if "score" in ignore else state.score
        past = () if "past" in ignore else state.past
        return state.grid.grid_bytes, score, state.ending, state.acts, past

    def features(self, state: WholeState) -> tuple[Hashable, ...]:
        """The tile of every cell."""
        return tuple(enumerate(state.tiles.ravel().tolist()))


def other_size(shape: tuple[int, int], shown: TileView) -> Unsupported:
    return Unsupported(
        f"a model of whole grids has one size, and this one learned {shape[0]} x {shape[1]} "
        f"cells, got {shown.tiles.height} x {shown.tiles.width}; fit a model for each size, or "
        "use local"
    )
