"""One micro-game for every sprite class; numbers worked by hand from the reference's rules.

A sprite's first passive move is never made, so a missile is n - 1 cells away after n ticks.
"""

from __future__ import annotations

import pytest

from ludex.worlds.vgdl import _native

BASE = [(0, -1), (-1, 0), (0, 1), (1, 0)]  # the order in which directions are drawn
SEEDS = [1_234_567_891 * k for k in range(1, 40)]  # small seeds all begin alike in Java
IDLE = "avatar > NullAvatar\n"
BEHIND_WALLS = "wwwwwww/wA....w/w.....w/w..x..w/w.....w/w.....w/wwwwwww"


def drawn_direction(seed, skip=0):
    dice = _native.ReferenceDice(seed)
    for _ in range(skip):
        dice.below(4)
    return BASE[dice.below(4)]


class TestPlain:
    def test_immovable_stands_even_with_speed_and_direction(self, micro):
        m = micro(IDLE + "x > Immovable speed=1 orientation=RIGHT", "", "Ax...", x="x").wait(4)
        assert m.cell("x") == (1, 0)

    def test_passive_moves_only_with_speed_and_direction(self, micro):
        sprites = IDLE + "x > Passive\ny > Passive speed=1 orientation=RIGHT"
        m = micro(sprites, "", "A..../x..../y....", x="x", y="y").wait(4)
        assert (m.cell("x"), m.cell("y")) == ((0, 1), (3, 2))

    def test_door_is_a_static_portal(self, micro):
        m = micro(IDLE + "x > Door speed=1 orientation=RIGHT", "", "Ax..", x="x").wait(3)
        values = m.game.types[m.game.type_named("x")].values
        assert (m.cell("x"), values["portal"], values["is_static"]) == ((1, 0), True, True)

    def test_conveyor_is_static_and_oriented(self, micro):
        m = micro(IDLE + "x > Conveyor speed=1 orientation=RIGHT", "", "Ax..", x="x").wait(3)
        assert m.cell("x") == (1, 0)
        assert m.game.types[m.game.type_named("x")].values["jump_strength"] == 1

    @pytest.mark.parametrize("limit", [0, 1, 4])
    def test_flicker_dies_in_its_update_after_limit_and_one(self, micro, limit):
        m = micro(IDLE + f"x > Flicker limit={limit}", "", "Ax", x="x").wait(limit + 1)
        assert m.count("x") == 1
        assert m.wait().count("x") == 0

    def test_oriented_flicker_takes_the_direction_of_the_shot(self, micro):
        sprites = "avatar > ShootAvatar stype=x\nx > OrientedFlicker limit=3"
        m = micro(sprites, "", "./A/.").play("D X")  # turns down, then shoots
        assert (m.one("x")["way"], m.cell("x")) == ((0, 1), (0, 2))

    def test_resource_has_a_value_and_a_limit(self, micro):
        sprites = "avatar > MovingAvatar\nx > Resource value=3 limit=4"
        m = micro(sprites, "x avatar > collectResource", "Axx", x="x").play("R R")
        assert m.held == {"x": 4}

    def test_resource_pack_gives_the_resource_it_names(self, micro):
        sprites = "avatar > MovingAvatar\ngold > Resource limit=9\n"
        sprites += "x > ResourcePack resource_name=gold value=5"
        m = micro(sprites, "x avatar > collectResource", "Ax", x="x").play("R")
        assert m.held == {"gold": 5}

    def test_spreader_makes_four_neighbours_at_age_two(self, micro):
        sprites = IDLE + "x > Spreader stype=y\ny > Immovable"
        m = micro(sprites, "", "A../.x./...", x="x").wait(1)
        assert m.count("y") == 0
        assert m.wait().cells("y") == [(0, 1), (1, 0), (1, 2), (2, 1)]

    def test_spreader_with_no_chance_makes_none(self, micro):
        sprites = IDLE + "x > Spreader stype=y spreadprob=0\ny > Immovable"
        assert micro(sprites, "", "A../.x./...", x="x").wait(3).count("y") == 0

    def test_time_to_live_counts_down_to_zero_and_then_kills(self, micro):
        m = micro(IDLE + "x > Immovable timeToLive=2", "", "Ax", x="x").wait(2)
        assert m.count("x") == 1
        assert m.wait().count("x") == 0


class TestMissiles:
    def test_missile_flies_one_cell_a_tick(self, micro):
        m = micro(IDLE + "x > Missile orientation=DOWN", "", "Ax/../../..", x="x").wait(3)
        assert m.cell("x") == (1, 2)

    def test_missile_speed_is_a_part_of_a_cell_rounded_down(self, micro):
        m = micro(IDLE + "x > Missile orientation=RIGHT speed=0.37", "", "A/x...", x="x").wait(3)
        assert m.one("x")["x"] == 2 * 3

    def test_missile_with_cooldown_moves_every_so_many_ticks(self, micro):
        m = micro(IDLE + "x > Missile orientation=RIGHT cooldown=3", "", "A/x.....", x="x")
        columns = [m.wait().cell("x")[0] for _ in range(7)]
        assert columns == [0, 0, 1, 1, 1, 2, 2]

    def test_missile_without_direction_stands(self, micro):
        assert micro(IDLE + "x > Missile", "", "Ax.", x="x").wait(3).cell("x") == (1, 0)

    @pytest.mark.parametrize("seed", SEEDS[:6])
    def test_random_missile_draws_its_direction_once(self, micro, seed):
        m = micro(IDLE + "x > RandomMissile", "", BEHIND_WALLS, x="x", seed=seed).wait(3)
        dx, dy = drawn_direction(seed)
        assert m.cell("x") == (3 + 2 * dx, 3 + 2 * dy)

    def test_erratic_missile_flies_as_a_missile(self, micro):
        m = micro(IDLE + "x > ErraticMissile orientation=RIGHT", "", "A/x...", x="x").wait(3)
        assert m.cell("x") == (2, 1)


class TestProducers:
    def test_sprite_producer_produces_nothing(self, micro):
        m = micro(IDLE + "x > SpriteProducer", "", "Ax", x="x").wait(3)
        assert m.cell("x") == (1, 0)
        assert len(m.model.level.sprites(m.state)) == 2

    def test_portal_leads_to_its_exit(self, micro):
        sprites = "avatar > MovingAvatar\nx > Portal stype=y\ny > Immovable"
        m = micro(sprites, "avatar x > teleportToExit", "Ax..y", x="x", y="y").play("R")
        assert m.cell("avatar") == (4, 0)

    def test_spawn_point_fires_by_the_tick_and_dies_when_done(self, micro):
        sprites = IDLE + "x > SpawnPoint stype=y cooldown=3 total=2\ny > Immovable"
        m = micro(sprites, "", "Ax", x="x")
        assert [m.wait().count("y") for _ in range(4)] == [1, 1, 1, 2]
        assert m.count("x") == 0

    def test_spawn_point_orients_what_has_no_direction_of_its_own(self, micro):
        sprites = IDLE + "x > SpawnPoint stype=y spawnorientation=DOWN total=1\ny > Missile"
        assert micro(sprites, "", "Ax/..", x="x").wait().one("y")["way"] == (0, 1)

    def test_spawn_point_without_chance_never_fires(self, micro):
        sprites = IDLE + "x > SpawnPoint stype=y prob=0\ny > Immovable"
        assert micro(sprites, "", "Ax", x="x").wait(20).count("y") == 0

    def test_bomber_drops_first_and_flies_on_to_the_right(self, micro):
        sprites = IDLE + "x > Bomber stype=y speed=1 cooldown=2\ny > Immovable"
        m = micro(sprites, "", "A/x......", x="x").wait(5)
        assert m.cells("y") == [(0, 1), (1, 1), (2, 1)]  # ticks 0, 2 and 4
        assert m.cell("x") == (2, 1)  # moved in ticks 1 and 3

    def test_random_bomber_wanders(self, micro):
        sprites = IDLE + "x > RandomBomber stype=y prob=0\ny > Immovable"
        m = micro(sprites, "", BEHIND_WALLS, x="x", seed=5).wait()
        dx, dy = drawn_direction(5)
        assert m.cell("x") == (3 + dx, 3 + dy)

    def test_bomber_random_missile_draws_what_to_drop(self, micro):
        sprites = IDLE + "x > BomberRandomMissile stypeMissile=y,z\ny > Immovable\nz > Immovable"
        m = micro(sprites, "", "A/x", x="x", seed=9)
        dice = _native.ReferenceDice(9)
        expected = {"y": 0, "z": 0}
        for _ in range(8):
            expected["yz"[dice.below(2)]] += 1
            dice.single()
        m.wait(8)
        assert {name: m.count(name) for name in "yz"} == expected

    def test_spawn_point_multi_sprite_makes_one_of_each(self, micro):
        sprites = IDLE + "x > SpawnPointMultiSprite stypes=y,z cooldown=5\n"
        sprites += "y > Immovable\nz > Missile"
        m = micro(sprites, "", "Ax.", x="x").wait()
        assert (m.count("y"), m.count("z"), m.one("z")["way"]) == (1, 1, (1, 0))


class TestWanderers:
    def test_random_npc_moves_as_drawn(self, micro):
        m = micro(IDLE + "x > RandomNPC", "", BEHIND_WALLS, x="x", seed=3).wait(2)
        (ax, ay), (bx, by) = drawn_direction(3), drawn_direction(3, 1)
        assert m.cell("x") == (3 + ax + bx, 3 + ay + by)

    def test_random_npc_stands_for_cons_moves_and_then_repeats(self, micro):
        m = micro(IDLE + "x > RandomNPC cons=2", "", BEHIND_WALLS, x="x", seed=3)
        dx, dy = drawn_direction(3)
        steps = [m.wait().cell("x") for _ in range(5)]
        assert steps == [
            (3, 3),
            (3, 3),
            (3 + dx, 3 + dy),
            (3 + 2 * dx, 3 + 2 * dy),
            (3 + 3 * dx, 3 + 3 * dy),
        ]

    def test_random_inertial_gathers_speed(self, micro):
        m = micro(IDLE + "x > RandomInertial", "", BEHIND_WALLS, x="x", seed=3).wait()
        # Velocity = direction / mass + orientation * speed, and it had no orientation.
        assert m.one("x")["way"] == drawn_direction(3)
        assert m.one("x")["speed"] == 1.0

    def test_chaser_comes_nearer_each_tick(self, micro):
        m = micro(IDLE + "x > Chaser stype=avatar", "", "A....x", x="x").wait(3)
        assert m.cell("x") == (2, 0)

    def test_chaser_does_not_see_further_than_its_distance(self, micro):
        sprites = IDLE + "x > Chaser stype=avatar maxDistance=30 cons=9"
        m = micro(sprites, "", "A....x", x="x").wait(3)
        assert m.cell("x") == (5, 0)  # a random move that repeats its first one: standing

    def test_chaser_takes_subtypes_when_the_type_itself_has_none(self, micro):
        sprites = IDLE + "x > Chaser stype=prey\nprey > Immovable\n    rabbit >"
        m = micro(sprites, "", "A..../r...x", x="x", r="rabbit").wait(2)
        assert m.cell("x") == (2, 1)

    def test_fleeing_gets_away(self, micro):
        m = micro(IDLE + "x > Fleeing stype=avatar", "", "A.x....", x="x").wait(1)
        far = abs(m.cell("x")[0]) + abs(m.cell("x")[1])
        assert far == 3

    def test_los_chaser_sees_nothing_before_its_first_random_move(self, micro):
        m = micro(IDLE + "x > LOSChaser stype=avatar cons=3", "", "A....x", x="x").wait(3)
        assert m.cell("x") == (5, 0)

    def test_los_chaser_follows_what_lies_in_its_last_random_direction(self, micro):
        seed = next(seed for seed in SEEDS if drawn_direction(seed) == (-1, 0))
        m = micro(IDLE + "x > LOSChaser stype=avatar", "", "A....x/......", x="x", seed=seed)
        assert m.wait(3).cell("x") == (2, 0)

    def test_alternate_chaser_chases_its_first_types(self, micro):
        sprites = IDLE + "x > AlternateChaser stype1=avatar stype2=y\ny > Immovable"
        m = micro(sprites, "", "A....x/yyyyyy", x="x", y="y").wait(3)
        assert m.cell("x") == (2, 0)

    def test_random_alt_chaser_with_epsilon_one_only_wanders(self, micro):
        sprites = IDLE + "x > RandomAltChaser stype1=avatar stype2=avatar epsilon=1"
        m = micro(sprites, "", "A....x", x="x", seed=4).wait()
        dice = _native.ReferenceDice(4)
        dice.real()
        dx, dy = BASE[dice.below(4)]
        assert m.cell("x") == (5 + dx, dy)

    def test_random_alt_chaser_with_epsilon_zero_chases(self, micro):
        sprites = IDLE + "x > RandomAltChaser stype1=avatar stype2=avatar"
        assert micro(sprites, "", "A....x", x="x").wait(3).cell("x") == (2, 0)


class TestPaths:
    def test_path_chaser_goes_around_walls(self, micro):
        sprites = IDLE + "x > PathChaser stype=avatar\nwall > Immovable"
        m = micro(sprites, "", "Aw.x/.w../....", x="x", head="obs=wall")
        steps = [m.wait().cell("x") for _ in range(7)]
        assert steps[-1] == (0, 0)  # seven steps are the shortest way
        assert not {(1, 0), (1, 1)} & set(steps)

    def test_path_chaser_prefers_up_and_down_among_equal_paths(self, micro):
        sprites = IDLE + "x > PathChaser stype=avatar\nwall > Immovable"
        m = micro(sprites, "", "A../.../..x", x="x", head="obs=wall").wait()
        assert m.cell("x") in {(2, 1), (1, 2)}

    def test_path_chaser_stands_where_there_is_no_path(self, micro):
        sprites = IDLE + "x > PathChaser stype=avatar\nwall > Immovable"
        m = micro(sprites, "", "Aw.x", x="x", head="obs=wall").wait(3)
        assert m.cell("x") == (3, 0)

    def test_path_alt_chaser_follows_its_target(self, micro):
        sprites = IDLE + "x > PathAltChaser stype1=avatar stype2=avatar\nwall > Immovable"
        m = micro(sprites, "", "Aw.x/.w../....", x="x", head="obs=wall").wait(7)
        assert m.cell("x") == (0, 0)

    def test_path_alt_chaser_goes_on_to_where_its_target_was(self, micro):
        sprites = IDLE + "x > PathAltChaser stype1=y stype2=y\ny > Flicker limit=0"
        m = micro(sprites, "", "A...../y....x", x="x", y="y", head="obs=wall").wait(4)
        assert (m.count("y"), m.cell("x")) == (0, (1, 1))

    def test_random_path_alt_chaser_with_epsilon_one_only_wanders(self, micro):
        sprites = IDLE + "x > RandomPathAltChaser stype1=avatar stype2=avatar epsilon=1"
        m = micro(sprites, "", "A....x", x="x", seed=4, head="obs=wall").wait()
        dice = _native.ReferenceDice(4)
        dice.real()
        dx, dy = BASE[dice.below(4)]
        assert m.cell("x") == (5 + dx, dy)


class TestWalkers:
    def test_walker_walks_at_its_most(self, micro):
        sprites = IDLE + "x > Walker physicstype=CONT orientation=RIGHT max_speed=4 speed=4"
        m = micro(sprites, "", "A........./x.........", x="x").wait(4)
        # The first tick does not move it; then 4 pixels a tick.
        assert m.one("x")["x"] == 12

    def test_walker_without_direction_draws_a_side(self, micro):
        sprites = IDLE + "x > Walker physicstype=CONT"
        m = micro(sprites, "", "A..../..x..", x="x", seed=2).wait()
        way = -1.0 if _native.ReferenceDice(2).below(2) == 0 else 1.0
        assert m.one("x")["way"] == (way, 0.0)

    def test_walker_jumper_that_always_jumps_leaves_the_ground(self, micro):
        sprites = IDLE + "x > WalkerJumper physicstype=CONT orientation=RIGHT gravity=1 "
        sprites += "probability=1 jump_strength=6\nwall > Immovable solid=True"
        m = micro(sprites, "x wall > wallStop", "A../x../.../www", x="x")
        heights = [m.wait().one("x")["y"] for _ in range(12)]
        ground = max(heights)
        assert any(height < ground for height in heights[heights.index(ground) :])
