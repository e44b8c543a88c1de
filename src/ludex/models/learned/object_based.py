"""Object-based forward model: the change of an object is predicted from its surroundings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadParameter
from ludex.core.object_list import ObjectListView, objects_of
from ludex.core.parameters import Between
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.models.learned.classifiers.fitting import ClassifierSettings
from ludex.models.learned.classifiers.parameters import ClassifierParameters
from ludex.models.learned.explain.object_accuracy import object_accuracy
from ludex.models.learned.explain.object_rules import ObjectWords, kind_chapter
from ludex.models.learned.explain.rules import Chapter, ending_chapter, score_chapter
from ludex.models.learned.knowledge.association import ANY_VERB, object_facts
from ludex.models.learned.objects.features import (
    MOST_HELD,
    PAIRED,
    FeatureSettings,
    LevelSize,
    StaticObjects,
)
from ludex.models.learned.objects.kind_model import (
    KindPredictor,
    models_of,
    novelty_of,
    pack_models,
)
from ludex.models.learned.objects.memory import (
    ItemKinds,
    ObjectMemory,
    ObjectStep,
    object_step,
    read_memory,
    table_of,
)
from ludex.models.learned.objects.model import ObjectKnowledge, ObjectModel, ObjectState, reward_row
from ludex.models.learned.rewards import reward_model as rewards
from ludex.models.learned.rewards.reward_model import (
    OBJECTS,
    FittedRewardModel,
    RewardData,
    RowForm,
)
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition


@dataclass(frozen=True, kw_only=True)
class ObjectBased(ClassifierParameters):
    """One model per kind of object: surroundings and action predict its change.

    After `fit`: `memory_` has the features and changes of the objects of each kind, `models_` the
    model of each kind, `reward_model_` predicts score and ending, `kinds_` names the kinds.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **GameLearner.LIMITS,
        **ClassifierParameters.LIMITS,
        "reach": Between(1, 4),
        "holds": Between(0, MOST_HELD),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *GameLearner.OF_THE_FILE,
        *ClassifierParameters.OF_THE_FILE,
        *("reach", "position", "holds", "makes", "memo", "prune"),
    )

    READS: ClassVar[str] = "lists of objects"
    MOST_SEATS: ClassVar[int] = 2
    PLACES_AVATARS: ClassVar[bool] = True

    prune: bool = True
    """where chance decides over a kind: cut branches of its trees that would repeat chance"""
    reach: int = 2
    """how many cells to the left, right, above and below are features of an object"""
    position: bool = False
    """use the position on the grid as a feature, which is valid on one level only"""
    holds: int = 1
    """amounts of a carried resource that are distinguished, above none; 0: not a feature"""
    makes: bool = True
    """learn which kinds create which objects; otherwise no object ever appears"""

    @property
    def classifier_settings(self) -> ClassifierSettings:
        return replace(super().classifier_settings, prune=self.prune)

    @property
    def feature_settings(self) -> FeatureSettings:
        return FeatureSettings(self.reach, self.position, self.holds)

    @property
    def row_form(self) -> RowForm:
        return OBJECTS

    # Fitting

    def _prepare(self) -> None:
        self._learn(kinds_=[], verbs_=[], item_kinds_=ItemKinds(), seen_=0, fitted_to_=0)
        self._learn(memory_=ObjectMemory(), reward_data_=RewardData(OBJECTS))

    def add(self, transition: Transition) -> None:
        shown = [self.shown(one.view) for one in (transition.before, transition.after)]
        if not self.is_fitted:
            self._prepare()
        before, after = shown
        if before.size != after.size:
            raise BadParameter(
                f"{type(self).__name__} learns from levels that keep their size, got one of "
                f"{before.size[0]} x {before.size[1]} cells followed by one of {after.size[0]} x "
                f"{after.size[1]}"
            )
        (action,) = transition.actions
        self.refuse_illegal(action, before.legal)
        self.add_step(before, action, after)
        self._learn(seen_=self.seen_ + 1)

    def add_step(self, before: ObjectListView, action: Any, after: ObjectListView) -> None:
        """Add a step between lists of objects to the training data."""
        before, after = self.own(before), self.own(after)
        if action not in self.verbs_:
            self.verbs_.append(action)
        verb = self.verbs_.index(action)
        done = PAIRED + action if self.is_of_two else verb
        self.watch(object_step(self.feature_settings, before, done, after, self.item_kinds_))
        self.add_reward(before, after, verb)

    def watch(self, step: ObjectStep) -> None:
        """Add what became of all objects in one step."""
        self.memory_.watch(step)

    def add_reward(self, before: ObjectListView, after: ObjectListView, verb: int) -> None:
        """Add the reward of a transition to the training data."""
        states = as_state(before), as_state(after)
        kinds = len(self.kinds_)
        row = features_between(*states, kinds)
        ending = rewards.ending_of(after.outcome, after.seat)
        gain = round(after.score - before.score, 6)
        asked = verb if self.judge == "rules" else ANY_VERB
        self.reward_data_.add_row(kinds, row, gain, ending, asked)
        if after.outcome is not None:
            self.reward_data_.end(ending, after.outcome.returns[after.seat])

    def learn_again(self) -> Self:
        self.refuse_nothing()
        models = models_of(
            self.memory_, self.makers(), self.classifier_settings, self.item_kinds_, self.memo
        )
        facts = object_facts(self.kinds_, self.verbs_)
        self._learn(
            models_=models,
            novelty_=novelty_of(models.values()),
            reward_model_=rewards.fit(
                self.reward_data_, self.reward_settings, len(self.kinds_), facts
            ),
            fitted_to_=self.seen_,
        )
        self.fit_rival(len(self.kinds_), facts)
        return self

    def reward_features(self, before: Any, after: Any) -> tuple[int, NDArray[np.int16]]:
        kinds = len(self.kinds_)
        states = [as_state(self.own(one)) for one in (before, after)]
        return kinds, features_between(states[0], states[1], kinds)

    def state_features(self, before: Any, after: Any) -> NDArray[np.int16]:
        return features_between(before, after, self.rival_model_.tiles)

    def makers(self) -> set[tuple[int, int]]:
        """Pairs of a maker's kind and the kind it creates; empty if not learned."""
        return self.memory_.makers() if self.makes else set()

    def model(self, traits: Traits) -> ObjectModel:
        rewards_ = self.reward_model_
        knowledge = ObjectKnowledge(
            self.kind_predictors(),
            self.feature_settings,
            ItemKinds(list(self.item_kinds_.goods), list(self.item_kinds_.made)),
            tuple(self.verbs_),
            self.is_of_two,
            rewards_.native(),
            rewards_.tiles,
            rewards_.returns,
            self.own,
        )
        return ObjectModel(knowledge, traits, **self.model_settings)

    def kind_predictors(self) -> Mapping[int, KindPredictor]:
        """What predicts each kind."""
        found: Mapping[int, KindPredictor] = self.models_
        return found

    def words(self, said: Mapping[Any, str]) -> ObjectWords:
        """Names of kinds and actions; `said` has words for actions."""
        return ObjectWords(self.kinds_, self.feature_settings, self.item_kinds_, self.verbs_, said)

    def chapters(self, words: ObjectWords) -> list[Chapter]:
        """The learned rules in words, chapter by chapter."""
        read = {} if self.is_of_two else self.models_  # rules are put in words for one seat
        changing = [model for model in read.values() if not model.is_still]
        return [
            *(kind_chapter(model, words) for model in changing),
            score_chapter(self.reward_model_, self.reward_data_, words),
            ending_chapter(self.reward_model_, self.reward_data_, words),
        ]

    def told(self) -> dict[str, int]:
        return {"kinds": len(self.memory_.seen)}

    def accuracy(self, transitions: Sequence[Transition]) -> dict[str, float]:
        return object_accuracy(self, [self.as_joint(one) for one in transitions])

    # Views

    def can_read(self, view: View) -> bool:
        return objects_of(view) is not None

    def shown(self, view: Any) -> ObjectListView:
        shown = objects_of(view)
        if shown is None:
            raise BadParameter(
                f"object-based learners need views with as_objects, got a {type(view).__name__}"
            )
        if any(not 0 <= obj.kind < len(shown.kinds) for obj in shown.objects):
            raise BadParameter("an object is of a kind that has no name")
        return shown

    def read(self, transitions: Sequence[Transition]) -> list[Transition]:
        """Transitions between views that list objects, as error analysis compares them."""
        return list(transitions)

    def own(self, view: ObjectListView) -> ObjectListView:
        """The view with this learner's indices of kinds, which never change."""
        if view.kinds == tuple(self.kinds_[: len(view.kinds)]):
            return view
        for name in view.kinds:
            if name not in self.kinds_:
                self.kinds_.append(name)
        numbers = [self.kinds_.index(name) for name in view.kinds]
        return replace(
            view,
            kinds=tuple(self.kinds_),
            objects=tuple(one._replace(kind=numbers[one.kind]) for one in view.objects),
            held=tuple(sorted((numbers[kind], amount) for kind, amount in view.held)),
            movable=tuple(sorted(numbers[kind] for kind in view.movable)),
        )

    # Files

    def _pack(self) -> dict[str, Any]:
        if (
            self.fitted_to_ != self.seen_
        ):  # files hold classifiers with the data they were fitted to
            self.learn_again()
        rows, changes, times = zip(*table_of(self.memory_), strict=True)
        unlike = list(dict.fromkeys(changes))
        births = [[new, sorted(near), n] for (new, near), n in self.memory_.births.items()]
        return {
            "kinds": np.array(self.kinds_),
            "verbs": np.array([int(verb) for verb in self.verbs_], np.int64),
            "goods": np.array(self.item_kinds_.goods, np.int64),
            "made": np.array(self.item_kinds_.made, np.int64),
            "seen": np.array([self.seen_]),
            "memory.rows": np.array(rows, np.int64),
            "memory.fates": np.array([unlike.index(change) for change in changes], np.int64),
            "memory.times": np.array(times, np.int64),
            "memory.movers": np.array(sorted(self.memory_.movers), np.int64),
            "memory.present": np.array(sorted(self.memory_.present.items()), np.int64),
            "memory.texts": np.array([json.dumps(unlike), json.dumps(births)]),
            "novelty": np.array([self.novelty_]),
            **pack_models(self.models_),
            **self.reward_data_.pack(len(self.kinds_)),
            **self.reward_model_.pack(),
            **self.pack_rival(len(self.kinds_)),
        }

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        self._prepare()
        self._learn(
            kinds_=arrays["kinds"].tolist(),
            verbs_=arrays["verbs"].tolist(),
            item_kinds_=ItemKinds(arrays["goods"].tolist(), arrays["made"].tolist()),
            seen_=int(arrays["seen"][0]),
            memory_=read_memory(arrays, 1 + 4 * self.reach),
        )
        kinds = len(self.kinds_)
        self._learn(reward_data_=RewardData.unpack(OBJECTS, kinds, arrays))
        self.unpack_rival(kinds, arrays)
        item_kinds = *self.item_kinds_.goods, *self.item_kinds_.made
        if any(not 0 <= kind < kinds for kind in (*self.memory_.seen, *item_kinds)):
            raise ValueError("an object is of a kind that has no name")
        models = models_of(
            self.memory_,
            self.makers(),
            self.classifier_settings,
            self.item_kinds_,
            self.memo,
            arrays,
        )
        fitted = FittedRewardModel.unpack(OBJECTS, arrays)
        fitted.native()  # raises if it is invalid
        # Files of the first versions hold neither novelty nor classifiers.
        novelty = arrays["novelty"][0] if "novelty" in arrays else novelty_of(models.values())
        if not 0 <= novelty <= 1:
            raise ValueError("novelty must be between 0 and 1")
        self._learn(models_=models, novelty_=float(novelty), reward_model_=fitted)
        self._learn(fitted_to_=self.seen_)


def features_between(before: ObjectState, after: ObjectState, kinds: int) -> NDArray[np.int16]:
    """What reward models know of a step."""
    return reward_row(before, after, after.static.counts(kinds), kinds)


def as_state(view: ObjectListView) -> ObjectState:
    """A view as a state in which no object is static."""
    objects = tuple((obj.kind, obj.x, obj.y) for obj in view.objects)
    static = StaticObjects(LevelSize(*view.size))
    return ObjectState(static, objects, view.avatar, view.facing, view.held, (), view.score)
