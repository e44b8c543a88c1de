"""A state of a world in a terminal: as large as it fits, with lines below and beside it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ludex.arena.pictures.mind_view import fitting, map_block, side_by_side, with_tints
from ludex.terminal.blocks import half_blocks, known_colours
from ludex.terminal.terminal import NO_PIXELS, Terminal

if TYPE_CHECKING:
    from ludex.arena.pictures.mind_view import Layer
    from ludex.core.world import World

ASIDE = (48, 40, 30)  # columns for what stands to the right of a picture, the best first
BELOW = 8  # rows for it where it has to stand below
WIDEST = 76  # columns that it ever takes
LARGE = 2.5  # pixels of a cell at which objects are seen well


def picture_text(
    world: World, state: Any, columns: int = 80, rows: int = 24, colours: int | None = None
) -> str:
    """A state as text to print: half blocks of a video game, letters of other worlds.

    >>> import ludex
    >>> zelda = ludex.world("vgdl/zelda")
    >>> picture_text(zelda, zelda.start(ludex.Rng(0)), columns=40, colours=256).count("▀")
    600

    Args:
        world: The world of the state.
        state: What to show.
        columns: How wide the picture may be.
        rows: How high it may be.
        colours: How many the terminal knows; asked of the environment. 0 gives letters.
    """
    known = known_colours(os.environ) if colours is None else colours
    drawn = world.draw(state)
    if not world.traits.objects or not known:
        return drawn
    board = drawn.splitlines()[:-1]
    cell = fitting_cell(len(board[0]), len(board), columns, rows)
    return half_blocks(with_tints(world, state, (), cell, foot=False), known)


def show_state(
    terminal: Terminal,
    world: World,
    state: Any,
    lines: list[str],
    layers: Sequence[Layer] = (),
    aside: Callable[[int], Sequence[str]] | None = None,
) -> None:
    """Show a state of a video game with lines below, as large as it fits; or as letters.

    Layers are tints on the board, or maps beside it. What stands aside is written for a width; it
    takes part of the columns where there are enough of them, and goes on below the lines.
    """
    board = world.draw(state).splitlines()[:-1]
    wide, tall = len(board[0]), len(board)
    columns, rows = terminal.size
    if not terminal.shows_pixels:
        maps = [map_block(layer, wide, tall) for layer in layers]
        letters = side_by_side([["", *board], *maps], columns)[: tall + 1] if maps else board
        words = aside(min(columns, WIDEST)) if aside else []
        room = rows - len(letters) - len(lines)
        terminal.show(NO_PIXELS, [*letters, *lines, *fitting(words, room)])
        return
    rows -= len(lines)
    if aside is None:
        cell = fitting_cell(wide, tall, columns, max(1, rows))
        terminal.show(with_tints(world, state, layers, cell, foot=False), lines)
        return
    cell, is_beside = layout(wide, tall, columns, rows)
    pixels = with_tints(world, state, layers, cell, foot=False)
    height = -(-len(pixels) // 2)
    words = aside(min(columns - is_beside * (pixels.shape[1] + 2), WIDEST))
    words = fitting(words, rows - height + is_beside * height)
    beside, rest = (words[:height], words[height:]) if is_beside else ([], words)
    # As many lines at all times: another number of them would clear the screen.
    empty = [""] * (rows - height - len(rest))
    terminal.show(pixels, [*lines, *rest, *empty], beside)


def layout(width: int, height: int, columns: int, rows: int) -> tuple[float, bool]:
    """Pixels of a cell of a picture with text, and whether the text stands beside it or below.

    Wide text is taken where it leaves the picture large, else the way of the largest picture.

    >>> layout(15, 10, columns=80, rows=20), layout(15, 11, columns=60, rows=17)
    ((2.6..., True), (2.0, True))
    >>> layout(25, 12, columns=80, rows=23)
    (2.5, False)
    """
    ways = [
        (fitting_cell(width, height, columns - aside, max(1, rows)), True)
        for aside in ASIDE
        if columns - aside >= width
    ]
    ways.append((fitting_cell(width, height, columns, max(1, rows - BELOW)), False))
    enough = min(LARGE, max(way[0] for way in ways))
    return next(way for way in ways if way[0] >= enough)


def fitting_cell(width: int, height: int, columns: int, rows: int) -> float:
    """Pixels of a cell, so that a level of this size fills a terminal of that size.

    Below two pixels there is only one: cells of one and of two side by side are hard to read.

    >>> fitting_cell(25, 12, columns=80, rows=20), fitting_cell(50, 12, columns=80, rows=20)
    (3.2, 1)
    """
    cell = min(columns / width, 2 * rows / height)
    return cell if cell >= 2 else 1
