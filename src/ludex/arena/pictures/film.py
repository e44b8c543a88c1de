"""Films of matches: SVG that plays by itself or shows all pictures at once, and pixels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from ludex.arena.match.watcher import Draw, Step, Watcher
from ludex.arena.pictures.mind_view import (
    PANEL_COLUMNS,
    Layer,
    beside_pixels,
    beside_svg,
    board_of,
    layers_of,
    mind_lines,
    tints_svg,
    with_tints,
)
from ludex.core.printable import printable
from ludex.core.world import World

VIEW_BOX = re.compile(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
SIZE = re.compile(r' (x|y|width|height)="[^"]*"')  # of the outermost tag, which is replaced
SECONDS_PER_PICTURE = 1.0
SECONDS_AT_THE_END = 3.0
CAPTION_HEIGHT = 24
PER_ROW = 6
MOST_BYTES = 600_000_000  # of all pictures of a film together
SUFFIXES = (".svg", ".webp", ".gif", ".png")


@dataclass(frozen=True, slots=True)
class Picture:
    """One state of a match: its drawing, and what led to it."""

    svg: str
    caption: str


def size_of(pictures: list[Picture]) -> tuple[float, float]:
    """The smallest size that holds every picture."""
    boxes = [VIEW_BOX.search(picture.svg) for picture in pictures]
    sizes = [(float(box[1]), float(box[2])) if box else (300.0, 300.0) for box in boxes]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def placed(picture: Picture, x: float, y: float, width: float, height: float) -> str:
    """The picture and its caption as a part of a larger drawing."""
    tag, _, rest = picture.svg.partition(">")
    place = f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    inner = SIZE.sub("", tag).replace("<svg", place, 1) + ">" + rest
    middle = x + width / 2
    size = min(13.0, 1.7 * width / max(1, len(picture.caption)))
    return (
        f'{inner}<text x="{middle:g}" y="{y + height + 16:g}" text-anchor="middle" '
        f'font-family="sans-serif" font-size="{size:.3g}" fill="#444">'
        f"{escape(printable(picture.caption))}</text>"
    )


def sheet(width: float, height: float, parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">'
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>'
        f"{''.join(parts)}</svg>\n"
    )


def animated(pictures: list[Picture], seconds: float = SECONDS_PER_PICTURE) -> str:
    """Show the pictures one after the other, for ever; without animation, the last one."""
    width, height = size_of(pictures)
    total = seconds * (len(pictures) - 1) + SECONDS_AT_THE_END
    parts: list[str] = []
    for index, picture in enumerate(pictures):
        begin = index * seconds / total
        is_last = index == len(pictures) - 1
        end = 1.0 if is_last else (index + 1) * seconds / total
        times = [0.0, begin, end] if index else [0.0, end]
        values = ["hidden", "visible", "hidden"] if index else ["visible", "hidden"]
        if is_last:
            times, values = times[:-1], values[:-1]
        animation = (
            f'<animate attributeName="visibility" values="{";".join(values)}" '
            f'keyTimes="{";".join(f"{time:.6g}" for time in times)}" dur="{total:g}s" '
            'calcMode="discrete" repeatCount="indefinite"/>'
        )
        shown = "visible" if is_last else "hidden"
        parts.append(
            f'<g visibility="{shown}">{animation if len(pictures) > 1 else ""}'
            f"{placed(picture, 0, 0, width, height)}</g>"
        )
    return sheet(width, height + CAPTION_HEIGHT, parts)


def strip(pictures: list[Picture]) -> str:
    """Show all pictures at once, in rows."""
    width, height = size_of(pictures)
    gap = width / 12
    rows = -(-len(pictures) // PER_ROW)
    parts = [
        placed(
            picture,
            gap + (index % PER_ROW) * (width + gap),
            gap + (index // PER_ROW) * (height + CAPTION_HEIGHT + gap),
            width,
            height,
        )
        for index, picture in enumerate(pictures)
    ]
    columns = min(PER_ROW, len(pictures))
    return sheet(gap + columns * (width + gap), gap + rows * (height + CAPTION_HEIGHT + gap), parts)


@dataclass(frozen=True, slots=True)
class Frame:
    """One state of a film of pixels; with a mind, what was thought in it."""

    state: Any
    layers: Sequence[Layer] = ()
    lines: Sequence[str] | None = None
    """None: the film shows no minds"""

    def painted(self, world: World, cell: int) -> NDArray[np.uint8]:
        if self.lines is None:
            return world.pixels(self.state, cell)
        return beside_pixels(with_tints(world, self.state, self.layers, cell), self.lines)


def write_frames(path: Path, world: World, frames: Sequence[Frame], cell: int, fps: int) -> None:
    """Write a film of pixels as WebP or GIF, which stays a while at its end; PNG is its end.

    A film of many pictures has smaller ones, so that it fits into memory.
    """
    from PIL import Image

    kind = path.suffix.lower()
    if kind == ".png":
        frames = frames[-1:]
    largest = frames[0].painted(world, cell).size * len(frames)
    if largest > MOST_BYTES:
        cell = max(1, int(cell * (MOST_BYTES / largest) ** 0.5))
    images = [Image.fromarray(frame.painted(world, cell)) for frame in frames]
    if kind == ".png":
        images[0].save(path)
        return
    durations = [round(1000 / fps)] * (len(images) - 1) + [round(1000 * SECONDS_AT_THE_END)]
    common: dict[str, Any] = {"save_all": True, "duration": durations, "loop": 0}
    if kind == ".gif":
        # One palette for all, so that colours do not flicker.
        palette = images[len(images) // 2].quantize(255)
        images = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    else:
        # Flat colours pack better without loss, and stay crisp.
        common |= {"lossless": True, "quality": 50, "method": 2}
    images[0].save(path, append_images=images[1:], **common)


class Camera(Watcher):
    """Keeps a picture of every state of a match, or of some of them and the last.

    Args:
        every: Take each, every second, ...
        cell: Pixels of a cell, for films of pixels; None takes SVG.
        minds: Show what agents thought in each state, where they say so.
    """

    def __init__(self, every: int = 1, cell: int | None = None, minds: bool = False) -> None:
        self.every = every
        self.cell = cell
        self.minds = minds
        self.frames: list[Frame] = []
        """those to be painted when all are known, for a long film has small pictures"""
        self.pictures: list[Picture] = []
        self.world: World | None = None
        self.agents: Sequence[str] = ()
        self.seen = 0

    def before_match(self, world: World, agents: Sequence[str], state: Any) -> None:
        self.world, self.agents = world, agents
        if not self.minds:
            self.take(state, " - ".join(agents))

    def after_chance(self, draw: Draw) -> None:
        assert self.world is not None
        self.take(draw.after, self.world.outcome_text(draw.outcome))

    def after_step(self, step: Step) -> None:
        assert self.world is not None
        self.seen += 1
        is_last = self.world.model.outcome(step.after) is not None
        if self.seen % self.every and not is_last:
            return
        seats = self.world.model.to_act(step.before)
        words = (
            f"seat {seat}: {self.world.action_text(action)}"
            for seat, action in zip(seats, step.actions, strict=True)
        )
        caption = ", ".join(words)
        if not self.minds:
            self.take(step.after, caption)
            return
        # What was thought belongs to the state that it was thought in.
        layers, lines = self.thoughts(step)
        self.take(step.before, caption, layers, lines)
        if is_last:  # nobody thought about the end; the last thoughts stand beside it
            self.take(step.after, caption, lines=lines)

    def take(
        self, state: Any, caption: str, layers: Sequence[Layer] = (), lines: Sequence[str] = ()
    ) -> None:
        assert self.world is not None
        frame = Frame(state, layers, lines) if self.minds else Frame(state)
        if self.cell is not None:
            self.frames.append(frame)
            return
        picture = Picture(self.world.draw(state, "svg"), caption)
        self.pictures.append(with_mind(picture, frame, self.world) if self.minds else picture)

    def thoughts(self, step: Step) -> tuple[list[Layer], list[str]]:
        """What all seats thought in a step, and what the first of them sees on the board."""
        assert self.world is not None
        layers: list[Layer] = []
        lines: list[str] = []
        for seat, decision in step.decisions.items():
            lines += mind_lines(self.world, self.agents[seat], decision, PANEL_COLUMNS - 3)
            layers = layers or layers_of(decision.notes)
        return layers if board_of(self.world) else [], lines


def with_mind(picture: Picture, frame: Frame, world: World) -> Picture:
    """The picture with what was thought on its board and beside it."""
    size = size_of([picture])
    board = board_of(world)
    tints = tints_svg(frame.layers, size[0] / board[0]) if board else ""
    return Picture(beside_svg(picture.svg, size, tints, frame.lines or ()), picture.caption)
