"""The game spaces of our own games: the parameters of the published tables, and playable."""

import pytest

from ludex.core import Rng, registry
from ludex.core.errors import BadParameter
from ludex.worlds.vgdl.language.space import read_space
from ludex.worlds.vgdl.world import GAMES

# How many games the tables of the published spaces hold.
SIZES = {
    "aliens": (8, 4_950_000),
    "defender": (16, 10_080_000_000),
    "waves": (17, 77_414_400_000),
    "seaquest": (18, 58_982_400_000),
}


def space_of(name):
    return read_space((GAMES / name / "space.txt").read_text(), f"{name}/space.txt")


@pytest.mark.parametrize(("name", "expected"), SIZES.items())
def test_a_space_has_the_parameters_and_the_size_of_its_table(name, expected):
    space = space_of(name)
    assert (len(space.ranges), space.size) == expected
    assert space.at().problems == ()


@pytest.mark.parametrize("name", SIZES)
def test_points_of_a_space_are_worlds_on_the_levels_of_the_game(name):
    space, rng = space_of(name), Rng(5)
    for number in range(4):
        stream = rng.fork("point", number)
        point = "-".join(str(stream.below(len(one.choices))) for one in space.ranges)
        world = registry.world(f"vgdl/{name}[point={point},level={number}]")
        assert registry.world(str(world)) == world
        end = world.model.rollout(world.start(stream), "uniform", 2001, stream)
        assert world.model.over(end.state)


def test_doors_open_and_close_when_the_point_says(tmp_path):
    names = [one.name for one in space_of("defender").ranges]
    place = {"DELAY": 2, "CLOSE": 0}  # open at tick 100, shut at tick 350
    point = "-".join(str(place.get(name, 0)) for name in names)
    world = registry.world(f"vgdl/defender[point={point}]")
    kinds = {sprite.name: kind for kind, sprite in enumerate(world.definition.types)}
    doors = {kinds["slowDoor"], kinds["fastDoor"]}
    state, rng, seen = world.start(Rng(1)), Rng(1), []
    for _ in range(360):
        seen.append(any(one[0] in doors for one in world.model.level.sprites(state)))
        world.model.advance(state, (0,), rng)
        if world.model.over(state):
            break
    assert seen[:101] == [False] * 101
    assert seen[101] is True
    assert True not in seen[352:]


def test_a_point_outside_a_space_is_refused():
    with pytest.raises(BadParameter, match="BSPEED is from 0 to 4"):
        _ = registry.world(f"vgdl/defender[point={'-'.join(['9'] * 16)}]").definition


def test_without_a_point_the_game_itself_is_played():
    assert registry.world("vgdl/defender").definition.space == ()
