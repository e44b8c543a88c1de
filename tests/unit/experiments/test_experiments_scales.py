"""A smaller scale says of a game what a larger one would say: it plays fewer, not shorter ones."""

from __future__ import annotations

from dataclasses import fields

import pytest
from object_games import write_game

from ludex.experiments.collection import Collection
from ludex.experiments.prediction import accuracy, constant, continuous, structure, transfer
from ludex.experiments.prediction.accuracy import games_for, spread
from ludex.experiments.prediction.constant import Constant
from ludex.experiments.prediction.constant_printed import printed
from ludex.experiments.prediction.continuous import Continuous, printed_curve, soon_well
from ludex.experiments.prediction.object_accuracy import ObjectAccuracy
from ludex.experiments.prediction.rounds import Rounds
from ludex.experiments.prediction.transfer import Transfer
from ludex.experiments.survey import Reading
from ludex.experiments.verdict import agreement, verdict_on_readings
from ludex.models.learned.object_based import ObjectBased


@pytest.fixture
def collection(tmp_path):
    """A game of five levels under the name of every game of the source."""
    write_game(tmp_path, "wwwww\nwA..w\nwwwww\n")
    for name in printed():
        (tmp_path / f"{name}.txt").write_text((tmp_path / "game.txt").read_text())
        for level in range(5):
            (tmp_path / f"{name}_lvl{level}.txt").write_text("wwwww\nwA..w\nwwwww\n")
    return Collection.of_folder(tmp_path)


@pytest.mark.parametrize("kind", [Continuous, Transfer], ids=["PBS-48", "PBS-49"])
def test_learners_play_some_of_the_games_of_the_larger_scale(kind, collection):
    played = {}
    for scale in ("tiny", "small", "full"):
        study: Rounds = kind()
        study.collection = collection
        played[scale] = [name for name in study.parts(scale) if name != "points"]
    assert set(played["tiny"]) < set(played["small"]) < set(played["full"])


def test_learners_play_as_long_and_know_as_much_at_the_tiny_scale():
    assert continuous.PLAN["tiny"] == continuous.PLAN["small"]
    ticks, repetitions, *others = transfer.PLAN["tiny"]
    assert (ticks, *others) == (transfer.PLAN["small"][0], *transfer.PLAN["small"][2:])
    assert repetitions <= transfer.PLAN["small"][1]


def test_frozen_models_are_as_good_and_games_as_long_at_the_tiny_scale(collection):
    tiny, small = constant.SIZES["tiny"], constant.SIZES["small"]
    fewer = {"games", "levels", "repetitions"}
    for field in fields(tiny):
        values = getattr(tiny, field.name), getattr(small, field.name)
        assert values[0] <= values[1] if field.name in fewer else values[0] == values[1]
    plans = [Constant().plan(scale, collection) for scale in ("tiny", "small")]
    assert {game.label for game in plans[0].games} < {game.label for game in plans[1].games}
    assert len(plans[1].games) >= 15
    assert [arm.label for arm in plans[0].arms] == [arm.label for arm in plans[1].arms]


def test_predictions_are_of_the_same_play_at_the_tiny_scale(collection):
    assert accuracy.SIZES["tiny"] == accuracy.SIZES["small"]
    assert structure.STEPS["tiny"] == structure.STEPS["small"]
    games = games_for(ObjectBased(), collection, accuracy.SIZES["tiny"])
    assert set(spread(games, 4)) < set(games)


@pytest.mark.parametrize(("scale", "compares"), [("tiny", False), ("small", True)])
def test_the_range_of_a_few_games_is_not_that_of_the_source(scale, compares, collection):
    survey = ObjectAccuracy()
    survey.collection = collection
    survey.parts(scale)
    readings = survey.range_of("as the source", "things", ["a", "b"], [0.7, 0.9])
    assert {one.compared for one in readings} == {compares}
    assert [one.measured for one in readings] == [0.7, 0.9]


# What is compared with numbers that were printed over more epochs


def test_wins_are_compared_with_those_printed_of_the_same_epochs():
    study = Continuous()
    study.scale = "tiny"
    found = [Reading("labyrinth", "wins", 0.72, 0.8), Reading("labyrinth", "score", 0.44, 0.6)]
    wins, score = study.of_these_epochs("labyrinth", "LFM-BFS", found)
    assert wins.printed == pytest.approx((0 + 0 + 0.6 + 1 + 0.8) / 5)
    assert not score.compared
    study.scale = "full"
    assert study.of_these_epochs("labyrinth", "LFM-BFS", found) == found


def test_who_plays_well_sooner_than_printed_has_learned_no_worse():
    assert printed_curve("labyrinth")[3] == 1
    for wins, told in (([0.6, 0.6, 1, 0.8], "met"), ([0, 0.2, 0.4, 0.6], "off")):
        assert agreement(soon_well("labyrinth", wins)) == told
    assert agreement(soon_well("watergame", [0, 0, 0, 0])) == "met"  # nor does the source's
    more = Reading("T", "wins", 0.5, 0.9, interval=(0.7, 1.0), margin=0.1)
    assert agreement(more) == "off"
    assert agreement(Reading(**{**vars_of(more), "relation": "no less"})) == "met"


def vars_of(reading):
    return {field.name: getattr(reading, field.name) for field in fields(reading)}


def test_a_survey_without_anything_to_compare_says_why():
    assert "the source prints none" in verdict_on_readings([Reading("T", "x", None, 1.0)])
    told = verdict_on_readings([Reading("T", "x", 2.0, 1.0, compared=False)])
    assert told == "measured: 1 number, and none is one that this scale can repeat."
