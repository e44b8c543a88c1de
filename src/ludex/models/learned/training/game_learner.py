"""Base class of learners of games: parameters, fitting, model files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.budget import Budget
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.extra import require_extra
from ludex.core.model import Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.models.learned.knowledge.association import ANY_VERB, Fact
from ludex.models.learned.rewards import reward_model as rewards
from ludex.models.learned.rewards.reward_model import (
    FittedRewardModel,
    RewardData,
    RewardForm,
    RewardSettings,
    RowForm,
    ScoreForm,
    ending_of,
)
from ludex.models.learned.tiles.model import learned_traits
from ludex.models.learned.training.files import load
from ludex.models.learned.training.learner import Learner
from ludex.models.learned.training.transitions import Shown, Transition, random_play
from ludex.models.learned.two_seats.joint import joint_transition
from ludex.models.learned.two_seats.model import PairModel, PairObjectModel

RIVAL = "rival."  # before the names of arrays in model files that are about the other seat


@dataclass(frozen=True, kw_only=True)
class GameLearner(Learner):
    """A learner of a forward model for an agent, in games of one seat.

    Those with `MOST_SEATS = 2` also learn games of two seats that act at the same time: a joint
    action is one action for them, and the rewards of the other seat are learned beside their own.

    A subclass defines what it reads of a view (`shown`), what it keeps of a transition (`add`), how
    it fits (`learn_again`), its file format, and its `model`.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "steps": Between(1, 10_000_000),
        "restart": AtLeast(1),
        "refit": AtLeast(1),
        "explore": Between(0, 1),
        "trust": Between(0, 1),
        "novelty": Between(0, 1),
        "support": Between(0, 1),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *("score", "win_bonus", "loss_penalty", "ending", "judge", "support"),
    )
    """parameters that are taken from a model file"""

    READS: ClassVar[str]
    """what views must offer, in words"""
    MOST_SEATS: ClassVar[int] = 1
    """the most seats of a game that it learns"""
    PLACES_AVATARS: ClassVar[bool] = False
    """whether its models say where avatars and objects are"""

    file: str = ""
    """a model file to start from, instead of random play"""
    learn: Literal["constant", "continuous"] = "constant"
    """constant: from random play before the first decision; continuous: while it plays"""
    steps: int = 2000
    """random moves played before the first decision, where learning is constant"""
    restart: int = 300
    """the longest random game, in moves"""
    refit: int = 100
    """for learn=continuous: decisions between two fits; no fit without a prediction error"""
    eager: bool = False
    """for learn=continuous: fit again after every prediction error"""
    score: ScoreForm = "linear"
    """the regression of gains in score on the changes of the state"""
    win_bonus: float = 0.0
    """added to the score of a winning step"""
    loss_penalty: float = 0.0
    """subtracted from the score of a losing step"""
    ending: bool = True
    """learn when games end"""
    judge: RewardForm = "fitted"
    """the reward model: fitted weights and trees, or association rules"""
    support: float = 0.2
    """the least support of an association rule, as a share of equal endings or gains"""
    stochastic: bool = False
    """sample the prediction from its distribution, instead of the likeliest"""
    curiosity: float = 0.0
    """bonus for each unseen cell or object; negative to avoid the unknown"""
    discount: bool = False
    """multiply gains by the confidence of the model"""
    trust: float = 0.0
    """states below this confidence are terminal for a search"""
    boredom: float = 0.0
    """penalty for each visit of the real game to a state"""
    explore: float = 0.0
    """the share of decisions that are random"""
    novelty: float | None = None
    """confidence factor of inputs never seen; none: the accuracy on held-out data"""

    # Fitting

    def fit(self, transitions: Iterable[Transition]) -> Self:
        self._forget()
        return self.partial_fit(transitions)

    def partial_fit(self, transitions: Iterable[Transition]) -> Self:
        for one in transitions:
            self.take(one)
        return self.learn_again()

    def take(self, transition: Transition) -> None:
        """Add a transition of one seat, or of two that act at the same time."""
        before, after = self.shown(transition.before.view), self.shown(transition.after.view)
        if not before.others:
            self.add(transition)
            return
        if not self.is_of_two:
            self._prepare()
            self._learn(rival_data_=RewardData(self.row_form))
        joint = joint_transition(before, transition.actions, after)
        for number in joint.before.legal[0]:  # in order, so that trees can split them by seat
            if number not in self.verbs_:
                self.verbs_.append(number)
        self.add(joint)
        self.add_rival(before, joint, after)

    def as_joint(self, transition: Transition) -> Transition:
        """A transition as learners of one seat read it, whatever the number of seats."""
        before, after = self.shown(transition.before.view), self.shown(transition.after.view)
        if not before.others:
            return transition
        return joint_transition(before, transition.actions, after)

    def add_rival(self, before: Shown, joint: Transition, after: Shown) -> None:
        """Add the reward of the other seat to the training data."""
        rival = after.others[0]
        tiles, row = self.reward_features(joint.before.view, joint.after.view)
        ending = ending_of(after.outcome, rival.seat)
        gain = round(rival.score - before.others[0].score, 6)
        verb = self.verbs_.index(joint.actions[0]) if self.judge == "rules" else ANY_VERB
        self.rival_data_.add_row(tiles, row, gain, ending, verb)
        if after.outcome is not None:
            self.rival_data_.end(ending, after.outcome.returns[rival.seat])

    def fit_rival(self, tiles: int, facts: Sequence[Fact]) -> None:
        """Fit the reward model of the other seat, where there is one."""
        if self.is_of_two:
            fitted = rewards.fit(self.rival_data_, self.reward_settings, tiles, facts)
            self._learn(rival_model_=fitted)

    @property
    def is_of_two(self) -> bool:
        """Whether it learned a game of two seats."""
        return "rival_data_" in vars(self)

    def reward_features(self, before: Any, after: Any) -> tuple[int, NDArray[np.int16]]:
        """The features of a transition for reward models, and the number of tiles or kinds."""
        raise NotImplementedError(f"{self.name} learns games of one seat")

    def state_features(self, before: Any, after: Any) -> NDArray[np.int16]:
        """The same of two states of its model."""
        raise NotImplementedError(f"{self.name} learns games of one seat")

    def seats_model(self, traits: Traits) -> Model:
        """The model learned so far, for a world with these traits, of one seat or two."""
        if self.is_fitted and self.is_of_two != (traits.seats == 2):
            learned = "two seats" if self.is_of_two else "one seat"
            raise BadParameter(
                f"this {self.name} has learned a game of {learned}, and this world has "
                f"{traits.seats}; fit a model to this world"
            )
        if traits.seats == 1:
            return self.model(traits)
        rival = self.rival_model_.native()

        def judge(before: Any, after: Any, number: int) -> tuple[float, int]:
            row = self.state_features(before, after)
            verb = self.verbs_.index(number) if number in self.verbs_ else ANY_VERB
            found: tuple[float, int] = rival.predict(row, verb)
            return found

        alone = replace(traits, seats=1, simultaneous=False, max_legal=traits.max_legal**2)
        inner = self.model(alone)
        kind = PairObjectModel if inner.traits.avatars else PairModel
        return kind(inner, traits, self.shown, judge, self.rival_model_.returns)

    def pack_rival(self, tiles: int) -> dict[str, Any]:
        """The rewards of the other seat as arrays, for a model file."""
        if not self.is_of_two:
            return {}
        arrays = {**self.rival_data_.pack(tiles), **self.rival_model_.pack()}
        return {f"{RIVAL}{name}": array for name, array in arrays.items()}

    def unpack_rival(self, tiles: int, arrays: Mapping[str, Any]) -> None:
        of_rival = {
            name.removeprefix(RIVAL): array
            for name, array in arrays.items()
            if name.startswith(RIVAL)
        }
        if not of_rival:
            return
        fitted = FittedRewardModel.unpack(self.row_form, of_rival)
        fitted.native()  # raises if it is invalid
        data = RewardData.unpack(self.row_form, tiles, of_rival)
        self._learn(rival_data_=data, rival_model_=fitted)

    @abstractmethod
    def _prepare(self) -> None:
        """Reset to an empty learner."""

    @abstractmethod
    def add(self, transition: Transition) -> None:
        """Add a transition to the training data; the model changes with `learn_again`."""

    @abstractmethod
    def learn_again(self) -> Self:
        """Fit to all transitions added so far."""

    @abstractmethod
    def model(self, traits: Traits) -> Model:
        """Return the model learned so far, for a world with these traits."""

    @abstractmethod
    def shown(self, view: Any) -> Any:
        """The part of a view that is read, independent of its world; BadParameter if missing."""

    @abstractmethod
    def told(self) -> dict[str, int]:
        """The size of the vocabulary, by what it counts."""

    @abstractmethod
    def accuracy(self, transitions: Sequence[Transition]) -> dict[str, float]:
        """The prediction accuracy on these transitions, by measure."""

    def traits_of(self, traits: Traits) -> Traits:
        """The traits of its models of a world with these traits."""
        return learned_traits(traits, self.stochastic, self.PLACES_AVATARS)

    def refuse_nothing(self) -> None:
        """Raise if there is no data to fit to, or scikit-learn is missing."""
        if not self.is_fitted:
            raise BadParameter(f"{type(self).__name__}.fit needs at least one transition, got none")
        require_extra("sklearn.tree", "learned models", "learning")

    def refuse_illegal(self, action: Any, legal: tuple[Any, ...]) -> None:
        if action not in legal:
            raise BadParameter(
                f"{type(self).__name__} learns from legal actions, got {action!r} where "
                f"{len(legal)} others were legal"
            )

    @property
    def model_settings(self) -> dict[str, Any]:
        """Settings of its models: the confidence in unseen inputs, and search settings."""
        novelty = self.novelty_ if self.novelty is None else self.novelty
        return {"novelty": novelty, **self.search_settings}

    @property
    def search_settings(self) -> dict[str, Any]:
        """Search settings: how a search values unseen predictions and visited states."""
        return {
            "curiosity": self.curiosity,
            "discounts": self.discount,
            "trust": self.trust,
            "boredom": self.boredom,
            "samples": self.stochastic,
        }

    @property
    @abstractmethod
    def row_form(self) -> RowForm:
        """The features of a transition for the reward model."""

    @property
    def reward_settings(self) -> RewardSettings:
        """The settings of the reward model."""
        return RewardSettings(
            self.score,
            self.row_form,
            self.ending,
            self.win_bonus,
            self.loss_penalty,
            self.judge,
            self.support,
        )

    # As a part of an agent

    def refusal(self, traits: Traits, view: View) -> str | None:
        in_turns = traits.seats > 1 and not traits.simultaneous
        if traits.seats > self.MOST_SEATS or in_turns:
            two = ", or of two that act at the same time" if self.MOST_SEATS > 1 else ""
            turns = " that take turns" if in_turns else ""
            return (
                f"{self.name} learns games of one player{two}, and this world has {traits.seats} "
                f"seats{turns}"
            )
        if not self.can_read(view):
            return f"{self.name} learns from {self.READS}, and views of this world show none"
        return None

    @abstractmethod
    def can_read(self, view: View) -> bool:
        """Whether a view offers what this learner reads."""

    @property
    def libraries(self) -> tuple[str, ...]:
        """The libraries an agent with this model needs; none if it only reads a file."""
        reads = self.file and self.learn == "constant"
        return () if reads else ("sklearn.tree", "sklearn.ensemble", "sklearn.linear_model")

    def load_libraries(self) -> None:
        """Import them; an error says what to install if one is missing."""
        for library in self.libraries:
            require_extra(library, "learned models", "learning")

    def refuse(self, traits: Traits, view: View) -> None:
        if reason := self.refusal(traits, view):
            raise Unsupported(f"{reason}; use tabular, or the true model")

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        if self.file:
            self.refuse(model.traits, view)
            return self.from_file().seats_model(model.traits)
        return self.taught(model, view, rng).seats_model(model.traits)

    def taught(self, model: Model, view: View, rng: Rng) -> Self:
        """A learner with the same parameters, fitted to random play."""
        self.refuse(model.traits, view)
        return self.clone().fit(random_play(model, view, self.steps, rng, self.restart))

    def beginner(self, model: Model, view: View, rng: Rng) -> Self:
        """The learner that a mind starts with; with learn=continuous it is unfitted."""
        self.refuse(model.traits, view)
        if self.file:
            return self.from_file()
        return self.taught(model, view, rng) if self.learn == "constant" else self.clone()

    def from_file(self) -> Self:
        """A learner with the data of the file and this one's search settings."""
        kept = load(Path(self.file), type(self))
        for name in self.OF_THE_FILE:
            default = type(self).__dataclass_fields__[name].default
            mine, its = getattr(self, name), getattr(kept, name)
            if mine not in (default, its):
                raise BadParameter(
                    f"{self.file!r} holds a model with {name}={its}, so it cannot be used with "
                    f"{name}={mine}; leave {name} out"
                )
        twin = self.clone(**{name: getattr(kept, name) for name in self.OF_THE_FILE})
        twin._learn(**{name: value for name, value in vars(kept).items() if name.endswith("_")})
        return twin
