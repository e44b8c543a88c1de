"""Actions and outcomes as text, and text read as actions."""

from __future__ import annotations

import re

from ludex.core.errors import InvalidAction, did_you_mean
from ludex.worlds.catan.values import (
    BUNDLES,
    CARDS,
    EDGES,
    HEXES,
    NO_KIND,
    NODES,
    RESOURCES,
    TYPES,
    Counts,
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

STEAL, DRAW = 20, 30
"""outcomes from these numbers on are stolen kinds and drawn cards; below are sums of dice"""
KINDS = f"of {', '.join(RESOURCES)}"
FORMS = {
    "settlement": f"settlement NODE, from 0 to {NODES - 1}",
    "city": f"city NODE, from 0 to {NODES - 1}",
    "road": f"road EDGE, from 0 to {EDGES - 1}",
    "knight": f"knight HEX from SEAT (or knight HEX), with a hex from 0 to {HEXES - 1}",
    "robber": f"robber HEX from SEAT (or robber HEX), with a hex from 0 to {HEXES - 1}",
    "plenty": f"plenty ore+wheat, {KINDS}",
    "monopoly": f"monopoly ore, {KINDS}",
    "trade": f"trade 4 clay for 1 ore, {KINDS}",
    "offer": f"offer 2 wheat for 1 clay to SEAT, {KINDS}",
    "discard": f"discard ore, {KINDS}",
}
"""how actions that need more than one word are written"""
CARD_WORDS = re.compile(r"(?:(\d{1,2})\s*)?([a-z]+)")


def counts_text(counts: Counts) -> str:
    """Write cards.

    >>> counts_text((1, 0, 0, 2, 0))
    '1 clay+2 wheat'
    """
    words = [f"{n} {RESOURCES[kind]}" for kind, n in enumerate(counts) if n]
    return "+".join(words) or "nothing"


def action_text(action: int) -> str:
    """Write an action.

    >>> action_text(make("road", 31)), action_text(make_robber("knight", 7, 2))
    ('road 31', 'knight 7 from 2')
    """
    kind, argument = type_of(action), argument_of(action)
    match kind:
        case "settlement" | "city" | "road":
            return f"{kind} {argument}"
        case "knight" | "robber":
            hexagon, victim = robber_of(action)
            return f"{kind} {hexagon}" + ("" if victim is None else f" from {victim}")
        case "plenty":
            taken = [one for one in (argument >> 3, argument & 7) if one != NO_KIND]
            return "plenty " + "+".join(RESOURCES[one] for one in taken)
        case "monopoly" | "discard":
            return f"{kind} {RESOURCES[argument]}"
        case "trade":
            give, want, rate = trade_of(action)
            return f"trade {rate} {RESOURCES[give]} for 1 {RESOURCES[want]}"
        case "offer":
            to, given, wanted = offer_of(action)
            return f"offer {counts_text(given)} for {counts_text(wanted)} to {to}"
    return kind


def outcome_text(outcome: int) -> str:
    """Write an outcome of chance.

    >>> outcome_text(8), outcome_text(STEAL + 1), outcome_text(DRAW)
    ('dice 8', 'steal ore', 'draw knight')
    """
    if outcome >= DRAW:
        return f"draw {CARDS[outcome - DRAW]}"
    return f"steal {RESOURCES[outcome - STEAL]}" if outcome >= STEAL else f"dice {outcome}"


def read_action(text: str) -> int:
    """Read any action, legal or not; InvalidAction says how it is written.

    >>> action_text(read_action("Offer 1 ore + 2 wheat for clay to 3"))
    'offer 1 ore+2 wheat for 1 clay to 3'
    """
    words = " ".join(text.lower().split())
    kind, _, rest = words.partition(" ")
    if kind not in TYPES:
        shown = kind if len(kind) <= 40 else kind[:37] + "..."
        hint = did_you_mean(kind, TYPES) if kind and len(kind) <= 40 else ""
        raise InvalidAction(
            f"no action of catan begins with {shown!r}{hint or '; known: ' + ', '.join(TYPES)}"
        )
    if kind not in FORMS:
        if rest:
            raise InvalidAction(f"{kind!r} stands alone, got {words[:60]!r}")
        return make(kind)
    action = read_rest(kind, rest)
    if action is None:
        raise InvalidAction(f"cannot read {words[:60]!r}; it is written {FORMS[kind]}")
    return action


def read_rest(kind: str, rest: str) -> int | None:
    """Read what stands behind the first word; None when it does not fit."""
    match kind:
        case "settlement" | "city":
            return read_place(kind, rest, NODES)
        case "road":
            return read_place(kind, rest, EDGES)
        case "knight" | "robber":
            line = re.fullmatch(r"(\d{1,2})(?: from (\d))?", rest)
            if line is None or int(line[1]) >= HEXES:
                return None
            return make_robber(kind, int(line[1]), int(line[2]) if line[2] else None)
        case "monopoly" | "discard":
            return make(kind, RESOURCES.index(rest)) if rest in RESOURCES else None
        case "plenty":
            return read_plenty(rest)
        case "trade":
            return read_trade(rest)
        case _:
            return read_offer(rest)


def read_place(kind: str, rest: str, count: int) -> int | None:
    return make(kind, int(rest)) if re.fullmatch(r"\d{1,2}", rest) and int(rest) < count else None


def read_cards(text: str) -> Counts | None:
    """Read cards joined by plus signs, each with how many, or one."""
    counts = [0] * 5
    for part in text.split("+"):
        line = CARD_WORDS.fullmatch(part.strip())
        if line is None or line[2] not in RESOURCES:
            return None
        counts[RESOURCES.index(line[2])] += int(line[1] or 1)
    return tuple(counts)


def read_plenty(rest: str) -> int | None:
    counts = read_cards(rest)
    if counts is None or not 1 <= sum(counts) <= 2:
        return None
    kinds = [kind for kind, count in enumerate(counts) for _ in range(count)]
    return make("plenty", kinds[0] << 3 | (kinds[1] if len(kinds) > 1 else NO_KIND))


def read_trade(rest: str) -> int | None:
    give, _, want = rest.partition(" for ")
    given, wanted = read_cards(give), read_cards(want)
    if given is None or wanted is None or sum(wanted) != 1 or sum(map(bool, given)) != 1:
        return None
    rate = max(given)
    return make_trade(given.index(rate), wanted.index(1), rate) if 2 <= rate <= 4 else None


def read_offer(rest: str) -> int | None:
    line = re.fullmatch(r"(.+) for (.+) to (\d)", rest)
    if line is None:
        return None
    given, wanted = read_cards(line[1]), read_cards(line[2])
    if given is None or wanted is None:
        return None
    if given not in BUNDLES or wanted not in BUNDLES:
        raise InvalidAction(
            f"an offer gives and wants one to three cards, got {counts_text(given)} for "
            f"{counts_text(wanted)}"
        )
    return make_offer(int(line[3]), given, wanted)
