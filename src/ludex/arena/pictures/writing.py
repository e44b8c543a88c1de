"""Writing films to files that stay small: what differs from picture to picture, and fewer pictures.

A film of a long game leaves pictures out, evenly, until it is below `LARGEST`; its end stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ludex.arena.pictures.film import Frame
from ludex.arena.pictures.svg_film import SECONDS_AT_THE_END, Picture, animated, strip
from ludex.core.world import World

LARGEST = 2_000_000  # bytes of a film
TRIED = 24  # pictures in a row that tell how large a film will be
TRIES = 3  # places where they are taken from
MOST_BYTES = 600_000_000  # of all pictures of a film of pixels in memory
KEY_FRAMES = (150, 300)  # pictures between two that are written whole, at least and at most

One = TypeVar("One")


@dataclass(frozen=True, slots=True)
class WrittenFilm:
    """How much of a match a film shows."""

    shown: int
    """pictures in it"""
    taken: int
    """pictures of the match"""

    def document(self) -> dict[str, int]:
        return {"pictures": self.shown, "of": self.taken}

    @property
    def note(self) -> str:
        """What is left out, in words; empty where nothing is.

        >>> WrittenFilm(501, 2001).note
        'the film shows 501 of 2,001 pictures, to stay below 2 MB'
        """
        if self.shown == self.taken:
            return ""
        return (
            f"the film shows {self.shown:,} of {self.taken:,} pictures, to stay below "
            f"{LARGEST / 1e6:g} MB"
        )


def write_svg(path: Path, pictures: Sequence[Picture], as_strip: bool = False) -> WrittenFilm:
    """Write a film as SVG: one that plays, or all its pictures side by side."""
    draw = strip if as_strip else animated
    content, every = smallest(len(pictures), lambda n: draw(thinned(pictures, n)).encode(), 1)
    path.write_bytes(content)
    return WrittenFilm(len(thinned(pictures, every)), len(pictures))


def write_frames(
    path: Path, world: World, frames: Sequence[Frame], cell: int, fps: int
) -> WrittenFilm:
    """Write a film of pixels as WebP or GIF, which stays a while at its end; PNG is its end.

    A film of many pictures has smaller ones, so that it fits into memory.
    """
    from PIL import Image

    kind = path.suffix.lower()
    if kind == ".png":
        Image.fromarray(frames[-1].painted(world, cell)).save(path)
        return WrittenFilm(1, 1)
    film = PixelFilm(world, frames, kind, fps, cell)
    content, every = smallest(len(frames), film.encoded, film.estimate())
    path.write_bytes(content)
    return WrittenFilm(len(thinned(frames, every)), len(frames))


def smallest(pictures: int, encoded: Callable[[int], bytes], every: int) -> tuple[bytes, int]:
    """The first film that is small enough, of all pictures or of one in so many."""
    while True:
        content = encoded(every)
        if len(content) <= LARGEST or every >= pictures:
            return content, every
        every = max(every + 1, int(every * len(content) / LARGEST * 1.05))


def thinned(all_of_them: Sequence[One], every: int) -> Sequence[One]:
    """The first, one in so many, and the last.

    >>> thinned("abcdefg", 4)
    ['a', 'e', 'g']
    """
    if every == 1:
        return all_of_them
    kept = list(all_of_them[::every])
    return kept if (len(all_of_them) - 1) % every == 0 else [*kept, all_of_them[-1]]


class PixelFilm:
    """The pictures of a film of pixels, and how they are packed."""

    def __init__(
        self, world: World, frames: Sequence[Frame], kind: str, fps: int, cell: int
    ) -> None:
        self.world, self.frames, self.kind, self.fps = world, frames, kind, fps
        largest = frames[0].painted(world, cell).size * len(frames)
        if largest > MOST_BYTES:
            cell = max(1, int(cell * (MOST_BYTES / largest) ** 0.5))
        self.cell = cell

    def estimate(self) -> int:
        """One in how many pictures to begin with: an estimate from a few short runs of them."""
        count = len(self.frames)
        if count <= 2 * TRIED * TRIES:
            return 1
        whole = len(self.packed(self.frames[:1], 1)) * -(-count // KEY_FRAMES[1])
        each = 0.0
        for index in range(TRIES):
            first = (count - TRIED) * index // (TRIES - 1)
            run = self.frames[first : first + TRIED]
            more = len(self.packed(run, 1)) - len(self.packed(run[:1], 1))
            each += more / (TRIED - 1) / TRIES
        return max(1, int((whole + each * count) / LARGEST))

    def encoded(self, every: int) -> bytes:
        return self.packed(thinned(self.frames, every), every)

    def packed(self, frames: Sequence[Frame], every: int) -> bytes:
        """Pictures as the bytes of a film; the pace of the game stays when some are left out."""
        from PIL import Image

        paintings = (frame.painted(self.world, self.cell) for frame in frames)
        images: list[Any] = []
        durations: list[int] = []
        for pixels, times in runs(paintings):
            images.append(Image.fromarray(pixels))
            durations.append(round(1000 * every * times / self.fps))
        durations[-1] = round(1000 * SECONDS_AT_THE_END)
        common: dict[str, Any] = {"save_all": True, "duration": durations, "loop": 0}
        if self.kind == ".gif":
            # One palette for all, so that colours do not flicker.
            palette = images[len(images) // 2].quantize(255)
            images = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
        else:
            # Flat colours pack better without loss, and stay crisp.
            common |= {"lossless": True, "quality": 50, "method": 2}
            common |= {"kmin": KEY_FRAMES[0], "kmax": KEY_FRAMES[1]}
        content = BytesIO()
        images[0].save(content, self.kind[1:], append_images=images[1:], **common)
        return content.getvalue()


def runs(paintings: Iterator[Any]) -> Iterator[tuple[Any, int]]:
    """Each picture with how often it comes in a row."""
    before: list[Any] = []
    for pixels in paintings:
        if before and not np.array_equal(before[0], pixels):
            yield before[0], len(before)
            before = []
        before.append(pixels)
    if before:
        yield before[0], len(before)
