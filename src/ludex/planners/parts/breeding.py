"""Crossover and mutation of sequences, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from ludex.core.rng import Rng
from ludex.planners.parts.sequences import Alphabet, Genome

Crossover: TypeAlias = Callable[[Genome, Genome, Rng], Genome]
CrossoverName: TypeAlias = Literal["uniform", "one_point", "none"]

COINS = 64  # tossed with one draw


def uniform(first: Genome, second: Genome, rng: Rng) -> Genome:
    """Take each gene from either parent, by the toss of a coin."""
    child = first.copy()
    coins = 0
    for place in range(len(child)):
        if place % COINS == 0:
            coins = rng.bits()
        if coins >> (place % COINS) & 1:
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


def tournament(individuals: int, size: int, rng: Rng) -> int:
    """Draw the place of a parent: the best of `size` individuals, which are sorted."""
    return min(rng.below(individuals) for _ in range(size))


def mutate_one(genome: Genome, alphabets: Sequence[Alphabet], rng: Rng) -> None:
    """Redraw one gene."""
    place = rng.below(len(genome))
    genome[place] = alphabets[place].draw(rng)


def mutate_each(genome: Genome, alphabets: Sequence[Alphabet], rate: float, rng: Rng) -> None:
    """Redraw each gene with this probability."""
    for place, alphabet in enumerate(alphabets):
        if rng.uniform() < rate:
            genome[place] = alphabet.draw(rng)
