"""3.6.1: Fast-Evo MCTS that sees other features: what lies around the avatar."""

from trials import arguments, compare

from ludex.core.objects import Category
from ludex.planners.fast_evo_mcts import FastEvoMcts

RADIUS = 1  # cells to each side


def window(model, state, seat):
    """A 1 for each category of object in each cell around the avatar, by category and place.

    This is what a layer of a convolutional network sees of the board, with the avatar in the
    middle. A feature that is left out counts 0.
    """
    # YOUR IDEA: which features tell a rollout where to go? Numbers of about 0 to 1, by name.
    view = model.view(state, seat)
    column, row = model.avatars(state)[seat]
    found = {}
    for category, x, y in view.rows[["category", "x", "y"]].tolist():
        right, down = x // view.block - column, y // view.block - row
        is_near = max(abs(right), abs(down)) <= RADIUS
        if is_near and category not in (Category.AVATAR, Category.FROM_AVATAR):
            found[category, right, down] = 1.0
    return found


AGENTS = {"distances": FastEvoMcts(), "window": FastEvoMcts(features=window)}

if __name__ == "__main__":
    given = arguments(__doc__, games=2)
    compare(AGENTS, ["vgdl/missilecommand", "vgdl/butterflies"], given.games, most_ticks=100)
