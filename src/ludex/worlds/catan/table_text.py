"""The seats, hands and the situation in words, and drawings of everything as text."""

from __future__ import annotations

from typing import Any

from ludex.core.paint import paint
from ludex.worlds.catan._native import State
from ludex.worlds.catan.board_text import SEAT_INKS, SEATS, Sites, board_lines
from ludex.worlds.catan.events import events_of, told
from ludex.worlds.catan.notation import counts_text
from ludex.worlds.catan.values import CARDS, COSTS, RESOURCES, offer_of

SCARCE = 3  # cards of a kind in the bank of which a player is told
CELL = 39  # columns of a seat, of which two stand in a line


def draw_text(table: Any, seat: int | None, sites: Sites) -> str:
    """The board as a map, then a line for every seat, the situation and the last event."""
    lines = board_lines(table, sites)
    lines += [seat_line(table, one, seat) for one in range(table.seats)]
    lines.append(bank_line(table))
    lines.append(status(table))
    return "\n".join([*lines, *(f"  {line}" for line in log(table, seat))])


def hand_lines(table: Any, seat: int) -> list[str]:
    """What a player wants to see at every decision, in five lines of 80 columns."""
    cells = [seat_cell(table, one, seat) for one in range(table.seats)]
    rows = ["".join(cells[place : place + 2]).rstrip() for place in range(0, len(cells), 2)]
    held = f"hand: {hand_text(table, seat, seat)}"
    cards = f"cards: {cards_text(table, seat, seat)}"
    left = ", ".join(
        (
            counted(table.roads_left(seat), "road"),
            counted(table.settlements_left(seat), "settlement"),
            counted(table.cities_left(seat), "city", "cities"),
        )
    )
    return [
        *rows,
        f"{paint(held, '', '', 'bold')}   {cards}",
        f"left: {left}   bank takes {rates_text(table, seat)}",
        f"{status(table, seat)}   pile {table.deck_size}{shortage(table)}",
    ]


def seat_cell(table: Any, seat: int, reader: int) -> str:
    """A seat in half a line: points, cards in hand and development cards, road, knights."""
    chip = paint(f" {seat} ", SEAT_INKS[seat], SEATS[seat], "bold")
    points = table.points(seat) if seat == reader else table.visible_points(seat)
    cards = table.size(seat) + table.laid_size(seat)
    development = table.held_size(seat) + table.fresh_size(seat)
    text = (
        f"{'>' if seat == table.acting else ' '}{'you' if seat == reader else ''} "
        f"{counted(points, 'pt')} {cards}+{development} cards "
        f"road {table.longest(seat)}{'*' * (table.road_holder == seat)} "
        f"army {table.played(seat)[0]}{'*' * (table.army_holder == seat)}"
    )
    return f"{chip}{text:<{CELL - 3}}"


def rates_text(table: Any, seat: int) -> str:
    """What the bank takes for a card.

    >>> from ludex.core import Rng, registry
    >>> rates_text(registry.world("catan").start(Rng(1)), 0)
    '4 for 1'
    """
    rates = table.rates(seat)
    usual = max(rates)
    better = [f"{rate} {RESOURCES[kind]}" for kind, rate in enumerate(rates) if rate < usual]
    return ", ".join([f"{usual}{' of a kind' if better else ''}", *better]) + " for 1"


def bank_text(table: Any) -> str:
    return "endless" if table.endless else counts_text(table.bank)


def bank_line(table: Any) -> str:
    return f"bank: {bank_text(table)}; pile: {counted(table.deck_size, 'card')}"


def shortage(table: Any) -> str:
    """What the bank is about to run out of."""
    short = [f"{n} {RESOURCES[kind]}" for kind, n in enumerate(table.bank) if n <= SCARCE]
    return f"   bank: only {', '.join(short)}" if short and not table.endless else ""


def costs_text() -> str:
    """What can be built and bought, and for what."""
    names = {"buy": "development card"}
    return "\n".join(
        f"{names.get(kind, kind)}: {counts_text(cost)}" for kind, cost in COSTS.items()
    )


def seat_line(table: Any, seat: int, reader: int | None) -> str:
    chip = paint(f"seat {seat}", SEAT_INKS[seat], SEATS[seat], "bold")
    parts = [
        f"{chip}{' (you)' if seat == reader else ''}: {points_text(table, seat, reader)}",
        f"hand {hand_text(table, seat, reader)}",
        f"cards {cards_text(table, seat, reader)}",
        f"road {table.longest(seat)}",
        counted(table.played(seat)[0], "knight"),
        *awards_of(table, seat),
    ]
    return "; ".join(parts)


def awards_of(table: Any, seat: int) -> list[str]:
    holders = (("longest road", table.road_holder), ("largest army", table.army_holder))
    return [word for word, holder in holders if holder == seat]


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Say how many.

    >>> counted(1, "city", "cities"), counted(0, "road")
    ('1 city', '0 roads')
    """
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def points_text(table: Any, seat: int, reader: int | None) -> str:
    points = table.points(seat) if reader in (None, seat) else table.visible_points(seat)
    return counted(points, "point")


def hand_text(table: Any, seat: int, reader: int | None) -> str:
    if reader in (None, seat):
        return counts_text(table.hand(seat))
    return counted(table.size(seat) + table.laid_size(seat), "card")


def cards_text(table: Any, seat: int, reader: int | None) -> str:
    count = table.held_size(seat) + table.fresh_size(seat)
    if reader not in (None, seat):
        return str(count)
    both = [a + b for a, b in zip(table.held(seat), table.fresh(seat), strict=True)]
    return ", ".join(f"{n} {CARDS[card]}" for card, n in enumerate(both) if n) or "0"


def status(table: Any, reader: int | None = None) -> str:
    """What is going on, in a sentence."""
    who = f"seat {table.acting}"
    if table.phase == "over":
        if table.winner is None:
            return "over: nobody has won in time"
        return f"over: seat {table.winner} wins with {table.points(table.winner)} points"
    if table.phase == "answer":
        _, given, wanted = offer_of(table.offer)
        is_reader = table.acting == reader
        return (
            f"turn {table.turn}: seat {table.current} offers {'you' if is_reader else who} "
            f"{counts_text(given)} for {'your ' * is_reader}{counts_text(wanted)}"
        )
    words = {
        "setup_settlement": f"{who} places a settlement",
        "setup_road": f"{who} places a road",
        "before_roll": f"{who} is about to roll",
        "dice": f"the dice of {who} are rolling",
        "discard": f"{who} must discard {table.quota} more",
        "robber": f"{who} moves the robber",
        "steal": f"{who} steals from seat {table.victim}",
        "main": f"{who} trades and builds",
        "draw": f"{who} draws a development card",
        "free_road": f"{who} places a free road",
    }
    return f"turn {table.turn}: {words[table.phase]}"


def log(table: Any, seat: int | None) -> list[str]:
    """What the last step did, where a whole state is drawn."""
    if not isinstance(table, State):
        return []
    events = events_of(table, seat, hidden=False)
    return [line for event in events if (line := told(event, None))]
