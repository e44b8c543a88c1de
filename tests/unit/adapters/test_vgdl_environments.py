"""VGDL games as environments: actions, levels, ends, and batches that agree with single games."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from ludex.adapters import (
    register_all,
    register_games,
    to_gymnasium,
    to_legacy,
    to_pettingzoo_parallel,
    to_vector,
)
from ludex.adapters.vgdl_env import GameEnv
from ludex.core.errors import BadParameter, GameOver, IllegalAction, UnknownName, WrongSeats
from ludex.core.rng import Rng
from ludex.worlds.vgdl.language.definition import BadGame

FORMS = ["grid", "pixels", "objects"]

RACE = """
BasicGame square_size=10
    SpriteSet
        floor > Immovable hidden=True
        goal > Immovable color=GREEN
        coin > Immovable color=GOLD
        pit > Immovable color=RED
        avatar > HorizontalAvatar
    LevelMapping
        g > goal
        c > coin
        p > pit
        . > floor
    InteractionSet
        avatar EOS > stepBack
        goal avatar > killSprite scoreChange=5
        coin avatar > killSprite scoreChange=2
        avatar pit > killSprite scoreChange=-1
    TerminationSet
        SpriteCounter stype=avatar limit=0 win=False
        SpriteCounter stype=goal limit=0 win=True
"""
"""Walk right to win; a coin on the way gives 2, the goal 5; the pit at the left kills."""

DUEL = """
BasicGame square_size=10 no_players=2
    SpriteSet
        wall > Immovable
        gem > Resource
        avatar > MovingAvatar
            red > MovingAvatar
            blue > MovingAvatar
    LevelMapping
        g > gem
        r > red
        b > blue
        w > wall
    InteractionSet
        avatar wall > stepBack
        gem red > killSprite scoreChange=1,0
        gem blue > killSprite scoreChange=0,1
    TerminationSet
        SpriteCounter stype=gem limit=0 count_score=True
        Timeout limit=60 win=False,False
"""


@pytest.fixture
def games(tmp_path):
    """A folder with a small game on three levels, and a game of two players."""
    (tmp_path / "race.txt").write_text(RACE.lstrip())
    (tmp_path / "race_lvl0.txt").write_text("p.Ac.g\n")
    (tmp_path / "race_lvl1.txt").write_text("p..A.g\n")
    (tmp_path / "race_lvl2.txt").write_text("p..A.....g\n")
    (tmp_path / "duel.txt").write_text(DUEL.lstrip())
    (tmp_path / "duel_lvl0.txt").write_text("wwwwww\nwr.gbw\nwg...w\nwwwwww\n")
    return tmp_path


@pytest.fixture
def race(games):
    return str(games / "race.txt")


@pytest.fixture
def registry_kept():
    before = dict(gymnasium.registry)
    yield
    gymnasium.registry.clear()
    gymnasium.registry.update(before)


@pytest.fixture
def registered(games, registry_kept):
    """Ids for the folder, taken away again afterwards."""
    return register_games(games)


def steps(env, *actions):
    return [env.step(env.unwrapped.get_action_meanings().index(f"ACTION_{a}")) for a in actions]


# Ids


def run_python(program):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    ).stdout.strip()


@pytest.mark.parametrize(
    "program",
    [
        "import gymnasium; prefix = 'ludex:'",
        "import ludex, gymnasium; prefix = 'ludex:'",
        "import ludex.worlds.nim.world, gymnasium; prefix = 'ludex:'",
        "import gymnasium, ludex; prefix = ''",
        "import gymnasium, ludex; gymnasium.register_envs(ludex); prefix = ''",
        "import ludex, gymnasium, importlib; importlib.import_module('ludex'); prefix = ''",
        "import ludex, gymnasium; import ludex; prefix = ''",
        "import ludex.adapters, gymnasium; ludex.adapters.register_all(); prefix = ''",
        "import ludex.adapters.register, gymnasium; prefix = ''",
    ],
)
def test_environments_are_registered_as_gymnasium_expects_it(program):
    """In either order of imports; without the prefix where ludex is imported after Gymnasium."""
    made = (
        "ids = 'vgdl/aliens-v0', 'ludex/aliens-v0', 'ludex-aliens-lvl0-v0', 'ludex/connect_four-v0'"
        "\nprint(*(gymnasium.make(prefix + one).action_space.n for one in ids))"
    )
    assert run_python(f"{program}; {made}") == "4 4 4 7"


def test_the_package_can_be_looked_at_as_any_other_before_gymnasium_is_imported():
    program = (
        "import importlib, importlib.resources, importlib.util, ludex\n"
        "print(ludex.__spec__.name, importlib.util.find_spec('ludex').name, end=' ')\n"
        "print((importlib.resources.files('ludex') / 'py.typed').is_file(), end=' ')\n"
        "print(importlib.reload(ludex) is ludex)"
    )
    assert run_python(program) == "ludex ludex True True"


def test_ludex_works_without_gymnasium():
    program = (
        "import sys; sys.modules['gymnasium'] = None; import ludex; import ludex\n"
        "print(ludex.play('nim', ['uniform', 'uniform'], seed=1).outcome is not None)"
    )
    assert run_python(program) == "True"


def test_importing_ludex_does_not_import_gymnasium_or_numpy():
    program = "import sys, ludex; print([m for m in ('gymnasium', 'numpy') if m in sys.modules])"
    assert run_python(program) == "[]"


def test_gymnasium_works_when_our_environments_cannot_be_registered():
    program = (
        "import warnings, sys, gymnasium; sys.modules['ludex.adapters.register'] = None\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always'); import ludex\n"
        "print(len(caught), gymnasium.make('CartPole-v1').action_space)"
    )
    assert run_python(program) == "1 Discrete(2)"


def test_our_own_games_and_levels_have_ids():
    ludex_env = gymnasium.make("ludex/sokoban-v0", level=0, observation="objects")
    gvgai_env = gymnasium.make("ludex-sokoban-lvl0-v0")
    assert isinstance(ludex_env.observation_space, gymnasium.spaces.Dict)
    assert gvgai_env.observation_space.shape[2] == 3


def test_a_folder_of_games_gets_ids_for_games_and_levels(registered):
    assert registered == [
        "ludex/duel-v0",
        "vgdl/duel-v0",
        "gvgai/duel-v0",
        "gvgai-duel-lvl0-v0",
        "ludex/race-v0",
        "vgdl/race-v0",
        "gvgai/race-v0",
        "gvgai-race-lvl0-v0",
        "gvgai-race-lvl1-v0",
        "gvgai-race-lvl2-v0",
    ]
    assert gymnasium.make("ludex/race-v0", level=1).unwrapped.level == 1


def aliens_in(folder):
    """A game in a folder that has the name of one of ours."""
    folder.mkdir(exist_ok=True)
    (folder / "aliens.txt").write_text(RACE.lstrip())
    (folder / "aliens_lvl3.txt").write_text("p.Ac.g\n")
    return folder


def test_a_folder_takes_the_gvgai_ids_of_a_name_but_not_our_own(tmp_path, registry_kept):
    with pytest.warns(UserWarning, match="of aliens now means what is in .*ludex-NAME-lvlN-v0"):
        ids = register_games(aliens_in(tmp_path))
    assert ids == ["gvgai/aliens-v0", "gvgai-aliens-lvl3-v0"]
    assert "gvgai-aliens-lvl0-v0" not in gymnasium.registry  # ours; levels are not mixed
    for ours in ("ludex/aliens-v0", "vgdl/aliens-v0", "ludex-aliens-lvl3-v0"):
        assert gymnasium.make(ours).unwrapped.world.game == "aliens"
    theirs = gymnasium.make("gvgai-aliens-lvl3-v0").unwrapped.world.game
    assert theirs == str(tmp_path / "aliens.txt")


def test_registering_a_folder_again_says_nothing(tmp_path, registry_kept):
    with pytest.warns(UserWarning, match="now means"):
        ids = register_games(aliens_in(tmp_path))
    assert register_games(tmp_path) == ids
    assert not set(ids) & set(register_all())  # ours do not take them back


def test_a_folder_that_takes_the_ids_of_another_says_so(tmp_path, registry_kept):
    with pytest.warns(UserWarning, match="ludex-NAME-lvlN-v0"):
        register_games(aliens_in(tmp_path / "first"))
    with pytest.warns(UserWarning, match="the ids of aliens now mean .*second', no longer .*first"):
        register_games(aliens_in(tmp_path / "second"))


def test_our_game_by_an_id_of_gvgai_warns_that_it_is_ours(registry_kept):
    with pytest.warns(UserWarning, match="our own game 'aliens', .* write ludex-aliens-lvl0-v0"):
        env = gymnasium.make("gvgai-aliens-lvl0-v0")
    assert env.unwrapped.world.game == "aliens"
    assert env.observation_space == gymnasium.make("ludex-aliens-lvl0-v0").observation_space
    with pytest.warns(UserWarning, match="our own game 'aliens'"):
        assert gymnasium.make_vec("gvgai-aliens-lvl0-v0", num_envs=2).num_envs == 2


def test_a_name_in_two_folders_is_written_with_its_folder(tmp_path, registry_kept):
    for folder in ("easy", "hard"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "race.txt").write_text(RACE.lstrip())
        (tmp_path / folder / "race_lvl0.txt").write_text("p.Ac.g\n")
    with pytest.warns(UserWarning, match="folders have games named race; .* ludex/easy.race-v0"):
        ids = register_games(tmp_path)
    assert ids == [
        "ludex/easy.race-v0",
        "vgdl/easy.race-v0",
        "gvgai/easy.race-v0",
        "gvgai-easy.race-lvl0-v0",
        "ludex/hard.race-v0",
        "vgdl/hard.race-v0",
        "gvgai/hard.race-v0",
        "gvgai-hard.race-lvl0-v0",
    ]
    check_env(gymnasium.make("ludex/hard.race-v0").unwrapped)
    for name in ("gvgai/{}-v0", "gvgai-{}-lvl0-v0"):
        wanted = f"write {name.format('easy.race')} or {name.format('hard.race')}"
        with pytest.raises(UnknownName, match=wanted):
            gymnasium.make(name.format("race"))


def test_a_name_of_ours_in_two_folders_no_longer_means_ours(tmp_path, registry_kept):
    for folder in ("easy", "hard"):
        aliens_in(tmp_path / folder)
    with pytest.warns(UserWarning, match="folders have games named aliens"):
        register_games(tmp_path)
    with pytest.raises(UnknownName, match="could be several games"):
        gymnasium.make("gvgai-aliens-lvl3-v0")
    with pytest.warns(UserWarning, match="is our own game"):
        gymnasium.make("gvgai-aliens-lvl0-v0")  # a level that none of them has


def test_registered_games_are_found_from_any_folder(tmp_path, registry_kept, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "race.txt").write_text(RACE.lstrip())
    (tmp_path / "mine" / "race_lvl0.txt").write_text("p.Ac.g\n")
    monkeypatch.chdir(tmp_path)
    register_games("mine")
    monkeypatch.chdir("/")
    gymnasium.make("gvgai/race-v0").reset(seed=1)


def test_one_text_is_the_opponent_on_all_other_seats():
    env = to_gymnasium("parley", opponents="uniform")
    env.reset(seed=1)
    with pytest.raises(WrongSeats, match="2 other seats"):
        to_gymnasium("parley", opponents=["uniform"])


# The checkers


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["vgdl/aliens-v0", "ludex/sokoban-v0", "ludex-aliens-lvl0-v0"])
def test_gymnasium_accepts_our_games_in_every_form(name, form):
    check_env(gymnasium.make(name, observation=form).unwrapped)


@pytest.mark.parametrize("form", FORMS)
def test_gymnasium_accepts_a_game_from_a_file_in_every_form(race, form):
    env = gymnasium.make("ludex/vgdl-v0", game=race, level=2, observation=form)
    check_env(env.unwrapped)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seat", [0, 1])
def test_gymnasium_accepts_both_seats_of_a_game_for_two(registered, form, seat):
    check_env(gymnasium.make("ludex/duel-v0", seat=seat, observation=form).unwrapped)


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.parametrize("form", FORMS)
def test_pettingzoo_accepts_a_game_for_two_in_every_form(games, form):
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    world = str(games / "duel.txt")
    parallel_api_test(to_pettingzoo_parallel(world, observation=form), num_cycles=130)
    parallel_seed_test(lambda: to_pettingzoo_parallel(world, observation=form), num_cycles=70)


def test_both_players_of_a_parallel_game_act_in_one_step(games):
    env = to_pettingzoo_parallel(str(games / "duel.txt"), reward="score")
    env.reset(seed=1)
    actions = {"seat_0": 3, "seat_1": 2}  # down to one gem, left to the other
    _, rewards, terminated, truncated, _ = env.step(actions)
    assert rewards == {"seat_0": 1.0, "seat_1": 1.0}
    assert terminated == {"seat_0": True, "seat_1": True}
    assert truncated == {"seat_0": False, "seat_1": False}


# Actions and rewards


def test_action_zero_is_nil_and_the_others_have_the_order_of_the_reference():
    env = GameEnv("aliens")
    assert env.get_action_meanings() == ["ACTION_NIL", "ACTION_USE", "ACTION_LEFT", "ACTION_RIGHT"]


def test_rewards_are_differences_of_the_score(race):
    env = GameEnv(race)
    env.reset(seed=0)
    played = steps(env, "RIGHT", "RIGHT", "RIGHT")
    assert [reward for _, reward, *_ in played] == [2.0, 0.0, 5.0]


def test_rewards_can_be_the_returns_of_the_game(race):
    env = GameEnv(race, reward="returns")
    env.reset(seed=0)
    played = steps(env, "RIGHT", "RIGHT", "RIGHT")
    assert [reward for _, reward, *_ in played] == [0.0, 0.0, 1.0]


def test_a_win_terminates_and_says_who_won(race):
    env = GameEnv(race)
    env.reset(seed=0)
    *_, (_, _, terminated, truncated, info) = steps(env, "RIGHT", "RIGHT", "RIGHT")
    assert (terminated, truncated, info["winner"]) == (True, False, "PLAYER_WINS")


def test_a_loss_terminates_and_says_so(race):
    env = GameEnv(race)
    env.reset(seed=0)
    *_, (_, _, terminated, truncated, info) = steps(env, "LEFT", "LEFT")
    assert (terminated, truncated, info["winner"]) == (True, False, "PLAYER_LOSES")


def test_the_engines_limit_of_ticks_truncates(race):
    env = GameEnv(race)
    env.reset(seed=0)
    ends = [env.step(0)[2:4] for _ in range(2000)]
    assert ends[-2:] == [(False, False), (False, True)]


def test_a_limit_of_ours_truncates_without_a_winner(race):
    env = GameEnv(race, max_ticks=3)
    env.reset(seed=0)
    *_, (_, _, terminated, truncated, info) = steps(env, "NIL", "NIL", "NIL")
    assert (terminated, truncated, info["winner"]) == (False, True, "NO_WINNER")


def test_gymnasiums_own_limit_truncates(registered):
    env = gymnasium.make("ludex/race-v0", max_episode_steps=2)
    env.reset(seed=0)
    assert [env.step(0)[3] for _ in range(2)] == [False, True]


def test_an_illegal_action_waits_and_is_flagged(tmp_path):
    """A sleeper that wakes after the second tick can do nothing before."""
    (tmp_path / "nap.txt").write_text(
        RACE.lstrip()
        .replace(
            "avatar > HorizontalAvatar",
            "avatar >\n            asleep > NullAvatar\n            awake > HorizontalAvatar",
        )
        .replace(
            "avatar EOS > stepBack",
            "avatar EOS > stepBack\n        asleep coin > transformTo stype=awake",
        )
        .replace("g > goal", "g > goal\n        s > asleep coin")
    )
    (tmp_path / "nap_lvl0.txt").write_text("p.s..g\n")
    env = GameEnv(str(tmp_path / "nap.txt"))
    _, info = env.reset(seed=0)
    assert env.get_action_meanings() == ["ACTION_NIL", "ACTION_LEFT", "ACTION_RIGHT"]
    assert info["action_mask"].tolist() == [1, 0, 0]
    *_, info = env.step(2)
    assert (info["replaced"], info["action_mask"].tolist()) == (True, [1, 1, 1])
    *_, info = env.step(2)
    assert not info["replaced"]


def test_an_illegal_action_can_be_made_to_raise(race):
    env = GameEnv(race, illegal="raise")
    env.reset(seed=0)
    with pytest.raises(IllegalAction, match="0 to 2"):
        env.step(7)


# Observations


def test_planes_have_the_same_channels_on_every_level(race):
    assert (
        GameEnv(race, level=0).channels
        == GameEnv(race, level=2).channels
        == ("wall", "avatar", "goal", "coin", "pit")
    )


def test_the_grid_observation_is_the_planes_of_the_view(race):
    env = GameEnv(race)
    observation, _ = env.reset(seed=0)
    assert np.array_equal(observation, env.view.planes())
    assert observation[:, 0].tolist() == [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 1],
        [0, 0, 0, 1, 0, 0],
        [1, 0, 0, 0, 0, 0],
    ]


def test_objects_are_rows_of_what_is_seen_and_rows_of_minus_one(race):
    observation, _ = GameEnv(race, observation="objects", max_objects=6).reset(seed=0)
    assert observation["objects"][:, [0, 3]].tolist() == [
        [0, 20],
        [4, 50],
        [4, 30],
        [4, 0],
        [-1, -1],
        [-1, -1],
    ]
    score, tick, x, y = observation["avatar"][:4].tolist()
    assert (score, tick, x, y) == (0, 0, 20, 0)


def test_when_there_are_more_objects_than_rows_the_nearest_stay(race):
    observation, _ = GameEnv(race, observation="objects", max_objects=2).reset(seed=0)
    assert observation["objects"][:, 3].tolist() == [20, 30]  # the avatar and the coin beside it


def test_a_larger_size_is_filled_up_at_the_right_and_at_the_bottom(race):
    plain, _ = GameEnv(race).reset(seed=0)
    wide, _ = GameEnv(race, size=(8, 3)).reset(seed=0)
    assert wide.shape == (5, 3, 8)
    assert np.array_equal(wide[:, :1, :6], plain)
    assert wide.sum() == plain.sum()


def test_pixels_have_ten_to_a_cell_unless_told_otherwise(race):
    assert GameEnv(race, observation="pixels").observation_space.shape == (10, 60, 3)
    assert GameEnv(race, observation="pixels", cell=4).observation_space.shape == (4, 24, 3)


def test_a_frame_is_the_picture_of_the_view(race):
    env = GameEnv(race, render_mode="rgb_array")
    env.reset(seed=0)
    assert np.array_equal(env.render(), env.view.pixels())


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"observation": "smell"}, BadParameter, "grid, pixels, objects"),
        ({"size": (3, 3)}, BadParameter, "at least the level's 6 columns"),
        ({"cell": 0}, BadParameter, "cell must be from 1"),
        ({"max_objects": 0}, BadParameter, "max_objects must be from 1"),
        ({"level": 9}, BadGame, "no level 9"),
        ({"level": "nowhere.txt"}, BadGame, "nowhere.txt"),
        ({"seat": 1}, WrongSeats, "seats 0 to 0"),
        ({"render_mode": "human"}, BadParameter, "ansi, svg or rgb_array"),
        ({"reward": "praise"}, BadParameter, "returns, score"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(race, options, error, words):
    with pytest.raises(error, match=words):
        GameEnv(race, **options)


def test_an_unknown_option_of_observations_is_refused_with_a_suggestion(race):
    with pytest.raises(BadParameter, match="did you mean 'cell'"):
        to_pettingzoo_parallel(race, observation="pixels", sell=3)


def test_a_world_with_one_form_refuses_another():
    with pytest.raises(BadParameter, match="have the form array, got 'pixels'"):
        to_pettingzoo_parallel("nim", observation="pixels")


# Levels


def test_reset_can_go_to_another_level_of_the_same_size(race):
    env = GameEnv(race)
    env.reset(seed=0)
    observation, _ = env.reset(options={"level": 1})
    assert (env.level, env.view.avatar.position) == (1, (30, 0))
    assert observation in env.observation_space


def test_a_level_of_another_size_needs_the_option_size(race):
    env = GameEnv(race)
    env.reset(seed=0)
    with pytest.raises(BadParameter, match="size="):
        env.reset(options={"level": 2})
    assert env.level == 0
    env = GameEnv(race, size=(10, 1))
    env.reset(seed=0)
    observation, _ = env.reset(options={"level": 2})
    assert observation in env.observation_space


def test_a_level_can_be_any_file(race, games):
    path = games / "elsewhere" / "made_by_hand.txt"
    path.parent.mkdir()
    path.write_text("pA.g\n")
    env = GameEnv(race, level=path)
    env.reset(seed=0)
    *_, (_, reward, terminated, _, _) = steps(env, "RIGHT", "RIGHT")
    assert (reward, terminated) == (5.0, True)
    assert str(env.world) == f"{race}[level_file={path}]"


# The old interface


def test_the_legacy_interface_returns_four_things_and_goes_to_levels(race, registered):
    env = to_legacy("gvgai-race-lvl0-v0")
    assert env.reset().shape == (10, 60, 3)
    observation, reward, over, info = env.step(2)
    assert (observation.shape, reward, over) == ((10, 60, 3), 2.0, False)
    assert info["actions"] == ["ACTION_NIL", "ACTION_LEFT", "ACTION_RIGHT"]
    assert info["winner"] == "NO_WINNER"
    env._setLevel(1)
    env.reset()
    assert env.env.unwrapped.level == 1


# Batches


def same(one, other):
    """Compare observations and infos of vector environments, arrays and all."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype != object:
        return one.dtype == other.dtype and np.array_equal(one, other)
    return len(one) == len(other) and all(
        same(a, b) if isinstance(a, dict | np.ndarray) else a == b
        for a, b in zip(one, other, strict=True)
    )


def vector_pair(game, number, mode, **options):
    single = SyncVectorEnv([lambda: GameEnv(game, **options)] * number, autoreset_mode=mode)
    batch = to_vector(game, number, autoreset_mode=mode, threads=2, **options)
    return single, batch


MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def ends_when_played_side_by_side(single, batch, ticks):
    """Play at random, see that all that comes back is the same, and count both kinds of ends."""
    assert batch.observation_space == single.observation_space
    assert batch.action_space == single.action_space
    assert all(same(*pair) for pair in zip(batch.reset(seed=5), single.reset(seed=5), strict=True))
    dice, terminated, truncated = np.random.default_rng(1), 0, 0
    for _ in range(ticks):
        actions = dice.integers(batch.single_action_space.n, size=batch.num_envs)
        ours, theirs = batch.step(actions), single.step(actions)
        assert all(same(*pair) for pair in zip(ours, theirs, strict=True))
        terminated += ours[2].sum()
        truncated += ours[3].sum()
    return terminated, truncated


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", FORMS)
def test_a_batch_is_the_same_games_one_by_one(form, mode):
    pair = vector_pair("aliens", 32, mode, observation=form, max_ticks=40, cell=2)
    assert ends_when_played_side_by_side(*pair, ticks=60)[1]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reward", ["score", "returns"])
def test_games_of_a_batch_end_as_they_would_one_by_one(race, mode, reward):
    pair = vector_pair(race, 4, mode, reward=reward, max_ticks=12)
    terminated, truncated = ends_when_played_side_by_side(*pair, ticks=150)
    assert terminated
    assert truncated


def test_a_batch_without_autoreset_waits_for_the_reset_of_what_ended(race):
    single, batch = vector_pair(race, 3, AutoresetMode.DISABLED, max_ticks=2)
    for env in (single, batch):
        env.reset(seed=1)
        env.step(np.array([0, 0, 0]))
        *_, truncated, _ = env.step(np.array([0, 0, 0]))
        assert truncated.all()
    with pytest.raises(GameOver, match=r"\[0, 1, 2\] are over"):
        batch.step(np.array([0, 0, 0]))
    mask = np.array([True, False, True])
    ours, theirs = (env.reset(options={"reset_mask": mask.copy()}) for env in (batch, single))
    assert all(same(*pair) for pair in zip(ours, theirs, strict=True))
    with pytest.raises(GameOver, match=r"\[1\] are over"):
        batch.step(np.array([0, 0, 0]))


def test_a_list_of_seeds_gives_each_game_its_own():
    batch = to_vector("aliens", 3)
    single = GameEnv("aliens")
    batch.reset(seed=[7, 100, 7])
    single.reset(seed=100)
    for _ in range(60):
        rows, *_ = batch.step(np.array([1, 1, 1]))
        row, *_ = single.step(1)
        assert np.array_equal(rows[1], row)
    assert np.array_equal(rows[0], rows[2])


def test_the_number_of_threads_changes_nothing():
    batches = [to_vector("aliens", 64, threads=threads) for threads in (1, 4)]
    for batch in batches:
        batch.reset(seed=3)
    dice = np.random.default_rng(2)
    for _ in range(40):
        actions = dice.integers(4, size=64)
        one, other = (batch.step(actions) for batch in batches)
        assert all(same(*pair) for pair in zip(one, other, strict=True))


def test_observations_of_a_batch_are_new_arrays_unless_copies_are_declined():
    batch = to_vector("aliens", 2)
    first, _ = batch.reset(seed=1)
    kept = first.copy()
    for _ in range(20):
        batch.step(np.array([2, 3]))
    assert np.array_equal(first, kept)
    shared = to_vector("aliens", 2, copy=False)
    first, _ = shared.reset(seed=1)
    again, *_ = shared.step(np.array([2, 3]))
    assert first is again


def test_make_vec_makes_batches_and_both_kinds_of_gymnasiums_own(registered):
    kinds = {
        "vector_entry_point": "BatchEnv",
        "sync": "SyncVectorEnv",
        "async": "AsyncVectorEnv",
    }
    for mode, name in kinds.items():
        env = gymnasium.make_vec("ludex/race-v0", num_envs=2, vectorization_mode=mode, level=1)
        try:
            observation, _ = env.reset(seed=1)
            assert type(env).__name__ == name
            assert observation in env.observation_space
        finally:
            env.close()


def test_a_limit_given_to_make_vec_truncates_a_batch(registered):
    env = gymnasium.make_vec("ludex/race-v0", num_envs=2, max_episode_steps=1)
    env.reset(seed=1)
    *_, truncated, _ = env.step(np.array([0, 0]))
    assert truncated.all()


def test_a_batch_renders_a_frame_of_each_game():
    env = to_vector("aliens", 2, render_mode="rgb_array")
    env.reset(seed=1)
    assert [frame.shape for frame in env.render()] == [(140, 280, 3)] * 2


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"num_envs": 0}, BadParameter, "num_envs must be at least 1"),
        ({"threads": 0}, BadParameter, "threads must be at least 1"),
        ({"max_ticks": 0}, BadParameter, "max_ticks must be at least 1"),
        ({"autoreset_mode": "Later"}, BadParameter, "NextStep, SameStep, Disabled"),
        ({"reward": "praise"}, BadParameter, "returns, score"),
        ({"render_mode": "human"}, BadParameter, "rgb_array"),
    ],
)
def test_bad_options_of_a_batch_are_refused_in_one_sentence(options, error, words):
    with pytest.raises(error, match=words):
        to_vector("aliens", **{"num_envs": 2, **options})


def test_a_batch_of_a_game_for_two_says_what_to_use_instead(games):
    with pytest.raises(WrongSeats, match="PettingZoo"):
        to_vector(str(games / "duel.txt"), 2)


def test_a_batch_asks_for_a_reset_and_for_the_right_number_of_actions():
    batch = to_vector("aliens", 2)
    with pytest.raises(GameOver, match="call reset"):
        batch.step(np.array([0, 0]))
    batch.reset(seed=1)
    with pytest.raises(BadParameter, match="2 actions"):
        batch.step(np.array([0, 0, 0]))
    with pytest.raises(BadParameter, match="2 seeds"):
        batch.reset(seed=[1, 2, 3])
    with pytest.raises(BadParameter, match="reset_mask"):
        batch.reset(options={"reset_mask": np.zeros(2, bool)})


def test_a_seat_of_the_generic_adapter_can_be_seen_in_other_forms():
    world = GameEnv("aliens").world
    env = to_gymnasium(world, sensor=world.sensor("pixels", cell=2))
    observation, _ = env.reset(seed=1)
    assert observation.shape == (28, 56, 3)
    assert np.array_equal(observation, world.model.view(world.start(Rng(0)), 0).pixels(cell=2))
