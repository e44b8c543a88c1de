"""Films of matches: a camera keeps their pictures, for SVG or for pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
from ludex.arena.pictures.svg_film import Picture, size_of
from ludex.core.world import World

SUFFIXES = (".svg", ".webp", ".gif", ".png")


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
