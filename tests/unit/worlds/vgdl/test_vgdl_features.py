"""The facts of a VGDL state, and how far it is from a win."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import Any

from ludex.core import Rng, registry

SOKOBAN = registry.world("vgdl/sokoban")
ALIENS = registry.world("vgdl/aliens")


def facts(micro):
    return set(micro.model.features(micro.state))


def test_a_step_takes_one_fact_away_and_brings_another(micro):
    game = micro("avatar > MovingAvatar", level="..A..", A="avatar")
    before = facts(game)
    game.play("R")
    after = facts(game)
    # The cell, and the way the avatar faces.
    assert len(before - after) <= 2
    assert 1 <= len(after - before) <= 2
    game.play("L R")
    assert facts(game) == after


def test_what_is_gone_is_a_fact_of_its_own(micro):
    game = micro(
        """
        avatar > MovingAvatar
        coin > Immovable
        """,
        "coin avatar > killSprite",
        "A.c",
        A="avatar",
        c="coin",
    )
    game.play("R")
    near = facts(game)
    game.play("R L")
    assert len(facts(game) - near) == 1  # back in the same cell, but the coin is gone
    assert len(near - facts(game)) == 1


def test_what_is_held_is_a_fact(micro):
    game = micro(
        """
        avatar > MovingAvatar
        coin > Resource limit=5
        """,
        """
        avatar coin > changeResource resource=coin value=1
        coin avatar > killSprite
        """,
        "Acc",
        A="avatar",
        c="coin",
    )
    seen = [facts(game)]
    for _ in range(2):
        seen.append(facts(game.play("R")))
    assert len(seen[0] | seen[1] | seen[2]) > len(seen[0] | seen[1]) > len(seen[0])


def test_facts_and_counts_are_of_all_sprites():
    for world in (SOKOBAN, ALIENS):
        level, state = world.model.level, world.start(Rng(0))
        counts = level.counts(state)
        kinds = [sprite[0] for sprite in level.sprites(state)]
        assert counts == [kinds.count(number) for number in range(len(counts))]
        assert len(set(level.facts(state))) == len(level.facts(state))


def test_the_distance_of_sokoban_is_the_number_of_loose_barrels():
    state = SOKOBAN.start(Rng(0))
    assert SOKOBAN.model.distance(state, 0) == 3.0


def test_distances_to_the_nearest_condition_that_wins(micro):
    sprites = """
        avatar > MovingAvatar
        coin > Immovable
        gem > Immovable
        thing >
            one > Immovable
            two > Immovable
        """
    level = {"level": "Accgoot", "A": "avatar", "c": "coin", "g": "gem", "o": "one", "t": "two"}

    def distance(ends):
        game = micro(sprites, ends=ends, **level)
        return game.model.distance(game.state, 0)

    assert distance("SpriteCounter stype=coin limit=0 win=True") == 2.0
    assert distance("SpriteCounter stype=coin limit=1 win=True") == 1.0
    assert distance("SpriteCounter stype=thing limit=0 win=True") == 3.0  # with its children
    assert distance("SpriteCounter stype=coin limit=0 win=False") == 0.0  # loses: says nothing
    assert distance("SpriteCounterMore stype=coin limit=6 win=True") == 4.0
    assert distance("MultiSpriteCounter stype1=coin stype2=gem limit=1 win=True") == 2.0
    assert distance("Timeout limit=50 win=True") == 0.0
    both = "SpriteCounter stype=coin win=True\nSpriteCounter stype=gem win=True"
    assert distance(both) == 1.0


def test_an_avatar_is_in_the_cell_of_its_corner(micro):
    game = micro("avatar > MovingAvatar", level="..A..", A="avatar")
    assert game.model.avatars(game.state) == ((2, 0),)
    assert game.model.avatars(game.play("L").state) == ((1, 0),)


def test_keys_without_the_tick_forget_how_long_a_sprite_has_rested_once_it_may_move(micro):
    made = micro("avatar > MovingAvatar cooldown=3", "", "A....", A="avatar")
    assert made.play("N N R").cell("avatar") == (1, 0)
    keys = []
    for _ in range(6):
        keys.append(made.model.key(made.state, ignore=("tick",)))
        made.wait()
    # It moved in the last tick: two more must pass before it can move in the next.
    assert len(set(keys[:3])) == 3
    assert len(set(keys[2:])) == 1


def test_keys_without_the_tick_forget_the_way_an_avatar_came(micro):
    made = micro("avatar > MovingAvatar", "", ".A./...", A="avatar")
    key = partial(made.model.key, ignore=("tick", "orientation"))
    before = key(made.state)
    assert key(made.play("R").state) != before
    assert key(made.play("L").state) == before  # from the right
    assert key(made.play("D U").state) == before  # from below
    assert key(made.wait().state) == before  # not moved at all


def test_states_with_the_same_key_without_the_tick_go_on_in_the_same_way(micro):
    made = micro(
        """
        avatar > MovingAvatar cooldown=2
        box > Passive cooldown=3
        drone > Missile orientation=RIGHT cooldown=4
        wall > Immovable
        """,
        """
        avatar wall > stepBack
        box avatar > bounceForward
        box wall box > undoAll
        drone wall > reverseDirection
        drone wall > stepBack
        """,
        "wwwwwww/w.....w/w.A.b.w/w..b..w/wd....w/wwwwwww",
        A="avatar",
        b="box",
        d="drone",
        w="wall",
    )
    key = partial(made.model.key, ignore=("tick", "ids"))
    rng = Rng(3)
    first: dict[Any, Any] = {}
    pairs = 0
    for _ in range(3000):
        known = first.setdefault(key(made.state), made.state.copy())
        if known != made.state:
            pairs += 1
            for action in made.model.legal(known, 0):
                after = [made.model.step(one, (action,), rng) for one in (known, made.state)]
                assert key(after[0]) == key(after[1])
        made.play(rng.choice("NULDR"))
    assert pairs > 100


def test_games_that_are_said_to_be_without_chance_draw_nothing():
    worlds = [registry.world(f"vgdl/{name}") for name, _ in type(SOKOBAN).games()]
    certain = [world for world in worlds if world.traits.chance == "none"]
    assert {"sokoban", "lander"} <= {world.game for world in certain}
    for world in certain:
        turns = count()

        def next_in_turn(model, state, seat, rng, turns=turns):
            legal = model.legal(state, seat)
            return legal[next(turns) % len(legal)]

        rng = Rng(1)
        world.model.rollout(world.start(rng), next_in_turn, 300, rng)
        assert rng.position == Rng(1).position, world.game
