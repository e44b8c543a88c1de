"""What is written to a terminal, and what its keys mean."""

import io

import numpy as np
import pytest

from ludex.arena.pictures.mind_view import layers_of
from ludex.core import Rng, registry
from ludex.core.notes import Cells
from ludex.terminal.blocks import ALL_COLOURS, cube, half_blocks, is_screen, known_colours, sixteen
from ludex.terminal.picture import fitting_cell, picture_text, show_state
from ludex.terminal.terminal import Terminal, named_keys

MIND = [f"thought {number} " + "x" * 100 for number in range(40)]


class Sheet(io.StringIO):
    """A terminal on paper: it has no size of its own, so 80 by 24 is taken."""

    encoding = "utf-8"

    def fileno(self):
        raise OSError

    def taken(self):
        text = self.getvalue()
        self.truncate(0)
        self.seek(0)
        return text


def terminal(colours=ALL_COLOURS):
    sheet = Sheet()
    return Terminal(keys=io.StringIO(), out=sheet, colours=colours), sheet


def picture(width=4, height=4):
    return np.zeros((height, width, 3), dtype=np.uint8)


def test_two_rows_of_pixels_make_one_row_of_half_blocks():
    screen, sheet = terminal()
    pixels = picture(3, 4)
    pixels[0] = (255, 0, 0)
    pixels[1] = (0, 0, 255)
    screen.show(pixels, ["below"])
    text = sheet.taken()
    assert "\x1b[1;1H\x1b[38;2;255;0;0;48;2;0;0;255m▀▀▀" in text
    assert text.count("▀") == 6
    assert "\x1b[3;1H\x1b[0mbelow" in text


def test_lines_aside_stand_to_the_right_of_the_picture_and_change_alone():
    screen, sheet = terminal()
    screen.show(picture(4, 6), ["below"], ["mode: search", "plan: left"])
    text = sheet.taken()
    assert "\x1b[1;7H\x1b[0mmode: search" in text
    assert "\x1b[2;7H\x1b[0mplan: left" in text
    screen.show(picture(4, 6), ["below"], ["mode: replay"])
    text = sheet.taken()
    assert "\x1b[1;7H\x1b[0mmode: replay" in text
    assert "\x1b[2;7H\x1b[0m     " in text  # the old line is wiped out
    assert "▀" not in text
    assert "below" not in text


def test_lines_aside_end_where_the_terminal_and_the_picture_do():
    screen, sheet = terminal()
    screen.show(picture(70, 4), [], ["a" * 50, "b", "c"])
    text = sheet.taken()
    assert "a" * 8 in text
    assert "a" * 9 not in text
    assert "c" not in text.replace("\x1b", "")


def test_a_mind_tints_the_board_and_leaves_room_for_its_words():
    zelda = registry.world("vgdl/zelda")
    state = zelda.start(Rng(0))
    (layer,) = layers_of({"danger": Cells({(1, 1): 1.0})})
    screen, sheet = terminal()
    show_state(screen, zelda, state, ["below"])
    wide = screen.shown[0].shape
    sheet.taken()
    show_state(screen, zelda, state, ["below"], [layer], lambda width: ["mode: simulate"])
    tinted = screen.shown[0]
    assert tinted.shape[1] < wide[1]
    cell = tinted.shape[1] / 15
    plain = zelda.pixels(state, cell, foot=False)
    changed = (tinted[: len(plain)] != plain).any(axis=2)
    one, two = round(cell), round(2 * cell)
    assert changed[one:two, one:two].all()
    assert changed.sum() == (two - one) ** 2
    assert "mode: simulate" in sheet.taken()


def shown_beside(world_text, columns, rows, monkeypatch, colours=ALL_COLOURS, words=MIND):
    """What a terminal of this size shows of a mind: lines below the picture, and beside it."""
    world = registry.world(world_text)
    layers = layers_of({"danger": Cells({(1, 1): 1.0})})
    monkeypatch.setattr(Terminal, "size", (columns, rows))
    screen, _ = terminal(colours)
    state = world.start(Rng(0))
    show_state(screen, world, state, ["title"], layers, lambda width: [w[:width] for w in words])
    pixels, below, _, beside = screen.shown
    return pixels, below, [line.rstrip() for line in beside]


def test_what_finds_no_room_beside_the_picture_goes_on_below_it(monkeypatch):
    pixels, below, beside = shown_beside("vgdl/zelda", 80, 24, monkeypatch)
    height = len(pixels) // 2
    assert [line.split()[1] for line in beside] == [str(number) for number in range(height)]
    assert below[0] == "title"
    assert below[1].startswith(f"thought {height} ")
    left_out = len(MIND) - (24 - 2)
    assert below[-1] == f"... and {left_out} more lines"
    assert height + len(below) == 24


def test_in_a_narrow_terminal_the_picture_makes_room_for_a_readable_mind(monkeypatch):
    pixels, _, beside = shown_beside("vgdl/zelda", 60, 20, monkeypatch)
    assert pixels.shape[1] == 2 * 15
    assert len(beside[0]) == 60 - 2 * 15 - 2


def test_beside_a_wide_board_the_mind_stands_below(monkeypatch):
    pixels, below, beside = shown_beside("vgdl/aliens", 80, 24, monkeypatch)
    assert pixels.shape[1] > 80 - 30
    assert not any(beside)
    assert below[1].startswith("thought 0 ")
    assert len(below[1]) == 76


def test_the_picture_stays_where_it_is_when_a_mind_has_less_to_say(monkeypatch):
    first, below, _ = shown_beside("vgdl/zelda", 80, 24, monkeypatch)
    second, less, _ = shown_beside("vgdl/zelda", 80, 24, monkeypatch, words=[])
    assert first.shape == second.shape
    assert len(below) == len(less)  # another number of lines would clear the screen


def test_terminals_without_colours_show_cells_as_maps_beside_the_board(monkeypatch):
    _, lines, _ = shown_beside("vgdl/zelda", 80, 24, monkeypatch, colours=0)
    board = registry.world("vgdl/zelda").draw(registry.world("vgdl/zelda").start(Rng(0)))
    first, second, *_ = board.splitlines()
    assert lines[0] == f"{'':<15}  danger"
    assert lines[1] == f"{first}  {'·' * 15}"
    assert lines[2] == f"{second}  ·@{'·' * 13}"
    assert "title" in lines
    assert lines[-1].endswith("more lines")
    assert len(lines) == 24


def test_a_terminal_of_a_few_rows_breaks_nothing(monkeypatch):
    for rows in (1, 2, 5):
        _, lines, _ = shown_beside("vgdl/zelda", 20, rows, monkeypatch)
        assert len(lines) <= rows


def test_lines_cannot_steer_the_terminal():
    screen, sheet = terminal()
    screen.show(picture(), ["below\x1b[2J"], ["aside\x1b[31m"])
    text = sheet.taken()
    assert "below?[2J" in text
    assert "aside?[31m" in text


def test_nothing_is_written_when_nothing_has_changed():
    screen, sheet = terminal()
    screen.show(picture(), ["below"])
    sheet.taken()
    screen.show(picture(), ["below"])
    assert sheet.taken() == ""


def test_only_what_has_changed_is_written():
    screen, sheet = terminal()
    pixels = picture()
    screen.show(pixels, ["one", "two"])
    sheet.taken()
    pixels[3, 2] = 9
    screen.show(pixels, ["one", "three"])
    text = sheet.taken()
    assert text.startswith("\x1b[2;3H")
    assert text.count("▀") == 1
    assert "three" in text
    assert "one" not in text


def test_another_size_of_the_picture_clears_the_screen():
    screen, sheet = terminal()
    screen.show(picture(4), [])
    sheet.taken()
    screen.show(picture(6), [])
    assert "\x1b[2J" in sheet.taken()


def test_what_does_not_fit_is_cut_off():
    screen, sheet = terminal()
    screen.show(picture(200, 100), ["x" * 200])
    text = sheet.taken()
    assert text.count("▀") == 80 * 23
    assert text.count("x") == 80


def test_an_odd_last_row_is_shown():
    screen, sheet = terminal()
    screen.show(picture(2, 3), [])
    assert sheet.taken().count("▀") == 4


def test_terminals_with_few_colours_get_the_nearest():
    screen, sheet = terminal(256)
    screen.show(picture(1, 2), [])
    assert "\x1b[38;5;16;48;5;16m▀" in sheet.taken()
    assert cube(np.array([[[255, 250, 255]]], dtype=np.uint8)).tolist() == [[[231]]]
    assert cube(np.array([[[255, 0, 0]]], dtype=np.uint8)).tolist() == [[[196]]]


def test_old_terminals_get_the_nearest_of_sixteen():
    screen, sheet = terminal(16)
    pixels = picture(1, 2)
    pixels[0] = (250, 240, 10)
    pixels[1] = (120, 20, 20)
    screen.show(pixels, [])
    assert "\x1b[93;41m▀" in sheet.taken()  # bright yellow on dark red
    assert sixteen(np.array([[[1, 2, 3], [130, 120, 125]]], dtype=np.uint8)).tolist() == [
        [[0], [8]]
    ]


def test_terminals_without_colours_show_letters():
    sokoban = registry.world("vgdl/sokoban")
    state = sokoban.start(Rng(1))
    screen, sheet = terminal(0)
    show_state(screen, sokoban, state, ["below"])
    text = sheet.taken()
    first, *_ = sokoban.draw(state).splitlines()
    assert f"\x1b[1;1H\x1b[0m{first}\x1b[K" in text
    assert "below" in text
    assert "▀" not in text


def test_terminals_that_cannot_write_half_blocks_show_letters():
    screen, sheet = terminal()
    assert screen.shows_pixels
    sheet.encoding = "latin-1"
    assert not screen.shows_pixels


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, ALL_COLOURS),
        ({"TERM": "screen-256color"}, 256),
        ({"TERM": "xterm-kitty"}, 256),
        ({"TERM": "linux"}, 16),
        ({"TERM": "vt220"}, 0),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, 0),
    ],
)
def test_the_environment_tells_how_many_colours_there_are(environment, colours):
    assert known_colours(environment) == colours


def test_a_dumb_terminal_is_no_screen():
    assert is_screen({"TERM": "vt100"})
    assert not is_screen({"TERM": "dumb"})
    assert not is_screen({})


def test_another_size_of_the_terminal_draws_the_same_picture_anew(monkeypatch):
    screen, sheet = terminal()
    screen.show(picture(), ["below"])
    sheet.taken()
    monkeypatch.setattr(Terminal, "size", (100, 30))
    screen.show(picture(), ["below"])
    assert "\x1b[2J" in sheet.taken()


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        ("\x1bOA", ["up"]),
        ("\x1b[1;5C", ["right"]),
        ("\x1b[3~q", ["q"]),
        ("\x1b", ["escape"]),
        ("\r\t \x7f", ["enter", "tab", "space", "back"]),
    ],
)
def test_keys_are_named(sent, keys):
    assert named_keys(sent) == keys


def test_cells_are_as_large_as_the_terminal_allows():
    assert fitting_cell(20, 10, columns=100, rows=30) == 5
    assert fitting_cell(20, 30, columns=100, rows=30) == 2
    assert fitting_cell(500, 10, columns=100, rows=30) == 1


def test_two_rows_of_pixels_are_one_line_of_half_blocks():
    pixels = np.array([[[255, 0, 0]], [[0, 0, 255]], [[0, 255, 0]]], dtype=np.uint8)
    red_above_blue, green_above_nothing = half_blocks(pixels).splitlines()
    assert red_above_blue == "\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[0m"
    assert green_above_nothing == "\x1b[38;2;0;255;0;48;2;0;0;0m▀\x1b[0m"


def test_pixels_of_the_same_colours_share_an_escape():
    pixels = np.zeros((2, 3, 3), dtype=np.uint8)
    assert half_blocks(pixels, 256) == "\x1b[38;5;16;48;5;16m▀▀▀\x1b[0m"


def test_a_state_is_as_large_as_its_room_and_letters_where_there_are_no_colours():
    world = registry.world("vgdl/zelda")
    state = world.start(Rng(0))
    lines = picture_text(world, state, columns=40, rows=12, colours=256).splitlines()
    assert len(lines) <= 12
    assert max(line.count("▀") for line in lines) <= 40
    assert picture_text(world, state, colours=0) == world.draw(state)


def test_a_world_without_pixels_is_shown_in_letters():
    world = registry.world("nim")
    state = world.start(Rng(0))
    assert picture_text(world, state, colours=256) == world.draw(state)
