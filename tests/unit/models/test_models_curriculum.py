"""Schedules of training levels: the order of each, worked by hand, and training by them."""

from __future__ import annotations

from collections import Counter

import pytest

from ludex.core import Rng, registry
from ludex.core.errors import BadParameter
from ludex.models.learned.curriculum.comparison import Comparison
from ludex.models.learned.curriculum.curriculum import Curriculum
from ludex.models.learned.curriculum.levels import TrainingLevel
from ludex.models.learned.curriculum.schedules import SCHEDULES, Progress
from ludex.models.learned.local import Local
from ludex.models.learned.training import random_play


def patterns(text):
    return Counter(letter.encode() for letter in text)


OFFERED = [patterns("ab"), patterns("abcd"), patterns("e")]


def order(schedule, rounds, success=lambda level, number: 0.0, **settings):
    """The levels chosen, when a round on a level shows all that it offers."""
    progress = Progress(OFFERED, **settings)
    for number in range(rounds):
        level = SCHEDULES[schedule](progress, Rng(5).fork(number))
        progress.note(level, OFFERED[level], success(level, number))
    return progress.rounds


def test_fixed_takes_the_levels_in_their_order_and_begins_again():
    assert order("fixed", 5) == [0, 1, 2, 0, 1]


def test_uniform_takes_each_level_about_as_often():
    counts = Counter(order("uniform", 600))
    assert all(150 < counts[level] < 250 for level in range(3))
    assert order("uniform", 20) != [number % 3 for number in range(20)]


def test_novelty_covers_greedily():
    # abcd has four new patterns; then ab has none left, and e has one.
    assert order("novelty", 3) == [1, 2, 0]


def test_novelty_knows_the_data_collected_so_far():
    progress = Progress(OFFERED, known=patterns("bcd"))
    assert [progress.new(level) for level in range(3)] == [1, 1, 1]
    assert SCHEDULES["novelty"](progress, Rng(0)) == 0  # of equal ones the first


def test_gradual_adds_as_little_as_it_can():
    # e adds one pattern, ab two, and then abcd two instead of four.
    assert order("gradual", 4) == [2, 0, 1, 0]


def test_success_stays_until_a_level_is_mastered():
    needed, played = {0: 2, 1: 1, 2: 1}, Counter()  # rounds by level

    def success(level, number):
        played[level] += 1
        return 0.95 if played[level] >= needed[level] else 0.4

    assert order("success", 5, success) == [0, 0, 1, 2, 0]  # all equal: the first


def test_success_leaves_a_level_that_cannot_be_mastered():
    found = order("success", 8, lambda level, number: 0.0 if level == 0 else 1.0, patience=2)
    assert found == [0, 0, 1, 0, 0, 2, 0, 0]


def test_success_returns_to_the_weakest_when_all_are_mastered():
    shares = [0.95, 0.92, 0.99]
    assert order("success", 4, lambda level, number: shares[level]) == [0, 1, 2, 1]


def test_without_levels_there_is_nothing_to_choose():
    with pytest.raises(BadParameter, match="at least one level"):
        Progress([])


# Training


def levels(*numbers):
    return [TrainingLevel.of(registry.world(f"sokoban[level={one}]"), Rng(0)) for one in numbers]


def test_the_fixed_schedule_learns_what_level_after_level_teaches():
    found, rng = levels(0, 1), Rng(3)
    taught, plain = Local(span=1), Local(span=1)
    rounds = Curriculum(steps=30).train(taught, found, rng)
    for number, one in enumerate(found):
        for seen in random_play(one.model, one.view, 30, rng.fork("fit", number), plain.restart):
            plain.add(seen)
    assert [one.level for one in rounds] == [0, 1]
    for mine, its in zip(taught.memory_.table(), plain.memory_.table(), strict=True):
        assert mine.tolist() == its.tolist()
    assert taught.fitted_to_ == 60


def test_novelty_begins_with_the_level_that_offers_most():
    found = levels(0, 1, 2)
    curriculum = Curriculum(schedule="novelty", steps=30)
    offered = [len(one) for one in curriculum.beginning(found)[0].offered]
    rounds = curriculum.train(Local(span=1), found, Rng(0))
    assert rounds[0].level == offered.index(max(offered))
    assert {one.level for one in rounds} == {0, 1, 2}


def test_success_is_what_was_predicted_before_it_was_learned():
    rounds = Curriculum(schedule="success", steps=60, rounds=3, mastered=1.0).train(
        Local(span=1), levels(0, 1), Rng(0)
    )
    assert rounds[0].success == 0.0
    assert 0.0 < rounds[1].success <= 1.0
    assert [one.level for one in rounds][:2] == [0, 0]


def test_a_comparison_pairs_schedules_on_the_same_held_out_play():
    comparison = Comparison(
        Local(span=1),
        levels(0, 1, 2),
        Curriculum(rounds=2, steps=25),
        ("fixed", "gradual"),
        (0,),
        40,
    )
    found = list(comparison.runs())
    assert len(found) == 3 * 2 * 2
    assert all(one.held_out not in one.levels for one in found)
    by_case = {(one.held_out, one.rounds, one.levels): dict(one.accuracy) for one in found}
    assert len(by_case) < len(found) or len({one.levels for one in found}) > 4
    for one in found:
        assert by_case[one.held_out, one.rounds, one.levels] == dict(one.accuracy)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"schedule": "best"}, "schedule"),
        ({"rounds": 0}, "from 1"),
        ({"mastered": 1.5}, "from 0 to 1"),
        ({"patience": 0}, ">= 1"),
    ],
)
def test_bad_settings_are_refused(wrong, said):
    with pytest.raises(BadParameter, match=said):
        Curriculum(**wrong)
