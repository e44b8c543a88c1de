"""The object-based forward model: what becomes of a thing follows from what it sees."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from ludex.core.errors import BadParameter
from ludex.core.parameters import Between
from ludex.core.things import ThingView, things_of
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.models.learned.classifiers.parameters import Guessing
from ludex.models.learned.explain.object_accuracy import accuracy_of_things
from ludex.models.learned.explain.object_rules import ThingWords, kind_chapter
from ludex.models.learned.explain.rules import Chapter, ending_chapter, score_chapter
from ludex.models.learned.knowledge.association import ANY_VERB, thing_facts
from ludex.models.learned.objects.kind_model import models_of, novelty_of, pack_models
from ludex.models.learned.objects.memory import (
    ThingMemory,
    Wares,
    happenings,
    read_memory,
    table_of,
)
from ludex.models.learned.objects.model import Knowledge, ThingModel, ThingState, judged_row
from ludex.models.learned.objects.sight import MOST_HELD, Ground, Sense, Size
from ludex.models.learned.rewards import reward_model as judging
from ludex.models.learned.rewards.reward_model import THINGS, Changes, RowForm, Verdict
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition


@dataclass(frozen=True, kw_only=True)
class ObjectBased(Guessing):
    """One model for each kind of things: what a thing sees and what is done tell its fate.

    After `fit`: `memory_` has what things of each kind saw and what became of them, `models_` what
    was learned of each kind, `verdict_` what is known of score and end, `kinds_` names the kinds.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **GameLearner.LIMITS,
        **Guessing.LIMITS,
        "reach": Between(1, 4),
        "holds": Between(0, MOST_HELD),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *GameLearner.OF_THE_FILE,
        *Guessing.OF_THE_FILE,
        *("reach", "position", "holds", "makes", "memo"),
    )

    READS: ClassVar[str] = "lists of things"

    reach: int = 2
    """how many cells to the left, right, above and below a thing sees"""
    position: bool = False
    """look at where on the grid a thing is, which holds on one level alone"""
    holds: int = 1
    """amounts of goods that are told apart, above none; 0: what is carried is not looked at"""
    makes: bool = True
    """learn who makes what; otherwise nothing is ever new"""

    @property
    def sense(self) -> Sense:
        return Sense(self.reach, self.position, self.holds)

    @property
    def row_form(self) -> RowForm:
        return THINGS

    # Fitting

    def _prepare(self) -> None:
        self._learn(kinds_=[], verbs_=[], wares_=Wares(), seen_=0, fitted_to_=0)
        self._learn(memory_=ThingMemory(), changes_=Changes(THINGS))

    def add(self, transition: Transition) -> None:
        shown = [self.shown(one.view) for one in (transition.before, transition.after)]
        if not self.is_fitted:
            self._prepare()
        before, after = map(self.own, shown)
        if before.size != after.size:
            raise BadParameter(
                f"{type(self).__name__} learns from levels that keep their size, got one of "
                f"{before.size[0]} x {before.size[1]} cells followed by one of {after.size[0]} x "
                f"{after.size[1]}"
            )
        (action,) = transition.actions
        self.refuse_illegal(action, before.legal)
        if action not in self.verbs_:
            self.verbs_.append(action)
        verb = self.verbs_.index(action)
        self.memory_.watch(happenings(self.sense, before, verb, after, self.wares_))
        self.judge_change(before, after, verb)
        self._learn(seen_=self.seen_ + 1)

    def judge_change(self, before: ThingView, after: ThingView, verb: int) -> None:
        """Keep what the change was worth."""
        states = as_state(before), as_state(after)
        kinds = len(self.kinds_)
        row = judged_row(*states, states[1].ground.counts(kinds), kinds)
        ending = judging.ending_of(after.outcome, after.seat)
        gain = round(after.score - before.score, 6)
        asked = verb if self.judge == "rules" else ANY_VERB
        self.changes_.add_row(kinds, row, gain, ending, asked)
        if after.outcome is not None:
            self.changes_.end(ending, after.outcome.returns[after.seat])

    def learn_again(self) -> Self:
        self.refuse_nothing()
        models = models_of(self.memory_, self.makers(), self.recipe, self.wares_, self.memo)
        facts = thing_facts(self.kinds_, self.verbs_)
        self._learn(
            models_=models,
            novelty_=novelty_of(models.values()),
            verdict_=judging.fit(self.changes_, self.taste, len(self.kinds_), facts),
            fitted_to_=self.seen_,
        )
        return self

    def makers(self) -> set[tuple[int, int]]:
        """Who makes what, as far as that is looked at."""
        return self.memory_.makers() if self.makes else set()

    def model(self, traits: Traits) -> ThingModel:
        verdict = self.verdict_
        knowledge = Knowledge(
            self.models_,
            self.sense,
            Wares(list(self.wares_.goods), list(self.wares_.made)),
            tuple(self.verbs_),
            verdict.native(),
            verdict.tiles,
            verdict.returns,
            self.own,
        )
        return ThingModel(knowledge, traits, **self.attitude)

    def words(self, said: Mapping[Any, str]) -> ThingWords:
        """Names for all that it knows; `said` has words for actions."""
        return ThingWords(self.kinds_, self.sense, self.wares_, self.verbs_, said)

    def chapters(self, words: ThingWords) -> list[Chapter]:
        """What was learned as rules that can be read, chapter by chapter."""
        changing = [model for model in self.models_.values() if not model.is_still]
        return [
            *(kind_chapter(model, words) for model in changing),
            score_chapter(self.verdict_, self.changes_, words),
            ending_chapter(self.verdict_, self.changes_, words),
        ]

    def told(self) -> dict[str, int]:
        return {"kinds": len(self.memory_.seen)}

    def accuracy(self, transitions: Sequence[Transition]) -> dict[str, float]:
        return accuracy_of_things(self, transitions)

    # Views

    def can_read(self, view: View) -> bool:
        return things_of(view) is not None

    def shown(self, view: Any) -> ThingView:
        shown = things_of(view)
        if shown is None:
            raise BadParameter(
                f"object-based learners need views with as_things, got a {type(view).__name__}"
            )
        if any(not 0 <= thing.kind < len(shown.kinds) for thing in shown.things):
            raise BadParameter("a thing is of a kind that has no name")
        return shown

    def own(self, view: ThingView) -> ThingView:
        """The view with our numbers for kinds: each name has one, and keeps it."""
        if view.kinds == tuple(self.kinds_[: len(view.kinds)]):
            return view
        for name in view.kinds:
            if name not in self.kinds_:
                self.kinds_.append(name)
        numbers = [self.kinds_.index(name) for name in view.kinds]
        return replace(
            view,
            kinds=tuple(self.kinds_),
            things=tuple(one._replace(kind=numbers[one.kind]) for one in view.things),
            held=tuple(sorted((numbers[kind], amount) for kind, amount in view.held)),
            movable=tuple(sorted(numbers[kind] for kind in view.movable)),
        )

    # Files

    def _pack(self) -> dict[str, Any]:
        if self.fitted_to_ != self.seen_:  # classifiers are kept with what they were fitted to
            self.learn_again()
        rows, fates, times = zip(*table_of(self.memory_), strict=True)
        unlike = list(dict.fromkeys(fates))
        births = [[new, sorted(near), n] for (new, near), n in self.memory_.births.items()]
        return {
            "kinds": np.array(self.kinds_),
            "verbs": np.array([int(verb) for verb in self.verbs_], np.int64),
            "goods": np.array(self.wares_.goods, np.int64),
            "made": np.array(self.wares_.made, np.int64),
            "seen": np.array([self.seen_]),
            "memory.rows": np.array(rows, np.int64),
            "memory.fates": np.array([unlike.index(fate) for fate in fates], np.int64),
            "memory.times": np.array(times, np.int64),
            "memory.movers": np.array(sorted(self.memory_.movers), np.int64),
            "memory.present": np.array(sorted(self.memory_.present.items()), np.int64),
            "memory.texts": np.array([json.dumps(unlike), json.dumps(births)]),
            "novelty": np.array([self.novelty_]),
            **pack_models(self.models_),
            **self.changes_.pack(len(self.kinds_)),
            **self.verdict_.pack(),
        }

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        self._prepare()
        self._learn(
            kinds_=arrays["kinds"].tolist(),
            verbs_=arrays["verbs"].tolist(),
            wares_=Wares(arrays["goods"].tolist(), arrays["made"].tolist()),
            seen_=int(arrays["seen"][0]),
            memory_=read_memory(arrays, 1 + 4 * self.reach),
        )
        kinds = len(self.kinds_)
        self._learn(changes_=Changes.unpack(THINGS, kinds, arrays))
        wares = *self.wares_.goods, *self.wares_.made
        if any(not 0 <= kind < kinds for kind in (*self.memory_.seen, *wares)):
            raise ValueError("a thing is of a kind that has no name")
        models = models_of(self.memory_, self.makers(), self.recipe, self.wares_, self.memo, arrays)
        verdict = Verdict.unpack(THINGS, arrays)
        verdict.native()  # refuses what cannot be asked
        # Files of the first versions hold neither novelty nor classifiers.
        novelty = arrays["novelty"][0] if "novelty" in arrays else novelty_of(models.values())
        if not 0 <= novelty <= 1:
            raise ValueError("no share of guesses can be right so often")
        self._learn(models_=models, novelty_=float(novelty), verdict_=verdict)
        self._learn(fitted_to_=self.seen_)


def as_state(view: ThingView) -> ThingState:
    """A real moment in the form of imagined ones, with no ground."""
    things = tuple((thing.kind, thing.x, thing.y) for thing in view.things)
    ground = Ground(Size(*view.size))
    return ThingState(ground, things, view.avatar, view.facing, view.held, (), view.score)
