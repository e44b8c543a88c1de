"""The checkers of Gymnasium and PettingZoo pass for every world."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from ludex.adapters import (
    register_all,
    register_games,
    to_gymnasium,
    to_pettingzoo,
    to_pettingzoo_parallel,
)
from ludex.adapters.register import world_id
from ludex.core import registry
from ludex.testing.snapshot import pickled
from ludex.worlds.vgdl.tools.survey import descriptions, levels_of
from ludex.worlds.vgdl.world import Vgdl

WORLDS = registry.names("worlds")

# What api_test warns of and we mean: observations are dictionaries with a mask, as in the
# library's own classic games; seats that are out of the game have nothing legal; and an empty
# board is all zeros.
MEANT = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def seats():
    return [(name, seat) for name in WORLDS for seat in range(registry.world(name).traits.seats)]


@pytest.mark.parametrize(("name", "seat"), seats())
def test_gymnasium_accepts_every_seat_of_every_world(name, seat):
    register_all()
    env = gymnasium.make(world_id(name), seat=seat)
    check_env(env.unwrapped)


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("reward", ["returns", "score"])
def test_gymnasium_games_end_with_masked_random_actions(name, reward):
    env = to_gymnasium(name, reward=reward)
    env.action_space.seed(3)
    _, info = env.reset(seed=3)
    over = False
    while not over:
        assert info["action_mask"].any()
        action = env.action_space.sample(info["action_mask"])
        observation, _, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space
        assert not info["replaced"]
        over = terminated or truncated
    assert terminated
    assert not info["action_mask"].any()


@pytest.mark.parametrize("name", WORLDS)
class TestPettingZoo:
    pytestmark = MEANT

    def test_accepts_every_world_as_turns(self, name):
        api_test(to_pettingzoo(name), num_cycles=60)

    def test_turns_repeat_with_a_seed(self, name):
        seed_test(lambda: to_pettingzoo(name), num_cycles=60)

    def test_accepts_every_world_as_joint_steps(self, name):
        parallel_api_test(to_pettingzoo_parallel(name), num_cycles=60)

    def test_joint_steps_repeat_with_a_seed(self, name):
        parallel_seed_test(lambda: to_pettingzoo_parallel(name), num_cycles=60)


@pytest.mark.parametrize("name", [n for n in WORLDS if registry.world(n).traits.hidden])
def test_what_a_seat_gets_does_not_depend_on_what_it_cannot_see(name):
    """Swap hidden facts under the table: observations, masks and infos stay the same."""
    env = to_pettingzoo_parallel(name)
    observations, _ = env.reset(seed=5)
    swapped = 0
    while env.agents:
        table = env.game.table
        for seat, agent in enumerate(env.agents if table.ticks % 6 == 0 else ()):
            state = table.state
            for twin in table.rules.hidden_twins(state, seat)[:4]:
                table.game.state = twin
                assert pickled(env.game.observe(agent)) == pickled(observations[agent])
                swapped += twin != state
            table.game.state = state
        actions = {
            agent: int(np.flatnonzero(observations[agent]["action_mask"])[0])
            for agent in env.agents
            if observations[agent]["action_mask"].any()
        }
        observations, *_ = env.step(actions)
    assert swapped


@pytest.fixture
def collection(shared):
    """Ids of all games of the collection, taken away again afterwards."""
    before = dict(gymnasium.registry)
    try:
        with pytest.warns(UserWarning, match="our games of that name are ludex-NAME-lvlN-v0"):
            ids = register_games(shared / "data" / "gvgai")
        yield [name for name in ids if name.startswith("ludex/")]
    finally:
        gymnasium.registry.clear()
        gymnasium.registry.update(before)


def test_gymnasium_accepts_every_game_of_the_collection(collection):
    for number, name in enumerate(collection):
        form = Vgdl.forms[number % len(Vgdl.forms)]
        check_env(gymnasium.make(name, observation=form).unwrapped)
    assert len(collection) > 150


class TestPettingZooCollection:
    pytestmark = MEANT

    def test_accepts_every_game_for_two(self, shared):
        paths = [one for one in descriptions(shared / "data/gvgai/2player") if levels_of(one)]
        for number, path in enumerate(paths):
            form = Vgdl.forms[number % len(Vgdl.forms)]
            world = Vgdl(game=str(path), level=levels_of(path)[0])
            assert world.traits.seats == 2
            parallel_api_test(to_pettingzoo_parallel(world, observation=form), num_cycles=40)
        assert len(paths) > 40
