"""Pictures of VGDL games as pixels and as SVG, with a status line below."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from ludex.core.defaults import ABOVE_GROUND
from ludex.worlds.vgdl.pictures.glyphs import (
    CORNERS,
    OUTLINE,
    OUTLINE_WIDTH,
    RARE,
    SIDES,
    Glyph,
    Shape,
    glyph_svg,
    glyphs,
    hex_of,
    tinted,
)
from ludex.worlds.vgdl.pictures.looks import Look, Stamp
from ludex.worlds.vgdl.scene import SHADES, SPECTATOR, Shade

if TYPE_CHECKING:
    from ludex.worlds.vgdl._native import State
    from ludex.worlds.vgdl.model import VgdlModel

SCALE = 4  # glyphs are drawn this much larger, and then made smaller, for smooth edges
SMALL = 8  # pixels; smaller glyphs have no outline, which would swallow their colour
BACK: Shade = (24, 25, 36)
INK: Shade = (236, 234, 226)
FAINT: Shade = (150, 152, 168)
WON: Shade = (120, 200, 120)
LOST: Shade = (224, 104, 96)
MOST_HEARTS = 6
FOOT = 1.15  # height of the line below, in cells
LEAST_FOOT = 16  # pixels


class Item(NamedTuple):
    """A part of the line below: a glyph, a text, or both."""

    text: str
    look: Look | None = None
    shade: Shade = INK


# How it stands


def standing(model: VgdlModel, state: State) -> list[Item]:
    """Score and tick, then health and resources of each player, then the outcome."""
    items: list[Item] = []
    players = model.game.players
    outcome = model.outcome(state)
    looks = model.wardrobe.looks
    for seat in range(players):
        found = model.level.avatar(state, seat)
        score = f"{state.scores[seat]:g}"
        if found is None:
            items.append(Item(score, look_of("star")))
            continue
        kind, health, most, gone, bag = found[0], found[6], found[7], found[8], found[9]
        shade = looks[kind].shade if players > 1 else SHADES["GOLD"]
        items.append(Item(score, Look(glyphs()["star"], shade)))
        if most > 0 and not gone:
            items += hearts(health, most)
        for resource, amount in sorted(bag.items()):
            if amount:
                items.append(Item(f"{amount}", looks[resource]))
    items.append(Item(f"tick {state.tick}", shade=FAINT))
    if outcome is not None:
        items.append(ending(outcome.winners, players))
    return items


def standing_text(model: VgdlModel, state: State) -> str:
    """The same in words."""
    words: list[str] = []
    for item in standing(model, state):
        name = item.look.glyph.name if item.look else ""
        if name == "heart":
            is_full = item.look is not None and item.look.shade == SHADES["RED"]
            words.append(("♥" if is_full else "♡") + item.text)
        else:
            words.append(" ".join([{"star": "score"}.get(name, name), item.text]).strip())
    return "  ".join(words).replace("♥  ♥", "♥♥").replace("♥  ♥", "♥♥").replace("♥  ♡", "♥♡")


def hearts(health: int, most: int) -> list[Item]:
    if most <= MOST_HEARTS and 0 <= health <= most:
        full, empty = look_of("heart", "RED"), look_of("heart", "DARKGRAY")
        return [Item("", full if index < health else empty) for index in range(most)]
    return [Item(f"{health}", look_of("heart", "RED"))]


def ending(winners: tuple[int, ...], players: int) -> Item:
    if len(winners) == players:
        return Item("won", shade=WON)
    if not winners:
        return Item("lost" if players == 1 else "nobody wins", shade=LOST)
    return Item(f"player {winners[0] + 1} wins", shade=WON)


def look_of(name: str, colour: str = "GOLD") -> Look:
    return Look(glyphs()[name], SHADES[colour])


# Pixels


class Painter:
    """Paints the states of a game on a level, with `cell` pixels for each of its cells.

    With a fraction, cells differ by a pixel: at 2.5 they are 2 and 3 pixels wide in turn.
    """

    def __init__(self, model: VgdlModel, cell: float = 24, foot: bool = True) -> None:
        self.model = model
        self.cell = cell
        self.wardrobe = model.wardrobe
        self.width = round(model.level.width * cell)
        self.height = round(model.level.height * cell)
        self.foot = max(LEAST_FOOT, round(FOOT * cell)) if foot else 0

    def image(self, state: State, ground_only: bool = False) -> Image.Image:
        """Paint a state, or the ground that its objects stand on."""
        canvas = Image.new("RGB", (self.width, self.height + self.foot), BACK)
        share = self.cell / self.model.level.block
        for stamp in self.wardrobe.stamps(state):
            if ground_only and not stamp.look.glyph.fills:
                continue
            left, top = round(stamp.x * share), round(stamp.y * share)
            wide = max(1, round((stamp.x + stamp.w) * share) - left)
            high = max(1, round((stamp.y + stamp.h) * share) - top)
            drawn = painted(stamp.look, wide, high, stamp.degrees, stamp.flipped, stamp.mask)
            canvas.paste(drawn, (left, top), drawn)
        if self.foot:
            self.paint_foot(canvas, standing(self.model, state))
        return canvas

    def pixels(self, state: State, ground_only: bool = False) -> NDArray[np.uint8]:
        """The same as rows of red, green and blue."""
        return np.asarray(self.image(state, ground_only), dtype=np.uint8)

    def paint_foot(self, canvas: Image.Image, items: list[Item]) -> None:
        pen = ImageDraw.Draw(canvas)
        size = foot_size(self.foot)
        font = ImageFont.load_default(size)
        middle = self.height + self.foot / 2
        widths = [pen.textlength(item.text, font=font) for item in items]
        for item, left, text_left in laid_out(items, widths, size):
            if item.look is not None:
                drawn = painted(item.look, size, size, 0.0, False, 0)
                canvas.paste(drawn, (left, round(middle - size / 2)), drawn)
            if item.text:
                pen.text((text_left, middle), item.text, fill=item.shade, font=font, anchor="lm")


def foot_size(foot: int) -> int:
    """The height of letters and glyphs in the line below."""
    return round(0.62 * foot)


def laid_out(
    items: list[Item], widths: Sequence[float], size: int
) -> Iterator[tuple[Item, int, int]]:
    """Each item with the left edge of its glyph and of its text; hearts stand close together."""
    gap = max(2, size // 4)
    x = gap
    for index, (item, width) in enumerate(zip(items, widths, strict=True)):
        glyph = size + (gap if item.text else 0) if item.look is not None else 0
        yield item, x, x + glyph
        is_last_of_row = index + 1 == len(items) or bool(items[index + 1].text)
        apart = 2 * gap if item.text or is_last_of_row else gap // 2
        x += round(glyph + (width if item.text else 0)) + apart


@lru_cache(maxsize=4096)
def painted(
    look: Look, width: int, height: int, degrees: float, flipped: bool, mask: int
) -> Image.Image:
    """A glyph as pixels with transparency."""
    big = Image.new("RGBA", (width * SCALE, height * SCALE))
    paint_glyph(big, look.glyph, look.shade, mask)
    if flipped:
        big = big.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if degrees:
        big = big.rotate(-degrees, Image.Resampling.BICUBIC)
    drawn = big.resize((width, height), Image.Resampling.BOX)
    if min(width, height) < SMALL:
        drawn.putalpha(drawn.getchannel("A").point(strengthened))
    return drawn


def strengthened(alpha: int) -> int:
    """Small glyphs cover more of what lies below, so that they stay visible."""
    return min(255, 2 * alpha)


def paint_glyph(canvas: Image.Image, glyph: Glyph, main: Shade, mask: int) -> None:
    for shape in (*glyph.shapes, *(glyph.rare if mask & RARE else ())):
        paint_shape(canvas, shape, main)
    for bits, shapes in ((SIDES, glyph.sides), (CORNERS, glyph.corners)):
        for quarter, bit in enumerate(bits):
            if mask & bit:
                for shape in shapes:
                    paint_shape(canvas, shape, main, quarter)


def paint_shape(canvas: Image.Image, shape: Shape, main: Shade, quarter: int = 0) -> None:
    """Paint one shape, turned by quarters around the middle of the glyph."""
    if shape.opacity == 0:
        return
    wide, high = canvas.width / 100, canvas.height / 100
    colour = (*tinted(shape.colour, main), round(255 * shape.opacity))
    layer = canvas if shape.opacity == 1 else Image.new("RGBA", canvas.size)
    pen = ImageDraw.Draw(layer)
    is_small = min(canvas.size) < SMALL * SCALE
    for outline, width in edges(shape):
        if is_small and width < 0:
            continue
        has_rim = shape.outlined and width > 0 and not is_small
        rim = (*OUTLINE, colour[3]) if has_rim else None
        spots = [(x * wide, y * high) for x, y in turned(outline, quarter)]
        if len(spots) < 3:
            continue
        if rim is not None:
            closed = [*spots, spots[0], spots[1]]
            pen.polygon(spots, fill=colour)
            stroke = max(1, round(width * min(wide, high)))
            pen.line(closed, fill=rim, width=stroke, joint="curve")
        else:
            pen.polygon(spots, fill=colour if width >= 0 else (*OUTLINE, colour[3]))
    if layer is not canvas:
        canvas.alpha_composite(layer)


Place = tuple[float, float]


def turned(places: list[Place], quarter: int) -> list[Place]:
    for _ in range(quarter):
        places = [(100 - y, x) for x, y in places]
    return places


def edges(shape: Shape) -> list[tuple[list[Place], float]]:
    """The closed outlines to fill, each with the width of its rim; -1 is a part of a rim itself."""
    numbers = shape.numbers
    if shape.kind == "rect":
        return [(rounded(*numbers[:4], *numbers[4:]), OUTLINE_WIDTH)]
    if shape.kind in ("circle", "ellipse"):
        x, y, wide, high = (*numbers, numbers[-1])[:4]
        return [(oval(x, y, wide, high), OUTLINE_WIDTH)]
    if shape.kind == "path":
        return [(flattened(shape.path), OUTLINE_WIDTH)]
    if shape.kind == "ring":
        x, y, radius, width = numbers
        places = [*oval(x, y, radius, radius), (x + radius, y)]
    else:
        width = numbers[0]
        places = list(zip(numbers[1::2], numbers[2::2], strict=True))
    rims = [(part, -1.0) for part in stroke(places, width + OUTLINE_WIDTH)]
    return (rims if shape.outlined else []) + [(part, 0.0) for part in stroke(places, width)]


def stroke(places: list[Place], width: float) -> list[list[Place]]:
    """A line of some width: a bar for each piece, and a disc at each end."""
    half = width / 2
    parts = [oval(x, y, half, half) for x, y in places]
    for (ax, ay), (bx, by) in pairwise(places):
        length = math.hypot(bx - ax, by - ay) or 1.0
        nx, ny = -(by - ay) / length * half, (bx - ax) / length * half
        parts.append(
            [(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)]
        )
    return parts


def oval(x: float, y: float, rx: float, ry: float, steps: int = 40) -> list[Place]:
    angles = [2 * math.pi * step / steps for step in range(steps)]
    return [(x + rx * math.cos(angle), y + ry * math.sin(angle)) for angle in angles]


def rounded(x: float, y: float, w: float, h: float, r: float = 0.0) -> list[Place]:
    r = min(r, w / 2, h / 2)
    if not r:
        return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    places: list[Place] = []
    middles = ((x + w - r, y + r), (x + w - r, y + h - r), (x + r, y + h - r), (x + r, y + r))
    for quarter, (cx, cy) in enumerate(middles):
        for step in range(9):
            angle = math.pi / 2 * (quarter - 1 + step / 8)
            places.append((cx + r * math.cos(angle), cy + r * math.sin(angle)))
    return places


def flattened(path: tuple[tuple[str, tuple[float, ...]], ...], steps: int = 14) -> list[Place]:
    """The corners of a path whose curves are made of short straight pieces."""
    places: list[Place] = []
    for letter, numbers in path:
        ends = list(zip(numbers[::2], numbers[1::2], strict=True))
        if letter in "ML":
            places += ends
        elif letter in "CQ":
            bends = [places[-1], *ends]
            places += [curve_at(bends, step / steps) for step in range(1, steps + 1)]
    return places


def curve_at(bends: list[Place], share: float) -> Place:
    """A point of a Bézier curve of any degree, by De Casteljau's halving."""
    while len(bends) > 1:
        bends = [
            (ax + (bx - ax) * share, ay + (by - ay) * share)
            for (ax, ay), (bx, by) in pairwise(bends)
        ]
    return bends[0]


# SVG


def picture_svg(model: VgdlModel, state: State, seat: int = SPECTATOR) -> str:
    """The same picture as SVG: each glyph is written once, and placed where it is needed."""
    level = model.level
    width, height = level.width * level.block, level.height * level.block
    foot = max(LEAST_FOOT, round(FOOT * level.block))
    symbols: dict[str, str] = {}
    parts = [f'<rect width="{width}" height="{height + foot}" fill="{hex_of(BACK)}"/>']
    is_ground = True
    for stamp in model.wardrobe.stamps(state, seat):
        if is_ground and not stamp.look.glyph.fills:
            is_ground = False
            parts.append(ABOVE_GROUND)  # tints go below what stands on the ground
        name = symbol(symbols, stamp.look, stamp.mask)
        parts.append(
            f'<use href="#{name}" x="{stamp.x}" y="{stamp.y}" width="{stamp.w}" '
            f'height="{stamp.h}"{placed(stamp)}/>'
        )
    parts += foot_svg(symbols, standing(model, state), height, foot)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + foot}" '
        f'font-family="sans-serif"><defs>{"".join(symbols.values())}</defs>{"".join(parts)}</svg>'
    )


def symbol(symbols: dict[str, str], look: Look, mask: int) -> str:
    """Write a glyph once; its name tells all that it looks like, so equal names are equal."""
    name = f"{look.glyph.name}-{bytes(look.shade).hex()}" + (f"-{mask}" if mask else "")
    if name not in symbols:
        drawn = glyph_svg(look.glyph, look.shade, mask)
        symbols[name] = (
            f'<symbol id="{name}" viewBox="0 0 100 100" preserveAspectRatio="none">{drawn}</symbol>'
        )
    return name


def placed(stamp: Stamp) -> str:
    """The transformation that turns or flips a stamp in its place."""
    x, y = stamp.x + stamp.w / 2, stamp.y + stamp.h / 2
    moves = []
    if stamp.degrees:
        moves.append(f"rotate({stamp.degrees:g} {x:g} {y:g})")
    if stamp.flipped:
        moves.append(f"translate({2 * x:g} 0) scale(-1 1)")
    return f' transform="{" ".join(moves)}"' if moves else ""


def foot_svg(symbols: dict[str, str], items: list[Item], height: int, foot: int) -> list[str]:
    size = foot_size(foot)
    middle = height + foot / 2
    parts: list[str] = []
    widths = [0.58 * size * len(item.text) for item in items]
    for item, left, text_left in laid_out(items, widths, size):
        if item.look is not None:
            name = symbol(symbols, item.look, 0)
            parts.append(
                f'<use href="#{name}" x="{left}" y="{middle - size / 2:g}" width="{size}" '
                f'height="{size}"/>'
            )
        if item.text:
            parts.append(
                f'<text x="{text_left}" y="{middle + 0.36 * size:g}" font-size="{size}" '
                f'fill="{hex_of(item.shade)}">{html.escape(item.text)}</text>'
            )
    return parts
