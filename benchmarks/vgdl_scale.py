"""Draw what a tick of the VGDL engine costs, over the number of sprites and over the area.

    python benchmarks/vgdl_scale.py [--seconds 0.2] [--out docs/pictures/vgdl_scale.svg]

Four curves: sprites that move on an area that grows with them (as dense everywhere), sprites that
never move, settled ones (in the level from the start) and made ones (in the state), and one
mover alone on a growing area. Prints the table of `docs/engine.md` and writes the picture.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path

from ludex.core import Meter
from ludex.worlds.vgdl.language.levels import parse_level
from ludex.worlds.vgdl.language.native_text import ALL_QUIRKS, build_level
from ludex.worlds.vgdl.language.parser import parse_game
from ludex.worlds.vgdl.model import VgdlModel

GAME = """BasicGame square_size=10
    SpriteSet
        avatar > MovingAvatar
        ghost > RandomNPC speed=0.6
        tree > Immovable
        coin > Passive
        mint > SpawnPoint stype=coin
        wall > Immovable
    LevelMapping
        A > avatar
        g > ghost
        t > tree
        c > coin
        w > wall
    InteractionSet
        avatar wall > stepBack
        ghost wall > stepBack
        ghost tree > stepBack
        ghost ghost > flipDirection
        avatar ghost > stepBack
        avatar tree > stepBack
        avatar coin > stepBack
    TerminationSet
        Timeout limit=1900 win=True
"""
MESSAGE_LIMIT = 1 << 3  # the quirk of that name (gamedef.hpp)
COUNTS = (10, 30, 100, 300, 1000, 3000, 10000)
CELLS_FOR_EACH = 8  # of the area, where it grows with the sprites
WIDE = 1000
COLOURS = ("#c0392b", "#27ae60", "#2980b9", "#8e44ad")


def level_text(letters: str, area: int) -> str:
    """A walled level with an avatar in a corner and the letters spread evenly over the rest."""
    width = min(WIDE, max(6, int(area**0.5)))
    height = max(6, -(-area // width))
    inside = (width - 2) * (height - 2)
    cells = ["."] * inside
    step = (inside - 1) / max(1, len(letters))
    for number, letter in enumerate(letters):
        cells[1 + int(number * step)] = letter
    cells[0] = "A"
    rows = [
        "".join(cells[row * (width - 2) : (row + 1) * (width - 2)]) for row in range(height - 2)
    ]
    return "\n".join(["w" * width, *(f"w{row}w" for row in rows), "w" * width])


def cost(letters: str, area: int, seconds: float) -> float:
    """Nanoseconds of CPU time for a tick with random actions."""
    game = parse_game(GAME, "scale")
    level = parse_level(level_text(letters, area), game, "level")
    # Cells without a sprite make the reference log messages, too many of which end its game.
    endless = build_level(game, level, ALL_QUIRKS & ~MESSAGE_LIMIT)
    model = VgdlModel(game, endless).metered(Meter())
    return 1e9 / model.bench("tick", seconds)


def dense(count: int) -> int:
    return 100 + CELLS_FOR_EACH * count


CURVES: dict[str, Callable[[int], tuple[str, int]]] = {
    "moving": lambda n: ("g" * n, dense(n)),
    "settled": lambda n: ("t" * n, dense(n)),
    "made, at rest": lambda n: ("c" * n, dense(n)),
    "cells": lambda n: ("g", dense(n)),
}


def measure(seconds: float) -> dict[str, list[float]]:
    costs: dict[str, list[float]] = {}
    for name, setting in CURVES.items():
        costs[name] = []
        for count in COUNTS:
            print(f"\r{name}: {count}     ", end="", file=sys.stderr)
            costs[name].append(min(cost(*setting(count), seconds) for _ in range(3)))
    print("\r", end="", file=sys.stderr)
    return costs


def draw(costs: dict[str, list[float]]) -> str:
    """The curves on logarithmic axes, as SVG."""
    width, height, left, top = 560, 340, 60, 20
    low, high = 10.0, 10.0 ** len(str(int(max(max(curve) for curve in costs.values()))))

    def x(count: float) -> float:
        return left + width * math.log(count / COUNTS[0]) / math.log(COUNTS[-1] / COUNTS[0])

    def y(value: float) -> float:
        return top + height * (1 - math.log(value / low) / math.log(high / low))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 200} {height + 70}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width + 200}" height="{height + 70}" fill="white"/>',
    ]
    for count in COUNTS:
        parts.append(f'<path d="M{x(count):.0f} {top}v{height}" stroke="#ddd"/>')
        at = f'x="{x(count):.0f}" y="{top + height + 18}"'
        parts.append(f'<text {at} text-anchor="middle">{count:,}</text>')
    tenth = low
    while tenth <= high:
        parts.append(f'<path d="M{left} {y(tenth):.0f}h{width}" stroke="#ddd"/>')
        label = f"{tenth:,.0f} ns"
        parts.append(
            f'<text x="{left - 6}" y="{y(tenth) + 4:.0f}" text-anchor="end">{label}</text>'
        )
        tenth *= 10
    for (name, curve), colour in zip(costs.items(), COLOURS, strict=True):
        points = " ".join(f"{x(n):.1f},{y(v):.1f}" for n, v in zip(COUNTS, curve, strict=True))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(
            f'<text x="{left + width + 8}" y="{y(curve[-1]) + 4:.0f}" fill="{colour}">{name}</text>'
        )
    caption = "sprites (for cells: eighths of the area), and the time of a tick"
    parts.append(f'<text x="{left}" y="{top + height + 42}">{caption}</text></svg>')
    return "\n".join(parts) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.2, help="for each point")
    parser.add_argument("--out", type=Path, help="where the picture goes")
    options = parser.parse_args()
    costs = measure(options.seconds)
    print("| sprites | " + " | ".join(f"{name}, ns" for name in costs) + " |")
    print("|---" * (len(costs) + 1) + "|")
    for row, count in enumerate(COUNTS):
        print(f"| {count:,} | " + " | ".join(f"{c[row]:,.0f}" for c in costs.values()) + " |")
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(draw(costs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
