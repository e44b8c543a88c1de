"""Why an action is not legal, in one sentence, from what the seat may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludex.core.person import Person
from ludex.worlds.catan.notation import action_text, counts_text
from ludex.worlds.catan.values import (
    CARDS,
    CORNERS,
    COSTS,
    EDGES_AT,
    ENDS,
    NEIGHBOURS,
    NO_KIND,
    RESOURCES,
    Counts,
    argument_of,
    offer_of,
    robber_of,
    trade_of,
    type_of,
)

if TYPE_CHECKING:
    from ludex.worlds.catan.world import Catan

DUTIES = {
    "setup_settlement": "place a settlement",
    "setup_road": "place a road at {its} new settlement",
    "before_roll": "roll or play a development card",
    "dice": "wait for the dice",
    "main": "build, buy, trade, play a card or end {its} turn",
    "discard": "discard",
    "robber": "move the robber",
    "steal": "wait for the stolen card",
    "draw": "wait for the drawn card",
    "free_road": "place a free road",
    "answer": "accept or reject",
}
ALLOWED = {
    "setup_settlement": ("settlement",),
    "setup_road": ("road",),
    "before_roll": ("roll", "knight", "plenty", "monopoly", "roads"),
    "main": (
        "end",
        "settlement",
        "city",
        "road",
        "buy",
        "knight",
        "plenty",
        "monopoly",
        "roads",
        "trade",
        "offer",
    ),
    "discard": ("discard",),
    "robber": ("robber",),
    "free_road": ("road",),
    "answer": ("accept", "reject"),
}
PRICED = {
    "road": "a road",
    "settlement": "a settlement",
    "city": "a city",
    "buy": "a development card",
}
CARD_OF = {"knight": 0, "monopoly": 1, "plenty": 2, "roads": 3}


def reason(world: Catan, table: Any, who: Person, action: int) -> str:
    text = action_text(action)
    if table.phase == "over":
        return f"{who} cannot play {text!r}: the game is over"
    if table.acting != who.seat or table.phase not in ALLOWED:
        return f"{who} cannot play {text!r}: it is not {who.its} turn to act"
    kind = type_of(action)
    if kind not in ALLOWED[table.phase]:
        duty = DUTIES[table.phase].format(its=who.its)
        return f"{who} cannot play {text!r} now: {who.it} must {duty}"
    return f"{who} cannot play {text!r}: {problem(world, table, who, action)}"


def problem(world: Catan, table: Any, who: Person, action: int) -> str:
    kind, argument, seat = type_of(action), argument_of(action), who.seat
    if kind in CARD_OF and (why := card_problem(world, table, who, kind)):
        return why
    if kind in COSTS and table.phase == "main" and (why := lacking(table, who, COSTS[kind])):
        return f"{PRICED[kind]} costs {counts_text(COSTS[kind])}, and {why}"
    match kind:
        case "settlement":
            return settlement_problem(table, who, argument)
        case "city":
            if not table.cities_left(seat):
                return f"all four of {who.its} cities are built"
            return f"{who.has} no settlement on node {argument}"
        case "road":
            return road_problem(table, who, argument)
        case "buy":
            return "the pile is empty"
        case "knight" | "robber":
            return robber_problem(table, who, action)
        case "plenty":
            return plenty_problem(table, who, argument)
        case "roads":
            return f"there is no edge where {who.it} could place a road, or {who.has} no road left"
        case "trade":
            return trade_problem(table, who, action)
        case "offer":
            return offer_problem(world, table, who, action)
        case "accept":
            _, _, wanted = offer_of(table.offer)
            return lacking(table, who, wanted) or "it is legal"
        case "discard":
            if not table.hand(seat)[argument]:
                return f"{who.does('hold')} no {RESOURCES[argument]}"
            return "cards are discarded in the order clay, ore, sheep, wheat, wood"
    return "it is legal"


def lacking(table: Any, who: Person, cost: Counts) -> str | None:
    hand = table.hand(who.seat)
    missing = tuple(max(0, need - have) for need, have in zip(cost, hand, strict=True))
    return f"{who.does('lack')} {counts_text(missing)}" if any(missing) else None


def card_problem(world: Catan, table: Any, who: Person, kind: str) -> str | None:
    card, seat = CARD_OF[kind], who.seat
    if table.phase == "before_roll" and world.early == "knights" and kind != "knight":
        return "before the roll only knights may be played, by the option early=knights"
    if table.card_played:
        return f"{who.has} played a development card in this turn already"
    if not table.held(seat)[card]:
        bought = f", but one that {who.it} bought in this turn" if table.fresh(seat)[card] else ""
        return f"{who.has} no {CARDS[card]} card{bought}"
    return None


def owner_of(table: Any, node: int) -> int | None:
    for seat in range(table.seats):
        if node in table.settlements(seat) or node in table.cities(seat):
            return seat
    return None


def owns(owner: int, who: Person) -> str:
    """Whose something is, as in "seat 2 has" or "you have"."""
    return "you have" if who.is_reader and owner == who.seat else f"seat {owner} has"


def settlement_problem(table: Any, who: Person, node: int) -> str:
    owner = owner_of(table, node)
    if owner is not None:
        return f"{owns(owner, who)} a building on node {node}"
    for near in NEIGHBOURS[node]:
        if (owner := owner_of(table, near)) is not None:
            return (
                f"too near to another building: {owns(owner, who)} one on node {near}, one edge "
                "away"
            )
    if not table.settlements_left(who.seat):
        return f"all five of {who.its} settlements are on the board; a city brings one back"
    return f"none of {who.its} roads leads to node {node}"


def road_problem(table: Any, who: Person, edge: int) -> str:
    seat = who.seat
    for other in range(table.seats):
        if edge in table.roads(other):
            return f"{owns(other, who)} a road on edge {edge}"
    if not table.roads_left(seat):
        return f"all fifteen of {who.its} roads are on the board"
    if table.phase == "setup_road":
        return f"edge {edge} does not touch {who.its} new settlement on node {table.last_node}"
    own = table.roads(seat)
    for node in ENDS[edge]:
        owner = owner_of(table, node)
        if any(near in own for near in EDGES_AT[node]) and owner not in (None, seat):
            return f"seat {owner}'s building on node {node} is in the way"
    return f"edge {edge} touches none of {who.its} roads or buildings"


def robber_problem(table: Any, who: Person, action: int) -> str:
    (hexagon, victim), seat = robber_of(action), who.seat
    if hexagon == table.robber:
        return "the robber must move to another hex"
    owners = {owner_of(table, node) for node in CORNERS[hexagon]} - {None, seat}
    robbed = sorted(one for one in owners if one is not None and table.size(one))
    if victim is None:
        named = " or ".join(f"'{type_of(action)} {hexagon} from {one}'" for one in robbed)
        return f"a seat there has cards to rob: {named}"
    if victim == seat:
        return f"{who.it} cannot rob {'yourself' if who.is_reader else 'itself'}"
    if victim not in owners:
        return f"seat {victim} has no building on hex {hexagon}"
    return f"seat {victim} has no card"


def plenty_problem(table: Any, who: Person, argument: int) -> str:
    kinds = [one for one in (argument >> 3, argument & 7) if one != NO_KIND]
    if len(kinds) == 1:
        return f"{who.does('take')} two cards while the bank has them"
    wanted = tuple(kinds.count(kind) for kind in range(5))
    if not table.endless:
        for kind, count in enumerate(wanted):
            if count > table.bank[kind]:
                return f"the bank has {table.bank[kind]} {RESOURCES[kind]}"
    return f"{who.does('take')} two cards, written in the order of their kinds"


def trade_problem(table: Any, who: Person, action: int) -> str:
    (give, want, rate), seat = trade_of(action), who.seat
    if give >= 5 or want >= 5 or give == want:
        return "a trade is of one kind for another"
    due = table.rates(seat)[give]
    if rate != due:
        return f"the bank takes {due} {RESOURCES[give]} of {who.it} for one card"
    have = table.hand(seat)[give]
    if have < due:
        return f"{who.has} {have or 'no'} {RESOURCES[give]}, and the bank takes {due}"
    return f"the bank has no {RESOURCES[want]}"


def offer_problem(world: Catan, table: Any, who: Person, action: int) -> str:
    (to, given, wanted), seat = offer_of(action), who.seat
    if world.trades == "none":
        return "players do not trade, by the option trades=none"
    if world.offers is not None and table.offers >= world.offers:
        return f"{who.has} made {who.its} {world.offers} offers of this turn"
    if to == seat or to >= table.seats:
        return f"{who.it} must name another seat that plays"
    if any(a and b for a, b in zip(given, wanted, strict=True)):
        return "the same kind stands on both sides"
    if why := lacking(table, who, given):
        return why
    if table.size(to) < sum(wanted):
        return f"seat {to} has {table.size(to)} cards"
    if world.view == "open" and (missing := lacking(table, Person(to), wanted)):
        return missing.replace("it lacks", f"seat {to} lacks")
    return f"the option trades={world.trades} has no such trade"
