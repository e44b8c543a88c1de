"""Pictures for the pages about our own games: each by itself, all in one, and glyphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

    from ludex.worlds.vgdl.world import Vgdl

COLUMNS = 4
TILE = (300, 190)  # pixels that a game has on the sheet of all games
GAP, TITLE = 12, 20
PAPER, INK = (236, 236, 230), (60, 62, 70)
ALL_SIDES = 15
COLOURS = 96  # of a picture on a page, which keeps its file small
SKIPPED = 5  # ticks from one state that is looked at to the next


def moment(name: str) -> tuple[Vgdl, Any]:
    """A state worth looking at: the fullest one in the win of the middle level."""
    from ludex.core.rng import Rng
    from ludex.worlds.vgdl.tools.wins import played, wins
    from ludex.worlds.vgdl.world import Vgdl

    kept = wins(name)
    if not kept:
        world = Vgdl(game=name)
        return world, world.start(Rng(0))
    win = kept[len(kept) // 2]
    world = Vgdl(game=name, level=win.level)
    *states, _ = played(world, win)
    return world, max(states[::SKIPPED], key=fullness(world))


def fullness(world: Vgdl) -> Callable[[Any], tuple[int, int]]:
    """How much there is to see in a state: kinds of things first, then things."""
    wardrobe = world.model.wardrobe

    def measure(state: Any) -> tuple[int, int]:
        things = [one.look for one in wardrobe.stamps(state) if not one.look.glyph.fills]
        return len(set(things)), len(things)

    return measure


def picture(name: str, cell: int) -> Image:
    from PIL import Image

    world, state = moment(name)
    return Image.fromarray(world.pixels(state, cell))


def page_picture(name: str, cell: int) -> Image:
    return picture(name, cell).quantize(COLOURS)


def contact_sheet(names: Sequence[str]) -> Image:
    """All games in one picture, each as large as its tile allows, with its name."""
    from PIL import Image, ImageDraw, ImageFont

    from ludex.worlds.vgdl.pictures.picture import BACK, INK

    wide, high = TILE[0] + GAP, TILE[1] + TITLE + GAP
    rows = -(-len(names) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * wide + GAP, rows * high + GAP), BACK)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(13)
    for number, name in enumerate(names):
        left = GAP + number % COLUMNS * wide
        top = GAP + number // COLUMNS * high
        world, state = moment(name)
        level = world.model.level
        cell = min(TILE[0] // level.width, TILE[1] // level.height)
        drawn = Image.fromarray(world.pixels(state, cell, foot=False))
        pen.text(
            (left + TILE[0] / 2, top + TITLE / 2), world.description[0], INK, font, anchor="mm"
        )
        space = TILE[0] - drawn.width, TILE[1] - drawn.height
        sheet.paste(drawn, (left + space[0] // 2, top + TITLE + space[1] // 2))
    return sheet.quantize(COLOURS * 2)


def glyph_sheet() -> Image:
    """All glyphs with their names, in the colours that they have by nature."""
    from PIL import Image, ImageDraw, ImageFont

    from ludex.worlds.vgdl.pictures.glyphs import glyphs
    from ludex.worlds.vgdl.pictures.looks import Look
    from ludex.worlds.vgdl.pictures.picture import painted

    side, step, columns = 44, 72, 13
    rows = -(-len(glyphs()) // columns)
    sheet = Image.new("RGB", (columns * step, rows * step), PAPER)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(10)
    for number, glyph in enumerate(glyphs().values()):
        left, top = number % columns * step, number // columns * step
        mask = ALL_SIDES if glyph.joins else 0
        drawn = painted(Look(glyph, glyph.natural), side, side, 0.0, False, mask)
        sheet.paste(drawn, (left + (step - side) // 2, top + 6), drawn)
        pen.text((left + step / 2, top + side + 16), glyph.name, INK, font, anchor="mm")
    return sheet.quantize(COLOURS * 2)
