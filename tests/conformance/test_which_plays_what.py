"""The table of which planner plays what is what the planners refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from games_by_planner import WORLDS, model_of, plays, table

from ludex.core import registry
from ludex.core.errors import Unsupported

PAGE = Path(__file__).parents[2] / "docs" / "planners" / "which_plays_what.md"


def test_the_table_is_what_the_planners_refuse():
    assert table() in PAGE.read_text()


@pytest.mark.parametrize("name", registry.names("planners"))
def test_every_refusal_names_a_way_out(name):
    for column in WORLDS:
        if not plays(name, column):
            with pytest.raises(Unsupported, match=r"; use |, or let it search "):
                registry.load("planners", name)().check_model(model_of(column))
