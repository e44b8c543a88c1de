"""Planners that were made for one player, in games of two."""

from __future__ import annotations

import pytest
from pair_games import BLUE, RED, pair_world

from ludex.agents.compose import make_agent
from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import Unsupported
from ludex.core.fallback import choose_uniform
from ludex.planners.macro_mcts import MacroMcts
from ludex.planners.parts.opponents import AgainstRandom
from ludex.worlds.vgdl.action import Action

LONE = (
    "fast_evo_mcts",
    "kb_fast_evo_mcts",
    "kb_mcts",
    "macro_mcts",
    "mixed_strategy_mcts",
    "mo_mcts",
    "weighted_sum_mcts",
)
ALLEY = """wwwwwwwww
w..1c...w
w...p2..w
wwwwwwwww
"""
NEXT_TO_IT = {RED: Action.RIGHT, BLUE: Action.LEFT}


def decided(world, seat, name, seed, **parameters):
    planner = registry.load("planners", name)(**parameters)
    rules = world.model.metered(Meter())
    view = rules.view(world.start(Rng(0)), seat)
    return planner.decide(rules, view, Budget(iterations=150), Rng(seed))


@pytest.mark.parametrize("seat", [RED, BLUE])
@pytest.mark.parametrize("name", LONE)
def test_they_pick_the_fruit_beside_them_in_either_seat(tmp_path, name, seat):
    world = pair_world(tmp_path, ALLEY)
    more = {"rollout_depth": 1}  # now or never
    more |= {"repeat": 1} if name == "macro_mcts" else {}
    more |= {"novelty_weight": 0.0} if name in ("mo_mcts", "weighted_sum_mcts") else {}
    found = [decided(world, seat, name, seed, **more).action for seed in range(3)]
    wanted = NEXT_TO_IT[seat]
    if name == "mixed_strategy_mcts":  # it may look for novelty alone
        assert wanted in found
    else:
        assert found == [wanted] * 3


@pytest.mark.parametrize("opponent", ["random", "same", "pessimistic"])
@pytest.mark.parametrize("name", LONE)
def test_they_know_the_opponents_of_all_planners(tmp_path, name, opponent):
    world = pair_world(tmp_path, ALLEY)
    first, again = (decided(world, RED, name, 5, opponent=opponent) for _ in range(2))
    assert (first.action, first.visits) == (again.action, again.visits)
    assert first.iterations == 150


def test_a_selfish_opponent_is_expected_to_take_what_is_beside_it(tmp_path):
    world = pair_world(tmp_path, ALLEY)
    worth, short = {}, {"rollout_depth": 1}
    for opponent in ("random", "same"):
        found = decided(
            world, RED, "macro_mcts", 1, repeat=1, opponent=opponent, lead=True, **short
        )
        worth[opponent] = found.values[Action.NIL]
    assert worth["same"] < worth["random"]


def test_our_policy_is_ours_alone():
    drawn = AgainstRandom(1, lambda model, state, seat, rng: "ours")
    assert drawn(None, None, 1, Rng(0)) == "ours"
    world = registry.world("goofspiel")
    state = world.start(Rng(0))
    world.model.settle(state, Rng(0))
    expected = choose_uniform(world.model, state, 0, Rng(3))
    assert drawn(world.model, state, 0, Rng(3)) == expected


def test_macro_actions_need_a_seat_that_acts_in_every_tick():
    with pytest.raises(Unsupported, match="macro_mcts@single_player"):
        MacroMcts().check(registry.world("nim").traits)
    MacroMcts().check(registry.world("vgdl/tank_duel").traits)


@pytest.mark.parametrize("name", ["fast_evo_mcts", "macro_mcts", "mo_mcts"])
@pytest.mark.parametrize("seat", [RED, BLUE])
def test_they_play_in_a_learned_model_of_two_seats(tmp_path, name, seat):
    world = pair_world(tmp_path, ALLEY)
    rules = world.model.metered(Meter())
    view, budget = rules.view(world.start(Rng(0)), seat), Budget(iterations=5)
    mind = make_agent(f"{name}@object_based(steps=40,reach=1)").start(rules, view, budget, Rng(0))
    assert mind.decide(view, budget, Rng(1)).action in view.legal


@pytest.mark.parametrize("name", ["fast_evo_mcts", "macro_mcts", "mo_mcts", "mixed_strategy_mcts"])
def test_they_play_in_a_learned_model_of_objects(name):
    world = registry.world("vgdl/missilecommand")
    rules = world.model.metered(Meter())
    view, budget = rules.view(world.start(Rng(0)), 0), Budget(iterations=5)
    mind = make_agent(f"{name}@object_based(steps=40)").start(rules, view, budget, Rng(0))
    assert mind.decide(view, budget, Rng(1)).action in view.legal
