"""Pages about our own games, and how hard their levels are."""

import json

import pytest
from folders import REPOSITORY

from ludex.bench.gallery import KEPT, traits_of
from ludex.bench.levels import (
    LevelFigures,
    LevelGame,
    LevelTask,
    fault,
    levels_of,
    played,
)
from ludex.cli.app import main
from ludex.core import Rng
from ludex.worlds.vgdl.tools.sheets import contact_sheet, fullness, glyph_sheet, moment
from ludex.worlds.vgdl.world import Vgdl, games

GALLERY = REPOSITORY / "docs" / "games"
WON, LOST = LevelGame(True, 1.0, 9), LevelGame(False, 0.0, 9)


def test_the_page_of_a_game_has_picture_rules_traits_and_scores_by_level(tmp_path):
    words = ["vgdl", "gallery", str(tmp_path), "--game", "sokoban", "--games", "1"]
    assert main([*words, "--agents", "one_step", "--workers", "1", "--budget", "20calls"]) == 0
    page = (tmp_path / "sokoban.md").read_text()
    assert page.startswith("# Sokoban\n\n![Sokoban](sokoban.png)\n\nPush every barrel")
    assert "| chance | none: the same keys, the same game |" in page
    assert "| level | doing nothing, 50 games | random, 50 games | `one_step`, 1 game |" in page
    rows = [line for line in page.splitlines() if line.startswith(("| 0 |", "| 4 |"))]
    assert len(rows) == 2
    assert all(
        row.startswith(f"| {level} | 0/50, 0.0 | 0/50")
        for level, row in zip("04", rows, strict=True)
    )
    assert (tmp_path / "sokoban.png").read_bytes()[1:4] == b"PNG"


def test_the_page_of_a_duel_says_why_random_play_wins(tmp_path):
    words = ["vgdl", "gallery", str(tmp_path), "--game", "tank_duel", "--games", "1"]
    assert main([*words, "--agents", "do_nothing", "--workers", "1"]) == 0
    assert (
        "A duel: somebody wins it however badly both play"
        in (tmp_path / "tank_duel.md").read_text()
    )


def test_a_game_that_does_not_exist_is_named(tmp_path, capsys):
    assert main(["vgdl", "gallery", str(tmp_path), "--game", "sokobann"]) == 2
    assert "did you mean 'sokoban'" in capsys.readouterr().err


def test_traits_tell_what_is_hidden_and_held():
    assert traits_of("lights_on")["hidden"] == "right, wrong, doubt"
    assert traits_of("zelda")["resources"] == "key"
    assert traits_of("lander")["physics"] == "continuous"
    assert traits_of("two_thieves")["players"] == "2 together"


def test_sheets_show_all_games_and_all_glyphs():
    names = [name for name, _ in games()]
    assert contact_sheet(names[:2]).size[1] < contact_sheet(names[:6]).size[1]
    assert glyph_sheet().size[0] == 13 * 72


def test_the_picture_of_a_game_is_of_a_full_moment():
    world, state = moment("zelda")
    measure = fullness(world)
    assert measure(state) >= measure(world.start(Rng(0)))


class TestFigures:
    @pytest.fixture
    def task(self, tmp_path):
        (tmp_path / "mine.txt").write_text("BasicGame\n    SpriteSet\n")
        (tmp_path / "mine_lvl0.txt").write_text("A")
        return LevelTask(Vgdl(game=str(tmp_path / "mine.txt")), "olets", games=2, budget="9calls")

    def test_what_was_played_is_read_again(self, tmp_path, task):
        LevelFigures(tmp_path / "kept.json").add(task, [WON, LOST])
        kept = LevelFigures(tmp_path / "kept.json")
        assert kept.of(task) == [WON, LOST]
        assert kept.missing([task]) == []

    def test_only_what_is_missing_is_played(self, task):
        figures = LevelFigures()
        figures.add(task, [WON])
        assert [one.first for one in figures.missing([task])] == [1]

    def test_a_changed_level_is_played_anew(self, tmp_path, task):
        figures = LevelFigures()
        figures.add(task, [WON, WON])
        (tmp_path / "mine_lvl0.txt").write_text("A.")
        assert figures.of(task) == []
        assert [one.first for one in figures.missing([task])] == [0]

    def test_later_games_of_a_series_do_not_depend_on_those_before(self):
        world = Vgdl(game="frogs")
        both = played(LevelTask(world, "one_step", 2, "20calls"))
        assert played(LevelTask(world, "one_step", 2, "20calls", first=1)) == both[1:]

    def test_a_level_won_by_nothing_or_by_chance_is_too_easy(self):
        alone, duel = Vgdl(game="zelda"), Vgdl(game="tank_duel")
        assert fault(alone, [LOST] * 50, [WON] * 10 + [LOST] * 40) == ""
        assert fault(alone, [LOST] * 50, [WON] * 11 + [LOST] * 39) == "won at random"
        assert fault(duel, [LOST] * 50, [WON] * 25 + [LOST] * 25) == ""
        assert fault(duel, [LOST] * 49 + [WON], [LOST] * 50) == "won by doing nothing"

    def test_a_game_is_found_on_all_its_levels(self):
        assert [world.level for world in levels_of("zelda")] == [0, 1, 2, 3, 4]


def test_the_figures_of_our_gallery_are_of_the_levels_as_they_are():
    figures = LevelFigures(GALLERY / KEPT)
    (budget,) = {key.split()[-1] for key in figures.games}
    worlds = [world for name, _ in games() for world in levels_of(name)]
    agents = ("olets", "open_loop_mcts")
    wanted = [LevelTask(world, agent, 1, budget) for world in worlds for agent in agents]
    assert [str(task.world) for task in figures.missing(wanted)] == []  # else: ludex vgdl gallery


class TestLevels:
    def test_every_level_is_listed_with_what_wins_it(self, capsys):
        assert main(["vgdl", "levels", "sokoban", "--workers", "1", "--json"]) == 0
        rows = json.loads(capsys.readouterr().out)["levels"]
        assert [row["level"] for row in rows] == [0, 1, 2, 3, 4]
        assert rows[0]["players"]["do_nothing"]["games"] == 50
        assert rows[0]["players"]["uniform"]["wins"] == 0

    def test_a_level_that_is_too_easy_is_named(self, capsys, tmp_path):
        text = """BasicGame
    SpriteSet
        floor > Immovable
    LevelMapping
        . > floor
    TerminationSet
        Timeout limit=3 win=True
"""
        (tmp_path / "easy.txt").write_text(text)
        (tmp_path / "easy_lvl0.txt").write_text("A.")
        assert main(["vgdl", "levels", str(tmp_path / "easy.txt"), "--workers", "1"]) == 1
        assert "won by doing nothing" in capsys.readouterr().out

    def test_agents_that_cannot_play_are_refused_before_the_first_game(self, capsys, tmp_path):
        assert main(["vgdl", "levels", "zelda", "--agents", "human"]) == 2
        assert "human cannot play hundreds of games by itself" in capsys.readouterr().err
        assert main(["vgdl", "gallery", str(tmp_path), "--agents", ","]) == 2
        assert "--agents names nobody" in capsys.readouterr().err

    def test_a_game_without_levels_is_refused(self, capsys, tmp_path):
        (tmp_path / "flat.txt").write_text("BasicGame\n")
        assert main(["vgdl", "levels", str(tmp_path / "flat.txt")]) == 2
        assert "has no level" in capsys.readouterr().err
