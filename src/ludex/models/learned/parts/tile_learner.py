"""What all learners of tile games share: the data, score and end, and when to learn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ludex.core.budget import Budget
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.extra import require_extra
from ludex.core.model import Model
from ludex.core.parameters import AtLeast, Between
from ludex.core.rng import Rng
from ludex.core.tiles import NOWHERE, TileView, tiles_of
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.models.learned.parts import judging
from ludex.models.learned.parts.files import load
from ludex.models.learned.parts.judging import Changes, FeatureForm, ScoreForm, Taste, Verdict
from ludex.models.learned.parts.learner import Learner
from ludex.models.learned.parts.rules import Chapter, Words, ending_chapter, score_chapter
from ludex.models.learned.parts.tile_model import Encoder
from ludex.models.learned.parts.transitions import Transition, random_play
from ludex.models.learned.parts.vocabulary import Vocabulary


@dataclass(frozen=True, kw_only=True)
class TileLearner(Learner):
    """A learner of games whose views are grids of tiles, for one player.

    It looks at `as_tiles` of views and at nothing else.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "steps": Between(1, 10_000_000),
        "restart": AtLeast(1),
        "refit": AtLeast(1),
        "explore": Between(0, 1),
        "trust": Between(0, 1),
        "novelty": Between(0, 1),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *("score", "features", "win_bonus", "loss_penalty", "ending"),
    )
    """parameters that a model file decides"""

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
    features: FeatureForm = "source"
    """what of a change is looked at: source and companion count all tiles, too"""
    win_bonus: float = 0.0
    """added to the score of a winning step"""
    loss_penalty: float = 0.0
    """taken off the score of a losing step"""
    ending: bool = True
    """learn when games end"""
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

    def add(self, transition: Transition) -> None:
        """Keep a transition; what is known changes with the next `learn_again`."""
        before, after = (
            shown_or_refused(one.view) for one in (transition.before, transition.after)
        )
        if not self.is_fitted:
            self._prepare()
        size = [(view.tiles.height, view.tiles.width) for view in (before, after)]
        if size[0] != size[1]:
            raise BadParameter(
                f"{type(self).__name__} learns from grids that keep their size, got one of "
                f"{size[0][0]} x {size[0][1]} cells followed by one of {size[1][0]} x {size[1][1]}"
            )
        (action,) = transition.actions
        if action not in before.legal:
            raise BadParameter(
                f"{type(self).__name__} learns from legal actions, got {action!r} where "
                f"{len(before.legal)} others were legal"
            )
        act = before.acts[before.legal.index(action)]
        if act.verb not in self.verbs_:
            self.verbs_.append(act.verb)
        encoder = self.encoder()
        states = encoder.state(before), encoder.state(after)
        self.changes_.add(
            len(self.vocabulary_), *states, round(after.score - before.score, 6), states[1].ending
        )
        if after.outcome is not None:
            self.changes_.end(states[1].ending, after.outcome.returns[after.seat])
        self._watch(states[0], self.verbs_.index(act.verb), act.cell, states[1])
        self._learn(seen_=self.seen_ + 1)

    def learn_again(self) -> Self:
        """Fit to all transitions that were added."""
        if not self.is_fitted:
            raise BadParameter(f"{type(self).__name__}.fit needs at least one transition, got none")
        require_extra("sklearn.tree", "learned models", "learning")
        self._fit()
        self._learn(verdict_=judging.fit(self.changes_, self.taste, len(self.vocabulary_)))
        self._learn(fitted_to_=self.seen_)
        return self

    def _prepare(self) -> None:
        """Begin with nothing."""
        self._learn(vocabulary_=Vocabulary(), verbs_=[], seen_=0, fitted_to_=0)
        self._learn(changes_=Changes(self.features))

    @abstractmethod
    def _watch(self, before: Any, verb: int, touched: int, after: Any) -> None:
        """Keep what cells saw and became."""

    @abstractmethod
    def _fit(self) -> None:
        """Learn from what is kept."""

    def _pack(self) -> dict[str, Any]:
        return {
            "kinds": np.array(self.vocabulary_.kinds or [""]),
            "contents": np.array(self.vocabulary_.contents, np.uint64),
            "verbs": np.array(self.verbs_, np.int64),
            "seen": np.array([self.seen_]),
            **self.changes_.pack(len(self.vocabulary_)),
            **self.verdict_.pack(),
        }

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        self._prepare()
        seen = int(arrays["seen"][0])
        self._learn(
            vocabulary_=Vocabulary(arrays["kinds"].tolist(), arrays["contents"].tolist()),
            verbs_=arrays["verbs"].tolist(),
            seen_=seen,
            fitted_to_=seen,
        )
        tiles = len(self.vocabulary_)
        self._learn(
            changes_=Changes.unpack(self.features, tiles, arrays),
            verdict_=Verdict.unpack(self.features, arrays),
        )
        self.verdict_.native()  # refuses what cannot be asked

    @abstractmethod
    def model(self, traits: Traits) -> Any:
        """Return the model learned so far, for a world with these traits: a TileReading."""

    def chapters(self, words: Words) -> list[Chapter]:
        """What was learned as rules that can be read, chapter by chapter."""
        return [
            score_chapter(self.verdict_, self.changes_, words),
            ending_chapter(self.verdict_, self.changes_, words),
        ]

    @property
    @abstractmethod
    def margin(self) -> int:
        """How far a cell looks."""

    def encoder(self) -> Encoder:
        """What turns views into states of the models of this learner."""
        if "encoder_" not in vars(self) or self.encoder_.verbs != self.verbs_:
            self._learn(encoder_=Encoder(self.vocabulary_, list(self.verbs_), self.margin))
        return self.encoder_  # type: ignore[no-any-return]  # learned

    @property
    def taste(self) -> Taste:
        return Taste(self.score, self.features, self.ending, self.win_bonus, self.loss_penalty)

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

    # As a part of an agent

    def refusal(self, traits: Traits, view: View) -> str | None:
        if traits.seats != 1:
            return (
                f"{self.name} learns games of one player, and this world has {traits.seats} seats"
            )
        if tiles_of(view) is None:
            return f"{self.name} learns from grids of tiles, and views of this world show none"
        return None

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
            known = self.from_file()
        else:
            known = self.taught(model, view, rng)
        made: Model = known.model(model.traits)
        return made

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


def shown_or_refused(view: Any) -> TileView:
    shown = tiles_of(view)
    if shown is None:
        raise BadParameter(
            f"learners of tile games need views with as_tiles, got a {type(view).__name__}"
        )
    if any(act.cell < NOWHERE for act in shown.acts):
        raise BadParameter("an action is done to a cell that is not there")
    return shown
