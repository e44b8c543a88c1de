"""VGDL games as grids of tiles, and which games qualify."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ludex.cli.app import main
from ludex.core import Rng, registry
from ludex.core.errors import BadParameter
from ludex.core.tiles import MOST_KINDS, Tiles
from ludex.worlds.vgdl.tools.tiles import candidates, report_on

GAME = """BasicGame
    SpriteSet
        ball > Missile orientation=RIGHT {speed}
        hole > Immovable
    LevelMapping
        b > ball hole
        h > hole
    InteractionSet
        avatar wall EOS > stepBack
        ball EOS > wrapAround
    TerminationSet
        Timeout limit=500 win=True
"""


@pytest.fixture
def collection(tmp_path):
    for name, speed in (("even", "speed=1"), ("uneven", "speed=0.3")):
        (tmp_path / f"{name}.txt").write_text(GAME.format(speed=speed))
        for level in range(3):
            (tmp_path / f"{name}_lvl{level}.txt").write_text("A...\n.b.h\n")
    return tmp_path


def test_a_cell_holds_all_sprites_in_it(collection):
    world = registry.world(str(collection / "even.txt"))
    tiles = world.model.view(world.start(Rng(0)), 0).as_tiles().tiles
    assert (tiles.width, tiles.height) == (4, 2)
    contents = [[set(tiles.content(int(mask))) for mask in row] for row in tiles.array]
    assert contents[0] == [{"avatar"}, set(), set(), set()]
    assert contents[1] == [set(), {"ball", "hole"}, set(), {"hole"}]


def test_the_way_an_avatar_faces_is_told_where_it_matters():
    facing = {}
    for name in ("vgdl/zelda", "vgdl/sokoban"):
        world = registry.world(name)
        tiles = world.model.view(world.start(Rng(0)), 0).as_tiles().tiles
        held = {kind for mask in tiles.array.flat for kind in tiles.content(int(mask))}
        facing[name] = {kind for kind in held if kind.startswith("faces ")}
    assert len(facing["vgdl/zelda"]) == 1
    assert facing["vgdl/sokoban"] == set()


def test_what_an_avatar_carries_is_told(tmp_path):
    game = (
        GAME.format(speed="speed=1").replace("hole > Immovable", "hole > Resource limit=3")
        + "    InteractionSet\n        hole avatar > collectResource\n"
    )
    (tmp_path / "collect.txt").write_text(game)
    (tmp_path / "collect_lvl0.txt").write_text("Ah..\n....\n")
    world = registry.world(str(tmp_path / "collect.txt"))
    state = world.start(Rng(0))
    right = next(one for one in world.codec.actions if world.action_text(one) == "RIGHT")
    world.model.advance(state, (int(right),), Rng(0))
    tiles = world.model.view(state, 0).as_tiles().tiles
    assert "holds hole" in tiles.content(int(tiles.array[0, 1]))


def test_score_and_end_are_told():
    world = registry.world("vgdl/sokoban")
    state = world.start(Rng(0))
    rng = Rng(1)
    while not world.model.over(state):
        world.model.advance(state, (rng.choice(world.model.legal(state, 0)),), rng)
    shown = world.model.view(state, 0).as_tiles()
    assert shown.score == world.model.score(state, 0)
    assert shown.outcome.returns == world.model.outcome(state).returns
    assert shown.legal == shown.acts == ()


def test_games_whose_sprites_leave_the_grid_do_not_qualify(collection):
    even, uneven = (report_on(one) for one in candidates(collection))
    assert even.qualifies
    assert (even.kinds, even.contents, even.levels) == (
        4,
        8,
        3,
    )  # all subsets of avatar, ball, hole
    assert uneven.reason.startswith("a ball is at 1.3,1 of the grid")


def test_a_game_of_few_levels_does_not_qualify(collection):
    (collection / "even_lvl2.txt").unlink()
    assert report_on(candidates(collection)[0]).reason == "it has 2 levels"


def test_a_game_that_does_not_load_is_reported_not_raised(collection):
    (collection / "even.txt").write_text("Nonsense\n")
    assert report_on(candidates(collection)[0]).reason.startswith("it does not load: ")


def test_the_command_reports_on_a_collection(collection, capsys):
    assert main(["vgdl", "tiles", str(collection), "--workers", "1", "--json"]) == 0
    games = json.loads(capsys.readouterr().out)["games"]
    assert [(row["game"], row["qualifies"]) for row in games] == [("even", True), ("uneven", False)]


def test_of_our_own_games_sokoban_qualifies_and_aliens_does_not():
    ours = {one.game: one for one in candidates()}
    assert report_on(ours["sokoban"]).qualifies
    assert not report_on(ours["aliens"]).qualifies


def test_more_kinds_than_a_cell_can_hold_are_refused():
    kinds = tuple(f"kind{number}" for number in range(MOST_KINDS + 1))
    with pytest.raises(BadParameter, match="got 64 kinds"):
        Tiles.of(kinds, np.zeros((1, 1), np.uint64))
