"""Two editions of a competition, simulated."""

import pytest

from ludex.arena.study.editions import REPETITIONS, Edition
from ludex.core.errors import BadParameter


def test_sets_move_from_test_to_validation_to_training():
    first = Edition(("set 1",), "set 2", "set 3")
    second = first.rotate("set 4")
    third = second.rotate("set 5")
    assert second == Edition(("set 1", "set 2"), "set 3", "set 4")
    assert third == Edition(("set 1", "set 2", "set 3"), "set 4", "set 5")


def test_the_edition_of_a_list_is_the_one_that_rotation_reaches():
    sets = ["set 1", "set 2", "set 3", "set 4", "set 5"]
    edition = Edition.of(sets)
    for number, new in ((2, "set 4"), (3, "set 5")):
        edition = edition.rotate(new)
        assert Edition.of(sets, number) == edition


def test_each_role_names_its_sets():
    edition = Edition(("a", "b"), "c", "d")
    assert [edition.sets(role) for role in REPETITIONS] == [("a", "b"), ("c",), ("d",)]


def test_the_test_set_is_played_five_times_and_others_once():
    assert REPETITIONS == {"training": 1, "validation": 1, "test": 5}


@pytest.mark.parametrize("wrong", [0, -1, 3])
def test_an_edition_needs_enough_sets(wrong):
    with pytest.raises(BadParameter, match="needs"):
        Edition.of(["a", "b", "c", "d"], wrong)


def test_a_set_has_one_role():
    with pytest.raises(BadParameter, match="each with one role"):
        Edition(("a",), "a", "b")
