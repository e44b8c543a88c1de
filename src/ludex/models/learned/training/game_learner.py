"""What learners of games for one player share: when to learn, and what to make of the unknown."""

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
from ludex.models.learned.rewards.reward_model import JudgeForm, RowForm, ScoreForm, Taste
from ludex.models.learned.training.files import load
from ludex.models.learned.training.learner import Learner
from ludex.models.learned.training.transitions import Transition, random_play


@dataclass(frozen=True, kw_only=True)
class GameLearner(Learner):
    """A learner that an agent plays by, in games of one player.

    A subclass says what it reads of a view (`shown`), what it keeps of a transition (`add`) and
    what it learns from that (`learn_again`), how it is kept in files, and what its `model` is.
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
    """parameters that a model file decides"""

    READS: ClassVar[str]
    """what views must show"""

    file: str = ""
    """a model file to begin with, instead of random play"""
    learn: Literal["constant", "continuous"] = "constant"
    """constant: from random play before the first decision; continuous: while it plays"""
    steps: int = 2000
    """random moves played before the first decision, where learning is constant"""
    restart: int = 300
    """no random game lasts longer"""
    refit: int = 100
    """where learning is continuous, decisions between two fittings; none without an error"""
    eager: bool = False
    """where learning is continuous, fit again after every error"""
    score: ScoreForm = "linear"
    """how gains are learned from what changes in the grid"""
    win_bonus: float = 0.0
    """added to the score of a winning step"""
    loss_penalty: float = 0.0
    """taken off the score of a losing step"""
    ending: bool = True
    """learn when games end"""
    judge: JudgeForm = "fitted"
    """how score and end are learned: fitted numbers and trees, or association rules"""
    support: float = 0.2
    """the least share of like endings or gains that an association rule must hold in"""
    stochastic: bool = False
    """draw among all that was seen to follow, instead of the likeliest"""
    curiosity: float = 0.0
    """added to the score for each cell the model has to guess; below 0 to avoid the unknown"""
    discount: bool = False
    """gains count as much as the model is sure of them"""
    trust: float = 0.0
    """below this confidence a search goes no further"""
    boredom: float = 0.0
    """taken off the score for each time the game really was in a state"""
    explore: float = 0.0
    """the share of decisions that are random"""
    novelty: float | None = None
    """how much a guess about something never seen is trusted; none: as often as it was right"""

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
        """Keep a transition; what is known changes with the next `learn_again`."""

    @abstractmethod
    def learn_again(self) -> Self:
        """Fit to all transitions that were added."""

    @abstractmethod
    def model(self, traits: Traits) -> Model:
        """Return the model learned so far, for a world with these traits."""

    @abstractmethod
    def shown(self, view: Any) -> Any:
        """What is read of a view, which needs nothing of its world; a sentence where it cannot."""

    @abstractmethod
    def told(self) -> dict[str, int]:
        """How much there is to tell apart, by a word for it."""

    @abstractmethod
    def accuracy(self, transitions: Sequence[Transition]) -> dict[str, float]:
        """How much of what happened the model would have foretold."""

    def refuse_nothing(self) -> None:
        """Say so where there is nothing to learn from, or nothing to learn with."""
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
    def attitude(self) -> dict[str, Any]:
        """What its models make of what they do not know."""
        novelty = self.novelty_ if self.novelty is None else self.novelty
        return {"novelty": novelty, **self.manners}

    @property
    def manners(self) -> dict[str, Any]:
        """What a search in its models makes of it."""
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
        """What of a change is looked at."""

    @property
    def taste(self) -> Taste:
        """What is learned of score and end, and how."""
        return Taste(
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
        """Whether a view shows what this learns from."""

    @property
    def libraries(self) -> tuple[str, ...]:
        """What an agent with this model needs; one that only reads a file fits nothing."""
        reads = self.file and self.learn == "constant"
        return () if reads else ("sklearn.tree", "sklearn.ensemble", "sklearn.linear_model")

    def load_libraries(self) -> None:
        """Import them; a sentence says what to install where one is missing."""
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
        """A learner of the same parameters that has watched random play."""
        self.refuse(model.traits, view)
        return self.clone().fit(random_play(model, view, self.steps, rng, self.restart))

    def beginner(self, model: Model, view: View, rng: Rng) -> Self:
        """The learner that a mind begins with; one that learns while it plays asks no rules."""
        self.refuse(model.traits, view)
        if self.file:
            return self.from_file()
        return self.taught(model, view, rng) if self.learn == "constant" else self.clone()

    def from_file(self) -> Self:
        """A learner that knows what the file holds, with this one's attitude to it."""
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
