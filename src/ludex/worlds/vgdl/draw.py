"""Pictures of VGDL games: letters in a grid, and coloured blocks."""

from __future__ import annotations

import hashlib
import html
from typing import TYPE_CHECKING

from ludex.worlds.vgdl._native import State
from ludex.worlds.vgdl.parser import Colour

if TYPE_CHECKING:
    from ludex.worlds.vgdl.model import VgdlModel

SHADES = {
    "GREEN": "#2e8b57",
    "BLUE": "#2f6fd0",
    "RED": "#d04040",
    "GRAY": "#808080",
    "WHITE": "#f4f4f4",
    "BROWN": "#8b5a2b",
    "BLACK": "#202020",
    "ORANGE": "#f08c28",
    "YELLOW": "#f2d43c",
    "PINK": "#f4a0b4",
    "GOLD": "#d4a017",
    "PURPLE": "#7d4fb0",
    "LIGHTRED": "#f08080",
    "LIGHTORANGE": "#f8c080",
    "LIGHTBLUE": "#8fbff0",
    "LIGHTGREEN": "#90d890",
    "LIGHTGRAY": "#c8c8c8",
    "DARKGRAY": "#505050",
    "DARKBLUE": "#203878",
}


def is_drawn(model: VgdlModel, kind: int) -> bool:
    invisible = model.game.types[kind].values.get("invisible") or ()
    return not (invisible and invisible[0])


def status(model: VgdlModel, state: State) -> str:
    scores = ", ".join(f"{score:g}" for score in state.scores)
    outcome = model.outcome(state)
    end = f", over: {outcome.reason}" if outcome else ""
    return f"tick {state.tick}, score {scores}{end}"


def letters(model: VgdlModel) -> dict[int, str]:
    """A letter for each type: that of the level file where there is one."""
    chosen: dict[int, str] = {}
    for character, names in model.game.mapping.items():
        if names and names[-1] not in [model.game.types[kind].name for kind in chosen]:
            number = model.game.type_named(names[-1])
            if number >= 0:
                chosen.setdefault(number, character)
    for number, sprite in enumerate(model.game.types):
        chosen.setdefault(number, sprite.name[0])
    return chosen


def in_order(model: VgdlModel, state: State) -> list[tuple[int, int, int, int, int]]:
    """What is drawn, the lowest first."""
    order = {kind: place for place, kind in enumerate(model.game.order)}
    found = [(kind, x, y, w, h) for kind, _, x, y, w, h, *_ in model.level.sprites(state)]
    drawn = [one for one in found if is_drawn(model, one[0])]
    return sorted(drawn, key=lambda one: order.get(one[0], -1))


def draw_text(model: VgdlModel, state: State) -> str:
    level = model.level
    grid = [["."] * level.width for _ in range(level.height)]
    shown = letters(model)
    for kind, x, y, _, _ in in_order(model, state):
        column, row = x // level.block, y // level.block
        if 0 <= column < level.width and 0 <= row < level.height:
            grid[row][column] = shown[kind]
    return "\n".join(["".join(row) for row in grid] + [status(model, state)])


def colour_of(model: VgdlModel, kind: int) -> str:
    sprite = model.game.types[kind]
    given = sprite.values.get("color")
    if isinstance(given, Colour) and given.name in SHADES:
        return SHADES[given.name]
    hue = hashlib.blake2b(sprite.name.encode(), digest_size=2).digest()
    return f"hsl({int.from_bytes(hue, 'big') % 360} 45% 60%)"


def draw_svg(model: VgdlModel, state: State) -> str:
    """Blocks in the sprites' colours, in drawing order."""
    level = model.level
    width, height = level.width * level.block, level.height * level.block
    parts = [f'<rect width="{width}" height="{height}" fill="#181820"/>']
    for kind, x, y, w, h in in_order(model, state):
        parts.append(
            f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{max(1, level.block // 8)}" '
            f'fill="{colour_of(model, kind)}"/>'
        )
    foot = level.block + 6
    size = max(10, level.block // 2)
    parts.append(
        f'<text x="4" y="{height + foot - 8}" font-size="{size}" fill="#777">'
        f"{html.escape(status(model, state))}</text>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + foot}" '
        f'font-family="sans-serif">{"".join(parts)}</svg>'
    )
