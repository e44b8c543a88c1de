"""The Nora study, measured again: what is printed, what is learned once, how it is told."""

from __future__ import annotations

import json

import pytest

from ludex.agents.hearthstone.parts.matches import Tally
from ludex.cli.app import main
from ludex.studies.catalogue import surveys
from ludex.studies.hearthstone import beyond, nora
from ludex.studies.survey import Reading, as_markdown

WANTED = [f"HSN-E{number}" for number in (1, 3, 4, 5, 6, 7, 8, 10, 11)]


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Forests of a moment, in a folder of their own."""
    pytest.importorskip("sklearn")
    monkeypatch.setitem(nora.SIZES, "tiny", nora.Size(40, 20, 200, 10, 40, 20))
    learn = nora.learning.learn
    learned = []

    def grow_few(recipe, tell, workers):
        learned.append(recipe)
        few = nora.Recipe(**{**vars(recipe), "trees": 3, "least": 5})
        return learn(few, tell, workers)

    monkeypatch.setattr(nora.learning, "learn", grow_few)
    return tmp_path, learned


def test_the_experiments_of_the_study_are_listed():
    assert [name for name in surveys() if name.startswith("HSN-E")] == WANTED


def test_players_without_learning_are_calibrated_as_published():
    [won, drawn] = nora.RandomAndScripted().readings("tiny")
    assert (won.printed, drawn.printed) == (0.934, 0.036)
    assert won.low <= 0.934 <= won.high
    [won, drawn] = nora.RandomPlay().readings("tiny")
    assert won.low <= 50.22 <= won.high
    assert drawn.low <= 0.68 <= drawn.high


def test_forests_are_learned_once_and_shared(quick):
    folder, learned = quick
    for survey in (nora.NoraAndRandom, nora.NoraAndScripted, nora.Memory):
        [first, *_] = survey(folder=folder).readings("tiny")
        assert first.measured >= 0
    assert len(learned) == 1


def test_other_seeds_grow_other_trees_from_the_same_games(quick):
    folder, learned = quick
    readings = nora.OtherSeeds(folder=folder).readings("tiny")
    assert [one.printed for one in readings[:2]] == [93.31, 10.96]
    assert [(recipe.seed, recipe.data_seed) for recipe in learned] == [(n, 0) for n in (1, 2, 3, 4)]


def test_curves_are_kept_beside_the_areas(quick):
    folder, _ = quick
    readings = nora.Areas(folder=folder).readings("tiny")
    assert [one.what for one in readings[:2]] == ["ROC area, play", "PR area, play"]
    assert all(one.printed is None and 0 <= one.measured <= 1 for one in readings)
    assert (folder / "curves.svg").read_text().startswith("<svg")


def test_a_high_threshold_leaves_nora_idle(quick):
    folder, _ = quick
    readings = nora.Thresholds(folder=folder).readings("tiny")
    assert len(readings) == 20
    assert readings[0].measured > readings[18].measured


def test_behaviour_counts_whom_nora_hits(quick):
    folder, _ = quick
    found = {one.what: one for one in nora.Behaviour(folder=folder).readings("tiny")}
    assert 0 <= found["Fireblast on an enemy, %"].measured <= 100


def test_reproduce_prints_what_was_printed_beside_what_was_measured(quick, capsys):
    folder, _ = quick
    assert main(["reproduce", "hsn-e5", "--out", str(folder), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["readings"][0]["printed"] == 92.798
    assert answer["readings"][0]["low"] < answer["readings"][0]["high"]


def test_readings_without_a_printed_number_have_no_difference():
    made = nora.Areas()
    page = as_markdown(made, [Reading("E1", "area", None, 0.5), Reading("E4", "GiB", 14, 7, "n")])
    assert "| E1 | area | - | 0.5 |" in page
    assert "| E4 | GiB | 14 | 7 | | -50% | n |" in page


def test_beyond_nora_every_player_gets_a_verdict(monkeypatch, tmp_path):
    pytest.importorskip("sklearn")
    monkeypatch.setitem(beyond.SIZES, "tiny", beyond.Size(40, 200, 600, 20, ((2, 4),), 4))
    readings = beyond.Beyond(folder=tmp_path).readings("tiny")
    assert len(readings) == 2 * (4 + 3 + 1)
    assert readings[0].note == "20 cases"
    words = ("undecided", "better than Nora", "worse than Nora")
    assert all(one.note.endswith(words) for one in readings[2:])
    assert readings[-1].what == "2 simulations against random, % won"
    assert len(list(tmp_path.glob("*.npz"))) == 7


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [((50, 100), (40, 100), "undecided"), ((60, 100), (40, 100), "better than Nora"),
     ((400, 1000), (450, 1000), "worse than Nora")],
)  # fmt: skip
def test_a_verdict_needs_an_interval_that_leaves_out_zero(one, other, said):
    # 0.10 with an error of 0.070, 0.20 with 0.069, and 0.05 with 0.022.
    first, second = (Tally(games, won, 0) for won, games in (one, other))
    assert beyond.verdict(first, second) == said
