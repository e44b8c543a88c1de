"""Learned object-based model: predicts the change of every object from its surroundings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.model import Actions
from ludex.core.object_list import NOBODY, ObjectListView, objects_of
from ludex.core.objects import ObjectView
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.traits import Traits
from ludex.core.view import OpenView
from ludex.models.learned._native import RewardModel
from ludex.models.learned.objects.features import (
    FACING,
    FACINGS,
    PAIRED,
    Cell,
    FeatureRow,
    FeatureSettings,
    Held,
    LevelSize,
    ObjectScene,
    PlacedObject,
    StaticObjects,
    by_cell,
    rows_one_by_one,
)
from ludex.models.learned.objects.kind_model import KindPredictor, ObjectPrediction
from ludex.models.learned.objects.memory import GONE, MIL, ItemKinds, ObjectChange, gained
from ludex.models.learned.rewards.reward_model import (
    BLOCKS,
    OBJECTS,
    RUNNING,
    UNKNOWN,
    ending_of,
)
from ludex.models.learned.tiles.model import learned_traits, outcome_of

NOWHERE = (-1, -1)  # the cell of an avatar that is gone
DECIMALS = 2  # of scores, as reward models round them


@dataclass(slots=True, unsafe_hash=True)
class ObjectState(PlainState):
    """A predicted state: objects with positions, score, ending and confidence."""

    static: StaticObjects
    objects: tuple[PlacedObject, ...]
    """those that are not static; sorted"""
    avatar: int
    """the index of the avatar among them"""
    facing: Cell
    held: Held
    choices: tuple[Any, ...]
    score: float
    ending: int = RUNNING
    bonus: float = field(default=0.0, compare=False)
    confidence: float = field(default=1.0, compare=False)
    unseen: int = field(default=0, compare=False)
    """objects of the last step with features never seen"""

    def differs(self, other: ObjectState) -> int:
        """The number of objects that differ."""
        mine, its = (Counter((*one.objects, *one.static.objects)) for one in (self, other))
        return max((mine - its).total(), (its - mine).total())

    def __str__(self) -> str:
        objects = " ".join(f"{kind}@{x},{y}" for kind, x, y in self.objects)
        return f"{objects} facing={self.facing} held={self.held} score={self.score:g}"


@dataclass(frozen=True)
class SearchSettings:
    """How a search values unseen predictions and visited states."""

    novelty: float = 0.5
    curiosity: float = 0.0
    discounts: bool = False
    trust: float = 0.0
    boredom: float = 0.0
    samples: bool = False


@dataclass(frozen=True)
class ObjectKnowledge:
    """Everything learned, in the form the model needs."""

    kinds: Mapping[int, KindPredictor]
    feature_settings: FeatureSettings
    item_kinds: ItemKinds
    verbs: Sequence[int]
    paired: bool
    """whether these are joint actions of two seats"""
    reward_model: RewardModel
    reward_kinds: int
    """the number of kinds that the reward model knows"""
    returns: Sequence[float]
    own: Callable[[ObjectListView], ObjectListView]
    """turns a view into one with the learner's indices of kinds"""


@dataclass
class ImaginedLevel:
    """The level that was imagined last, for a model and its copies on other meters."""

    size: LevelSize


class ObjectModel(PythonModel[ObjectState]):
    """Predicts the change of every object, new objects, the score and the ending.

    The legal actions of a predicted state are those of the last real view.
    """

    state_type = ObjectState

    def __init__(self, knowledge: ObjectKnowledge, traits: Traits, **settings: Any) -> None:
        super().__init__()
        self.known = knowledge
        self.settings = SearchSettings(**settings)
        self.traits = learned_traits(traits, self.settings.samples, avatars=True)
        self.imagined = ImaginedLevel(LevelSize(1, 1, 1))
        self.own_kinds: dict[int, int] = {}
        """our indices of the numbers that real views give to kinds"""
        self.visited: Counter[Hashable] = Counter()
        self.counts: dict[StaticObjects, NDArray[np.int16]] = {}

    # Model contract

    def to_act(self, state: ObjectState) -> tuple[int, ...]:
        return () if self.over(state) else (0,)

    def legal(self, state: ObjectState, seat: int) -> tuple[Any, ...]:
        return state.choices if seat == 0 and not self.over(state) else ()

    def over(self, state: ObjectState) -> bool:
        return state.ending != RUNNING or not state.choices

    def outcome(self, state: ObjectState) -> Outcome | None:
        if not self.over(state):
            return None
        return outcome_of(state.ending, self.known.returns[state.ending])

    def score(self, state: ObjectState, seat: int) -> float:
        return state.score + state.bonus

    def confidence(self, state: ObjectState) -> float:
        return state.confidence

    def key(
        self, state: ObjectState, seat: int | None = None, ignore: tuple[str, ...] = ()
    ) -> Hashable:
        score = None if "score" in ignore else state.score
        facing = None if "orientation" in ignore else state.facing
        return state.static, state.objects, facing, state.held, state.choices, score, state.ending

    def features(self, state: ObjectState) -> tuple[Hashable, ...]:
        """All objects with positions, and what the avatar carries."""
        return (*state.objects, state.facing, *state.held)

    def imagine(self, view: Any, rng: Rng) -> ObjectState:
        self.meter.count_copy()
        if isinstance(view, OpenView) and isinstance(view.state, ObjectState):
            return view.state.copy()
        shown = objects_of(view)
        assert shown is not None  # unsupported views are refused before the first move
        own = self.known.own(shown)
        self.imagined.size = LevelSize(*own.size)
        if isinstance(view, ObjectView):
            self.number_kinds(view, own)
        return self.state_of(own)

    def number_kinds(self, view: ObjectView, own: ObjectListView) -> None:
        """Learn which kind of ours has which number in views, by the objects that are in both."""
        numbers = view.rows["type"].tolist()
        if not self.own_kinds.keys() >= set(numbers):
            kinds = {obj.id: obj.kind for obj in own.objects}
            ids = view.rows["id"].tolist()
            self.own_kinds |= {
                number: kinds[key] for number, key in zip(numbers, ids, strict=True) if key in kinds
            }

    # Where things are

    def grid(self) -> tuple[int, int]:
        return self.imagined.size.width, self.imagined.size.height

    def avatars(self, state: ObjectState) -> tuple[tuple[int, int], ...]:
        if state.avatar == NOBODY:
            return (NOWHERE,)
        return (state.static.size.cell(*state.objects[state.avatar][1:]),)

    def distances(self, state: ObjectState, seat: int, kinds: Sequence[int]) -> list[float | None]:
        """From the avatar to the nearest object of each kind, by the numbers of real views."""
        self.check_seat(seat)
        self.check_state(state)
        size = state.static.size
        diagonal = hypot(size.width * size.block, size.height * size.block)
        nearest: dict[int, float] = {}
        if state.avatar != NOBODY:
            _, left, up = state.objects[state.avatar]
            for kind, x, y in (*state.objects, *state.static.objects):
                distance = hypot(x - left, y - up) / diagonal
                nearest[kind] = min(nearest.get(kind, distance), distance)
        return [nearest.get(self.own_kinds.get(kind, NOBODY)) for kind in kinds]

    def state_of(self, view: ObjectListView) -> ObjectState:
        """A state from a view; kinds that never change are static."""
        moving: list[PlacedObject] = []
        still: list[PlacedObject] = []
        own: PlacedObject | None = None
        for index, obj in enumerate(view.objects):
            seen = (obj.kind, obj.x, obj.y)
            model = self.known.kinds.get(obj.kind)
            if index == view.avatar:
                own = seen
            is_static = index != view.avatar and (model is None or model.is_still)
            (still if is_static else moving).append(seen)
        moving.sort()
        return ObjectState(
            StaticObjects(LevelSize(*view.size), tuple(sorted(still))),
            tuple(moving),
            moving.index(own) if own else NOBODY,
            view.facing,
            view.held,
            tuple(sorted(view.legal)),
            view.score,
            ending_of(view.outcome, view.seat),
        )

    # Prediction

    def _apply(self, state: ObjectState, actions: Actions, rng: Rng) -> None:
        known = self.known
        verb = known.verbs.index(actions[0]) if actions[0] in known.verbs else len(known.verbs)
        before = state.copy()
        done = PAIRED + actions[0] if known.paired else verb
        predictions = self.predictions(state, done)
        self.move(state, [self.sampled(one, rng) for one in predictions])
        for prediction in predictions:
            state.confidence *= prediction.confidence
        state.unseen = sum(not prediction.is_seen for prediction in predictions)
        self.add_reward(before, state, verb)

    def predictions(self, state: ObjectState, verb: int) -> list[ObjectPrediction]:
        """The predicted change of each object; features never seen are classified by kind."""
        known = self.known
        load, made = (
            known.feature_settings.load(state.held, known.item_kinds.goods),
            known.item_kinds.made,
        )
        scene = ObjectScene(
            state.static, state.objects, state.avatar, state.facing, load, verb, made
        )
        rows: list[tuple[PlacedObject, KindPredictor | None, FeatureRow]] = []
        missing: dict[int, dict[FeatureRow, None]] = {}
        for obj, row in zip(
            state.objects, rows_one_by_one(known.feature_settings, scene), strict=True
        ):
            model = known.kinds.get(obj[0])
            if model is not None and not model.is_still:
                row = model.as_seen(row)
                if row not in model.predictions:
                    missing.setdefault(obj[0], {})[row] = None
            rows.append((obj, model, row))
        for kind, open_rows in missing.items():
            known.kinds[kind].predict(list(open_rows), self.settings.novelty)
        return [
            ObjectPrediction(ObjectChange(obj[0], facing=row[FACING]), 1.0, model is not None)
            if model is None or model.is_still
            else model.predictions[row]
            for obj, model, row in rows
        ]

    def sampled(self, prediction: ObjectPrediction, rng: Rng) -> ObjectChange:
        if prediction.others is None or not self.settings.samples:
            return prediction.change
        changes, weights = prediction.others
        return changes[rng.weighted(list(weights))]

    def move(self, state: ObjectState, changes: Sequence[ObjectChange]) -> None:
        """Apply the changes of all objects."""
        size = state.static.size
        after: list[PlacedObject] = []
        new: set[PlacedObject] = set()
        own: PlacedObject | None = None
        for index, (obj, change) in enumerate(zip(state.objects, changes, strict=True)):
            _, x, y = obj
            for kind, right, down in change.births:
                born = (kind, x + pixels(right, size), y + pixels(down, size))
                if size.holds(size.cell(*born[1:])):
                    new.add(born)
            if change.kind == GONE:
                continue
            if leaves_level(obj, change, size):
                continue  # objects that leave the level are gone
            moved = (change.kind, x + pixels(change.right, size), y + pixels(change.down, size))
            after.append(moved)
            if index == state.avatar:
                own = moved
                state.facing = FACINGS[change.facing] if change.facing else state.facing
                state.held = carried(state.held, change.gains)
        # An object that is already there is not created again: otherwise kinds that create their
        # own kind would double with every step.
        after += new.difference(after)
        after.sort()
        state.objects = tuple(after)
        state.avatar = after.index(own) if own else NOBODY

    # Rewards

    def add_reward(self, before: ObjectState, state: ObjectState, verb: int) -> None:
        """Add the predicted gain and set the ending."""
        settings, known = self.settings, self.known
        row = reward_row(before, state, self.static_counts(state.static), known.reward_kinds)
        gain, state.ending = known.reward_model.predict(row, verb)
        gained = gain * state.confidence if settings.discounts else gain
        state.score = round(state.score + gained, 2 * DECIMALS)
        state.bonus += settings.curiosity * state.unseen
        if settings.boredom:
            state.bonus -= settings.boredom * self.visited[self.key(state, ignore=("score",))]
        if state.confidence < settings.trust:
            state.ending = UNKNOWN

    def static_counts(self, static: StaticObjects) -> NDArray[np.int16]:
        found = self.counts.get(static)
        if found is None:
            found = self.counts[static] = static.counts(self.known.reward_kinds)
        return found

    def visit(self, state: ObjectState) -> None:
        """Count a visit of the real game to this state."""
        self.visited[self.key(state, ignore=("score",))] += 1


def leaves_level(obj: PlacedObject, change: ObjectChange, size: LevelSize) -> bool:
    _, x, y = obj
    cell = size.cell(x + pixels(change.right, size), y + pixels(change.down, size))
    return not size.holds(cell) and size.holds(size.cell(x, y))


def pixels(parts: int, size: LevelSize) -> int:
    return round(parts * size.block / MIL)


def carried(held: Held, gains: Held) -> Held:
    if not gains:
        return held
    amounts = Counter(dict(held))
    amounts.update(dict(gains))
    return tuple(sorted((kind, amount) for kind, amount in amounts.items() if amount > 0))


def reward_row(
    before: ObjectState, after: ObjectState, static: NDArray[np.int16], kinds: int
) -> NDArray[np.int16]:
    """Features of a transition for the reward model: five counts for each kind.

    Objects present; gone; new; in the cell that the avatar entered; change in the amount carried.
    """
    row = np.zeros((BLOCKS[OBJECTS], kinds), np.int16)
    row[0] = static
    was, is_now = (Counter(kind for kind, _, _ in one.objects) for one in (before, after))
    for kind, count in is_now.items():
        if kind < kinds:
            row[0, kind] += count
    for kind in was.keys() | is_now.keys():
        if kind < kinds:
            row[1, kind] = max(0, was[kind] - is_now[kind])
            row[2, kind] = max(0, is_now[kind] - was[kind])
    for kind in met(before, after):
        if kind < kinds:
            row[3, kind] += 1
    for kind, amount in gained(before.held, after.held):
        if kind < kinds:
            row[4, kind] = amount
    return row.reshape(-1)


def met(before: ObjectState, after: ObjectState) -> list[int]:
    """The kinds of objects in the cell that the avatar entered; empty if it did not move."""
    if after.avatar == NOBODY:
        return []
    size = after.static.size
    cell = size.cell(*after.objects[after.avatar][1:])
    if before.avatar != NOBODY and size.cell(*before.objects[before.avatar][1:]) == cell:
        return []
    there = by_cell(size, before.objects).get(cell, [])
    return [*there, *after.static.kinds.get(cell, [])]
