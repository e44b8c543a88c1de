"""Searches through states in their native form: when it runs, what it keeps, and what ends it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import pytest

from ludex.agents.compose import make_agent
from ludex.core import Budget, Meter, Rng, registry
from ludex.planners import iterated_width
from ludex.planners.a_star import AStar
from ludex.planners.beam import Beam
from ludex.planners.best_first import BestFirst
from ludex.planners.breadth_first import BreadthFirst
from ludex.planners.iterated_width import IteratedWidth
from ludex.worlds.connect_four.world import ConnectFourModel

ALL = [BreadthFirst(), BestFirst(), AStar(), IteratedWidth(), Beam()]
FOUR = registry.world("connect_four")
ZELDA = registry.world("vgdl/zelda")
FEW = Budget(iterations=20)


def decide(planner, model=None, world=FOUR, budget=FEW):
    model = (world.model if model is None else model).metered(Meter())
    return planner.decide(model, model.view(world.start(Rng(1)), 0), budget, Rng(1))


def searched(planner, world, budget):
    model = world.model.metered(Meter())
    budget.arm(model.meter, native=planner.native)
    return planner.search(model, model.view(world.start(Rng(1)), 0), budget, Rng(1))


@pytest.mark.parametrize("planner", ALL)
def test_the_twin_runs_where_the_model_is_native(planner):
    assert decide(planner).notes["search"] == "native"
    assert decide(planner.clone(native=False)).notes["search"] == "python"


def test_a_guess_of_ones_own_keeps_the_search_in_python():
    @dataclass(frozen=True, kw_only=True)
    class Mine(AStar):
        """Knows more."""

        def guess(self, model, state, seat):
            return 7.0

    assert decide(Mine()).notes["search"].startswith("python: Mine may search otherwise")


class Featured(ConnectFourModel):
    """Says in Python what is new in a state, and how far it is from a win."""

    def features(self, state):
        return [state.discs(0)]

    def distance(self, state, seat):
        return 1.0


ASKED = {"breadth_first": "native", "iterated_width": "python: the features of this world"}


@pytest.mark.parametrize("planner", ALL)
def test_features_and_distances_in_python_keep_those_who_ask_for_them_in_python(planner):
    expected = ASKED.get(planner.name, "python: the distance of this world")
    assert decide(planner, Featured()).notes["search"].startswith(expected)


IGNORED = [(), ("tick",), ("score", "ids"), ("tick", "ids", "score", "orientation"), ("moon",)]


@pytest.mark.parametrize("name", ["vgdl/zelda", "vgdl/aliens", "catan[view=open]", "hearthstone"])
@pytest.mark.parametrize("ignore", [*IGNORED, ("turn", "offers")])
def test_short_keys_are_equal_where_keys_are(name, ignore):
    world = registry.world(name)
    model = world.model.metered(Meter())
    shorts, longs = defaultdict(set), defaultdict(set)
    for game in range(3):
        state, rng = world.start(Rng(game)), Rng(game)
        for _ in range(120):
            model.settle(state, rng)
            long, short = model.key(state, ignore=ignore), model.native_key(state, ignore)
            shorts[long].add(short)
            longs[short].add(long)
            if not (seats := model.to_act(state)):
                break
            joint = tuple(rng.choice(list(model.legal(state, seat))) for seat in seats)
            model.advance(state, joint, rng)
    assert {len(found) for found in (*shorts.values(), *longs.values())} == {1}


@pytest.mark.parametrize("name", ["vgdl/zelda", "vgdl/aliens", "vgdl/sokoban", "vgdl/butterflies"])
def test_the_native_distance_is_that_of_the_model(name):
    world = registry.world(name)
    found = searched(BestFirst(), world, Budget(iterations=30)).found.kept()
    plain = searched(BestFirst(native=False), world, Budget(iterations=30)).kept
    assert [row[5] for row in found] == [node.hint for node in plain]


def test_pairs_of_facts_end_with_the_room_for_them(monkeypatch):
    planner, budget = IteratedWidth(least_width=2), Budget(iterations=400)
    plenty = searched(planner, ZELDA, budget)
    monkeypatch.setattr(iterated_width, "MOST_FACTS", 30)
    few, plain = (searched(planner.clone(native=form), ZELDA, budget) for form in (True, False))
    assert few.iterations == plain.iterations < plenty.iterations
    assert few.nodes == plain.nodes
    assert not few.is_complete


def test_room_of_states_that_were_expanded_is_used_again():
    # In IW all waiting states are few; those that were expanded would take more.
    search = searched(IteratedWidth(), ZELDA, Budget(iterations=4000))
    kept = len(search.found.kept())
    state = len(ZELDA.model.key(ZELDA.start(Rng(1))))
    assert kept > 1000
    assert search.found.memory < kept * state


@pytest.mark.parametrize("planner", ALL)
def test_a_search_ends_with_the_states_that_there_is_room_for(planner):
    for form in (True, False):
        search = searched(planner.clone(native=form, max_nodes=50), ZELDA, Budget(iterations=400))
        assert 50 <= search.nodes < 60
        assert not search.is_complete


@pytest.mark.parametrize("planner", ALL)
def test_a_decision_ends_on_time(planner):
    overshoots = []
    for seed in range(4):
        model = registry.world("vgdl/aliens").model.metered(Meter())
        state = registry.world("vgdl/aliens").start(Rng(seed))
        decision = planner.decide(model, model.view(state, 0), Budget(time_ms=20), Rng(seed))
        overshoots.append(decision.cpu_ms - 20)
    assert min(overshoots) < 2


@pytest.mark.parametrize("name", ["beam(width={0},max_depth={0})", "iterated_width(max_nodes={0})"])
def test_numbers_beyond_all_bounds_are_as_good_as_large_ones(name):
    world = registry.world("vgdl/sokoban")
    found = {
        decide(make_agent(name.format(number)), world=world).action for number in (10**9, 10**30)
    }
    assert len(found) == 1
