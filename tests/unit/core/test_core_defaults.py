"""A world without drawings, codec and observation of its own is still whole."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from xml.etree import ElementTree

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from ludex.adapters import to_gymnasium
from ludex.core import OpenView, Outcome, PlainState, Rng, Traits, World, registry
from ludex.core.defaults import OBSERVED_BYTES, observed_text, text_as_svg
from ludex.core.errors import InvalidState
from ludex.core.python_model import PythonModel
from ludex.testing import WORLD_CHECKS


@dataclass(slots=True, unsafe_hash=True)
class Count(PlainState):
    total: int = 0

    def __str__(self) -> str:
        return f"{self.total} < 5"


class CountModel(PythonModel):
    traits = Traits(seats=1, max_legal=2)

    def to_act(self, state: Count) -> tuple[int, ...]:
        return (0,) if state.total < 5 else ()

    def legal(self, state: Count, seat: int) -> list[int]:
        return [1, 2] if self.to_act(state) else []

    def _apply(self, state: Count, actions: Any, rng: Rng) -> None:
        state.total = min(state.total + actions[0], 5)

    def outcome(self, state: Count) -> Outcome | None:
        return Outcome((0,), (1.0,), "counted") if state.total == 5 else None

    def score(self, state: Count, seat: int) -> float:
        return float(state.total)


@dataclass(frozen=True, kw_only=True)
class Bare(World):
    """One player counts to five."""

    name: ClassVar[str] = "bare"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (1, 1)

    @cached_property
    def model(self) -> CountModel:
        return CountModel()

    def start(self, rng: Rng) -> Count:
        return Count()

    def parse(self, text: str) -> Count:
        total, _, rest = text.strip().partition(" ")
        if rest != "< 5" or total not in "012345" or len(total) != 1:
            raise InvalidState(f"cannot read {text!r}; write it as in '0 < 5'")
        return Count(int(total))


class TextOnly(Bare):
    def draw(self, state: Count, form: Any = "text") -> str:
        text = "*" * state.total + "." * (5 - state.total)
        return text if form == "text" else text_as_svg(text)


@pytest.mark.parametrize("check", WORLD_CHECKS, ids=lambda check: check.__name__)
def test_the_defaults_keep_the_contract(check):
    check(Bare())


def test_a_state_is_drawn_as_its_notation():
    world = Bare()
    assert world.draw(Count(3)) == "3 < 5"
    picture = ElementTree.fromstring(world.draw(Count(3), "svg"))
    assert [element.text for element in picture.iter() if element.text] == ["3 < 5"]


def test_an_observation_holds_the_seat_and_the_notation():
    assert bytes(Bare().observation(OpenView(0, (), Count(3)))).rstrip(b"\0") == b"\x003 < 5"
    assert observed_text(1, "x" * 5000).shape == (OBSERVED_BYTES,)


def test_gymnasium_accepts_the_default_observation():
    check_env(to_gymnasium(Bare()), skip_render_check=True)
    assert isinstance(to_gymnasium(Bare()).observation_space, gymnasium.spaces.Box)


@pytest.mark.parametrize(
    ("world", "parts"),
    [
        (Bare(), ("draw", "codec", "observation")),
        (TextOnly(), ("draw (svg)", "codec", "observation")),
        (registry.world("nim"), ()),
        (registry.world("connect_four"), ()),
    ],
    ids=["bare", "text_only", "nim", "connect_four"],
)
def test_a_world_says_what_is_still_default(world, parts):
    assert world.still_default() == parts
