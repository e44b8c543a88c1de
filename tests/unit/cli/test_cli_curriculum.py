"""`ludex model coverage`, `ludex model curriculum`, and `ludex model fit` with a schedule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tile_games import play

from ludex.cli import main
from ludex.core import registry
from ludex.models.learned.local import Local
from ludex.models.learned.training.files import load_any, save


def document(capsys, *words):
    assert main(["model", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_coverage_adds_up_over_the_levels(capsys):
    found = document(
        capsys, "coverage", "sokoban", "--levels", "0-1", "--target", "2", "--steps", "20"
    )
    first, second = found["levels"]
    assert (first["level"], second["level"]) == ("0", "1")
    assert first["offered"] + second["new"] == found["offered"]
    assert first["target_offered"] <= second["target_offered"] <= 1
    open_ones = sum(one["missing"] for one in found["missing"])
    assert second["target_offered"] == round(1 - open_ones / found["target"], 4)


def test_coverage_says_what_is_missing(capsys):
    assert main(["model", "coverage", "sokoban", "--levels", "0", "--target", "2"]) == 0
    assert "not offered: 4 of 4 patterns of the target around goal" in capsys.readouterr().out


def test_the_data_of_a_model_count_as_visited(capsys, tmp_path):
    kept = str(tmp_path / "boxes.model")
    save(Local(span=1).fit(play(registry.world("sokoban[level=2]"), 100)), Path(kept))
    words = ["coverage", "sokoban", "--levels", "0", "--target", "2", "--steps", "50"]
    plain, with_data = (
        document(capsys, *words, *more)["levels"][0] for more in ([], ["--data", kept])
    )
    assert with_data["target_cells_seen"] > plain["target_cells_seen"]
    assert with_data["target_offered"] == plain["target_offered"]
    assert main(["model", *words, "--data", kept, "--span", "2"]) != 0
    assert "leave --shape and --span out" in capsys.readouterr().err


def test_fit_learns_in_the_order_of_the_schedule(capsys, tmp_path):
    kept = tmp_path / "boxes.model"
    levels = [f"sokoban[level={number}]" for number in range(3)]
    words = ["fit", *levels, "--model", "local(span=1)", "--steps", "20", "--out", str(kept)]
    found = document(capsys, *words, "--schedule", "novelty", "--rounds", "2")
    assert len(found["levels"]) == 2
    assert found["levels"][0] != str(levels[0])  # the smallest level offers the least
    assert found["transitions"] == load_any(kept).seen_ == 40


def test_a_comparison_has_a_row_for_each_schedule_and_round(capsys):
    words = ["curriculum", "sokoban", "--levels", "0-2", "--seeds", "1", "--steps", "20"]
    found = document(capsys, *words, "--schedules", "fixed,gradual")
    rows = [(one["schedule"], one["rounds"], one["cases"]) for one in found["results"]]
    assert rows == [("fixed", 1, 3), ("fixed", 2, 3), ("gradual", 1, 3), ("gradual", 2, 3)]
    assert all(one["grids_gain"] == 0 for one in found["results"][:2])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["coverage", "nim", "--levels", "0"], "nim has no levels"),
        (["coverage", "sokoban", "--levels", "0-x"], "list of levels such as 0-3,5"),
        (["coverage", "sokoban", "--levels", "3-1"], "at least one"),
        (["coverage", "sokoban", "--levels", "1,1"], "every level once"),
        (["coverage", "sokoban", "--levels", "0-99999"], "at most 1000"),
        (["coverage", "sokoban", "--levels", "0", "--shape", "squar"], "did you mean 'square'"),
        (["coverage", "vgdl/sokoban", "--levels", "77"], "has no level 77"),
        (["curriculum", "sokoban", "--levels", "0-1"], "at least 3 levels"),
        (["curriculum", "sokoban", "--levels", "0-2", "--schedules", "best"], "no schedule named"),
        (["fit", "sokoban", "--out", "x.model", "--schedule", "novel"], "'novelty'"),
    ],
)
def test_bad_words_are_answered_in_a_sentence(capsys, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    assert main(["model", *words]) != 0
    told = capsys.readouterr().err
    assert said in told
    assert "Traceback" not in told
