"""Action sequences (genomes) of one seat, played and valued, for rolling horizons.

None stands for a gene that nobody has drawn yet: which actions there are so far ahead is not
known, and one is drawn when play gets there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ludex.core.errors import BudgetSpent
from ludex.core.model import Action, Model
from ludex.core.rng import Rng
from ludex.core.state import State
from ludex.core.view import View
from ludex.planners.parts.determinise import Determinisations
from ludex.planners.parts.rollout import Evaluator, Value

Gene: TypeAlias = Action | None
Genome: TypeAlias = list[Gene]

LONGEST = 1000  # genes in a sequence


class Alphabet:
    """The genes known at one place of a seat's sequences, in the order they were found in."""

    def __init__(self, legal: Iterable[Action] = ()) -> None:
        self.genes: list[Action] = []
        self.known: set[Action] = set()
        self.learn(legal)

    def learn(self, legal: Iterable[Action]) -> None:
        for action in legal:
            if action not in self.known:
                self.known.add(action)
                self.genes.append(action)

    def draw(self, rng: Rng) -> Gene:
        """Draw a gene; None where none is known yet."""
        return self.genes[rng.below(len(self.genes))] if self.genes else None


def random_genome(alphabets: Sequence[Alphabet], rng: Rng) -> Genome:
    return [alphabet.draw(rng) for alphabet in alphabets]


@dataclass(frozen=True, slots=True)
class Valuation:
    """How the end of a sequence is valued."""

    value: Value
    score_scale: float
    rollouts: int
    """random plays from there, whose mean counts; 0: the state itself is valued"""
    rollout_length: int

    @classmethod
    def after(
        cls, length: int, value: Value, scale: float, rollouts: int, ticks: int | None
    ) -> Valuation:
        """For sequences so long; plays after them last half as long, if nobody says otherwise."""
        return cls(value, scale, rollouts, ticks or max(1, length // 2))


class Stage:
    """Plays sequences from the root of one decision, in worlds of any kind.

    A gene that is not legal where it is reached is replaced in the sequence by a legal one.
    Other seats follow their sequences if they have one, else they play uniformly.
    """

    def __init__(
        self, model: Model, view: View, length: int, valuation: Valuation, rng: Rng
    ) -> None:
        self.model = model
        self.view = view
        self.length = length
        self.valuation = valuation
        self.rng = rng
        self.states = Determinisations(model, view, rng)
        self.evaluator = self.new_evaluator(self.states.first)
        self.bases = self.evaluator.bases
        # In turns, a sequence of n actions of ours lasts while the others move, too.
        traits = model.traits
        self.limit = length if traits.simultaneous else length * traits.seats
        self.deepest = 0  # ticks of the longest play

    def new_evaluator(self, state: State) -> Evaluator:
        return Evaluator(self.model, state, self.valuation.value, self.valuation.score_scale)

    def alphabets_of(self, seat: int) -> list[Alphabet]:
        """What is known before the first play: who plays alone will often have the same actions."""
        legal = self.view.legal
        ahead = legal if self.model.traits.seats == 1 else ()
        first = legal if seat == self.view.seat else ()
        return [Alphabet(ahead if place else first) for place in range(self.length)]

    def play(
        self,
        seat: int,
        genome: Genome,
        alphabets: Sequence[Alphabet],
        others: Mapping[int, Genome],
    ) -> Sequence[float]:
        """Play a genome of a seat; returns what its end is worth to every seat."""
        state = self.states.draw()
        if not self.states.is_known:
            self.evaluator = self.new_evaluator(state)
        ticks = self.follow(state, seat, genome, alphabets, others)
        values = self.value_of(state, ticks)
        self.deepest = max(self.deepest, ticks)
        return values

    def follow(
        self,
        state: State,
        own: int,
        genome: Genome,
        alphabets: Sequence[Alphabet],
        others: Mapping[int, Genome],
    ) -> int:
        """Play in place along the sequences; returns how many ticks."""
        model, rng = self.model, self.rng
        reached = [0] * model.traits.seats
        ticks = 0
        while ticks < self.limit and (seats := model.to_act(state)):
            joint: list[Action] = []
            for seat in seats:
                line = genome if seat == own else others.get(seat, ())
                place = reached[seat]
                reached[seat] += 1
                legal = model.legal(state, seat)
                gene = line[place] if place < len(line) else None
                if gene is None or gene not in legal:
                    gene = legal[rng.below(len(legal))]
                if line is genome and place < len(line):
                    genome[place] = gene
                    alphabets[place].learn(legal)
                joint.append(gene)
            model.advance(state, tuple(joint), rng)
            model.settle(state, rng)
            ticks += 1
        return ticks

    def value_of(self, state: State, ticks: int) -> Sequence[float]:
        """What a state at the end of a sequence is worth, by itself or by playing on from it."""
        rollouts = self.valuation.rollouts
        if not rollouts or self.model.over(state):
            return self.evaluator.of_state(state, ticks)
        totals = [0.0] * len(self.bases)
        for _ in range(rollouts):
            end = self.model.rollout(state, "uniform", self.valuation.rollout_length, self.rng)
            if end.cut:
                raise BudgetSpent
            for seat, value in enumerate(self.evaluator.of_result(end)):
                totals[seat] += value
        return [total / rollouts for total in totals]
