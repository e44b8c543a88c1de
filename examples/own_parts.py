"""Parts of one's own in known planners: a value, a rollout policy and an option, in this file.

A planner is given the file and the name of a function: `one_step(value=own_parts.py:value)`.
"""

import ludex
from ludex.core.option import Option

UP = 1


def value(model, state, seat):
    """In frogs: the end of the game, then points, then how far up the frog has come."""
    outcome = model.outcome(state)
    if outcome is not None:
        return 1000.0 if seat in outcome.winners else -1000.0
    row = model.avatars(state)[seat][1]
    return model.score(state, seat) - row


def mostly_up(model, state, seat, rng):
    """A rollout policy: up in half of the ticks, else anything."""
    legal = model.legal(state, seat)
    return UP if UP in legal and rng.below(2) else legal[rng.below(len(legal))]


def options(model, state, seat):
    """One option: go up for two ticks."""
    return [Option("up", lambda model, state, seat, rng: UP, lambda *given: given[3] == 2)]


if __name__ == "__main__":
    for agent in (
        "one_step",
        f"one_step(value={__file__}:value)",
        f"open_loop_mcts(rollout={__file__}:mostly_up)",
        f"macro_mcts(options={__file__}:options)",
    ):
        won = 0
        for seed in range(3):
            match = ludex.play("vgdl/frogs", [agent], seed=seed, budget="100calls")
            assert not match.faults
            won += 0 in match.winners
        print(f"{agent.replace(__file__, 'own_parts.py')}: won {won} of 3")
