"""Pictures of the notes of agents, beside the game and on its board.

Every kind of note has one look, whoever wrote it: words, numbers and moves are lines of text,
tables are aligned, and cells with weights are tints on the board, or letters where there are no
colours.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Decision
from ludex.core.defaults import ABOVE_GROUND
from ludex.core.notes import Cell, Cells, Line, Note, Notes, Plain, Table
from ludex.core.printable import printable
from ludex.core.world import World

TINTS = {
    "red": (230, 50, 40),
    "blue": (60, 120, 255),
    "yellow": (250, 210, 40),
    "green": (60, 200, 90),
}
STRONGEST, FAINTEST = 0.65, 0.12
"""how much of the ground's colour is tint, for the heaviest cell and for the lightest"""
ON_OBJECTS = 0.2
"""how much of that is left on what stands on the ground, so that it keeps its colours"""
SHADES = " .:-=+*#%@"  # for maps of letters
MOST_ACTIONS = 6
BACK, INK = (22, 24, 29), (216, 222, 233)
PANEL_COLUMNS, PANEL_LINES = 50, 24
"""letters in a line beside a film, and lines for which there is room beside every board"""
LEADING = 1.3
"""from one line to the next, in heights of a letter"""


@dataclass(frozen=True, slots=True)
class Layer:
    """Cells of one note in one colour, with the heaviest at 1."""

    name: str
    colour: str
    strengths: dict[Cell, float]


def layers_of(notes: Notes) -> list[Layer]:
    """The notes that are seen on the board, each in a colour of its own."""
    found = [(name, note) for name, note in notes.items() if isinstance(note, Cells)]
    layers: list[Layer] = []
    for (name, note), colour in zip(found, TINTS, strict=False):
        heaviest = max(note.weights.values(), default=0.0)
        strengths = {cell: weight / heaviest for cell, weight in note.weights.items() if weight > 0}
        layers.append(Layer(name, colour, strengths))
    return layers


# Text


def mind_lines(world: World, agent: str, decision: Decision, width: int) -> list[str]:
    """Everything about one decision: what is played, what spoke for it, and all notes."""
    lines = [f"{agent}: {world.action_text(decision.action)}"[:width]]
    lines += evidence_lines(world, decision, width)
    return lines + note_lines(decision.notes, width)


def evidence_lines(world: World, decision: Decision, width: int) -> Iterator[str]:
    """The actions of the root that were tried most, with visits and values."""
    visits, values = decision.visits or {}, decision.values or {}
    order = sorted(
        {**values, **visits},
        # Of equals the one that is played comes first, so that it is among those shown.
        key=lambda one: (-visits.get(one, 0), -values.get(one, 0), one != decision.action),
    )
    for action in order[:MOST_ACTIONS]:
        mark = ">" if action == decision.action else " "
        label = world.action_text(action)[: max(4, min(20, width - 18))]
        tried = f"{visits[action]:,}" if action in visits else ""
        worth = f"{values[action]:+.2f}" if action in values else ""
        yield f"{mark} {label:<{max(4, min(12, width - 18))}}{tried:>7}{worth:>9}"[:width]


def note_lines(notes: Notes, width: int) -> list[str]:
    """All notes as lines of text."""
    colours = {layer.name: layer.colour for layer in layers_of(notes)}
    lines: list[str] = []
    for name, note in notes.items():
        if isinstance(note, Cells):
            number = len(note.weights)
            where = (
                f"{number} {'cell' if number == 1 else 'cells'}, {colours.get(name, 'no colour')}"
            )
            lines.append(f"{name}: {where if number else 'none'}"[:width])
        elif isinstance(note, Table):
            lines += [f"{name}:"[:width], *table_lines(note, width)]
        else:
            lines += textwrap.wrap(
                f"{name}: {written(note)}", width, subsequent_indent="  ", max_lines=4
            )
    return lines


def written(note: Note) -> str:
    """Words, a number or a line of moves as text."""
    if isinstance(note, Line):
        return " ".join(str(move) for move in note.moves) or "none"
    return cell_text(note) if isinstance(note, str | int | float | bool) else str(note)


def cell_text(value: Plain) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def table_lines(table: Table, width: int) -> list[str]:
    """A table with columns as wide as they need to be, and numbers to the right.

    Where it is too wide, the columns move together, then the last one goes on in further lines;
    and where that is not enough, a row is a list that goes on below. Words stay whole.
    """
    rows = [list(table.heads), *([cell_text(one) for one in row] for row in table.rows)]
    places = range(len(table.heads))
    widths = [
        max((len(row[place]) for row in rows if place < len(row)), default=0) for place in places
    ]
    numbers = [
        all(not isinstance(row[place], str) for row in table.rows if place < len(row))
        for place in places
    ]
    for gap in ("  ", " "):
        if sum(widths) + len(gap) * len(widths) <= width:
            return [aligned(row, widths, numbers, gap) for row in rows]
    room = width - sum(widths[:-1]) - len(widths)
    last = [row[-1] for row in rows if len(row) == len(widths)]
    if not numbers[-1] and room >= max(len(word) for text in last for word in text.split() or [""]):
        widths[-1] = room
        return [
            aligned(part, widths, numbers, " ") for row in rows for part in continued(row, widths)
        ]
    return [
        line
        for row in rows
        for line in textwrap.wrap(
            ", ".join(row), width, initial_indent="  ", subsequent_indent="    "
        )
    ]


def aligned(row: Sequence[str], widths: list[int], numbers: list[bool], gap: str) -> str:
    return "".join(
        gap + (text.rjust(most) if is_number else text.ljust(most))
        for text, most, is_number in zip(row, widths, numbers, strict=False)
    ).rstrip()


def continued(row: Sequence[str], widths: list[int]) -> Iterator[Sequence[str]]:
    """A row, and rows with what is left of its last cell."""
    if len(row) < len(widths):
        yield row
        return
    first, *rest = textwrap.wrap(row[-1], widths[-1]) or [""]
    yield [*row[:-1], first]
    for more in rest:
        yield [*[""] * (len(widths) - 1), more]


def map_block(layer: Layer, columns: int, rows: int) -> list[str]:
    """A layer as letters, the darker the heavier, below its name."""
    last = len(SHADES) - 1
    cells = [
        "".join(
            SHADES[max(1, round(last * strength))]
            if (strength := layer.strengths.get((x, y), 0.0)) > 0.0
            else "·"
            for x in range(columns)
        )
        for y in range(rows)
    ]
    return [layer.name[:columns].ljust(columns), *cells]


def side_by_side(blocks: Sequence[Sequence[str]], width: int) -> list[str]:
    """Blocks of the same size beside one another, as many in a row as there is room for.

    >>> side_by_side([["ab", "cd"], ["ef", "gh"], ["ij", "kl"]], 6)
    ['ab  ef', 'cd  gh', 'ij', 'kl']
    """
    columns = max((len(line) for block in blocks for line in block), default=0)
    fit = max(1, (width + 2) // (columns + 2))
    return [
        "  ".join(line.ljust(columns) for line in row).rstrip()
        for first in range(0, len(blocks), fit)
        for row in zip(*blocks[first : first + fit], strict=True)
    ]


# Colours


def share_of_tint(strength: float) -> float:
    """How much of a cell's colour is tint."""
    return FAINTEST + (STRONGEST - FAINTEST) * strength


def tinted(
    pixels: NDArray[np.uint8],
    layers: Sequence[Layer],
    cell: float,
    ground: NDArray[np.uint8] | None = None,
) -> NDArray[np.uint8]:
    """A picture whose cells have this many pixels, with layers on its ground.

    Where a picture differs from its `ground`, an object stands, which is hardly tinted.
    """
    mixed = pixels.astype(np.float32)
    bare = np.ones((*pixels.shape[:2], 1), dtype=np.float32)
    if ground is not None:
        is_object = (pixels[: len(ground)] != ground).any(axis=2, keepdims=True)
        bare[: len(ground)][is_object] = ON_OBJECTS
    for layer in layers:
        colour = np.array(TINTS[layer.colour], dtype=np.float32)
        for (x, y), strength in layer.strengths.items():
            rows = slice(round(y * cell), round((y + 1) * cell))
            columns = slice(round(x * cell), round((x + 1) * cell))
            part = mixed[rows, columns]
            part += share_of_tint(strength) * bare[rows, columns] * (colour - part)
    return mixed.astype(np.uint8)


def with_tints(
    world: World, state: Any, layers: Sequence[Layer], cell: float, foot: bool = True
) -> NDArray[np.uint8]:
    """A state as pixels, with layers on the ground below its objects."""
    size = cell if world.fractional_cells else int(cell)
    pixels = world.pixels(state, size, foot)
    if not layers:
        return pixels
    ground = world.ground_pixels(state, size)
    if ground is None:
        colours, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_counts=True)
        ground = np.broadcast_to(colours[counts.argmax()], pixels.shape)
    return tinted(pixels, layers, size, ground)


def tints_svg(layers: Sequence[Layer], block: float) -> str:
    """Layers as rectangles over a drawing whose cells are this large."""
    parts: list[str] = []
    for layer in layers:
        red, green, blue = TINTS[layer.colour]
        parts.append(f'<g fill="rgb({red},{green},{blue})">')
        parts += [
            f'<rect x="{x * block:g}" y="{y * block:g}" width="{block:g}" height="{block:g}" '
            f'fill-opacity="{share_of_tint(strength):.2g}"/>'
            for (x, y), strength in layer.strengths.items()
        ]
        parts.append("</g>")
    return "".join(parts)


def beside_svg(drawing: str, size: tuple[float, float], tints: str, lines: Sequence[str]) -> str:
    """A drawing with tints on its ground, and lines of text to its right.

    Args:
        drawing: An SVG document of its own.
        size: Its width and height.
        tints: Shapes in its coordinates.
        lines: What is written beside it; of those that do not fit only the number is said.
    """
    width, height = size
    letter = max(width, height) / 60
    panel = 0.62 * letter * PANEL_COLUMNS
    tall = max(height, LEADING * letter * (PANEL_LINES + 1))
    texts = [
        f'<text x="{width + letter:g}" y="{LEADING * letter * (index + 1):g}" '
        f'xml:space="preserve">{escape(printable(line))}</text>'
        for index, line in enumerate(fitting(lines, int(tall / (LEADING * letter)) - 1))
    ]
    if ABOVE_GROUND in drawing:
        drawing, tints = drawing.replace(ABOVE_GROUND, tints + ABOVE_GROUND, 1), ""
    tag, _, rest = drawing.partition(">")
    inner = f'{tag.replace("<svg", f"""<svg width="{width:g}" height="{height:g}" """, 1)}>{rest}'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + panel:g} {tall:g}">'
        f'<rect width="{width + panel:g}" height="{tall:g}" fill="rgb{BACK}"/>{inner}{tints}'
        f'<g font-family="monospace" font-size="{letter:g}" fill="rgb{INK}">{"".join(texts)}</g>'
        "</svg>"
    )


def beside_pixels(pixels: NDArray[np.uint8], lines: Sequence[str]) -> NDArray[np.uint8]:
    """A picture with lines of text to its right; of those that do not fit the number is said."""
    from PIL import Image, ImageDraw, ImageFont

    letter = max(9, min(16, len(pixels) // 30))
    height = max(len(pixels), int(LEADING * letter * (PANEL_LINES + 1)))
    below = np.full((height - len(pixels), pixels.shape[1], 3), BACK, dtype=np.uint8)
    font = ImageFont.load_default(letter)
    pitch = 0.62 * letter  # the same for all letters, so that tables stay aligned
    panel = Image.new("RGB", (int(pitch * PANEL_COLUMNS), height), BACK)
    pen = ImageDraw.Draw(panel)
    for index, line in enumerate(fitting(lines, int(height / (LEADING * letter)) - 1)):
        for column, sign in enumerate(line[: PANEL_COLUMNS - 3]):
            where = int(pitch * (column + 2)), int(letter * (0.5 + LEADING * index))
            pen.text(where, sign, font=font, fill=INK, anchor="ma")
    board = np.concatenate([pixels, below])
    return np.concatenate([board, np.asarray(panel, dtype=np.uint8)], axis=1)


def fitting(lines: Sequence[str], most: int) -> list[str]:
    """The lines that there is room for; the last one says how many are left out.

    >>> fitting(["a", "b", "c"], 3), fitting(["a", "b", "c", "d"], 3)
    (['a', 'b', 'c'], ['a', 'b', '... and 2 more lines'])
    """
    if len(lines) <= most:
        return list(lines)
    if most < 1:
        return []
    return [*lines[: most - 1], f"... and {len(lines) - most + 1} more lines"]


def board_of(world: World) -> tuple[int, int] | None:
    """Columns and rows of the board that cells are places on; None in worlds without one."""
    model: Any = world.model
    return model.grid() if world.traits.objects else None
