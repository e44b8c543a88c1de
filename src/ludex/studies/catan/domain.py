"""The size of the game: tables of Dobre's thesis (2018) beside what is measured here.

E1 domain size, E2 and E3 branching and depth by policy and trade space, E4 which types of action
are legal how often, E10 typed against untyped random play. The games are those of the source: an
endless bank, knights alone before the roll, trades carried out unasked.

A *choice* is a decision or a chance with more than one option, as the source counts; in typed play
the options are those of the type drawn. *Steps* are all decisions.
"""

from __future__ import annotations

from math import factorial

from ludex.core import registry
from ludex.core.rng import Rng
from ludex.studies.catan.evaluation import one_against_three
from ludex.studies.scale import Scale
from ludex.studies.survey import Reading, Survey
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import TYPES
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
PRINTED_TYPED_DEPTH = 420
PRINTED_SPEED_RATIO = 68  # untyped time by typed time


def model_of(trades: str) -> CatanModel:
    """The game of the source in one of its trade spaces."""
    options = f"trades={trades},offers=none,bank=infinite,view=open,early=knights"
    world = registry.world(f"catan[{options}]")
    assert isinstance(world, Catan)
    return world.model.with_exchanges()


def domain_size() -> list[Reading]:
    """E1: boards and actions, counted."""
    layouts = factorial(19) // (factorial(4) ** 3 * factorial(3) ** 2)
    boards = layouts * (factorial(9) // factorial(4)) / 3
    ordered = 20 + 2 * 20 + 2 * 60  # mixed trades in both orders, as the source counts them
    places = 54 + 54 + 72 + 19 * 4
    actions = places + 1 + 1 + 1 + 5 + 15 + 1 + 1 + 60 + 3 * ordered + 1001
    return [
        Reading("E1", "boards, numbers not counted", 1.2e15, boards),
        Reading("E1", "actions, discards of ten cards", 1882, actions),
    ]


def trade_spaces(games: int, seed: int = 0) -> list[Reading]:
    """E2 and E3: branching and depth of uniform play by trade space."""
    readings = []
    for trades in SPACES:
        found = model_of(trades).profile("ordered", games, True, Rng(seed).fork(trades))
        branching = found["options"] / found["choices"]
        steps = found["steps"] / found["games"]
        choices = f"{found['choices'] / found['games']:.0f} choices"
        readings.append(Reading("E3", f"branching, {trades}", PRINTED_BRANCHING[trades], branching))
        readings.append(
            Reading("E3", f"depth, {trades}", PRINTED_DEPTH[trades], steps, f"steps; {choices}")
        )
    return readings


def legal_types(games: int, seed: int = 0) -> list[Reading]:
    """E4: how often each type is legal after the roll under uniform play, and its actions."""
    found = model_of("all").profile("ordered", games, True, Rng(seed).fork("types"))
    readings = []
    for kind, (share, actions) in PRINTED_TYPES.items():
        place = TYPES.index(kind)
        legal = found["legal"][place]
        note = "printed with a zero too many, it seems" if kind == "buy" else ""
        readings.append(Reading("E4", f"{kind} legal", share, legal / found["main_steps"], note))
        if legal:
            mean = found["tokens"][place] / legal
            readings.append(Reading("E4", f"{kind} actions", actions, mean))
    return readings


def typed_play(games: int, seed: int = 0) -> list[Reading]:
    """E10: typed against untyped random play, in length and time."""
    model = model_of("all")
    typed = model.profile("type_first", games, True, Rng(seed).fork("typed"))
    untyped = model.profile("ordered", max(1, games // 10), True, Rng(seed).fork("untyped"))
    speed = {policy: games_per_second(model, policy) for policy in ("type_first", "uniform")}
    depth = typed["choices"] / typed["games"]
    longer = (untyped["choices"] / untyped["games"]) / depth
    return [
        Reading("E10", "typed depth", PRINTED_TYPED_DEPTH, depth, "choices"),
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


def calibration(games: int, seed: int = 0) -> list[Reading]:
    """E2 and E4b: four equal planners by heuristics, with their offers and the length of games."""
    found = one_against_three("catan/stac", "catan/stac", games=games, seed=seed)
    random = one_against_three("catan/stac", "uniform", games=games, seed=seed)
    low, high = found.interval
    return [
        Reading(
            "E4b",
            "stac against three of itself, % won",
            25,
            100 * found.rate,
            f"95 % interval {100 * low:.1f} to {100 * high:.1f}",
        ),
        Reading("3.2", "stac against three random, % won", 99, 100 * random.rate),
        Reading("3.2", "offers in a game of four stac", 12, found.offers),
        Reading("E2", "depth of a game of four stac", 249, found.depth, "steps"),
    ]


class Domain(Survey):
    """How large catan is, and whether its baseline player is as the source says."""

    id = "CATAN-DOMAIN"
    title = "how large is catan, and is the baseline player calibrated?"
    source = "M. S. Dobre, Low-resource Learning in Complex Games, 2018, tables 1.1, 3.1-3.3, 5.6"
    deviations = (
        "fewer games than the 10,000 (random) and 1,000 (heuristic) of the source",
        "stac is a player of our own, written from descriptions of the Stac agent",
        "depths are steps unless the note says choices: decisions or chances with an alternative",
    )

    def readings(self, scale: Scale) -> list[Reading]:
        games, matches = {"tiny": (60, 16), "small": (600, 400), "full": (10_000, 2000)}[scale]
        readings = domain_size() + trade_spaces(games) + legal_types(games) + typed_play(games)
        return readings + calibration(matches)
