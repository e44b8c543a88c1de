"""Which matches a study consists of, in an order that depends on the study alone.

Repetitions come one after the other, so that an interrupted study has met everybody equally
often, and a study with more repetitions begins with the same matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TypeAlias

from ludex.arena.statistics.ratings import Rating, next_pairs, rate_period
from ludex.arena.study.study import Game, Study
from ludex.core.rng import Rng


@dataclass(frozen=True, slots=True)
class Job:
    """One match that is to be played."""

    game: str
    level: int | None
    world: str
    budget: str
    agents: tuple[int, ...]
    """by seat, the number of the entrant"""
    repetition: int
    seed: int
    round: int = 0

    def key(self, study: Study) -> str:
        """Names the match among all of its study, whatever else is added to it."""
        level = "" if self.level is None else f" {self.level}"
        seats = " v ".join(study.entrants[one].label for one in self.agents)
        turn = f" round {self.round}" if self.round else ""
        return f"{self.game}{level} | {self.budget} | {seats} | {self.repetition}{turn}"


def first_round(study: Study) -> list[Job]:
    """All matches that do not depend on results."""
    if study.pairing == "glicko":
        return []
    return [
        job
        for repetition in range(study.repeats)
        for game, level, world in study.stages
        for budget in study.budgets
        for job in jobs_at(
            study, game, level, str(world), budget, repetition, seatings(study, world.traits.seats)
        )
    ]


def jobs_at(
    study: Study,
    game: Game,
    level: int | None,
    world: str,
    budget: str,
    repetition: int,
    seated: Sequence[tuple[int, ...]],
    number: int = 0,
) -> Iterator[Job]:
    seed = seed_of(study, game.label, level, repetition, number)
    for agents in seated:
        yield Job(game.label, level, world, budget, agents, repetition, seed, number)


def seed_of(study: Study, game: str, level: int | None, repetition: int, number: int) -> int:
    """The seed of a match: the same for all agents, seats and budgets."""
    if study.seeds and not number:
        return study.seeds[repetition]
    seed = study.seeds[repetition] if study.seeds else study.seed
    names = ("study", game, -1 if level is None else level, repetition, number)
    return Rng(seed).fork(*names).bits() >> 1


def seatings(study: Study, seats: int) -> list[tuple[int, ...]]:
    """Who sits where, in every match of one repetition of one world."""
    agents = range(len(study.agents))
    if seats == 1:
        return [(agent,) for agent in agents]
    if study.pairing == "against":
        others = range(len(study.agents), len(study.entrants))
        return [
            turned
            for agent in agents
            for opponent in others
            for turned in rotations((agent, *[opponent] * (seats - 1)))
        ]
    return [turned for group in combinations(agents, seats) for turned in rotations(group)]


def rotations(group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Everybody in every seat once.

    >>> rotations((0, 1)), rotations((4, 5, 6))
    ([(0, 1), (1, 0)], [(4, 5, 6), (5, 6, 4), (6, 4, 5)])
    """
    return [group[shift:] + group[:shift] for shift in range(len(group))]


def size_of(study: Study) -> int:
    """How many matches a study has, without making them."""
    per_stage = 0
    for _, _, world in study.stages:
        seats = world.traits.seats
        if study.pairing == "glicko":
            per_stage += 2 * (len(study.agents) // 2) * study.rounds
        elif seats == 1:
            per_stage += len(study.agents)
        elif study.pairing == "against":
            per_stage += seats * len(study.agents) * len(study.opponents)
        else:
            per_stage += seats * comb(len(study.agents), seats)
    return per_stage * len(study.budgets) * study.repeats


# Rounds that depend on results


Rounds: TypeAlias = list[Mapping[tuple[int, int], Sequence[float]]]
"""For each round, by pair of entrants, what the first of them got in each of their matches."""


def glicko_round(study: Study, number: int, earlier: Rounds) -> list[Job]:
    """The matches of one round, from the results of all rounds before it."""
    ratings, meetings = glicko_after(len(study.agents), earlier)
    pairs = next_pairs(ratings, meetings)
    return [
        job
        for repetition in range(study.repeats)
        for game, level, world in study.stages
        for budget in study.budgets
        for pair in pairs
        for job in jobs_at(
            study, game, level, str(world), budget, repetition, rotations(pair), number
        )
    ]


def glicko_after(agents: int, rounds: Rounds) -> tuple[list[Rating], dict[tuple[int, int], int]]:
    """Ratings and numbers of meetings after some rounds; each is one rating period."""
    ratings = [Rating() for _ in range(agents)]
    meetings: dict[tuple[int, int], int] = {}
    for results in rounds:
        ratings = rate_period(ratings, results)
        for pair in results:
            meetings[pair] = meetings.get(pair, 0) + 1
    return ratings, meetings
