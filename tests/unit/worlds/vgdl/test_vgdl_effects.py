"""One micro-game for every effect: what it does, and when its score counts.

The avatar walks into `x` at its right; by default the rule is `x avatar > EFFECT`.
"""

from __future__ import annotations

import pytest

from ludex.worlds.vgdl import _native

WALKER = "avatar > MovingAvatar\n"


@pytest.fixture
def meet(micro):
    """Let an avatar walk into an x, with one rule for the two."""

    def run(effect, sprites="x > Passive", pair="x avatar", level="Ax..", moves="R", **more):
        lines = WALKER + sprites
        return micro(lines, f"{pair} > {effect}", level, x="x", **more).play(moves)

    return run


class TestKill:
    def test_kill_sprite_kills_the_first(self, meet):
        m = meet("killSprite scoreChange=2")
        assert (m.count("x"), m.count("avatar"), m.score) == (0, 1, 2)

    def test_kill_sprite_only_disables_an_avatar(self, meet):
        m = meet("killSprite", pair="avatar x")
        assert m.one("avatar")["disabled"]

    def test_kill_both_kills_the_two(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile orientation=RIGHT\ny > Immovable\nz > Immovable"
        m = micro(sprites, "x y > killBoth scoreChange=1", "A../xyz", x="x", y="y", z="z").wait(2)
        assert (m.count("x"), m.count("y"), m.count("z"), m.score) == (0, 0, 1, 1)

    def test_kill_all_kills_every_sprite_of_exactly_that_type(self, meet):
        sprites = "x > Passive\ny > Immovable\n    y1 >\n    y2 >"
        m = meet("killAll stype=y1", sprites, level="Axabb", a="y1", b="y2")
        assert (m.count("x"), m.count("y1"), m.count("y2")) == (1, 0, 2)

    @pytest.mark.parametrize(("limit", "dies"), [(0, False), (1, True)])
    def test_kill_if_has_less(self, micro, limit, dies):
        m = micro(
            WALKER + "c > Resource\nx > Immovable",
            "c avatar > collectResource\n"
            f"avatar x > killIfHasLess resource=c limit={limit} scoreChange=3",
            "Acx",
            c="c",
            x="x",
        ).play("R R")
        assert (m.one("avatar")["disabled"], m.score) == (dies, 3 if dies else 0)

    @pytest.mark.parametrize(("limit", "dies"), [(1, True), (2, False)])
    def test_kill_if_has_more(self, micro, limit, dies):
        m = micro(
            WALKER + "c > Resource\nx > Immovable",
            "c avatar > collectResource\n"
            f"avatar x > killIfHasMore resource=c limit={limit} scoreChange=3",
            "Acx",
            c="c",
            x="x",
        ).play("R R")
        assert (m.one("avatar")["disabled"], m.score) == (dies, 3 if dies else 0)

    @pytest.mark.parametrize(("limit", "left", "held"), [(1, 0, {"c": 0}), (2, 1, {"c": 1})])
    def test_kill_if_other_has_more_takes_what_it_costs(self, micro, limit, left, held):
        m = micro(
            WALKER + "c > Resource\nx > Immovable",
            "c avatar > collectResource\n"
            f"x avatar > killIfOtherHasMore resource=c limit={limit} subtract=True scoreChange=5",
            "Acx",
            c="c",
            x="x",
        ).play("R R")
        assert (m.count("x"), m.held, m.score) == (left, held, 0 if left else 5)

    def test_kill_if_from_above_needs_a_fall(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile orientation=DOWN\ny > Immovable"
        rules = "y x > killIfFromAbove scoreChange=1"
        fallen = micro(sprites, rules, "Ax/.y", x="x", y="y").wait(2)
        assert (fallen.count("y"), fallen.score) == (0, 1)
        sprites = sprites.replace("DOWN", "RIGHT")
        passed = micro(sprites, rules, "A./xy", x="x", y="y").wait(2)
        assert (passed.count("y"), passed.score) == (1, 0)

    @pytest.mark.parametrize(
        ("effect", "way", "dies"),
        [
            ("killIfFrontal", "LEFT", True),
            ("killIfFrontal", "UP", False),
            ("killIfNotFrontal", "LEFT", False),
            ("killIfNotFrontal", "UP", True),
        ],
    )
    def test_kill_if_frontal_goes_by_the_moves_of_both(self, micro, effect, way, dies):
        sprites = f"avatar > NullAvatar\nx > Missile orientation={way}\n"
        sprites += "y > Missile orientation=RIGHT"
        level = "A..../y.x.." if way == "LEFT" else "A..../y..../.x..."
        m = micro(sprites, f"x y > {effect} scoreChange=1", level, x="x", y="y").wait(2)
        assert (m.count("x") == 0, m.score) == (dies, float(dies))

    def test_kill_if_frontal_kills_what_stands(self, meet):
        assert meet("killIfFrontal").count("x") == 0

    def test_kill_if_alive_spares_when_the_other_died_before(self, micro):
        sprites = WALKER + "x > Passive\ny > Passive"
        rules = "y avatar > killSprite\nx y > killIfAlive"
        assert micro(sprites, rules, "Ab", b="x y").play("R").count("x") == 1
        assert micro(sprites, "x y > killIfAlive", "Ab", b="x y").play("R").count("x") == 0

    @pytest.mark.parametrize(
        ("effect", "dies"),
        [
            ("killIfFast limspeed=0.5", True),
            ("killIfFast limspeed=1", False),
            ("killIfSlow limspeed=1.5", True),
            ("killIfSlow limspeed=1", False),
        ],
    )
    def test_kill_if_fast_and_slow_take_the_speed_of_the_moving_one(self, meet, effect, dies):
        m = meet(effect, sprites="x > Immovable", pair="avatar x")
        assert m.one("avatar")["disabled"] == dies

    def test_kill_if_not_upright_spares_what_points_up(self, micro):
        sprites = "avatar > LanderAvatar physicstype=CONT speed=0 angle_diff=1.5708\nx > Immovable"
        rules = "avatar x > killIfNotUpright"
        assert micro(sprites, rules, "B", B="avatar x").play("L").one("avatar")["disabled"] is False
        assert micro(sprites, rules, "B", B="avatar x").play("N").one("avatar")["disabled"] is True


class TestMove:
    def test_step_back_undoes_the_move(self, meet):
        m = meet("stepBack scoreChange=1", pair="avatar x")
        assert (m.cell("avatar"), m.score) == ((0, 0), 1)

    def test_step_back_pixel_perfect_moves_to_the_edge(self, micro):
        sprites = "avatar > MovingAvatar speed=0.7\nwall > Immovable"
        m = micro(sprites, "avatar wall > stepBack pixelPerfect=True", "A.w").play("R R")
        assert m.one("avatar")["x"] == 10

    def test_undo_all_undoes_every_move_but_those_excepted(self, micro):
        sprites = (
            WALKER + "x > Immovable\ny > Missile orientation=RIGHT\nz > Missile orientation=RIGHT"
        )
        m = micro(
            sprites, "avatar x > undoAll notStype=z", "..Ax/y.../z...", x="x", y="y", z="z"
        ).play("N R")
        assert (m.cell("avatar"), m.cell("y"), m.cell("z")) == ((2, 0), (0, 1), (1, 2))

    @pytest.mark.parametrize(
        ("way", "start", "end"),
        [("RIGHT", "..x/.../A..", (0, 0)), ("LEFT", "x../.../A..", (2, 0))],
    )
    def test_wrap_around_goes_to_the_other_side(self, micro, way, start, end):
        sprites = f"avatar > NullAvatar\nx > Missile orientation={way}"
        assert micro(sprites, "x EOS > wrapAround", start, x="x").wait(2).cell("x") == end

    def test_wrap_around_with_offset_goes_a_little_further_in(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile orientation=DOWN"
        m = micro(sprites, "x EOS > wrapAround offset=1", "A./../.x", x="x").wait(2)
        assert m.cell("x") == (1, 1)

    def test_turn_around_goes_down_twice_and_back(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile orientation=RIGHT"
        m = micro(sprites, "x EOS > turnAround", "..x/.../.../A..", x="x").wait(2)
        assert (m.cell("x"), m.one("x")["way"]) == ((2, 2), (-1, 0))

    def test_bounce_forward_pushes_along(self, meet):
        m = meet("bounceForward")
        assert (m.cell("x"), m.one("x")["way"]) == ((2, 0), (1, 0))

    def test_pull_with_it_carries_along(self, micro):
        sprites = "avatar > NullAvatar\nx > Passive\ny > Missile orientation=RIGHT"
        m = micro(sprites, "x y > pullWithIt", "A.../b...", b="x y").wait(3)
        assert (m.cell("x"), m.cell("y")) == ((0, 1), (2, 1))  # y left before it could pull
        sprites = sprites.replace("RIGHT", "RIGHT speed=0.5")
        m = micro(sprites, "x y > pullWithIt", "A.../b...", b="x y").wait(3)
        assert (m.cell("x"), m.cell("y")) == ((1, 1), (1, 1))

    def test_teleport_to_exit_kills_without_an_exit(self, micro):
        sprites = WALKER + "x > Portal stype=y\ny > Immovable"
        m = micro(sprites, "avatar x > teleportToExit", "Ax", x="x").play("R")
        assert m.one("avatar")["disabled"]

    def test_teleport_to_exit_draws_among_exits(self, micro):
        sprites = WALKER + "x > Portal stype=y\ny > Immovable"
        m = micro(sprites, "avatar x > teleportToExit", "Axyyyyy", x="x", y="y", seed=77).play("R")
        assert m.cell("avatar") == (2 + _native.ReferenceDice(77).below(5), 0)

    def test_align_puts_the_first_on_the_second(self, micro):
        sprites = WALKER + "x > Missile orientation=UP speed=0\n"
        m = micro(
            "avatar > MovingAvatar speed=0.5\nx > Missile orientation=UP speed=0",
            "avatar x > align",
            "Ax",
            x="x",
        ).play("R")
        assert (m.cell("avatar"), m.one("avatar")["way"]) == ((1, 0), (0, -1))
        m = micro(sprites, "avatar x > align orient=False", "Ax", x="x").play("R")
        assert m.one("avatar")["way"] == (0, 0)

    def test_attract_gaze_turns_the_first_as_the_second(self, micro):
        sprites = (
            "avatar > NullAvatar\nx > Missile orientation=RIGHT\ny > Conveyor orientation=DOWN"
        )
        m = micro(sprites, "x y > attractGaze", "A../xy./...", x="x", y="y").wait(2)
        assert m.one("x")["way"] == (0, 1)
        m = micro(sprites, "x y > attractGaze prob=0", "A../xy./...", x="x", y="y").wait(2)
        assert m.one("x")["way"] == (1, 0)

    def test_attract_gaze_with_align_takes_the_column(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile orientation=RIGHT speed=0.5\n"
        sprites += "y > Conveyor orientation=DOWN"
        m = micro(sprites, "x y > attractGaze align=True", "A../xy.", x="x", y="y").wait(2)
        assert m.one("x")["x"] == 10

    def test_reverse_direction(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile orientation=RIGHT"
        m = micro(sprites, "x wall > reverseDirection", "A.w/.xw", x="x").wait(2)
        assert m.one("x")["way"] == (-1, 0)

    def test_flip_direction_draws_one(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile orientation=RIGHT"
        m = micro(sprites, "x wall > flipDirection", "A.w/.xw", x="x", seed=5).wait(2)
        base = [(0, -1), (-1, 0), (0, 1), (1, 0)]
        assert m.one("x")["way"] == base[_native.ReferenceDice(5).below(4)]

    def test_half_speed(self, meet):
        m = meet("halfSpeed", sprites="x > Immovable", pair="avatar x")
        assert m.one("avatar")["speed"] == 0.5

    def test_water_physics_sets_gravity(self, micro):
        sprites = "avatar > NullAvatar\ny > Immovable\n"
        sprites += "x > Missile physicstype=CONT orientation=RIGHT speed=4"
        m = micro(sprites, "x y > waterPhysics", "A/b...", b="x y").wait(2)
        # The second tick pulls it down by 0.2.
        assert m.one("x")["way"][1] == pytest.approx(0.2 / (16.04**0.5))

    @pytest.mark.parametrize(
        ("effect", "speed"),
        [
            ("increaseSpeedToAll stype=y value=0.25", 1.25),
            ("decreaseSpeedToAll stype=y value=0.25", 0.75),
            ("decreaseSpeedToAll stype=y value=3", 0.0),
            ("setSpeedForAll stype=y value=2", 2.0),
            ("increaseSpeedToAll stype=y", 1.1),
        ],
    )
    def test_speed_of_all_of_a_type(self, meet, effect, speed):
        m = meet(effect, "x > Immovable\ny > Missile\n    y1 >", level="Axy", y="y1")
        assert m.one("y1")["speed"] == pytest.approx(speed)


class TestWalls:
    BALL = "avatar > NullAvatar\nx > Missile physicstype=CONT speed=4 orientation={}\n"

    def test_wall_stop_touches_and_keeps_what_is_along_the_wall(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile physicstype=CONT speed=7 orientation=RIGHT"
        m = micro(sprites, "x wall > wallStop", "A.w/x.w", x="x").wait(3)
        assert (m.one("x")["x"], m.one("x")["speed"]) == (10, 0.0)

    def test_wall_bounce_reverses_what_hits(self, micro):
        m = micro(
            self.BALL.format("RIGHT"), "x wall > wallBounce scoreChange=1", "A.w/.xw", x="x"
        ).wait(2)
        assert (m.one("x")["way"], m.one("x")["x"], m.score) == ((-1, 0), 10, 1)

    def test_wall_bounce_off_the_floor_turns_upwards(self, micro):
        m = micro(self.BALL.format("DOWN"), "x wall > wallBounce", "Ax/.w", x="x").wait(2)
        assert m.one("x")["way"] == (0, -1)

    def test_wall_bounce_scores_twice_for_two_walls_in_a_line(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile speed=0.5 orientation=RIGHT hMult=2"
        rules = "x wall > wallBounce scoreChange=1"
        m = micro(sprites, rules, ".xw/..w/A..", x="x").wait(2)
        assert (m.score, m.one("x")["way"]) == (2, (-1, 0))

    def test_wall_reverse_goes_back_along_the_floor(self, micro):
        m = micro(self.BALL.format("RIGHT"), "x wall > wallReverse", "A.w/.xw", x="x").wait(2)
        assert (m.one("x")["way"], m.one("x")["speed"]) == ((-1, 0), 4)

    def test_bounce_direction_depends_on_where_it_hits(self, micro):
        sprites = self.BALL.format("DOWN") + "y > Immovable wMult=2"
        m = micro(sprites, "x y > bounceDirection", "A.x./..y.", x="x", y="y").wait(2)
        # Its centre is half of the half width left of the middle: half of 60 degrees.
        assert m.one("x")["way"] == pytest.approx((-0.5, -(3**0.5) / 2))


class TestSpawn:
    def test_spawn_creates_where_the_first_is(self, meet):
        m = meet("spawn stype=y scoreChange=1", "x > Passive\ny > Immovable")
        assert (m.cells("y"), m.score) == ([(1, 0)], 1)

    @pytest.mark.parametrize(("effect", "made"), [("spawnIfHasMore", 1), ("spawnIfHasLess", 0)])
    def test_spawn_if_has_more_or_less(self, micro, effect, made):
        spend = "spend=1" if effect == "spawnIfHasMore" else ""
        limit = 2 if effect == "spawnIfHasMore" else 1
        m = micro(
            WALKER + "c > Resource limit=9\nx > Immovable\ny > Immovable",
            "c avatar > collectResource\n"
            f"avatar x > {effect} resource=c stype=y limit={limit} {spend} scoreChange=7",
            "Accx",
            c="c",
            x="x",
        ).play("R R R")
        assert (m.count("y"), m.score) == (made, 7 * made)
        assert m.held == {"c": 1 if made else 2}

    def test_spawn_if_has_less_with_few(self, meet):
        m = meet(
            "spawnIfHasLess resource=c stype=y limit=0", "x > Passive\nc > Resource\ny > Immovable"
        )
        assert m.count("y") == 1

    def test_spawn_behind_where_the_second_was(self, meet):
        m = meet("spawnBehind stype=y", "x > Passive\ny > Immovable")
        assert m.cells("y") == [(0, 0)]

    @pytest.mark.parametrize(
        ("effect", "cell"),
        [
            ("spawnAbove", (2, 0)),
            ("spawnBelow", (2, 2)),
            ("spawnLeft", (1, 1)),
            ("spawnRight", (3, 1)),
        ],
    )
    def test_spawn_beside_the_second(self, meet, effect, cell):
        sprites = "x > Passive\ny > Immovable"
        m = meet(f"{effect} stype=y", sprites, level="..../.Ax./....")
        assert m.cells("y") == [cell]
        back = meet(f"{effect} stype=y stepBack=True", sprites, level="..../.Ax./....")
        assert back.cells("y") == [(cell[0] - 1, cell[1])]

    @pytest.mark.parametrize(("number", "made"), [(1, "y"), (5, "z")])
    def test_spawn_if_counter_sub_types(self, micro, number, made):
        sprites = WALKER + "x > Passive\ny > Immovable\nz > Immovable\n"
        sprites += "g > Immovable\n    g1 >\n    g2 >"
        m = micro(
            sprites,
            "x avatar > spawnIfCounterSubTypes stype=y estype=z stypeCount=g "
            f"limit=2 subTypesNum={number} scoreChange=4",
            "Axab",
            x="x",
            a="g1",
            b="g2",
        ).play("R")
        assert (m.count(made), m.score) == (1, 4 if made == "y" else 0)

    def test_clone_sprite_starts_fresh(self, meet):
        m = meet("cloneSprite", "x > Passive healthPoints=2")
        assert (m.cells("x"), [one["health"] for one in m.all("x")]) == ([(1, 0), (1, 0)], [2, 2])


class TestTransform:
    def test_transform_to_keeps_health_and_resources(self, micro):
        sprites = "avatar > MovingAvatar\n    one > healthPoints=3\n    two > healthPoints=9\n"
        sprites += "c > Resource\nx > Immovable"
        m = micro(
            sprites,
            "c avatar > collectResource\n"
            "one x > transformTo stype=two killSecond=True scoreChange=1",
            "Bcx.",
            B="one",
            c="c",
            x="x",
        ).play("R R")
        assert (m.count("one"), m.one("two")["health"], m.held, m.count("x")) == (0, 3, {"c": 1}, 0)
        assert m.score == 1
        assert m.play("R").cell("two") == (3, 0)  # the player has the new avatar

    def test_transform_to_gives_the_direction_to_what_has_none(self, micro):
        sprites = "avatar > NullAvatar\nx > Missile orientation=DOWN\ny > Missile\nz > Immovable"
        m = micro(sprites, "x z > transformTo stype=y", "Ax/.z/..", x="x", z="z").wait(2)
        assert m.one("y")["way"] == (0, 1)

    def test_transform_to_all_changes_every_one(self, meet):
        m = meet(
            "transformToAll stype=y stypeTo=z",
            "x > Passive\ny > Passive\nz > Passive",
            level="Axyy",
            y="y",
        )
        assert (m.count("y"), m.cells("z")) == (0, [(2, 0), (3, 0)])

    def test_transform_to_singleton_moves_the_title(self, meet):
        sprites = "x > Passive\nking > Passive singleton=True\nman > Passive"
        m = meet("transformToSingleton stype=king stype_other=man", sprites, level="Axk", k="king")
        assert (m.cells("king"), m.cells("man"), m.count("x")) == ([], [(2, 0)], 1)

    def test_transform_to_singleton_replaces_the_first(self, meet):
        sprites = "x > Passive\nking > Passive\nman > Passive"
        m = meet("transformToSingleton stype=king stype_other=man", sprites, level="Axk", k="king")
        assert (m.cells("king"), m.cells("man"), m.count("x")) == ([(1, 0)], [(2, 0)], 0)

    @pytest.mark.parametrize(("geq", "made", "score"), [(2, "y", 5), (3, "z", 0)])
    def test_transform_if_count(self, meet, geq, made, score):
        sprites = "x > Passive\ny > Passive\nz > Passive\nc > Immovable"
        m = meet(
            f"transformIfCount stype=y estype=z stypeCount=c geq={geq} scoreChange=5",
            sprites,
            level="Axcc",
            c="c",
        )
        assert (m.cells(made), m.count("x"), m.score) == ([(1, 0)], 0, score)

    def test_transform_to_random_child_draws_one(self, meet):
        sprites = "x > Passive\ng > Immovable\n    g1 >\n    g2 >\n    g3 >"
        m = meet("transformToRandomChild stype=g", sprites, seed=31)
        chosen = f"g{1 + _native.ReferenceDice(31).below(3)}"
        assert (m.cells(chosen), m.count("x")) == ([(1, 0)], 0)


class TestResourcesAndHealth:
    def test_collect_resource_up_to_its_limit(self, meet):
        m = meet(
            "collectResource scoreChange=1", "x > Resource limit=2", level="Axxx", moves="R R R"
        )
        assert (m.held, m.count("x"), m.score) == ({"x": 2}, 1, 2)

    @pytest.mark.parametrize(
        ("moves", "held", "score"), [("R", {}, 0), ("D R U", {"k": 1, "x": 1}, 4)]
    )
    def test_collect_resource_if_held(self, micro, moves, held, score):
        m = micro(
            WALKER + "x > Resource\nk > Resource",
            "k avatar > collectResource\n"
            "x avatar > collectResourceIfHeld heldResource=k scoreChange=4",
            "Ax/.k",
            x="x",
            k="k",
        ).play(moves)
        assert (m.held, m.score) == (held, score)

    def test_change_resource_refuses_to_go_over_the_limit(self, meet):
        m = meet(
            "changeResource resource=c value=2 scoreChange=1",
            "x > Immovable\nc > Resource limit=3",
            pair="avatar x",
            moves="R N",
        )
        assert (m.held, m.score) == ({"c": 2}, 1)

    def test_change_resource_stops_at_nothing_and_can_kill_the_second(self, meet):
        m = meet(
            "changeResource resource=c value=-2 killResource=True",
            "x > Immovable\nc > Resource limit=3",
            pair="avatar x",
        )
        assert (m.held, m.count("x")) == ({"c": 0}, 0)

    def test_add_health_points_stays_below_the_limit(self, micro):
        sprites = "avatar > MovingAvatar healthPoints=2 limitHealthPoints=5\nx > Immovable"
        m = micro(
            sprites,
            "avatar x > addHealthPoints value=2 killSecond=True scoreChange=1",
            "Axx",
            x="x",
        ).play("R R")
        assert (m.one("avatar")["health"], m.count("x"), m.score) == (4, 1, 1)

    def test_add_health_points_to_max_reaches_the_limit(self, micro):
        sprites = "avatar > MovingAvatar healthPoints=2 limitHealthPoints=5\nx > Immovable"
        m = micro(
            sprites,
            "avatar x > addHealthPointsToMax value=2 killSecond=True scoreChange=1",
            "Axx",
            x="x",
        ).play("R R")
        assert (m.one("avatar")["health"], m.count("x"), m.score) == (5, 0, 2)

    def test_subtract_health_points_kills_at_the_limit(self, micro):
        sprites = WALKER + "x > Immovable healthPoints=2"
        m = micro(
            sprites,
            "x avatar > subtractHealthPoints scoreChange=1 scoreChangeIfKilled=10",
            "Ax",
            x="x",
        ).play("R")
        assert (m.one("x")["health"], m.score) == (1, 1)
        assert (m.wait().count("x"), m.score) == (0, 11)

    def test_subtract_health_points_of_another_type(self, meet):
        m = meet(
            "subtractHealthPoints stype=y value=3",
            "x > Passive\ny > Immovable healthPoints=5",
            level="Axy",
            y="y",
        )
        assert m.one("y")["health"] == 2

    def test_remove_score(self, micro):
        sprites = WALKER + "x > Passive\ny > Passive"
        m = micro(
            sprites,
            "x avatar > killSprite scoreChange=5\navatar y > removeScore",
            "Axy",
            x="x",
            y="y",
        ).play("R")
        assert m.score == 5
        assert m.play("R").score == 0

    def test_update_spawn_type(self, meet):
        sprites = "x > Passive\ns > SpawnPoint stype=y\ny > Immovable\nz > Immovable"
        m = meet("updateSpawnType stype=z spawnPoint=s", sprites, level="Axs", s="s", moves="R N")
        assert (m.count("y"), m.count("z")) == (1, 1)

    def test_update_spawn_type_of_a_random_bomber_replaces_the_type_met(self, micro):
        sprites = WALKER + "x > Passive\ny > Immovable\nz > Immovable\n"
        sprites += "s > BomberRandomMissile stypeMissile=y"
        m = micro(
            sprites, "avatar y > updateSpawnType stype=z spawnPoint=s", "Ay/.s", y="y", s="s"
        ).play("R N")
        assert (m.count("y"), m.count("z")) == (2, 1)  # the placed one, one dropped, then a z

    def test_shield_from_skips_an_effect_for_this_tick(self, micro):
        sprites = WALKER + "water > Immovable\nlog > Immovable"
        rules = "avatar log > shieldFrom stype=water ftype=killSprite\navatar water > killSprite"
        safe = micro(sprites, rules, "Ab", b="water log").play("R")
        wet = micro(sprites, rules, "Ab", b="water").play("R")
        assert (safe.one("avatar")["disabled"], wet.one("avatar")["disabled"]) == (False, True)

    def test_add_timer_runs_later_and_scores_twice(self, meet):
        sprites = "x > Flicker limit=0\ny > Passive\nz > Passive"
        m = meet(
            "addTimer timer=3 ftype=transformToAll stype=y stypeTo=z scoreChange=1",
            sprites,
            level="Axy",
            y="y",
        )
        assert (m.count("y"), m.score) == (1, 1)
        m.wait(2)
        assert m.count("y") == 1
        m.wait()
        assert (m.count("y"), m.count("z"), m.score) == (0, 1, 2)


class TestAround:
    def test_edge_rules_run_outside_the_screen_alone(self, micro):
        m = micro("avatar > MovingAvatar", "avatar EOS > killSprite", "A.").play("R")
        assert not m.one("avatar")["disabled"]
        assert m.play("R").one("avatar")["disabled"]

    def test_timed_rules_repeat(self, micro):
        sprites = "avatar > NullAvatar\nx > Passive healthPoints=9"
        m = micro(sprites, "x TIME > subtractHealthPoints timer=3 repeating=True", "Ax", x="x")
        assert [m.wait().one("x")["health"] for _ in range(8)] == [8, 8, 8, 7, 7, 7, 6, 6]

    def test_timed_rules_with_next_execution_wait_first(self, micro):
        sprites = "avatar > NullAvatar\nx > Passive healthPoints=9"
        m = micro(sprites, "x TIME > subtractHealthPoints timer=3 nextExecution=3", "Ax", x="x")
        assert [m.wait().one("x")["health"] for _ in range(6)] == [9, 9, 9, 8, 8, 8]

    def test_counters_count(self, micro):
        m = micro(
            WALKER + "x > Passive",
            "x avatar > killSprite counter=2,-1",
            "Ax",
            x="x",
            head="no_counters=2",
        ).play("R")
        assert m.state.counters == [2, -1]

    def test_repeat_runs_a_rule_several_times(self, meet):
        m = meet("subtractHealthPoints repeat=3", "x > Passive healthPoints=9")
        assert m.one("x")["health"] == 6

    def test_disabled_rules_do_not_run(self, meet):
        assert meet("killSprite enabled=false").count("x") == 1

    def test_meetings_name_the_avatar_first(self, micro):
        m = micro(WALKER + "x > Passive", "x avatar > killSprite", "Ax", x="x").play("R")
        (meeting,) = m.meetings
        types = (m.game.types[meeting.active_type].name, m.game.types[meeting.passive_type].name)
        assert (types, meeting.by_product, meeting.x) == (("avatar", "x"), False, 10)

    def test_meetings_of_shots_are_marked(self, micro):
        sprites = "avatar > ShootAvatar stype=shot\nshot > Missile\nx > Immovable"
        m = micro(sprites, "x shot > killSprite", "Ax", x="x").play("X")
        (meeting,) = m.meetings
        assert meeting.by_product
