"""Strict and compatible reading: what is refused, what is forgiven, and where."""

import pickle

import pytest

from ludex.core.errors import BadParameter, LudexError
from ludex.core.rng import Rng
from ludex.worlds.vgdl.language.conversion import read_range
from ludex.worlds.vgdl.language.definition import BadGame
from ludex.worlds.vgdl.language.parser import (
    MAX_DIMENSIONS,
    MAX_LINES,
    MAX_PLACED,
    MAX_TEXT,
    MAX_TYPES,
)
from ludex.worlds.vgdl.language.reading import Mistakes, check_game, read_game, read_level
from ludex.worlds.vgdl.language.space import read_space
from ludex.worlds.vgdl.language.tree import MAX_DEPTH, MAX_LINE

GAME = """\
BasicGame square_size=20 obs=wall
    SpriteSet
        floor > Immovable hidden=True
        avatar > ShootAvatar stype=spark ammo=fuel
        spark > Missile speed=0.5
        fuel > Resource limit=5
        ghost > Chaser stype=avatar cooldown=3
            pale > color=WHITE
            dark > color=BLACK
        gate > SpawnPoint stype=pale prob=0.2
    LevelMapping
        . > floor
        A > floor avatar
        f > floor fuel
        d > floor dark
        g > floor gate
    InteractionSet
        avatar wall > stepBack
        ghost spark > killBoth scoreChange=2
        fuel avatar > collectResource
        avatar ghost > killSprite
        spark wall EOS > killSprite
    TerminationSet
        SpriteCounter stype=avatar win=False
        Timeout limit=500 win=True
"""
LEVEL = "wwwww\nwA.fw\nwd.gw\nwwwww\n"


def changed(old, new):
    assert GAME.count(old) == 1, f"{old!r} stands {GAME.count(old)} times in the game"
    return GAME.replace(old, new)


def mistakes(text):
    with pytest.raises(Mistakes) as caught:
        read_game(text, "game.txt")
    return caught.value.problems


def test_a_correct_game_has_neither_errors_nor_warnings():
    report = check_game(GAME, "game.txt", levels={"level.txt": LEVEL})
    assert report.problems == ()


# One mistake each: what is changed, where it is reported, and in which words.
MISTAKES = {
    "first word": (
        "BasicGame",
        "BasicGam",
        1,
        1,
        "starts with BasicGame or GameSpace",
        "BasicGame",
    ),
    "key of the game": ("square_size", "sqare_size", 1, 11, "no 'sqare_size'", "square_size"),
    "value of the game": ("=20", "=big", 1, 23, "whole number, not 'big'", ""),
    "lone word of the game": ("obs=wall", "obs wall", 1, 26, "'obs' is no key=value", ""),
    "too many players": ("obs=wall", "obs=wall no_players=17", 1, 46, "from 1 to 16", ""),
    "obstacle": ("obs=wall", "obs=wal", 1, 30, "no sprite 'wal'", "wall"),
    "section": ("LevelMapping", "LevelMaping", 11, 5, "no section 'LevelMaping'", "LevelMapping"),
    "sprite class": ("Missile", "Missyle", 5, 17, "no sprite class 'Missyle'", "Missile"),
    "second class": ("> Missile", "> Missile Door", 5, 25, "one class", ""),
    "class below a class": ("> color=WHITE", "> Fleeing", 8, 20, "of class Chaser", ""),
    "no class": ("spark > Missile", "spark >", 5, 9, "has no class", ""),
    "no arrow": ("spark > Missile", "spark Missile", 5, 9, "expected a '>'", ""),
    "glued arrow": ("spark > Missile", "spark> Missile", 5, 9, "blanks around", ""),
    "key of a class": ("speed=", "sped=", 5, 25, "Missile has no 'sped'", "speed"),
    "key twice": ("speed=0.5", "speed=0.5 speed=1", 5, 35, "given twice", ""),
    "no value": ("speed=0.5", "speed=", 5, 25, "key=value without blanks", ""),
    "two equal signs": ("speed=0.5", "speed=0.5=1", 5, 25, "key=value without blanks", ""),
    "real": ("speed=0.5", "speed=fast", 5, 31, "speed is a number", ""),
    "java real": ("speed=0.5", "speed=0.5f", 5, 31, "speed is a number", ""),
    "not a number": ("speed=0.5", "speed=nan", 5, 31, "speed is a number", ""),
    "endless": ("speed=0.5", "speed=1e999", 5, 31, "speed is a number", ""),
    "int": ("limit=5\n", "limit=5.5\n", 6, 31, "whole number, not '5.5'", ""),
    "large int": ("limit=5\n", "limit=99999999999\n", 6, 31, "whole number", ""),
    "flag": ("hidden=True", "hidden=yes", 3, 34, "True or False", ""),
    "colour": ("WHITE", "WHITTE", 8, 26, "no colour 'WHITTE'", "WHITE"),
    "probability": ("prob=0.2", "prob=1.2", 10, 43, "from 0 to 1", ""),
    "product": ("stype=pale", "stype=pal", 10, 33, "no sprite 'pal'", "pale"),
    "second of a list": ("stype=spark", "stype=spark,spork", 4, 42, "no sprite 'spork'", "spark"),
    "required value": ("stype=avatar cooldown", "cooldown", 8, 13, "needs stype=SPRITE", ""),
    "name of a value": ("floor > Imm", "RED > Imm", 3, 9, "'RED' cannot name a sprite", ""),
    "defined twice": ("fuel > Res", "spark > Res", 6, 9, "defined already in line 5", ""),
    "two characters": (". > floor", ".. > floor", 12, 9, "one character", ""),
    "mapped to nothing": (". > floor", ". >", 12, 9, "mapped to no sprite", ""),
    "mapped sprite": ("f > floor fuel", "f > floor fuol", 14, 19, "no sprite 'fuol'", "fuel"),
    "first sprite": ("avatar wall >", "avatr wall >", 18, 9, "no sprite 'avatr'", "avatar"),
    "second sprite": ("avatar wall >", "avatar wal >", 18, 16, "no sprite 'wal'", "wall"),
    "one sprite": ("avatar wall >", "avatar >", 18, 9, "names two sprites", ""),
    "sprite twice": ("avatar wall >", "avatar wall wall >", 18, 21, "named twice", ""),
    "effect": ("collectResource", "colectResource", 20, 23, "no effect", "collectResource"),
    "no effect": ("> collectResource", ">", 20, 14, "effect is missing", ""),
    "two effects": ("> collectResource", "> killSprite killBoth", 20, 34, "one effect", ""),
    "key of an effect": ("scoreChange", "scorChange", 19, 32, "no 'scorChange'", "scoreChange"),
    "score": ("scoreChange=2", "scoreChange=2.5", 19, 44, "list of whole numbers", ""),
    "score per player": ("scoreChange=2", "scoreChange=2,1", 19, 44, "not 2", ""),
    "needed sprite": ("> collectResource", "> spawn", 20, 23, "spawn needs stype=SPRITE", ""),
    "lower case edge": ("wall EOS", "wall Eos", 22, 20, "write EOS in capitals", ""),
    "late clock": ("wall EOS", "wall TIME", 22, 20, "first or the second", ""),
    "edge without a second": (
        "avatar ghost > killSprite",
        "avatar EOS > killBoth",
        21,
        22,
        "needs a second sprite",
        "",
    ),
    "counter of one": ("scoreChange=2", "counter=2", 19, 40, "write counter=2,0", ""),
    "no repetition": ("scoreChange=2", "repeat=0", 19, 39, "from 1 to 1000", ""),
    "endless clock": (
        "avatar ghost > killSprite",
        "avatar TIME > spawn stype=spark repeating=True",
        21,
        51,
        "never stops",
        "",
    ),
    "termination": ("Timeout limit", "Timeoot limit", 25, 9, "no termination", "Timeout"),
    "word of an ending": ("win=True", "win", 25, 27, "no key=value", ""),
    "win": ("win=False", "win=no", 24, 40, "True or False", ""),
    "deeper line": ("        Timeout", "            Timeout", 25, 13, "indented below", ""),
    "tab": ("        Timeout", "\t\t\t\t\t\t\t\tTimeout", 25, 1, "use blanks alone", ""),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_error_with_its_place_reason_and_suggestion(name):
    old, new, line, column, reason, suggestion = MISTAKES[name]
    errors = mistakes(GAME.replace(old, new, 1))
    first = next((error for error in errors if reason in error.reason), None)
    assert first is not None, [str(error) for error in errors]
    assert (first.line, first.column) == (line, column)
    assert (f"did you mean {suggestion!r}" in first.suggestion) == bool(suggestion)
    assert first.severity == "error"


def test_one_mistake_makes_one_sentence():
    with pytest.raises(LudexError) as caught:
        read_game(changed("Missile", "Missyle"), "cave.txt")
    message = "cave.txt:5:17: no sprite class 'Missyle'; did you mean 'Missile'?"
    assert str(caught.value) == message


def test_all_mistakes_of_a_file_come_at_once():
    text = (
        changed("Missile", "Missyle").replace("killBoth", "killboth").replace("Timeout", "Timeoot")
    )
    assert [error.line for error in mistakes(text)] == [5, 19, 25]
    with pytest.raises(Mistakes, match=r"(?s)has 3 mistakes:\n.*:5:17: .*\n.*:19:.*\n.*:25:"):
        read_game(text)


def test_mistakes_can_be_sent_to_another_process():
    with pytest.raises(Mistakes) as caught:
        read_game(changed("Missile", "Missyle"))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.problems) == (str(caught.value), caught.value.problems)


def test_missing_sections_are_named_together():
    (error,) = mistakes("BasicGame\n SpriteSet\n  a > Passive")
    assert "no InteractionSet and no LevelMapping and no TerminationSet" in error.reason


def test_rules_before_their_sprites_are_refused():
    sections = GAME.split("    InteractionSet\n")
    rules, endings = sections[1].split("    TerminationSet\n")
    head, rest = sections[0].split("\n", 1)
    text = f"{head}\n    InteractionSet\n{rules}{rest}    TerminationSet\n{endings}"
    assert ["before the SpriteSet" in error.reason for error in mistakes(text)] == [True]


def test_a_group_without_a_class_cannot_be_created():
    text = GAME.replace("ghost > Chaser stype=avatar cooldown=3", "ghost >")
    text = text.replace("> color=", "> Chaser stype=avatar color=")
    assert check_game(text).passed
    for old, new in (("stype=pale", "stype=ghost"), ("d > floor dark", "d > ghost dark")):
        assert "group without a class" in mistakes(text.replace(old, new))[0].reason


def test_a_path_finder_needs_obstacles():
    text = changed(" obs=wall", "").replace("Chaser", "PathChaser")
    assert all("needs obs=SPRITES" in error.reason for error in mistakes(text))


# Warnings


def warnings(text, levels=None):
    report = check_game(text, levels=levels)
    assert report.passed, [str(error) for error in report.errors]
    return [(problem.line, problem.column, problem.reason) for problem in report.warnings]


def test_a_sprite_that_nothing_creates_is_a_warning():
    found = warnings(changed("g > floor gate", "g > floor"))
    assert found == [(10, 9, "'gate' is used nowhere")]
    found = warnings(changed("d > floor dark", "d > floor"))
    assert [line for line, *_ in found] == [9]
    assert "'dark' is never created" in found[0][2]


def test_a_resource_that_is_only_held_is_no_warning():
    text = changed("f > floor fuel", "f > floor").replace(
        "fuel avatar > collectResource", "avatar floor > changeResource resource=fuel"
    )
    assert warnings(text) == []


def test_a_mapping_that_a_later_line_replaces_is_a_warning():
    found = warnings(changed("g > floor gate", "g > floor gate\n        f > floor fuel"))
    assert found == [(14, 9, "'f' is mapped again in line 17; this line does nothing")]


def test_a_character_of_no_level_is_a_warning():
    found = warnings(GAME, {"level.txt": LEVEL.replace("g", ".")})
    assert found == [(16, 9, "'g' stands in no level")]


def test_an_ending_without_win_is_a_warning():
    assert warnings(changed(" win=True", "")) == [
        (25, 9, "without win=True or win=False nobody wins")
    ]


# Levels


def level_mistakes(text, game=GAME):
    with pytest.raises(Mistakes) as caught:
        read_level(text, read_game(game), "level.txt")
    return [(one.line, one.column, one.reason) for one in caught.value.problems]


def test_a_level_is_read_row_by_row():
    level = read_level(LEVEL, read_game(GAME))
    assert (level.width, level.height) == (5, 4)
    game = read_game(GAME)
    avatar = game.type_named("avatar")
    assert [place for place in level.sprites if place[0] == avatar] == [(avatar, 1, 1)]


def test_an_unmapped_character_is_refused_at_its_place():
    assert level_mistakes(LEVEL.replace("f", "?"))[0][:2] == (2, 4)


def test_a_ragged_row_is_refused():
    assert "has 4 cells, not 5" in level_mistakes("wwwww\nwA.f\n")[0][2]


def test_a_level_has_one_avatar_for_each_player():
    assert level_mistakes(LEVEL.replace("A", "."))[0][2].startswith("the level has 0 avatars")
    assert level_mistakes(LEVEL.replace("f", "A"))[0][:2] == (2, 4)


def test_an_enormous_level_is_refused():
    with pytest.raises(BadGame, match="at most 250000"):
        read_level(("." * 600 + "\n") * 600, read_game(GAME))
    crowded = changed(". > floor", ". > " + "floor " * 100)
    with pytest.raises(BadGame, match="more than 1000000 sprites"):
        read_level(("." * 400 + "\n") * 400, read_game(crowded))


# Compatible reading


def test_compatible_reading_goes_on_and_warns_with_places():
    text = changed("speed=0.5", "sped=0.5")
    game = read_game(text, "game.txt", "compatible")
    assert [(one.line, one.column, one.severity) for one in game.problems] == [(5, 25, "warning")]
    spark = game.types[game.type_named("spark")]
    assert spark.values["speed"] == 1.0


def test_compatible_reading_stops_where_the_reference_stops():
    text = changed("collectResource", "collectResorce")
    game = read_game(text, "game.txt", "compatible")
    assert [rule.effect for rule in game.rules] == ["stepBack", "killBoth"]
    assert game.endings == ()
    assert "the reference reads no further" in game.problems[0].reason


def test_every_leniency_is_a_warning_in_compatible_mode():
    """Whatever strict mode refuses and the reference loads is reported at the same line."""
    for name, (old, new, line, *_) in MISTAKES.items():
        text = GAME.replace(old, new, 1)
        try:
            game = read_game(text, "game.txt", "compatible")
        except BadGame:
            assert name in ("first word", "too many players")
            continue
        assert line in [problem.line for problem in game.problems], name
        assert {problem.severity for problem in game.problems} == {"warning"}, name


def test_a_leniency_is_reported_once():
    for old, new, *_ in MISTAKES.values():
        report = check_game(GAME.replace(old, new, 1), "game.txt", "compatible")
        places = [(one.line, one.column, one.reason) for one in report.problems]
        assert len(places) == len(set(places))


# Game spaces

SPACE = (
    GAME.replace("BasicGame", "GameSpace")
    .replace("speed=0.5", "speed=PACE")
    .replace("cooldown=3", "cooldown=REST")
    .replace("limit=500", "limit=END")
    .replace("scoreChange=2", "scoreChange=GAIN")
    .replace("hidden=True", "hidden=UNSEEN")
    + """\
    ParameterSet
        PACE > values=0.1:0.1:1.0 string=Speed_of_sparks
        REST > values=10:5:60 string=Rest_of_ghosts
        END > values=100:100:900 value=250
        GAIN > values=-1:1:3
        UNSEEN > values=True:False
"""
)


@pytest.mark.parametrize(
    ("text", "count", "first", "last"),
    [
        ("0.1:0.1:1.0", 10, 0.1, 1.0),
        ("0.01:0.05:0.75", 15, 0.01, 0.71),
        ("10:5:60", 11, 10, 60),
        ("True:False", 2, False, True),
        ("3:2:4", 1, 3, 3),
    ],
)
def test_the_values_of_a_parameter(text, count, first, last):
    found = read_range(text)
    assert (len(found), found[0], found[-1]) == (count, first, last)
    assert type(found[0]) is type(first)


def test_a_point_of_a_game_space_is_a_game():
    space = read_space(SPACE)
    assert space.size == 10 * 11 * 1 * 5 * 2
    game = space.at({"PACE": 0.3, "REST": 25, "GAIN": -1, "UNSEEN": True})
    by_name = {sprite.name: sprite.values for sprite in game.types}
    assert by_name["spark"]["speed"] == 0.3
    assert by_name["dark"]["cooldown"] == 25
    assert by_name["floor"]["hidden"] == (True,)
    assert game.rules[1].values["scoreChange"] == (-1,)
    assert game.endings[1].values["limit"] == 250


def test_a_point_can_be_given_by_indices():
    space = read_space(SPACE)
    by_name = space.at({"PACE": 0.3, "REST": 25, "GAIN": 3, "UNSEEN": False})
    assert space.at([2, 3, 0, 4, 0]) == by_name


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"PACE": 1.1}, "from 0.1 to 1.0, got 1.1"),
        ({"REST": 12}, "one of 11 values from 10 to 60, got 12"),
        ({"REST": True}, "got True"),
        ({"UNSEEN": 1}, "got 1"),
        ({"PACES": 0.1}, "no parameter 'PACES'; did you mean 'PACE'"),
        ([0, 0, 0, 0], "has 5 indices, got 4"),
        ([0, 11, 0, 0, 0], "from 0 to 10, got 11"),
        ([0, -1, 0, 0, 0], "from 0 to 10, got -1"),
    ],
)
def test_values_outside_a_game_space_are_refused(values, reason):
    with pytest.raises(BadParameter, match=reason):
        read_space(SPACE).at(values)


def test_a_random_point_depends_on_the_stream_alone():
    space = read_space(SPACE)
    points = [tuple(space.sample(Rng(seed)).items()) for seed in range(30)]
    assert points[7] == tuple(space.sample(Rng(7)).items())
    assert len(set(points)) > 20
    assert all(space.at(dict(point)) for point in points)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("values=10:5:60", "values=10:5", "LOW:STEP:HIGH"),
        ("values=10:5:60", "values=60:5:10", "LOW:STEP:HIGH"),
        ("values=10:5:60", "values=10:0:60", "LOW:STEP:HIGH"),
        ("values=10:5:60", "values=1:1:99999999", "LOW:STEP:HIGH"),
        ("values=10:5:60", "values=1.0:0.5:6.0", "cooldown is a whole number"),
        ("values=10:5:60", "value=3", "needs values"),
        ("values=10:5:60", "valuez=10:5:60", "has no 'valuez'"),
        ("cooldown=REST", "cooldown=RAST", "whole number, not 'RAST'"),
        ("value=250", "value=2.5", "whole number"),
        ("REST > values", "PACE > values", "defined twice"),
        ("REST > values", "spark > values", "is a parameter"),
        ("GameSpace", "BasicGame", "only a GameSpace"),
    ],
)
def test_mistakes_in_a_game_space(old, new, reason):
    assert any(reason in error.reason for error in mistakes(SPACE.replace(old, new, 1)))


def test_a_parameter_that_is_used_nowhere_is_a_warning():
    found = warnings(SPACE.replace("cooldown=REST", "cooldown=3"))
    assert found == [(28, 9, "the parameter 'REST' is used nowhere")]


def test_a_plain_game_is_no_game_space():
    with pytest.raises(BadGame, match="one game, not a GameSpace"):
        read_space(GAME)


# Limits

HEAD = "BasicGame\n SpriteSet\n"
ONE = HEAD + "  a > Passive\n InteractionSet\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("# nothing\n\n", "is empty"),
        ("x" * (MAX_TEXT + 1), f"at most {MAX_TEXT}"),
        ("\n" * (MAX_LINES + 1), f"at most {MAX_LINES}"),
        ("BasicGame " + "x" * MAX_LINE, f"at most {MAX_LINE}"),
        ("\n".join(" " * n + "BasicGame" for n in range(MAX_DEPTH + 2)), f"than {MAX_DEPTH}"),
        (HEAD + "".join(f"  s{n} > Door\n" for n in range(MAX_TYPES)), f"than {MAX_TYPES}"),
        (ONE + "  a a > killSprite repeat=1000\n" * 101, f"than {MAX_PLACED}"),
        (
            "GameSpace\n ParameterSet\n" + "  P > values=1:1:2\n" * (MAX_DIMENSIONS + 1),
            f"most {MAX_DIMENSIONS}",
        ),
        (HEAD + "".join(f"  s{n} > Door\n   s{n + 1} > Door\n" for n in range(99)), "nested"),
    ],
    ids=[
        "empty",
        "comments",
        "text",
        "lines",
        "line",
        "depth",
        "types",
        "places",
        "dimensions",
        "chain",
    ],
)
def test_each_limit_is_a_clear_error(text, reason):
    with pytest.raises(BadGame, match=reason):
        read_game(text, "", "compatible")


def test_many_rules_are_read():
    text = ONE + "  a a > killSprite\n" * 2_000
    assert len(read_game(text, "", "compatible").rules) == 2_000


def test_reports_of_hopeless_files_are_short():
    text = HEAD + "".join(f"  s{n} > Dor{n}\n" for n in range(900))
    assert len(check_game(text).errors) == 200
