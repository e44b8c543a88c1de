"""Native searches beside the same searches in Python."""

import pytest

from ludex.bench.native_searches import SEARCHES, Search, python_form, row_of, view_at
from ludex.core import registry
from ludex.planners.mcts import Mcts


def test_both_forms_are_measured_in_one_run():
    row = row_of(Search("mcts", "connect_four", "iterations_40ms", 1.0))
    assert row["value"] > row["python"] > 0
    assert row["times_python"] == pytest.approx(row["value"] / row["python"], rel=0.01)
    assert row["met"] is True


def test_a_goal_against_python_is_of_the_ratio():
    row = row_of(Search("mcts", "connect_four", "iterations_40ms", 1e6, against_python=True))
    assert (row["goal_is_of"], row["met"]) == ("times_python", False)


def test_seconds_are_met_from_below():
    parameters = (("rollout", "none"),)
    slow, quick = (
        row_of(Search("mcts", "connect_four", "seconds_10000", goal, parameters=parameters))
        for goal in (1e-9, 1e9)
    )
    assert (slow["met"], quick["met"]) == (False, True)


def test_a_search_that_runs_in_python_anyway_has_no_second_form():
    assert python_form(Mcts(), registry.world("nim")) is None
    assert python_form(Mcts(native=False), registry.world("connect_four")) is None
    assert python_form(Mcts(), registry.world("connect_four")).native is False


@pytest.mark.parametrize("search", SEARCHES, ids=lambda one: f"{one.planner}-{one.metric}")
def test_every_listed_search_plays_its_world(search):
    world = registry.world(search.world)
    planner = registry.load("planners", search.planner)(**dict(search.parameters))
    assert planner.refusal(world.traits) is None
    assert len(view_at(world, search.position).legal) > 1
