"""Several learners at once, each believed as much as it was right before."""

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
from ludex.models.learned.ensembles.track_record import Standing
from ludex.models.learned.explain.accuracy import ANY
from ludex.models.learned.explain.rules import Chapter, Rule, Words
from ludex.models.learned.local import Local
from ludex.models.learned.rewards.reward_model import Verdict
from ludex.models.learned.tiles.learner import TileLearner
from ludex.models.learned.tiles.model import Encoder
from ludex.models.learned.training.transitions import Transition

EARLY, FEWEST = 0.75, 8  # of what is seen first: fitted to, and the rest to judge members by
OF_THE_ENSEMBLE = frozenset(TileLearner.__dataclass_fields__)
"""parameters that members leave to the ensemble"""


@dataclass(frozen=True, kw_only=True)
class Ensemble(TileLearner):
    """Several learners that vote on every cell; each counts as much as it was right before.

    After `fit`: `members_` are the learners, `standing_` says how often each was right about what
    it had not seen: of cells that change, and where they disagreed, by what the cell held.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {**TileLearner.LIMITS, "fade": Between(0.5, 1)}
    OF_THE_FILE: ClassVar[tuple[str, ...]] = (*TileLearner.OF_THE_FILE, "members")

    members: str = "local(span=1)+local(span=2)+local(span=3)"
    """local models, joined by +"""
    combine: Literal["vote", "best"] = "vote"
    """where they disagree: all vote by how often they were right, or the best decides"""
    fade: float = 0.999
    """what a member's record counts after one more transition was seen"""

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.parts  # says what is wrong with them

    @cached_property
    def parts(self) -> tuple[Local, ...]:
        """The members with nothing learned; what concerns score and end is the ensemble's."""
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
        self._learn(members_=members, standing_=Standing(len(members), self.fade), waiting_=[])
        self._share()

    def _share(self) -> None:
        """Let all members use the same numbers for tiles and verbs."""
        blank = Verdict(self.features, len(self.vocabulary_), self.changes_.worth())
        for member in self.members_:
            member._learn(
                vocabulary_=self.vocabulary_,
                verbs_=self.verbs_,
                changes_=self.changes_,
                verdict_=blank,
                seen_=self.seen_,
            )

    def add(self, transition: Transition) -> None:
        super().add(transition)
        self.waiting_.append(transition)

    def _watch(self, before: Any, verb: int, touched: int, after: Any) -> None:
        for member in self.members_:
            member._watch(before, verb, touched, after)

    def _fit(self) -> None:
        """Judge the members by what they have not learned from, then let them learn it."""
        if "models_" in vars(self):
            self._judge(self.models_, self.encoder(), self.waiting_)
        elif len(self.waiting_) >= FEWEST:
            early = int(len(self.waiting_) * EARLY)
            trial = self._trial(self.waiting_[:early])
            self._judge(trial.models_, trial.encoder(), self.waiting_[early:])
        self._fit_members()

    def _fit_members(self) -> None:
        self._share()
        for member in self.members_:
            member._fit()
        self._learn(models_=[member.model(ANY) for member in self.members_], waiting_=[])

    def _trial(self, transitions: Sequence[Transition]) -> Self:
        """A twin that has seen less; its tiles get the same numbers, as they come in one order."""
        trial = self.clone()
        for one in transitions:
            trial.add(one)
        trial._fit_members()
        return trial

    def _judge(
        self, models: Sequence[Any], encoder: Encoder, transitions: Sequence[Transition]
    ) -> None:
        for one in transitions:
            before, after = (tiles_of(moment.view) for moment in (one.before, one.after))
            assert before is not None
            assert after is not None
            state = encoder.state(before)
            said = np.stack([model.step(state, one.actions, Rng(0)).tiles for model in models])
            self.standing_.add(state.tiles, said, encoder.state(after).tiles)

    def model(self, traits: Traits) -> EnsembleModel:
        return EnsembleModel(
            self.encoder(),
            traits,
            self.models_,
            self.standing_,
            self.verdict_,
            decides=self.combine,
            **self.manners,
        )

    def chapters(self, words: Words) -> list[Chapter]:
        """Who is right how often, and the rules of the member that is so most often."""
        rules = [
            Rule((str(part),), "right", round(asked), right)
            for part, right, asked in zip(
                self.parts, self.standing_.running, self.standing_.asked, strict=True
            )
        ]
        best = max(range(len(rules)), key=lambda place: rules[place].right)
        note = "Of cells that change, those that each member foretold before it learned from them."
        own = self.members_[best].chapters(words)[:1]
        return [*own, Chapter("Who is right", note, tuple(rules)), *super().chapters(words)]

    # Files

    def _pack(self) -> dict[str, Any]:
        arrays = {**super()._pack(), **self.standing_.pack()}
        for place, member in enumerate(self.members_):
            arrays |= {f"member{place}.{name}": one for name, one in member._pack().items()}
        return arrays

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        super()._unpack(arrays)
        self.standing_.unpack(arrays)
        for place, member in enumerate(self.members_):
            own = f"member{place}."
            member._unpack(
                {name[len(own) :]: one for name, one in arrays.items() if name.startswith(own)}
            )
        self._share()
        self._learn(models_=[member.model(ANY) for member in self.members_])


def read_member(text: str) -> Local:
    """Make a member of an ensemble, or say why it cannot be one."""
    named = read_named(text, "()", "a member of an ensemble")
    part = registry.load("models", named.name).from_texts(named.arguments)
    if not isinstance(part, Local):  # others have states of their own kind
        raise BadParameter(
            f"{named.name} cannot be a member of an ensemble, which votes on what follows "
            "neighbourhoods; local can"
        )
    if foreign := [name for name in part.changed() if name in OF_THE_ENSEMBLE]:
        raise BadParameter(
            f"{foreign[0]} is for the ensemble as a whole: write ensemble({foreign[0]}=...,"
            f"members=...) and leave it out of {text!r}"
        )
    return part
