"""What happens at the table, told to a human."""

from __future__ import annotations

from ludex.core.event import Event
from ludex.worlds.parley.values import GOODS


def told(event: Event, reader: int) -> str | None:
    """Say in one line what an event of parley means; None when it is none.

    >>> told(Event("offer", 0, (1, 2, 0)), 2), told(Event("draw", 0, ()), 2)
    ('seat 0 offers seat 1 salt for grain', 'seat 0 draws a card')
    """
    detail = event.detail if isinstance(event.detail, tuple) else ()
    match event.kind, detail:
        case "roll", ():
            return event.told(reader, "roll")
        case "weather", ():
            return "no storm comes"
        case "weather", (good,):
            return f"a storm takes the pledged {GOODS[good]}"
        case "die", (face,):
            return f"the die shows {face}"
        case "pledge", (good,):
            return event.told(reader, "pledge", GOODS[good])
        case "offer", (other, good, want):
            return event.told(
                reader, "offer", person(other, reader), GOODS[good], "for", GOODS[want]
            )
        case "treaty", (other,):
            return event.told(reader, "propose", "a treaty to", person(other, reader))
        case ("accept" | "reject") as verb, (_,):
            return event.told(reader, verb)
        case "demand", (other,):
            return event.told(reader, "demand", "a card of", person(other, reader))
        case "give", (other, *goods):
            return event.told(reader, "give", person(other, reader), card(goods))
        case ("return" | "draw") as verb, goods:
            return event.told(reader, verb, card(goods))
    return None


def person(seat: int, reader: int) -> str:
    return "you" if seat == reader else f"seat {seat}"


def card(goods: list[int] | tuple[int, ...]) -> str:
    """The card as far as the reader may know it."""
    return GOODS[goods[0]] if goods else "a card"
