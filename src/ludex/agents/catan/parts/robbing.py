"""Placement of the robber and choice of the victim."""

from __future__ import annotations

from collections.abc import Iterable

from ludex.agents.catan.parts.land import Land
from ludex.agents.catan.parts.speed import FAR, rolls_to
from ludex.worlds.catan.values import CORNERS, COSTS, DESERT, PIPS, robber_of

NOTHING = (0,) * 5


def rolls_to_win(land: Land, seat: int, target: int) -> float:
    """Estimated rolls until a seat wins, building its fastest pieces in sequence."""
    table = land.table
    periods, rates = land.periods[seat], land.rates[seat]
    points = table.visible_points(seat)
    city = rolls_to(COSTS["city"], NOTHING, periods, rates)
    settlement = rolls_to(COSTS["settlement"], NOTHING, periods, rates)
    settlement += rolls_to(COSTS["road"], NOTHING, periods, rates)
    card = rolls_to(COSTS["buy"], NOTHING, periods, rates)
    cities = min(table.cities_left(seat), len(land.settlements[seat]))
    rolls = 0.0
    while points < target:
        choices = [2.5 * card]
        if cities:
            choices.append(float(city))
        if table.settlements_left(seat):
            choices.append(float(settlement))
        fastest = min(choices)
        cities -= fastest == city and cities > 0
        rolls += min(fastest, float(FAR))
        points += 1
    return rolls


def blocked_pips(land: Land, hexagon: int, seat: int) -> int:
    """Pips (of 36) that the robber on a hex blocks for a seat."""
    if land.table.terrain[hexagon] == DESERT:
        return 0
    settled = sum(node in land.settlements[seat] for node in CORNERS[hexagon])
    cities = sum(node in land.cities[seat] for node in CORNERS[hexagon])
    return (settled + 2 * cities) * PIPS[land.table.number[hexagon]]


def best_robbery(land: Land, seat: int, legal: Iterable[int], target: int) -> int:
    """The robbery that hurts the seat nearest to winning most, and never the own seat."""
    others = [other for other in range(land.seats) if other != seat]
    threat = {other: 1.0 / (1.0 + rolls_to_win(land, other, target)) for other in others}
    leader = max(others, key=lambda other: (threat[other], other))

    def worth(action: int) -> tuple[float, int]:
        hexagon, victim = robber_of(action)
        hurt = sum(threat[other] * blocked_pips(land, hexagon, other) for other in others)
        own = blocked_pips(land, hexagon, seat)
        lead = blocked_pips(land, hexagon, leader) * threat[leader]
        stolen = 0.0 if victim is None else 2.0 * threat[victim]
        return hurt + lead + stolen - 10.0 * max(threat.values()) * own, -action

    return max(legal, key=worth)
