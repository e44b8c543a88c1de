"""4.5.1: better than straight lines: a value that knows the way around walls."""

from boards import cells, steps_to, walls
from trials import arguments, compare

from ludex.core.objects import Category
from ludex.planners.open_loop_mcts import OpenLoopMcts

END = 1000.0
PER_POINT = 50.0
UNREACHABLE = 100


def valued_by(distance):
    """A value of states: the end of the game, points, and the distance to what comes next."""

    def value(model, state, seat):
        outcome = model.outcome(state)
        if outcome is not None:
            return END if seat in outcome.winners else -END
        view = model.view(state, seat)
        # In zelda: the key while it lies there, then the door.
        targets = cells(view, Category.RESOURCE) or cells(view, Category.PORTAL)
        left = distance(model.avatars(state)[seat], targets, view)
        return PER_POINT * model.score(state, seat) - left

    return value


def straight(cell, targets, view):
    """The length of a straight line."""
    return min((((x - cell[0]) ** 2 + (y - cell[1]) ** 2) ** 0.5 for x, y in targets), default=0)


def around_walls(cell, targets, view):
    """The number of steps."""
    # YOUR IDEA: a potential field that keeps away from enemies; A*; what lies on the way.
    return steps_to(targets, walls(view), view.width, view.height).get(cell, UNREACHABLE)


AGENTS = {
    "score": OpenLoopMcts(rollout_depth=10, depth_from="root", value="score"),
    "straight": OpenLoopMcts(rollout_depth=10, depth_from="root", value=valued_by(straight)),
    "steps": OpenLoopMcts(rollout_depth=10, depth_from="root", value=valued_by(around_walls)),
}

if __name__ == "__main__":
    given = arguments(__doc__, games=3)
    compare(AGENTS, ["vgdl/zelda[level=0]", "vgdl/zelda[level=1]"], given.games)
