"""The Nora study, measured again: what is printed, what is learned once, how it is told."""

from __future__ import annotations

import json

import pytest

from ludex.agents.hearthstone.learning.matches import MatchTally
from ludex.cli.app import main
from ludex.experiments.catalogue import surveys
from ludex.experiments.hearthstone import beyond, nora
from ludex.experiments.survey import measure

WANTED = [f"HSN-E{number}" for number in (1, 3, 4, 5, 6, 7, 8, 10, 11)]


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Forests of a moment, in a folder of their own."""
    pytest.importorskip("sklearn")
    monkeypatch.setitem(nora.SIZES, "tiny", nora.NoraScale(40, 20, 200, 10, 40, 20))
    learn = nora.learning.learn
    learned = []

    def grow_few(recipe, workers):
        learned.append(recipe)
        few = nora.Recipe(**{**vars(recipe), "trees": 3, "least": 5})
        return learn(few, workers=workers)

    monkeypatch.setattr(nora.learning, "learn", grow_few)
    return tmp_path, learned


def test_the_experiments_of_the_study_are_listed():
    assert [name for name in surveys() if name.startswith("HSN-E")] == WANTED


def test_players_without_learning_are_calibrated_as_published(tmp_path):
    [won, drawn] = measure(nora.RandomAndScripted(), "tiny", tmp_path)
    assert (won.printed, drawn.printed) == (0.934, 0.036)
    assert won.measured == pytest.approx(0.934, abs=0.3)  # two standard errors of 5,000 games
    assert drawn.measured == pytest.approx(0.036, abs=0.06)
    [won, drawn] = measure(nora.RandomPlay(), "tiny", tmp_path)
    assert won.measured == pytest.approx(50.22, abs=1.5)
    assert drawn.measured == pytest.approx(0.68, abs=0.25)


def test_forests_are_learned_once_and_shared(quick):
    folder, learned = quick
    for survey in (nora.NoraAndRandom, nora.NoraAndScripted, nora.ForestMemory):
        [first, *_] = measure(survey(), "tiny", folder)
        assert first.measured >= 0
    assert len(learned) == 1


def test_other_seeds_grow_other_trees_from_the_same_games(quick):
    folder, learned = quick
    readings = measure(nora.OtherSeeds(), "tiny", folder)
    assert [one.printed for one in readings[:2]] == [93.31, 10.96]
    assert [(recipe.seed, recipe.data_seed) for recipe in learned] == [(n, 0) for n in (1, 2, 3, 4)]


def test_curves_are_kept_beside_the_areas(quick):
    folder, _ = quick
    readings = measure(nora.Areas(), "tiny", folder)
    assert [one.what for one in readings[:2]] == ["ROC area, play", "PR area, play"]
    assert all(one.printed is None and 0 <= one.measured <= 1 for one in readings)
    assert (folder / "curves.svg").read_text().startswith("<svg")


def test_a_high_threshold_leaves_nora_idle(quick):
    folder, _ = quick
    readings = measure(nora.Thresholds(), "tiny", folder)
    assert len(readings) == 20
    assert readings[0].measured > readings[18].measured


def test_behaviour_counts_whom_nora_hits(quick):
    folder, _ = quick
    found = {one.what: one for one in measure(nora.NoraTargets(), "tiny", folder)}
    assert 0 <= found["Fireblast on an enemy, %"].measured <= 100


def test_reproduce_prints_what_was_printed_beside_what_was_measured(quick, capsys):
    folder, _ = quick
    assert main(["reproduce", "hsn-e5", "--out", str(folder), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["readings"][0]["printed"] == 92.798
    low, high = answer["readings"][0]["interval"]
    assert 0 <= low <= answer["readings"][0]["measured"] <= high <= 100
    assert answer["readings"][0]["cases"] == 20


def test_beyond_nora_every_player_gets_a_verdict(monkeypatch, tmp_path):
    pytest.importorskip("sklearn")
    monkeypatch.setitem(beyond.SIZES, "tiny", beyond.BeyondScale(40, 200, 600, 20, ((2, 4),), 4))
    readings = measure(beyond.Beyond(), "tiny", tmp_path)
    assert len(readings) == 2 * (4 + 3 + 1)
    assert readings[0].said.endswith("20 cases")
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
    first, second = (MatchTally(games, won, 0) for won, games in (one, other))
    assert beyond.verdict(first, second) == said
