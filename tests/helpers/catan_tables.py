"""Positions of catan for tests, written as facts, and an independent count of roads."""

from __future__ import annotations

import itertools

import pytest

from ludex.core import registry
from ludex.core.errors import IllegalAction
from ludex.core.rng import Rng
from ludex.worlds.catan.values import CORNERS, DECK, ENDS, NEIGHBOURS

FIXED = registry.world("catan[board=fixed]")
MODEL = FIXED.model
RICH = (5, 5, 5, 5, 5)
NOTHING = (0, 0, 0, 0, 0)
# The centre of the fixed board is the desert, hex 9; its corners, clockwise from the top.
TOP, RIGHT_UP, RIGHT_DOWN, BOTTOM, LEFT_DOWN, LEFT_UP = CORNERS[9]
HEX_NAMES = ("cl", "or", "sh", "wh", "wo", "de")
HARBOUR_NAMES = ("cl", "or", "sh", "wh", "wo", "any")


def edge(a, b):
    """The edge between two nodes."""
    return ENDS.index((min(a, b), max(a, b)))


def path(*nodes):
    """The edges along nodes."""
    return [edge(a, b) for a, b in itertools.pairwise(nodes)]


def ring(hexagon):
    """The six edges round a hex."""
    nodes = CORNERS[hexagon]
    return path(*nodes, nodes[0])


def slashed(counts):
    return "/".join(map(str, counts))


def dotted(places):
    return ".".join(map(str, sorted(places))) or "-"


def text_of(
    seats,
    world=FIXED,
    phase="main",
    current=0,
    robber=9,
    bank=None,
    turn=8,
    deck=None,
    board=0,
    **more,
):
    """The text of a position; bank and pile have what the seats do not, `board` is a seed."""
    start = world.start(Rng(board))
    hexes = ",".join(
        HEX_NAMES[land] + (str(number) if number else "")
        for land, number in zip(start.terrain, start.number, strict=True)
    )
    harbours = ",".join(HARBOUR_NAMES[kind] for kind in start.harbour)
    rows = [dict(row) for row in seats] + [{} for _ in range(world.seats - len(seats))]
    cards = ("held", "fresh", "played")
    if bank is None:
        spent = [
            sum(row.get("hand", NOTHING)[k] + row.get("laid", NOTHING)[k] for row in rows)
            for k in range(5)
        ]
        bank = tuple(19 - count for count in spent)
    if deck is None:
        gone = [sum(row.get(name, NOTHING)[k] for row in rows for name in cards) for k in range(5)]
        deck = tuple(have - count for have, count in zip(DECK, gone, strict=True))
    parts = {
        "hexes": hexes,
        "harbours": harbours,
        "robber": robber,
        "bank": "endless" if world.bank == "infinite" else slashed(bank),
        "deck": slashed(deck),
        "turn": turn,
        "current": current,
        "phase": phase,
    }
    if phase in ("main", "discard", "robber", "answer", "draw"):
        more.setdefault("rolled", 1)
    for key in [
        "acting",
        "winner",
        "road",
        "army",
        "rolled",
        "card",
        "offers",
        "free",
        "node",
        "victim",
        "discarders",
        "quota",
        "offer",
    ]:
        if key in more:
            parts[key] = more.pop(key)
    assert not more, more
    for seat, row in enumerate(rows):
        parts[f"seat{seat}"] = ";".join(
            [
                f"roads:{dotted(row.get('roads', ()))}",
                f"settlements:{dotted(row.get('settlements', ()))}",
                f"cities:{dotted(row.get('cities', ()))}",
                f"hand:{slashed(row.get('hand', NOTHING))}",
                *(f"{name}:{slashed(row.get(name, NOTHING))}" for name in cards),
                *([f"laid:{slashed(row['laid'])}"] if "laid" in row else []),
            ]
        )
    return " ".join(f"{key}={value}" for key, value in parts.items())


def table(seats, world=FIXED, **facts):
    return world.parse(text_of(seats, world, **facts))


def two(hand=RICH, **more):
    """Seat 0 with a settlement left of the centre and one road; seat 1 far away."""
    return [
        {"settlements": [LEFT_UP], "roads": path(LEFT_UP, TOP), "hand": hand, **more},
        {"settlements": [53], "roads": [71]},
    ]


def cut_position(own, others=(), holder=0, hand=(1, 0, 1, 1, 1)):
    """Seat 0 has a chain round the centre; seat 1 is about to settle on one of its nodes."""
    outer = next(n for n in NEIGHBOURS[RIGHT_DOWN] if n not in CORNERS[9])
    far = next(n for n in NEIGHBOURS[outer] if n != RIGHT_DOWN)
    rows = [
        {"settlements": [own[0]], "roads": path(*own)},
        {"settlements": [far], "roads": path(far, outer, RIGHT_DOWN), "hand": hand},
        *others,
    ]
    return table(rows, current=1, **({} if holder is None else {"road": holder}))


def long_chain():
    """Seven edges that pass RIGHT_DOWN after four."""
    before = next(n for n in NEIGHBOURS[LEFT_UP] if n not in CORNERS[9])
    after = next(n for n in NEIGHBOURS[LEFT_DOWN] if n not in CORNERS[9])
    return (before, LEFT_UP, TOP, RIGHT_UP, RIGHT_DOWN, BOTTOM, LEFT_DOWN, after)


def far_chain(nodes):
    return {"settlements": [nodes[0]], "roads": path(*nodes)}


# Play


def legal(state, seat=None, world=FIXED):
    acting = world.model.to_act(state)[0] if seat is None else seat
    return [world.action_text(action) for action in world.model.legal(state, acting)]


def play(state, text, world=FIXED):
    """Make a move of the seat to act in the real game."""
    seat = world.model.to_act(state)[0]
    action = world.parse_action(text, world.model.view(state, seat))
    return world.step(state, (action,), Rng(0))


def why_not(state, text, world=FIXED):
    seat = world.model.to_act(state)[0]
    with pytest.raises(IllegalAction) as caught:
        world.parse_action(text, world.model.view(state, seat))
    return str(caught.value)


def roll(state, number, world=FIXED):
    return world.model.resolve(play(state, "roll", world), number)


# Independent counts


def brute_longest(state, seat):
    """The longest trail, by trying every order of a seat's edges; knows nothing of ours."""
    own = set(state.roads(seat))
    hostile = {
        node
        for other in range(state.seats)
        if other != seat
        for node in (*state.settlements(other), *state.cities(other))
    }
    best = 0

    def walk(node, used):
        nonlocal best
        best = max(best, len(used))
        if used and node in hostile:
            return
        for one in own - used:
            if node in ENDS[one]:
                walk(sum(ENDS[one]) - node, used | {one})

    for node in {node for one in own for node in ENDS[one]}:
        walk(node, frozenset())
    return best


def fair_holder(lengths, holder):
    """Who is due the longest road, from the printed rule alone."""
    most = max(lengths)
    leaders = [seat for seat, length in enumerate(lengths) if length == most]
    if most < 5:
        return None
    if holder in leaders:
        return holder
    return leaders[0] if len(leaders) == 1 else None
