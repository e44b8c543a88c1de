"""Parameters: limits when made, texts in and out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import pytest

from ludex.core.errors import BadParameter
from ludex.core.parameters import AtLeast, Between, Parameters


@dataclass(frozen=True, kw_only=True)
class Oven(Parameters):
    """Something with one parameter of each kind."""

    LIMITS: ClassVar[Mapping[str, Any]] = {"heat": Between(0, 300), "trays": AtLeast(1)}

    heat: float = 180.0
    trays: int = 2
    fan: bool = False
    mode: Literal["top", "bottom"] = "top"
    times: tuple[int, ...] = (10, 20)
    limit: int | None = None
    name: str = "oven"


def test_whole_numbers_are_taken_for_numbers():
    oven = Oven(heat=200)
    assert (oven.heat, type(oven.heat)) == (200.0, float)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"heat": 301.0}, "Oven.heat must be a number from 0 to 300, got 301.0"),
        ({"heat": "hot"}, "Oven.heat must be a number, got 'hot'"),
        ({"heat": float("nan")}, "Oven.heat must be a number, got nan"),
        ({"heat": float("inf")}, "Oven.heat must be a number, got inf"),
        ({"trays": 0}, "Oven.trays must be a whole number >= 1, got 0"),
        ({"trays": True}, "Oven.trays must be a whole number, got True"),
        ({"trays": 1.5}, "Oven.trays must be a whole number, got 1.5"),
        ({"fan": 1}, "Oven.fan must be true or false, got 1"),
        ({"mode": "side"}, "Oven.mode must be one of top, bottom, got 'side'"),
        ({"times": (1, "x")}, "Oven.times must be a whole number or several joined by dashes"),
    ],
)
def test_bad_values_are_refused_with_what_was_expected(parts, message):
    with pytest.raises(BadParameter) as caught:
        Oven(**parts)
    assert str(caught.value).startswith(message)


def test_texts_are_read_by_kind():
    texts = {"heat": "90", "trays": "3", "fan": "yes", "mode": "bottom", "times": "1-2-3"}
    oven = Oven.from_texts(texts | {"limit": "none", "name": "big"})
    assert oven == Oven(
        heat=90.0, trays=3, fan=True, mode="bottom", times=(1, 2, 3), limit=None, name="big"
    )


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"heta": "1"}, "Oven has no parameter 'heta'; did you mean 'heat'?"),
        ({"colour": "1"}, "Oven has no parameter 'colour'; it has heat, trays"),
        ({"trays": "many"}, "Oven.trays must be a whole number, got 'many'"),
        ({"fan": "maybe"}, "Oven.fan must be true or false, got 'maybe'"),
        ({"limit": "x"}, "Oven.limit must be a whole number or none, got 'x'"),
    ],
)
def test_bad_texts_are_refused_with_what_was_expected(texts, message):
    with pytest.raises(BadParameter) as caught:
        Oven.from_texts(texts)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "oven",
    [
        Oven(),
        Oven(fan=True, times=(5,)),
        Oven(limit=3, mode="bottom", heat=0.1),
    ],
)
def test_changed_parameters_make_the_same_thing_again(oven):
    assert Oven.from_texts(oven.changed()) == oven


def test_only_changed_parameters_are_written():
    assert Oven(fan=True, times=(1, 2), limit=None).changed() == {"fan": "true", "times": "1-2"}


def test_clones_differ_in_what_was_asked_alone():
    assert Oven(trays=4).clone(fan=True) == Oven(trays=4, fan=True)


def test_switches_are_the_yes_no_parameters():
    assert Oven.switches() == ("fan",)
