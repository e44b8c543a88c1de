"""Pictures of the board, the pieces, the hands and what happened last, as SVG."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ludex.worlds.catan.board_text import NOWHERE, Sites
from ludex.worlds.catan.notation import counts_text
from ludex.worlds.catan.table_text import (
    awards_of,
    cards_text,
    counted,
    hand_text,
    log,
    points_text,
    status,
)
from ludex.worlds.catan.values import (
    CORNERS,
    DESERT,
    ENDS,
    HARBOUR_EDGES,
    HEX_PLACES,
    HEXES,
    HEXES_AT,
    NODE_PLACES,
    PIPS,
    RESOURCES,
)

SCALE = 50.0  # half the height of a hex
LANDS = ("#c4643c", "#8d8f96", "#a9d36b", "#f0cf57", "#3f7f4f", "#e3d3a4")
SEA = "#8fc1de"
SEATS = ("#c0392b", "#2463b0", "#e8862e", "#f7f7f2")
RIMS = ("#6e1f17", "#123564", "#8c4a0f", "#6f6f68")
INKS = ("#1f1f1f", "#1f1f1f", "#1f1f1f", "#1f1f1f", "#f6f4ea", "#1f1f1f")
"""of names on the lands"""
BOARD_WIDTH, BOARD_HEIGHT = 560, 560
PANEL = 330
MOST_LOG = 5  # lines: the dice, and what each of four seats gets
RED = "#b3261e"


def place(x: float, y: float) -> tuple[float, float]:
    """A point of the lattice in pixels."""
    return BOARD_WIDTH / 2 + x * SCALE * sqrt(3) / 2, BOARD_HEIGHT / 2 + y * SCALE / 2


def node_place(node: int) -> tuple[float, float]:
    return place(*NODE_PLACES[node])


def draw_svg(table: Any, seat: int | None, sites: Sites = NOWHERE) -> str:
    """The island in the sea with all pieces, and a panel for every seat beside it."""
    width = BOARD_WIDTH + PANEL
    parts = [
        f'<rect width="{width}" height="{BOARD_HEIGHT}" fill="#fbfaf6"/>',
        f'<rect x="8" y="8" width="{BOARD_WIDTH - 16}" height="{BOARD_HEIGHT - 16}" rx="26" '
        f'fill="{SEA}"/>',
    ]
    parts += [harbour_svg(table, harbour) for harbour in range(len(HARBOUR_EDGES))]
    parts += [hex_svg(table, hexagon) for hexagon in range(HEXES)]
    for one in range(table.seats):
        parts += [road_svg(edge, one) for edge in table.roads(one)]
    for one in range(table.seats):
        parts += [settlement_svg(node, one) for node in table.settlements(one)]
        parts += [city_svg(node, one) for node in table.cities(one)]
    parts.append(robber_svg(table.robber))
    parts += numbers_svg(sites)
    parts += [panel_svg(table, one, seat) for one in range(table.seats)]
    parts += foot_svg(table, seat)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {BOARD_HEIGHT}" '
        f'font-family="sans-serif"><title>{status(table)}</title>{"".join(parts)}</svg>'
    )


def points_of(nodes: tuple[int, ...]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(node_place, nodes))


def hex_svg(table: Any, hexagon: int) -> str:
    x, y = place(*HEX_PLACES[hexagon])
    number, land = table.number[hexagon], table.terrain[hexagon]
    parts = [
        f'<polygon points="{points_of(CORNERS[hexagon])}" fill="{LANDS[land]}" stroke="#f4ead0" '
        'stroke-width="4" stroke-linejoin="round"/>'
    ]
    name = "desert" if land == DESERT else RESOURCES[land]
    parts.append(
        f'<text x="{x:.1f}" y="{y - 22:.1f}" text-anchor="middle" font-size="10.5" '
        f'fill="{INKS[land]}">{name}</text>'
    )
    if number:
        colour = RED if number in (6, 8) else "#222"
        dots = "".join(
            f'<circle cx="{x + 4 * (dot - (PIPS[number] - 1) / 2):.1f}" cy="{y + 9:.1f}" r="1.4" '
            f'fill="{colour}"/>'
            for dot in range(PIPS[number])
        )
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="15" fill="#f8f1dc" stroke="#8a7a54"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="14" '
            f'font-weight="bold" fill="{colour}">{number}</text>{dots}'
        )
    return "".join(parts)


def outward(edge: int) -> tuple[float, float]:
    """The middle of a coastal edge moved out to sea."""
    a, b = ENDS[edge]
    (land,) = set(HEXES_AT[a]) & set(HEXES_AT[b])
    ax, ay = node_place(a)
    bx, by = node_place(b)
    cx, cy = place(*HEX_PLACES[land])
    mx, my = (ax + bx) / 2, (ay + by) / 2
    return mx + 0.75 * (mx - cx), my + 0.75 * (my - cy)


def harbour_svg(table: Any, harbour: int) -> str:
    edge = HARBOUR_EDGES[harbour]
    x, y = outward(edge)
    kind = table.harbour[harbour]
    colour, ink = ("#ffffff", "#1f1f1f") if kind == DESERT else (LANDS[kind], INKS[kind])
    word, rate = ("any", "3:1") if kind == DESERT else (RESOURCES[kind], "2:1")
    lines = "".join(
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{nx:.1f}" y2="{ny:.1f}" stroke="#7a5230" '
        'stroke-width="3"/>'
        for nx, ny in map(node_place, ENDS[edge])
    )
    return (
        f'{lines}<circle cx="{x:.1f}" cy="{y:.1f}" r="17" fill="{colour}" stroke="#7a5230" '
        'stroke-width="2"/>'
        f'<text x="{x:.1f}" y="{y - 1:.1f}" text-anchor="middle" font-size="10" '
        f'font-weight="bold" fill="{ink}">{rate}</text>'
        f'<text x="{x:.1f}" y="{y + 9:.1f}" text-anchor="middle" font-size="9" '
        f'fill="{ink}">{word}</text>'
    )


def road_svg(edge: int, seat: int) -> str:
    (ax, ay), (bx, by) = (node_place(node) for node in ENDS[edge])
    # Shortened at both ends, so that roads that meet can be told apart.
    dx, dy = 0.16 * (bx - ax), 0.16 * (by - ay)
    line = f'x1="{ax + dx:.1f}" y1="{ay + dy:.1f}" x2="{bx - dx:.1f}" y2="{by - dy:.1f}"'
    return (
        f'<line {line} stroke="{RIMS[seat]}" stroke-width="9" stroke-linecap="round"/>'
        f'<line {line} stroke="{SEATS[seat]}" stroke-width="6" stroke-linecap="round"/>'
    )


def settlement_svg(node: int, seat: int) -> str:
    x, y = node_place(node)
    outline = [(-8, 8), (-8, -3), (0, -11), (8, -3), (8, 8)]
    return piece_svg(x, y, outline, seat)


def city_svg(node: int, seat: int) -> str:
    x, y = node_place(node)
    outline = [(-13, 9), (-13, -2), (-2, -2), (-2, -9), (5, -16), (12, -9), (12, 9)]
    return piece_svg(x, y, outline, seat)


def piece_svg(x: float, y: float, outline: list[tuple[int, int]], seat: int) -> str:
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in outline)
    return (
        f'<polygon points="{points}" fill="{SEATS[seat]}" stroke="{RIMS[seat]}" '
        'stroke-width="2" stroke-linejoin="round"/>'
    )


def robber_svg(hexagon: int) -> str:
    x, y = place(*HEX_PLACES[hexagon])
    return (
        f'<g fill="#2b2b2b" stroke="#ffffff" stroke-width="1.5">'
        f'<ellipse cx="{x + 22:.1f}" cy="{y + 8:.1f}" rx="8" ry="13"/>'
        f'<circle cx="{x + 22:.1f}" cy="{y - 10:.1f}" r="6.5"/></g>'
    )


def numbers_svg(sites: Sites) -> list[str]:
    """The numbers of places, as the notation of actions names them."""
    middles = [[node_place(node) for node in ENDS[edge]] for edge in sorted(sites.edges)]
    parts = [
        badge_svg((ax + bx) / 2, (ay + by) / 2, f"{edge}", "#ffffff")
        for edge, ((ax, ay), (bx, by)) in zip(sorted(sites.edges), middles, strict=True)
    ]
    parts += [badge_svg(*node_place(node), f"{node}", "#ffe94a") for node in sorted(sites.nodes)]
    for hexagon in sorted(sites.hexes):
        x, y = place(*HEX_PLACES[hexagon])
        parts.append(badge_svg(x, y + 24, f"#{hexagon}", "#ffd7d0"))
    return parts


def badge_svg(x: float, y: float, text: str, colour: str) -> str:
    return (
        f'<rect x="{x - 9:.1f}" y="{y - 7:.1f}" width="18" height="14" rx="4" fill="{colour}" '
        'stroke="#333" stroke-width="0.8" fill-opacity="0.92"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="10" '
        f'fill="#111">{text}</text>'
    )


def panel_svg(table: Any, seat: int, reader: int | None) -> str:
    top, left = 12 + 104 * seat, BOARD_WIDTH + 4
    mark = ' stroke="#222" stroke-width="2.5"' if table.acting == seat else ' stroke="#c9c4b4"'
    name = f"seat {seat}" + (" (you)" if seat == reader else "")
    lines = [
        f"hand: {hand_text(table, seat, reader)}",
        f"cards: {cards_text(table, seat, reader)}",
        f"left: {counted(table.roads_left(seat), 'road')}, "
        f"{counted(table.settlements_left(seat), 'settlement')}, "
        f"{counted(table.cities_left(seat), 'city', 'cities')}; road of {table.longest(seat)}",
        "; ".join([f"{counted(table.played(seat)[0], 'knight')} played", *awards_of(table, seat)]),
    ]
    rows = "".join(
        f'<text x="{left + 12}" y="{top + 42 + 15 * i}" font-size="11.5" fill="#333">{line}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<rect x="{left}" y="{top}" width="{PANEL - 16}" height="98" rx="8" fill="#ffffff"{mark}/>'
        f'<rect x="{left + 10}" y="{top + 10}" width="14" height="14" rx="3" '
        f'fill="{SEATS[seat]}" stroke="{RIMS[seat]}"/>'
        f'<text x="{left + 32}" y="{top + 22}" font-size="14" font-weight="bold" fill="#222">'
        f"{name}</text>"
        f'<text x="{left + PANEL - 28}" y="{top + 22}" font-size="14" text-anchor="end" '
        f'fill="#222">{points_text(table, seat, reader)}</text>{rows}'
    )


def foot_svg(table: Any, seat: int | None) -> list[str]:
    left, top = BOARD_WIDTH + 8, 12 + 104 * 4 + 12
    bank = "endless" if table.endless else counts_text(table.bank)
    lines = [
        status(table),
        f"bank: {bank}",
        f"pile: {counted(table.deck_size, 'card')}",
        *log(table, seat)[:MOST_LOG],
    ]
    return [
        f'<text x="{left}" y="{top + 15 * i}" font-size="11.5" fill="#333">{line}</text>'
        for i, line in enumerate(lines)
    ]
