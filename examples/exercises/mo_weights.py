"""3.6.1: two objectives, score and novelty: other weights, and weights that change in a game."""

from dataclasses import dataclass

from trials import arguments, compare

from ludex.planners.weighted_sum_mcts import WeightedSearch, WeightedSumMcts


@dataclass(frozen=True, kw_only=True)
class DynamicWeights(WeightedSumMcts):
    """A weighted sum with other weights in each decision."""

    def exploring(self, model, view, rng):
        # YOUR IDEA: when does exploring count? `view` has what the avatar sees: tick, score, rows.
        novelty = max(0.1, 1.0 - view.tick / 100)
        now = self.clone(score_weight=1.0 - novelty, novelty_weight=novelty)
        return WeightedSearch(now, model, view, rng)


AGENTS = {
    f"novelty {novelty}": WeightedSumMcts(score_weight=1.0 - novelty, novelty_weight=novelty)
    for novelty in (0.0, 0.25, 0.5, 0.75, 1.0)
}
AGENTS["novelty 1.0 to 0.1"] = DynamicWeights()

if __name__ == "__main__":
    given = arguments(__doc__, games=3)
    compare(AGENTS, ["vgdl/zelda", "vgdl/missilecommand"], given.games)
