"""Whom a sentence about a seat is told to: the seat itself, or somebody else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A seat in a sentence: "you" to whoever sits there, "seat 2" and "it" to others.

    >>> you, other = Person(2, is_reader=True), Person(2)
    >>> f"{you} cannot build: {you.does('lack')} ore", f"{other} cannot build: {other.has} no ore"
    ('you cannot build: you lack ore', 'seat 2 cannot build: it has no ore')
    """

    seat: int
    is_reader: bool = False

    def __str__(self) -> str:
        return "you" if self.is_reader else f"seat {self.seat}"

    @property
    def it(self) -> str:
        return "you" if self.is_reader else "it"

    @property
    def its(self) -> str:
        return "your" if self.is_reader else "its"

    @property
    def has(self) -> str:
        return "you have" if self.is_reader else "it has"

    def does(self, verb: str) -> str:
        """The pronoun and a regular verb."""
        return f"you {verb}" if self.is_reader else f"it {verb}s"
