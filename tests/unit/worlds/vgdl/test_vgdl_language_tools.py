"""The writer, the formatter, the commands, the games and the page made from the ontology."""

import json
from pathlib import Path

import pytest
from folders import REPOSITORY

from ludex.cli import main
from ludex.core import registry
from ludex.core.errors import LudexError
from ludex.core.rng import Rng
from ludex.worlds.vgdl.language.definition import BadGame
from ludex.worlds.vgdl.language.formatter import format_game
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.language.reading import check_file, read_game
from ludex.worlds.vgdl.language.writer import plain, write_game
from ludex.worlds.vgdl.model import Action
from ludex.worlds.vgdl.tools.ontology_table import micro_games_by_name, page
from ludex.worlds.vgdl.world import GAMES, games

UGLY = """# Above all
BasicGame   square_size=10
  SpriteSet   # what there is
        pebble  >  Passive   color=GRAY # grey


        # a group
        tree >   Immovable
           oak > img=oak
           birch > Immovable
  LevelMapping
\t\t\tp > pebble
  InteractionSet
   pebble wall tree > stepBack
   pebble EOS >  killSprite   scoreChange=1

   tree pebble > killSprite
  TerminationSet
   SpriteCounter    stype=pebble win=True
   Timeout   limit=9 win=False
# The end
"""
NEAT = """# Above all
BasicGame square_size=10
    SpriteSet  # what there is
        pebble > Passive color=GRAY  # grey

        # a group
        tree > Immovable
            oak   > img=oak
            birch > Immovable
    LevelMapping
        p > pebble
    InteractionSet
        pebble wall tree > stepBack
        pebble EOS       > killSprite scoreChange=1

        tree pebble > killSprite
    TerminationSet
        SpriteCounter stype=pebble win=True
        Timeout       limit=9 win=False
        # The end
"""


def test_the_canonical_form():
    assert format_game(UGLY) == NEAT
    assert format_game(NEAT) == NEAT


def test_formatting_keeps_the_definition():
    assert plain(parse_game(NEAT)) == plain(parse_game(UGLY))


def test_formatting_keeps_words_it_does_not_know():
    text = "BasicGame\n  SpriteSet\n    a >  Passyve  a=b=c  >  x\n    b\n"
    assert format_game(text) == (
        "BasicGame\n    SpriteSet\n        a > Passyve a=b=c > x\n        b\n"
    )


def test_what_is_no_game_is_not_formatted():
    with pytest.raises(BadGame, match="starts with BasicGame"):
        format_game("SpriteSet\n  a > Passive\n")


def test_a_definition_is_written_without_its_defaults():
    text = (
        "BasicGame\n SpriteSet\n  rock > Passive speed=0 color=RED singleton=False\n"
        " InteractionSet\n  rock EOS > killSprite scoreChange=0\n"
        " LevelMapping\n  r > rock\n TerminationSet\n  Timeout limit=8 win=True\n"
    )
    written = [line.strip() for line in write_game(read_game(text)).splitlines()]
    assert "rock > Passive color=RED" in written
    assert "rock EOS > killSprite" in written
    assert "Timeout limit=8 win=True" in written


def test_a_marked_singleton_below_a_singleton_is_written():
    text = "BasicGame\n SpriteSet\n  a > Passive singleton=True\n   b > singleton=True\n   c >\n"
    game = parse_game(text)
    again = parse_game(write_game(game))
    assert [one.singleton for one in again.types[2:]] == [True, True, False]
    assert [one.values["singleton"] for one in again.types[2:]] == [True, True, True]


def test_what_the_reference_counts_is_written_too():
    text = "BasicGame odd=1\n SpriteSet\n  a > Passive odd=1 strange=2\n"
    game = parse_game(write_game(parse_game(text)))
    assert (game.messages, game.types[2].unknown_keys) == (1, 2)


def test_a_definition_that_no_text_means_is_refused():
    text = "BasicGame\n SpriteSet\n  a > Passive\n  b > Door\n  a > Passive\n"
    with pytest.raises(BadGame, match="cannot be written"):
        write_game(parse_game(text))


def test_a_game_read_without_quirks_is_written():
    text = "BasicGame\n SpriteSet\n  a > Passive\n   b > Door\n InteractionSet\n"
    text += "  a b > killSprite\n  b a > killBoth\n  a b > stepBack\n"
    game = parse_game(text, clean=True)
    assert plain(parse_game(write_game(game, clean=True), clean=True)) == plain(game)


# Commands


@pytest.fixture
def game_file(tmp_path):
    path = tmp_path / "rocks.txt"
    path.write_text(UGLY)
    (tmp_path / "rocks_lvl0.txt").write_text("wwww\nwApw\nwwww\n")
    (tmp_path / "rocks_lvl1.txt").write_text("wwww\nwA?w\nwwww\n")
    return path


def test_check_lists_errors_of_game_and_levels(game_file, capsys):
    assert main(["vgdl", "check", str(game_file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{game_file}:12:1: error: indented unlike other lines: use blanks alone"
    assert lines[-1].startswith("1 error, ")
    game_file.write_text(NEAT)
    assert main(["vgdl", "check", str(game_file)]) == 1
    output = capsys.readouterr().out
    assert "rocks_lvl1.txt:2:3: error: '?' is not mapped" in output
    assert output.endswith("and 2 levels\n")


def test_check_in_compatible_mode_warns_and_succeeds(game_file, capsys):
    assert main(["vgdl", "check", "--compatible", str(game_file)]) == 0
    assert ":12:1: warning: indented unlike" in capsys.readouterr().out


def test_check_answers_scripts_with_one_document(game_file, capsys):
    game_file.write_text(NEAT.replace("Passive", "Passyve"))
    assert main(["vgdl", "check", str(game_file), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["mode"], answer["passed"], answer["levels"]) == ("strict", False, 2)
    (error,) = answer["errors"]
    assert error == {
        "file": str(game_file),
        "line": 4,
        "column": 18,
        "word": "Passyve",
        "reason": "no sprite class 'Passyve'",
        "suggestion": "did you mean 'Passive'?",
    }


def test_format_writes_the_file_once(game_file, capsys):
    assert main(["vgdl", "format", str(game_file)]) == 0
    assert game_file.read_text() == NEAT
    assert main(["vgdl", "format", str(game_file)]) == 0
    assert "already" in capsys.readouterr().out


def test_format_can_leave_the_file_alone(game_file, capsys):
    assert main(["vgdl", "format", str(game_file), "--check"]) == 1
    assert main(["vgdl", "format", str(game_file), "--print"]) == 0
    assert capsys.readouterr().out.endswith(NEAT)
    assert game_file.read_text() == UGLY


@pytest.mark.parametrize("command", ["check", "format"])
@pytest.mark.parametrize("kind", ["missing", "folder", "binary"])
def test_what_cannot_be_read_is_one_sentence(command, kind, tmp_path, capsys):
    path = tmp_path / kind
    if kind == "folder":
        path.mkdir()
    if kind == "binary":
        path.write_bytes(b"\xff\xfe\x00")
    assert main(["vgdl", command, str(path)]) == 1
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert kind in message


# Games and pages


@pytest.mark.parametrize("name", [name for name, _ in games()])
def test_our_games_pass_the_strict_check_without_a_warning(name):
    report = check_file(GAMES / name / "game.txt")
    assert report.problems == ()
    assert report.levels >= 1


@pytest.mark.parametrize("name", [name for name, _ in games()])
def test_our_games_are_formatted(name):
    text = (GAMES / name / "game.txt").read_text()
    assert format_game(text) == text


KEYS = {"L": Action.LEFT, "R": Action.RIGHT, "U": Action.UP, "D": Action.DOWN}
SOLUTION = "LLLUURDUURDRRDDDULLULDDUUURR"  # a shortest one, found by breadth-first search


def test_our_sokoban_can_be_solved():
    world = registry.world("vgdl/sokoban")
    state = world.start(Rng(0))
    for key in SOLUTION:
        assert world.model.outcome(state) is None
        state = world.model.step(state, (KEYS[key],), Rng(0))
    assert world.model.outcome(state).winners == (0,)


def test_our_aliens_are_lost_by_waiting():
    """Somebody lands, or the acid wears the cannon down; nothing is won by doing nothing."""
    world = registry.world("vgdl/aliens")
    state = world.start(Rng(0))
    for tick in range(2_000):
        if world.model.outcome(state) is not None:
            break
        state = world.model.step(state, (Action.NIL,), Rng(3).fork(tick))
    assert world.model.outcome(state).winners == ()
    assert tick < 1_999


def test_the_page_of_the_ontology_is_up_to_date():
    written = (REPOSITORY / "docs" / "vgdl_ontology.md").read_text()
    assert written == page(Path(__file__).parent), (
        "write it again; src/ludex/worlds/vgdl/tools/ontology_table.py says how"
    )


def test_every_class_effect_and_termination_has_a_micro_game():
    tested = micro_games_by_name(Path(__file__).parent)
    assert len(tested) == 50 + 58 + 6
    assert [name for name, test in tested.items() if test == "none"] == []


SPACE = """
GameSpace
    SpriteSet
        avatar > MovingAvatar
        ball > Missile speed=PACE orientation=RIGHT
    LevelMapping
        A > avatar
        b > ball
    InteractionSet
        ball EOS > killSprite
    TerminationSet
        SpriteCounter stype=ball win=True
    ParameterSet
        PACE > values=0.5:0.5:2.0 string=Speed
"""


def test_a_point_of_a_game_space_is_an_option_of_its_world(tmp_path):
    (tmp_path / "space.txt").write_text(SPACE)
    (tmp_path / "space_lvl0.txt").write_text("A......\nb......\n")
    lengths = []
    for index in (0, 1, 3):
        world = registry.world(f"{tmp_path}/space.txt[point={index}]")
        assert f"[point={index}]" in str(world)
        state, rng = world.start(Rng(0)), Rng(0)
        while world.model.outcome(state) is None:
            state = world.model.step(state, (Action.NIL,), rng)
        lengths.append(world.model.rollout(world.start(rng), "uniform", 99, rng).ticks)
    assert lengths == sorted(lengths, reverse=True)
    assert len(set(lengths)) == 3
    with pytest.raises(LudexError, match="the index of PACE is from 0 to 3, got 4"):
        registry.world(f"{tmp_path}/space.txt[point=4]").start(Rng(0))
    with pytest.raises(LudexError, match="one game, not a GameSpace"):
        registry.world("vgdl/zelda[point=1]").start(Rng(0))
