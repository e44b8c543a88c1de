"""What a seat sees of a VGDL game: everything it may, and nothing that is hidden."""

from __future__ import annotations

import pickle
import struct
import zlib

import numpy as np
import pytest

from ludex.arena.match.runner import play_match
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.event import Event
from ludex.core.rng import Rng
from ludex.core.view import History
from ludex.testing.snapshot import pickled
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.pictures.draw import draw_text
from ludex.worlds.vgdl.pictures.picture import picture_svg
from ludex.worlds.vgdl.pictures.png import write_png
from ludex.worlds.vgdl.serial import read_json, serialise, to_json, write_json
from ludex.worlds.vgdl.view import Category, Winner

GROUND = [24, 24, 32]
WALKER = "avatar > MovingAvatar\n"
FOUR = """
    avatar > MovingAvatar
    plain > Immovable
    hidden > Immovable hidden=True
    invisible > Immovable invisible=True
    both > Immovable hidden=True invisible=True
"""
LEGEND = {"p": "plain", "h": "hidden", "i": "invisible", "b": "both"}


def view_of(m, seat=0):
    return m.model.view(m.state, seat)


def names(m, sprites):
    return [m.game.types[sprite.type].name for sprite in sprites]


def public(view):
    """Everything that can be read from a view of a seat."""
    return {
        "rows": view.rows.tobytes(),
        "sprites": view.sprites,
        "grid": view.grid,
        "planes": view.planes().tobytes(),
        "pixels": view.pixels().tobytes(),
        "players": view.players,
        "json": to_json(view, content="BOTH"),
        "text": (str(view), repr(view)),
        "facts": (view.tick, view.score, view.winner, view.over, view.legal, view.world_size),
    }


# Hidden and invisible


def four(micro):
    return micro(FOUR, "", "Aphib", **LEGEND)


def test_lists_have_the_plain_and_the_invisible_but_not_the_hidden(micro):
    m = four(micro)
    assert names(m, view_of(m).sprites) == ["avatar", "plain", "invisible"]


def test_the_array_of_sprites_has_no_hidden_ones(micro):
    m = four(micro)
    kinds = [m.game.types[kind].name for kind in view_of(m).rows["type"].tolist()]
    assert kinds == ["avatar", "plain", "invisible"]


def test_the_grid_has_the_plain_and_the_invisible_but_not_the_hidden(micro):
    m = four(micro)
    cells = [names(m, column[0]) for column in view_of(m).grid]
    assert cells == [["avatar"], ["plain"], [], ["invisible"], []]


def test_planes_have_no_channel_for_what_nobody_can_see(micro):
    m = four(micro)
    channels = [m.game.types[kind].name for kind in m.model.scene.channels]
    assert channels == ["wall", "avatar", "plain", "invisible"]
    assert view_of(m).planes()[:, 0].tolist() == [
        [0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 0, 1, 0],
    ]


def test_pixels_of_a_view_show_neither_the_hidden_nor_the_invisible(micro):
    middles = view_of(four(micro)).pixels()[5, 5::10].tolist()
    assert [middle != GROUND for middle in middles] == [True, True, False, False, False]


@pytest.mark.parametrize("draw", [draw_text, picture_svg])
def test_drawings_of_a_view_show_neither_and_a_spectator_sees_the_hidden(micro, draw):
    m = four(micro)
    seat, spectator = draw(m.model, m.state, 0), draw(m.model, m.state)
    without = micro(FOUR, "", "Ap...", **LEGEND)
    assert seat == draw(without.model, without.state, 0)
    with_hidden = micro(FOUR, "", "Aph..", **LEGEND)
    assert spectator == draw(with_hidden.model, with_hidden.state)
    assert spectator != seat


def test_the_json_form_has_no_hidden_sprites(micro):
    m = four(micro)
    lists = serialise(view_of(m))["immovablePositions"]
    assert [m.game.types[row[0]["itype"]].name for row in lists] == ["plain", "invisible"]


def test_each_player_has_its_own_hidden_and_invisible_sprites(micro):
    m = micro(
        """
        avatar > MovingAvatar
            one > MovingAvatar
            two > MovingAvatar
        fog > Immovable hidden=False,True invisible=True,False
        """,
        "",
        "12f",
        head="no_players=2",
        **{"1": "one", "2": "two", "f": "fog"},
    )
    first, second = view_of(m, 0), view_of(m, 1)
    assert "fog" in names(m, first.sprites)
    assert "fog" not in names(m, second.sprites)
    fog = m.model.scene.channels.index(m.game.type_named("fog"))
    assert (first.planes()[fog].sum(), second.planes()[fog].sum()) == (1, 0)
    assert first.pixels()[5, 25].tolist() == second.pixels()[5, 25].tolist() == GROUND


def test_nothing_that_can_be_read_depends_on_what_a_hidden_sprite_does(micro):
    """A hidden ghost wanders with other dice; the two states differ, their views do not."""
    plan = "...../...../..A../...../...g."
    games = [
        micro(WALKER + "ghost > RandomNPC hidden=True", "", plan, seed=seed, g="ghost").wait(9)
        for seed in (1, 2)
    ]
    one, other = games
    assert one.all("ghost") != other.all("ghost")
    assert public(view_of(one)) == public(view_of(other))
    assert draw_text(one.model, one.state, 0) == draw_text(other.model, other.state, 0)


def test_a_seat_is_not_told_that_it_met_a_hidden_sprite(micro):
    rules = "ghost avatar > killSprite\ncoin avatar > killSprite"
    sprites = WALKER + "ghost > Immovable hidden=True\ncoin > Immovable"
    m = micro(sprites, rules, "A12", **{"1": "ghost", "2": "coin"})
    m.play("R")
    assert len(m.model.events(m.state)) == 1
    assert m.model.events(m.state, 0) == ()
    m.play("R")
    assert len(m.model.events(m.state, 0)) == 1


def test_another_players_hidden_avatar_tells_its_score_alone(micro):
    m = micro(
        """
        avatar > MovingAvatar healthPoints=5
            one > MovingAvatar
            two > MovingAvatar hidden=True,False
        """,
        "",
        "12",
        head="no_players=2",
        **{"1": "one", "2": "two"},
    )
    seen = view_of(m, 0).players[1]
    assert (seen.type, seen.position, seen.health, seen.actions) == (-1, (-1, -1), 0, ())
    assert view_of(m, 1).players[1].position == (10, 0)


# Categories, order, distances


EVERYTHING = """
    avatar > ShootAvatar stype=shot
    coin > Resource
    exit > Portal stype=exit
    ghost > RandomNPC cooldown=99
    rock > Immovable
    shot > Missile speed=0.1
    box > Passive
"""


def everything(micro):
    legend = {"c": "coin", "e": "exit", "g": "ghost", "r": "rock", "b": "box"}
    return micro(EVERYTHING, "", ".....A...../cegrb......", **legend).play("X")


def test_every_sprite_has_the_first_category_that_applies(micro):
    m = everything(micro)
    found = {names(m, [one])[0]: one.category for one in view_of(m).sprites}
    assert found == {
        "avatar": Category.AVATAR,
        "coin": Category.RESOURCE,
        "exit": Category.PORTAL,
        "ghost": Category.NPC,
        "rock": Category.STATIC,
        "shot": Category.FROM_AVATAR,
        "box": Category.MOVABLE,
    }


def test_the_lists_by_category_have_each_sprite_under_its_type(micro):
    m = everything(micro)
    view = view_of(m)
    lists = {
        "coin": view.resources(),
        "exit": view.portals(),
        "ghost": view.npcs(),
        "rock": view.immovables(),
        "shot": view.from_avatar(),
        "box": view.movables(),
    }
    for name, group in lists.items():
        assert list(group) == [m.game.type_named(name)]


def test_the_numbers_of_categories_and_winners_are_those_of_the_reference():
    assert [category.value for category in Category] == [0, 1, 2, 3, 4, 5, 6]
    assert (Winner.NO_WINNER, Winner.PLAYER_LOSES, Winner.PLAYER_WINS) == (-1, 0, 1)


def test_sprites_come_by_category_type_and_order_of_creation(micro):
    sprites = WALKER + "rock > Immovable\ngem > Resource\nstone > Immovable"
    m = micro(sprites, "", "srgAgrs", s="stone", r="rock", g="gem")
    view = view_of(m)
    assert names(m, view.sprites) == ["avatar", "gem", "gem", "rock", "rock", "stone", "stone"]
    assert [one.x for one in view.sprites] == [30, 20, 40, 10, 50, 0, 60]


def test_with_a_reference_the_nearest_of_a_type_is_first(micro):
    m = micro(WALKER + "rock > Immovable", "", "r..r.Ar", r="rock")
    (rocks,) = view_of(m).immovables(reference=(50, 0)).values()
    assert [(one.x, one.sq_distance) for one in rocks] == [(60, 100), (30, 400), (0, 2500)]


def test_without_a_reference_there_is_no_distance(micro):
    m = micro(WALKER + "rock > Immovable", "", "Ar", r="rock")
    (rocks,) = view_of(m).immovables().values()
    assert rocks[0].sq_distance is None


def test_seen_sprites_are_equal_by_category_type_id_and_place(micro):
    m = micro(WALKER + "rock > Immovable", "", "Ar", r="rock")
    (near,) = view_of(m).immovables((0, 0)).values()
    (far,) = view_of(m).immovables((500, 500)).values()
    assert near == far


def test_a_sprite_keeps_its_id_while_it_moves(micro):
    m = micro(WALKER + "shot > Missile orientation=RIGHT", "", "s......A", s="shot")
    (before,) = view_of(m).movables().values()
    m.wait(3)
    (after,) = view_of(m).movables().values()
    assert before[0].id == after[0].id
    assert before[0].x != after[0].x


# The grid


def shot_between(micro, plan, **options):
    sprites = (
        WALKER
        + "shot > Missile speed=0.5 "
        + " ".join(f"{key}={value}" for key, value in options.items())
    )
    return micro(sprites, "", plan, s="shot").wait(2)


def cells_with_shots(m):
    view = view_of(m)
    kind = m.game.type_named("shot")
    listed = [
        (column, row)
        for column in range(view.width)
        for row in range(view.height)
        if any(one.type == kind for one in view.grid[column][row])
    ]
    plane = view.planes()[m.model.scene.channels.index(kind)]
    assert listed == [(int(x), int(y)) for y, x in sorted(np.argwhere(plane), key=lambda c: c[1])]
    return listed


def test_a_sprite_between_two_cells_is_in_both(micro):
    m = shot_between(micro, "s...A", orientation="RIGHT")
    assert m.one("shot")["x"] == 5  # a new sprite waits for one tick
    assert cells_with_shots(m) == [(0, 0), (1, 0)]


def test_a_sprite_that_begins_to_leave_at_the_right_is_in_the_last_cell(micro):
    m = shot_between(micro, "A..s", orientation="RIGHT")
    assert m.one("shot")["x"] == 35
    assert cells_with_shots(m) == [(3, 0)]


def test_a_sprite_that_begins_to_leave_at_the_left_is_in_the_first_cell(micro):
    m = shot_between(micro, "s..A", orientation="LEFT")
    assert m.one("shot")["x"] == -5
    assert cells_with_shots(m) == [(0, 0)]


def test_a_sprite_that_has_left_is_in_no_cell_but_in_the_lists(micro):
    m = shot_between(micro, "s..A", orientation="LEFT").wait(2)
    assert m.one("shot")["x"] == -15
    assert cells_with_shots(m) == []
    assert view_of(m).movables()


def test_pixels_are_blocks_of_the_sprites_size_and_colour(micro):
    sprites = WALKER + "shot > Missile orientation=RIGHT speed=0.5 color=RED"
    m = micro(sprites, "", "s..A", s="shot").wait(2)
    red = (view_of(m).pixels(cell=4) == [214, 72, 68]).all(axis=2)
    assert red.shape == (4, 16)
    assert np.flatnonzero(red[0]).tolist() == [2, 3, 4, 5]  # half a cell to the right
    assert (red == red[0]).all()


def test_a_later_type_is_drawn_over_an_earlier_one(micro):
    sprites = WALKER + "low > Immovable color=BLUE\nhigh > Immovable color=GREEN"
    m = micro(sprites, "", "Ax", x="high low")
    assert view_of(m).pixels()[5, 15].tolist() == [70, 158, 86]


# The player


def test_the_avatars_facts_are_those_of_the_game(micro):
    m = micro(
        "avatar > OrientedAvatar healthPoints=3 limitHealthPoints=7\ngem > Resource",
        "gem avatar > collectResource\ngem avatar > killSprite",
        "..Ag",
        g="gem",
    ).play("R")
    avatar = view_of(m).avatar
    assert (avatar.position, avatar.orientation, avatar.speed) == ((30, 0), (1.0, 0.0), 1.0)
    assert (avatar.health, avatar.max_health, avatar.limit_health) == (3, 3, 7)
    assert dict(avatar.resources) == {m.game.type_named("gem"): 1}
    assert (avatar.type, avatar.alive) == (m.game.type_named("avatar"), True)


def test_available_actions_have_the_order_of_the_reference_and_no_nil(micro):
    m = micro("avatar > ShootOnlyAvatar stype=shot\nshot > Missile")
    assert [one.name for one in view_of(m).available_actions] == [
        "LEFT",
        "UP",
        "RIGHT",
        "DOWN",
        "USE",
    ]


def test_after_the_end_there_is_no_place_and_no_action(micro):
    m = micro(WALKER, "", "A", ends="Timeout limit=2 win=True").wait(3)
    view = view_of(m)
    assert (view.over, view.winner) == (True, Winner.PLAYER_WINS)
    assert (view.avatar.position, view.available_actions) == ((-1, -1), ())


def test_world_size_is_in_pixels(micro):
    view = view_of(micro(WALKER, "", "A../..."))
    assert (view.world_size, view.block, view.width, view.height) == ((30, 20), 10, 3, 2)


# Views as values


def test_a_view_keeps_what_it_showed_when_the_game_goes_on(micro):
    m = micro(WALKER, "", "A..")
    view = view_of(m)
    m.play("R")
    assert view.avatar.position == (0, 0)
    assert view.sprites[0].x == 0


def test_nothing_is_worked_out_before_it_is_asked_for(micro):
    view = view_of(micro(WALKER, "", "A.."))
    assert not {"rows", "sprites", "grid", "players"} & set(vars(view))


def test_the_array_of_sprites_cannot_be_written_to(micro):
    rows = view_of(micro(WALKER, "", "A..")).rows
    with pytest.raises(ValueError, match="read-only"):
        rows["x"] = 9


def test_the_resources_of_an_avatar_cannot_be_written_to(micro):
    avatar = view_of(micro(WALKER, "", "A..")).avatar
    with pytest.raises(TypeError):
        avatar.resources[1] = 5


def test_a_pickled_view_shows_the_same(micro):
    view = view_of(everything(micro))
    again = pickle.loads(pickle.dumps(view))
    assert again == view
    assert public(again) == public(view)


def test_views_that_arrive_in_a_process_share_one_scene(micro):
    m = micro(WALKER, "", "A..")
    one = pickle.loads(pickle.dumps(view_of(m)))
    m.play("R")
    other = pickle.loads(pickle.dumps(view_of(m)))
    assert one._scene is other._scene
    assert one != other


def test_the_model_exchanges_a_view_for_a_copy_of_the_state(micro):
    m = micro(WALKER, "", "A..")
    view = view_of(m)
    before = pickled(view)
    imagined = m.model.imagine(view, Rng(0))
    m.model.advance(imagined, (Action.RIGHT,), Rng(0))
    assert imagined != m.state
    assert pickled(view) == before


def test_a_model_can_be_pickled_with_its_level(micro):
    m = micro(WALKER, "", "A..")
    again = pickle.loads(pickle.dumps(m.model))
    assert again.view(m.state, 0).sprites == view_of(m).sprites


# The past


class Diarist:
    """Walks about and writes down what its views tell of the past."""

    def __init__(self):
        self.told, self.pages = [], []

    def start(self, model, view, budget, rng):
        return self

    def observe(self, event):
        self.told.append(event)

    def decide(self, view, budget, rng):
        self.pages.append((list(self.told), list(view.history), view.last_action))
        return Decision(action=view.legal[-1] if len(self.pages) % 2 else view.legal[0])

    def finish(self, view, outcome):
        self.end = list(view.history)


class Counting:
    """Chooses by what its view tells of the past, so that a match shows what it was told."""

    def decide(self, model, view, budget, rng):
        place = len(view.history) + view.last_action + len(view.sprites)
        return Decision(action=view.legal[place % len(view.legal)])


def test_views_tell_an_agent_in_its_own_process_the_same():
    here, there = (
        play_match("vgdl/sokoban", [Counting()], seed=1, budget="1calls", isolate=isolate)
        for isolate in (False, True)
    )
    assert not there.faults
    assert [one.action for one in here.decisions[0]] == [one.action for one in there.decisions[0]]


def diary():
    diarist = Diarist()
    play_match("vgdl/sokoban", [diarist], seed=1, budget=Budget(model_calls=1))
    return diarist


def test_a_views_history_is_all_that_its_seat_was_told():
    diarist = diary()
    assert all(told == shown for told, shown, _ in diarist.pages)
    assert diarist.end == diarist.told
    assert len(diarist.told) > 10


def test_a_view_has_the_action_that_was_last_played():
    lasts = [last for _, _, last in diary().pages]
    assert lasts[:4] == [Action.NIL, Action.RIGHT, Action.NIL, Action.RIGHT]


def test_a_history_does_not_grow_with_the_list_behind_it():
    kept = [Event("a"), Event("b")]
    history = History(kept)
    kept.append(Event("c"))
    assert (len(history), list(history)) == (2, [Event("a"), Event("b")])
    assert (history[-1], history[0:5]) == (Event("b"), (Event("a"), Event("b")))
    with pytest.raises(IndexError):
        history[2]


def test_a_pickled_history_holds_what_it_showed_and_no_more():
    kept = [Event("a"), Event("b")]
    history = History(kept, 1)
    assert list(pickle.loads(pickle.dumps(history))) == [Event("a")]


# JSON


def test_json_reads_back_field_by_field(micro):
    m = everything(micro)
    for content in ("JSON", "IMAGE", "BOTH"):
        fields = serialise(view_of(m), content=content)
        assert read_json(write_json(fields)) == fields


def test_json_keeps_resources_by_number(micro):
    rules = "gem avatar > collectResource\ngem avatar > killSprite"
    m = micro(WALKER + "gem > Resource", rules, "Ag", g="gem").play("R")
    fields = read_json(to_json(view_of(m)))
    assert fields["avatarResources"] == {m.game.type_named("gem"): 1}


def test_json_has_the_distances_of_the_reference_without_a_reference(micro):
    """The printed sample: (0, 0) is at 2 and (150, 40) at 151 * 151 + 41 * 41 = 24482."""
    plan = "/".join(
        ["r" + "." * 22] + ["." * 23] * 3 + ["." * 15 + "r" + ".......", "A" + "." * 22]
    )
    m = micro(WALKER + "rock > Immovable", "", plan, r="rock")
    (rocks,) = serialise(view_of(m))["immovablePositions"]
    assert [(rock["position"], rock["sqDist"]) for rock in rocks] == [
        ({"x": 0.0, "y": 0.0}, 2.0),
        ({"x": 150.0, "y": 40.0}, 24482.0),
    ]
    assert rocks[0]["reference"] == {"x": -1.0, "y": -1.0}


def test_json_has_all_fields_of_the_learning_track(micro):
    fields = serialise(view_of(everything(micro)), "INIT", validation=True, content="BOTH")
    assert fields["phase"] == "INIT"
    assert fields["isValidation"] is True
    wanted = """
        gameScore gameTick gameWinner isGameOver worldDimension blockSize noOfPlayers avatarSpeed
        avatarOrientation avatarPosition avatarLastAction avatarType isAvatarAlive
        avatarHealthPoints avatarMaxHealthPoints avatarLimitHealthPoints availableActions
        avatarResources observationGrid NPCPositions immovablePositions movablePositions
        resourcesPositions portalsPositions fromAvatarSpritesPositions imageArray
    """
    assert set(wanted.split()) <= set(fields)


def test_an_empty_list_is_null_in_json(micro):
    fields = serialise(view_of(micro(WALKER, "", "A..")))
    assert fields["NPCPositions"] is None
    assert (fields["NPCPositionsNum"], fields["NPCPositionsMaxRow"]) == (0, 0)


def test_an_image_message_has_the_persistent_fields_and_the_picture_alone(micro):
    fields = serialise(view_of(micro(WALKER, "", "A..")), content="IMAGE")
    assert sorted(fields) == sorted(
        [
            "phase",
            "isValidation",
            "availableActions",
            "gameScore",
            "gameTick",
            "gameWinner",
            "isGameOver",
            "imageArray",
        ]
    )


def test_there_is_no_picture_in_the_start_phase(micro):
    fields = serialise(view_of(micro(WALKER, "", "A..")), "START", content="BOTH")
    assert "imageArray" not in fields


def test_a_png_holds_the_pixels():
    picture = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    data = write_png(picture)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (3, 2)
    start = data.index(b"IDAT") + 4
    length = struct.unpack(">I", data[start - 8 : start - 4])[0]
    lines = np.frombuffer(zlib.decompress(data[start : start + length]), np.uint8).reshape(2, 10)
    assert (lines[:, 0] == 0).all()
    assert np.array_equal(lines[:, 1:].reshape(2, 3, 3), picture)
