"""Pictures of the Game of Life."""

from __future__ import annotations

from ludex.core.paint import paint_signs
from ludex.worlds.life.rules import State

CELL, EDGE, HEAD = 20, 12, 30
LOOKS = {"#": ("green", "", "bold"), ".": ("", "", "dim")}
CARD, INK, EMPTY, ALIVE = "#faf7f1", "#2b2d33", "#ebe6db", "#2f7d5b"


def status(state: State, ticks: int) -> str:
    return f"tick {state.tick} of {ticks}, {state.living} alive, {state.total} in all ticks"


def draw_text(state: State, ticks: int) -> str:
    """Rows from the top; `#` lives."""
    return "\n".join([*state.rows, status(state, ticks)])


def board_text(state: State, ticks: int) -> str:
    """The same in colour, with the numbers of rows and columns."""
    wide = len(str(max(state.width, state.height) - 1))
    numbers = [f"{column:>{wide}}" for column in range(state.width)]
    heads = [" " * (wide + 1) + "".join(one[digit] for one in numbers) for digit in range(wide)]
    rows = [f"{row:>{wide}} {paint_signs(line, LOOKS)}" for row, line in enumerate(state.rows)]
    return "\n".join([*heads, *rows, status(state, ticks)])


def draw_svg(state: State, ticks: int) -> str:
    """Living cells are green."""
    width, height = 2 * EDGE + CELL * state.width, HEAD + EDGE + CELL * state.height
    width = max(width, 260)
    parts = [
        f'<rect width="{width}" height="{height}" rx="10" fill="{CARD}"/>',
        f'<text x="{EDGE}" y="20" font-size="13" fill="{INK}">{status(state, ticks)}</text>',
    ]
    for row, line in enumerate(state.rows):
        for column, mark in enumerate(line):
            colour = ALIVE if mark == "#" else EMPTY
            parts.append(
                f'<rect x="{EDGE + CELL * column + 1}" y="{HEAD + CELL * row + 1}" '
                f'width="{CELL - 2}" height="{CELL - 2}" rx="4" fill="{colour}"/>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif">{"".join(parts)}</svg>'
    )
