"""What happened, as each seat may know it, and told to a human."""

from __future__ import annotations

from typing import Any

from ludex.core.event import Event
from ludex.worlds.catan.notation import counts_text
from ludex.worlds.catan.values import (
    CARDS,
    NO_KIND,
    RESOURCES,
    argument_of,
    make,
    make_offer,
    make_robber,
    make_trade,
    offer_of,
    robber_of,
    trade_of,
    type_of,
)

NOTHING, MOVE, DICE, STOLEN, DRAWN = range(5)


def events_of(
    state: Any,
    seat: int | None,
    *,
    hidden: bool,
    points_shown: bool = False,
    exchanges: bool = False,
) -> tuple[Event, ...]:
    """The events of the last step; `seat` None sees all.

    Args:
        state: The state after the step.
        seat: Whom they are told to.
        hidden: Whether hands and cards are.
        points_shown: Whether victory points are shown when they are drawn.
        exchanges: Whether offers are carried out unasked.
    """
    kind, who, other, value, action, offer, moved = state.last_events
    if kind == NOTHING:
        return ()
    if kind == DICE:
        events = [Event("dice", None, (value,)), *cards_by_seat("gain", moved)]
    elif kind == STOLEN:
        knows = not hidden or seat in (None, who, other)
        stolen = Event("steal", who, (other, value) if knows else (other,))
        events = [stolen, *cards_by_seat("lose", moved)]
    elif kind == DRAWN:
        knows = not hidden or seat in (None, who) or (points_shown and CARDS[value] == "point")
        events = [Event("draw", who, (value,) if knows else ())]
    else:
        knows = not hidden or seat in (None, who)
        events = move_events(who, action, offer, moved, knows)
        if exchanges and type_of(action) == "offer":
            made = offer_of(action)
            events.insert(1, Event("accept", made[0], made))
    if state.winner is not None:
        events.append(Event("win", state.winner, (state.points(state.winner),)))
    return tuple(events)


def cards_by_seat(kind: str, moved: Any) -> list[Event]:
    return [Event(kind, seat, counts) for seat, counts in enumerate(moved) if any(counts)]


def move_events(who: int, action: int, offer: int, moved: Any, knows: bool) -> list[Event]:
    """What a move did; `moved` has cards by seat, whose meaning depends on the kind of move."""
    kind, argument = type_of(action), argument_of(action)
    match kind:
        case "settlement":
            return [Event(kind, who, (argument,)), *cards_by_seat("gain", moved)]
        case "city" | "road":
            return [Event(kind, who, (argument,))]
        case "knight" | "robber":
            return [Event(kind, who, robber_of(action))]
        case "plenty":
            taken = tuple(one for one in (argument >> 3, argument & 7) if one != NO_KIND)
            return [Event(kind, who, taken), *cards_by_seat("lose", moved)]
        case "monopoly":
            lost = tuple(0 if one == who else sum(moved[one]) for one in range(len(moved)))
            return [Event(kind, who, (argument, lost)), *too_many(who, moved)]
        case "trade":
            return [Event(kind, who, trade_of(action)), *cards_by_seat("lose", moved)]
        case "offer":
            return [Event(kind, who, offer_of(action)), *cards_by_seat("lose", moved)]
        case "accept" | "reject":
            return [Event(kind, who, offer_of(offer)), *cards_by_seat("lose", moved)]
        case "discard":
            laid = Event(kind, who, (argument,) if knows else ())
            return [laid, *([Event("bank", None, moved[0])] if any(moved[0]) else [])]
    return [Event(kind, who)]


def too_many(who: int, moved: Any) -> list[Event]:
    return [Event("lose", who, moved[who])] if any(moved[who]) else []


def actions_behind(event: Event) -> list[int] | None:
    """The actions that can have caused an event, as far as its seat may know; None: any."""
    detail: Any = event.detail
    match event.kind:
        case "roll" | "end" | "buy" | "roads" | "accept" | "reject":
            return [make(event.kind)]
        case "settlement" | "city" | "road" | "monopoly":
            return [make(event.kind, detail[0])]
        case "knight" | "robber":
            return [make_robber(event.kind, *detail)]
        case "plenty":
            first, second = (*detail, NO_KIND)[:2]
            return [make("plenty", first << 3 | second)]
        case "trade":
            return [make_trade(*detail)]
        case "offer":
            return [make_offer(*detail)]
        case "discard":
            return [make("discard", kind) for kind in detail or range(len(RESOURCES))]
    return None


def told(event: Event, reader: int | None) -> str | None:
    """Say in one line what an event means; None when it is none of catan.

    >>> told(Event("steal", 1, (2, 3)), 1), told(Event("steal", 1, (2,)), 0)
    ('you steal wheat from seat 2', 'seat 1 steals a card from seat 2')
    """
    detail: Any = event.detail
    match event.kind:
        case "dice":
            return f"the dice show {detail[0]}"
        case "gain":
            return event.told(reader, "get", counts_text(detail))
        case "lose":
            return event.told(reader, "lose", counts_text(detail), "that no hand has room for")
        case "bank":
            return f"{counts_text(detail)} go to the bank"
        case "steal":
            card = RESOURCES[detail[1]] if len(detail) > 1 else "a card"
            return event.told(reader, "steal", card, "from", person(detail[0], reader))
        case "draw":
            return event.told(reader, "draw", CARDS[detail[0]] if detail else "a card")
        case "win":
            return event.told(reader, "win", f"with {detail[0]} points")
        case "settlement" | "city" | "road":
            place = "edge" if event.kind == "road" else "node"
            return event.told(reader, "build", f"a {event.kind} on {place} {detail[0]}")
        case "knight" | "robber":
            hexagon, victim = detail
            robbed = "" if victim is None else f" to rob {person(victim, reader)}"
            verb = "play" if event.kind == "knight" else "move"
            thing = "a knight to" if event.kind == "knight" else "the robber to"
            return event.told(reader, verb, f"{thing} hex {hexagon}{robbed}")
        case "plenty":
            cards = " and ".join(RESOURCES[kind] for kind in detail)
            return event.told(reader, "play", f"plenty and take{s(event, reader)} {cards}")
        case "monopoly":
            kind, lost = detail
            return event.told(reader, "play", f"monopoly on {RESOURCES[kind]} for {sum(lost)}")
        case "trade":
            give, want, rate = detail
            return event.told(
                reader, "trade", f"{rate} {RESOURCES[give]} for {RESOURCES[want]} with the bank"
            )
        case "offer":
            to, given, wanted = detail
            yours = "for your" if to == reader else "for"
            return event.told(
                reader, "offer", person(to, reader), counts_text(given), yours, counts_text(wanted)
            )
        case "discard":
            return event.told(reader, "discard", RESOURCES[detail[0]] if detail else "a card")
        case "buy":
            return event.told(reader, "buy", "a development card")
        case "roads":
            return event.told(reader, "play", "road building")
        case "end":
            return event.told(reader, "end", "the turn")
        case "accept" | "reject" | "roll":
            return event.told(reader, event.kind)
    return None


def s(event: Event, reader: int | None) -> str:
    return "" if event.seat == reader else "s"


def person(seat: int, reader: int | None) -> str:
    return "you" if seat == reader else f"seat {seat}"
