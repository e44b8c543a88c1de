"""Tabular forward model: a table of observed transitions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, TypeAlias

from ludex.core.budget import Budget
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.model import Action, Actions, Model
from ludex.core.outcome import Outcome
from ludex.core.parameters import Between
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.traits import Traits
from ludex.core.view import OpenView, View
from ludex.models.learned.training.fading import DecayingCounts
from ludex.models.learned.training.learner import Learner
from ludex.models.learned.training.transitions import Observed, Transition, random_play
from ludex.models.learned.whole.recall import MOST_ORDERS, Recalled, latest

UNKNOWN = "what follows was never seen"
Past: TypeAlias = tuple[tuple[Observed, Actions], ...]
"""earlier observations and the actions taken in them, the newest last"""


@dataclass(frozen=True, kw_only=True)
class Tabular(Learner):
    """A table of transitions seen in random play: counts of what followed each action.

    After `fit`: `outcomes_` counts what followed each observation and joint action (and, if the
    order is above 1, each history of it), `tried_` the actions of each seat in each observation,
    `played_` those of each seat anywhere, `moments_` finds an observation by its view, and `ends_`
    counts the returns of finished games.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        "steps": Between(1, 10_000_000),
        "decay": Between(0.5, 1),
        "order": Between(1, MOST_ORDERS),
    }

    steps: int = 2000
    """random moves played before the first decision"""
    stochastic: bool = True
    """sample the next observation by its frequency; else the most frequent one"""
    decay: float = 1.0
    """decay of the weight of old transitions, per transition"""
    order: int = 1
    """the order of the Markov chain: observations and actions used to predict the next"""

    def refusal(self, traits: Traits, view: View) -> str | None:
        if self.order > 1 and traits.seats > 1:
            return (
                f"tabular(order={self.order}) looks back in games of one player, and this world "
                f"has {traits.seats} seats; use order=1"
            )
        return None

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        if reason := self.refusal(model.traits, view):
            raise Unsupported(reason)
        learner = self.clone().fit(random_play(model, view, self.steps, rng))
        return learner.model(model.traits)

    def fit(self, transitions: Iterable[Transition]) -> Self:
        self._learn(
            outcomes_=DecayingCounts(self.decay),
            tried_=defaultdict(Counter),
            played_=defaultdict(Counter),
            moments_={},
            ends_=Counter(),
            past_=(),
            last_=None,
        )
        self.partial_fit(transitions)
        if not self.moments_:
            self._forget()
            raise BadParameter("Tabular.fit needs at least one transition, got none")
        return self

    def partial_fit(self, transitions: Iterable[Transition]) -> Self:
        if not self.is_fitted:
            return self.fit(transitions)
        for one in transitions:
            past = self.past_ if one.before == self.last_ else ()
            self.outcomes_.age()
            for ways in suffixes_of(past):
                self.outcomes_.add((*ways, one.before, one.actions), one.after)
            now = latest((*past, (one.before, one.actions)), self.order - 1)
            self._learn(past_=now, last_=one.after)
            self.moments_[one.before.view] = one.before
            self.moments_[one.after.view] = one.after
            for seat, action in zip(one.before.to_act, one.actions, strict=True):
                self.tried_[one.before, seat][action] += 1
                self.played_[seat][action] += 1
            if one.after.outcome is not None:
                self.ends_[one.after.outcome.returns] += 1
        return self

    @property
    def weight_(self) -> float:
        """The weight of the last transition."""
        return float(self.outcomes_.weight)

    def model(self, traits: Traits) -> TabularModel:
        """Return the model learned so far, for a world with these traits."""
        return TabularModel(self, traits)


@dataclass(slots=True, unsafe_hash=True)
class TabularState(PlainState):
    """An observation, or the unknown successor of one, with a confidence."""

    observed: Observed
    known: bool = True
    """False after an action never seen: nobody acts, and `observed` is the state before"""
    past: Past = ()
    """the history, as long as the order of the model"""
    confidence: float = field(default=1.0, compare=False)

    def __str__(self) -> str:
        status = f"acting={self.observed.to_act}" if self.known else "what follows is unknown"
        return " ".join(f"{self.observed.view!r} {status}".split())


class TabularModel(PythonModel[TabularState]):
    """Steps between observations as in the data.

    Each step multiplies the confidence by (n + 1) / (n + 2), the rule of succession, for an action
    seen n times. An action never seen leads to an unknown state: confidence 0, and a truncated end
    with the mean return of all games, so that searches have no reason to prefer it.
    """

    state_type = TabularState

    def __init__(self, learner: Tabular, traits: Traits) -> None:
        super().__init__()
        self.outcomes: DecayingCounts[tuple[Any, ...], Observed] = learner.outcomes_
        self.tried: Mapping[tuple[Observed, int], Counter[Action]] = learner.tried_
        self.played: Mapping[int, Counter[Action]] = learner.played_
        self.moments: Mapping[View, Observed] = learner.moments_
        self.unknown = Outcome((), average(learner.ends_, traits.seats), UNKNOWN, truncated=True)
        self.order = learner.order
        self.recalled = Recalled[Past](())
        self.stochastic = learner.stochastic
        uncertain = learner.stochastic and (traits.hidden or traits.chance != "none")
        self.traits = replace(
            traits,
            hidden=False,  # a state is what the seat observes
            chance="sampled" if uncertain else "none",
            events=False,
            objects=False,
            avatars=False,
            legality="assumed",
            termination="probable",
            model_sees_all=False,
            learned=True,
        )

    def confidence(self, state: TabularState) -> float:
        return state.confidence

    def to_act(self, state: TabularState) -> tuple[int, ...]:
        return () if self.over(state) else state.observed.to_act

    def legal(self, state: TabularState, seat: int) -> tuple[Action, ...]:
        """The known legal actions, else those tried here, else those played anywhere."""
        moment = state.observed
        if seat not in self.to_act(state):
            return ()
        known = moment.legal[moment.to_act.index(seat)]
        if known:
            return known
        seen = self.tried.get((moment, seat)) or self.played.get(seat)
        if not seen:
            return (None,)
        often = [action for action, _ in seen.most_common(self.traits.max_legal)]
        return tuple(sorted(often))

    def recall(self, recent: Sequence[tuple[View, Action]]) -> None:
        """Set the recent history of the real game, cut off at an observation never seen."""
        past: Past = ()
        for view, action in latest(tuple(recent), self.order - 1):
            moment = self.moments.get(view)
            past = (*past, (moment, (action,))) if moment is not None else ()
        self.recalled.value = past

    def _apply(self, state: TabularState, actions: Actions, rng: Rng) -> None:
        # The longest history that was seen.
        keys = ((*ways, state.observed, actions) for ways in suffixes_of(state.past))
        key = next((key for key in keys if key in self.outcomes), None)
        state.past = latest((*state.past, (state.observed, actions)), self.order - 1)
        if key is None:
            state.known, state.confidence = False, 0.0
            return
        seen, times = self.outcomes[key], self.outcomes.times(key)
        state.confidence *= (times + 1) / (times + 2)
        afters = list(seen)
        if not self.stochastic:
            state.confidence *= max(seen.values()) / seen.total()
            state.observed = max(afters, key=lambda after: seen[after])
            return
        drawn = rng.weighted([float(n) for n in seen.values()]) if len(afters) > 1 else 0
        state.observed = afters[drawn]

    def outcome(self, state: TabularState) -> Outcome | None:
        return state.observed.outcome if state.known else self.unknown

    def score(self, state: TabularState, seat: int) -> float:
        return state.observed.scores[seat]

    def imagine(self, view: Any, rng: Rng) -> TabularState:
        """The state of a view; a view never seen has confidence 0.5 and unknown successors."""
        self.meter.count_copy()
        if isinstance(view, OpenView) and isinstance(view.state, TabularState):
            return view.state.copy()
        moment = self.moments.get(view)
        if moment is not None:
            return TabularState(moment, past=self.recalled.value)
        to_act = (view.seat,) if view.legal else ()
        scores = (0.0,) * self.traits.seats
        unseen = Observed(view, to_act, (tuple(view.legal),) if to_act else (), scores, None)
        return TabularState(unseen, confidence=0.5)

    def key(
        self, state: TabularState, seat: int | None = None, ignore: tuple[str, ...] = ()
    ) -> Hashable:
        fields = {"observed": state.observed, "known": state.known, "past": state.past}
        return tuple(value for name, value in fields.items() if name not in ignore)


def suffixes_of(past: Past) -> Iterable[Past]:
    """All suffixes of a history, the longest first."""
    return (past[index:] for index in range(len(past) + 1))


def average(ends: Counter[tuple[float, ...]], seats: int) -> tuple[float, ...]:
    """The mean return of each seat; 0 if no game ended."""
    games = max(1, ends.total())
    return tuple(sum(one[seat] * n for one, n in ends.items()) / games for seat in range(seats))
