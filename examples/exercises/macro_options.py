"""4.5.1: macro-actions that repeat, sequences, and options that walk to a goal."""

from boards import NEIGHBOURS, cells, steps_to, walls
from trials import arguments, compare

from ludex.core.objects import Category
from ludex.core.option import Option
from ludex.planners.macro_mcts import MacroMcts


def options(model, state, seat):
    """Walk to the nearest thing that can be taken, or to the nearest door."""
    # YOUR IDEA: other goals, such as a hiding place, or the best cell to shoot from.
    return [goal("to a thing", Category.RESOURCE), goal("to a door", Category.PORTAL)]


def goal(name, category):
    """The option of walking to the nearest object of a category."""

    def steps(model, state, seat):
        view = model.view(state, seat)
        return steps_to(cells(view, category), walls(view), view.width, view.height)

    def policy(model, state, seat, rng):
        left = steps(model, state, seat)
        column, row = model.avatars(state)[seat]
        moves = {action: model.heading(action) for action in model.legal(state, seat)}
        ways = {
            action: left.get((column + right, row + down), len(left))
            for action, (right, down) in moves.items()
            if (right, down) in NEIGHBOURS
        }
        return min(ways, key=ways.get)

    def begins(model, state, seat):
        return steps(model, state, seat).get(model.avatars(state)[seat], 0) > 0

    def ends(model, state, seat, ticks):
        return ticks >= 15 or not begins(model, state, seat)

    return Option(name, policy, ends, begins)


WORDS = "up-up-up;left-left-left;down-down-down;right-right-right"
AGENTS = {
    **{f"repeated {times}": MacroMcts(repeat=times) for times in (1, 3)},
    "sequences": MacroMcts(repeat=1, macros=WORDS),
    "options": MacroMcts(repeat=1, options=options, rollout_depth=3),
}

if __name__ == "__main__":
    given = arguments(__doc__, games=2)
    compare(AGENTS, ["vgdl/zelda[level=0]"], given.games)
