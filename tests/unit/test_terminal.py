"""What is written to a terminal, and what its keys mean."""

import io

import numpy as np
import pytest

from ludex.cli.terminal import Terminal, cube, fitting_cell, named_keys


class Sheet(io.StringIO):
    """A terminal on paper: it has no size of its own, so 80 by 24 is taken."""

    def fileno(self):
        raise OSError

    def taken(self):
        text = self.getvalue()
        self.truncate(0)
        self.seek(0)
        return text


def terminal(true_colour=True):
    sheet = Sheet()
    return Terminal(keys=io.StringIO(), out=sheet, true_colour=true_colour), sheet


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
    screen, sheet = terminal(true_colour=False)
    screen.show(picture(1, 2), [])
    assert "\x1b[38;5;16;48;5;16m▀" in sheet.taken()
    assert cube(np.array([[[255, 250, 255]]], dtype=np.uint8)).tolist() == [[[231]]]
    assert cube(np.array([[[255, 0, 0]]], dtype=np.uint8)).tolist() == [[[196]]]


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
