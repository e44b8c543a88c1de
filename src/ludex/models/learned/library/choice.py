"""Which stored kind a new kind is like, and whether it or the learner's own data predict better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ludex.models.learned.library.roles import (
    Fate,
    Motion,
    RoleReader,
    RoleRow,
    motion_of,
)
from ludex.models.learned.library.stored import StoredKind
from ludex.models.learned.objects.features import FACING, FeatureRow
from ludex.models.learned.objects.kind_model import KindModel, ObjectPrediction
from ludex.models.learned.objects.memory import GONE, ObjectChange, ObjectMemory, ObjectStep

CERTAIN = 1.0  # the factor of confidence of rows never seen, where only hits are counted


@dataclass
class Hits:
    """Predictions of one kind made before it was learned from: who was right."""

    own: int = 0
    stored: int = 0
    asked: int = 0


@dataclass
class KindRecord:
    """The hits in situations that had been seen before, and in new ones."""

    seen: Hits = field(default_factory=Hits)
    new: Hits = field(default_factory=Hits)

    def of(self, is_seen: bool) -> Hits:
        return self.seen if is_seen else self.new

    def prefers_stored(self, is_seen: bool) -> bool:
        """Whether the stored kind is asked: where it was right more often.

        In new situations also where it was right as often, because it has seen more of them.
        """
        hits = self.of(is_seen)
        return hits.stored > hits.own if is_seen else hits.stored >= hits.own


def chosen_kinds(
    memory: ObjectMemory,
    models: Mapping[int, KindModel],
    reader: RoleReader,
    stored: Sequence[StoredKind],
) -> dict[int, StoredKind]:
    """For each kind that changes, the stored kind under which what was seen is likeliest.

    None where that one predicts no better than the most frequent motion does.
    """
    found: dict[int, StoredKind] = {}
    reaches = {one.reach for one in stored}
    for kind, model in models.items():
        if model.is_still or not stored:
            continue
        seen = {reach: reader.motions(kind, memory, reach) for reach in reaches}
        best = max(stored, key=lambda one: one.log_likelihood(seen[one.reach]))
        if best.hits(seen[best.reach]) > most_frequent(seen[best.reach]):
            found[kind] = best
    return found


def most_frequent(seen: Mapping[tuple[RoleRow, Motion], int]) -> int:
    """How often the most frequent motion was seen."""
    motions: Counter[Motion] = Counter()
    for (_, motion), times in seen.items():
        motions[motion] += times
    return max(motions.values())


def count_hits(
    steps: Iterable[ObjectStep],
    models: Mapping[int, KindModel],
    reader: RoleReader,
    chosen: Mapping[int, StoredKind],
    records: dict[int, KindRecord],
) -> None:
    """Add what both would have predicted of steps that they have not learned from."""
    for step in steps:
        for (kind, _, _), row, change in zip(step.objects, step.rows, step.changes, strict=True):
            own, stored = models.get(kind), chosen.get(kind)
            if own is None or stored is None:
                continue
            came = motion_of(kind, change)
            hits = records.setdefault(kind, KindRecord()).of(own.as_seen(row) in own.seen)
            hits.asked += 1
            hits.own += motion_of(kind, own_prediction(own, row).change) == came
            hits.stored += stored.predict(reader.row(kind, row, stored.reach))[0] == came


def own_prediction(own: KindModel, row: FeatureRow) -> ObjectPrediction:
    row = own.as_seen(row)
    if row not in own.predictions:
        own.predict([row], CERTAIN)
    return own.predictions[row]


class TransferredKind:
    """The model of a kind that takes predictions from a stored kind where that is better.

    The stored kind says whether the object disappears, where it moves and what it faces; what it
    makes and takes are the learner's own predictions.
    """

    def __init__(
        self, own: KindModel, stored: StoredKind, reader: RoleReader, record: KindRecord
    ) -> None:
        self.own = own
        self.stored = stored
        self.reader = reader
        self.prefers = {is_seen: record.prefers_stored(is_seen) for is_seen in (True, False)}
        self.is_still = own.is_still
        self.predictions: dict[FeatureRow, ObjectPrediction] = {}

    def as_seen(self, row: FeatureRow) -> FeatureRow:
        return self.own.as_seen(row)

    def predict(self, rows: Sequence[FeatureRow], novelty: float) -> None:
        """Predict rows that were not asked before."""
        if missing := [row for row in rows if row not in self.own.predictions]:
            self.own.predict(missing, novelty)
        for row in rows:
            own = self.own.predictions[row]
            self.predictions[row] = self.taken(row, own) if self.prefers[own.is_seen] else own

    def taken(self, row: FeatureRow, own: ObjectPrediction) -> ObjectPrediction:
        """The prediction of the stored kind."""
        motions = self.stored.motions(self.reader.row(self.own.kind, row, self.stored.reach))
        motion, times = motions.most_common(1)[0]
        if motion.fate is Fate.BECOMES:
            return own  # which kind is known here alone
        others = None
        if len(motions) > 1:
            changes = tuple(self.change(one, row, own) for one in motions)
            others = changes, tuple(float(count) for count in motions.values())
        return ObjectPrediction(
            self.change(motion, row, own),
            times / motions.total(),
            own.is_seen,
            others,
            str(self.stored),
        )

    def change(self, motion: Motion, row: FeatureRow, own: ObjectPrediction) -> ObjectChange:
        """A motion as the change of an object of this kind."""
        if motion.fate is Fate.GOES:
            return ObjectChange(GONE, births=own.change.births)
        facing = motion.facing or row[FACING]
        return ObjectChange(
            self.own.kind,
            motion.right,
            motion.down,
            facing,
            own.change.gains,
            own.change.births,
        )
