"""Crossover and mutation of sequences, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal, TypeAlias

from ludex.core.rng import Rng
from ludex.planners.parts.sequences import Gene, Genome

Crossover: TypeAlias = Callable[[Genome, Genome, Rng], Genome]
CrossoverName: TypeAlias = Literal["uniform", "one_point", "none"]

BITS = 64  # that one draw gives
MANY = 10_000  # entries in a table of tournaments


@cache
def picks(length: int) -> list[tuple[int, list[tuple[int, ...]]]]:
    """For every eight genes: the shift of their coins, and which genes each byte of coins picks."""
    return [
        (
            begin % BITS,
            [
                tuple(begin + bit for bit in range(min(8, length - begin)) if byte >> bit & 1)
                for byte in range(256)
            ],
        )
        for begin in range(0, length, 8)
    ]


def uniform(first: Genome, second: Genome, rng: Rng) -> Genome:
    """Take each gene from either parent, by the toss of a coin."""
    child = first.copy()
    coins = 0
    for shift, picked in picks(len(first)):
        if shift == 0:
            coins = rng.bits()
        for place in picked[coins >> shift & 255]:
            child[place] = second[place]
    return child


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


@cache
def winners(individuals: int, size: int) -> list[int]:
    """The places that win a tournament, each as often as it does; empty when too many.

    Individuals are sorted, so that the least of `size` drawn places wins: place i does so in
    (n - i) ** size - (n - i - 1) ** size of all n ** size tournaments.
    """
    listed: list[int] = []
    if individuals**size <= MANY:
        for left in range(individuals, 0, -1):
            listed += [individuals - left] * (left**size - (left - 1) ** size)
    return listed


def tournaments(individuals: int, size: int, count: int, rng: Rng) -> list[int]:
    """Draw the places of parents: each the best of `size` individuals."""
    below = rng.below
    table = winners(individuals, size)
    if table:
        most = len(table)
        return [table[below(most)] for _ in range(count)]
    return [min(below(individuals) for _ in range(size)) for _ in range(count)]


def mutate_one(genome: Genome, alphabets: Sequence[Sequence[Gene]], rng: Rng) -> None:
    """Redraw one gene."""
    index = rng.below(len(genome))
    known = alphabets[index]
    genome[index] = known[rng.below(len(known))] if known else None


def mutate_each(genome: Genome, alphabets: Sequence[Sequence[Gene]], rate: float, rng: Rng) -> None:
    """Redraw each gene with this probability."""
    for index, known in enumerate(alphabets):
        if rng.uniform() < rate:
            genome[index] = known[rng.below(len(known))] if known else None
