"""Surveys of collections, and the comparison of generators."""

from __future__ import annotations

import json

import pytest

from ludex.cli.app import main
from ludex.cli.shared.page import put_into_page
from ludex.worlds.vgdl.tools.compare import Sample, compare_samples, differing, holm
from ludex.worlds.vgdl.tools.survey import descriptions, levels_of

GAME = """BasicGame
    SpriteSet
        bee > {kind}
    LevelMapping
        b > bee
    InteractionSet
        avatar wall EOS > stepBack
        bee wall EOS > stepBack
        bee avatar > killSprite scoreChange=1
    TerminationSet
        SpriteCounter stype=bee win=True
        Timeout limit=50 win=False
"""


@pytest.fixture
def collection(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    for name, kind in (("still", "Immovable"), ("wild", "RandomNPC")):
        (folder / f"{name}.txt").write_text(GAME.format(kind=kind))
        for level in range(2):
            (folder / f"{name}_lvl{level}.txt").write_text("A...\n...b\n")
    (folder / "wild_glvl.txt").write_text("no game")
    return tmp_path


def test_levels_and_stubs_are_no_games(collection):
    assert [path.stem for path in descriptions(collection)] == ["still", "wild"]
    assert levels_of(collection / "set" / "wild.txt") == [0, 1]


def test_a_survey_says_how_each_game_fared(collection, capsys):
    assert (
        main(["vgdl", "survey", str(collection), "--ticks", "120", "--workers", "1", "--json"]) == 0
    )
    still, wild = json.loads(capsys.readouterr().out)["games"]
    assert still["folder"] == "set"
    assert (still["levels"], still["ticks"], still["stochastic"]) == (2, 240, False)
    assert wild["stochastic"]
    assert still["games"] >= 4  # every game ends after 51 ticks at most
    assert still["status"] == "plays"


def test_a_game_that_does_not_load_fails_the_survey(collection, capsys):
    (collection / "set" / "broken.txt").write_text("Nonsense\n")
    (collection / "set" / "broken_lvl0.txt").write_text("A\n")
    assert (
        main(["vgdl", "survey", str(collection), "--ticks", "5", "--workers", "1", "--json"]) == 1
    )
    broken = json.loads(capsys.readouterr().out)["games"][0]
    assert not broken["plays"]
    assert "a game starts with BasicGame" in broken["status"]


def test_a_missing_folder_is_named(capsys):
    assert main(["vgdl", "survey", "nowhere"]) == 2
    assert "there is no folder 'nowhere'" in capsys.readouterr().err


def test_a_table_replaces_the_one_in_the_page(collection):
    page = collection / "page.md"
    page.write_text("before\n<!-- survey -->\nold\n<!-- end of survey -->\nafter\n")
    put_into_page(page, "survey", "new")
    assert page.read_text() == "before\n<!-- survey -->\nnew\n<!-- end of survey -->\nafter\n"


def test_only_games_with_chance_are_compared_and_they_agree(collection, capsys):
    words = ["vgdl", "compare", "--games", str(collection), "--count", "60", "--workers", "1"]
    assert main([*words, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [row["game"] for row in report["games"]] == ["wild"]
    assert report["different"] == []
    assert report["games"][0]["ours"]["games"] == 60


def sample(wins: int, score: float, length: int) -> Sample:
    return Sample(
        wins,
        tuple(score + place % 5 for place in range(200)),
        tuple(length + place % 7 for place in range(200)),
    )


@pytest.mark.parametrize(
    "other", [sample(140, 3.0, 80), sample(100, 5.0, 80), sample(100, 3.0, 84)]
)
def test_a_difference_in_wins_score_or_length_is_found(other):
    same = sample(100, 3.0, 80)
    rows = [compare_samples("", str(number), same, same) for number in range(30)]
    odd = compare_samples("", "odd", same, other)
    assert differing([*rows, odd]) == [odd]


def test_holm_shares_the_error_over_all_tests():
    # 0.01 < 0.05 / 4 and 0.013 < 0.05 / 3, but 0.03 > 0.05 / 2.
    assert holm([0.03, 0.01, 0.9, 0.013]) == [False, True, False, True]
