"""Pictures of connect four."""

from __future__ import annotations

from ludex.core.paint import paint_signs
from ludex.worlds.connect_four._native import COLUMNS, ROWS, State

CELL = 60
EDGE = 14
FOOT = 34
COLOURS = ("#f2b705", "#d7263d")  # seat 0, seat 1
LOOKS = {mark: (COLOURS["xo".index(mark.lower())], "", "bold") for mark in "xXoO"}
"""of the discs in text"""
RIMS = ("#c48f00", "#9c1428")


def has(bits: int, column: int, row: int) -> bool:
    return bool(bits >> (column * (ROWS + 1) + row) & 1)


def status(state: State) -> str:
    if state.winner is not None:
        return f"seat {state.winner} ({'xo'[state.winner]}) has four in a row"
    if state.moves == COLUMNS * ROWS:
        return "drawn: the board is full"
    return f"seat {state.turn} ({'xo'[state.turn]}) to move"


def draw_text(state: State) -> str:
    """Rows from the top; the discs of four in a row are capitals."""
    lines: list[str] = []
    for row in reversed(range(ROWS)):
        marks: list[str] = []
        for column in range(COLUMNS):
            mark = "."
            if has(state.discs(0), column, row):
                mark = "x"
            elif has(state.discs(1), column, row):
                mark = "o"
            marks.append(mark.upper() if has(state.fours, column, row) else mark)
        lines.append(" ".join(marks))
    return "\n".join([*lines, "a b c d e f g", status(state)])


def in_colour(text: str) -> str:
    """The same with the discs in the colours of the picture."""
    *board, letters, words = text.split("\n")
    return "\n".join([*(paint_signs(row, LOOKS) for row in board), letters, words])


def draw_svg(state: State) -> str:
    """A blue board with holes; a white ring marks the discs of four in a row."""
    width = 2 * EDGE + CELL * COLUMNS
    board = 2 * EDGE + CELL * ROWS
    parts = [
        f'<rect width="{width}" height="{board}" rx="18" fill="#1f5fbf"/>',
        f'<rect x="4" y="4" width="{width - 8}" height="{board - 8}" rx="15" fill="none" '
        'stroke="#ffffff" stroke-opacity="0.18" stroke-width="2"/>',
    ]
    for column in range(COLUMNS):
        x = EDGE + CELL * column + CELL // 2
        for row in range(ROWS):
            y = EDGE + CELL * (ROWS - 1 - row) + CELL // 2
            parts.append(draw_cell(state, column, row, x, y))
        parts.append(
            f'<text x="{x}" y="{board + 22}" text-anchor="middle" font-size="15" '
            f'fill="#777">{"abcdefg"[column]}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {board + FOOT}" '
        f'font-family="sans-serif"><title>{status(state)}</title>{"".join(parts)}</svg>'
    )


def draw_cell(state: State, column: int, row: int, x: int, y: int) -> str:
    hole = f'<circle cx="{x}" cy="{y}" r="24" fill="#123f85"/>'
    for seat in (0, 1):
        if has(state.discs(seat), column, row):
            ring = ""
            if has(state.fours, column, row):
                ring = (
                    f'<circle cx="{x}" cy="{y}" r="9" fill="none" stroke="#fff" stroke-width="5"/>'
                )
            return (
                f'<circle cx="{x}" cy="{y}" r="24" fill="{COLOURS[seat]}"/>'
                f'<circle cx="{x}" cy="{y}" r="18" fill="none" stroke="{RIMS[seat]}" '
                f'stroke-width="3"/>{ring}'
            )
    return hole
