"""The tools for authors on the games of the public collection."""

import pytest

from ludex.worlds.vgdl.language.definition import BadGame
from ludex.worlds.vgdl.language.formatter import format_game
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.language.reading import check_file, read_game
from ludex.worlds.vgdl.language.writer import plain, write_game

FOLDERS = ("2player", "contphysics", "gridphysics", "gameDesign")
STUBS = ("_lvl", "_glvl", "_ggame", "aliensRules")
DEFINED_TWICE = "is defined already"


def texts(shared, folder):
    paths = sorted((shared / "data" / "gvgai" / folder).glob("*.txt"))
    found = [path for path in paths if not any(stub in path.name for stub in STUBS)]
    assert found
    return {path: path.read_text() for path in found}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_game_loads_in_compatible_mode_with_warnings_alone(shared, folder):
    for path in texts(shared, folder):
        report = check_file(path, "compatible")
        assert report.passed, [str(error) for error in report.errors]
        assert report.levels == 5


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_passes_strict_reading_needs_no_leniency(shared, folder):
    for path, text in texts(shared, folder).items():
        if check_file(path).passed:
            assert parse_game(text).problems == (), path.name


@pytest.mark.parametrize("folder", FOLDERS)
def test_formatting_keeps_every_game(shared, folder):
    for path, text in texts(shared, folder).items():
        formatted = format_game(text, path.name)
        assert format_game(formatted) == formatted
        assert plain(parse_game(formatted)) == plain(parse_game(text)), path.name


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_game_that_defines_its_sprites_once_can_be_written(shared, folder):
    for path, text in texts(shared, folder).items():
        game = read_game(text, path.name, "compatible")
        try:
            again = parse_game(write_game(game))
        except BadGame:
            assert any(DEFINED_TWICE in problem.reason for problem in game.problems), path.name
            continue
        assert plain(again) == plain(game)
