"""Object-based forward model that borrows the kinds of other games until it knows its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.models.learned.explain.accuracy import ANY
from ludex.models.learned.explain.object_rules import ObjectWords
from ludex.models.learned.explain.rules import Chapter, ReadableRule
from ludex.models.learned.library.choice import (
    Hits,
    KindRecord,
    TransferredKind,
    chosen_kinds,
    count_hits,
)
from ludex.models.learned.library.roles import RoleReader, roles_of
from ludex.models.learned.library.stored import StoredKind, library_files, read_library
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.objects.kind_model import KindModel, KindPredictor, models_of
from ludex.models.learned.objects.memory import ObjectMemory, ObjectStep
from ludex.models.learned.training.transitions import Transition

EARLY, FEWEST = 0.75, 4
"""share of the first transitions to fit a trial model to, the rest to compare; fewest to do so"""
OWN = "own data"


@dataclass(frozen=True, kw_only=True)
class Transfer(ObjectBased):
    """Object-based model that picks among the kinds of other games until its own data are better.

    Kinds are related by their behaviour, not by their names. After `fit`: `chosen_` is the stored
    kind that each kind is like, `records_` counts who predicted what came, own data or that kind.
    """

    MOST_SEATS: ClassVar[int] = 1

    library: str = ""
    """a folder of object-based model files of other games; none: it learns alone"""

    # Fitting

    def _prepare(self) -> None:
        super()._prepare()
        self._learn(stored_=(), chosen_={}, records_={}, waiting_=[])

    def add(self, transition: Transition) -> None:
        is_new = not self.is_fitted
        super().add(transition)
        if is_new and self.library:
            self._learn(stored_=read_library(self.library, self.reach))

    def watch(self, step: ObjectStep) -> None:
        super().watch(step)
        self.waiting_.append(step)

    def learn_again(self) -> Self:
        self.refuse_nothing()
        if self.stored_ and self.waiting_:
            self._compare()
        super().learn_again()
        self._learn(waiting_=[])
        self._learn(chosen_=chosen_kinds(self.memory_, self.models_, self.reader, self.stored_))
        return self

    def _compare(self) -> None:
        """Count who predicts what was not learned from yet: own data, or stored kinds."""
        if "models_" in vars(self):
            models, reader, chosen, fresh = self.models_, self.reader, self.chosen_, self.waiting_
        elif len(self.waiting_) >= FEWEST:
            early = int(len(self.waiting_) * EARLY)
            models, reader, chosen = self._trial(self.waiting_[:early])
            fresh = self.waiting_[early:]
        else:
            return
        count_hits(fresh, models, reader, chosen, self.records_)

    def _trial(
        self, steps: list[ObjectStep]
    ) -> tuple[dict[int, KindModel], RoleReader, dict[int, StoredKind]]:
        """What would be known after these steps alone."""
        memory = ObjectMemory()
        for step in steps:
            memory.watch(step)
        makers = memory.makers() if self.makes else set()
        settings = self.classifier_settings
        models = models_of(memory, makers, settings, self.item_kinds_, self.memo)
        reader = RoleReader(roles_of(memory), self.verbs_)
        return models, reader, chosen_kinds(memory, models, reader, self.stored_)

    @property
    def reader(self) -> RoleReader:
        return RoleReader(roles_of(self.memory_), tuple(self.verbs_))

    def kind_predictors(self) -> dict[int, KindPredictor]:
        """The learner's own models, with stored kinds where one is chosen."""
        reader = self.reader
        return {
            kind: TransferredKind(
                model, self.chosen_[kind], reader, self.records_.get(kind, KindRecord())
            )
            if kind in self.chosen_
            else model
            for kind, model in self.models_.items()
        }

    # Where predictions come from

    def sources(self, view: View, action: Any) -> list[tuple[str, str]]:
        """For each object that is not static: its kind, and where its prediction comes from."""
        model = self.model(ANY)
        state = model.state_of(self.own(self.shown(view)))
        verb = self.verbs_.index(action) if action in self.verbs_ else len(self.verbs_)
        predicted = model.predictions(state, verb)
        return [
            (self.kinds_[kind], one.source or OWN)
            for (kind, _, _), one in zip(state.objects, predicted, strict=True)
        ]

    def told(self) -> dict[str, int]:
        taken = [
            kind
            for kind in self.chosen_
            if any(
                self.records_.get(kind, KindRecord()).prefers_stored(is_seen)
                for is_seen in (True, False)
            )
        ]
        return {**super().told(), "borrowed": len(taken)}

    def chapters(self, words: ObjectWords) -> list[Chapter]:
        """The learned rules, and before them which kinds are taken from other games."""
        rules = [
            self.source_rule(kind, stored, is_seen)
            for kind, stored in self.chosen_.items()
            for is_seen in (True, False)
        ]
        note = (
            "Kinds that behave like one of another game. A share tells how much was predicted, "
            "before it was learned from, by the source that is used."
        )
        return [Chapter("Sources", note, tuple(rules)), *super().chapters(words)]

    def source_rule(self, kind: int, stored: StoredKind, is_seen: bool) -> ReadableRule:
        record = self.records_.get(kind, KindRecord())
        hits, takes = record.of(is_seen), record.prefers_stored(is_seen)
        right = (hits.stored if takes else hits.own) / hits.asked if hits.asked else 1.0
        where = "a situation it has seen" if is_seen else "a new situation"
        said = str(stored) if takes else f"{OWN}, not {stored}"
        return ReadableRule((self.kinds_[kind], where), said, hits.asked, right)

    # As a part of an agent

    def refuse(self, traits: Traits, view: View) -> None:
        super().refuse(traits, view)
        if self.library and not self.file:
            library_files(self.library)  # raises before the first move if there is none

    # Files

    def _pack(self) -> dict[str, Any]:
        arrays = super()._pack()
        kept = {
            "chosen": {kind: stored.pack() for kind, stored in self.chosen_.items()},
            "records": {kind: asdict(record) for kind, record in self.records_.items()},
        }
        return {**arrays, "transfer": np.array([json.dumps(kept)])}

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        """Read a file; of the library it holds the kinds that were chosen."""
        super()._unpack(arrays)
        kept = json.loads(str(arrays["transfer"][0]))
        chosen = {int(kind): StoredKind.unpack(one) for kind, one in kept["chosen"].items()}
        records = {
            int(kind): KindRecord(Hits(**one["seen"]), Hits(**one["new"]))
            for kind, one in kept["records"].items()
        }
        self._learn(stored_=tuple(chosen.values()), chosen_=chosen, records_=records)
