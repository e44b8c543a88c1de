"""Views of every game agree with the plain list of its sprites, and show no hidden one."""

from __future__ import annotations

import numpy as np
import vgdl_wild_games as wild
from hypothesis import given, settings
from hypothesis import strategies as st
from test_vgdl_engine import load, play

from ludex.core.rng import Rng
from ludex.worlds.vgdl.serial import read_json, serialise, write_json
from ludex.worlds.vgdl.tools.survey import descriptions, levels_of
from ludex.worlds.vgdl.world import Vgdl

FEW = settings(max_examples=25, deadline=None)


def is_hidden(model, kind, seat):
    flags = model.game.types[kind].values.get("hidden") or ()
    return bool(flags and flags[min(seat, len(flags) - 1)])


def seen(model, state, seat):
    """(type, id, x, y) of what a seat may see, from the engine's plain list of sprites."""
    return sorted(
        (kind, number, x, y)
        for kind, number, x, y, *_ in model.level.sprites(state)
        if not is_hidden(model, kind, seat)
    )


def cells_of(x, y, level):
    """Every cell that holds the corner, or that a sprite between cells reaches over to."""
    columns, rows = (
        {int(at / level.block)}
        | ({int(at / level.block) + 1} if at > 0 and at % level.block else set())
        for at in (x, y)
    )
    if int(x / level.block) >= level.width or int(y / level.block) >= level.height:
        return set()
    if x <= -level.block or y <= -level.block:
        return set()
    return {
        (column, row)
        for column in columns
        for row in rows
        if column < level.width and row < level.height
    }


def check_views(model, state):
    for seat in range(model.game.players):
        view = model.view(state, seat)
        expected = seen(model, state, seat)
        assert sorted((s.type, s.id, s.x, s.y) for s in view.sprites) == expected
        assert [(s.category, s.type) for s in view.sprites] == sorted(
            (s.category, s.type) for s in view.sprites
        )
        planes = np.zeros_like(view.planes())
        for kind, _, x, y in expected:
            for column, row in cells_of(x, y, model.level):
                planes[model.scene.channels.index(kind), row, column] = 1
        assert np.array_equal(view.planes(), planes)
        listed = {
            (s.type, column, row)
            for column, rows in enumerate(view.grid)
            for row, cell in enumerate(rows)
            for s in cell
        }
        assert listed == {
            (model.scene.channels[channel], column, row)
            for channel, row, column in np.argwhere(planes).tolist()
        }


@FEW
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_views_of_any_game_show_every_sprite_that_is_not_hidden_and_no_other(seed, ticks):
    model = load(wild.well_formed(seed))
    check_views(model, play(model, model.level.start(), Rng(seed), ticks))


@FEW
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_the_json_of_any_game_reads_back_field_by_field(seed, ticks):
    model = load(wild.well_formed(seed))
    state = play(model, model.level.start(), Rng(seed), ticks)
    fields = serialise(model.view(state, 0))
    assert read_json(write_json(fields)) == fields


def test_views_of_the_collection_show_every_sprite_that_is_not_hidden_and_no_other(shared):
    looked_at = 0
    for number, path in enumerate(descriptions(shared / "data" / "gvgai")):
        levels = levels_of(path)
        if "gameDesign" in path.parts or not levels:
            continue
        model = Vgdl(game=str(path), level=levels[number % len(levels)]).model
        check_views(model, play(model, model.level.start(), Rng(number), 30))
        looked_at += 1
    assert looked_at > 150
