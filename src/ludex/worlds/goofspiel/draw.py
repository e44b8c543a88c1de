"""Pictures of goofspiel."""

from __future__ import annotations

from ludex.worlds.goofspiel.rules import State

STEP, ROW, LEFT = 50, 78, 74
INK, FAINT, CLOTH = "#2b2d33", "#8a8f99", "#f3efe6"
COLOURS = ("#3366b0", "#c2571a", "#3f8f4f", "#8a4fa3")
GOLD = "#c99a1c"


def status(state: State) -> str:
    if state.prize:
        return f"all bid for prize {state.prize}"
    return "a prize is about to be turned up" if state.deck else "the game is over"


def draw_text(state: State, cards: int) -> str:
    """One row per seat; a dot is a card that was played, and + the prize bid for."""
    rows = [
        f"seat {seat}: {row(hand, cards)}  {points} points"
        for seat, (hand, points) in enumerate(zip(state.hands, state.points, strict=True))
    ]
    marks = [f"{card}+" if card == state.prize else f"{card} " for card in range(1, cards + 1)]
    left = {*state.deck, state.prize}
    prizes = "".join(mark if int(mark[0]) in left else ". " for mark in marks).rstrip()
    return "\n".join([*rows, f"prizes: {prizes}", status(state)])


def row(hand: tuple[int, ...], cards: int) -> str:
    return " ".join(str(card) if card in hand else "." for card in range(1, cards + 1))


def draw_svg(state: State, cards: int) -> str:
    """A row of cards per seat and one of prizes; the prize bid for is golden."""
    width = LEFT + STEP * cards + 74
    height = 52 + ROW * (len(state.hands) + 1)
    parts = [
        f'<rect width="{width}" height="{height}" rx="10" fill="{CLOTH}"/>',
        f'<text x="16" y="30" font-size="15" font-weight="bold" fill="{INK}">'
        f"{status(state)}</text>",
    ]
    parts += label(0, "prizes", "")
    for index in range(cards):
        prize = index + 1
        colour = GOLD if prize == state.prize else FAINT
        parts.append(card(index, 0, prize, colour, prize in state.deck, prize == state.prize))
    for seat, hand in enumerate(state.hands):
        parts += label(seat + 1, f"seat {seat}", str(state.points[seat]))
        for index in range(cards):
            held = index + 1 in hand
            parts.append(card(index, seat + 1, index + 1, COLOURS[seat], held, False))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif">{"".join(parts)}</svg>'
    )


def label(line: int, name: str, points: str) -> list[str]:
    """The name before a row and the points behind it."""
    y = 50 + ROW * line + 36
    return [
        f'<text x="16" y="{y}" font-size="13" fill="{INK}">{name}</text>',
        f'<text x="100%" dx="-18" y="{y + 3}" font-size="22" text-anchor="end" '
        f'fill="{INK}">{points}</text>',
    ]


def card(index: int, line: int, number: int, colour: str, here: bool, filled: bool) -> str:
    """A card in hand, the golden prize, or the outline of one that is gone."""
    x, y = LEFT + STEP * index, 50 + ROW * line
    if not here and not filled:
        return (
            f'<rect x="{x}" y="{y}" width="42" height="60" rx="6" fill="none" stroke="{FAINT}" '
            'stroke-opacity="0.5" stroke-dasharray="4 4"/>'
        )
    back, ink = (colour, "#ffffff") if filled else ("#ffffff", colour)
    return (
        f'<rect x="{x}" y="{y}" width="42" height="60" rx="6" fill="{back}" '
        f'stroke="{colour}" stroke-width="1.5"/>'
        f'<text x="{x + 21}" y="{y + 39}" font-size="24" font-weight="bold" '
        f'text-anchor="middle" fill="{ink}">{number}</text>'
    )
