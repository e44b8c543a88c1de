"""3.6.1: Fast-Evo MCTS with another evolutionary algorithm than the (1+1) of the paper."""

from dataclasses import dataclass

from trials import arguments, compare

from ludex.planners.fast_evo_mcts import FastEvoMcts
from ludex.planners.kb_fast_evo_mcts import KnowledgeMemory
from ludex.planners.parts.evolved_weights import EvolvedWeights, gaussian

PARENTS = 5


class SteadyState(EvolvedWeights):
    """(mu + 1): each rollout plays a child of two parents, which replaces the worst parent."""

    def __init__(self, planner):
        super().__init__(planner.mutation, planner.recheck, planner.ties)
        self.parents = []  # pairs of fitness and weights

    def next_weights(self, actions, features, rng):
        """The weights of the next rollout: a number for each pair of action and feature."""
        # YOUR IDEA: another way to make a child: smaller steps in time, differences, CMA-ES, ...
        names = list(features)
        one, other = self.parent(rng), self.parent(rng)
        self.trial = {}
        for action in actions:
            for name in names:
                inherited = (one if rng.below(2) else other).get((action, name), 0.0)
                self.trial[action, name] = inherited + self.mutation * gaussian(rng)
        return self.trial

    def parent(self, rng):
        return self.parents[rng.below(len(self.parents))][1] if self.parents else {}

    def learn(self, fitness):
        """What the last rollout was worth."""
        # YOUR IDEA: fitness is noisy. Play a parent again? Let old fitness fade?
        self.parents.append((fitness, self.trial))
        self.parents.sort(key=lambda pair: pair[0], reverse=True)
        self.replaced += self.parents.index((fitness, self.trial)) < PARENTS
        del self.parents[PARENTS:]


@dataclass(frozen=True, kw_only=True)
class OwnEvolution(FastEvoMcts):
    """Fast-Evo MCTS with the evolution above."""

    def fresh_memory(self):
        memory = KnowledgeMemory(self)
        memory.weights = SteadyState(self)
        return memory


AGENTS = {
    "(1+1)": FastEvoMcts(),
    f"({PARENTS}+1)": OwnEvolution(),
    f"({PARENTS}+1), small steps": OwnEvolution(mutation=0.3),
}

if __name__ == "__main__":
    given = arguments(__doc__, games=3)
    compare(AGENTS, ["vgdl/missilecommand", "vgdl/butterflies"], given.games)
