"""Pictures of Sokoban."""

from __future__ import annotations

from ludex.core.paint import paint_signs
from ludex.worlds.sokoban.rules import State

CELL, EDGE, HEAD = 34, 12, 32
CARD, INK = "#faf7f1", "#2b2d33"
FLOOR, WALL, GOAL, BOX, DONE, AVATAR = (
    "#ebe6db",
    "#6f7480",
    "#d2554b",
    "#c58f4e",
    "#5a9a62",
    "#3f6fb5",
)

LOOKS = {
    "w": (WALL, WALL),
    "o": (GOAL, "", "bold"),
    "*": (BOX, "", "bold"),
    "+": (DONE, "", "bold"),
    "A": (AVATAR, "", "bold"),
    "u": (AVATAR, "", "bold"),
    ".": ("", "", "dim"),
}
LEGEND = "A you   * box   o goal   + box on a goal   u you on a goal   w wall"


def status(state: State, limit: int) -> str:
    if state.is_solved:
        return f"solved in {state.tick} moves"
    return f"move {state.tick} of {limit}, {state.open_boxes} to go"


def draw_text(state: State, limit: int) -> str:
    """The letters of the cells: w wall, o goal, * box, + box on a goal, A or u the avatar."""
    return "\n".join([*state.rows, status(state, limit)])


def in_colour(text: str) -> str:
    """The same in the colours of the picture."""
    *rows, words = text.split("\n")
    return "\n".join([*(paint_signs(row, LOOKS) for row in rows), words])


def draw_svg(state: State, limit: int) -> str:
    rows = state.rows
    width = max(2 * EDGE + CELL * state.width, 200)
    height = HEAD + EDGE + CELL * len(rows)
    parts = [
        f'<rect width="{width}" height="{height}" rx="10" fill="{CARD}"/>',
        f'<text x="{EDGE}" y="21" font-size="14" fill="{INK}">{status(state, limit)}</text>',
    ]
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            parts.append(cell(EDGE + CELL * column, HEAD + CELL * row, letter))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif">{"".join(parts)}</svg>'
    )


def cell(x: int, y: int, letter: str) -> str:
    """A floor or wall, with a goal, a box and an avatar above it where there are any."""
    colour = WALL if letter == "w" else FLOOR
    parts = [f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}"/>']
    middle_x, middle_y = x + CELL // 2, y + CELL // 2
    if letter in "o+u":
        parts.append(f'<circle cx="{middle_x}" cy="{middle_y}" r="6" fill="{GOAL}"/>')
    if letter in "*+":
        colour = DONE if letter == "+" else BOX
        parts.append(
            f'<rect x="{x + 4}" y="{y + 4}" width="{CELL - 8}" height="{CELL - 8}" rx="4" '
            f'fill="{colour}"/>'
        )
    if letter in "Au":
        parts.append(f'<circle cx="{middle_x}" cy="{middle_y}" r="12" fill="{AVATAR}"/>')
    return "".join(parts)
