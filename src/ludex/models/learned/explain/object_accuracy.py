"""How much an object-based model foretells."""

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
    foretold,
    share,
    share_of_gains,
    share_right,
)
from ludex.models.learned.objects.model import ThingState
from ludex.models.learned.objects.sight import Placed
from ludex.models.learned.training.transitions import Transition

if TYPE_CHECKING:
    from ludex.models.learned.object_based import ObjectBased


@dataclass(frozen=True, slots=True)
class ComparedThings:
    """A forecast beside what happened: kinds and places, and how many there are of each."""

    was: Counter[Placed]
    came: Counter[Placed]
    said: Counter[Placed]
    asked: int
    """things that could change"""
    confidence: float
    unseen: int
    """those of them in a situation that was new in the last step"""
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


def forecasts_of_things(
    model: Any, transitions: Sequence[Transition], steps: int = 1
) -> Iterator[ComparedThings]:
    """What the model foretells for every run of so many transitions of one game."""
    for before, said, came in foretold(model, transitions, steps):
        yield ComparedThings(
            placed(before),
            placed(came),
            placed(said),
            len(before.things),
            min(1.0, said.confidence),
            said.unseen,
            abs(said.score - came.score),
        )


def placed(state: ThingState) -> Counter[Placed]:
    return Counter((*state.things, *state.ground.things))


def accuracy_of_things(learner: ObjectBased, transitions: Sequence[Transition]) -> dict[str, float]:
    """Compare predictions with what happened.

    `things`: of things before or after a step, the share that is wholly right: kind and place, or
    gone. `changed_things`: the same of those that change or are foretold to. `states`: of
    transitions, those with nothing wrong. `seen`: of things that could change, those in a
    situation that was known. `gains`: of transitions, those whose gain is right to 0.05.
    `changed_things_5`, `states_5`: the same after five steps in a row that were all imagined.
    `calibration_error`: how far the confidence in a state lies from the share of such states that
    come true. Of nothing, all is right.
    """
    model = learner.model(ANY)
    near = list(forecasts_of_things(model, transitions))
    far = list(forecasts_of_things(model, transitions, AHEAD))
    asked = sum(one.asked for one in near)
    return {
        "things": share_of_things(near),
        "changed_things": share_of_changed_things(near),
        "states": share_right(near),
        "seen": share(asked - sum(one.unseen for one in near), asked),
        "gains": share_of_gains(near),
        f"changed_things_{AHEAD}": share_of_changed_things(far),
        f"states_{AHEAD}": share_right(far),
        "calibration_error": calibration_error(calibration(near)),
    }


def share_of_things(forecast: Sequence[ComparedThings]) -> float:
    """Of all things, the share that is right."""
    return share(sum(one.right for one in forecast), sum(one.total for one in forecast))


def share_of_changed_things(forecast: Sequence[ComparedThings]) -> float:
    """Of things that change or are foretold to, the share that is right."""
    right = sum(one.right - one.still for one in forecast)
    return share(right, sum(one.changes for one in forecast))
