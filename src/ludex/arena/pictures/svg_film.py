"""Films as SVG: one that plays by itself, or all pictures at once.

A film is written as differences: what stays the same from picture to picture is written once, with
the times at which it is seen. A whole game of Catan takes kilobytes a picture otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from fractions import Fraction
from xml.sax.saxutils import escape

from ludex.core.printable import printable

VIEW_BOX = re.compile(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')
SIZE = re.compile(r' (x|y|width|height)="[^"]*"')  # of the outermost tag, which is replaced
TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
CONTAINERS = ("g", "svg")
NOT_OPENED = ("opacity", "filter", "mask", "clip", "display", "visibility")
"""words in a container's tag that make it one picture with what it holds"""
SECONDS_PER_PICTURE = 1.0
SECONDS_AT_THE_END = 3.0
CAPTION_HEIGHT = 24
PER_ROW = 6


@dataclass(frozen=True, slots=True)
class Picture:
    """One state of a match: its drawing, and what led to it."""

    svg: str
    caption: str


def size_of(pictures: Sequence[Picture]) -> tuple[float, float]:
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


def sheet(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">'
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>'
        f"{''.join(parts)}</svg>\n"
    )


def strip(pictures: Sequence[Picture]) -> str:
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


def animated(pictures: Sequence[Picture], seconds: float = SECONDS_PER_PICTURE) -> str:
    """Show the pictures one after the other, for ever; without animation, the last one."""
    width, height = size_of(pictures)
    timeline = Timeline()
    for picture in pictures:
        timeline.add(leaves(placed(picture, 0, 0, width, height), timeline.definitions))
    return sheet(width, height + CAPTION_HEIGHT, timeline.written(seconds))


# The parts of a drawing


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of a drawing that is not divided, and the containers that it stands in."""

    containers: tuple[str, ...]
    """their opening tags, the outermost first"""
    text: str


def leaves(drawing: str, definitions: dict[str, None]) -> Iterator[Leaf]:
    """The parts of a drawing in order; definitions are put aside, each once."""
    containers: list[str] = []
    tags = TAG.finditer(drawing)
    for tag in tags:
        text = tag[0]
        if text.startswith(("<!--", "<?")):
            continue
        if text.startswith("</"):
            containers.pop()
            continue
        name = re.split(r"[\s/>]", text[1:], maxsplit=1)[0]
        is_closed = text.endswith("/>")
        if name in CONTAINERS and not is_closed and not any(word in text for word in NOT_OPENED):
            containers.append(text)
            continue
        end = end_of(tag, tags)
        if name == "defs":
            definitions.update(dict.fromkeys(elements(drawing[tag.end() : end.start()])))
        elif name != "title":
            yield Leaf(tuple(containers), drawing[tag.start() : end.end()])


def end_of(tag: re.Match[str], tags: Iterator[re.Match[str]]) -> re.Match[str]:
    """The tag that closes an element; all tags within it are taken."""
    depth, end = int(not tag[0].endswith("/>")), tag
    while depth:
        end = next(tags)
        if not end[0].startswith("<!--") and not end[0].endswith("/>"):
            depth += -1 if end[0].startswith("</") else 1
    return end


def elements(text: str) -> Iterator[str]:
    """The outermost elements of a text."""
    tags = TAG.finditer(text)
    for tag in tags:
        yield text[tag.start() : end_of(tag, tags).end()]


# What is seen when


@dataclass(slots=True, eq=False)
class Shown:
    """A leaf with the pictures that it is seen in, and its height above other leaves."""

    leaf: Leaf
    height: Fraction
    spans: list[list[int]] = field(default_factory=list)
    """first and last picture of each time that it is seen"""

    def show(self, picture: int) -> None:
        if self.spans and self.spans[-1][1] == picture - 1:
            self.spans[-1][1] = picture
        else:
            self.spans.append([picture, picture])


class Timeline:
    """All leaves of all pictures in one order, each with the times at which it is seen.

    Leaves that are seen together stand in the order of their picture. One that comes back is the
    same as before, where its height still fits.
    """

    def __init__(self) -> None:
        self.pictures = 0
        self.definitions: dict[str, None] = {}
        self.all: list[Shown] = []
        self.known: dict[Leaf, list[Shown]] = {}
        self.now: list[Shown] = []
        """those of the last picture, the lowest first"""

    def add(self, parts: Iterator[Leaf]) -> None:
        """Add a picture."""
        wanted = list(parts)
        before = [one.leaf for one in self.now]
        now: list[Shown] = []
        for old, new in gaps(before, wanted):
            now += self.between(now, wanted[new[0] : new[1]], old[1])
            now += self.now[old[1] : old[2]]
        for one in now:
            one.show(self.pictures)
        self.now = now
        self.pictures += 1

    def between(self, lower: list[Shown], new: list[Leaf], upper: int) -> list[Shown]:
        """Leaves that were not in the last picture, above some of it and below the rest."""
        low = lower[-1].height if lower else Fraction(0)
        high = self.now[upper].height if upper < len(self.now) else Fraction(1)
        found: list[Shown] = []
        for index, leaf in enumerate(new):
            fitting = [one for one in self.known.get(leaf, ()) if low < one.height < high]
            if fitting:
                one = min(fitting, key=lambda each: each.height)
            else:
                one = Shown(leaf, low + (high - low) / (len(new) - index + 1))
                self.all.append(one)
                self.known.setdefault(leaf, []).append(one)
            low = one.height
            found.append(one)
        return found

    def written(self, seconds: float) -> list[str]:
        """The film as elements, each picture seen so many seconds."""
        total = seconds * (self.pictures - 1) + SECONDS_AT_THE_END
        parts = ["<defs>", *self.definitions, "</defs>"] if self.definitions else []
        open_containers: tuple[str, ...] = ()
        open_spans: list[list[int]] | None = None
        for one in sorted(self.all, key=lambda each: each.height):
            if one.leaf.containers != open_containers:
                parts.append("</g>" if open_spans else "")
                parts += [closing(tag) for tag in reversed(open_containers)]
                parts += one.leaf.containers
                open_containers, open_spans = one.leaf.containers, None
            if one.spans != open_spans:
                parts.append("</g>" if open_spans else "")
                parts.append(self.opening(one.spans, seconds, total))
                open_spans = one.spans
            parts.append(one.leaf.text)
        parts.append("</g>" if open_spans else "")
        return parts + [closing(tag) for tag in reversed(open_containers)]

    def opening(self, spans: list[list[int]], seconds: float, total: float) -> str:
        """The tag of a group that is seen in these pictures."""
        last = self.pictures - 1
        if spans == [[0, last]]:
            return "<g>"
        times, values = ["0"], ["visible" if spans[0][0] == 0 else "hidden"]
        for begin, end in spans:
            for picture, value in ((begin, "visible"), (end + 1, "hidden")):
                if 0 < picture <= last:
                    times.append(f"{picture * seconds / total:.6g}".removeprefix("0"))
                    values.append(value)
        shown = "" if spans[-1][1] == last else ' visibility="hidden"'
        return (
            f'<g{shown}><animate attributeName="visibility" values="{";".join(values)}" '
            f'keyTimes="{";".join(times)}" dur="{total:g}s" calcMode="discrete" '
            'repeatCount="indefinite"/>'
        )


def gaps(
    before: list[Leaf], after: list[Leaf]
) -> Iterator[tuple[tuple[int, int, int], tuple[int, int]]]:
    """What is new, each with the run of old leaves that follows it.

    Yields (first unmatched old, first old of the run, its end), (first new, end of the new).
    """
    start = 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    runs = [(0, 0, start)] if start else []
    runs += [
        (start + one.a, start + one.b, one.size)
        for one in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
        if one.size
    ]
    runs.append((len(before) - end, len(after) - end, end))
    old_at = new_at = 0
    for old_run, new_run, size in runs:
        yield (old_at, old_run, old_run + size), (new_at, new_run)
        old_at, new_at = old_run + size, new_run + size


def closing(tag: str) -> str:
    """The tag that closes a container."""
    return f"</{re.split(r'[^a-zA-Z]', tag[1:], maxsplit=1)[0]}>"
