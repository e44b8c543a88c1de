"""The drawn glyphs: read from the folder `art`, and written as SVG.

A glyph lives in a square of 100 by 100. Each line of its file is a shape: what it is, its colour
and its numbers. Colours are `m`, the colour of the sprite, its tints `l`, `d` and `D`, a letter of
the common palette, or `#rrggbb`; `/40` after a colour makes it 40 % opaque, `*` before it draws
the common outline around the shape. The first line of a glyph ends with the name of the colour
that it has by nature, for sprites of games that give none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ludex.worlds.vgdl.language.definition import BadGame
from ludex.worlds.vgdl.scene import SHADES, Shade

ART = Path(__file__).parent.with_name("art")
FAMILIES = ("grounds", "people", "creatures", "vehicles", "things")

OUTLINE: Shade = (32, 34, 46)
OUTLINE_WIDTH = 4.0
PALETTE: dict[str, Shade] = {
    "w": (246, 244, 238),
    "k": (34, 36, 47),
    "s": (243, 198, 152),
    "g": (154, 160, 173),
    "y": (247, 208, 71),
    "b": (150, 102, 62),
    "B": (94, 58, 34),
    "r": (217, 75, 69),
    "n": (79, 163, 91),
    "u": (74, 127, 214),
}
TINTS = {"m": (0, 0.0), "l": (255, 0.35), "d": (0, 0.25), "D": (0, 0.55)}
NUMBERS = {"rect": (4, 5), "circle": (3, 3), "ellipse": (4, 4), "ring": (4, 4), "line": (5, 99)}
WORD = re.compile(r"[MLHVCQZ]|-?[0-9.]+")
PER_COMMAND = {"M": 2, "L": 2, "C": 6, "Q": 4, "Z": 0}


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled or stroked shape in one colour."""

    kind: str
    """rect x y w h [r], circle x y r, ellipse x y rx ry, ring x y r width, line width x y x y ...,
    or path"""
    colour: str
    numbers: tuple[float, ...] = ()
    path: tuple[tuple[str, tuple[float, ...]], ...] = ()
    opacity: float = 1.0
    outlined: bool = False


@dataclass(frozen=True, slots=True)
class Glyph:
    """A drawing of one kind of object."""

    name: str
    fills: bool = False
    """a ground or wall, which leaves nothing of its cell open"""
    turns: str = ""
    """flips: looks left or right; right, up: turns, and is drawn looking there"""
    natural: Shade = SHADES["GRAY"]
    """the default colour of the object; it does not show where nothing is tinted"""
    shapes: tuple[Shape, ...] = field(default=(), repr=False)
    sides: tuple[Shape, ...] = field(default=(), repr=False)
    """drawn along each side that borders on another object, as for the upper side"""
    corners: tuple[Shape, ...] = field(default=(), repr=False)
    """drawn in each corner where only the diagonal neighbour is another object"""

    rare: tuple[Shape, ...] = field(default=(), repr=False)
    """drawn in some cells only"""
    scatters: bool = False
    """turned at random in each cell, so that a ground shows no grid"""

    @property
    def joins(self) -> bool:
        return bool(self.sides or self.corners)


@cache
def glyphs() -> dict[str, Glyph]:
    """All glyphs by name."""
    found: dict[str, Glyph] = {}
    for family in FAMILIES:
        file = ART / f"{family}.txt"
        blocks = re.split(r"^glyph ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for block in blocks[1:]:
            glyph = read_glyph(block, found, file.name)
            found[glyph.name] = glyph
    return found


def read_glyph(block: str, known: dict[str, Glyph], file: str) -> Glyph:
    """Read what follows the word `glyph`: a line with name and settings, and a line per shape."""
    head, *lines = block.strip().splitlines()
    name, *manner = head.split()
    parts: dict[str, list[Shape]] = {"": [], "side": [], "corner": [], "rare": []}
    for line in lines:
        words = line.partition("# ")[0].split()
        if not words:
            continue
        if words[0] == "use":
            parts[""] += known[words[1]].shapes
            continue
        part = words.pop(0) if words[0] in parts else ""
        parts[part].append(read_shape(words, f"{file}: glyph {name}"))
    natural = next((SHADES[word] for word in manner if word in SHADES), SHADES["GRAY"])
    turns = "flips" if "flips" in manner else ("up" if "up" in manner else "right")
    return Glyph(
        name,
        fills="fills" in manner,
        turns=turns if {"flips", "turns"} & set(manner) else "",
        natural=natural,
        shapes=tuple(parts[""]),
        sides=tuple(parts["side"]),
        corners=tuple(parts["corner"]),
        rare=tuple(parts["rare"]),
        scatters="scatters" in manner,
    )


def read_shape(words: list[str], place: str) -> Shape:
    kind, colour, *rest = words
    outlined = colour.startswith("*")
    tone, _, percent = colour.removeprefix("*").partition("/")
    opacity = float(percent or 100) / 100
    if tone not in TINTS and tone not in PALETTE and not re.fullmatch("#[0-9a-f]{6}", tone):
        raise BadGame(f"{place} has no colour {tone!r}")
    if kind == "path":
        return Shape(kind, tone, (), read_path(" ".join(rest)), opacity, outlined)
    if kind not in NUMBERS or not NUMBERS[kind][0] <= len(rest) <= NUMBERS[kind][1]:
        raise BadGame(f"{place} has a shape that cannot be read: {' '.join(words)!r}")
    return Shape(kind, tone, tuple(float(word) for word in rest), (), opacity, outlined)


def read_path(text: str) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Read the commands M, L, C, Q and Z, all with absolute coordinates."""
    commands: list[tuple[str, tuple[float, ...]]] = []
    words = WORD.findall(text)
    while words:
        letter = words.pop(0)
        count = PER_COMMAND[letter]
        commands.append((letter, tuple(float(word) for word in words[:count])))
        del words[:count]
    return tuple(commands)


def tinted(tone: str, main: Shade) -> Shade:
    """The colour that a shape's tone means for a sprite of colour `main`."""
    if tone in PALETTE:
        return PALETTE[tone]
    if tone.startswith("#"):
        red, green, blue = bytes.fromhex(tone[1:])
        return red, green, blue
    towards, share = TINTS[tone]
    red, green, blue = (round(one + (towards - one) * share) for one in main)
    return red, green, blue


def hex_of(shade: Shade) -> str:
    return "#" + bytes(shade).hex()


def shape_svg(shape: Shape, main: Shade) -> str:
    """One shape as an SVG element."""
    colour = hex_of(tinted(shape.colour, main))
    numbers = [f"{one:g}" for one in shape.numbers]
    faint = f' opacity="{shape.opacity:g}"' if shape.opacity < 1 else ""
    edge = f' stroke="{hex_of(OUTLINE)}" stroke-width="{OUTLINE_WIDTH:g}"' if shape.outlined else ""
    fill = f' fill="{colour}"{edge} stroke-linejoin="round"{faint}'
    if shape.kind == "rect":
        x, y, w, h, *r = numbers
        radius = f' rx="{r[0]}"' if r else ""
        return f'<rect x="{x}" y="{y}" width="{w}" height="{h}"{radius}{fill}/>'
    if shape.kind == "circle":
        return '<circle cx="{}" cy="{}" r="{}"{}/>'.format(*numbers, fill)
    if shape.kind == "ellipse":
        return '<ellipse cx="{}" cy="{}" rx="{}" ry="{}"{}/>'.format(*numbers, fill)
    if shape.kind == "path":
        drawn = "".join(
            letter + " ".join(f"{one:g}" for one in places) for letter, places in shape.path
        )
        return f'<path d="{drawn}"{fill}/>'
    return "".join(stroke_svg(shape, colour, numbers, faint))


def stroke_svg(shape: Shape, colour: str, numbers: list[str], faint: str) -> list[str]:
    """A ring or a line: its outline is a wider stroke below."""
    if shape.kind == "ring":
        x, y, r, width = numbers
        form = f'<circle cx="{x}" cy="{y}" r="{r}"'
    else:
        width, *places = numbers
        form = f'<polyline points="{" ".join(places)}"'
    strokes = [(colour, float(width))]
    if shape.outlined:
        strokes.insert(0, (hex_of(OUTLINE), float(width) + OUTLINE_WIDTH))
    return [
        f'{form} fill="none" stroke="{shade}" stroke-width="{wide:g}" stroke-linecap="round" '
        f'stroke-linejoin="round"{faint}/>'
        for shade, wide in strokes
    ]


SIDES = (1, 2, 4, 8)  # bits of a mask: another object begins above, right, below, left
CORNERS = (16, 32, 64, 128)  # the same for the diagonals, from the upper left clockwise
RARE = 256  # a cell in which the rare shapes are drawn


def glyph_svg(glyph: Glyph, main: Shade, mask: int = 0) -> str:
    """All shapes of a glyph, with the sides and corners that the mask asks for."""
    parts = [shape_svg(shape, main) for shape in glyph.shapes]
    parts += [shape_svg(shape, main) for shape in glyph.rare if mask & RARE]
    for bits, shapes in ((SIDES, glyph.sides), (CORNERS, glyph.corners)):
        drawn = "".join(shape_svg(shape, main) for shape in shapes)
        for quarter, bit in enumerate(bits):
            if mask & bit and drawn:
                parts.append(f'<g transform="rotate({90 * quarter} 50 50)">{drawn}</g>')
    return "".join(parts)
