"""3.6.2: bandit mutation of several genes at a time, beside that of a single gene."""

from dataclasses import dataclass
from itertools import product
from math import log, sqrt

from trials import arguments, compare

from ludex.core.parameters import Between
from ludex.planners.rhea import Evolution, Rhea

EXPLORATION = sqrt(2.0)


class Ucb1:
    """A bandit over arms of any kind, with values brought to 0 .. 1 by their range."""

    def __init__(self, arms):
        self.arms = list(arms)
        self.visits = dict.fromkeys(self.arms, 0)
        self.totals = dict.fromkeys(self.arms, 0.0)
        self.low, self.high = float("inf"), float("-inf")

    def choose(self, rng):
        untried = [arm for arm in self.arms if not self.visits[arm]]
        if untried:
            return untried[rng.below(len(untried))]
        return max(self.arms, key=self.bound)

    def bound(self, arm):
        # YOUR IDEA: share what is learned among arms that overlap, as the n-tuple bandit does.
        visits = self.visits[arm]
        span = (self.high - self.low) or 1.0
        mean = (self.totals[arm] / visits - self.low) / span
        return mean + EXPLORATION * sqrt(log(sum(self.visits.values())) / visits)

    def learn(self, arm, value):
        self.visits[arm] += 1
        self.totals[arm] += value
        self.low, self.high = min(self.low, value), max(self.high, value)


class TupleEvolution(Evolution):
    """Mutation replaces neighbouring genes; bandits choose where they begin and what they are."""

    def __init__(self, planner, model, view, length, memory, rng):
        super().__init__(planner, model, view, length, memory, rng)
        size = min(planner.genes, length)
        self.places = Ucb1(range(length - size + 1))
        self.tuples = {place: Ucb1(product(view.legal, repeat=size)) for place in self.places.arms}
        self.changed = None  # place and genes of the mutation that is being played

    def mutate(self, genome, side):
        place = self.places.choose(self.rng)
        genes = self.tuples[place].choose(self.rng)
        genome[place : place + len(genes)] = genes
        self.changed = place, genes

    def note(self, genome, value):
        super().note(genome, value)
        if self.changed is not None:
            place, genes = self.changed
            self.places.learn(place, value)
            self.tuples[place].learn(genes, value)
            self.changed = None


@dataclass(frozen=True, kw_only=True)
class TupleRhea(Rhea):
    """RHEA with the mutation above."""

    LIMITS = {**Rhea.LIMITS, "genes": Between(1, 4)}

    genes: int = 2
    """genes that are changed together"""

    def evolved(self, memory, model, view, budget, rng):
        run = TupleEvolution(self, model, view, self.length, memory, rng)
        run.evolve(budget)
        return run


AGENTS = {
    "one gene, at random": Rhea(),
    "one gene, by bandits": Rhea(mutation="bandit"),
    **{f"tuples of {genes}": TupleRhea(genes=genes) for genes in (1, 2, 3)},
}

if __name__ == "__main__":
    given = arguments(__doc__, games=3)
    compare(AGENTS, ["vgdl/butterflies"], given.games, budget="300calls", most_ticks=100)
