"""Prediction accuracy of an object-based model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludex.models.learned.explain.accuracy import (
    AHEAD,
    ANY,
    calibration,
    calibration_error,
    predicted_runs,
    share,
    share_of_gains,
    share_right,
)
from ludex.models.learned.objects.features import PlacedObject
from ludex.models.learned.objects.model import ObjectState
from ludex.models.learned.training.transitions import Transition

if TYPE_CHECKING:
    from ludex.models.learned.object_based import ObjectBased


@dataclass(frozen=True, slots=True)
class CheckedObjects:
    """Predicted objects compared with what happened: counts by kind and position."""

    was: Counter[PlacedObject]
    came: Counter[PlacedObject]
    said: Counter[PlacedObject]
    asked: int
    """objects that are not static"""
    confidence: float
    unseen: int
    """those whose features were never seen, in the last step"""
    gain_error: float

    @property
    def total(self) -> int:
        return max(self.said.total(), self.came.total())

    @property
    def right(self) -> int:
        return (self.said & self.came).total()

    @property
    def still(self) -> int:
        return (self.was & self.came & self.said).total()

    @property
    def is_right(self) -> bool:
        return self.right == self.total

    @property
    def changes(self) -> int:
        return self.total - self.still

    @property
    def errors(self) -> int:
        return self.total - self.right


def checked_objects(
    model: Any, transitions: Sequence[Transition], steps: int = 1
) -> Iterator[CheckedObjects]:
    """Compare the model with every run of so many transitions of one game."""
    for before, said, came in predicted_runs(model, transitions, steps):
        yield CheckedObjects(
            placed(before),
            placed(came),
            placed(said),
            len(before.objects),
            min(1.0, said.confidence),
            said.unseen,
            abs(said.score - came.score),
        )


def placed(state: ObjectState) -> Counter[PlacedObject]:
    return Counter((*state.objects, *state.static.objects))


def object_accuracy(learner: ObjectBased, transitions: Sequence[Transition]) -> dict[str, float]:
    """Compare the predictions of an object-based model with what happened.

    `things`: the share of objects before or after a step whose kind and position, or absence, is
    right. `changed_things`: the same of those that change or are predicted to. `states`: the share
    of transitions without an error. `seen`: of objects that are not static, the share whose
    features were seen in training. `gains`: the share of transitions whose gain is right to 0.05.
    `changed_things_5`, `states_5`: the same after five predicted steps in a row.
    `calibration_error`: expected calibration error of whole states. Shares of nothing are 1.
    """
    model = learner.model(ANY)
    near = list(checked_objects(model, transitions))
    far = list(checked_objects(model, transitions, AHEAD))
    asked = sum(one.asked for one in near)
    return {
        "things": share_of_objects(near),
        "changed_things": share_of_changed_objects(near),
        "states": share_right(near),
        "seen": share(asked - sum(one.unseen for one in near), asked),
        "gains": share_of_gains(near),
        f"changed_things_{AHEAD}": share_of_changed_objects(far),
        f"states_{AHEAD}": share_right(far),
        "calibration_error": calibration_error(calibration(near)),
    }


def share_of_objects(predictions: Sequence[CheckedObjects]) -> float:
    """The accuracy on all objects."""
    return share(sum(one.right for one in predictions), sum(one.total for one in predictions))


def share_of_changed_objects(predictions: Sequence[CheckedObjects]) -> float:
    """The accuracy on objects that change or are predicted to."""
    right = sum(one.right - one.still for one in predictions)
    return share(right, sum(one.changes for one in predictions))
