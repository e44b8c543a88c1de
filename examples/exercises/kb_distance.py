"""3.6.1: KB MCTS with another distance: the way around walls instead of a straight line."""

from boards import steps_to, walls
from trials import arguments, compare

from ludex.planners.kb_mcts import KbMcts


def walked(model, state, seat, kinds):
    """For each kind of object the steps to the nearest, or None where there is none."""
    # YOUR IDEA: another distance: through doors, around enemies, a potential field, ...
    view = model.view(state, seat)
    here = model.avatars(state)[seat]
    steps = steps_to((here,), walls(view), view.width, view.height)
    nearest = dict.fromkeys(kinds)
    for kind, x, y in view.rows[["type", "x", "y"]].tolist():
        found = steps.get((x // view.block, y // view.block))
        if kind in nearest and found is not None:
            known = nearest[kind]
            nearest[kind] = found if known is None else min(known, found)
    return [nearest[kind] for kind in kinds]


AGENTS = {"straight": KbMcts(), "walked": KbMcts(distance=walked)}

if __name__ == "__main__":
    given = arguments(__doc__, games=3)
    compare(AGENTS, ["vgdl/zelda[level=0]"], given.games)
