"""3.6.1: a policy that switches between two objectives, by what the last search has seen."""

from dataclasses import dataclass

from trials import arguments, compare

from ludex.planners.mixed_strategy_mcts import MixedSearch, MixedStrategyMcts
from ludex.planners.parts.objectives import TrailMemory

SCORE, NOVELTY = 0, 1


class SearchFeatures(TrailMemory):
    """What one decision tells the next of the simulations it has made."""

    gains = 0  # simulations that ended with more points
    ends = 0  # simulations that reached the end of the game


class SwitchingSearch(MixedSearch):
    """One decision, for one of the objectives."""

    def take_trail(self, memory):
        super().take_trail(memory)
        self.aim = objective(memory)
        memory.gains = memory.ends = 0  # counted anew in this decision
        self.seen = memory

    def finished(self, result):
        self.seen.gains += result.scores[self.seat] > self.base
        self.seen.ends += result.returns is not None
        return super().finished(result)


def objective(seen):
    """Which objective the decision that begins now is for."""
    # YOUR IDEA: another rule, another feature: how much values differ, how deep the tree is, ...
    return SCORE if seen.gains or seen.ends else NOVELTY


@dataclass(frozen=True, kw_only=True)
class Switching(MixedStrategyMcts):
    """Mixed-strategy MCTS that chooses the objective instead of drawing it."""

    def fresh_memory(self):
        return SearchFeatures()

    def exploring(self, model, view, rng):
        return SwitchingSearch(self, model, view, rng)


AGENTS = {"drawn": MixedStrategyMcts(), "switching": Switching()}

if __name__ == "__main__":
    given = arguments(__doc__, games=5)
    compare(AGENTS, ["vgdl/zelda", "vgdl/missilecommand", "vgdl/frogs"], given.games)
