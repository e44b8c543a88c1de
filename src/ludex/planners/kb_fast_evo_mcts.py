"""KB Fast-Evo MCTS: open-loop MCTS with an evolved rollout policy and a knowledge base."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ludex.core.event import Event
from ludex.core.model import Action, Model, Policy
from ludex.core.notes import Table
from ludex.core.objects import Category, kinds_seen, meetings
from ludex.core.parameters import AtLeast
from ludex.core.rng import Rng
from ludex.core.rollout import Rollout
from ludex.core.state import State
from ludex.core.traits import Traits
from ludex.core.view import View
from ludex.planners.parts.evolved_weights import (
    EvolvedWeights,
    FeatureFunction,
    FeaturePolicy,
    Features,
    checked_features,
)
from ludex.planners.parts.knowledge import (
    FEATURED,
    DistanceFunction,
    Item,
    Knowledge,
    checked_distances,
)
from ludex.planners.parts.lone_search import LonePlanner, LoneSearch
from ludex.planners.parts.opponents import AgainstRandom
from ludex.planners.parts.rollout import ValueName


@dataclass(frozen=True, kw_only=True)
class KbFastEvoMcts(LonePlanner):
    """KB Fast-Evo MCTS: rollouts by evolved weights, rewards from a learned knowledge base.

    Rollouts are drawn by distances to the nearest object of each type, with weights that evolve:
    every rollout tries one mutant. A simulation that changes the score is worth the change; one
    that does not is worth what it taught and what it came nearer to.
    """

    needs_avatars: ClassVar[bool] = True

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **LonePlanner.LIMITS,
        "curiosity": AtLeast(0),
        "experience": AtLeast(0),
        "mutation": AtLeast(0),
        "recheck": AtLeast(2),
    }

    value: ValueName = "returns"
    """what counts: the return, or a squashed gain while unfinished; or the gain and a huge bonus"""
    evolve: bool = True
    """rollouts by evolved weights; no: any action is as likely"""
    knowledge: bool = True
    """simulations that leave the score alone are valued by the knowledge base; no: they count 0"""
    curiosity: float = 0.66
    """what events count that were rare"""
    experience: float = 0.33
    """what counts of coming nearer to objects that are unknown or known to be good"""
    mutation: float = 1.0
    """standard deviation of what is added to each weight"""
    recheck: int = 10
    """every so many rollouts the parent is played itself, to know its fitness better"""
    distance: Literal["straight"] | DistanceFunction = "straight"
    """to the nearest object of each type: in a straight line, or a function"""
    features: Literal["distances"] | FeatureFunction = "distances"
    """what the evolved rollouts see of a state: these distances, or a function"""
    ties: bool = False
    """a mutant as good as its parent takes its place, as printed; weights then drift"""

    def contradiction(self) -> str | None:
        if not self.evolve and self.features != "distances":
            return "features are seen by evolved rollouts alone; use evolve=yes"
        return None

    def refusal(self, traits: Traits) -> str | None:
        if traits.avatars and self.knowledge and not traits.events:
            return (
                "learns from events that tell of meetings, and this model predicts none; use "
                "fast_evo_mcts, or let it search the true model"
            )
        return super().refusal(traits)

    def fresh_memory(self) -> KnowledgeMemory:
        return KnowledgeMemory(self)

    def search(self, memory: KnowledgeMemory, model: Model, view: View, rng: Rng) -> KnowingSearch:
        return KnowingSearch(self, memory, model, view, rng)


class KnowledgeMemory:
    """What lasts from one decision to the next."""

    def __init__(self, planner: KbFastEvoMcts) -> None:
        self.kinds: dict[int, Category] = {}  # all that are worth a distance, seen so far
        self.features: dict[Hashable, None] = {}  # of a function, all that were seen so far
        self.knowledge = Knowledge()
        self.weights = EvolvedWeights(planner.mutation, planner.recheck, planner.ties)


class KnowingSearch(LoneSearch):
    """One decision."""

    planner: KbFastEvoMcts

    def __init__(
        self, planner: KbFastEvoMcts, memory: KnowledgeMemory, model: Any, view: Any, rng: Rng
    ) -> None:
        super().__init__(planner, model, view, rng)
        seen = kinds_seen(view)
        memory.kinds |= {kind: what for kind, what in seen.items() if what in FEATURED}
        self.kinds = list(memory.kinds)
        self.knowledge = memory.knowledge
        self.weights = memory.weights
        self.known_kinds = memory.kinds
        self.traces = planner.knowledge
        self.features = memory.features
        self.distances = self.distances_in(model, self.start, self.seat)
        self.met: Counter[Item] = Counter()  # in this simulation
        self.score: float = model.score(self.start, self.seat)  # after the last tick of it
        self.first_score = self.score

    def began(self) -> None:
        self.met = Counter()
        self.score = self.first_score

    def ticked(self, state: State) -> None:
        if self.traces:
            events = self.model.events(state, self.seat)
            self.learn(events, self.model.score(state, self.seat))

    def learn(self, events: Any, score: float) -> None:
        if events:
            change = score - self.score
            own = events if self.is_alone else self.own_meetings(events)
            self.met.update(self.knowledge.learn(own, self.known_kinds, change))
        self.score = score

    def own_meetings(self, events: Any) -> list[Event]:
        """The meetings of our avatar, and of what avatars made, whoever's it was."""
        own = self.view.avatar.type
        found = zip(events, meetings(events), strict=True)
        return [event for event, met in found if met.by_product or met.active_type == own]

    def policy(self) -> Policy:
        if not self.planner.evolve:
            return "uniform"
        planner = self.planner
        if planner.features == "distances" and planner.distance == "straight":
            return self.against_others(self.weights.next(self.view.legal, self.kinds, self.rng))
        is_own = planner.features != "distances"
        names = self.features if is_own else self.kinds
        seen = self.own_features if is_own else self.distances_by_kind
        weights = self.weights.next_weights(self.view.legal, names, self.rng)
        return self.against_others(FeaturePolicy(weights, seen))

    def against_others(self, ours: Any) -> Policy:
        """A policy of ours, with other seats, where there are any, playing at random."""
        return ours if self.is_alone else AgainstRandom(self.seat, ours)

    def distances_in(self, model: Any, state: State, seat: int) -> Sequence[float | None]:
        """The distance to the nearest object of each kind."""
        function = self.planner.distance
        if isinstance(function, str):
            found: Sequence[float | None] = model.distances(state, seat, self.kinds)
            return found
        given = function(model, state, seat, tuple(self.kinds))
        return checked_distances(function, given, len(self.kinds))

    def distances_by_kind(self, model: Model, state: State, seat: int) -> Features:
        found = self.distances_in(model, state, seat)
        pairs = sorted(zip(self.kinds, found, strict=True))
        return {kind: distance for kind, distance in pairs if distance is not None}

    def own_features(self, model: Model, state: State, seat: int) -> Features:
        function = self.planner.features
        assert not isinstance(function, str)
        found = checked_features(function, function(model, state, seat))
        self.features.update(dict.fromkeys(found))
        return found

    def finished(self, result: Rollout) -> float:
        gain = self.gain(result)
        if self.planner.knowledge:
            trace = result.trace
            for events, scores in zip(trace.events, trace.scores, strict=True):
                self.learn(events, scores[self.seat])
            # With value=returns an end counts its return alone.
            if gain == 0.0 and (result.returns is None or self.planner.value == "score"):
                gain = self.reward_without_score(result.state)
        value = self.evaluator(result, gain)
        if self.planner.evolve:
            self.weights.learn(value)
        return value

    def reward_without_score(self, state: State) -> float:
        """What the simulation taught, and what it came nearer to."""
        now = self.distances_in(self.model, state, self.seat)
        curiosity = self.knowledge.curiosity(self.met)
        experience = self.knowledge.experience(self.kinds, self.met, self.distances, now)
        return self.planner.curiosity * curiosity + self.planner.experience * experience

    def thoughts(self, played: Action) -> dict[str, Any]:
        found = super().thoughts(played)
        if self.planner.knowledge:
            known = self.knowledge
            found["knowledge"] = Table(
                ("type", "what", "met by", "times", "points"),
                tuple(
                    (
                        item.kind,
                        self.known_kinds[item.kind].name.lower(),
                        "its product" if item.by_product else "avatar",
                        times,
                        round(known.changes[item], 2),
                    )
                    for item, times in known.counts.most_common()
                ),
            )
        return found

    def notes(self) -> dict[str, Any]:
        notes: dict[str, Any] = {}
        if self.planner.evolve:
            notes["mutants_kept"] = self.weights.replaced
        if self.planner.knowledge:
            notes["kinds_met"] = len({item.kind for item in self.knowledge.counts})
        return notes
