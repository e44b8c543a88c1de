"""From text to definition, in the compatible way."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.core import registry
from ludex.core.errors import LudexError, UnknownName
from ludex.worlds.vgdl.language import ontology
from ludex.worlds.vgdl.language.definition import BadGame
from ludex.worlds.vgdl.language.levels import parse_level
from ludex.worlds.vgdl.language.native_text import block_size, write_game
from ludex.worlds.vgdl.language.parser import parse_game

SPRITES = """BasicGame
    SpriteSet
        floor > Immovable hidden=True
        moving >
            fast > Missile speed=2
                left > orientation=LEFT
                right > orientation=RIGHT speed=3
            slow > Passive
        avatar > MovingAvatar
"""


def names(game, numbers):
    return [game.types[number].name for number in numbers]


def test_types_are_numbered_in_order_of_appearance_after_wall_and_avatar():
    game = parse_game(SPRITES)
    assert [one.name for one in game.types] == [
        "wall", "avatar", "floor", "moving", "fast", "left", "right", "slow",
    ]  # fmt: skip


def test_children_inherit_class_and_parameters():
    game = parse_game(SPRITES)
    left, right = (game.types[game.type_named(name)] for name in ("left", "right"))
    assert (left.class_name, left.values["speed"]) == ("Missile", 2.0)
    assert (right.class_name, right.values["speed"]) == ("Missile", 3.0)
    assert right.values["orientation"] == (1.0, 0.0)


def test_the_order_has_leaves_in_file_order_and_the_avatar_last():
    game = parse_game(SPRITES)
    assert names(game, game.order) == ["wall", "floor", "left", "right", "slow", "avatar"]


def test_subtypes_begin_with_ancestors():
    game = parse_game(SPRITES)
    fast = game.types[game.type_named("fast")]
    assert names(game, fast.subtypes) == ["moving", "fast", "left", "right"]


def test_comments_tabs_and_blank_lines_are_skipped():
    game = parse_game("# a comment\n\nBasicGame # more\n\tSpriteSet\n\t\tx > Immovable # end\n")
    assert game.type_named("x") == 2


def test_a_line_without_arrow_ends_its_group():
    game = parse_game("BasicGame\n  SpriteSet\n    x > Immovable\n    y\n    z > Immovable\n")
    assert (game.type_named("x"), game.type_named("y"), game.type_named("z")) == (2, -1, -1)


def test_problems_have_line_column_word_and_suggestion():
    text = "BasicGame\n    SpriteSet\n        x > Imovable sped=1\n"
    problems = parse_game(text, "my.txt").problems
    assert [str(one) for one in problems] == [
        "my.txt:3:13: no sprite class 'Imovable'; none can be created; did you mean 'Immovable'?"
    ]


def test_unknown_keys_are_noted_where_they_are_written():
    text = "BasicGame\n    SpriteSet\n        g > Immovable sped=1\n            x >\n"
    game = parse_game(text)
    (problem,) = game.problems
    assert (problem.line, problem.column, problem.word) == (3, 23, "sped=1")
    assert game.types[game.type_named("x")].unknown_keys == 1  # inherited, so logged again


def test_rules_for_several_second_sprites_become_pairs():
    text = SPRITES + "    InteractionSet\n        avatar left right > stepBack\n"
    game = parse_game(text)
    assert [names(game, (one.first, one.second)) for one in game.pairs] == [
        ["avatar", "left"],
        ["avatar", "right"],
    ]


def test_edge_rules_are_recognised_in_any_case():
    game = parse_game(SPRITES + "    InteractionSet\n        avatar eos > stepBack\n")
    assert names(game, game.edges) == ["avatar"]


def test_mapping_replaces_the_whole_list():
    game = parse_game(SPRITES + "    LevelMapping\n        A > floor avatar\n        = > slow\n")
    assert game.mapping["A"] == ("floor", "avatar")
    assert game.mapping["="] == ("slow",)
    assert game.mapping["w"] == ("wall",)


def test_headings_in_another_case_are_ignored_with_a_note():
    game = parse_game("BasicGame\n  spriteset\n    x > Immovable\n")
    assert game.type_named("x") == -1
    assert "did you mean 'SpriteSet'" in str(game.problems[0])


SPACE = """GameSpace
    SpriteSet
        x > Missile speed=SPEED singleton=ALONE
    ParameterSet
        SPEED > values=0.5:0.25:1.5 string=how_fast
        ALONE > values=True:False value=True
        COUNT > values=2:2:8
"""


def test_a_game_space_lists_the_values_of_its_parameters():
    space = {one.name: one for one in parse_game(SPACE).space}
    assert space["SPEED"].choices == (0.5, 0.75, 1.0, 1.25, 1.5)
    assert space["COUNT"].choices == (2, 4, 6, 8)
    assert (space["ALONE"].choices, space["ALONE"].default) == ((False, True), True)


def test_a_point_of_a_game_space_is_a_game():
    game = parse_game(SPACE, point={"SPEED": 1.25, "ALONE": False})
    x = game.types[game.type_named("x")]
    assert (x.values["speed"], x.singleton) == (1.25, False)
    default = parse_game(SPACE)
    x = default.types[default.type_named("x")]
    assert (x.values["speed"], x.singleton) == (0.5, True)


@pytest.mark.parametrize(
    "text", ["", "# nothing", "Game\n  SpriteSet\n", "BasicGame no_players=99", "x" * 2_000_000]
)
def test_what_is_no_game_is_refused_in_one_sentence(text):
    with pytest.raises(BadGame) as caught:
        parse_game(text)
    assert "\n" not in str(caught.value)


def test_deep_nesting_is_refused():
    text = "BasicGame\n SpriteSet\n" + "".join(" " * n + f"x{n} >\n" for n in range(2, 200))
    with pytest.raises(BadGame, match="deep"):
        parse_game(text)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e300", "-1e12", "0x10", "1_000"])
def test_numbers_that_are_none_are_dropped(value):
    game = parse_game(f"BasicGame\n  SpriteSet\n    x > Missile speed={value}\n")
    assert game.types[game.type_named("x")].values["speed"] == 1.0


class TestLevels:
    GAME = SPRITES + "    LevelMapping\n        . > floor\n        s > floor slow\n"

    def test_rows_are_padded_and_cut_to_the_first(self):
        level = parse_level("s..\ns\ns....\n", parse_game(self.GAME))
        assert (level.width, level.height) == (3, 3)
        assert max(column for _, column, _ in level.sprites) == 2

    def test_characters_without_mapping_are_noted(self):
        level = parse_level("s?", parse_game(self.GAME), "my_lvl0.txt")
        assert str(level.problems[0]).startswith("my_lvl0.txt:1:2: '?' is not mapped")
        assert level.messages == 1

    def test_a_name_that_is_no_sprite_is_refused(self):
        game = parse_game(self.GAME + "        z > zebra\n")
        with pytest.raises(BadGame, match="zebra"):
            parse_level("z", game)

    @pytest.mark.parametrize("text", ["", "\n\n", "." * 300_000])
    def test_empty_and_enormous_levels_are_refused(self, text):
        with pytest.raises(BadGame):
            parse_level(text, parse_game(self.GAME))

    @pytest.mark.parametrize(("width", "block"), [(8, 100), (30, 26), (1000, 2)])
    def test_cells_are_made_to_fit_800_pixels(self, width, block):
        game = parse_game(self.GAME)
        assert block_size(game, parse_level("." * width, game)) == block


class TestOntology:
    def test_it_is_complete(self):
        sizes = len(ontology.SPRITES), len(ontology.EFFECTS), len(ontology.TERMINATIONS)
        assert sizes == (50, 58, 6)
        assert sum(one.avatar for one in ontology.SPRITES.values()) == 19

    def test_the_engine_knows_every_parameter(self):
        """A key that only Python knew would be refused by the native reader."""
        for name in ontology.SPRITES:
            text = f"BasicGame\n  SpriteSet\n    x > {name} stype=x\n"
            assert f"type x {name}" in write_game(parse_game(text))

    def test_the_generated_header_is_fresh(self):
        header = Path(ontology.__file__).parents[1] / "native" / "ontology.hpp"
        if not header.is_file():
            pytest.skip("the sources of the engine are not installed")
        kept = "".join(header.read_text().split())
        assert kept == "".join(ontology.native_header().split())


class TestNames:
    def test_a_game_of_ours_is_named_with_a_slash(self):
        world = registry.world("vgdl/sokoban")
        assert (str(world), world.game, world.level) == ("vgdl/sokoban", "sokoban", 0)

    def test_a_file_is_named_by_its_path(self, tmp_path):
        (tmp_path / "mine.txt").write_text(SPRITES)
        (tmp_path / "mine_lvl3.txt").write_text("A.\n")
        text = f"{tmp_path}/mine.txt[level=3]"
        world = registry.world(text)
        assert str(world) == text
        assert world.model.avatars(world.start(None)) == ((0, 0),)

    @pytest.mark.parametrize(
        "text", ["vgdl/alien", "vgdl/", "nim/aliens", "vgdl/aliens[level=7]", "nowhere/game.txt"]
    )
    def test_what_does_not_exist_is_refused_in_one_sentence(self, text):
        with pytest.raises(LudexError) as caught:
            _ = registry.world(text).model
        assert "\n" not in str(caught.value)

    def test_a_near_miss_gets_a_hint(self):
        with pytest.raises(UnknownName, match="did you mean 'aliens'"):
            registry.world("vgdl/alien")
