"""Particle-filter belief: weighted states that explain every event this seat has seen."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, ClassVar, NamedTuple

from ludex.core.capabilities import ExplainsEvents, ListsDeals, able
from ludex.core.event import Event
from ludex.core.model import Action, Model
from ludex.core.parameters import Between, Parameters
from ludex.core.rng import Meter, Rng
from ludex.core.view import View

STREAMS = 200  # tries to repeat a sampled event; one of probability 1/15 is missed once in 10**6
MOST_UNSEEN = 20  # steps in a row without a visible event before a particle is dropped


@dataclass(frozen=True, kw_only=True)
class Particles(Parameters):
    """Particle filter: up to `n` weighted states that explain all events, advanced by the rules.

    An opponent's action has likelihood 1 / (number of legal actions) in a state where it was legal,
    else 0: Bayes' rule for opponents that choose uniformly. The belief is exact while at most `n`
    states explain the events; then it is resampled.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {"n": Between(1, 1_000_000)}

    n: int = 1000
    """the largest number of particles"""

    def start(self, model: Model, view: View, rng: Rng) -> ParticleBelief:
        return ParticleBelief(model, view, self.n, rng.fork("particles"))


class Hypothesis(NamedTuple):
    """A particle: a complete state, its weight, and how many events it explains."""

    state: Any
    weight: float
    explained: int
    unseen: int = 0
    """steps since the last one with a visible event"""


class Undecided(Exception):
    """A step predicts more events than were reported so far."""


class ParticleBelief:
    """The particles of one seat in one game."""

    def __init__(self, model: Model, view: View, n: int, rng: Rng) -> None:
        # Observing does not count against a decision's budget.
        self.model = model.metered(Meter(apart=True))
        self.hints = able(self.model, ExplainsEvents)
        self.seat = view.seat
        self.n = n
        self.rng = rng
        self.events: list[Event] = []
        self.hypotheses: list[Hypothesis] = []
        self.stream = 0  # the stream that last repeated a sampled event
        self.final = False  # whether all events of the last step were reported
        self.agreeing: tuple[View, list[Any], list[float]] | None = None
        self.begin(view)

    def begin(self, view: View) -> None:
        """Start from the prior given this view alone."""
        listing = able(self.model, ListsDeals)
        deals = () if listing is None else listing.deals(view)
        self.events.clear()
        if not 0 < len(deals) <= self.n:
            deals = [(self.model.imagine(view, self.rng), 1 / self.n) for _ in range(self.n)]
        self.hypotheses = self.merged(Hypothesis(state, weight, 0) for state, weight in deals)

    def observe(self, event: Event) -> None:
        self.events.append(event)
        self.agreeing = None
        self.explain(final=False)

    def sample(self, view: View, rng: Rng) -> Any:
        states, weights = self.posterior(view)
        return states[rng.weighted(weights)].copy()

    def posterior(self, view: View) -> tuple[list[Any], list[float]]:
        """The states that agree with the view, and their normalised weights."""
        if self.agreeing is None or self.agreeing[0] != view:
            self.explain(final=True)
            found = self.agreed(view)
            if not found:  # events were missed, or all particles that explain them were dropped
                self.begin(view)
                found = self.agreed(view)
            total = sum(one.weight for one in found)
            weights = [one.weight / total for one in found]
            self.agreeing = view, [one.state for one in found], weights
        return self.agreeing[1], self.agreeing[2]

    def agreed(self, view: View) -> list[Hypothesis]:
        known = len(self.events)
        return [
            one
            for one in self.hypotheses
            if one.explained == known and self.model.view(one.state, view.seat) == view
        ]

    # Filtering

    def explain(self, final: bool) -> None:
        """Advance each particle until it explains all events or contradicts one."""
        known = len(self.events)
        self.final = final
        done: list[Hypothesis] = []
        todo = self.hypotheses
        while todo:
            grown: list[Hypothesis] = []
            for one in todo:
                if one.explained == known:
                    done.append(one)
                    continue
                try:
                    grown += self.children(one)
                except Undecided:
                    done.append(one)
            todo = self.thinned(self.merged(grown))
        self.hypotheses = self.merged(done)
        oldest = min((one.explained for one in self.hypotheses), default=known)
        del self.events[:oldest]
        self.hypotheses = [
            one._replace(explained=one.explained - oldest) for one in self.hypotheses
        ]

    def children(self, one: Hypothesis) -> list[Hypothesis]:
        """The successors of a particle that agree with the observed events."""
        if one.unseen > MOST_UNSEEN:
            return []
        found: list[Hypothesis] = []
        listed = self.model.chance(one.state)
        for outcome, probability in listed:
            after = self.model.resolve(one.state, outcome)
            self.keep(found, one, after, probability)
        if not listed:
            for actions, probability in self.decisions(one):
                self.follow(found, one, actions, probability)
        return found

    def decisions(self, one: Hypothesis) -> Iterator[tuple[tuple[Action, ...], float]]:
        """The joint actions that may have caused the next event, with their probability."""
        seats = self.model.to_act(one.state)
        if not seats:
            return
        legal = [self.model.legal(one.state, seat) for seat in seats]
        probability = 1 / prod(len(choices) for choices in legal)
        # A world may list the actions that can cause an event; otherwise all are tried.
        hints = self.hints if len(seats) == 1 else None
        behind = None if hints is None else hints.actions_behind(self.events[one.explained])
        if behind is not None:
            legal = [[action for action in behind if action in legal[0]]]
        for actions in product(*legal):
            yield actions, probability

    def follow(
        self,
        found: list[Hypothesis],
        one: Hypothesis,
        actions: tuple[Action, ...],
        probability: float,
    ) -> None:
        """Step once; with sampled chance, try random streams until one repeats the events.

        Sampled events are taken to be equally likely under all particles. The first event of a step
        shows the action: if it differs, no other stream can match.
        """
        streams = [self.stream, *range(STREAMS)] if self.model.traits.sampled_chance else [0]
        for stream in streams:
            after = self.model.step(one.state, actions, self.rng.fork("stream", stream))
            if self.keep(found, one, after, probability):
                self.stream = stream
                return
            shown = self.model.events(after, self.seat)
            if shown and shown[0] != self.events[one.explained]:
                return

    def keep(
        self, found: list[Hypothesis], one: Hypothesis, after: Any, probability: float
    ) -> bool:
        """Add a state if it produces the observed events; return whether it did."""
        shown = self.model.events(after, self.seat)
        told = tuple(self.events[one.explained : one.explained + len(shown)])
        if shown != told:
            if not self.final and told == shown[: len(told)]:
                raise Undecided
            return False  # no more events will come, so this did not happen
        explained = one.explained + len(shown)
        unseen = 0 if shown else one.unseen + 1
        found.append(Hypothesis(after, one.weight * probability, explained, unseen))
        return True

    # Resampling

    def merged(self, found: Iterator[Hypothesis] | list[Hypothesis]) -> list[Hypothesis]:
        """Merge equal states, adding their weights."""
        by_key: dict[Hashable, Hypothesis] = {}
        for one in found:
            key = (self.model.key(one.state), one.explained)
            same = by_key.get(key)
            by_key[key] = one._replace(weight=one.weight + same.weight) if same else one
        return list(by_key.values())

    def thinned(self, found: list[Hypothesis]) -> list[Hypothesis]:
        """Normalise the weights; systematic resampling if there are more than `n` particles."""
        total = sum(one.weight for one in found)
        if len(found) <= self.n:
            return [one._replace(weight=one.weight / total) for one in found]
        step = total / self.n
        mark = self.rng.uniform() * step
        passed = 0.0
        kept: list[Hypothesis] = []
        for one in found:
            passed += one.weight
            marks = 0
            while mark < passed:
                marks += 1
                mark += step
            if marks:
                kept.append(one._replace(weight=marks / self.n))
        return kept
