"""Every registered planner keeps the contract on small worlds that hold every trait."""

from __future__ import annotations

import pytest

from ludex.agents.compose import make_agent
from ludex.core import registry
from ludex.testing import (
    EVERY_WORLD_CHECKS,
    PLANNER_CHECKS,
    PLANNER_WORLDS,
    every_world,
    run_planner_checks,
)

WITH_ANOTHER_MODEL = (
    "mcts@true",
    "mcts@tabular(steps=200)",
    "mcts@believed",
    "mcts@believed(belief=particles(n=100))",
    "mcts@belief_space",
    "one_step@tabular(steps=200)",
)
WITH_A_MODEL_OF_SOME_WORLDS = (
    ("mcts(rollout=type_first)@exchange", "catan[seats=2,points=4,board=fixed]"),
    (
        "mcts(rollout=type_first)@split(tree=believed,rollout=exchange)",
        "catan[seats=2,points=4,board=fixed]",
    ),
    ("olets@single_player(opponent=last)", "vgdl/tank_duel"),
    ("mcts@single_player", "nim[heaps=1-2-3]"),
    ("mcts@local(steps=100,span=1)", "sokoban[limit=25]"),
    ("breadth_first@local(steps=100,span=1)", "sokoban[limit=25]"),
    ("rhea@local(steps=60,span=1)", "life[width=4,height=3,ticks=12]"),
    ("open_loop_mcts@local(steps=60,span=1,stochastic=true)", "life[width=4,height=3,ticks=12]"),
    ("mcts@local(learn=continuous,refit=5,explore=0.2,span=1)", "sokoban[limit=25]"),
    ("mcts@end_to_end(steps=100)", "sokoban[limit=25]"),
    ("open_loop_mcts@decomposed(steps=60)", "life[width=4,height=3,ticks=12]"),
    ("one_step@object_based(steps=60)", "vgdl/missilecommand"),
    ("mcts@knowledge_base(steps=60)", "vgdl/missilecommand"),
    ("mcts@object_based(learn=continuous,refit=40,stochastic=yes)", "vgdl/missilecommand"),
    ("one_step@transfer(steps=60)", "vgdl/missilecommand"),
    ("one_step@pixel_objects(steps=60)", "vgdl/missilecommand"),
    ("mcts@ensemble(steps=60,members=local(span=0)+local(span=1))", "sokoban[limit=12]"),
)


@pytest.mark.parametrize("world", PLANNER_WORLDS)
@pytest.mark.parametrize("name", registry.names("planners"))
@pytest.mark.parametrize("check", PLANNER_CHECKS, ids=lambda check: check.__name__)
def test_planner_keeps_the_contract(name, world, check):
    check(make_agent(name), registry.world(world))


@pytest.mark.parametrize("world", every_world())
def test_every_planner_plays_every_world_that_it_does_not_refuse(world):
    made = registry.world(world)
    found = {
        name: next(run_planner_checks(EVERY_WORLD_CHECKS, make_agent(name), made))
        for name in registry.names("planners")
    }
    assert {name: one.message for name, one in found.items() if not one.passed} == {}
    assert any(not one.refused for one in found.values())


@pytest.mark.parametrize("world", ["nim[heaps=1-2-3]", "kuhn_poker", "parley"])
@pytest.mark.parametrize("agent", WITH_ANOTHER_MODEL)
@pytest.mark.parametrize("check", PLANNER_CHECKS, ids=lambda check: check.__name__)
def test_planner_with_another_model_keeps_the_contract(agent, world, check):
    if "belief_space" in agent and check.__name__ == "check_keeps_a_budget_of_calls":
        pytest.skip("a step of a belief counts as one call, and steps every state in it")
    check(make_agent(agent), registry.world(world))


@pytest.mark.parametrize(("agent", "world"), WITH_A_MODEL_OF_SOME_WORLDS)
@pytest.mark.parametrize("check", PLANNER_CHECKS, ids=lambda check: check.__name__)
def test_planner_with_a_model_of_some_worlds_keeps_the_contract(agent, world, check):
    takes_turns = not registry.world(world).traits.simultaneous
    counts_calls = check.__name__ == "check_keeps_a_budget_of_calls"
    if "@single_player" in agent and counts_calls and takes_turns:
        pytest.skip("our move with the answers to it counts as one call")
    check(make_agent(agent), registry.world(world))


def test_every_model_is_tried_with_a_planner():
    agents = [*WITH_ANOTHER_MODEL, *(agent for agent, _ in WITH_A_MODEL_OF_SOME_WORLDS)]
    tried = {agent.partition("@")[2].partition("(")[0] for agent in agents}
    assert tried == set(registry.names("models"))


@pytest.mark.parametrize("name", [name for name in registry.names("agents") if "/" in name])
@pytest.mark.parametrize("check", PLANNER_CHECKS, ids=lambda check: check.__name__)
def test_expert_keeps_the_contract_in_its_world(name, check):
    if name == "catan/catanatron":
        pytest.importorskip("catanatron", reason="catanatron is not installed")
    check(make_agent(name), registry.world(name.partition("/")[0]))
