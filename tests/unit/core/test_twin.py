"""Planners take their native twin by themselves, and say which search ran."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ludex.agents.compose import make_agent
from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.twin import native_rules
from ludex.models.believed.believed import Believed
from ludex.planners.ismcts import Ismcts
from ludex.planners.mcts import Mcts
from ludex.planners.olets import Olets
from ludex.planners.open_loop_mcts import OpenLoopMcts
from ludex.planners.random_search import RandomSearch
from ludex.planners.rhea import Rhea
from ludex.testing.counting import CountingModel

FOUR = registry.world("connect_four")
PLANNERS = [Mcts(), OpenLoopMcts(), Ismcts(), Olets(), Rhea(), RandomSearch()]
FEW = Budget(iterations=20)
FORMS = (True, False)


def decide(planner, model=None, world=FOUR, budget=FEW):
    model = world.model.metered(Meter()) if model is None else model
    state = world.start(Rng(1))
    model.settle(state, Rng(1))
    view = model.view(state, model.to_act(state)[0])
    return planner.decide(model, view, budget, Rng(1))


@pytest.mark.parametrize("planner", PLANNERS)
def test_the_twin_runs_where_the_model_is_native(planner):
    assert decide(planner).notes["search"] == "native"


@pytest.mark.parametrize("planner", PLANNERS)
def test_native_no_keeps_to_python(planner):
    assert decide(planner.clone(native=False)).notes["search"] == "python"
    assert str(planner.clone(native=False)).endswith("(native=false)")


def test_a_world_in_python_is_searched_in_python():
    assert decide(Mcts(), world=registry.world("nim")).notes["search"] == "python"


def first_column(model, state, seat, rng):
    return model.legal(state, seat)[0]


def test_a_function_of_python_keeps_the_search_in_python_and_the_note_says_so():
    decision = decide(Mcts(rollout=first_column))
    assert decision.notes["search"] == "python: rollout is a Python function"


def test_a_planner_that_derives_from_another_may_search_otherwise():
    @dataclass(frozen=True, kw_only=True)
    class Mine(Mcts):
        """Overrides something."""

    assert decide(Mine()).notes["search"].startswith("python: Mine may search otherwise")


def test_a_model_that_changes_steps_is_not_replaced_by_its_rules():
    model = CountingModel(FOUR.model.metered(Meter()))
    assert native_rules(model) is None
    decision = decide(Mcts(), model)
    assert decision.notes["search"] == "python"
    assert model.counter.calls == decision.model_calls > 20


def test_a_belief_keeps_the_rules_so_the_twin_runs_in_it():
    world = registry.world("hearthstone")
    model = world.model.metered(Meter())
    state = world.start(Rng(1))
    view = model.view(state, model.to_act(state)[0])
    believed = Believed().make(model, view, FEW, Rng(1))
    decision = Mcts(rollout_depth=20).decide(believed, view, FEW, Rng(1))
    assert decision.notes["search"] == "native"


def test_a_forced_move_needs_no_search():
    pig = registry.world("pig")
    assert "search" not in decide(Mcts(), world=pig).notes


@pytest.mark.parametrize("planner", [Mcts, OpenLoopMcts, Ismcts])
def test_threads_are_refused_where_the_search_is_python(planner):
    nim = registry.world("nim")
    with pytest.raises(Unsupported, match=r"threads=2 needs a native search.*use threads=1"):
        decide(planner(threads=2), world=nim)
    with pytest.raises(Unsupported, match="native=no keeps to Python"):
        decide(planner(threads=2, native=False))


def test_threads_are_refused_before_the_first_move():
    nim = registry.world("nim")
    model = nim.model.metered(Meter())
    view = model.view(nim.start(Rng(0)), 0)
    with pytest.raises(Unsupported, match="written in Python"):
        make_agent("mcts(threads=4)").start(model, view, FEW, Rng(0))


@pytest.mark.parametrize("threads", [0, -1, 257])
def test_absurd_numbers_of_threads_are_answered_in_one_sentence(threads):
    with pytest.raises(BadParameter, match="threads must be a whole number from 1 to 256"):
        Mcts(threads=threads)


@pytest.mark.parametrize("name", ["scriptet", "type_frist"])
def test_an_unknown_rollout_policy_is_refused_with_those_that_are_known(name):
    with pytest.raises(Unsupported, match=rf"rollout={name}.*no policy of that name"):
        decide(Mcts(rollout=name))


def test_every_policy_that_a_world_names_can_be_rolled_out():
    catan = registry.world("catan[view=open]")
    for name in catan.traits.policies:
        decisions = [decide(Mcts(rollout=name, native=form), world=catan) for form in FORMS]
        assert decisions[0].visits == decisions[1].visits
        assert decisions[0].model_calls == decisions[1].model_calls


def test_an_agent_can_be_the_policy_of_rollouts():
    world = registry.world("hearthstone")
    policy = "hearthstone/scripted"
    found = [decide(Ismcts(rollout=policy, native=native), world=world) for native in (True, False)]
    assert [one.notes["search"] for one in found] == ["native", "python"]
    assert found[0].visits == found[1].visits
    assert found[0].model_calls == found[1].model_calls
    uniform = decide(Ismcts(), world=world)
    assert uniform.model_calls != found[0].model_calls


def test_an_agent_of_another_world_or_without_a_policy_is_refused():
    with pytest.raises(Unsupported, match="knows the rules of hearthstone alone"):
        decide(Mcts(rollout="hearthstone/scripted"))
    with pytest.raises(BadParameter, match="cannot be a rollout policy"):
        decide(Mcts(rollout="pig/optimal"))


def test_playouts_go_to_the_end_unless_a_depth_is_given():
    """A playout that is cut is not a playout: in Catan they take hundreds of ticks."""
    catan = registry.world("catan[view=open,trades=none]")
    whole = decide(Mcts(rollout="type_first"), world=catan)
    assert whole.model_calls / whole.iterations > 300
    assert set(whole.values.values()) <= {0.0, 1.0, 0.5}  # returns of ended games, few of each
    short = decide(Mcts(rollout="type_first", rollout_depth=100), world=catan)
    assert short.model_calls / short.iterations < 102
