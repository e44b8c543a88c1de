"""The island as text: 17 rows of 72 columns, in colours where a terminal has them.

A hex is twelve columns wide. Nodes stand at its corners, edges between them; the numbers of
places are the same as in the notation of actions, and are shown where something can be put.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ludex.core.paint import paint
from ludex.worlds.catan.values import (
    DESERT,
    EDGES,
    ENDS,
    HARBOUR_EDGES,
    HEX_PLACES,
    HEXES,
    HEXES_AT,
    NODE_PLACES,
    NODES,
    PIPS,
    RESOURCES,
    argument_of,
    robber_of,
    type_of,
)

WIDTH, ROWS = 72, 17
CENTRE = 35
STEP = 6  # columns of a step of the lattice to the right
LANDS = ("#b5542e", "#80838c", "#8fbf55", "#e0bb3c", "#2f6d40", "#d8c594")
"""what grounds of hexes are painted with, by kind"""
INKS = ("#ffffff", "#ffffff", "#14260a", "#2b2200", "#ffffff", "#3a3117")
SEATS = ("#d8402f", "#3f7fd6", "#ee9032", "#f2f2ec")
SEAT_INKS = ("#ffffff", "#ffffff", "#201000", "#202020")
SEA = "#5f9ec0"
RED = "#d0201a"
SITE = ("#000000", "#ffe94a")
"""ink and ground of a number that can be typed"""
NODE_ROWS = sorted({y for _, y in NODE_PLACES})
"""how far down the rows of nodes lie in the lattice"""


@dataclass(frozen=True, slots=True)
class Sites:
    """The places whose numbers are shown."""

    nodes: frozenset[int] = frozenset()
    edges: frozenset[int] = frozenset()
    hexes: frozenset[int] = frozenset()

    @classmethod
    def of(cls, actions: Iterable[Any]) -> Sites:
        """Those where one of these actions can put something."""
        nodes, edges, hexes = set(), set(), set()
        for action in actions:
            match type_of(action):
                case "settlement" | "city":
                    nodes.add(argument_of(action))
                case "road":
                    edges.add(argument_of(action))
                case "knight" | "robber":
                    hexes.add(robber_of(action)[0])
        return cls(frozenset(nodes), frozenset(edges), frozenset(hexes))


NOWHERE = Sites()
EVERYWHERE = Sites(*(frozenset(range(count)) for count in (NODES, EDGES, HEXES)))


@dataclass(slots=True)
class Canvas:
    """Signs with their colours."""

    signs: list[list[str]] = field(default_factory=lambda: [[" "] * WIDTH for _ in range(ROWS)])
    looks: list[list[tuple[str, ...]]] = field(
        default_factory=lambda: [[()] * WIDTH for _ in range(ROWS)]
    )

    def write(self, row: int, column: int, text: str, *look: str) -> None:
        """Write from a column on, in an ink, on a ground and in styles; "" leaves the ground."""
        for place, sign in enumerate(text, column):
            self.signs[row][place] = sign
            if look or not self.looks[row][place]:
                ground = self.looks[row][place][1] if len(self.looks[row][place]) > 1 else ""
                ink, own, *styles = (*look, "", "")[: max(2, len(look))]
                self.looks[row][place] = (ink, own or ground, *styles)

    def lines(self) -> list[str]:
        return [self.line(row).rstrip() for row in range(ROWS)]

    def line(self, row: int) -> str:
        """A row, with each run of signs of one look painted together."""
        text, run, look = "", "", self.looks[row][0]
        for sign, one in zip(self.signs[row], self.looks[row], strict=True):
            if one != look:
                text += paint(run, *look) if look else run
                run, look = "", one
            run += sign
        return text + (paint(run, *look) if look else run.rstrip())


def node_cell(node: int) -> tuple[int, int]:
    """Row and column of a node."""
    x, y = NODE_PLACES[node]
    rank = NODE_ROWS.index(y)
    return rank + rank // 2, CENTRE + STEP * x


def board_lines(table: Any, sites: Sites) -> list[str]:
    """The map, row by row."""
    canvas = Canvas()
    for hexagon in range(HEXES):
        draw_hex(canvas, table, hexagon, sites)
    owners = {edge: seat for seat in range(table.seats) for edge in table.roads(seat)}
    for edge in range(EDGES):
        draw_edge(canvas, edge, owners.get(edge))
    for harbour in range(len(HARBOUR_EDGES)):
        draw_harbour(canvas, table, harbour)
    for node in range(NODES):
        canvas.write(*node_cell(node), "@" if node in HARBOUR_NODES else "o", "", "", "dim")
    for seat in range(table.seats):
        for node in table.settlements(seat):
            draw_building(canvas, node, "s", seat, node in sites.nodes)
        for node in table.cities(seat):
            draw_building(canvas, node, "C", seat, False)
    built = {n for one in range(table.seats) for n in (*table.settlements(one), *table.cities(one))}
    for node in sites.nodes - built:
        row, column = node_cell(node)
        canvas.write(row, column - 1, f"{node:>2}", *SITE)
    for edge in sites.edges - set(owners):
        draw_number(canvas, edge)
    return canvas.lines()


HARBOUR_NODES = frozenset(node for edge in HARBOUR_EDGES for node in ENDS[edge])


def draw_hex(canvas: Canvas, table: Any, hexagon: int, sites: Sites) -> None:
    x, y = HEX_PLACES[hexagon]
    row, column = 8 + y, CENTRE + STEP * x
    number, land = table.number[hexagon], table.terrain[hexagon]
    ink, ground = INKS[land], LANDS[land]
    for line, half in ((row - 1, 3), (row, 5), (row + 1, 2)):
        canvas.write(line, column - half, " " * (2 * half + 1), ink, ground)
    name = "desert" if land == DESERT else RESOURCES[land]
    canvas.write(row, column - 4, f"{name:<6}", ink, ground)
    if number:
        loud = (RED, "#ffffff", "bold") if number in (6, 8) else (ink, ground, "bold")
        canvas.write(row, column + 2, f"{number:>2}", *loud)
        canvas.write(row + 1, column - 2, f"{'.' * PIPS[number]:^5}", ink, ground)
    is_site = hexagon in sites.hexes
    if table.robber == hexagon:
        word = "ROB" if is_site else "ROBBER"
        canvas.write(row - 1, column - 3, word, "#ffffff", "#000000", "bold")
    if is_site:
        text = f"#{hexagon}"
        canvas.write(row - 1, column + 4 - len(text), text, *SITE)


def draw_edge(canvas: Canvas, edge: int, owner: int | None) -> None:
    """A line between two nodes, or a road with the number of its seat."""
    (top, left), (bottom, right) = sorted(map(node_cell, ENDS[edge]))
    look = ("", "", "dim") if owner is None else (SEAT_INKS[owner], SEATS[owner])
    if left == right:
        text = "|" if owner is None else f"={owner}="
        canvas.write(top + 1, left - len(text) // 2, text, *look)
        return
    # The upper node is at the left or at the right of the lower one.
    if right > left:
        canvas.write(top, left + 1, "-._" if owner is None else f"={owner}=", *look)
        canvas.write(bottom, left + 4, "'-" if owner is None else "==", *look)
    else:
        canvas.write(top, left - 3, "_.-" if owner is None else f"={owner}=", *look)
        canvas.write(bottom, left - 5, "-'" if owner is None else "==", *look)


def draw_number(canvas: Canvas, edge: int) -> None:
    """The number of an edge, apart from those of its nodes."""
    (top, left), (_, right) = sorted(map(node_cell, ENDS[edge]))
    row, column = top, left + 2
    if left == right:
        row, column = top + 1, left - 1
    elif right < left:
        column = left - 4
        canvas.write(top, left - 2, "-")
    canvas.write(row, column, f"{edge:>2}", *SITE)


def draw_harbour(canvas: Canvas, table: Any, harbour: int) -> None:
    """What a harbour trades, out at sea beside its edge."""
    edge, kind = HARBOUR_EDGES[harbour], table.harbour[harbour]
    word = "3:1" if kind == DESERT else RESOURCES[kind]
    (top, left), (bottom, right) = sorted(map(node_cell, ENDS[edge]))
    (land,) = set(HEXES_AT[ENDS[edge][0]]) & set(HEXES_AT[ENDS[edge][1]])
    is_west = 2 * (CENTRE + STEP * HEX_PLACES[land][0]) > left + right
    is_north = 2 * (8 + HEX_PLACES[land][1]) > top + bottom
    # Beside a vertical edge, else beside the node that is farther out.
    row, column, gap = top + 1, left, 2
    if left != right:
        row, column, gap = (top, left, 5) if is_north else (bottom, right, 4)
        gap -= row in (0, ROWS - 1)  # there the next hex is near
    place = column - gap - len(word) if is_west else column + gap
    canvas.write(row, place, word, SEA if kind == DESERT else LANDS[kind], "", "bold")


def draw_building(canvas: Canvas, node: int, letter: str, seat: int, is_site: bool) -> None:
    """A building with its seat, or with its own number where it can grow."""
    row, column = node_cell(node)
    text = f"{letter}{node}" if is_site else f"{letter}{seat}"
    look = (SEAT_INKS[seat], SEATS[seat], "bold", *(("underline",) if is_site else ()))
    canvas.write(row, column - 1, text, *look)
