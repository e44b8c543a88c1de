"""`ludex bench vgdl`, beside invented figures of Java and an invented yardstick."""

from __future__ import annotations

import json
import shutil
from math import sqrt
from pathlib import Path

import pytest

from ludex.bench.java import Java, read_java
from ludex.bench.panel import Panel, ratios
from ludex.cli.app import main
from ludex.cli.bench.panel_tables import show_games
from ludex.core import registry
from ludex.core.errors import LudexError
from ludex.worlds.vgdl.world import GAMES

METRICS = ["tick", "copy_tick", "copy", "rollout_tick", "tick_py"]
PLANNED = ["iterations_40ms", "model_ticks_40ms", "root_iterations_40ms"]
FIGURES = {
    "yardstick": {"ticks": 1000.0, "copies": 200.0},
    "games": [
        {
            "game": "aliens",
            "folder": "grid",
            "advance_per_cpu_s": 100,
            "samplemcts_iterations_40ms": 5,
            "samplerhea_advances_40ms": 10,
            "olets_advances_40ms": 20,
        },
        {"game": "nowhere", "folder": "grid", "advance_per_cpu_s": 100},
    ],
}
# This machine would be 2 x as fast in one rate and 8 x in the other: 4 x by their mean.
YARDSTICK = """
#include <cstdio>
int main() { std::puts("bench median/s\\nticks 2e3 [..]\\ncopies 1.6e3 [..]"); }
"""


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    """A folder of reference data with one game of two and figures for both."""
    games = tmp_path / "data" / "gvgai"
    (games / "grid").mkdir(parents=True)
    (tmp_path / "limits").mkdir()
    shutil.copy(GAMES / "aliens" / "game.txt", games / "grid" / "aliens.txt")
    shutil.copy(GAMES / "aliens" / "level0.txt", games / "grid" / "aliens_lvl0.txt")
    (games / "java-speed.json").write_text(json.dumps(FIGURES))
    (tmp_path / "limits" / "yardstick.cpp").write_text(YARDSTICK)
    monkeypatch.delenv("LUDEX_SHARED", raising=False)
    return games


def bench(capsys, *arguments) -> tuple[int, dict]:
    status = main(["bench", "vgdl", "--seconds", "0.1", "--json", *map(str, arguments)])
    return status, json.loads(capsys.readouterr().out)


@pytest.fixture
def measured(data, capsys) -> dict:
    status, document = bench(capsys, "--games", data)
    assert status == 0
    return document


def test_a_game_of_the_panel_has_all_metrics_once_in_the_agreed_shape(measured):
    rows = measured["results"]
    assert [row["metric"] for row in rows] == METRICS + PLANNED
    for row in rows:
        assert (row["world"], row["folder"], row["game"]) == ("vgdl", "grid", "aliens")
        assert row["value" if "planner" in row else "per_cpu_s"] > 0
    assert {row["planner"] for row in rows if "value" in row} == {"open_loop_mcts"}


def test_ratios_are_against_figures_carried_by_the_yardstick(measured):
    assert measured["yardstick"] == {"scale": pytest.approx(4.0), "problem": None}
    rows = {row["metric"]: row for row in measured["results"] if "java" in row}
    assert {metric: row["java"] for metric, row in rows.items()} == {
        "tick": 400,
        "root_iterations_40ms": 20,
    }
    assert rows["tick"]["ratio"] == pytest.approx(rows["tick"]["per_cpu_s"] / 400, rel=1e-3)


def test_games_that_are_not_in_the_folder_are_named(measured):
    assert measured["missing"] == ["nowhere"]


def test_without_a_yardstick_the_figures_stay_as_measured_and_the_answer_says_so(data, capsys):
    (data.parents[1] / "limits" / "yardstick.cpp").unlink()
    _, document = bench(capsys, "--games", data)
    assert document["yardstick"]["scale"] == 1.0
    assert "no reference data" in document["yardstick"]["problem"]
    assert document["results"][0]["java"] == 100


def test_without_figures_every_game_of_the_folder_is_measured(data, capsys):
    (data / "java-speed.json").unlink()
    _, document = bench(capsys, "--games", data)
    assert {row["game"] for row in document["results"]} == {"aliens"}
    assert document["ratios"] == []


def test_without_reference_data_our_own_games_are_measured(monkeypatch, capsys):
    monkeypatch.delenv("LUDEX_SHARED", raising=False)
    monkeypatch.setattr("ludex.bench.panel.rates", lambda world, seconds: iter([("tick", 1.0)]))
    _, document = bench(capsys)
    names = [path.name for path in sorted(GAMES.iterdir())]
    assert list(dict.fromkeys(row["game"] for row in document["results"])) == names


def test_the_tables_fit_a_narrow_screen_with_every_name_whole(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    games = ["aliens", "missilecommand", "survivezombies"]
    rows = [
        {"folder": "grid", "game": game, "metric": metric, "ratio": 1234.5}
        | (
            {"planner": "open_loop_mcts", "value": 123456.0}
            if metric in PLANNED
            else {"per_cpu_s": 4.56e6}
        )
        for game in games
        for metric in METRICS + PLANNED
        if metric not in ("rollout_tick", "tick_py")  # Java has no such figure
    ]
    show_games(Panel([], Java(games={("grid", "aliens"): {}}, problem="not carried")), rows)
    out = capsys.readouterr().out
    assert max(len(line.rstrip()) for line in out.splitlines()) <= 80
    assert "…" not in out
    for words in (*games, "copy_tick", "from the root", "open_loop_mcts", "50 x, each 15 x"):
        assert words in out


def test_the_table_has_the_goals(data, capsys):
    assert main(["bench", "vgdl", "--seconds", "0.1", "--games", str(data)]) == 0
    out = capsys.readouterr().out
    assert "geometric mean" in out
    assert "this machine is 4.00 x theirs" in out
    assert "not in the folder: nowhere" in out


def test_ctrl_c_prints_the_games_that_are_measured(data, capsys, monkeypatch):
    def interrupt(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("ludex.bench.timing.planner_rates", interrupt)
    status, document = bench(capsys, "--games", data)
    assert status == 130
    assert [row["metric"] for row in document["results"]] == METRICS


def test_the_panel_is_judged_by_geometric_mean_and_least_ratio():
    rows = [
        {"game": "a", "metric": "tick", "ratio": 20.0},
        {"game": "b", "metric": "tick", "ratio": 180.0},
        {"game": "a", "metric": "copy_tick", "ratio": 100.0},
        {"game": "b", "metric": "copy_tick", "ratio": 200.0},
    ]
    tick, copy_tick = ratios(rows)
    assert tick["geometric_mean"] == pytest.approx(60.0)
    assert (tick["least"], tick["least_game"], tick["met"]) == (20.0, "a", True)
    assert copy_tick["geometric_mean"] == pytest.approx(sqrt(20_000), rel=1e-3)
    assert copy_tick["met"] is False


def test_a_game_below_the_goal_for_each_spoils_the_panel():
    rows = [
        {"game": "a", "metric": "tick", "ratio": 14.0},
        {"game": "b", "metric": "tick", "ratio": 1400.0},
    ]
    assert ratios(rows)[0]["met"] is False


def test_figures_that_cannot_be_read_are_one_sentence(tmp_path):
    path = tmp_path / "java-speed.json"
    path.write_text('{"games": 3}')
    with pytest.raises(LudexError, match=r"cannot read Java's figures in '.*java-speed\.json'"):
        read_java(path)


def test_a_metric_that_java_was_not_measured_in_has_no_figure():
    java = Java({("grid", "a"): {"advance_per_cpu_s": 7.0}}, scale=2.0)
    assert java.figure("grid", "a", "tick") == 14.0
    assert java.figure("grid", "a", "tick_py") is None
    assert java.figure("grid", "b", "tick") is None


def test_every_planner_is_measured_in_the_games_of_the_panel(data, capsys):
    given = ["bench", "planners", "--seconds", "0.1", "--json", "--games", str(data)]
    assert main(given) == 0
    document = json.loads(capsys.readouterr().out)
    rows = [row for row in document["results"] if row["world"] == "vgdl"]
    aliens = registry.world("vgdl/aliens").traits
    able = [
        name
        for name in registry.names("planners")
        if registry.load("planners", name)().refusal(aliens) is None
    ]
    assert [row["planner"] for row in rows] == [name for name in able for _ in range(2)]
    assert [row["metric"] for row in rows[:2]] == ["iterations_40ms", "model_ticks_40ms"]
    java = {row["planner"]: row["java"] for row in rows if "java" in row}
    assert java == {"rhea": 40, "olets": 80}  # 4 x as fast here
    goals = {row["planner"]: row["goal"] for row in document["ratios"] if row["against"] == "java"}
    assert goals == {"rhea": 90, "olets": 60}
    twins = {row["planner"] for row in document["ratios"] if row["against"] == "python"}
    assert {"mcts", "open_loop_mcts"} <= twins


def test_a_search_that_is_slower_than_python_in_one_game_misses_its_goal():
    rows = [
        {"planner": "open_loop_mcts", "game": "a", "metric": "model_ticks_40ms"}
        | {"ratio": 400.0, "times_python": 0.9},
        {"planner": "open_loop_mcts", "game": "b", "metric": "model_ticks_40ms"}
        | {"ratio": 100.0, "times_python": 5.0},
    ]
    java, python = ratios(rows)
    assert (java["against"], java["met"]) == ("java", True)
    assert (python["against"], python["least_game"], python["met"]) == ("python", "a", False)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["bench", "vgdl", "--games", "/nowhere"], "there is no folder '/nowhere'"),
        (["bench", "nim", "--games", "."], "--games goes with the target vgdl or planners"),
    ],
)
def test_a_folder_that_makes_no_sense_is_one_sentence(arguments, words, capsys):
    assert main(arguments) == 2
    assert words in capsys.readouterr().err
