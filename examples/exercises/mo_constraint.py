"""3.6.1: the epsilon-constraint method: the best score among plays that are novel enough."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from trials import arguments, compare

from ludex.core.parameters import Between
from ludex.planners.parts.objectives import ExploringPlanner, ExploringSearch
from ludex.planners.weighted_sum_mcts import WeightedSumMcts

WORST = -1.0  # the least that the first objective can be, which is a loss


class ConstrainedSearch(ExploringSearch):
    """One decision."""

    def finished(self, result):
        score, novelty = self.objectives(result)
        missing = self.planner.epsilon - novelty
        # YOUR IDEA: the other objective as the constraint; an epsilon that follows the search;
        # a gentler penalty, that lets a great score make up for what is missing.
        return score if missing <= 0.0 else WORST - missing


@dataclass(frozen=True, kw_only=True)
class EpsilonConstraint(ExploringPlanner):
    """MCTS for the score, where plays with a novelty below epsilon are worse than a loss."""

    LIMITS: ClassVar[Mapping[str, Any]] = {**ExploringPlanner.LIMITS, "epsilon": Between(0, 1)}

    epsilon: float = 0.5
    """the least novelty of the place where a play ends"""

    def exploring(self, model, view, rng):
        return ConstrainedSearch(self, model, view, rng)


AGENTS = {"weighted sum": WeightedSumMcts()}
AGENTS |= {f"epsilon={one}": EpsilonConstraint(epsilon=one) for one in (0.0, 0.3, 0.6, 0.9)}

if __name__ == "__main__":
    given = arguments(__doc__, games=3)
    compare(AGENTS, ["vgdl/zelda", "vgdl/missilecommand"], given.games)
