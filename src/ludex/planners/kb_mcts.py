"""KB MCTS: open-loop MCTS with a knowledge base and uniform rollouts."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.planners.kb_fast_evo_mcts import KbFastEvoMcts


@dataclass(frozen=True, kw_only=True)
class KbMcts(KbFastEvoMcts):
    """KB MCTS: open-loop MCTS rewarded by curiosity and experience where the score is unchanged.

    This is `kb_fast_evo_mcts(evolve=no)`; all other parameters are those of that planner.
    """

    evolve: bool = False
    """rollouts by evolved weights; no: any action is as likely"""
