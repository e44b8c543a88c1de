"""One micro-game for every avatar class."""

from __future__ import annotations

import math

import pytest

from ludex.worlds.vgdl.model import Action

AREA = "...../...../..A../...../....."
ALL_MOVES = ["U", "D", "L", "R"]


def moves_of(micro, kind, extra=""):
    """Where each action takes an avatar in one tick, from the middle of a large field."""
    found = {}
    for action in [*ALL_MOVES, "X", "N"]:
        m = micro(f"avatar > {kind} {extra}\nshot > Immovable", "", AREA)
        found[action] = m.play(action).cell("avatar")
    return found


def legal_names(m):
    return {Action(action).name for action in m.model.legal(m.state, 0)}


def test_moving_avatar_moves_in_four_directions(micro):
    found = moves_of(micro, "MovingAvatar")
    assert found == {
        "U": (2, 1),
        "D": (2, 3),
        "L": (1, 2),
        "R": (3, 2),
        "X": (2, 2),
        "N": (2, 2),
    }


def test_horizontal_avatar_moves_sideways_alone(micro):
    found = moves_of(micro, "HorizontalAvatar")
    assert (found["L"], found["R"], found["U"], found["D"]) == ((1, 2), (3, 2), (2, 2), (2, 2))


def test_vertical_avatar_moves_up_and_down_alone(micro):
    found = moves_of(micro, "VerticalAvatar")
    assert (found["L"], found["R"], found["U"], found["D"]) == ((2, 2), (2, 2), (2, 1), (2, 3))


def test_null_avatar_can_only_wait(micro):
    assert set(moves_of(micro, "NullAvatar").values()) == {(2, 2)}
    assert legal_names(micro("avatar > NullAvatar")) == {"NIL"}


def test_flak_avatar_makes_a_sprite_in_its_own_cell(micro):
    m = micro("avatar > FlakAvatar stype=shot\nshot > Immovable", "", "..A").play("L X")
    assert (m.cell("shot"), m.cell("avatar")) == ((1, 0), (1, 0))


def test_flak_avatar_needs_more_than_its_least_ammunition(micro):
    sprites = "avatar > FlakAvatar stype=shot ammo=shell minAmmo=1 ammoCost=2\n"
    sprites += "shot > Immovable\nshell > Resource limit=9"
    m = micro(sprites, "shell avatar > collectResource", "Ass", s="shell").play("X R X R X")
    assert (m.count("shot"), m.held) == (1, {"shell": 0})


def test_oriented_avatar_turns_before_it_moves(micro):
    m = micro("avatar > OrientedAvatar", "", AREA).play("U")
    assert (m.cell("avatar"), m.one("avatar")["way"]) == ((2, 2), (0, -1))
    assert m.play("U").cell("avatar") == (2, 1)


def test_shoot_avatar_shoots_ahead(micro):
    sprites = "avatar > ShootAvatar stype=shot\nshot > Missile"
    m = micro(sprites, "", AREA).play("X")
    assert (m.cell("shot"), m.one("shot")["way"]) == ((3, 2), (1, 0))
    assert m.play("N").cell("shot") == (4, 2)


def test_shoot_avatar_fires_the_first_weapon_with_ammunition(micro):
    sprites = "avatar > ShootAvatar stype=big,small ammo=shell\nbig > Immovable\n"
    sprites += "small > Immovable\nshell > Resource limit=9"
    m = micro(sprites, "shell avatar > collectResource", "As.", s="shell").play("X")
    assert (m.count("big"), m.count("small")) == (0, 1)
    m.play("R X X")
    assert (m.count("big"), m.count("small"), m.held) == (1, 2, {"shell": 0})


def test_shoot_only_avatar_fires_another_weapon_for_each_action(micro):
    sprites = "avatar > ShootOnlyAvatar stype=a,b,c,d,e\n"
    sprites += "\n".join(f"{name} > Immovable" for name in "abcde")
    fired = {}
    for action in "LURDX":
        m = micro(sprites, "", AREA).play(action)
        fired[action] = [name for name in "abcde" if m.count(name)]
        assert m.cell("avatar") == (2, 2)
    assert fired == {"L": ["a"], "U": ["b"], "R": ["c"], "D": ["d"], "X": ["e"]}


def test_ongoing_avatar_never_stops(micro):
    m = micro("avatar > OngoingAvatar", "", AREA).play("N N")
    assert m.cell("avatar") == (3, 2)
    assert m.play("D N").cell("avatar") == (3, 4)


def test_ongoing_shoot_avatar_moves_and_shoots(micro):
    sprites = "avatar > OngoingShootAvatar stype=shot\nshot > Immovable"
    m = micro(sprites, "", "A.....").play("N X")
    assert (m.cell("avatar"), m.cell("shot")) == ((1, 0), (2, 0))


def test_ongoing_turning_avatar_turns_at_right_angles_and_leaves_a_trail(micro):
    sprites = "avatar > OngoingTurningAvatar spawnBehind=trail\ntrail > Immovable"
    m = micro(sprites, "", AREA).play("N N L")  # cannot turn back
    assert m.cell("avatar") == (4, 2)
    assert m.cells("trail") == [(2, 2), (3, 2)]
    assert m.play("D").cell("avatar") == (4, 3)


def test_missile_avatar_ignores_its_player(micro):
    m = micro("avatar > MissileAvatar", "", "A.....").play("L L U L")
    assert m.cell("avatar") == (3, 0)


def test_aimed_avatar_turns_its_gun(micro):
    sprites = "avatar > AimedAvatar stype=shot angle_diff=0.5\nshot > Missile"
    m = micro(sprites, "", AREA).play("D")
    assert m.one("avatar")["way"] == pytest.approx((math.cos(0.5), math.sin(0.5)))
    assert m.cell("avatar") == (2, 2)
    m.play("X")
    assert m.count("shot") == 2  # the reference shoots twice
    assert m.all("shot")[0]["way"] == pytest.approx((math.cos(0.5), math.sin(0.5)))


def test_bird_avatar_flaps_up_and_is_pushed_forward(micro):
    m = micro("avatar > BirdAvatar physicstype=CONT mass=1 jump_strength=4", "", AREA).play("X")
    # Speed 1 to the right, no push since it already goes right, and 4 upwards.
    way = m.one("avatar")["way"]
    assert m.one("avatar")["speed"] == pytest.approx(math.sqrt(17))
    assert way == pytest.approx((1 / math.sqrt(17), -4 / math.sqrt(17)))


def test_car_avatar_drives_where_it_is_turned(micro):
    m = micro("avatar > CarAvatar physicstype=CONT angle_diff=0.5", "", AREA).play("R")
    # A push along its new rotation on top of 5 pixels the way it went.
    x, y = 5 + math.cos(0.5), math.sin(0.5)
    assert m.one("avatar")["way"] == pytest.approx((x / math.hypot(x, y), y / math.hypot(x, y)))
    m = micro("avatar > CarAvatar physicstype=CONT", "", AREA).play("D")
    # Backwards by 1, against the 5 to the right that it starts with.
    assert m.one("avatar")["speed"] == pytest.approx(4.0)


def test_lander_avatar_turns_and_thrusts(micro):
    sprites = "avatar > LanderAvatar physicstype=CONT angle_diff=0.5 speed=0"
    m = micro(sprites, "", AREA).play("R U")
    assert m.one("avatar")["way"] == pytest.approx((math.cos(0.5), math.sin(0.5)))
    assert m.one("avatar")["speed"] == pytest.approx(1.0)


def test_spaceship_avatar_shoots_where_it_points_and_brakes(micro):
    sprites = "avatar > SpaceshipAvatar physicstype=CONT angle_diff=0.5 speed=0 stype=shot\n"
    sprites += "shot > Missile"
    m = micro(sprites, "", AREA).play("R X")
    assert m.count("shot") == 2
    assert m.all("shot")[0]["way"] == pytest.approx((math.cos(0.5), math.sin(0.5)))
    assert m.play("D").one("avatar")["way"] == pytest.approx((-math.cos(0.5), -math.sin(0.5)))


def pushed(x: float, y: float) -> tuple[float, float]:
    """The direction of what stood still and was pushed, in the engine's arithmetic."""
    length = math.sqrt(x * x + y * y)
    return x / length, y / length


@pytest.mark.parametrize("rotation", [0.3, 0.5, 0.7, 1.1])
def test_spaceship_avatar_brakes_with_the_reference_s_last_digits(micro, rotation):
    sprites = f"avatar > SpaceshipAvatar physicstype=CONT angle_diff={rotation} speed=0 stype=shot"
    m = micro(sprites + "\nshot > Missile", "", AREA).play("R D")
    away = pushed(math.cos(rotation + math.pi), math.sin(rotation + math.pi))
    assert away != pushed(-math.cos(rotation), -math.sin(rotation))  # nearly, but not exactly
    assert m.one("avatar")["way"] == away


@pytest.mark.parametrize("angle", [0.3, 0.4, 0.7])
def test_aimed_avatar_recoils_with_the_reference_s_last_digits(micro, angle):
    sprites = f"avatar > AimedAvatar physicstype=CONT stype=shot angle_diff={angle}"
    m = micro(sprites + "\nshot > Missile", "", AREA).play("D")
    # Pushed down, turned, and pushed back: the rest of the sum is rounding alone.
    x, y = -math.sin(angle), math.cos(angle)
    away = math.atan2(y, x) + math.pi
    assert m.one("avatar")["way"] == pushed(math.cos(away) + x, math.sin(away) + y)


PLATFORM = "......../...A..../......../wwwwwwww"


def test_platformer_avatar_falls_lands_and_jumps(micro):
    sprites = "avatar > PlatformerAvatar physicstype=CONT gravity=1 jump_strength=5\n"
    sprites += "wall > Immovable solid=True"
    m = micro(sprites, "avatar wall > wallStop", PLATFORM)
    m.wait(12)
    ground = m.one("avatar")["y"]
    assert ground == 20
    heights = [m.play("X").one("avatar")["y"] for _ in range(4)]
    assert min(heights) < ground


def test_platformer_avatar_runs_slower_in_the_air(micro):
    sprites = "avatar > PlatformerAvatar physicstype=CONT speed=0"
    m = micro(sprites, "", PLATFORM).play("R")
    assert m.one("avatar")["speed"] == pytest.approx(0.5)  # divided by 2: not on the ground


def test_wizard_avatar_makes_blocks_beside_it_with_pauses(micro):
    sprites = "avatar > WizardAvatar physicstype=CONT stype=block\nblock > Immovable"
    m = micro(sprites, "", PLATFORM).play("U U U U U")
    assert m.count("block") == 0  # five ticks must have passed
    m.play("U")
    assert m.count("block") == 1
    # 1.2 widths to the right, the way it faces.
    assert m.one("block")["x"] == m.one("avatar")["x"] + 12


def test_each_avatar_offers_its_actions(micro):
    from ludex.worlds.vgdl.language.ontology import SPRITES

    for name, kind in SPRITES.items():
        if not kind.avatar:
            continue
        m = micro(f"avatar > {name} stype=shot\nshot > Immovable", "", AREA)
        assert legal_names(m) == {"NIL", *kind.actions}, name
