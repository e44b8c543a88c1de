"""Pictures of Kuhn poker, from the cards that may be seen and the betting."""

from __future__ import annotations

from ludex.worlds.kuhn_poker.rules import CARDS, CHOICES, FOLDED, SHOWDOWNS, WORDS

WIDTH, HEIGHT = 380, 250
COLOURS = {"J": "#3366b0", "Q": "#8a4fa3", "K": "#b3261e"}


def chips(course: str, seat: int) -> int:
    """What a seat has put into the pot: its ante, and one for a bet or a call."""
    return 1 + sum(letter in "bc" for index, letter in enumerate(course) if index % 2 == seat)


def status(cards: tuple[str, ...], course: str) -> str:
    if course in FOLDED:
        return f"seat {FOLDED[course]} wins the pot: the other folded"
    if course in SHOWDOWNS:
        winner = 0 if CARDS.index(cards[0]) > CARDS.index(cards[1]) else 1
        return f"seat {winner} wins the showdown"
    if not any(cards):
        return "the cards are not dealt yet"
    return f"seat {len(course) % 2} to {' or '.join(reversed(CHOICES[course]))}"


def draw_text(cards: tuple[str, ...], course: str) -> str:
    rows: list[str] = []
    for seat, card in enumerate(cards):
        moves = [WORDS[letter] for index, letter in enumerate(course) if index % 2 == seat]
        face = f"[{card or ' '}]"
        rows.append(
            f"seat {seat} {face} {'o' * chips(course, seat):<2} {', '.join(moves)}".rstrip()
        )
    return "\n".join([*rows, status(cards, course)])


def draw_svg(cards: tuple[str, ...], course: str) -> str:
    """Two cards on green cloth, the chips before them, the moves beside them."""
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="14" fill="#1f6b4a"/>',
        f'<rect x="8" y="8" width="{WIDTH - 16}" height="{HEIGHT - 16}" rx="10" fill="none" '
        'stroke="#ffffff" stroke-opacity="0.25"/>',
        f'<text x="{WIDTH // 2}" y="{HEIGHT - 22}" font-size="15" text-anchor="middle" '
        f'fill="#ffffff">{status(cards, course)}</text>',
    ]
    for seat, card in enumerate(cards):
        middle = 105 + 170 * seat
        moves = [WORDS[letter] for index, letter in enumerate(course) if index % 2 == seat]
        parts.append(
            f'<text x="{middle}" y="34" font-size="13" text-anchor="middle" fill="#ffffff" '
            f'fill-opacity="0.85">{", ".join([f"seat {seat}", *moves])}</text>'
        )
        parts.append(picture(card, middle - 35, 46))
        for chip in range(chips(course, seat)):
            x = middle - 12 * (chips(course, seat) - 1) + 24 * chip
            parts.append(
                f'<circle cx="{x}" cy="178" r="10" fill="#e8b53a"/><circle cx="{x}" cy="178" '
                'r="6.5" fill="none" stroke="#ffffff" stroke-dasharray="3 2"/>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">{"".join(parts)}</svg>'
    )


def picture(card: str, x: int, y: int) -> str:
    """A card: its face, its back when it may not be seen, an outline before the deal."""
    if not card:
        return (
            f'<rect x="{x}" y="{y}" width="70" height="104" rx="7" fill="none" '
            'stroke="#ffffff" stroke-opacity="0.5" stroke-dasharray="5 4"/>'
        )
    if card == "?":
        return (
            f'<rect x="{x}" y="{y}" width="70" height="104" rx="7" fill="#ffffff"/>'
            f'<rect x="{x + 6}" y="{y + 6}" width="58" height="92" rx="4" fill="#27456e"/>'
            f'<path d="M{x + 6} {y + 52} l29 -46 l29 46 l-29 46 z" fill="none" '
            'stroke="#ffffff" stroke-opacity="0.5" stroke-width="2"/>'
        )
    return (
        f'<rect x="{x}" y="{y}" width="70" height="104" rx="7" fill="#ffffff"/>'
        f'<text x="{x + 9}" y="{y + 21}" font-size="16" font-weight="bold" '
        f'fill="{COLOURS[card]}">{card}</text>'
        f'<text x="{x + 35}" y="{y + 70}" font-size="46" text-anchor="middle" '
        f'font-weight="bold" fill="{COLOURS[card]}">{card}</text>'
    )
