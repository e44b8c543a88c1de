"""3.6.2: the first sequence of an evolution: who makes it, at what cost, and what is changed."""

from contextlib import suppress
from dataclasses import dataclass

from trials import arguments, compare

from ludex.core import BudgetSpent
from ludex.planners.rhea import Evolution, Rhea


class SeededEvolution(Evolution):
    """Evolution that begins with a sequence of ours and mutants of it."""

    def evolve(self, budget):
        with suppress(BudgetSpent):  # then the first sequences are random
            self.seeded = self.best_straight_line()
        super().evolve(budget)

    def best_straight_line(self):
        """The same action all the way: each is played once, and the best is the seed."""
        # YOUR IDEA: another seeder: the way to the nearest door, a play of OLETS, last time's best.
        lines = [[action] * self.stage.length for action in self.view.legal]
        values = [
            self.stage.play(self.view.seat, line, self.own.alphabets, {})[self.view.seat]
            for line in lines
        ]
        best = [line for line, one in zip(lines, values, strict=True) if one == max(values)]
        return best[self.rng.below(len(best))]  # among equals any


@dataclass(frozen=True, kw_only=True)
class StraightLines(Rhea):
    """RHEA with the seeder above."""

    def evolved(self, memory, model, view, budget, rng):
        run = SeededEvolution(self, model, view, self.length, memory, rng)
        run.evolve(budget)
        return run


AGENTS = {
    "random": Rhea(),
    "greedy steps": Rhea(seeding="one_step"),
    "mcts, 25 % of the budget": Rhea(seeding="mcts", seed_share=0.25),
    "mcts, 50 %": Rhea(seeding="mcts"),
    "mcts, 75 %": Rhea(seeding="mcts", seed_share=0.75),
    "mcts, mutants of 10 %": Rhea(seeding="mcts", seed_mutation=0.1),
    "mcts, mutants of 50 %": Rhea(seeding="mcts", seed_mutation=0.5),
    "straight lines": StraightLines(),
    "lines, mutants of 50 %": StraightLines(seed_mutation=0.5),
}

if __name__ == "__main__":
    given = arguments(__doc__, games=3)
    compare(AGENTS, ["vgdl/butterflies"], given.games, budget="300calls", most_ticks=100)
