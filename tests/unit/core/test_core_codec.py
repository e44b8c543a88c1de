"""Actions as numbers: places in a fixed list, or in the legal list."""

from __future__ import annotations

import pytest

from ludex.core.codec import FixedCodec, LegalCodec
from ludex.core.errors import IllegalAction
from ludex.core.view import OpenView

VIEW = OpenView(seat=0, legal=("b", "d"), state=None)
IDLE = OpenView(seat=1, legal=(), state=None)


def test_a_fixed_codec_numbers_all_actions_of_the_world():
    codec = FixedCodec("abcd")
    assert (codec.size, codec.index(VIEW, "d"), codec.action(VIEW, 1)) == (4, 3, "b")


def test_a_fixed_mask_marks_what_is_legal():
    assert FixedCodec("abcd").mask(VIEW).tolist() == [0, 1, 0, 1]


def test_a_legal_codec_numbers_the_legal_list():
    codec = LegalCodec(5)
    assert (codec.size, codec.index(VIEW, "d"), codec.action(VIEW, 0)) == (5, 1, "b")


def test_a_legal_mask_is_as_long_as_the_longest_list():
    assert LegalCodec(5).mask(VIEW).tolist() == [1, 1, 0, 0, 0]


@pytest.mark.parametrize("codec", [FixedCodec("abcd"), LegalCodec(5)], ids=["fixed", "legal"])
def test_a_seat_that_is_not_to_act_has_an_empty_mask(codec):
    assert not codec.mask(IDLE).any()


@pytest.mark.parametrize("codec", [FixedCodec("abcd"), LegalCodec(5)], ids=["fixed", "legal"])
@pytest.mark.parametrize("number", [-1, 5])
def test_numbers_out_of_range_are_refused(codec, number):
    with pytest.raises(IllegalAction, match=str(number)):
        codec.action(VIEW, number)


@pytest.mark.parametrize("codec", [FixedCodec("abcd"), LegalCodec(5)], ids=["fixed", "legal"])
def test_foreign_actions_have_no_number(codec):
    with pytest.raises(IllegalAction, match="'x'"):
        codec.index(VIEW, "x")
