"""3.6.1 and 3.6.2: another value of states, for sampleMCTS and for sampleRHEA."""

from boards import cells
from trials import arguments, compare

from ludex.core.objects import Category
from ludex.planners.open_loop_mcts import OpenLoopMcts
from ludex.planners.rhea import Rhea

END = 1000.0


def value(model, state, seat):
    """What a state is worth: the end of the game, then points, then being near to something."""
    outcome = model.outcome(state)
    if outcome is not None:
        return END if seat in outcome.winners else -END
    # YOUR IDEA: what else is good or bad in a state? `view` has all that the avatar sees.
    view = model.view(state, seat)
    column, row = model.avatars(state)[seat]
    wanted = cells(view, Category.NPC)
    nearest = min((abs(x - column) + abs(y - row) for x, y in wanted), default=0)
    return model.score(state, seat) - 0.1 * nearest


AGENTS = {
    "mcts, score": OpenLoopMcts(rollout_depth=10, depth_from="root", value="score"),
    "mcts, value": OpenLoopMcts(rollout_depth=10, depth_from="root", value=value),
    "rhea, score": Rhea(value="score"),
    "rhea, value": Rhea(value=value),
}

if __name__ == "__main__":
    given = arguments(__doc__, games=2)
    compare(AGENTS, ["vgdl/butterflies", "vgdl/chase"], given.games)
