"""PBS-50: what is measured of the earlier studies."""

from __future__ import annotations

import numpy as np
import pytest
from object_games import write_game

from ludex.core import registry
from ludex.core.rng import Rng
from ludex.experiments.prediction.earlier import (
    EarlierStudies,
    difference,
    far_left_out,
    near_share,
    patterns_right,
    patterns_seen,
    sensor_accuracy,
)
from ludex.experiments.prediction.earlier_rules import check_rules
from ludex.experiments.survey import agreement
from ludex.models.learned.decomposed import Decomposed
from ludex.models.learned.local import Local
from ludex.models.learned.training.transitions import random_play


def watched(world, steps, seed=0):
    view = world.model.view(world.start(Rng(seed)), 0)
    return list(random_play(world.model, view, steps, Rng(seed), 100))


def test_all_patterns_of_life_are_right_only_for_who_has_seen_enough():
    world = registry.world("life[width=8,height=8,ticks=100]")
    few, many = (
        patterns_right(Local(span=1).fit(watched(world, steps)), world) for steps in (2, 150)
    )
    assert few < many
    assert many > 0.9


def test_patterns_are_counted_once():
    world = registry.world("life[width=5,height=5]")
    view = world.model.view(world.parse("...../...../..#../...../....."), 0)
    [one] = list(random_play(world.model, view, 1, Rng(0)))
    # Nothing, and a living cell in each of the nine places.
    assert patterns_seen([one]) == 10 / 512


def test_accuracy_counts_the_cells_that_change():
    world = registry.world("sokoban")
    learner = Decomposed.from_texts({"inputs": "all"}).fit(watched(world, 60))
    new = [watched(world, 30, seed) for seed in (1, 2)]
    shares = sensor_accuracy(learner, new)
    every = learner.accuracy(new[0])["cells"]
    assert len(shares) == 2
    assert 0.5 < shares[0] < every < 1  # walls, which are right by themselves, do not count


def test_far_cells_that_are_inputs_are_not_left_out():
    learner = Decomposed()
    learner._learn(shape_=(1, 6), cells_=np.array([0]), inputs_=np.array([[0, 1, 5]]))
    assert list(far_left_out(learner)) == [pytest.approx(2 / 3)]  # of 3, 4 and 5
    assert near_share(learner) == pytest.approx(2 / 3)  # 0 and 1, but not 5


def test_a_claimed_difference_needs_an_interval_above_zero():
    for values, told in (([0.5] * 40, "met"), ([-0.5] * 40, "off"), ([0.5, -0.4] * 20, "open")):
        assert agreement(difference("part", "what", values, "more")) == told
    assert agreement(difference("part", "what", [0.5] * 3, "more")) == "open"  # too few


@pytest.mark.parametrize(("ends", "foretold"), [("stype=gem", True), ("stype=avatar", False)])
def test_rules_about_ends_are_asked_about_new_play(ends, foretold, tmp_path):
    # The game is won when the only gem is taken; the other one ends by its limit, which no
    # feature shows.
    write_game(
        tmp_path,
        "wwwww\nwA.gw\nwwwww\n",
        sprites="gem > Immovable",
        letters="g > floor gem",
        rules="gem avatar > killSprite scoreChange=1",
        ends=f"SpriteCounter {ends} win=True" if foretold else "Timeout limit=7 win=False",
    )
    world = registry.world(str(tmp_path / "game.txt"))
    found = check_rules(watched(world, 300), watched(world, 300, seed=1))
    assert bool(found.told)
    assert all(found.told) == foretold
    assert all(found.right)
    assert ("gem" in found.example) == foretold


def test_a_scale_plays_what_a_larger_one_plays():
    parts = {scale: set(EarlierStudies().parts(scale)) for scale in ("tiny", "small", "full")}
    assert parts["tiny"] < parts["small"] == parts["full"]
