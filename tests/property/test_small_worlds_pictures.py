"""The pictures on the pages of the worlds are the ones the worlds draw."""

from pathlib import Path

import pytest

from ludex.core import registry
from ludex.core.rng import Rng

PAGES = Path(__file__).parents[2] / "docs" / "worlds"
PICTURES = {
    "nim": "1 4 5 turn=1",
    "pig": "34 57 turn=1 total=14",
    "goofspiel": "134 234 prize=2 deck=13 points=4-0",
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_on_the_page_of_a_world_is_the_one_it_draws(name):
    world = registry.world(name)
    drawn = world.draw(world.parse(PICTURES[name]), "svg")
    assert (PAGES / f"{name}.svg").read_text().strip() == drawn


def test_the_picture_on_the_page_of_kuhn_poker_shows_one_card():
    world = registry.world("kuhn_poker")
    view = world.model.view(world.parse("JK xb"), 0)
    drawn = world.draw_view(view, "svg")
    assert (PAGES / "kuhn_poker.svg").read_text().strip() == drawn


def test_the_picture_on_the_page_of_catan_shows_a_roll_of_nine():
    world = registry.world("catan")
    board = PAGES.parents[1] / "tests" / "golden" / "catan_board.txt"
    state = world.parse(board.read_text())
    (roll,) = (one for one in world.model.legal(state, 3) if world.action_text(one) == "roll")
    after = world.model.resolve(world.model.step(state, (roll,), Rng(0)), 9)
    assert (PAGES / "catan.svg").read_text().strip() == world.draw(after, "svg")
