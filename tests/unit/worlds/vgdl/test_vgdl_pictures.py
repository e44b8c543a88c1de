"""Glyphs, looks and pictures of VGDL games."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from PIL import Image

from ludex.core import Rng, registry
from ludex.core.errors import Unsupported
from ludex.worlds.vgdl.language.definition import BadGame
from ludex.worlds.vgdl.pictures.glyphs import ART, glyph_svg, glyphs, read_glyph, tinted
from ludex.worlds.vgdl.pictures.looks import Look, glyph_named, glyph_of, pose, scattered, synonyms
from ludex.worlds.vgdl.pictures.picture import BACK, painted, standing, standing_text
from ludex.worlds.vgdl.scene import SHADES, shade_of
from ludex.worlds.vgdl.world import games

RED = (214, 72, 68)


@pytest.fixture
def world(tmp_path):
    """Make a game from a few lines of sprites and rules and a level."""

    def make(sprites, level, mapping="", rules="", head="", ends="Timeout limit=9 win=True"):
        parts = {
            "SpriteSet": sprites,
            "LevelMapping": mapping,
            "InteractionSet": rules,
            "TerminationSet": ends,
        }
        text = f"BasicGame square_size=10 {head}\n"
        for heading, lines in parts.items():
            rows = [line.strip() for line in lines.split(";") if line.strip()]
            text += f"    {heading}\n" + "".join(f"        {row}\n" for row in rows)
        (tmp_path / "tiny.txt").write_text(text)
        (tmp_path / "tiny_lvl0.txt").write_text(level)
        return registry.world(str(tmp_path / "tiny.txt"))

    return make


class TestGlyphs:
    def test_there_are_more_than_eighty_and_all_can_be_painted(self):
        assert len(glyphs()) >= 80
        for glyph in glyphs().values():
            pixels = np.asarray(painted(Look(glyph, RED), 24, 24, 0.0, False, 255))
            assert pixels[..., 3].max() > 150, glyph.name

    def test_grounds_and_walls_leave_nothing_of_their_cell_open(self):
        for glyph in glyphs().values():
            if glyph.fills:
                pixels = np.asarray(painted(Look(glyph, RED), 16, 16, 0.0, False, 0))
                assert pixels[..., 3].min() == 255, glyph.name

    def test_no_two_glyphs_look_the_same(self):
        seen = {}
        for glyph in glyphs().values():
            shapes = (glyph.shapes, glyph.sides)
            assert shapes not in seen, (glyph.name, seen.get(shapes))
            seen[shapes] = glyph.name

    def test_the_colour_of_a_sprite_changes_its_picture(self):
        gem = glyphs()["gem"]
        red = np.asarray(painted(Look(gem, RED), 24, 24, 0.0, False, 0))
        blue = np.asarray(painted(Look(gem, (60, 90, 220)), 24, 24, 0.0, False, 0))
        assert (red != blue).any()

    def test_tints_are_lighter_and_darker_than_the_main_colour(self):
        light, main, dark, darker = (sum(tinted(tone, RED)) for tone in "lmdD")
        assert light > main > dark > darker

    def test_a_shape_that_cannot_be_read_is_named(self):
        with pytest.raises(
            BadGame, match="glyph odd has a shape that cannot be read: 'circle m 5'"
        ):
            read_glyph("odd\ncircle m 5", {}, "art.txt")
        with pytest.raises(BadGame, match="glyph odd has no colour 'mauve'"):
            read_glyph("odd\ncircle mauve 5 5 5", {}, "art.txt")

    def test_svg_of_every_glyph_is_well_formed(self):
        for glyph in glyphs().values():
            ElementTree.fromstring(f"<svg>{glyph_svg(glyph, RED, 255)}</svg>")


class TestNames:
    def test_every_synonym_leads_to_a_glyph(self):
        assert set(synonyms().values()) <= set(glyphs())

    def test_no_word_is_listed_that_is_a_glyph_itself_elsewhere(self):
        own = {word for word, name in synonyms().items() if word in glyphs() and word != name}
        # An exact name wins anyhow; the list must not suggest otherwise by accident.
        lines = (ART / "names.txt").read_text().splitlines()
        assert all(":" in line for line in lines if line and not line.startswith("#"))
        assert all(glyph_named(word).name == word for word in own)

    def test_each_of_our_games_names_only_glyphs_that_exist(self):
        for name, _ in games():
            for sprite in registry.world(f"vgdl/{name}").definition.types:
                given = sprite.values.get("img")
                assert given is None or given in glyphs(), (name, given)

    @pytest.mark.parametrize(
        ("class_name", "glyph"),
        [
            ("Missile", "bullet"),
            ("Chaser", "monster"),
            ("OrientedAvatar", "hero"),
            ("Immovable", "block"),
            ("Portal", "portal"),
        ],
    )
    def test_a_name_that_says_nothing_falls_back_on_the_class(self, world, class_name, glyph):
        more = " stype=avatar" if class_name in ("Chaser", "Portal") else ""
        tiny = world(f"xyzzy > {class_name}{more}", "A")
        kind = tiny.definition.type_named("xyzzy")
        assert glyph_of(tiny.definition.types[kind]).name == glyph

    def test_a_sprite_without_colour_has_one_that_its_name_gives(self, world):
        tiny = world("one > Immovable; two > Immovable", "A")
        types = tiny.definition.types
        one, two = (types[tiny.definition.type_named(name)] for name in ("one", "two"))
        assert shade_of(one) == shade_of(one) != shade_of(two)

    @pytest.mark.parametrize(
        ("image", "glyph"),
        [("lasercannon_2", "cannon"), ("dooropen1", "door"), ("cherries", "cherry")],
    )
    def test_a_known_word_inside_a_longer_one_is_found(self, world, image, glyph):
        tiny = world(f"xyzzy > Immovable img=newset/{image}", "A")
        kind = tiny.definition.type_named("xyzzy")
        assert glyph_of(tiny.definition.types[kind]).name == glyph

    def test_a_word_inside_a_picture_counts_less_than_the_name_of_the_sprite(self, world):
        tiny = world("ghost > Immovable img=newset/lasercannon", "A")
        kind = tiny.definition.type_named("ghost")
        assert glyph_of(tiny.definition.types[kind]).name == "ghost"


class TestColours:
    """Of sprites to which a game gives none, as in collections that came with pictures."""

    def look(self, tiny, name):
        return tiny.model.wardrobe.looks[tiny.definition.type_named(name)]

    def test_a_thing_has_the_colour_that_it_has_by_nature(self, world):
        tiny = world("one > Immovable img=oryx/tree2; wall > Immovable", "A")
        assert self.look(tiny, "one").shade == SHADES["GREEN"]
        assert self.look(tiny, "wall").shade == SHADES["GRAY"]

    def test_the_colour_of_the_game_comes_first(self, world):
        tiny = world("one > Immovable img=oryx/tree2 color=PINK", "A")
        assert self.look(tiny, "one").shade == SHADES["PINK"]

    @pytest.mark.parametrize(
        ("image", "colour"),
        [("blockG", "GREEN"), ("potion_red", "RED"), ("gemLBlue", "LIGHTBLUE")],
    )
    def test_a_colour_in_the_name_of_the_picture_is_taken(self, world, image, colour):
        tiny = world(f"one > Immovable img=newset/{image}", "A")
        assert self.look(tiny, "one").shade == SHADES[colour]

    def test_a_floor_is_lighter_than_a_wall_of_the_same_grey(self, world):
        tiny = world("one > Immovable img=oryx/backGrey; wall > Immovable", "A")
        assert sum(self.look(tiny, "one").shade) > sum(self.look(tiny, "wall").shade) + 100

    def test_two_kinds_with_the_same_glyph_are_told_apart(self, world):
        sprites = "; ".join(f"door{letter} > Immovable" for letter in "KLMN")
        tiny = world(sprites, "A")
        looks = {self.look(tiny, f"door{letter}") for letter in "KLMN"}
        assert {look.glyph.name for look in looks} == {"door"}
        assert len({look.shade for look in looks}) == 4


@pytest.mark.parametrize(
    ("factor", "reaches_the_edge"),
    [("1", True), ("0.6", False), ("0.01", False)],  # and none shrinks to nothing
)
def test_a_shrunken_sprite_leaves_the_edge_of_its_cell_free(world, factor, reaches_the_edge):
    tiny = world(f"one > Immovable img=block color=RED shrinkfactor={factor}", ".A", ". > one")
    pixels = tiny.pixels(tiny.start(Rng(1)), 20, foot=False)
    assert (pixels[10, 10] != BACK).any()
    assert (pixels[10, 2] != BACK).any() == reaches_the_edge


class TestPoses:
    def test_what_turns_looks_along_its_direction(self):
        tank = glyphs()["tanktop"]
        assert pose(tank, 1, 0) == (0.0, False)
        assert pose(tank, 0, 1) == (90.0, False)
        assert pose(tank, 0, -1) == (-90.0, False)

    def test_what_turns_is_never_upside_down(self):
        assert pose(glyphs()["truck"], -1, 0) == (0.0, True)

    def test_people_look_left_or_right_and_stand_upright(self):
        knight = glyphs()["knight"]
        assert pose(knight, -1, 0) == (0.0, True)
        assert pose(knight, 0, -1) == (0.0, False)

    def test_a_lander_is_drawn_at_its_angle(self):
        lander = registry.world("vgdl/lander")
        state = lander.start(Rng(1))
        upright = lander.pixels(state)
        for _ in range(3):
            state = lander.step(state, (4,), Rng(1))  # turns right, and hardly falls yet
        assert lander.model.level.rotations(state)[0][2] == pytest.approx(4.712 + 3 * 0.3)
        assert (lander.pixels(state) != upright).any()


class TestPictures:
    def test_a_picture_has_a_cell_for_each_cell_and_a_line_below(self, world):
        tiny = world("floor > Immovable", "...\nA..", ". > floor; A > floor avatar")
        state = tiny.start(Rng(1))
        assert tiny.pixels(state, 20, foot=False).shape == (40, 60, 3)
        assert tiny.pixels(state, 20).shape == (40 + 23, 60, 3)

    def test_later_sprites_are_drawn_above_earlier_ones(self, world):
        sprites = "low > Immovable color=RED img=block; high > Immovable color=BLUE img=block"
        tiny = world(sprites, ".A", ". > high low")
        red, _, blue = tiny.pixels(tiny.start(Rng(1)), 10, foot=False)[5, 5]
        assert blue > red

    def test_invisible_sprites_are_not_drawn(self, world):
        tiny = world("low > Immovable invisible=True", ".A", ". > low")
        pixels = tiny.pixels(tiny.start(Rng(1)), 10, foot=False)
        assert (pixels[:, :10] == BACK).all()

    def test_walls_join_with_their_neighbours(self, world):
        tiny = world("wall > Immovable color=GRAY img=steel", "www\nwww\nwwA", "w > wall")
        pixels = tiny.pixels(tiny.start(Rng(1)), 40, foot=False).astype(int)
        middle_left, open_right = pixels[60, 41], pixels[20 + 80, 79]
        assert open_right.sum() < middle_left.sum()  # a dark edge only where the wall ends

    def test_a_ground_does_not_repeat_from_cell_to_cell_and_stays_the_same_in_time(self, world):
        tiny = world("sky > Immovable img=stars", "......\n......\n.....A", ". > sky")
        state = tiny.start(Rng(1))
        pixels = tiny.pixels(state, 20, foot=False)
        cells = {
            pixels[y : y + 20, x : x + 20].tobytes() for x in range(0, 100, 20) for y in (0, 20)
        }
        assert len(cells) >= 3
        assert (tiny.pixels(state, 20, foot=False) == pixels).all()

    def test_rare_shapes_are_in_about_one_cell_of_nine(self):
        rare = [scattered(x, y) % 9 == 0 for x in range(60) for y in range(60)]
        assert 0.09 < np.mean(rare) < 0.13

    def test_small_glyphs_cover_more_of_what_lies_below(self):
        bar = Look(read_glyph("bar\nrect m 48 0 4 100", {}, "art.txt"), RED)
        small, large = (np.asarray(painted(bar, side, side, 0.0, False, 0)) for side in (7, 8))
        assert large[..., 3].max() < 255 / 2
        assert small[..., 3].max() == 255  # one whole column

    def test_a_wide_sprite_fills_its_rectangle(self, world):
        tiny = world("bar > Passive wMult=2 color=RED img=block", "b.A", "b > bar")
        pixels = tiny.pixels(tiny.start(Rng(1)), 10, foot=False)
        assert (pixels[5, 15] != BACK).any()

    def test_svg_shows_the_same_sprites(self):
        zelda = registry.world("vgdl/zelda")
        root = ElementTree.fromstring(zelda.draw(zelda.start(Rng(1)), "svg"))
        name = "{http://www.w3.org/2000/svg}"
        placed = [one.get("href") for one in root.iter(f"{name}use")]
        drawn = {one.get("id") for one in root.iter(f"{name}symbol")}
        assert {one.removeprefix("#") for one in placed} == drawn
        assert any(one.startswith("#knight") for one in placed)

    def test_worlds_without_pixels_say_so(self):
        nim = registry.world("nim")
        with pytest.raises(Unsupported, match="nim is drawn as text and SVG, not as pixels"):
            nim.pixels(nim.start(Rng(1)))


class TestStanding:
    def test_score_health_resources_and_tick_are_told(self, world):
        tiny = world(
            "gem > Resource limit=5; avatar > MovingAvatar healthPoints=2",
            "Ag",
            "g > gem",
            "gem avatar > collectResource scoreChange=3",
        )
        state = tiny.step(tiny.start(Rng(1)), (4,), Rng(1))
        assert standing_text(tiny.model, state) == "score 3  ♥♥  gem 1  tick 1"

    def test_the_outcome_is_told(self, world):
        tiny = world("floor > Immovable", "A.", ". > floor", ends="Timeout limit=0 win=False")
        state = tiny.step(tiny.start(Rng(1)), (0,), Rng(1))
        assert standing(tiny.model, state)[-1].text == "lost"

    def test_many_health_points_are_a_number(self, world):
        tiny = world("avatar > MovingAvatar healthPoints=18", "A")
        assert "♥18" in standing_text(tiny.model, tiny.start(Rng(1)))


def test_rules_in_words_come_from_the_first_comment_of_a_game():
    title, rules = registry.world("vgdl/sokoban").description
    assert title == "Sokoban"
    assert rules.startswith("Push every barrel onto a mark. A barrel can be pushed")
    assert not re.search("[#>]", rules)


def test_a_picture_of_pixels_can_be_saved(tmp_path):
    frogs = registry.world("vgdl/frogs")
    Image.fromarray(frogs.pixels(frogs.start(Rng(1)), 8)).save(tmp_path / "frogs.png")
    with Image.open(tmp_path / "frogs.png") as saved:
        assert saved.size == (160, 96)


class TestFilms:
    @pytest.fixture
    def record(self, tmp_path):
        """The record of the shortest win we keep."""
        from ludex.arena.match.session import Session
        from ludex.core.budget import Budget
        from ludex.worlds.vgdl.tools.wins import wins

        session = Session(registry.world("vgdl/frogs"), [None], 1, Budget.parse("9calls"))
        for actions in wins("frogs")[0].inputs:
            session.step(dict(enumerate(actions)))
        file = tmp_path / "won.jsonl"
        session.record().write(file)
        return file, session.tick

    @pytest.mark.parametrize("kind", ["webp", "gif"])
    def test_a_film_has_a_picture_of_every_state(self, record, tmp_path, kind):
        from ludex.cli.app import main

        file, ticks = record
        film = tmp_path / f"film.{kind}"
        assert main(["replay", str(file), "--out", str(film), "--cell", "8", "--fps", "10"]) == 0
        with Image.open(film) as found:
            assert found.size == (160, 96)
            assert found.n_frames == ticks + 1

    def test_a_picture_shows_the_end(self, record, tmp_path):
        from ludex.cli.app import main

        file, _ = record
        assert main(["replay", str(file), "--out", str(tmp_path / "end.png"), "--cell", "8"]) == 0
        with Image.open(tmp_path / "end.png") as found:
            assert found.size == (160, 96)

    def test_other_kinds_of_films_are_refused(self, record, tmp_path, capsys):
        from ludex.cli.app import main

        file, _ = record
        assert main(["replay", str(file), "--out", str(tmp_path / "film.mp4")]) == 2
        assert "films are written as .svg, .webp, .gif, .png" in capsys.readouterr().err

    def test_a_long_film_has_smaller_pictures(self, record, tmp_path, monkeypatch):
        from ludex.arena.pictures import writing
        from ludex.cli.app import main

        file, _ = record
        monkeypatch.setattr(writing, "MOST_BYTES", 200_000)
        assert main(["replay", str(file), "--out", str(tmp_path / "film.gif"), "--cell", "8"]) == 0
        with Image.open(tmp_path / "film.gif") as found:
            assert found.size[0] < 160
