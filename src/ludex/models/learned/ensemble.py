"""Ensemble of local forward models, weighted by their track record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ludex.core import registry
from ludex.core.errors import BadParameter
from ludex.core.names import read_named, split_outside
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.core.tiles import tiles_of
from ludex.core.traits import Traits
from ludex.models.learned.ensembles.model import EnsembleModel
from ludex.models.learned.ensembles.track_record import TrackRecord
from ludex.models.learned.explain.accuracy import ANY
from ludex.models.learned.explain.rules import Chapter, ReadableRule, TileWords
from ludex.models.learned.local import Local
from ludex.models.learned.rewards.reward_model import FittedRewardModel
from ludex.models.learned.tiles.learner import TileLearner
from ludex.models.learned.tiles.model import TileEncoder
from ludex.models.learned.training.transitions import Transition

EARLY, FEWEST = (
    0.75,
    8,
)  # share of the first data to fit to, the rest to score members; fewest to do so
OF_THE_ENSEMBLE = frozenset(TileLearner.__dataclass_fields__)
"""parameters of the ensemble that members may not set"""


@dataclass(frozen=True, kw_only=True)
class Ensemble(TileLearner):
    """Several learners that vote on every cell, weighted by their past accuracy.

    After `fit`: `members_` are the learners, `track_record_` has the accuracy of each on
    transitions before it learned from them: of cells that change, and of disputed cells by tile.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {**TileLearner.LIMITS, "fade": Between(0.5, 1)}
    OF_THE_FILE: ClassVar[tuple[str, ...]] = (*TileLearner.OF_THE_FILE, "members")

    members: str = "local(span=1)+local(span=2)+local(span=3)"
    """local models, joined by +"""
    combine: Literal["vote", "best"] = "vote"
    """for disputed cells: a vote weighted by accuracy, or the most accurate member decides"""
    fade: float = 0.999
    """decay of a member's track record per transition"""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.parts  # raises if one is invalid

    @cached_property
    def parts(self) -> tuple[Local, ...]:
        """The unfitted members; reward and ending are learned by the ensemble."""
        texts = split_outside(self.members, "+")
        shared: dict[str, Any] = {
            "features": self.features,
            "score": "none",
            "ending": False,
            "stochastic": self.stochastic,
        }
        return tuple(read_member(text).clone(**shared) for text in texts)

    @property
    def margin(self) -> int:
        return max(member.margin for member in self.parts)

    # Fitting

    def _prepare(self) -> None:
        super()._prepare()
        members = [part.clone() for part in self.parts]
        for member in members:
            member._prepare()
        self._learn(
            members_=members, track_record_=TrackRecord(len(members), self.fade), waiting_=[]
        )
        self._share()

    def _share(self) -> None:
        """Let all members share one vocabulary of tiles and verbs."""
        blank = FittedRewardModel(
            self.features, len(self.vocabulary_), self.reward_data_.mean_returns()
        )
        for member in self.members_:
            member._learn(
                vocabulary_=self.vocabulary_,
                verbs_=self.verbs_,
                reward_data_=self.reward_data_,
                reward_model_=blank,
                seen_=self.seen_,
            )

    def add(self, transition: Transition) -> None:
        super().add(transition)
        self.waiting_.append(transition)

    def _watch(self, before: Any, verb: int, touched: int, after: Any) -> None:
        for member in self.members_:
            member._watch(before, verb, touched, after)

    def _fit(self) -> None:
        """Score the members on transitions new to them, then fit them."""
        if "models_" in vars(self):
            self._score(self.models_, self.encoder(), self.waiting_)
        elif len(self.waiting_) >= FEWEST:
            early = int(len(self.waiting_) * EARLY)
            trial = self._trial(self.waiting_[:early])
            self._score(trial.models_, trial.encoder(), self.waiting_[early:])
        self._fit_members()

    def _fit_members(self) -> None:
        self._share()
        for member in self.members_:
            member._fit()
        self._learn(models_=[member.model(ANY) for member in self.members_], waiting_=[])

    def _trial(self, transitions: Sequence[Transition]) -> Self:
        """A clone fitted to fewer transitions; tiles get the same indices, in the same order."""
        trial = self.clone()
        for one in transitions:
            trial.add(one)
        trial._fit_members()
        return trial

    def _score(
        self, models: Sequence[Any], encoder: TileEncoder, transitions: Sequence[Transition]
    ) -> None:
        for one in transitions:
            before, after = (tiles_of(moment.view) for moment in (one.before, one.after))
            assert before is not None
            assert after is not None
            state = encoder.state(before)
            said = np.stack([model.step(state, one.actions, Rng(0)).tiles for model in models])
            self.track_record_.add(state.tiles, said, encoder.state(after).tiles)

    def model(self, traits: Traits) -> EnsembleModel:
        return EnsembleModel(
            self.encoder(),
            traits,
            self.models_,
            self.track_record_,
            self.reward_model_,
            decides=self.combine,
            **self.search_settings,
        )

    def chapters(self, words: TileWords) -> list[Chapter]:
        """The accuracy of each member, and the rules of the most accurate one."""
        rules = [
            ReadableRule((str(part),), "right", round(asked), right)
            for part, right, asked in zip(
                self.parts, self.track_record_.running, self.track_record_.asked, strict=True
            )
        ]
        best = max(range(len(rules)), key=lambda index: rules[index].right)
        note = "Accuracy of each member on cells that change, before it learned from them."
        own = self.members_[best].chapters(words)[:1]
        return [
            *own,
            Chapter("Accuracy of the members", note, tuple(rules)),
            *super().chapters(words),
        ]

    # Files

    def _pack(self) -> dict[str, Any]:
        arrays = {**super()._pack(), **self.track_record_.pack()}
        for index, member in enumerate(self.members_):
            arrays |= {f"member{index}.{name}": one for name, one in member._pack().items()}
        return arrays

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        super()._unpack(arrays)
        self.track_record_.unpack(arrays)
        for index, member in enumerate(self.members_):
            own = f"member{index}."
            member._unpack(
                {name[len(own) :]: one for name, one in arrays.items() if name.startswith(own)}
            )
        self._share()
        self._learn(models_=[member.model(ANY) for member in self.members_])


def read_member(text: str) -> Local:
    """Make a member of an ensemble from its text; raise BadParameter if it cannot be one."""
    named = read_named(text, "()", "a member of an ensemble")
    part = registry.load("models", named.name).from_texts(named.arguments)
    if not isinstance(part, Local):  # other models have other states
        raise BadParameter(
            f"{named.name} cannot be a member of an ensemble, whose members must be local "
            "models; use local"
        )
    if foreign := [name for name in part.changed() if name in OF_THE_ENSEMBLE]:
        raise BadParameter(
            f"{foreign[0]} is for the ensemble as a whole: write ensemble({foreign[0]}=...,"
            f"members=...) and leave it out of {text!r}"
        )
    return part
