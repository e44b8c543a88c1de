"""Compares games under our own generator with the same games under the reference's.

Chance must not depend on where it comes from: win rate, score and length of random games are
tested for a difference, and the chance of a false alarm is shared out over all tests (Holm).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ludex.core.errors import LudexError
from ludex.core.rng import Rng
from ludex.worlds.vgdl import _native
from ludex.worlds.vgdl.model import WON, is_random
from ludex.worlds.vgdl.tools.parallel import in_processes
from ludex.worlds.vgdl.tools.survey import LONGEST_GAME, levels_of
from ludex.worlds.vgdl.world import Vgdl

ALPHA = 0.05  # chance of any false alarm in a whole comparison


@dataclass(frozen=True, slots=True)
class Sample:
    """Random games under one generator: what the first player got, and how long they took."""

    wins: int
    scores: tuple[float, ...]
    lengths: tuple[int, ...]

    @property
    def games(self) -> int:
        return len(self.lengths)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One game under both generators, with the probability of so large a difference by chance."""

    folder: str
    game: str
    ours: Sample
    reference: Sample
    p_wins: float
    p_scores: float
    p_lengths: float

    @property
    def p_least(self) -> float:
        return min(self.p_wins, self.p_scores, self.p_lengths)

    def as_json(self) -> dict[str, Any]:
        def told(sample: Sample) -> dict[str, Any]:
            return {
                "games": sample.games,
                "wins": sample.wins,
                "score": float(np.mean(sample.scores)),
                "ticks": float(np.mean(sample.lengths)),
            }

        return {
            "folder": self.folder,
            "game": self.game,
            "ours": told(self.ours),
            "reference": told(self.reference),
            "p": {"wins": self.p_wins, "score": self.p_scores, "ticks": self.p_lengths},
        }


def play_ours(world: Vgdl, count: int, seed: int) -> Sample:
    ends = []
    for number in range(count):
        rng = Rng(seed).fork("ours", number)
        ends.append(world.model.rollout(world.start(rng), "uniform", LONGEST_GAME, rng).state)
    return sample_of(ends)


def play_reference(world: Vgdl, count: int, seed: int) -> Sample:
    """The same, with the effects' chance from the reference's generator."""
    ends = []
    for number in range(count):
        rng = Rng(seed).fork("reference", number)
        state = world.start(rng)
        dice = _native.ReferenceDice(rng.fork("dice").below(2**48))
        world.model.play_reference(state, dice, rng, LONGEST_GAME)
        ends.append(state)
    return sample_of(ends)


def sample_of(ends: Sequence[_native.State]) -> Sample:
    return Sample(
        sum(state.winners[0] == WON for state in ends),
        tuple(state.scores[0] for state in ends),
        tuple(state.tick for state in ends),
    )


def p_of_counts(ours: int, n: int, reference: int, m: int) -> float:
    """Fisher's exact test of two shares."""
    from scipy.stats import fisher_exact

    return float(fisher_exact([[ours, n - ours], [reference, m - reference]])[1])


def p_of_values(ours: Sequence[float], reference: Sequence[float]) -> float:
    """The rank test of Mann and Whitney; equal constants cannot differ."""
    from scipy.stats import mannwhitneyu

    if len(set(ours) | set(reference)) == 1:
        return 1.0
    return float(mannwhitneyu(ours, reference, method="asymptotic").pvalue)


def compare_samples(folder: str, game: str, ours: Sample, reference: Sample) -> Comparison:
    return Comparison(
        folder,
        game,
        ours,
        reference,
        p_of_counts(ours.wins, ours.games, reference.wins, reference.games),
        p_of_values(ours.scores, reference.scores),
        p_of_values(ours.lengths, reference.lengths),
    )


def compare_game(path: Path, root: Path, count: int = 200, seed: int = 0) -> Comparison | None:
    """Compare the first level of a game; None where chance plays no part or it does not load."""
    numbers = levels_of(path)
    if not numbers:
        return None
    world = Vgdl(game=str(path), level=numbers[0])
    try:
        if not is_random(world.definition):
            return None
        ours = play_ours(world, count, seed)
    except LudexError:
        return None
    reference = play_reference(world, count, seed)
    return compare_samples(str(path.parent.relative_to(root)), path.stem, ours, reference)


def compare(
    paths: Sequence[Path], root: Path, count: int = 200, seed: int = 0, workers: int = 1
) -> Iterator[Comparison | None]:
    """Compare many games in order, in this many processes."""
    work = partial(compare_game, root=root, count=count, seed=seed)
    return in_processes(work, paths, workers)


def holm(ps: Sequence[float], alpha: float = ALPHA) -> list[bool]:
    """Which hypotheses to reject so that any false rejection has at most this probability.

    >>> holm([0.01, 0.04, 0.3])
    [True, False, False]
    """
    rejected = [False] * len(ps)
    for rank, index in enumerate(sorted(range(len(ps)), key=lambda one: ps[one])):
        if ps[index] > alpha / (len(ps) - rank):
            break
        rejected[index] = True
    return rejected


def differing(rows: Sequence[Comparison]) -> list[Comparison]:
    """The games in which some figure differs beyond chance, over all tests together."""
    ps = [p for row in rows for p in (row.p_wins, row.p_scores, row.p_lengths)]
    found = holm(ps)
    return [row for index, row in enumerate(rows) if any(found[3 * index : 3 * index + 3])]


def as_markdown(rows: Sequence[Comparison]) -> str:
    """The table of a comparison, for the docs: ours / reference."""
    lines = [
        "| folder | game | wins | mean score | mean ticks | smallest p |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for row in rows:
        one, two = row.ours, row.reference
        lines.append(
            f"| {row.folder} | {row.game} | {one.wins} / {two.wins} | "
            f"{np.mean(one.scores):.2f} / {np.mean(two.scores):.2f} | "
            f"{np.mean(one.lengths):.0f} / {np.mean(two.lengths):.0f} | {row.p_least:.3f} |"
        )
    return "\n".join(lines)


def summary(rows: Sequence[Comparison]) -> str:
    """One sentence about all games."""
    if not rows:
        return "no games with chance"
    low = sum(p < ALPHA for row in rows for p in (row.p_wins, row.p_scores, row.p_lengths))
    return (
        f"{len(rows)} games with chance, {rows[0].ours.games} random games under each generator: "
        f"{len(differing(rows))} games differ (Holm, {3 * len(rows)} tests, level {ALPHA}); "
        f"{low} single p-values are below {ALPHA}, about {3 * len(rows) * ALPHA:.0f} were to be "
        "expected"
    )
