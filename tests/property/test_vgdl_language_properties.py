"""What is true of every game description, well written or not."""

import re
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vgdl_games import game_texts

from ludex.core.errors import LudexError
from ludex.worlds.vgdl.language.formatter import format_game
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.language.reading import check_game, read_game, read_level
from ludex.worlds.vgdl.language.space import TINY
from ludex.worlds.vgdl.language.writer import plain, write_game

slow = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
quick = settings(max_examples=300, deadline=None)

SMALL = """BasicGame square_size=10 no_players=2  # two divers
    SpriteSet
        sea > Immovable hidden=True
        diver > MovingAvatar
            red > color=RED  # the first
            blue > color=BLUE healthPoints=3
        pearl > Resource limit=4
        shark > RandomNPC cooldown=2 cons=1
    LevelMapping
        . > sea
        r > sea red
        b > sea blue
        p > sea pearl
        s > sea shark
    InteractionSet
        diver wall EOS > stepBack
        pearl diver > collectResource scoreChange=1,1
        diver shark > killSprite scoreChange=-1
        shark EOS wall > stepBack
        blue TIME > subtractHealthPoints timer=50 repeating=True nextExecution=1
    TerminationSet
        SpriteCounter stype=red win=False,True
        SpriteCounter stype=blue win=True,False
        Timeout limit=400 count_score=True
"""
LEVEL = "wwwww\nwr.bw\nw.psw\nwwwww\n"


@slow
@given(game_texts())
def test_generated_games_pass_the_strict_check(text):
    report = check_game(text)
    assert report.passed, [str(problem) for problem in report.errors] + [text]


@slow
@given(game_texts())
def test_what_is_written_is_read_as_the_same_definition(text):
    game = read_game(text)
    assert plain(parse_game(write_game(game))) == plain(game)


@slow
@given(game_texts())
def test_what_is_read_without_quirks_is_written_too(text):
    game = read_game(text, clean=True)
    assert plain(parse_game(write_game(game, clean=True), clean=True)) == plain(game)


@slow
@given(game_texts())
def test_what_is_written_passes_the_strict_check(text):
    assert check_game(write_game(read_game(text))).passed


@slow
@given(game_texts(), st.integers(0, 2**32))
def test_formatting_is_idempotent_and_keeps_the_meaning(text, seed):
    noisy = add_noise(text, seed)
    formatted = format_game(noisy)
    assert format_game(formatted) == formatted
    assert plain(parse_game(formatted)) == plain(parse_game(text))
    assert sorted(comments(formatted)) == sorted(comments(noisy))


def add_noise(text, seed):
    """Put comments, blanks and empty lines where they mean nothing."""
    lines = []
    for place, line in enumerate(text.split("\n")):
        kind = (seed >> (place % 29)) & 7
        if kind == 1:
            content = line.lstrip()
            line = line[: -len(content)] + content.replace(" > ", "   >  ")
        if kind == 2:
            line += "   #  a note "
        if kind == 3:
            lines += ["", "\t", "# alone"]
        lines.append(line)
    return "\n".join(lines)


def comments(text):
    return [line[line.index("#") :].rstrip() for line in text.splitlines() if "#" in line]


def read_everything(text, level=LEVEL):
    """Do all that can be done with a text; only errors for users may come out."""
    for mode in ("strict", "compatible"):
        check_game(text, "game.txt", mode, {"level": level})
        with suppress(LudexError):
            read_level(level, read_game(text, "game.txt", mode), "level.txt", mode)
    for work in (format_game, lambda text: write_game(parse_game(text))):
        with suppress(LudexError):
            work(text)


@quick
@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    read_everything(text, text)


@quick
@given(st.lists(st.sampled_from([*re.findall(r"\S+|\n\s*", SMALL), "\t", "="]), max_size=60))
def test_any_words_of_the_language_are_read_or_refused(words):
    read_everything("BasicGame\n " + " ".join(words))


WORDS = sorted({*SMALL.split(), *TINY.split()})
ODD = ["", ">", "=", "x=", "=x", "a=b=c", "\x00", "é", "-1", "9" * 30, "1e999", "nan", "#", ",,"]


@pytest.mark.parametrize("source", [SMALL, TINY], ids=["game", "space"])
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_game_with_mistakes_is_read_or_refused(source, data):
    lines = source.split("\n")
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(["drop", "double", "swap", "word", "indent"]))
        if kind == "drop" and len(lines) > 1:
            del lines[place]
        elif kind == "double":
            lines.insert(place, lines[place])
        elif kind == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[place], lines[other] = lines[other], lines[place]
        elif kind == "word":
            words = lines[place].split(" ")
            spot = data.draw(st.integers(0, len(words) - 1))
            words[spot] = data.draw(st.sampled_from(WORDS + ODD))
            lines[place] = " ".join(words)
        else:
            lines[place] = data.draw(st.sampled_from(["", " ", "\t", " " * 9])) + lines[place]
    read_everything("\n".join(lines))


@quick
@given(data=st.data())
def test_what_strict_reading_lets_pass_needs_no_leniency(data):
    """The checker refuses all that the parser would have to forgive."""
    lines = SMALL.split("\n")
    place = data.draw(st.integers(0, len(lines) - 1))
    words = lines[place].split(" ")
    spot = data.draw(st.integers(0, len(words) - 1))
    words[spot] = data.draw(st.sampled_from(WORDS + ODD))
    lines[place] = " ".join(words)
    text = "\n".join(lines)
    report = check_game(text)
    if report.passed:
        assert parse_game(text).problems == ()
