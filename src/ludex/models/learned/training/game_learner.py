"""Base class of learners of single-player games: parameters, fitting, model files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from ludex.core.budget import Budget
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.extra import require_extra
from ludex.core.model import Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.models.learned.rewards.reward_model import RewardForm, RewardSettings, RowForm, ScoreForm
from ludex.models.learned.tiles.model import learned_traits
from ludex.models.learned.training.files import load
from ludex.models.learned.training.learner import Learner
from ludex.models.learned.training.transitions import Transition, random_play


@dataclass(frozen=True, kw_only=True)
class GameLearner(Learner):
    """A learner of a forward model for an agent, in single-player games.

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
            self.add(one)
        return self.learn_again()

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
        if traits.seats != 1:
            return (
                f"{self.name} learns games of one player, and this world has {traits.seats} seats"
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
            return self.from_file().model(model.traits)
        return self.taught(model, view, rng).model(model.traits)

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
