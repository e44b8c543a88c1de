"""`ludex play GAME.txt` names the mistakes in the file before it plays."""

from __future__ import annotations

import json

import pytest

GAME = """BasicGame
    SpriteSet
        wall   > Immovable
        coin   > Resource
        avatar > MovingAvatar speede=1
    LevelMapping
        c > coin
    InteractionSet
        avatar wall EOS > stepBack
        coin avatar > killSprite scoreChange=1
    TerminationSet
        SpriteCounter stype=coin win=True
"""
PLAY = ("--agents", "uniform", "--budget", "1iterations", "--seed", "1")


@pytest.fixture
def game(tmp_path):
    """A game with a misspelt key, on a level with a character that means nothing."""
    path = tmp_path / "mine.txt"
    path.write_text(GAME)
    (tmp_path / "mine_lvl0.txt").write_text("wwwww\nwAcqw\nwwwww\n")
    return path


def test_mistakes_are_named_in_a_line_each_as_the_checker_names_them(run, game):
    status, out, err = run("play", game, *PLAY)
    assert status == 0
    first, second = err.splitlines()
    assert first.startswith(f"{game}:5:31: error: MovingAvatar has no 'speede'")
    assert "did you mean 'speed'" in first
    assert second.startswith(f"{game.with_name('mine_lvl0.txt')}:2:4: error: 'q' is not mapped")
    _, checked, _ = run("vgdl", "check", game)
    assert first in checked
    assert "all coins are gone" in out


def test_warnings_can_be_left_out(run, game):
    assert run("play", game, *PLAY, "--no-warnings")[2] == ""


def test_the_json_document_stays_clean(run, game):
    _, out, err = run("play", game, *PLAY, "--json")
    assert json.loads(out)["games"][0]["winners"] == [0]
    assert err.count("error") == 2


def test_a_sound_file_and_our_own_games_are_played_without_a_word(run, game):
    game.write_text(GAME.replace(" speede=1", ""))
    game.with_name("mine_lvl0.txt").write_text("wwwww\nwAc.w\nwwwww\n".replace(".", " "))
    assert run("play", game, *PLAY)[2] == ""
    assert run("play", "vgdl/sokoban", *PLAY)[2] == ""
    assert run("play", "nim", "--agents", "uniform,uniform")[2] == ""


def test_a_level_elsewhere_is_checked_too(run, game, tmp_path):
    level = tmp_path / "other.txt"
    level.write_text("wwww\nwA?w\nwwww\n")
    world = f"vgdl[game=sokoban,level_file={level}]"
    _, _, err = run("play", world, *PLAY)
    assert err.startswith(f"{level}:2:3: error: '?' is not mapped")


def test_a_warning_of_the_checker_is_a_warning_here(run, game):
    game.write_text(GAME.replace(" speede=1", "").replace("c > coin", "c > coin\n        z > coin"))
    game.with_name("mine_lvl0.txt").write_text("wwwww\nwAc w\nwwwww\n")
    game.write_text(
        game.read_text().replace("coin   > Resource", "coin > Resource\n        x > Door")
    )
    _, _, err = run("play", game, *PLAY)
    _, checked, _ = run("vgdl", "check", game)
    assert " warning: " in err
    assert set(err.splitlines()) <= set(checked.splitlines())


def test_mistakes_of_a_kind_are_one_line(run, game):
    keys = " ".join(f"key{number}=1" for number in range(30))
    game.write_text(GAME.replace("speede=1", keys).replace("LevelMapping", "LevelMaping"))
    game.with_name("mine_lvl0.txt").write_text("wwwww\nwAcqw\nw..qw\nwwwww\n")
    _, _, err = run("play", game, *PLAY)
    assert "(and 29 more: 'key0', 'key1'," in err
    assert "3 letters are not mapped: 'c', 'q', '.'; nothing is created for them" in err
    assert len(err.splitlines()) <= 6


def test_many_kinds_of_mistakes_are_cut_short(run, game):
    lines = "".join(f"        s{number} > Class{number} k{number}=1\n" for number in range(30))
    game.write_text(GAME.replace("    LevelMapping", f"{lines}    LevelMapping"))
    _, _, err = run("play", game, *PLAY)
    assert len(err.splitlines()) <= 7


def test_a_level_without_an_avatar_is_named_and_nobody_died(run, game):
    game.write_text(GAME.replace("stype=coin win=True", "stype=avatar win=False"))
    game.with_name("mine_lvl0.txt").write_text("wwwww\nw cqw\nwwwww\n")
    _, out, err = run("play", game, *PLAY)
    assert "mine_lvl0.txt:1:1: error: the level has 0 avatars, and the game 1 players" in err
    assert "nobody wins (the level has no avatar)" in out
    assert "died" not in out
