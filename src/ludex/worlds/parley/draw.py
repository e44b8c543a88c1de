"""Pictures of parley: everything, or what one seat may see."""

from __future__ import annotations

from typing import NamedTuple

from ludex.worlds.parley.values import (
    GOODS,
    LETTERS,
    SEATS,
    Counts,
    Phase,
    State,
    complete,
    letters,
)
from ludex.worlds.parley.view import ParleyView

COLOURS = ("#d9a441", "#6b7885", "#8fb8de", "#4f8a4c", "#9c3d5a")
INK = "#2b2620"
ICONS = (  # in a square of 16 by 16
    '<path d="M8 15V5M8 5q-4-1-4-5 4 0 4 5 0-5 4-5 0 4-4 5"/>'
    '<path d="M8 10q-4-1-4-4 4 0 4 4 0-4 4-4 0 3-4 4"/>',
    '<path d="M1 12l3-7h11l-3 7zM4 5l3-3h9l-1 3"/>',
    '<path d="M8 1l6 5v4l-6 5-6-5V6zM2 6l6 4 6-4M8 10v5"/>',
    '<path d="M8 1l5 6h-3l4 5H2l4-5H3zM8 12v4"/>',
    '<path d="M4 1h8q0 8-4 8T4 1M8 9v6M4 15h8"/>',
)
CARD_W, CARD_H = 34, 46
PANEL_W, PANEL_H, TOP = 236, 214, 74


class VisibleTable(NamedTuple):
    """What is drawn: cards that are seen as counts, others as a number of backs."""

    hands: tuple[Counts | int, ...]
    pledged: tuple[Counts, ...]
    pile: Counts | int
    turn: int
    plays: int
    talks: int
    phase: Phase
    other: int
    good: int
    want: int


def table_of(state: State) -> VisibleTable:
    return VisibleTable(state.hands, state.pledged, state.pile, *public(state))


def table_seen(view: ParleyView) -> VisibleTable:
    hands = tuple(view.hand if seat == view.seat else n for seat, n in enumerate(view.sizes))
    return VisibleTable(hands, view.pledged, view.pile_size, *public(view))


def public(facts: State | ParleyView) -> tuple[int, int, int, Phase, int, int, int]:
    return facts.turn, facts.plays, facts.talks, facts.phase, facts.other, facts.good, facts.want


def situation(table: VisibleTable, turns: int) -> str:
    """Say in words what the game waits for."""
    roller, other = table.turn % SEATS, table.other
    match table.phase:
        case Phase.MOVE:
            left = f"{table.plays} plays and {table.talks} talks left"
            return f"seat {roller} to move, {left}"
        case Phase.ANSWER:
            goods = f"{GOODS[table.good]} for {GOODS[table.want]}"
            return f"seat {roller} offers seat {other} {goods}; seat {other} answers"
        case Phase.CONSENT:
            return f"seat {roller} proposes a treaty to seat {other}"
        case Phase.DIE:
            return f"seat {roller} rolls the die"
        case Phase.DRAW | Phase.FIRST | Phase.SECOND:
            return f"seat {roller} draws a card"
        case Phase.RETURN:
            return f"seat {roller} puts a card back"
        case Phase.DEMAND:
            return f"seat {roller} demands a card of a rival"
        case Phase.GIVE:
            return f"seat {other} chooses a card for seat {roller}"
    if table.turn == turns:
        return "the congress has dispersed: all lose"
    if other >= 0:
        first, second = sorted((roller, other))
        return f"peace: seats {first} and {second} have signed a treaty"
    return f"seat {roller} shows all five goods and wins alone"


def cards_text(cards: Counts | int) -> str:
    return "?" * cards if isinstance(cards, int) and cards else letters_or_none(cards)


def letters_or_none(cards: Counts | int) -> str:
    return "-" if isinstance(cards, int) else letters(cards)


def acting(table: VisibleTable) -> int:
    if table.phase in (Phase.ANSWER, Phase.CONSENT, Phase.GIVE):
        return table.other
    return -1 if table.phase is Phase.OVER else table.turn % SEATS


def draw_text(table: VisibleTable, turns: int) -> str:
    rows = []
    for seat in range(SEATS):
        mark = ">" if seat == acting(table) else " "
        shown = " ".join(
            letter * max(n, 1) if n else "."
            for letter, n in zip(LETTERS, table.pledged[seat], strict=True)
        )
        rows.append(f"{mark}seat {seat}  hand {cards_text(table.hands[seat]):<10} pledged {shown}")
    pile = table.pile if isinstance(table.pile, int) else sum(table.pile)
    number = min(table.turn + 1, turns)
    head = f"turn {number} of {turns}, {pile} cards in the pile"
    return "\n".join([head, *rows, situation(table, turns)])


def card(x: float, y: float, good: int | None, shade: float = 1.0) -> str:
    """One card: a good with its sign and letter, or the back."""
    frame = f'x="{x:g}" y="{y:g}" width="{CARD_W}" height="{CARD_H}" rx="4"'
    if good is None:
        return (
            f'<rect {frame} fill="#7b6a58" stroke="{INK}"/>'
            f'<rect x="{x + 4:g}" y="{y + 4:g}" width="{CARD_W - 8}" height="{CARD_H - 8}" rx="2" '
            f'fill="none" stroke="#cbb99b" stroke-dasharray="3 2"/>'
        )
    icon = f'<g transform="translate({x + 9:g} {y + 7:g})" fill="none" stroke="#fff" '
    return (
        f'<g opacity="{shade:g}"><rect {frame} fill="{COLOURS[good]}" stroke="{INK}"/>'
        f'{icon}stroke-width="1.4">{ICONS[good]}</g><text x="{x + CARD_W / 2:g}" '
        f'y="{y + CARD_H - 6:g}" font-size="8.5" fill="#fff" text-anchor="middle">'
        f"{GOODS[good]}</text></g>"
    )


def fan(cards: Counts | int, x: float, y: float, width: float) -> str:
    """Cards side by side, closer when there are many."""
    faces: list[int | None]
    if isinstance(cards, int):
        faces = [None] * cards
    else:
        faces = [good for good, n in enumerate(cards) for _ in range(n)]
    gap = min(CARD_W + 4, (width - CARD_W) / max(1, len(faces) - 1))
    return "".join(card(x + gap * index, y, face) for index, face in enumerate(faces))


def pledges(row: Counts, x: float, y: float) -> str:
    """One slot for each good: faint while it is empty, numbered when it holds several."""
    parts = []
    for good, number in enumerate(row):
        left = x + (CARD_W + 6) * good
        parts.append(card(left, y, good, 1.0 if number else 0.16))
        if number > 1:
            parts.append(
                f'<circle cx="{left + CARD_W:g}" cy="{y:g}" r="7" fill="#fff" stroke="{INK}"/>'
                f'<text x="{left + CARD_W:g}" y="{y + 3.5:g}" font-size="10" '
                f'text-anchor="middle">{number}</text>'
            )
    return "".join(parts)


def panel(table: VisibleTable, seat: int, x: float, winners: tuple[int, ...]) -> str:
    """One envoy: its hand above, its pledges below."""
    edge = "#c8102e" if seat == acting(table) else "#b9a98f"
    fill = "#fff3c4" if seat in winners else "#fbf7ef"
    hand = table.hands[seat]
    size = hand if isinstance(hand, int) else sum(hand)
    title = f"seat {seat}" + (" — winner" if seat in winners else "")
    return (
        f'<rect x="{x:g}" y="{TOP}" width="{PANEL_W}" height="{PANEL_H}" rx="8" fill="{fill}" '
        f'stroke="{edge}" stroke-width="{3 if seat == acting(table) else 1.5}"/>'
        f'<text x="{x + 14:g}" y="{TOP + 26}" font-size="16" font-weight="bold">{title}</text>'
        f'<text x="{x + 14:g}" y="{TOP + 50}" font-size="11" fill="#6d6256">hand: {size}</text>'
        f"{fan(hand, x + 14, TOP + 58, PANEL_W - 28)}"
        f'<text x="{x + 14:g}" y="{TOP + 136}" font-size="11" fill="#6d6256">pledged</text>'
        f"{pledges(table.pledged[seat], x + 14, TOP + 146)}"
    )


def draw_svg(table: VisibleTable, turns: int) -> str:
    """Three panels below a line that says what happens; the acting seat has a red frame."""
    width, height = SEATS * (PANEL_W + 14) + 14, TOP + PANEL_H + 14
    pile = table.pile if isinstance(table.pile, int) else sum(table.pile)
    winners: tuple[int, ...] = ()
    if table.phase is Phase.OVER and table.turn < turns:
        roller = table.turn % SEATS
        winners = (roller,) if table.other < 0 else (roller, table.other)
    number = min(table.turn + 1, turns)
    panels = "".join(
        panel(table, seat, 14 + seat * (PANEL_W + 14), winners) for seat in range(SEATS)
    )
    ready = [
        f"{a}+{b}"
        for a in range(SEATS)
        for b in range(a + 1, SEATS)
        if complete(table.pledged[a], table.pledged[b])
    ]
    note = f"treaty possible: {', '.join(ready)}" if ready and not winners else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" fill="{INK}">'
        f'<rect width="{width}" height="{height}" fill="#e9dfcd"/>'
        f'<text x="16" y="30" font-size="17" font-weight="bold">{situation(table, turns)}</text>'
        f'<text x="16" y="54" font-size="12.5" fill="#6d6256">turn {number} of {turns}, '
        f"{pile} cards in the pile</text>"
        f'<text x="{width - 16}" y="54" font-size="12.5" fill="#2e6b2e" text-anchor="end">{note}'
        f"</text>{panels}</svg>"
    )
