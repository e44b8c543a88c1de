"""Base class of learners of tile games: reading views, training data, reward model."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter
from ludex.core.tiles import NOWHERE, TileView, tiles_of
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.models.learned.explain.accuracy import tile_accuracy
from ludex.models.learned.explain.rules import Chapter, TileWords, ending_chapter, score_chapter
from ludex.models.learned.knowledge.association import ANY_VERB, Fact, tile_facts
from ludex.models.learned.rewards import reward_model as rewards
from ludex.models.learned.rewards.reward_model import (
    FeatureForm,
    FittedRewardModel,
    RewardData,
    RowForm,
)
from ludex.models.learned.tiles.model import TileEncoder
from ludex.models.learned.tiles.vocabulary import Encoding, Vocabulary
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition


@dataclass(frozen=True, kw_only=True)
class TileLearner(GameLearner):
    """A learner of single-player games whose views are grids of tiles.

    It reads `as_tiles` of views and nothing else.
    """

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (*GameLearner.OF_THE_FILE, "features", "encoding")

    READS: ClassVar[str] = "grids of tiles"

    features: FeatureForm = "source"
    """features of the reward model; source and companion also count all tiles"""
    encoding: Encoding = "stack"
    """the tile of a cell: all kinds in it, or the topmost alone"""

    def add(self, transition: Transition) -> None:
        before, after = (self.shown(one.view) for one in (transition.before, transition.after))
        if not self.is_fitted:
            self._prepare()
        size = [(view.tiles.height, view.tiles.width) for view in (before, after)]
        if size[0] != size[1]:
            raise BadParameter(
                f"{type(self).__name__} learns from grids that keep their size, got one of "
                f"{size[0][0]} x {size[0][1]} cells followed by one of {size[1][0]} x {size[1][1]}"
            )
        (action,) = transition.actions
        self.refuse_illegal(action, before.legal)
        act = before.acts[before.legal.index(action)]
        if act.verb not in self.verbs_:
            self.verbs_.append(act.verb)
        encoder = self.encoder()
        states = encoder.state(before), encoder.state(after)
        verb = self.verbs_.index(act.verb)
        self.reward_data_.add(
            len(self.vocabulary_),
            *states,
            round(after.score - before.score, 6),
            states[1].ending,
            verb if self.judge == "rules" else ANY_VERB,  # used by rules only
        )
        if after.outcome is not None:
            self.reward_data_.end(states[1].ending, after.outcome.returns[after.seat])
        self._watch(states[0], verb, act.cell, states[1])
        self._learn(seen_=self.seen_ + 1)

    def learn_again(self) -> Self:
        self.refuse_nothing()
        self._fit()
        tiles = len(self.vocabulary_)
        self._learn(
            reward_model_=rewards.fit(self.reward_data_, self.reward_settings, tiles, self.facts())
        )
        self.fit_rival(tiles, self.facts())
        self._learn(fitted_to_=self.seen_)
        return self

    def reward_features(self, before: Any, after: Any) -> tuple[int, NDArray[np.int16]]:
        tiles, encoder = len(self.vocabulary_), self.encoder()
        states = encoder.state(before), encoder.state(after)
        return tiles, self.reward_data_.blank(tiles).describe(*states)

    def state_features(self, before: Any, after: Any) -> NDArray[np.int16]:
        blank = self.rival_data_.blank(self.rival_model_.tiles)
        return blank.describe(before, after)  # type: ignore[no-any-return]  # learned

    def facts(self) -> list[Fact]:
        """Facts about a transition, for association rules."""
        contents = [(), *map(self.vocabulary_.content, range(1, len(self.vocabulary_)))]
        return tile_facts(contents, self.features, self.verbs_)

    def _prepare(self) -> None:
        """Reset to an empty learner."""
        vocabulary = Vocabulary(encoding=self.encoding)
        self._learn(vocabulary_=vocabulary, verbs_=[], seen_=0, fitted_to_=0)
        self._learn(reward_data_=RewardData(self.features))

    @abstractmethod
    def _watch(self, before: Any, verb: int, touched: int, after: Any) -> None:
        """Add the transition of a grid to the training data."""

    @abstractmethod
    def _fit(self) -> None:
        """Fit to the training data."""

    def _pack(self) -> dict[str, Any]:
        return {
            "kinds": np.array(self.vocabulary_.kinds or [""]),
            "contents": np.array(self.vocabulary_.contents, np.uint64),
            "verbs": np.array(self.verbs_, np.int64),
            "seen": np.array([self.seen_]),
            **self.reward_data_.pack(len(self.vocabulary_)),
            **self.reward_model_.pack(),
            **self.pack_rival(len(self.vocabulary_)),
        }

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        self._prepare()
        seen = int(arrays["seen"][0])
        self._learn(
            vocabulary_=Vocabulary(
                arrays["kinds"].tolist(), arrays["contents"].tolist(), self.encoding
            ),
            verbs_=arrays["verbs"].tolist(),
            seen_=seen,
            fitted_to_=seen,
        )
        tiles = len(self.vocabulary_)
        self._learn(
            reward_data_=RewardData.unpack(self.features, tiles, arrays),
            reward_model_=FittedRewardModel.unpack(self.features, arrays),
        )
        self.reward_model_.native()  # raises if it is invalid
        self.unpack_rival(tiles, arrays)

    @abstractmethod
    def model(self, traits: Traits) -> Any:
        """Return the model learned so far, for a world with these traits: a TileModelBase."""

    def words(self, said: Mapping[Any, str]) -> TileWords:
        """Names of tiles and actions; `said` has words for verbs."""
        return TileWords(self.vocabulary_, self.verbs_, said)

    def chapters(self, words: TileWords) -> list[Chapter]:
        """The learned rules in words, chapter by chapter."""
        return [
            score_chapter(self.reward_model_, self.reward_data_, words),
            ending_chapter(self.reward_model_, self.reward_data_, words),
        ]

    @property
    @abstractmethod
    def margin(self) -> int:
        """The radius of the neighbourhood of a cell."""

    def encoder(self) -> TileEncoder:
        """The encoder of views into states of this learner's models."""
        if "encoder_" not in vars(self) or self.encoder_.verbs != self.verbs_:
            self._learn(encoder_=TileEncoder(self.vocabulary_, list(self.verbs_), self.margin))
        return self.encoder_  # type: ignore[no-any-return]  # learned

    def told(self) -> dict[str, int]:
        return {"tiles": len(self.vocabulary_) - 1}

    def accuracy(self, transitions: Sequence[Transition]) -> dict[str, float]:
        return tile_accuracy(self, [self.as_joint(one) for one in transitions])

    def can_read(self, view: View) -> bool:
        return tiles_of(view) is not None

    def shown(self, view: Any) -> TileView:
        return shown_or_refused(view)

    @property
    def row_form(self) -> RowForm:
        return self.features


def shown_or_refused(view: Any) -> TileView:
    shown = tiles_of(view)
    if shown is None:
        raise BadParameter(
            f"learners of tile games need views with as_tiles, got a {type(view).__name__}"
        )
    if any(act.cell < NOWHERE for act in shown.acts):
        raise BadParameter("an action is done to a cell that does not exist")
    return shown
