"""Studies of prediction-based search: printed tables, clusters, models that are learned first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludex.arena.statistics.results import read_results
from ludex.arena.study.study import Game
from ludex.experiments.collection import Collection
from ludex.experiments.estimates import Estimate
from ludex.experiments.experiment import Arm, ExperimentPlan, ResultTable
from ludex.experiments.prediction import constant
from ludex.experiments.prediction.clusters import Clusters, clusters_of, dendrogram_svg
from ludex.experiments.prediction.constant import Constant, ConstantScale
from ludex.experiments.prediction.constant_printed import ARMS, POINTS, printed
from ludex.experiments.prediction.curve_plot import Point, as_svg
from ludex.experiments.run import reproduce
from ludex.experiments.survey import measure

# What was printed


def test_the_printed_table_is_whole():
    table = printed()
    assert len(table) == 30
    assert all(tuple(found) == ARMS for found in table.values())
    assert table["labyrinth"]["LFM-BFS"].line.win_rate == 0.3
    assert table["painter"]["LFM-MCTS"].line.ticks_lost is None
    assert table["whackamole"]["OBFM-MCTS"].place == 3


def test_the_rule_gives_every_printed_place_and_all_points(tmp_path):
    readings = measure(Clusters(), "tiny", tmp_path)
    told = {(one.experiment, one.what): one for one in readings}
    assert told["places", "that the rule gives"].measured == 210
    assert [told["points", arm].measured for arm in ARMS] == list(POINTS)


# Clusters


def test_games_with_like_places_are_one_cluster():
    ranks = {"a": [1, 2, 3], "b": [3, 2, 1], "c": [1, 3, 2], "d": [3, 1, 2]}
    assert clusters_of(ranks, 2) == {"a": 1, "c": 1, "b": 2, "d": 2}


def test_linkage_is_complete():
    # By its nearest game, e hangs on the others last. By the farthest ones, c and d lie 3.2 from e
    # and 3.3 from a, so they join e.
    ranks = {"a": [0.0], "b": [1.0], "c": [2.1], "d": [3.3], "e": [5.3]}
    assert clusters_of(ranks, 2) == {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2}


def test_one_game_is_a_cluster_of_its_own():
    assert clusters_of({"a": [1, 2]}, 4) == {"a": 1}


def test_games_for_local_and_for_object_based_models_lie_apart(tmp_path):
    readings = measure(Clusters(), "tiny", tmp_path)
    group = {one.what: one.measured for one in readings if one.experiment == "cluster"}
    assert len(set(group.values())) == 4
    assert group["sokoban"] == group["realsokoban"] == group["run"]
    assert group["painter"] == group["labyrinthdual"] == group["decepticoins"]
    assert group["painter"] != group["sokoban"]
    assert "<svg" in (tmp_path / "pbs-43.svg").read_text()


def test_the_picture_names_every_game():
    ranks = {"one": [1, 2], "two": [2, 1], "three": [1, 1]}
    picture = dendrogram_svg(ranks)
    assert all(f">{game}</text>" in picture for game in ranks)
    assert picture.count("<polyline") == 2  # as many joints as games, but for one


def test_a_learning_curve_has_its_intervals_and_a_line_for_the_rules():
    points = [
        Point("Random", 0, Estimate(0.0, 9, (0.0, 0.5)), Estimate(1.0, 9, (0.0, 2.0))),
        Point("LFM-BFS", 100, Estimate(0.5, 9, (0.2, 0.8)), Estimate(4.0, 9, (3.0, 5.0))),
        Point("true BFS", None, Estimate(1.0, 2, None), Estimate(8.0, 2, None)),
    ]
    picture = as_svg(points)
    assert picture.count("<circle") == 4  # two points of experience, in two panels
    assert picture.count("stroke-dasharray") == 2
    # Wins reach from 0 to 1 over 210 pixels, from the ground at 250: half of them at 145.
    assert 'cx="390.0" cy="145.0"' in picture


# Plans whose agents differ by game


def plan_of(*agents, **rest):
    games = (Game("one", "sokoban"), Game("two", "sokoban[level=1]"))
    arms = tuple(Arm(agent, agent, "9calls") for agent in agents)
    return ExperimentPlan(arms=arms, games=games, repetitions=1, claims=(), deviations=(), **rest)


def test_an_agent_may_depend_on_the_game():
    made = plan_of("uniform", "one_step@local(file={game}.model)").studies("X")
    assert list(made) == ["X one 9calls", "X two 9calls"]
    agents = [study.agents[1].agent for study in made.values()]
    assert agents == ["one_step@local(file=one.model)", "one_step@local(file=two.model)"]
    assert [game.label for study in made.values() for game in study.games] == ["one", "two"]


def test_others_are_played_in_one_study_for_each_budget():
    (study,) = plan_of("uniform", max_ticks=7).studies("X").values()
    assert len(study.games) == 2
    assert study.rules.max_ticks == 7


def test_a_table_is_written_for_a_page():
    lines = ResultTable("Points", ("arm", "n"), (("a", "3"),)).as_markdown()
    assert lines == ["Points:", "", "| arm | n |", "|---|--:|", "| a | 3 |"]


# The study of constant models


@pytest.fixture
def smallest(monkeypatch):
    """One level of one game, a few ticks."""
    monkeypatch.setitem(constant.SIZES, "tiny", ConstantScale(1, 1, 1, 40, 4, (10,), 1))
    monkeypatch.setattr(constant, "BUDGET", "20calls")
    return Constant()


def test_models_are_learned_once_then_searched(smallest, tmp_path):
    made = []
    done = [
        reproduce(
            smallest, "tiny", Collection.of_ludex(), tmp_path, workers=0,
            making=lambda what, number, total: made.append(what),
        )
        for _ in range(2)
    ]  # fmt: skip
    assert made == ["models of sokoban"]
    assert done[0].tables == done[1].tables
    games = {row.arm.label: row.games for row in done[0].arms}
    assert set(games.values()) == {1}
    assert {"Random", "LFM-BFS", "LFM-RHEA", "LFM-MCTS", "true BFS", "10 ticks"} <= set(games)
    (store,) = done[0].stores
    assert [row for row in read_results(store).rows if row.faults] == []


def test_searches_with_the_rules_differ_by_their_model_alone(smallest):
    arms = {arm.label: arm for arm in smallest.plan("tiny", Collection.of_ludex()).arms}
    for name in ("BFS", "RHEA", "MCTS"):
        searches = {arms[f"{one}-{name}"].agent.partition("@")[0] for one in ("LFM", "OBFM")}
        assert searches == {arms[f"true {name}"].agent}
        assert arms[f"true {name}"].budget == arms[f"LFM-{name}"].budget


def test_models_of_another_collection_are_not_taken_for_those_of_this_one(smallest, tmp_path):
    made = []
    plan = smallest.plan("tiny", Collection.of_ludex())
    smallest.folder = tmp_path
    for world in ("vgdl/sokoban", "vgdl/sokoban", "vgdl/chase"):
        games = (Game("sokoban", world, (0,)),)
        smallest.prepare(replace(plan, games=games), lambda what, *_: made.append(what))
    assert made == ["models of sokoban"] * 2


def test_tables_put_printed_beside_measured(smallest, tmp_path):
    done = reproduce(smallest, "tiny", Collection.of_ludex(), tmp_path, workers=0)
    points, game, curve, clusters = done.tables
    assert points.heads == ("arm", "printed", "measured")
    assert {row[0]: row[1] for row in game.rows}["LFM-RHEA"] == "0.08"
    assert [row[1] for row in curve.rows] == ["0", "10", "40", "the rules"]
    assert [row[0] for row in clusters.rows] == ["sokoban"]
    assert "<svg" in (tmp_path / "pbs-47-1-games.svg").read_text()
    assert done.as_markdown().count("| LFM-BFS |") >= 3
