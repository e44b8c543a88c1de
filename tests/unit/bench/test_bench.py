"""Benchmarks called from Python, and what `ludex bench` makes of their rows."""

from __future__ import annotations

import sys

import pytest

from ludex.bench import bench_levels, bench_planner, bench_world, profile_agent
from ludex.bench.result import BenchResult
from ludex.bench.targets import Target, measure


def test_a_world_is_measured_by_its_name():
    found = bench_world("connect_four", seconds=0.1)
    rates = {row["metric"]: row["per_cpu_s"] for row in found.results}
    assert rates["tick"] > rates["tick_py"] > 0
    assert [row["call"] for row in found.overheads] == ["advance", "copy"]
    assert found.notes == []


def test_a_planner_is_measured_where_it_can_play():
    rows = bench_planner("uniform")
    assert {row["world"] for row in rows} == {"connect_four"}
    assert [row["metric"] for row in rows] == [
        "iterations_40ms",
        "model_ticks_40ms",
        "iteration_us",
    ]


def test_words_about_a_world_are_no_results():
    found = BenchResult()
    found.add([{"world": "catan", "metric": "tick", "per_cpu_s": 2.0, "note": "quick"}])
    found.add([{"world": "catan", "note": "nobody to compare with"}])
    assert found.results == [{"world": "catan", "metric": "tick", "per_cpu_s": 2.0}]
    assert [row["note"] for row in found.notes] == ["quick", "nobody to compare with"]


@pytest.fixture
def without_planners(monkeypatch):
    monkeypatch.setattr("ludex.bench.targets.planners_present", lambda: iter(()))


@pytest.mark.usefixtures("without_planners")
def test_every_result_of_catan_has_a_metric_and_notes_have_their_place(answer, monkeypatch):
    monkeypatch.setitem(sys.modules, "catanatron", None)
    found = answer("bench", "catan", "--seconds", 0.1)
    assert all("metric" in row and "note" not in row for row in found["results"])
    assert "typed_by_untyped" in {row["metric"] for row in found["results"]}
    assert [row["world"] for row in found["notes"]] == ["catan", "catan"]
    assert "catanatron is not installed" in found["notes"][-1]["note"]


@pytest.mark.usefixtures("without_planners")
def test_notes_are_lines_below_the_table(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "catanatron", None)
    _, out, _ = run("bench", "catan", "--seconds", 0.1)
    assert "catan: catanatron is not installed" in out


def test_an_interruption_leaves_what_was_measured():
    def interrupted(seconds):
        yield [{"world": "nim", "metric": "tick", "per_cpu_s": 1.0}]
        raise KeyboardInterrupt

    found = BenchResult()
    with pytest.raises(KeyboardInterrupt):
        measure([Target("nim", interrupted)], found, seconds=0.1)
    assert len(found.results) == 1
    assert found.finished == 0


def test_levels_are_judged_from_python():
    reports = bench_levels(["sokoban"])
    assert [one.world.level for one in reports] == [0, 1, 2, 3, 4]
    assert [one.fault for one in reports] == [""] * 5
    assert list(reports[0].games) == ["do_nothing", "uniform"]


def test_an_agent_is_profiled_from_python():
    row = profile_agent("nim", "mcts", budget="50calls", ticks=2)
    assert row["agent"] == "mcts"
    assert row["decisions"] == 2
