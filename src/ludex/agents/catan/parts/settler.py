"""Decision logic of the scripted agents: choose a building plan and act for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludex.agents.catan.parts.bargain import best_offer, is_good_answer
from ludex.agents.catan.parts.land import Land
from ludex.agents.catan.parts.opening import first_road, first_settlement, second_settlement
from ludex.agents.catan.parts.plans import BuildPlan, all_plans, points_known
from ludex.agents.catan.parts.robbing import best_robbery
from ludex.agents.catan.parts.speed import minus, rolls_to
from ludex.agents.catan.parts.tracker import HandTracker
from ludex.worlds.catan.values import (
    KNIGHT,
    MONOPOLY,
    PLENTY,
    ROADS,
    Counts,
    covers,
    make,
    make_trade,
    offer_of,
    type_of,
)

MONOPOLY_WORTH = 2.0  # cards, at the seat's own trade rate
SAFE_HAND = 7


@dataclass(frozen=True, kw_only=True)
class Style:
    """Parameters of a scripted agent."""

    favour_card: float | None
    """a card's time t counts t - favour * t; None buys a card only when nothing else is planned"""
    early_points: int
    """below so many points only settlements and cities are planned"""
    offers: int
    """the most offers in a turn"""
    least_gain: int
    """rolls that an offer must save"""
    saves: bool
    """buy or trade rather than end the turn with more than seven cards"""


class Thinking:
    """One decision of a scripted agent, with cached analysis of the position."""

    def __init__(
        self,
        style: Style,
        table: Any,
        seat: int,
        legal: Iterable[int],
        tracker: HandTracker,
        target: int,
    ) -> None:
        self.style = style
        self.table = table
        self.seat = seat
        self.legal = set(legal)
        self.tracker = tracker
        self.target = target
        self.hand: Counts = tuple(table.hand(seat))

    @cached_property
    def land(self) -> Land:
        return Land(self.table)

    @cached_property
    def plan(self) -> BuildPlan | None:
        """The chosen building plan."""
        return choose_plan(self.style, self.land, self.seat, self.hand, own=True)

    def hand_of(self, other: int) -> list[float]:
        """The expected hand of another seat."""
        if other == self.seat or sum(self.table.hand(other)) == self.table.size(other):
            return [float(count) for count in self.table.hand(other)]
        return self.tracker.hand(self.table, other)

    # By phase

    def decide(self, offered: set[int]) -> int:
        match self.table.phase:
            case "setup_settlement":
                return self.place_settlement()
            case "setup_road":
                return self.place_road()
            case "before_roll":
                return self.before_roll()
            case "discard":
                return self.discard()
            case "robber":
                return best_robbery(self.land, self.seat, self.legal, self.target)
            case "free_road":
                return self.free_road()
            case "answer":
                return self.answer()
        return self.take_turn(offered)

    def place_settlement(self) -> int:
        if self.table.settlements(self.seat):
            return make("settlement", second_settlement(self.land, self.seat))
        return make("settlement", first_settlement(self.land, self.seat))

    def place_road(self) -> int:
        return make("road", first_road(self.land, self.seat, self.table.last_node))

    def before_roll(self) -> int:
        robbed = self.table.robber in self.land.hexes_of(self.seat)
        if robbed and (knight := self.knight()):
            return knight
        return make("roll")

    def knight(self) -> int | None:
        """The best move of a knight, if one may be played."""
        knights = [one for one in self.legal if type_of(one) == "knight"]
        return best_robbery(self.land, self.seat, knights, self.target) if knights else None

    def discard(self) -> int:
        """Keep what the plan needs; discard what is easiest to get again.

        Cards are discarded in the order of their kinds, so the whole set is chosen first.
        """
        need = self.plan.cost if self.plan else (0,) * 5
        hand = list(self.hand)
        periods = self.land.periods[self.seat]
        gone = [0] * 5
        for _ in range(self.table.quota):
            spare = [kind for kind in range(5) if hand[kind] > need[kind]]
            choices = spare or [kind for kind in range(5) if hand[kind]]
            kind = max(choices, key=lambda one: (hand[one] - need[one], -periods[one]))
            hand[kind] -= 1
            gone[kind] += 1
        for kind in range(5):
            if gone[kind] and make("discard", kind) in self.legal:
                return make("discard", kind)
        return min(self.legal)

    def free_road(self) -> int:
        plan = self.plan
        if plan:
            for piece, place in plan.steps:
                if piece == "road" and make("road", place) in self.legal:
                    return make("road", place)
        # Towards the best spot that can be reached.
        best = max(
            (
                (
                    self.land.time_of(self.seat) - self.land.time_with(self.seat, node),
                    -len(path),
                    path,
                )
                for node, path in self.land.paths(self.seat, 3).items()
                if path and node in self.land.free_nodes and make("road", path[0]) in self.legal
            ),
            default=None,
        )
        return make("road", best[2][0]) if best else min(self.legal)

    def answer(self) -> int:
        accept = make("accept")
        if accept not in self.legal:
            return make("reject")
        _, given, wanted = offer_of(self.table.offer)
        good = is_good_answer(self, self.table.current, given, wanted)
        return accept if good else make("reject")

    def take_turn(self, offered: set[int]) -> int:
        for step in (self.win_now, self.play_card, self.build, self.bank_trade):
            action = step()
            if action is not None and action in self.legal:
                return action
        if len(offered) < self.style.offers:
            offer = best_offer(self, offered)
            if offer is not None:
                return offer
        if self.style.saves and sum(self.hand) > SAFE_HAND:
            action = self.spend()
            if action is not None and action in self.legal:
                return action
        return make("end")

    # Parts of a turn

    def win_now(self) -> int | None:
        """A building or a knight that wins now; None if there is none."""
        missing = self.target - points_known(self.table, self.seat, own=True)
        if missing <= 1:
            for action in sorted(self.legal):
                if type_of(action) in ("settlement", "city"):
                    return action
        if missing <= 2 and self.table.army_holder != self.seat:
            others = [
                self.table.played(o)[KNIGHT] for o in range(self.land.seats) if o != self.seat
            ]
            if self.table.played(self.seat)[KNIGHT] + 1 >= max(3, max(others) + 1):
                return self.knight()
        return None

    def most_knights(self) -> int:
        """Knights that the strongest other army has played."""
        others = (seat for seat in range(self.land.seats) if seat != self.seat)
        return max(int(self.table.played(seat)[KNIGHT]) for seat in others)

    def play_card(self) -> int | None:
        table, plan = self.table, self.plan
        if table.card_played:
            return None
        held = table.held(self.seat)
        if held[KNIGHT] and self.wants_army():
            return self.knight()
        if held[ROADS] and plan and [piece for piece, _ in plan.steps[:2]] == ["road", "road"]:
            return make("roads")
        if held[ROADS] and plan and plan.kind == "road":
            return make("roads")
        if held[PLENTY] and plan:
            missing = minus(plan.cost, self.hand)
            if sum(missing) == 2 or (sum(missing) == 1 and plan.rolls > 6):
                kinds = [kind for kind in range(5) for _ in range(missing[kind])]
                while len(kinds) < 2:
                    kinds.append(max(range(5), key=lambda k: self.land.periods[self.seat][k]))
                first, second = sorted(kinds)
                return make("plenty", first << 3 | second)
        if held[MONOPOLY]:
            return self.monopoly()
        return None

    def wants_army(self) -> bool:
        """Whether a knight now works towards the army, or frees a hex of ours."""
        table, seat = self.table, self.seat
        if table.robber in self.land.hexes_of(seat):
            return True
        if table.army_holder == seat:
            return bool(self.most_knights() + 1 >= table.played(seat)[KNIGHT])
        most = max(table.played(other)[KNIGHT] for other in range(self.land.seats))
        return bool(table.played(seat)[KNIGHT] + table.held(seat)[KNIGHT] >= max(3, most + 1))

    def monopoly(self) -> int | None:
        rates = self.land.rates[self.seat]
        others = [self.hand_of(o) for o in range(self.land.seats) if o != self.seat]
        worth = [sum(hand[kind] for hand in others) / rates[kind] for kind in range(5)]
        need = minus(self.plan.cost, self.hand) if self.plan else (0,) * 5
        best = max(range(5), key=lambda kind: worth[kind] + 0.5 * (need[kind] > 0))
        enough = worth[best] > MONOPOLY_WORTH or (
            need[best] and sum(hand[best] for hand in others) >= need[best] + 1
        )
        return make("monopoly", best) if enough else None

    def build(self) -> int | None:
        plan = self.plan
        if plan is None:
            return None
        if plan.kind == "settlement" and len(plan.steps) > 1 and not self.may_start(plan):
            return None
        kind, place = plan.steps[0]
        return make(kind, place) if covers(self.hand, plan.first_cost) else None

    def may_start(self, plan: BuildPlan) -> bool:
        """Whether the first road of a plan may be built before its settlement can be paid."""
        return covers(self.hand, plan.first_cost)

    def bank_trade(self) -> int | None:
        """A trade on the way to paying for the next piece at once."""
        plan = self.plan
        if plan is None:
            return None
        cost, land = plan.first_cost, self.land
        if rolls_to(cost, self.hand, land.periods[self.seat], land.rates[self.seat]) > 0:
            return None
        return self.trade_for(cost)

    def trade_for(self, cost: Counts) -> int | None:
        """A bank trade of the largest surplus for the resource that is slowest to get."""
        rates, periods = self.land.rates[self.seat], self.land.periods[self.seat]
        lacking = [kind for kind in range(5) if self.hand[kind] < cost[kind]]
        giving = [kind for kind in range(5) if self.hand[kind] - cost[kind] >= rates[kind]]
        if not lacking or not giving:
            return None
        want = max(lacking, key=lambda kind: periods[kind])
        give = max(giving, key=lambda kind: self.hand[kind] - cost[kind])
        return make_trade(give, want, rates[give])

    def spend(self) -> int | None:
        """A purchase or trade to reduce a hand that a seven would halve."""
        if make("buy") in self.legal:
            return make("buy")
        return self.trade_for(self.plan.cost) if self.plan else None


def choose_plan(style: Style, land: Land, seat: int, hand: Counts, own: bool) -> BuildPlan | None:
    """The fastest plan; ties by the benefit for later building."""
    plans = all_plans(land, seat, hand)
    if points_known(land.table, seat, own) < style.early_points:
        building = [plan for plan in plans if plan.kind in ("settlement", "city")]
        plans = building or [plan for plan in plans if plan.kind == "card"]
    favour = style.favour_card
    if favour is None:
        plans = [plan for plan in plans if plan.kind != "card"] or plans

    def time(plan: BuildPlan) -> float:
        if plan.kind != "card" or not favour:
            return plan.rolls
        # A card that is paid already waits a roll, or no favour could put it off.
        return plan.rolls - favour * plan.rolls if plan.rolls else 1

    return min(plans, key=lambda plan: (time(plan), -plan.speedup, plan.steps), default=None)
