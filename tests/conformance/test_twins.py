"""Planners and their native twins build the same trees and decide the same, to the last digit.

Random positions of all native worlds, random parameters, budgets that end anywhere, and several
decisions in a row. `LUDEX_TWINS=1000` tries so many cases for each pair instead of a few.
"""

from __future__ import annotations

import os

import pytest
from twin_trees import evolution_of, records_of, sampling_of, search_records
from twins import (
    WORLDS,
    accepts,
    decisions,
    model_for,
    position,
    random_budget,
    random_planner,
    twin_planners,
    world_named,
)

from ludex.core import Meter, Rng
from ludex.planners.a_star import AStar
from ludex.planners.beam import Beam
from ludex.planners.best_first import BestFirst
from ludex.planners.breadth_first import BreadthFirst
from ludex.planners.ismcts import Ismcts
from ludex.planners.iterated_width import IteratedWidth
from ludex.planners.mcts import Mcts
from ludex.planners.olets import Olets
from ludex.planners.open_loop_mcts import OpenLoopMcts
from ludex.planners.random_search import RandomSearch
from ludex.planners.rhea import Rhea
from ludex.planners.rhea_reference import RheaReference
from ludex.planners.rmhc import Rmhc

CASES = int(os.environ.get("LUDEX_TWINS", "6"))
PLANNERS = twin_planners()
THROUGH_STATES = (BreadthFirst, BestFirst, AStar, Beam, IteratedWidth)


def test_the_planners_of_the_design_have_twins():
    assert {"mcts", "open_loop_mcts", "ismcts", "olets", "rhea", "rmhc"} <= set(PLANNERS)
    assert {cls.twin for cls in THROUGH_STATES} <= set(PLANNERS)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("name", PLANNERS)
def test_both_forms_decide_the_same(name, world):
    played = world_named(world)
    compared = 0
    for case in range(CASES):
        rng = Rng(case).fork("twins", name, world)
        planner = random_planner(name, rng)
        if not accepts(planner, played):
            continue
        state, budget = position(played, rng), random_budget(rng)
        native, plain = (
            decisions(planner.clone(native=form), played, state, budget, case)
            for form in (True, False)
        )
        for (one, thought), (other, otherwise) in zip(native, plain, strict=True):
            assert thought == otherwise, f"{planner} with {budget} in {state}"
            compared += 1
            if "forced" not in one.notes and "plan" not in one.notes:
                assert one.notes["search"].startswith("native"), str(planner)
                assert other.notes["search"] == "python"
    if not compared:
        pytest.skip(f"{name} does not play {world}")


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("cls", [Mcts, OpenLoopMcts, Ismcts, Olets])
def test_both_forms_build_the_same_tree(cls, world):
    """Every node with its statistics, and the position of the stream that was drawn from."""
    played = world_named(world)
    for case in range(CASES):
        rng = Rng(case).fork("trees", cls.__name__, world)
        planner = random_planner(cls.twin, rng)
        if not accepts(planner, played):
            continue
        state, budget = position(played, rng), random_budget(rng)
        view = played.model.view(state, played.model.to_act(state)[0])
        found = []
        for form in (True, False):
            model = model_for(planner, played, view, budget)
            budget.arm(model.meter)
            stream = Rng(case)
            tree = planner.clone(native=form).search(model, view, budget, stream)
            found.append(
                {
                    "nodes": records_of(tree),
                    "stream": stream.position,
                    "calls": model.meter.calls,
                    "size": tree.size,
                    "range": (tree.low, tree.high, tree.span),
                }
            )
        assert found[0] == found[1], f"{planner} with {budget} in {state}"


@pytest.mark.parametrize("world", ["vgdl/butterflies", "vgdl/two_thieves", "connect_four"])
def test_a_tree_that_olets_goes_on_with_is_the_same_in_both_forms(world):
    """Decision after decision, with nodes that are made of those no longer needed."""
    played = world_named(world)
    for case in range(CASES):
        rng = Rng(case).fork("kept", world)
        planner = random_planner("olets", rng).clone(reuse=True)
        state, budget = position(played, rng), random_budget(rng)
        found = [
            list(kept_trees(planner.clone(native=form), played, state, budget))
            for form in (True, False)
        ]
        assert found[0] == found[1], f"{planner} with {budget} in {state}"


def kept_trees(planner, world, state, budget):
    """The trees of six decisions in the same state, each going on with the last one."""
    seat = world.model.to_act(state)[0]
    model = world.model.metered(Meter())
    view = model.view(state, seat)
    memory = planner.fresh_memory()
    for number in range(6):
        budget.arm(model.meter)
        tree = planner.grown(memory, model, view, budget, Rng(number))
        yield tree.size, records_of(tree)
        tried = tree.tried()
        most = tried.visits.index(max(tried.visits)) if tried.visits else None
        memory.keep(tree, view.legal[0] if most is None else tried.actions[most])


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("cls", [Rhea, Rmhc, RandomSearch, RheaReference])
def test_both_forms_breed_the_same_sequences(cls, world):
    """Every sequence with its value, all statistics, and the position of the stream."""
    played = world_named(world)
    shown = sampling_of if issubclass(cls, RandomSearch) else evolution_of
    for case in range(CASES):
        rng = Rng(case).fork("sequences", cls.__name__, world)
        planner = random_planner(cls().name, rng)
        if not accepts(planner, played):
            continue
        state, budget = position(played, rng), random_budget(rng)
        view = played.model.view(state, played.model.to_act(state)[0])
        found = []
        for form in (True, False):
            model = model_for(planner, played, view, budget)
            budget.arm(model.meter)
            stream = Rng(case)
            search = planner.clone(native=form).search(model, view, budget, stream)
            counted = {"stream": stream.position, "calls": model.meter.calls}
            found.append(shown(search) | counted)
        assert found[0] == found[1], f"{planner} with {budget} in {state}"


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("cls", THROUGH_STATES)
def test_both_forms_keep_the_same_states(cls, world):
    """Every state that was kept, in order, and the position of the stream that was drawn from."""
    played = world_named(world)
    for case in range(CASES):
        rng = Rng(case).fork("states", cls.__name__, world)
        planner = random_planner(cls.twin, rng)
        if not accepts(planner, played):
            continue
        state, budget = position(played, rng), random_budget(rng)
        view = played.model.view(state, played.model.to_act(state)[0])
        found = []
        for form in (True, False):
            model = model_for(planner, played, view, budget)
            budget.arm(model.meter)
            stream = Rng(case)
            search = planner.clone(native=form).search(model, view, budget, stream)
            found.append(
                {
                    "kept": search_records(search),
                    "plan": [action for _, action in search.plan],
                    "visits": search.visits,
                    "gains": search.gains,
                    "stream": stream.position,
                    "calls": model.meter.calls,
                    "counted": (search.nodes, search.iterations, search.depth),
                    "end": (search.is_won, search.is_complete),
                }
            )
        assert found[0] == found[1], f"{planner} with {budget} in {state}"
