"""Building plans: what can be built next, its estimated time and benefit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.agents.catan.parts.land import Land
from ludex.agents.catan.parts.speed import FAR, plus, rolls_to, times
from ludex.worlds.catan.values import COSTS, KNIGHT, POINT, Counts

MOST_ROADS = 3  # roads that are planned ahead of a settlement
LEAST_LONGEST, LEAST_ARMY = 5, 3


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """A plan: pieces to build in sequence."""

    kind: str
    """settlement, city, card, army or road"""
    steps: tuple[tuple[str, int], ...]
    """type of action and place; the place of a card is 0"""
    cost: Counts
    """of all steps together"""
    rolls: int
    """estimated rolls until it is paid"""
    speedup: int = 0
    """the reduction of the total building time afterwards"""
    points: int = 1

    @property
    def first_cost(self) -> Counts:
        return COSTS[self.steps[0][0]]


def make_plan(
    land: Land, seat: int, hand: Counts, kind: str, steps: list[tuple[str, int]], **facts: int
) -> BuildPlan:
    cost: Counts = (0,) * 5
    for piece, _ in steps:
        cost = plus(cost, COSTS[piece])
    rolls = rolls_to(cost, hand, land.periods[seat], land.rates[seat])
    return BuildPlan(kind, tuple(steps), cost, rolls, **facts)


def settlement_plans(land: Land, seat: int, hand: Counts) -> list[BuildPlan]:
    table = land.table
    if not table.settlements_left(seat):
        return []
    now = land.time_of(seat)
    plans = []
    for node, path in land.paths(seat, MOST_ROADS).items():
        if node not in land.free_nodes or len(path) > table.roads_left(seat):
            continue
        steps = [("road", edge) for edge in path] + [("settlement", node)]
        gain = now - land.time_with(seat, node)
        plans.append(make_plan(land, seat, hand, "settlement", steps, speedup=gain))
    return plans


def city_plans(land: Land, seat: int, hand: Counts) -> list[BuildPlan]:
    if not land.table.cities_left(seat):
        return []
    now = land.time_of(seat)
    return [
        make_plan(
            land, seat, hand, "city", [("city", node)], speedup=now - land.time_with(seat, node)
        )
        for node in land.settlements[seat]
    ]


def card_plan(land: Land, seat: int, hand: Counts) -> list[BuildPlan]:
    if not land.table.deck_size:
        return []
    return [make_plan(land, seat, hand, "card", [("buy", 0)], points=0)]


def army_plan(land: Land, seat: int, hand: Counts) -> list[BuildPlan]:
    """A plan to buy the knights for the largest army, if the pile may have them."""
    table = land.table
    if table.army_holder == seat or not table.deck_size:
        return []
    most = max(table.played(other)[KNIGHT] for other in range(land.seats) if other != seat)
    own = table.played(seat)[KNIGHT] + table.held(seat)[KNIGHT] + table.fresh(seat)[KNIGHT]
    missing = max(LEAST_ARMY, most + 1) - own
    if missing <= 0 or missing > table.deck_size:
        return []
    # About half the cards are knights; the plan counts one more to be sure.
    steps = [("buy", 0)] * missing
    cost = times(COSTS["buy"], missing)
    rolls = rolls_to(cost, hand, land.periods[seat], land.rates[seat])
    return [BuildPlan("army", tuple(steps), cost, min(FAR, rolls + missing), points=2)]


def road_plan(land: Land, seat: int, hand: Counts) -> list[BuildPlan]:
    """A plan to take the longest road, if one or two roads are enough."""
    table = land.table
    if table.road_holder == seat:
        return []
    others = max(table.longest(other) for other in range(land.seats) if other != seat)
    missing = max(LEAST_LONGEST, others + 1) - table.longest(seat)
    if missing > 2 or missing > table.roads_left(seat):
        return []
    goal = table.longest(seat) + missing
    for path in extensions(land, seat, missing):
        if table.longest_with(seat, list(path)) >= goal:
            steps = [("road", edge) for edge in path]
            return [make_plan(land, seat, hand, "road", steps, points=2)]
    return []


def extensions(land: Land, seat: int, count: int) -> list[tuple[int, ...]]:
    """Ways to lay one or two roads on free edges, each connected to what is there."""
    sites = land.table.road_sites(seat)
    if count == 1:
        return [(edge,) for edge in sites]
    found = []
    for _, path in sorted(land.paths(seat, 2).items()):
        if len(path) == 2:
            found.append(path)
    return found + [(a, b) for a in sites for b in sites if a < b]


def all_plans(land: Land, seat: int, hand: Counts) -> list[BuildPlan]:
    plans = settlement_plans(land, seat, hand) + city_plans(land, seat, hand)
    plans += card_plan(land, seat, hand) + army_plan(land, seat, hand)
    return plans + road_plan(land, seat, hand)


def points_known(table: Any, seat: int, own: bool) -> int:
    """Points of a seat; of the own one with hidden cards."""
    hidden = table.held(seat)[POINT] + table.fresh(seat)[POINT] if own else 0
    return int(table.visible_points(seat)) + hidden
