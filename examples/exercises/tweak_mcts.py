"""3.6.1: tweak sampleMCTS: how long its rollouts are, and how much it explores (C)."""

from trials import arguments, compare

from ludex.planners.open_loop_mcts import OpenLoopMcts

# YOUR IDEA: other lengths and constants, and another selection, such as "ucb1_tuned".
LENGTHS = (5, 10, 20)
CONSTANTS = (0.1, 1.41, 5.0)


def sample_mcts(length, constant):
    """GVGAI's sampleMCTS: rollouts of ten ticks, counted from the root, and C = sqrt 2."""
    return OpenLoopMcts(
        rollout_depth=length, exploration=constant, depth_from="root", value="score"
    )


if __name__ == "__main__":
    given = arguments(__doc__, games=5)
    agents = {
        f"length={length}, C={constant}": sample_mcts(length, constant)
        for length in LENGTHS
        for constant in CONSTANTS
    }
    compare(agents, ["vgdl/butterflies"], given.games)
