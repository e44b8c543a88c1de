"""What many events come to, in one short line for every seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludex.core.event import Event
from ludex.worlds.catan.events import person, s
from ludex.worlds.catan.notation import counts_text
from ludex.worlds.catan.values import CARDS, RESOURCES

TURN = (
    "roll",
    "end",
    "settlement",
    "city",
    "road",
    "buy",
    "knight",
    "robber",
    "plenty",
    "monopoly",
    "roads",
    "trade",
    "offer",
)
"""what only the seat whose turn it is does"""


def sum_up(events: Sequence[Event], reader: int) -> list[str]:
    """A line for what happened in the turns of each seat; cards that others get are left out.

    >>> sum_up([Event("roll", 1), Event("dice", None, (8,)), Event("road", 1, (4,))], 0)
    ['seat 1: dice 8; road 4']
    """
    turns: dict[int | None, list[str]] = {None: []}
    seat = None
    for event, count in counted_discards(events):
        seat = event.seat if event.kind in TURN else seat
        text = discarded(event, count, reader) if count else brief(event, reader)
        turns.setdefault(seat, []).extend([text] if text else [])
    return [
        "; ".join(words) if seat is None else f"{person(seat, reader)}: {'; '.join(words)}"
        for seat, words in turns.items()
        if words
    ]


def counted_discards(events: Iterable[Event]) -> list[tuple[Event, int]]:
    """The events, with the discards of a seat as one: its detail has all kinds that are known."""
    found: list[tuple[Event, int]] = []
    for event in events:
        if event.kind != "discard":
            found.append((event, 0))
            continue
        known: Any = event.detail
        last, count = found[-1] if found else (event, 0)
        if count and last.seat == event.seat:
            before: Any = last.detail
            found[-1] = (Event("discard", event.seat, (*before, *known)), count + 1)
        else:
            found.append((event, 1))
    return found


def discarded(event: Event, count: int, reader: int) -> str:
    known: Any = event.detail
    cards = f"{count} card{'s' * (count > 1)}"
    if len(known) == count:
        cards = counts_text(tuple(known.count(kind) for kind in range(len(RESOURCES))))
    return event.told(reader, "discard", cards)


def brief(event: Event, reader: int) -> str:
    """An event in a few words behind the seat whose turn it is; nothing where it matters less."""
    detail: Any = event.detail
    ending = s(event, reader)
    match event.kind:
        case "dice":
            return f"dice {detail[0]}"
        case "gain" | "lose" if event.seat == reader:
            return f"you {'get' if event.kind == 'gain' else 'lose'} {counts_text(detail)}"
        case "settlement" | "city" | "road":
            return f"{event.kind} {detail[0]}"
        case "knight" | "robber":
            return f"{event.kind} to hex {detail[0]}"
        case "steal":
            card = RESOURCES[detail[1]] if len(detail) > 1 else "a card"
            return f"steal{ending} {card} from {person(detail[0], reader)}"
        case "buy":
            return f"buy{ending} a card"
        case "draw" if detail:
            return f"draw{ending} {CARDS[detail[0]]}"
        case "plenty":
            return f"plenty: {' and '.join(RESOURCES[kind] for kind in detail)}"
        case "monopoly":
            return f"monopoly on {RESOURCES[detail[0]]} for {sum(detail[1])}"
        case "roads":
            return "road building"
        case "trade":
            give, want, rate = detail
            return f"trade{ending} {rate} {RESOURCES[give]} for {RESOURCES[want]}"
        case "offer":
            to, given, wanted = detail
            return (
                f"offer{ending} {person(to, reader)} {counts_text(given)} for {counts_text(wanted)}"
            )
        case "accept" | "reject":
            return event.told(reader, event.kind)
        case "win":
            return f"win{ending} with {detail[0]} points"
    return ""
