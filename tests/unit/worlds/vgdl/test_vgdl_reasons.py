"""Why a game ended, in words for people."""

from __future__ import annotations

import re

import pytest

from ludex.cli import main
from ludex.core.contents import hash_of_data
from ludex.worlds.vgdl.language.because import LONGEST_REASON, reason_in, without_reasons
from ludex.worlds.vgdl.language.formatter import format_game
from ludex.worlds.vgdl.language.ontology import EFFECTS, SPRITES, TERMINATIONS
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.language.reading import check_game
from ludex.worlds.vgdl.language.writer import plain, write_game
from ludex.worlds.vgdl.reasons import ENGINE_REASONS, reason_of
from ludex.worlds.vgdl.world import GAMES, Vgdl, games

TEXT = """BasicGame no_players={players}
    SpriteSet
        wall   > Immovable
        alien  > Missile
        portal > SpawnPoint stype=alien
        butterfly > RandomNPC
        blueBox > Passive
        old_man > RandomNPC
        enemy2 > RandomNPC
        avatar > MovingAvatar
            red  >
            blue >
    LevelMapping
        a > alien
    InteractionSet
        avatar wall > stepBack
    TerminationSet
        {line}
"""


def game_with(line, players=1):
    return parse_game(TEXT.format(line=line, players=players))


def made(line, players=1):
    """The reason of a game's only ending."""
    game = game_with(line, players)
    assert not game.problems
    (ending,) = game.endings
    return reason_of(game, ending)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("SpriteCounter stype=alien win=True", "all aliens are gone"),
        ("SpriteCounter stype=butterfly limit=0 win=True", "all butterflies are gone"),
        ("SpriteCounter stype=blueBox win=True", "all blue boxes are gone"),
        ("SpriteCounter stype=old_man win=False", "all old men are gone"),
        ("SpriteCounter stype=enemy2 win=True", "all enemy2 are gone"),
        ("SpriteCounter stype=alien limit=1 win=True", "no more than 1 alien is left"),
        ("SpriteCounter stype=alien limit=3 win=True", "no more than 3 aliens are left"),
        ("SpriteCounter stype=avatar win=False", "the avatar died"),
        ("SpriteCounter stype=avatar win=True", "the avatar is gone"),
        ("SpriteCounterMore stype=alien limit=1 win=False", "there is an alien"),
        ("SpriteCounterMore stype=blueBox limit=1 win=True", "there is a blue box"),
        ("SpriteCounterMore stype=alien limit=4 win=False", "there are 4 or more aliens"),
        (
            "MultiSpriteCounter stype1=portal stype2=alien win=True",
            "all portals and aliens are gone",
        ),
        (
            "MultiSpriteCounter stype1=portal stype2=alien stype3=blueBox win=True",
            "all portals, aliens and blue boxes are gone",
        ),
        ("MultiSpriteCounter stype1=alien limit=1 win=True", "exactly 1 alien is left"),
        ("MultiSpriteCounter stype1=alien limit=2 min=True win=True", "there are 2 or more aliens"),
        (
            "MultiSpriteCounter stype1=portal stype2=alien limit=2 win=True",
            "exactly 2 portals and aliens are left",
        ),
        (
            "MultiSpriteCounterSubTypes stype1=alien subTypesNum=2 limit=5 win=True",
            "exactly 5 aliens of 2 types are left",
        ),
        ("Timeout limit=1000 win=True", "time is up after 1000 ticks"),
        ("Timeout limit=10 count_score=True", "time is up after 10 ticks; the score decides"),
        ("Timeout limit=10 use_counter=True", "time is up after 10 ticks; the counters decide"),
        ("SpriteCounter stype=alien count_score=True", "all aliens are gone; the score decides"),
    ],
)
def test_a_reason_is_made_from_the_rule(line, reason):
    assert made(line) == reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("SpriteCounter stype=avatar win=False,False", "all avatars died"),
        ("SpriteCounter stype=red win=False,True", "the avatar red died"),
        ("SpriteCounter stype=avatar limit=1 win=False,False", "no more than 1 avatar is left"),
    ],
)
def test_a_reason_of_a_game_for_two_names_the_avatar(line, reason):
    assert made(line, players=2) == reason


@pytest.mark.parametrize("condition", [one for one in TERMINATIONS if one != "StopCounter"])
def test_no_reason_shows_the_name_of_a_class(condition):
    given = " ".join(
        f"{key}=alien" for key in TERMINATIONS[condition].parameters if key.startswith("stype")
    )
    assert not set(made(f"{condition} {given} limit=2 win=True").split()) & set(TERMINATIONS)


def test_a_file_names_the_reason_in_a_comment():
    line = "SpriteCounter stype=alien win=True  # because  the sky is clear"
    assert made(line) == "the sky is clear"
    assert made("SpriteCounter stype=alien win=True # Because: the sky is clear") == (
        "the sky is clear"
    )
    assert made("SpriteCounter stype=alien win=True # the usual end") == "all aliens are gone"


def test_the_java_framework_would_see_the_same_game():
    """A comment logs no message there, as an unknown key would."""
    named = game_with("SpriteCounter stype=alien win=True  # because the sky is clear")
    keyed = game_with("SpriteCounter stype=alien win=True reason=clear")
    assert (named.messages, keyed.messages) == (0, 1)


@pytest.mark.parametrize("comment", ["# because", "# because " + "x" * (LONGEST_REASON + 1)])
def test_the_checker_warns_of_a_reason_that_cannot_be_shown(comment):
    text = TEXT.format(line=f"SpriteCounter stype=alien win=True {comment}", players=1)
    report = check_game(text)
    assert ["'# because' names no reason" in one.reason for one in report.warnings].count(True) == 1
    game = parse_game(text)
    assert reason_of(game, game.endings[0]) == "all aliens are gone"


def test_reasons_are_formatted_and_written():
    text = TEXT.format(
        line="SpriteCounter   stype=alien win=True # because the sky is clear", players=1
    )
    formatted = format_game(text)
    assert "SpriteCounter stype=alien win=True  # because the sky is clear" in formatted
    game = parse_game(formatted)
    assert plain(parse_game(write_game(game))) == plain(game)
    assert "# because the sky is clear" in write_game(game)


@pytest.mark.parametrize("name", [name for name, _ in games()])
def test_every_end_of_our_games_has_a_reason_of_its_own(name):
    world = Vgdl(game=name)
    assert all(ending.reason for ending in world.definition.endings)
    words = {word for reason in world.model.reasons for word in re.findall(r"\w+", reason)}
    assert not words & {*TERMINATIONS, *SPRITES, *EFFECTS}


def test_the_words_of_a_reason_are_not_part_of_what_a_game_is():
    """So matches that were recorded before the reasons were named are of the same game."""
    path = GAMES / "aliens" / "game.txt"
    assert b"because" in path.read_bytes()
    bare = without_reasons(path.read_bytes())
    assert b"because" not in bare
    assert Vgdl(game="aliens").contents["game aliens/game.txt"] == hash_of_data(bare)
    assert reason_in("because of this") == "of this"


@pytest.mark.parametrize("number", ENGINE_REASONS)
def test_ends_by_the_engine_are_for_people_too(number):
    assert " " in ENGINE_REASONS[number]


def test_a_played_game_ends_with_the_reason(capsys):
    main(["play", "vgdl/aliens", "--agents", "do_nothing", "--budget", "1iterations"])
    out = capsys.readouterr().out
    assert "a raider has landed" in out or "the cannon is destroyed" in out
