"""The agents of the rolling-horizon experiments, written as Ludex writes them."""

from __future__ import annotations

VALUE = "value=score"  # the score, and a large bonus at the end of a game
ADDITIONS = {
    "shift": "shift_buffer=yes",
    "tree": "statistical_tree=yes",
    "by-mean": "tree_final=value",
    "one-step": "seeding=one_step",
    "mcts": "seeding=mcts",
    "dynamic": "dynamic_length=yes",
}


def rhea(population: int, length: int, *additions: str, rollouts: int = 0) -> str:
    """A rolling-horizon agent with additions by name.

    >>> rhea(10, 14, "shift", rollouts=5)
    'rhea(population=10,length=14,value=score,shift_buffer=yes,rollouts=5)'
    """
    parts = [f"population={population}", f"length={length}", VALUE]
    parts += [ADDITIONS[name] for name in additions]
    if rollouts:
        parts.append(f"rollouts={rollouts}")
    return f"rhea({','.join(parts)})"


def random_search(length: int) -> str:
    return f"random_search(length={length},{VALUE})"


def mcts(depth: int = 10, *additions: str) -> str:
    """Open-loop search with a playout so deep from the root, as GVGAI's sampleMCTS."""
    parts = [f"rollout_depth={depth}", "depth_from=root", VALUE]
    parts += ["dynamic_depth=yes" for name in additions if name == "dynamic"]
    return f"open_loop_mcts({','.join(parts)})"
