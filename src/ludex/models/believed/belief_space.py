"""Belief space: beliefs as states, for searches that look ahead to what they will know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ludex.core.belief import Belief
from ludex.core.budget import Budget
from ludex.core.capabilities import GivesPosterior, able
from ludex.core.errors import Unsupported
from ludex.core.event import Event
from ludex.core.model import Action, Actions, Model
from ludex.core.outcome import Outcome
from ludex.core.parameters import Between
from ludex.core.python_model import PythonModel
from ludex.core.rng import Meter, Rng
from ludex.core.state import PlainState
from ludex.core.view import OpenView, View, check_view
from ludex.models.believed.believed import read_belief
from ludex.models.parts.part import ModelPart

Hypotheses = tuple[tuple[Any, float], ...]
"""complete states with their probabilities, which add up to 1"""
SAME = 12  # digits of a probability that tell two beliefs apart


@dataclass(frozen=True, kw_only=True)
class BeliefSpace(ModelPart):
    """Beliefs as states: a step leads to what the searcher would believe after it.

    An action is possible if it is legal in some state that is believed possible; taking it rules
    out the others. What the searcher then sees is chance of the belief's own. The others choose
    without knowing what they hold, as one belief has one choice for all its states.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {"n": Between(1, 100_000)}

    belief: str = "particles"
    """the belief that the search begins with, as in `believed`"""
    n: int = 16
    """states of one belief; where more are possible, so many are drawn"""

    def __post_init__(self) -> None:
        super().__post_init__()
        read_belief(self.belief)

    def make(self, model: Model, view: View, budget: Budget, rng: Rng) -> Model:
        if not model.traits.hidden:
            return model  # nothing to believe
        belief = read_belief(self.belief).start(model, view, rng)
        return BeliefSpaceModel(model, belief, view.seat, self.n, rng.fork("first"))


@dataclass(slots=True, unsafe_hash=True)
class BeliefState(PlainState):
    """What one seat believes: possible states; or several such sets, of which it will see one."""

    possible: Hypotheses = ()
    pending: tuple[tuple[int, float, Hypotheses], ...] = ()
    """what may be seen next: a number, its probability, and what is possible then"""

    def hypotheses(self) -> Sequence[tuple[Any, float]]:
        if not self.pending:
            return self.possible
        return [
            (state, share * weight) for _, share, after in self.pending for state, weight in after
        ]


class BeliefSpaceModel(PythonModel[BeliefState]):
    """Plays beliefs of one seat by the rules of the states in them."""

    state_type = BeliefState

    def __init__(self, inner: Model, belief: Belief, seat: int, n: int, rng: Rng) -> None:
        super().__init__()
        self.meter = inner.meter
        self.inner = inner.metered(Meter(apart=True))  # a step of a belief is one call
        self.belief = belief
        self.seat = seat
        self.n = n
        self.rng = rng
        chance = "mixed" if inner.traits.sampled_chance else "listed"
        self.traits = replace(
            inner.traits,
            max_legal=inner.traits.max_legal * n,
            hidden=False,
            model_sees_all=True,
            chance=chance,  # type: ignore[arg-type]  # one of the words
            events=False,
            objects=False,
            avatars=False,
            abstracted=True,
            policies=(),
        )

    # Where it begins

    def imagine(self, view: Any, rng: Rng) -> BeliefState:
        """The belief itself, given a view of the real game."""
        if isinstance(view, OpenView):
            return super().imagine(view, rng)
        check_view(view)
        exact = able(self.belief, GivesPosterior)
        if exact is not None:
            found = list(zip(*exact.posterior(view), strict=True))
            return BeliefState(self.thinned(found, self.rng))
        drawn = [self.belief.sample(view, self.rng) for _ in range(self.n)]
        return BeliefState(self.merged((state, 1.0) for state in drawn))

    def observe(self, event: Event) -> None:
        self.belief.observe(event)

    # Who acts, and how

    def to_act(self, state: BeliefState) -> tuple[int, ...]:
        if state.pending:
            return ()
        seats = {self.inner.to_act(one) for one, _ in state.possible}
        if len(seats) > 1:
            raise Unsupported(
                "belief_space needs a game in which all see who acts; use ismcts or believed"
            )
        return seats.pop()

    def legal(self, state: BeliefState, seat: int) -> Sequence[Action]:
        if state.pending:
            return ()
        found = {action for one, _ in state.possible for action in self.inner.legal(one, seat)}
        first = self.inner.legal(state.possible[0][0], seat)
        return tuple(first) if found == set(first) else tuple(sorted(found))

    def legality(self, state: BeliefState, seat: int) -> Sequence[float]:
        """How likely each possible action is to be legal."""
        found: defaultdict[Action, float] = defaultdict(float)
        for one, weight in state.possible:
            for action in self.inner.legal(one, seat):
                found[action] += weight
        return [min(1.0, found[action]) for action in self.legal(state, seat)]

    def action_type(self, action: Action) -> str:
        return self.inner.action_type(action)

    # What an action leads to

    def _apply(self, state: BeliefState, actions: Actions, rng: Rng) -> None:
        seats = self.inner.to_act(state.possible[0][0])
        after: list[tuple[Any, float]] = []
        for one, weight in state.possible:
            pairs = zip(seats, actions, strict=True)
            if all(action in self.inner.legal(one, seat) for seat, action in pairs):
                stepped = self.inner.step(one, actions, rng)
                after += [(end, weight * share) for end, share in self.settled(stepped)]
        state.possible, state.pending = self.seen(after, rng)

    def settled(self, state: Any) -> Iterator[tuple[Any, float]]:
        """All that listed chance makes of a state, with its probability."""
        listed = self.inner.chance(state)
        if not listed:
            yield state, 1.0
        for outcome, probability in listed:
            for end, share in self.settled(self.inner.resolve(state, outcome)):
                yield end, probability * share

    def seen(
        self, after: Sequence[tuple[Any, float]], rng: Rng
    ) -> tuple[Hypotheses, tuple[tuple[int, float, Hypotheses], ...]]:
        """Divide what is possible by what the observer sees of it."""
        groups: dict[Hashable, list[tuple[Any, float]]] = {}
        for state, weight in after:
            sight = (self.inner.key(state, self.seat), self.inner.over(state))
            groups.setdefault(sight, []).append((state, weight))
        total = sum(weight for _, weight in after)
        found = [
            (number, sum(weight for _, weight in group) / total, self.thinned(group, rng))
            for number, group in enumerate(groups.values())
        ]
        return (found[0][2], ()) if len(found) == 1 else ((), tuple(found))

    def thinned(self, group: Sequence[tuple[Any, float]], rng: Rng) -> Hypotheses:
        """The same states once each; of too many, some that are drawn by their probability."""
        merged = self.merged(group)
        if len(merged) <= self.n:
            return merged
        weights = [weight for _, weight in merged]
        drawn = [merged[rng.weighted(weights)][0] for _ in range(self.n)]
        return self.merged((state, 1.0) for state in drawn)

    def merged(self, group: Any) -> Hypotheses:
        """Equal states as one, with normalised probabilities."""
        states: dict[Hashable, Any] = {}
        weights: defaultdict[Hashable, float] = defaultdict(float)
        for state, weight in group:
            key = self.inner.key(state)
            states.setdefault(key, state)
            weights[key] += weight
        total = sum(weights.values())
        return tuple((state, weights[key] / total) for key, state in states.items())

    # Chance of its own

    def chance(self, state: BeliefState) -> Sequence[tuple[Hashable, float]]:
        return [(number, probability) for number, probability, _ in state.pending]

    def _resolve(self, state: BeliefState, outcome: Hashable) -> None:
        state.possible = next(after for number, _, after in state.pending if number == outcome)
        state.pending = ()

    # What it is worth

    def outcome(self, state: BeliefState) -> Outcome | None:
        """The expected returns of an end; whoever may have won is among the winners."""
        ends = [(self.inner.outcome(one), weight) for one, weight in state.possible]
        if not ends or any(end is None for end, _ in ends):
            return None
        seats = range(self.traits.seats)
        returns = [0.0 for _ in seats]
        winners: set[int] = set()
        for end, weight in ends:
            assert end is not None
            winners |= set(end.winners)
            for seat in seats:
                returns[seat] += weight * end.returns[seat]
        first = ends[0][0]
        assert first is not None
        return Outcome(tuple(sorted(winners)), tuple(returns), first.reason)

    def score(self, state: BeliefState, seat: int) -> float:
        return sum(weight * self.inner.score(one, seat) for one, weight in state.hypotheses())

    def key(
        self, state: BeliefState, seat: int | None = None, ignore: tuple[str, ...] = ()
    ) -> Hashable:
        """What is possible and how likely, in no order."""
        return frozenset(
            (self.inner.key(one, None, ignore), round(weight, SAME))
            for one, weight in state.hypotheses()
        ), bool(state.pending)
