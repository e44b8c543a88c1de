"""Every level of our own games can be won: the inputs of a win are kept, and win again."""

import pytest

from ludex.core import Rng, registry
from ludex.core.policy import Weighted
from ludex.worlds.vgdl.language.reading import check_file
from ludex.worlds.vgdl.tools.wins import played, wins
from ludex.worlds.vgdl.world import GAMES, games

NAMES = [name for name, _ in games()]
LEVELS = [(name, level) for name in NAMES for level in range(5)]
IDLE_GAMES = RANDOM_GAMES = 50
MOST_RANDOM_WINS = 10  # of 50, one in five
COOPERATIVE = ("two_thieves", "fire_brigade")
# Somebody wins a duel, however badly both play; what counts there is that nobody wins asleep.
DUELS = ("orchard", "tank_duel")


def world_of(name, level):
    return registry.world(f"vgdl/{name}[level={level}]")


def test_there_are_twenty_four_games_with_five_levels_each():
    assert len(NAMES) == 24
    assert all(len(list((GAMES / name).glob("level?.txt"))) == 5 for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_game_and_its_levels_are_without_a_flaw(name):
    assert check_file(GAMES / name / "game.txt", "strict").problems == ()


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_the_level_is_won_again_by_the_inputs_that_won_it(name, level):
    world = world_of(name, level)
    win = wins(name)[level]
    states = list(played(world, win))
    assert [world.model.over(state) for state in states[:-1]] == [False] * len(win.inputs)
    outcome = world.model.outcome(states[-1])
    assert outcome is not None
    assert outcome.winners == ((0, 1) if name in COOPERATIVE else (0,))


def winners_of_games(world, policy, games):
    """The winners of each of some games in which all players follow a policy."""
    rng = Rng(11)
    for number in range(games):
        start = world.start(rng.fork("start", number))
        end = world.model.rollout(start, policy, 2001, rng.fork("game", number))
        yield world.model.outcome(end.state).winners


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_the_level_is_not_won_by_doing_nothing(name, level):
    world = world_of(name, level)
    games = IDLE_GAMES if world.traits.sampled_chance else 1
    assert set(winners_of_games(world, Weighted({0: 1.0}), games)) == {()}


@pytest.mark.parametrize(("name", "level"), [one for one in LEVELS if one[0] not in DUELS])
def test_the_level_is_seldom_won_at_random(name, level):
    winners = winners_of_games(world_of(name, level), "uniform", RANDOM_GAMES)
    assert sum(map(bool, winners)) <= MOST_RANDOM_WINS


def test_levels_of_a_game_differ_from_each_other():
    for name in NAMES:
        texts = {(GAMES / name / f"level{level}.txt").read_text() for level in range(5)}
        assert len(texts) == 5, name
