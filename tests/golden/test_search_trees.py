"""The same seed must rebuild the same tree.

A change that is meant to alter a search remakes the files: LUDEX_REMAKE_GOLDEN=1 pytest
tests/golden/test_search_trees.py, and says in its message what changed and why.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ludex.core import Budget, Meter, Rng, registry
from ludex.planners.ismcts import Ismcts
from ludex.planners.mcts import Kind, Mcts
from ludex.planners.open_loop_mcts import OpenLoopMcts

TREES = Path(__file__).parent / "trees"
REMAKE = os.environ.get("LUDEX_REMAKE_GOLDEN") == "1"


def rounded(number: float) -> float:
    return round(number, 9)


def arms(bandit):
    return zip(bandit.actions, bandit.visits, bandit.means, strict=True)


def mcts_tree(node, world):
    """Every node as {action: [visits, mean, {below}]}; chance nodes by outcome."""
    if node.kind is Kind.DECISION:
        return {
            world.action_text(action): [
                visits,
                rounded(mean),
                mcts_tree(node.children[place,], world) if (place,) in node.children else {},
            ]
            for place, (action, visits, mean) in enumerate(arms(node.bandits[0]))
        }
    if node.kind is Kind.LEAF:
        return {}
    return {str(key): mcts_tree(child, world) for key, child in node.children.items()}


def open_loop_tree(node, world):
    return {
        str(seat): {
            world.action_text(action): [visits, rounded(mean)] for action, visits, mean in arms(one)
        }
        for seat, one in node.bandits.items()
    } | {
        " ".join(map(world.action_text, actions)): open_loop_tree(child, world)
        for actions, child in node.children.items()
        if child.bandits
    }


def ismcts_tree(tree, world):
    return {
        "root": {str(action): [visits, rounded(mean)] for action, visits, mean in arms(tree.root)},
    } | {
        str(key[1]): {str(action): [visits, rounded(mean)] for action, visits, mean in arms(node)}
        for key, node in tree.nodes.items()
    }


def search(planner, world, state, iterations=60):
    model = world.model.metered(Meter())
    budget = Budget(iterations=iterations)
    budget.arm(model.meter)
    view = model.view(state, model.to_act(state)[0])
    return planner.search(model, view, budget, Rng(7))


def mcts_nim():
    world = registry.world("nim[heaps=1-2-3]")
    return mcts_tree(search(Mcts(), world, world.start(Rng(0))).roots[0], world)


def mcts_connect_four():
    world = registry.world("connect_four")
    tree = search(
        Mcts(selection="ucb1_tuned", exploration=1.0, native=False), world, world.parse("dd")
    )
    return mcts_tree(tree.roots[0], world)


def mcts_pig():
    world = registry.world("pig[target=20]")
    planner = Mcts(backup="max", rollout_depth=8)
    tree = search(planner, world, world.parse("8 10 turn=1 total=4"), iterations=40)
    return mcts_tree(tree.roots[0], world)


def open_loop_goofspiel():
    world = registry.world("goofspiel")
    state = world.start(Rng(0))
    world.model.settle(state, Rng(0))
    return open_loop_tree(search(OpenLoopMcts(), world, state, iterations=40).root, world)


def ismcts_kuhn_poker():
    world = registry.world("kuhn_poker")
    return ismcts_tree(search(Ismcts(selection="smooth"), world, world.parse("QJ")), world)


@pytest.mark.parametrize(
    "make",
    [mcts_nim, mcts_connect_four, mcts_pig, open_loop_goofspiel, ismcts_kuhn_poker],
    ids=lambda make: make.__name__,
)
def test_the_same_seed_rebuilds_the_stored_tree(make):
    path = TREES / f"{make.__name__}.json"
    text = json.dumps(make(), indent=1) + "\n"
    if REMAKE:
        TREES.mkdir(exist_ok=True)
        path.write_text(text)
    assert text == path.read_text()
