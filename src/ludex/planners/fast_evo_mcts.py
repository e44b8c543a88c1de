"""Fast-Evo MCTS: open-loop MCTS with an evolved rollout policy."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.planners.kb_fast_evo_mcts import KbFastEvoMcts


@dataclass(frozen=True, kw_only=True)
class FastEvoMcts(KbFastEvoMcts):
    """Fast-Evo MCTS: an evolution strategy adapts the weights of the rollout policy online.

    This is `kb_fast_evo_mcts(knowledge=no)`; all other parameters are those of that planner.
    """

    knowledge: bool = False
    """simulations that leave the score alone are valued by the knowledge base; no: they count 0"""
