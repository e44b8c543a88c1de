"""Pages about our own games."""

from ludex.cli.app import main
from ludex.cli.gallery import contact_sheet, glyph_sheet, traits_of
from ludex.worlds.vgdl.world import games


def test_the_page_of_a_game_has_picture_rules_traits_and_scores(tmp_path):
    words = ["vgdl", "gallery", str(tmp_path), "--game", "sokoban", "--games", "1"]
    assert main([*words, "--agents", "uniform", "--workers", "1", "--budget", "20calls"]) == 0
    page = (tmp_path / "sokoban.md").read_text()
    assert page.startswith("# Sokoban\n\n![Sokoban](sokoban.png)\n\nPush every barrel")
    assert "| chance | none: the same keys, the same game |" in page
    assert "| `uniform` | 0/5 |" in page
    assert (tmp_path / "sokoban.png").read_bytes()[1:4] == b"PNG"


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
