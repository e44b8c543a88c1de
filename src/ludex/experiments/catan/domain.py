"""The size of Catan: tables of Dobre's thesis (2018) beside measured values.

E1 domain size, E2 and E3 branching and depth by policy and trade space, E4 which types of action
are legal how often, E10 typed against untyped random play. The games are those of the source: an
endless bank, numbers shuffled with 6 and 8 apart, knights alone before the roll, trades carried out
unasked, whole discards drawn at random.

A *choice* is a decision or a chance with more than one option, as the source counts; in typed play
the options are those of the type drawn. *Steps* are all decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement, permutations
from math import factorial
from operator import mul
from statistics import mean
from typing import Any

from ludex.arena.match.watcher import Draw, Step, Watcher
from ludex.core import registry
from ludex.core.rng import Rng
from ludex.experiments.catan.evaluation import one_against_three
from ludex.experiments.estimates import next_value
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey, written
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import (
    BUNDLES,
    EDGES,
    HEXES,
    NODES,
    RESOURCES,
    TYPES,
    make_offer,
    offer_of,
    type_of,
)
from ludex.worlds.catan.world import Catan

SPACES = ("none", "1:1", "1:2", "all")
PRINTED_BRANCHING = {"none": 10, "1:1": 17, "1:2": 26, "all": 65}
PRINTED_DEPTH = {"none": 1090, "1:1": 3085, "1:2": 5371, "all": 11715}
PRINTED_TYPES = {
    "road": (0.0547, 5.48),
    "settlement": (0.0331, 2.82),
    "city": (0.0122, 2.71),
    "buy": (0.0114, 1.0),
    "offer": (0.9982, 64.8),
    "trade": (0.2361, 4.47),
    "knight": (0.0001, 16.16),
    "monopoly": (0.0010, 3.92),
    "plenty": (0.0005, 15.0),
    "roads": (0.0023, 6.35),
    "end": (1.0, 1.0),
}
"""how often a type is legal after the roll, and how many actions it then has"""
NOTES = {"buy": "printed with a zero too many, it seems"}
PRINTED_TYPED_DEPTH = 420
PRINTED_SPEED_RATIO = 68  # untyped time by typed time


def model_of(trades: str) -> CatanModel:
    """The game of the source in one of its trade spaces."""
    options = f"trades={trades},offers=none,bank=infinite,view=open,early=knights,numbers=apart"
    world = registry.world(f"catan[{options}]")
    assert isinstance(world, Catan)
    return world.model.with_exchanges()


def domain_size() -> list[Reading]:
    """E1: boards and actions, counted."""
    layouts = factorial(19) // (factorial(4) ** 3 * factorial(3) ** 2)
    boards = layouts * (factorial(9) // factorial(4)) / 3
    return [
        Reading("E1", "boards, numbers not counted", 1.2e15, boards),
        Reading("E1", "actions, discards of ten cards", 1882, count_actions()),
    ]


def count_actions() -> int:
    """How many actions the source counts: robbers and knights apart, each discard as one."""
    kinds = range(len(RESOURCES))
    sizes = {(1, 1), (1, 2), (2, 1)}
    trades = [
        make_offer(1, given, wanted)
        for given in BUNDLES
        for wanted in BUNDLES
        if (sum(given), sum(wanted)) in sizes and not any(map(mul, given, wanted))
    ]
    partners, rates = 3, (2, 3, 4)
    return (
        2 * NODES
        + EDGES
        + HEXES * (partners + 1)
        + len(("buy", "knight", "roads", "roll", "end"))
        + len(kinds)  # of monopoly
        + len(list(combinations_with_replacement(kinds, 2)))  # of plenty
        + len(list(permutations(kinds, 2))) * len(rates)
        + partners * (len(trades) + sum(map(is_mixed, trades)))
        + len(list(combinations_with_replacement(kinds, 10)))
    )


def by_board(
    model: CatanModel, policy: str, games: int, boards: int, rng: Rng
) -> list[dict[str, Any]]:
    """What is counted in random games on each of several boards.

    The published program lays one board and plays all its games there, so that what one board
    differs from the next is part of its numbers.
    """
    each = max(1, games // boards)
    return [
        model.profile(policy, each, True, rng.fork(board), one_board=True)
        for board in range(boards)
    ]


def reading(
    table: str, what: str, printed: float, values: Sequence[float], note: str = ""
) -> Reading:
    """The mean over boards beside the printed number, which is that of one board.

    The interval is that of one more board, and the note has the least and the most of a board.
    """
    spread = f"{written(min(values))} to {written(max(values))} by board"
    found = next_value(values)
    return Reading(
        table,
        what,
        printed,
        found.mean,
        f"{note}; {spread}" if note else spread,
        interval=found.interval,
        cases=found.cases,
    )


def per_game(found: Iterable[Mapping[str, Any]], *counts: str) -> list[float]:
    """The sum of some counts in a game of each board."""
    return [sum(one[count] for count in counts) / one["games"] for one in found]


def branching_of(found: Iterable[Mapping[str, Any]]) -> list[float]:
    return [one["options"] / one["choices"] for one in found]


def trade_space(trades: str, games: int, boards: int, seed: int = 0) -> list[Reading]:
    """E2 and E3: branching and depth of uniform play in one trade space; E4 where all is traded."""
    found = by_board(model_of(trades), "ordered", games, boards, Rng(seed).fork(trades))
    choices = mean(per_game(found, "choices"))
    ticks = mean(per_game(found, "steps", "chances"))
    note = f"steps; {choices:.0f} choices, {ticks:.0f} steps with those of chance"
    return [
        reading(
            "E3", f"branching, trades {trades}", PRINTED_BRANCHING[trades], branching_of(found)
        ),
        reading(
            "E3", f"depth, trades {trades}", PRINTED_DEPTH[trades], per_game(found, "steps"), note
        ),
        *(legal_types(found) if trades == "all" else ()),
    ]


def legal_types(found: Sequence[Mapping[str, Any]]) -> list[Reading]:
    """E4: how often each type is legal after the roll under uniform play, and its actions."""
    readings = []
    for kind, (share, actions) in PRINTED_TYPES.items():
        index = TYPES.index(kind)
        shares = [one["legal"][index] / one["main_steps"] for one in found]
        readings.append(reading("E4", f"{kind} legal", share, shares, NOTES.get(kind, "")))
        means = [one["tokens"][index] / one["legal"][index] for one in found if one["legal"][index]]
        if means:
            readings.append(reading("E4", f"{kind} actions", actions, means))
    return readings


def typed_play(games: int, boards: int, seed: int = 0) -> list[Reading]:
    """E10: typed against untyped random play, in length and time."""
    model = model_of("all")
    typed = by_board(model, "type_first", games, boards, Rng(seed).fork("typed"))
    untyped = model.profile("ordered", max(1, games // 10), True, Rng(seed).fork("untyped"))
    speed = {policy: games_per_second(model, policy) for policy in ("type_first", "uniform")}
    depths = per_game(typed, "choices")
    longer = (untyped["choices"] / untyped["games"]) / mean(depths)
    return [
        reading("E10", "typed depth", PRINTED_TYPED_DEPTH, depths, "choices"),
        Reading(
            "E10", "untyped depth by typed", PRINTED_DEPTH["all"] / PRINTED_TYPED_DEPTH, longer
        ),
        Reading(
            "E10",
            "untyped time by typed",
            PRINTED_SPEED_RATIO,
            speed["type_first"] / speed["uniform"],
            f"{speed['type_first']:.0f} typed games per CPU-second",
        ),
    ]


def games_per_second(model: CatanModel, policy: str) -> float:
    return model.bench_games(policy, 0.5)


class OptionCounter(Watcher):
    """Counts the options of every choice in watched games, as the source lists them.

    A choice is a decision or a chance with more than one option. Offers are exchanges there, so
    what both can pay is counted, and answers are not; mixed trades are listed in both orders.
    """

    def __init__(self, world: str = "catan") -> None:
        watched = registry.world(world)
        assert isinstance(watched, Catan)
        # The source's rules, about the states of the games that are watched.
        self.model = CatanModel(model_of("all").options, watched.model.game)
        self.decisions: list[int] = []
        """options of each decision that has some"""
        self.chances: list[int] = []

    def after_chance(self, draw: Draw) -> None:
        self.chances.append(len(self.model.chance(draw.before)))

    def after_step(self, step: Step) -> None:
        if type_of(step.actions[0]) in ("offer", "accept", "reject"):
            return
        legal = self.model.legal(step.before, step.before.acting)
        if len(legal) > 1:
            self.decisions.append(len(legal) + sum(map(is_mixed, legal)))


def is_mixed(action: int) -> bool:
    """Whether an action offers or wants two cards that differ."""
    if type_of(action) != "offer":
        return False
    _, given, wanted = offer_of(action)
    return len([count for count in (*given, *wanted) if count]) > 2


def self_play(games: int, seed: int = 0) -> list[Reading]:
    """E2 and E4b: four equal planners by heuristics, with their offers and the length of games."""
    counter = OptionCounter()
    found = one_against_three(
        "catan/stac", "catan/stac", games=games, seed=seed, watchers=[counter]
    )
    low, high = found.interval
    first = max(abs(wins / games - 0.25) for wins in found.by_seat)
    return [
        Reading(
            "E4b",
            "stac against three of itself, % won",
            25,
            100 * found.rate,
            f"p = {found.p:.2f}; no seat is further than {100 * first:.1f} from 25",
            interval=(100 * low, 100 * high),
            cases=games,
        ),
        Reading("3.2", "offers in a game of four stac", 12, found.offers),
        Reading(
            "E2",
            "depth, four stac",
            249,
            found.depth,
            "steps; an exchange is one, a refused offer none",
        ),
        Reading(
            "E2",
            "branching, four stac",
            73,
            mean(counter.decisions),
            f"options of decisions that have some; {mean(counter.decisions + counter.chances):.1f} "
            "with those of chance",
        ),
    ]


def against_random(games: int, seed: int = 0) -> list[Reading]:
    """What any reasonable player wins against three random ones."""
    found = one_against_three("catan/stac", "uniform", games=games, seed=seed)
    low, high = found.interval
    return [
        Reading(
            "3.2",
            "stac against three random, % won",
            99,
            100 * found.rate,
            interval=(100 * low, 100 * high),
            cases=games,
        )
    ]


class Domain(Survey):
    """How large catan is, and whether its baseline player is as the source says."""

    id = "CATAN-DOMAIN"
    title = "how large is catan, and is the baseline player calibrated?"
    source = "M. S. Dobre, Low-resource Learning in Complex Games, 2018, tables 1.1, 3.1-3.3, 5.6"
    deviations = (
        "fewer games than the 10,000 (random) and 1,000 (heuristic) of the source",
        "stac is a player of our own, written from descriptions of the Stac agent",
        "depths are steps, that is decisions, unless the note says choices: decisions or chances "
        "with an alternative",
        "the source plays all its random games on one board; here they are spread over several",
    )

    def parts(self, scale: Scale) -> dict[str, Part]:
        games, boards, matches = {
            "tiny": (60, 6, 16),
            "small": (1000, 20, 200),
            "full": (10_000, 100, 10_000),
        }[scale]
        return {
            "E1": domain_size,
            **{
                f"E3, trades {trades}": partial(trade_space, trades, games, boards)
                for trades in SPACES
            },
            "E10": partial(typed_play, games, boards),
            "E2 and E4b": partial(self_play, matches),
            "against random": partial(against_random, matches),
        }
