"""Model of one kind of object: a table of what was seen, and classifiers for the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ludex.models.learned.classifiers import fitting as classifiers
from ludex.models.learned.classifiers.fitting import ClassifierSettings, FittedClassifier
from ludex.models.learned.objects.features import FACING, FAR, RIGHT, FeatureRow, as_numbers, nearby
from ludex.models.learned.objects.memory import GONE, ItemKinds, ObjectChange, ObjectMemory

PARTS = ObjectChange._fields
MIXED = 0.1  # the share of features with different changes from which trees are pruned
NEAR = 3  # the largest distance to the avatar that classifiers of categories distinguish


class ObjectPrediction(NamedTuple):
    """The predicted change of an object with certain features."""

    change: ObjectChange
    confidence: float
    is_seen: bool
    others: tuple[tuple[ObjectChange, ...], tuple[float, ...]] | None = None
    """all changes that followed, and how often, if there were several"""
    source: str | None = None
    """where it was learned, if in another game"""


class KindPredictor(Protocol):
    """What predicts the changes of the objects of one kind."""

    is_still: bool
    """whether they never change"""
    predictions: dict[FeatureRow, ObjectPrediction]
    """by features; `predict` adds to it"""

    def as_seen(self, row: FeatureRow) -> FeatureRow:
        """The features as objects of this kind use them."""
        ...

    def predict(self, rows: Sequence[FeatureRow], novelty: float) -> None:
        """Predict rows that have no prediction yet."""
        ...


@dataclass(frozen=True, slots=True)
class PartClassifier:
    """The classifier of one part of a change, with its training data."""

    values: list[Any]
    """the values seen in training"""
    rows: NDArray[np.uint16]
    labels: NDArray[np.uint16]
    """the index of the value of each row"""
    times: NDArray[np.int64]
    """how often each was seen"""
    fitted: FittedClassifier | None = None
    """None if there is only one value"""
    asked: Any = None
    """the same, as native trees or a function"""

    def classify(self, rows: NDArray[np.uint16]) -> tuple[list[Any], NDArray[np.float64]]:
        """The likeliest value for each row, and its probability."""
        if self.asked is None:
            return self.values * len(rows), np.ones(len(rows))
        # Trees are native objects, other classifiers functions.
        classify = self.asked.classify if hasattr(self.asked, "classify") else self.asked
        found, sure = classify(rows)
        return [self.values[number] for number in found], sure


class KindModel:
    """Predicts changes of one kind: looked up if seen, else each part of a change is classified.

    Args:
        kind: Its index.
        table: Features of objects of this kind, with the changes that followed.
        classifier_settings: Which classifier to use.
        item_kinds: Kinds that are ever carried, and kinds that are ever created.
        memo: Whether to look up features that were seen.
        kept: Classifiers fitted before, by the part of a change that they predict.
        pruned: Whether these are pruned; None for new ones, where the table tells.
    """

    def __init__(
        self,
        kind: int,
        table: Mapping[FeatureRow, Counter[ObjectChange]],
        classifier_settings: ClassifierSettings,
        item_kinds: ItemKinds,
        memo: bool,
        kept: Mapping[str, FittedClassifier],
        pruned: bool | None = None,
    ) -> None:
        self.kind = kind
        self.classifier_settings = classifier_settings
        self.widths = len(item_kinds.goods), len(item_kinds.made)
        seen = [
            (row, change, times)
            for row, changes in table.items()
            for change, times in changes.items()
        ]
        self.has_distances = any(row[RIGHT] != FAR for row in table)
        self.is_still = all(
            change == ObjectChange(kind, facing=row[FACING]) for row, change, _ in seen
        )
        if pruned is None:
            pruned = classifier_settings.prunes and share_of_mixed(table) >= MIXED
        self.prunes = pruned
        self.changes: list[ObjectChange] = []
        self.part_classifiers: dict[str, PartClassifier] = {}
        self.predictions: dict[FeatureRow, ObjectPrediction] = {}
        self.seen = table.keys()
        if self.is_still:
            return
        self.changes = [change for _, change, _ in seen]
        self.rows = self.numbers([row for row, _, _ in seen])
        self.times = np.array([times for _, _, times in seen], np.int64)
        self.part_classifiers = {name: self.part_classifier(name, kept.get(name)) for name in PARTS}
        if memo:
            self.predictions = {row: remembered(changes) for row, changes in table.items()}

    def numbers(self, rows: Sequence[FeatureRow]) -> NDArray[np.uint16]:
        """Features in the form that classifiers read."""
        farthest = NEAR if self.classifier_settings.by_category else FAR
        return np.array([as_numbers(row, *self.widths, farthest) for row in rows], np.uint16)

    def part_classifier(self, name: str, fitted: FittedClassifier | None) -> PartClassifier:
        """The classifier of one part of a change, fitted unless it was before."""
        # Only survivors move, but an object can create others as it disappears.
        asked = [
            index
            for index, change in enumerate(self.changes)
            if change.kind != GONE or name in ("kind", "births")
        ]
        found = [getattr(self.changes[index], name) for index in asked]
        values = sorted(set(found))
        labels = np.array([values.index(value) for value in found], np.uint16)
        data = self.rows[asked], labels, self.times[asked]
        if not values:  # none ever survived
            return PartClassifier([ObjectChange._field_defaults[name]], *data)
        if len(values) == 1:
            return PartClassifier(values, *data)
        if fitted is None:
            settings = replace(self.classifier_settings, prune=self.prunes)
            # Rules with exceptions and pruning depend on frequencies; otherwise a row counts once.
            times = data[2].astype(np.float64) if settings.counts else None
            fitted = classifiers.fit(settings, data[0], labels, times)
        if fitted.classes.max() >= len(values):
            raise ValueError(f"a classifier predicts a {name} that was never seen")
        return PartClassifier(values, *data, fitted, fitted.native(self.rows.shape[1]))

    def held_out_accuracy(self) -> tuple[float, int]:
        """Accuracy on held-out rows, and their number; none where leaves tell by themselves."""
        unlike = {change: number for number, change in enumerate(dict.fromkeys(self.changes))}
        joint = np.array([unlike[change] for change in self.changes], np.uint16)
        if self.is_still or self.prunes or len(unlike) < 2:
            return 1.0, 0
        return classifiers.held_out_accuracy(self.classifier_settings, self.rows, joint), len(
            self.rows
        )

    def as_seen(self, row: FeatureRow) -> FeatureRow:
        """The features as objects of this kind use them."""
        return row if self.has_distances else nearby(row)

    def predict(self, rows: Sequence[FeatureRow], novelty: float) -> None:
        """Predict rows that are not in the table, in one batch."""
        numbers = self.numbers(rows)
        is_seen = [row in self.seen for row in rows]
        shares = np.where(np.array(is_seen) | self.prunes, 1.0, novelty)
        predicted: dict[str, list[Any]] = {}
        for name, part_classifier in self.part_classifiers.items():
            predicted[name], sure = part_classifier.classify(numbers)
            shares *= sure
        for index, row in enumerate(rows):
            change = ObjectChange(*(predicted[name][index] for name in PARTS))
            if change.kind == GONE:
                change = ObjectChange(GONE, births=change.births)
            self.predictions[row] = ObjectPrediction(change, float(shares[index]), is_seen[index])


def share_of_mixed(table: Mapping[FeatureRow, Counter[ObjectChange]]) -> float:
    """Of the features that were seen more than once, the share with different changes.

    It is what shows that chance, or what features do not tell, decides.
    """
    again = [changes for changes in table.values() if changes.total() > 1]
    return sum(len(changes) > 1 for changes in again) / len(again) if again else 0.0


def remembered(changes: Counter[ObjectChange]) -> ObjectPrediction:
    (best, times), total = changes.most_common(1)[0], changes.total()
    if len(changes) == 1:
        return ObjectPrediction(best, 1.0, True)
    others = tuple(changes), tuple(float(n) for n in changes.values())
    return ObjectPrediction(best, times / total, True, others)


def models_of(
    memory: ObjectMemory,
    makers: set[tuple[int, int]],
    classifier_settings: ClassifierSettings,
    item_kinds: ItemKinds,
    memo: bool,
    arrays: Mapping[str, NDArray[Any]] | None = None,
) -> dict[int, KindModel]:
    """A model for every kind seen; classifiers from a file are not fitted again."""
    pruned = set(arrays.get(PRUNED, np.empty(0)).tolist()) if arrays is not None else None
    return {
        kind: KindModel(
            kind,
            memory.changes(kind, makers),
            classifier_settings,
            item_kinds,
            memo,
            kept_of(kind, arrays or {}),
            None if pruned is None else kind in pruned,
        )
        for kind in sorted(memory.seen)
    }


def novelty_of(models: Iterable[KindModel]) -> float:
    """Accuracy on held-out rows, over all kinds."""
    rights = [one.held_out_accuracy() for one in models]
    rows = sum(count for _, count in rights)
    return sum(right * count for right, count in rights) / rows if rows else 1.0


# Files

PRUNED = "models.pruned"  # files of earlier versions lack it: their trees are not


def pack_models(models: Mapping[int, KindModel]) -> dict[str, NDArray[Any]]:
    """Arrays of the classifiers of all kinds; their training data is packed elsewhere."""
    pruned = [kind for kind, model in models.items() if not model.is_still and model.prunes]
    arrays: dict[str, NDArray[Any]] = {PRUNED: np.array(pruned, np.int64)}
    for kind, model in models.items():
        for name, part_classifier in model.part_classifiers.items():
            if part_classifier.fitted is not None:
                arrays |= part_classifier.fitted.pack(array_name(kind, name))
    return arrays


def kept_of(kind: int, arrays: Mapping[str, NDArray[Any]]) -> dict[str, FittedClassifier]:
    """The classifiers of a kind in a model file."""
    found = {name: FittedClassifier.unpack(arrays, array_name(kind, name)) for name in PARTS}
    return {name: fitted for name, fitted in found.items() if fitted is not None}


def array_name(kind: int, name: str) -> str:
    return f"models.{kind}.{name}"
