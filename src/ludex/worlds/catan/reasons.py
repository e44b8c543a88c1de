"""Why an action is not legal, in one sentence, from what the seat may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    "setup_road": "place a road at its new settlement",
    "before_roll": "roll or play a development card",
    "dice": "wait for the dice",
    "main": "build, buy, trade, play a card or end its turn",
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
CARD_OF = {"knight": 0, "monopoly": 1, "plenty": 2, "roads": 3}


def reason(world: Catan, table: Any, seat: int, action: int) -> str:
    text = action_text(action)
    if table.phase == "over":
        return f"seat {seat} cannot play {text!r}: the game is over"
    if table.acting != seat or table.phase not in ALLOWED:
        return f"seat {seat} cannot play {text!r}: it is not its turn to act"
    kind = type_of(action)
    if kind not in ALLOWED[table.phase]:
        return f"seat {seat} cannot play {text!r} now: it must {DUTIES[table.phase]}"
    return f"seat {seat} cannot play {text!r}: {problem(world, table, seat, action)}"


def problem(world: Catan, table: Any, seat: int, action: int) -> str:
    kind, argument = type_of(action), argument_of(action)
    if kind in CARD_OF and (why := card_problem(world, table, seat, kind)):
        return why
    if kind in COSTS and table.phase == "main" and (why := lacking(table, seat, COSTS[kind])):
        return why
    match kind:
        case "settlement":
            return settlement_problem(table, seat, argument)
        case "city":
            if not table.cities_left(seat):
                return "all four of its cities are built"
            return f"it has no settlement on node {argument}"
        case "road":
            return road_problem(table, seat, argument)
        case "buy":
            return "the pile is empty"
        case "knight" | "robber":
            return robber_problem(table, seat, action)
        case "plenty":
            return plenty_problem(table, argument)
        case "roads":
            return "there is no edge where it could place a road, or it has no road left"
        case "trade":
            return trade_problem(table, seat, action)
        case "offer":
            return offer_problem(world, table, seat, action)
        case "accept":
            _, _, wanted = offer_of(table.offer)
            return lacking(table, seat, wanted) or "it is legal"
        case "discard":
            if not table.hand(seat)[argument]:
                return f"it holds no {RESOURCES[argument]}"
            return "cards are discarded in the order clay, ore, sheep, wheat, wood"
    return "it is legal"


def lacking(table: Any, seat: int, cost: Counts) -> str | None:
    missing = tuple(max(0, n - have) for n, have in zip(cost, table.hand(seat), strict=True))
    return f"it lacks {counts_text(missing)}" if any(missing) else None


def card_problem(world: Catan, table: Any, seat: int, kind: str) -> str | None:
    card = CARD_OF[kind]
    if table.phase == "before_roll" and world.early == "knights" and kind != "knight":
        return "before the roll only knights may be played, by the option early=knights"
    if table.card_played:
        return "it has played a development card in this turn already"
    if not table.held(seat)[card]:
        bought = ", but one that it bought in this turn" if table.fresh(seat)[card] else ""
        return f"it has no {CARDS[card]} card{bought}"
    return None


def owner_of(table: Any, node: int) -> int | None:
    for seat in range(table.seats):
        if node in table.settlements(seat) or node in table.cities(seat):
            return seat
    return None


def settlement_problem(table: Any, seat: int, node: int) -> str:
    owner = owner_of(table, node)
    if owner is not None:
        return f"seat {owner} has a building on node {node}"
    for near in NEIGHBOURS[node]:
        if owner_of(table, near) is not None:
            return f"node {near}, one edge away, has a building: the distance rule"
    if not table.settlements_left(seat):
        return "all five of its settlements are on the board; a city brings one back"
    return f"none of its roads leads to node {node}"


def road_problem(table: Any, seat: int, edge: int) -> str:
    for other in range(table.seats):
        if edge in table.roads(other):
            return f"seat {other} has a road on edge {edge}"
    if not table.roads_left(seat):
        return "all fifteen of its roads are on the board"
    if table.phase == "setup_road":
        return f"edge {edge} does not touch its new settlement on node {table.last_node}"
    own = table.roads(seat)
    for node in ENDS[edge]:
        owner = owner_of(table, node)
        if any(near in own for near in EDGES_AT[node]) and owner not in (None, seat):
            return f"seat {owner}'s building on node {node} is in the way"
    return f"edge {edge} touches none of its roads or buildings"


def robber_problem(table: Any, seat: int, action: int) -> str:
    hexagon, victim = robber_of(action)
    if hexagon == table.robber:
        return "the robber must move to another hex"
    owners = {owner_of(table, node) for node in CORNERS[hexagon]} - {None, seat}
    robbed = sorted(one for one in owners if one is not None and table.size(one))
    if victim is None:
        return f"it must rob one of the seats there that have cards: {robbed}"
    if victim == seat:
        return "it cannot rob itself"
    if victim not in owners:
        return f"seat {victim} has no building on hex {hexagon}"
    return f"seat {victim} has no card"


def plenty_problem(table: Any, argument: int) -> str:
    kinds = [one for one in (argument >> 3, argument & 7) if one != NO_KIND]
    if len(kinds) == 1:
        return "it takes two cards while the bank has them"
    wanted = tuple(kinds.count(kind) for kind in range(5))
    if not table.endless:
        for kind, count in enumerate(wanted):
            if count > table.bank[kind]:
                return f"the bank has {table.bank[kind]} {RESOURCES[kind]}"
    return "it takes two cards, written in the order of their kinds"


def trade_problem(table: Any, seat: int, action: int) -> str:
    give, want, rate = trade_of(action)
    if give >= 5 or want >= 5 or give == want:
        return "a trade is of one kind for another"
    due = table.rates(seat)[give]
    if rate != due:
        return f"the bank takes {due} {RESOURCES[give]} of it for one card"
    have = table.hand(seat)[give]
    if have < due:
        return f"it has {have} {RESOURCES[give]} and the bank takes {due}"
    return f"the bank has no {RESOURCES[want]}"


def offer_problem(world: Catan, table: Any, seat: int, action: int) -> str:
    to, given, wanted = offer_of(action)
    if world.trades == "none":
        return "players do not trade, by the option trades=none"
    if world.offers is not None and table.offers >= world.offers:
        return f"it has made its {world.offers} offers of this turn"
    if to == seat or to >= table.seats:
        return "it must name another seat that plays"
    if any(a and b for a, b in zip(given, wanted, strict=True)):
        return "the same kind stands on both sides"
    if why := lacking(table, seat, given):
        return why
    if table.size(to) < sum(wanted):
        return f"seat {to} has {table.size(to)} cards"
    if world.view == "open" and (missing := lacking(table, to, wanted)):
        return missing.replace("it lacks", f"seat {to} lacks")
    return f"the option trades={world.trades} has no such trade"
