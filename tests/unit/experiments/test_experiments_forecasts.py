"""Studies of prediction-based search: what is printed, and what is counted."""

from __future__ import annotations

import json
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from object_games import scene

from ludex.cli.app import main
from ludex.core.errors import LudexError
from ludex.experiments.catalogue import surveys
from ludex.experiments.collection import Collection
from ludex.experiments.prediction import accuracy, object_accuracy, structure
from ludex.experiments.prediction.accuracy import LocalAccuracy, TrainingRows, cross_validated
from ludex.experiments.prediction.object_accuracy import by_play, share_of_unlike, unmoved
from ludex.experiments.prediction.structure import StructureOnSokoban, level_of, watched
from ludex.experiments.survey import measure
from ludex.models.learned.classifiers.fitting import ClassifierSettings
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.structure.graph import Network
from ludex.models.learned.training.transitions import Transition, as_observed


def test_the_studies_are_listed():
    assert {"PBS-44", "PBS-45", "PBS-46"} <= set(surveys())


# Structure


@pytest.fixture(scope="module")
def level():
    return level_of(watched(600))


def test_walls_are_no_variables(level):
    # One stone is a room of 4 x 4 cells with one pillar.
    assert level.cells == 15
    assert level.table.variables == 2 * 15 + 1
    assert level.table.sizes[15] == 4  # the action


def test_only_what_came_before_may_explain_what_came_after(level):
    before, after = np.nonzero(level.allowed)
    assert before.max() == 15
    assert after.min() == 16
    assert level.allowed.sum() == 16 * 15


def test_an_edge_is_near_when_both_cells_are(level):
    here = level.places.index((1, 1))
    for place, near in (((1, 1), True), ((3, 3), False), ((2, 3), True), ((1, 4), False)):
        if place in level.places:
            assert level.is_near((here, 16 + level.places.index(place))) is near
    with pytest.raises(ValueError, match="not in tuple"):
        level.places.index((3, 3))  # the pillar


def test_scores_are_ranked_as_the_source_ranks_them(tmp_path, monkeypatch):
    monkeypatch.setitem(structure.STEPS, "tiny", 1500)
    monkeypatch.setattr(StructureOnSokoban, "fresh", 100)
    readings = measure(StructureOnSokoban(), "tiny", tmp_path)
    found = {(one.experiment, one.what): one.measured for one in readings}
    scores = [
        found[name, "BIC"]
        for name in ("tabu", "hc", "rsmax2(mmpc, hc)", "rsmax2(gs, hc)")
    ]  # fmt: skip
    assert scores == sorted(scores, reverse=True)
    assert found["hc", "edges at most 2 cells long, %"] >= 90
    printed = {(one.experiment, one.what): one.printed for one in readings}
    assert printed["hc", "edges"] == 43
    assert printed["rsmax2(mmpc, tabu)", "tests"] == 9705
    few, all_ = (
        found[f"decomposed, {inputs}", "inputs of a cell"] for inputs in ("hill_climbing", "all")
    )
    assert few < all_ == 16


def test_edges_are_counted_by_what_they_join(level):
    survey = StructureOnSokoban()
    self_edge, other, action = (0, 16), (1, 16), (15, 17)
    known = structure.LearnedStructure(Network(frozenset((self_edge, other, action))), 7, -1.0)
    edges, tests, bic, near = survey.read("hc", lambda: level, lambda name: known)
    assert edges.measured == 3
    assert edges.note == "1 between cells, 1 from a cell to itself, 1 from the action"
    assert (tests.measured, bic.measured, near.measured) == (7, -1.0, 100.0)


# Accuracy


def test_cross_validation_counts_every_row_once():
    rows = TrainingRows(np.zeros((10, 2), np.uint16), np.array([1] * 9 + [2], np.uint16))
    # The last row is predicted as 1; of the others each is predicted right.
    assert cross_validated(ClassifierSettings(), rows, 5) == pytest.approx(0.9)


def test_cross_validation_does_not_see_what_it_is_asked():
    dice = np.random.default_rng(0)
    rows = TrainingRows(
        dice.integers(0, 1000, (600, 3), dtype=np.uint16), dice.integers(0, 2, 600, np.uint16)
    )
    assert abs(cross_validated(ClassifierSettings(), rows, 3) - 0.5) < 0.1


def test_boosting_that_finds_nothing_says_what_came_most_often():
    rows = TrainingRows(np.zeros((30, 1), np.uint16), np.tile(np.arange(3, dtype=np.uint16), 10))
    assert 0.0 <= cross_validated(ClassifierSettings("boosting"), rows, 3) <= 0.5


def test_the_whole_grid_is_that_of_the_source():
    sizes = [len(accuracy.settings_tried(one, is_whole=True)) for one in accuracy.PRINTED]
    assert sizes == [4 * 2, 4 * 3, 3, 3, 1]


def test_games_are_measured_beside_what_was_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(accuracy.SIZES, "tiny", accuracy.AccuracyScale(1, 1, 1, 30, 150, 2))
    monkeypatch.setattr(accuracy, "PRINTED", {"tree": accuracy.PRINTED["tree"]})
    assert main(["reproduce", "PBS-45", "--out", str(tmp_path), "--json"]) == 0
    readings = json.loads(capsys.readouterr().out)["readings"]
    tree = [one for one in readings if one["what"] == "mean accuracy"]
    assert [one["printed"] for one in tree] == list(accuracy.PRINTED["tree"])
    assert all(0.5 < one["measured"] <= 1.0 for one in tree)
    [chase] = [one for one in readings if one["what"] == "accuracy, chase"]
    assert chase["printed"] == 0.98
    beyond = [one for one in readings if one["experiment"] == "local(span=3)"]
    assert {"cells", "changed_cells", "grids"} <= {one["what"] for one in beyond}


# Accuracy of object-based models


def walk(*columns):
    """Transitions of an avatar that walks beside a wall, from column to column."""
    scenes = [scene(("w", 1, 0, 0), ("A", 2, x, 3), score=0.0) for x in columns]
    return [
        Transition(as_observed(before), (int(after.objects[1].x > before.objects[1].x),),
                   as_observed(after))
        for before, after in pairwise(scenes)
    ]  # fmt: skip


def test_a_forecast_that_nothing_changes_is_right_about_all_that_stays():
    seen = walk(1, 2, 3, 3, 4, 5, 6)
    found = unmoved(ObjectBased().fit(seen), seen)
    # Two objects in six steps; in five of them the avatar goes, in one it stays.
    assert found["things, if nothing changed"] == pytest.approx(7 / 12)
    assert found["states, if nothing changed"] == pytest.approx(1 / 6)
    assert found["states_5, if nothing changed"] == 0.0


def test_objects_are_counted_play_by_play():
    learner = ObjectBased().fit(walk(1, 2, 3, 4, 5, 6))
    # It has seen steps to the right alone, so what goes left comes as a surprise: one of two
    # objects is wrong, and where it is predicted to be nobody is.
    assert by_play(learner, [walk(1, 2, 3), walk(5, 4)]) == [1.0, 0.5]


def test_unlike_situations_are_predicted_from_others_of_their_kind():
    rows = np.arange(60, dtype=np.uint16)[:, None]
    kinds = {
        0: SimpleNamespace(
            rows=rows, changes=["stays" if row < 30 else "goes" for row in range(60)]
        ),
        1: SimpleNamespace(rows=rows, changes=["stays"] * 60),  # nothing to predict
        2: SimpleNamespace(rows=rows[:1], changes=["goes"]),  # too little
    }
    learner = SimpleNamespace(models_=kinds, classifier_settings=ClassifierSettings())
    assert 56 / 60 <= share_of_unlike(learner, 3) < 1.0  # but for those at the border


def test_games_of_objects_are_measured_beside_the_printed_range(tmp_path, monkeypatch, answer):
    monkeypatch.setitem(accuracy.SIZES, "tiny", accuracy.AccuracyScale(2, 1, 2, 30, 150, 2))
    readings = answer("reproduce", "PBS-46", "--out", tmp_path)["readings"]
    source = {one["what"]: one for one in readings if one["experiment"] == "as the source"}
    assert source["things, lowest"]["printed"] == 0.614
    assert source["things, highest"]["printed"] == 0.998
    of_games = [one["measured"] for what, one in source.items() if what.startswith("things, ")]
    assert source["things, lowest"]["measured"] == min(of_games[:4])
    assert {"changed_things", "states", "states_5", "calibration_error"} <= set(source)
    assert {one["experiment"] for one in readings} == set(object_accuracy.LEARNERS)


# Bad input


def test_a_collection_without_these_games_is_refused(tmp_path, capsys):
    (tmp_path / "thing.txt").write_text("BasicGame\n")
    (tmp_path / "thing_lvl0.txt").write_text("w\n")
    out = str(tmp_path / "out")
    assert main(["reproduce", "PBS-45", "--games", str(tmp_path), "--out", out]) != 0
    assert "none of the games of this experiment" in capsys.readouterr().err


def test_a_survey_without_games_refuses_a_collection(tmp_path, capsys):
    assert main(["reproduce", "PBS-44", "--games", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert "--games goes with experiments on VGDL games, not PBS-44" in capsys.readouterr().err


def test_a_survey_that_was_begun_with_other_games_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(LocalAccuracy, "parts", lambda self, scale: {"one": list})
    for name, refused in (("ours", False), ("theirs", True)):
        survey = LocalAccuracy()
        survey.collection = Collection(name, {})
        if refused:
            with pytest.raises(LudexError, match="was begun with ours, and not with theirs"):
                measure(survey, "tiny", tmp_path)
        else:
            assert measure(survey, "tiny", tmp_path) == []
