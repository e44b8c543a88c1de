"""Comparison with catanatron: random games of both programs, and its bots in our world.

The same uniform choice is made among actions as catanatron lists them: a knight once, whatever
its hex, before the roll nothing but knights, and road building only to one who could pay for a
road. Discards are random cards, and numbers are laid at random, as it has them.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from statistics import mean
from typing import Any

from scipy.stats import mannwhitneyu

from ludex.core import registry
from ludex.core.extra import require_extra
from ludex.core.rng import Meter, Rng
from ludex.experiments.catan.players import SILENT, Pairing
from ludex.experiments.estimates import mean_against
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey
from ludex.worlds.catan.values import COSTS, covers, make, type_of

AS_LISTED = "catan[trades=none,early=knights,numbers=any]"
LABELS = {
    "ROLL": "roll",
    "BUILD_ROAD": "road",
    "BUILD_SETTLEMENT": "settlement",
    "BUILD_CITY": "city",
    "BUY_DEVELOPMENT_CARD": "buy",
    "PLAY_KNIGHT_CARD": "knight",
    "PLAY_YEAR_OF_PLENTY": "plenty",
    "PLAY_MONOPOLY": "monopoly",
    "PLAY_ROAD_BUILDING": "roads",
    "MARITIME_TRADE": "trade",
}
"""the actions of catanatron that are counted, and ours"""
COMPARED = (
    "roll",
    "settlement",
    "city",
    "buy",
    "knight",
    "plenty",
    "monopoly",
    "trade",
    "roads",
    "road",
)
PAIRINGS = (
    Pairing("catan/stac", "catan/catanatron", SILENT),
    Pairing("catan/greedy", "catan/catanatron", SILENT),
    Pairing("catan/catanatron", "catan/weighted", SILENT),
    Pairing("catan/weighted", "catan/catanatron(bot=weighted)", SILENT),
    Pairing("catan/catanatron(bot=random)", "uniform", SILENT),
)


def play_ours(seed: int) -> Counter[str]:
    """How often each type was played in one random game."""
    world = registry.world(AS_LISTED)
    model, rng = world.model.metered(Meter()), Rng(seed).fork("as listed")
    state: Any = world.start(rng)
    counts: Counter[str] = Counter()
    while seats := model.to_act(state):
        if state.phase == "discard":
            chosen = random_discards(state, rng)
        else:
            chosen = [choose_as_listed(model.legal(state, seats[0]), state, rng)]
        for action in chosen:
            counts[type_of(action)] += 1
            model.advance(state, (action,), rng)
        model.settle(state, rng)
    return counts


def choose_as_listed(legal: Any, state: Any, rng: Rng) -> int:
    """Any of the actions that catanatron would list, each as likely."""
    can_pay = covers(state.hand(state.acting), COSTS["road"])
    others, knights = [], []
    for action in legal:
        kind = type_of(action)
        if kind == "knight":
            knights.append(action)
        elif kind != "roads" or can_pay:
            others.append(action)
    index = rng.below(len(others) + bool(knights))
    chosen: int = others[index] if index < len(others) else rng.choice(knights)
    return chosen


def random_discards(state: Any, rng: Rng) -> list[int]:
    """Any cards, each as likely, in the order in which they are laid down here."""
    counts = state.hand(state.acting)
    hand = [kind for kind, count in enumerate(counts) for _ in range(count)]
    rng.shuffle(hand)
    return [make("discard", kind) for kind in sorted(hand[: state.quota])]


def play_theirs(seed: int) -> Counter[str]:
    """The same of one game between its random players; it draws from Python's own generator."""
    import catanatron

    before = random.getstate()
    players = [catanatron.RandomPlayer(colour) for colour in catanatron.Color]
    game = catanatron.Game(players, seed=seed + 1)  # 0 would be no seed
    game.play(decide_fn=any_listed)
    random.setstate(before)
    counts: Counter[str] = Counter()
    for action in game.state.actions:
        if label := LABELS.get(action.action_type.name):
            counts[label] += 1
    return counts


def any_listed(player: Any, game: Any, actions: Any) -> Any:
    """What its random player does, but the same in every run: its lists come from sets."""
    return random.choice(sorted(actions, key=repr))


def timed(play: Callable[[int], Counter[str]], games: int) -> tuple[list[Counter[str]], float]:
    """Games of one program, and how many it plays in a CPU-second."""
    begin = time.thread_time()
    played = [play(seed) for seed in range(games)]
    return played, games / (time.thread_time() - begin)


def compare(games: int) -> list[Reading]:
    """Means per game, and whether both programs draw them from the same distribution."""
    ours, our_speed = timed(play_ours, games)
    theirs, their_speed = timed(play_theirs, games)
    note = "games per CPU-second; ours with every choice made in Python"
    speed = Reading("games", "speed", their_speed, our_speed, note, compared=False)
    return [*tests("games", theirs, ours), speed]


def compare_mended(games: int) -> list[Reading]:
    """The same with catanatron's defects mended: what differs now is not one of them."""
    from ludex.experiments.catan.parts.mended import mended

    ours, _ = timed(play_ours, games)
    with mended():
        theirs, _ = timed(play_theirs, games)
    return tests("mended", theirs, ours)


def tests(
    table: str, theirs: Sequence[Counter[str]], ours: Sequence[Counter[str]]
) -> list[Reading]:
    """A reading for every type of action, with the p-value of no difference.

    The interval is that of the difference, laid around their mean.
    """
    readings = []
    for kind in COMPARED:
        other, own = ([game[kind] for game in side] for side in (theirs, ours))
        note = f"p {mannwhitneyu(other, own).pvalue:.2g}"
        found = mean_against(own, other)
        readings.append(
            Reading(
                table,
                kind,
                mean(other),
                found.mean,
                note,
                interval=found.interval,
                cases=found.cases,
            )
        )
    return readings


class Peer(Survey):
    """Whether an independent program plays the same game, and how strong its bots are here."""

    id = "CATAN-PEER"
    title = "does catanatron play the same game, and how do its bots fare?"
    source = "catanatron 3.2, measured in the same run in place of printed numbers"
    deviations = (
        "known defects of catanatron 3.2.1: a road that ends at another's building counts one "
        "less; after a cut the longest road is kept below five, and ties go to whoever comes "
        "first; a short bank does not pay the only one owed; cards can be played in the turn in "
        "which they are bought; road building needs the price of a road; plenty lists single cards "
        "when a pair is not to be had; discards are drawn at random; points won off turn end the "
        "game",
        "its bots see all cards, and players do not trade: catanatron 3.2 knows no such trades",
        "mended: these defects put right in the running program, but for road building, discards "
        "and cards before the roll, which our side imitates in both comparisons",
        "p: two-sided Mann-Whitney test",
    )

    def parts(self, scale: Scale) -> dict[str, Part]:
        require_extra("catanatron", "comparisons with catanatron", "catanatron")
        games, matches = {"tiny": (150, 8), "small": (2000, 24), "full": (10_000, 2000)}[scale]
        return {
            "random games": partial(compare, games),
            "random games, mended": partial(compare_mended, games),
            **{str(one): partial(one.readings, matches) for one in PAIRINGS},
        }
