"""Crossover and mutation of sequences, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from operator import getitem
from typing import Literal, TypeAlias

from ludex.core.rng import Rng
from ludex.planners.parts.sequences import Gene, Genome

Crossover: TypeAlias = Callable[[Genome, Genome, Rng], Genome]
CrossoverName: TypeAlias = Literal["uniform", "one_point", "none"]

FLIPS = [tuple(byte >> bit & 1 for bit in range(8)) for byte in range(256)]
BITS = 64  # that one draw gives


def coin_flips(count: int, rng: Rng) -> chain[int]:
    """Flip at least so many coins, 64 in one draw."""
    flips = b"".join(rng.bits().to_bytes(8, "little") for _ in range(-(-count // BITS)))
    return chain.from_iterable(map(FLIPS.__getitem__, flips))


def uniform(first: Genome, second: Genome, rng: Rng) -> Genome:
    """Take each gene from either parent, by the toss of a coin."""
    # No Python code runs for a gene: this is done for every individual of every generation.
    return list(map(getitem, zip(first, second, strict=True), coin_flips(len(first), rng)))


def one_point(first: Genome, second: Genome, rng: Rng) -> Genome:
    """Take the first genes of one parent and the last of the other."""
    point = rng.below(len(first))
    return first[:point] + second[point:]


def none(first: Genome, second: Genome, rng: Rng) -> Genome:
    """Copy the first parent."""
    return first.copy()


CROSSOVERS: dict[CrossoverName, Crossover] = {
    "uniform": uniform,
    "one_point": one_point,
    "none": none,
}


def tournament(individuals: int, size: int, rng: Rng) -> int:
    """The best of `size` drawn individuals; they are sorted, so it is the least place."""
    best = rng.below(individuals)
    for _ in range(size - 1):
        best = min(best, rng.below(individuals))
    return best


def mutate_one(genome: Genome, alphabets: Sequence[Sequence[Gene]], rng: Rng) -> None:
    """Redraw one gene."""
    place = rng.below(len(genome))
    known = alphabets[place]
    genome[place] = known[rng.below(len(known))] if known else None


def mutate_each(
    genome: Genome, alphabets: Sequence[Sequence[Gene]], rate: float, rng: Rng
) -> None:
    """Redraw each gene with this probability."""
    for place, known in enumerate(alphabets):
        if rng.uniform() < rate:
            genome[place] = known[rng.below(len(known))] if known else None
