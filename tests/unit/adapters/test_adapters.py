"""Rewards, illegal actions, limits, seeds and refusals of the adapters."""

from __future__ import annotations

import builtins
import sys

import gymnasium
import numpy as np
import pytest

import ludex.core.extra
from ludex.adapters import register_all, to_gymnasium, to_pettingzoo, to_pettingzoo_parallel
from ludex.arena.match.runner import play_match
from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.errors import (
    BadAgent,
    BadParameter,
    GameOver,
    IllegalAction,
    MissingExtra,
    WrongSeats,
)

NIM = "nim[heaps=1-2]"


class First:
    """Always takes the first legal action."""

    def decide(self, model, view, budget, rng):
        return Decision(action=view.legal[0])


def number(world, text, seat=0, state=None):
    """The codec's number of an action, by its text."""
    world = registry.world(world)
    view = world.model.view(world.parse(state), seat)
    return world.codec.index(view, world.parse_action(text, view))


def test_the_winner_of_nim_is_paid_one_at_the_end_and_nothing_before():
    env = to_gymnasium(NIM, opponents=[First()])
    env.reset(seed=0)
    # 1-2: take 1 from heap 1 leaves 1-1; the opponent takes one, we take the last.
    take_one = number(NIM, "take 1 from 1", state="1 2 turn=0")
    _, reward, terminated, truncated, _ = env.step(take_one)
    assert (reward, terminated, truncated) == (0.0, False, False)
    _, reward, terminated, truncated, info = env.step(take_one)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["winners"] == (0,)


def test_the_loser_of_nim_is_paid_minus_one():
    env = to_gymnasium("nim[heaps=2-0]", seat=1, opponents=["nim/perfect"])
    env.reset(seed=0)  # the opponent took both matches before our first decision
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["winners"]) == (-1.0, True, (0,))


def test_score_rewards_add_up_to_the_final_score():
    env = to_gymnasium("pig[target=20]", reward="score")
    env.action_space.seed(1)
    _, info = env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        action = env.action_space.sample(info["action_mask"])
        _, reward, terminated, truncated, info = env.step(action)
        total += reward
        over = terminated or truncated
    table = env.table
    assert total == table.rules.score(table.state, 0)


def test_an_illegal_action_is_replaced_by_the_default_one_and_flagged():
    env = to_gymnasium(NIM, opponents=[First()])
    env.reset(seed=0)
    take_one = number(NIM, "take 1 from 0", state="1 2 turn=0")
    *_, info = env.step(take_one)
    assert not info["replaced"]
    *_, info = env.step(take_one)  # heap 0 is empty now
    assert info["replaced"]


def test_an_illegal_action_can_be_made_to_raise_and_changes_nothing():
    env = to_gymnasium(NIM, opponents=[First()], illegal="raise")
    env.reset(seed=0)
    env.step(number(NIM, "take 1 from 0", state="1 2 turn=0"))
    before = str(env.table.state)
    with pytest.raises(IllegalAction, match="heap 0"):
        env.step(number(NIM, "take 1 from 0", state="1 2 turn=0"))
    assert str(env.table.state) == before


@pytest.mark.parametrize("rubbish", [-1, 99, None, "x", 1e400])
def test_an_action_that_is_no_number_of_the_codec_raises_illegal_action(rubbish):
    env = to_gymnasium(NIM, illegal="raise")
    env.reset(seed=0)
    with pytest.raises(IllegalAction):
        env.step(rubbish)


def test_a_game_stopped_by_the_limit_is_truncated_not_terminated():
    env = to_gymnasium("nim[heaps=9-9]", opponents=[First()], max_ticks=2)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["winners"] == ()


def test_stepping_after_the_end_raises_game_over():
    env = to_gymnasium("nim[heaps=2-0]", seat=1, opponents=["nim/perfect"])
    env.reset(seed=0)
    env.step(0)
    with pytest.raises(GameOver, match="reset"):
        env.step(0)


def test_equal_seeds_give_equal_games_and_resets_without_a_seed_go_on():
    first, second = to_gymnasium("pig"), to_gymnasium("pig")
    for env in (first, second):
        env.reset(seed=11)
    one, other = ([observation_after(env, 0) for _ in range(3)] for env in (first, second))
    assert one == other
    assert np.array_equal(first.reset()[0], second.reset()[0])


def observation_after(env, action):
    observation, reward, terminated, truncated, _ = env.step(action)
    return observation.tolist(), reward, terminated, truncated


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_a_game_with_the_decisions_of_a_match_is_that_match(name):
    """The same seed and opponents, our seat repeating what `uniform` chose in the match."""
    world = registry.world(name)
    seats = world.traits.seats
    result = play_match(world, ["uniform"] * seats, seed=9, budget="1000calls")
    ours = [summary.action for summary in result.decisions[0]]
    env = to_gymnasium(world, illegal="raise")
    env.reset(seed=9)
    for text in ours:
        view = env.table.view(0)
        index = world.codec.index(view, world.parse_action(text, view))
        _, reward, terminated, _, info = env.step(index)
    assert terminated
    assert (info["winners"], reward) == (result.winners, result.returns[0])


def test_simultaneous_seats_choose_one_after_another_without_seeing_each_other():
    env = to_pettingzoo("goofspiel")
    env.reset(seed=2)
    assert env.agent_selection == "seat_0"
    before = env.observe("seat_1")
    env.step(int(np.flatnonzero(env.observe("seat_0")["action_mask"])[-1]))
    assert env.agent_selection == "seat_1"
    after = env.observe("seat_1")
    assert all(np.array_equal(before[key], after[key]) for key in before)


def test_joint_steps_ignore_what_is_given_for_idle_seats():
    env = to_pettingzoo_parallel("nim[heaps=1-1]")
    env.reset(seed=0)
    *_, infos = env.step({"seat_0": 0, "seat_1": 1})
    assert str(env.game.table.state) == "0 1 turn=1"
    assert infos == {"seat_0": {"replaced": False}, "seat_1": {"replaced": False}}


def test_joint_steps_flag_a_missing_action():
    env = to_pettingzoo_parallel("goofspiel")
    env.reset(seed=0)
    *_, infos = env.step({"seat_0": 0})
    assert [infos[name]["replaced"] for name in ("seat_0", "seat_1")] == [False, True]


def test_returns_of_all_seats_are_paid_at_the_end():
    env = to_pettingzoo_parallel("nim[heaps=1-0]")
    env.reset(seed=0)
    _, rewards, terminations, truncations, _ = env.step({"seat_0": 0})
    assert rewards == {"seat_0": 1.0, "seat_1": -1.0}
    assert all(terminations.values())
    assert not any(truncations.values())


@pytest.mark.parametrize("make", [to_gymnasium, to_pettingzoo, to_pettingzoo_parallel])
def test_pictures_are_text_and_svg(make):
    for mode, word in (("ansi", "|||"), ("svg", "<svg")):
        env = make("nim", render_mode=mode)
        assert env.reset(seed=0) is None or env.render()
        assert word in env.render()


def test_a_gymnasium_picture_of_a_hidden_world_is_the_view_of_the_seat():
    env = to_gymnasium("kuhn_poker", render_mode="ansi")
    env.reset(seed=0)
    world, state = env.table.world, env.table.state
    assert env.render() == world.draw_view(world.model.view(state, 0), "text")


def test_opponents_that_crash_are_named():
    class Broken:
        def decide(self, model, view, budget, rng):
            raise ValueError("lost my cards")

    env = to_gymnasium("nim", opponents=[Broken()])
    env.reset(seed=0)
    with pytest.raises(BadAgent, match=r"seat 1.*lost my cards"):
        env.step(0)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"seat": 2}, WrongSeats, "seats 0 to 1"),
        ({"seat": -1}, WrongSeats, "seats 0 to 1"),
        (
            {"opponents": []},
            WrongSeats,
            "nim has 1 other seat, got 0 opponents; give exactly 1",
        ),
        ({"reward": "money"}, BadParameter, "returns, score"),
        ({"illegal": "ignore"}, BadParameter, "replace, raise"),
        ({"render_mode": "human"}, BadParameter, "ansi or svg"),
        ({"max_ticks": 0}, BadParameter, "at least 1"),
        ({"budget": "soon"}, BadParameter, "cannot read budget"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(options, error, message):
    with pytest.raises(error, match=message):
        to_gymnasium("nim", **options)


def test_register_all_makes_every_world_by_its_id():
    ids = register_all()
    assert f"ludex/{registry.names('worlds')[0]}-v0" in ids
    assert register_all() == ids  # twice is no warning and no error
    env = gymnasium.make("ludex.adapters.register:ludex/nim-v0", seat=1, world=NIM)
    assert env.unwrapped.table.world == registry.world(NIM)


def test_a_world_with_the_name_of_a_video_game_has_an_id_of_its_own():
    register_all()
    world = gymnasium.make("ludex/worlds.sokoban-v0").unwrapped
    assert world.table.world == registry.world("sokoban")
    game = gymnasium.make("ludex/sokoban-v0").unwrapped
    assert type(game) is not type(world)


@pytest.mark.parametrize(
    ("make", "library"),
    [(to_gymnasium, "gymnasium"), (to_pettingzoo, "pettingzoo")],
)
def test_a_missing_library_is_named_with_the_way_out(make, library, monkeypatch):
    real = builtins.__import__

    def refuse(name, *arguments, **options):
        if name.partition(".")[0] == library:
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(ludex.core.extra.importlib, "import_module", lambda name: refuse(name))
    with pytest.raises(MissingExtra, match=rf"need {library}.*ludex\[environments\]"):
        make("nim")
    assert library in sys.modules  # only the import was refused
