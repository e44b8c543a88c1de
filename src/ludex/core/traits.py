"""Facts about a world or model that a planner can rely on before the first move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Chance = Literal["none", "listed", "sampled", "mixed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Traits:
    """What is true of every state of a model."""

    seats: int
    """how many play"""
    max_legal: int
    """the most actions one seat can have in one state"""
    simultaneous: bool = False
    """several seats may act at once"""
    hidden: bool = False
    """some facts are kept from some seats"""
    chance: Chance = "none"
    """listed: `chance` names the outcomes; sampled: drawn inside `step`; mixed: both"""
    zero_sum: bool = False
    """the returns of all seats add up to 0"""
    events: bool = False
    """`events` says what the last step did; required where `hidden` holds"""
    objects: bool = False
    """views list objects with types and places"""
    avatars: bool = False
    """the model says where avatars are on a grid, and how far objects are from them"""
    legality: Literal["exact", "assumed"] = "exact"
    """assumed: `legal` is a guess"""
    termination: Literal["exact", "probable"] = "exact"
    """probable: `outcome` is a guess"""
    model_sees_all: bool = True
    """`imagine` returns the real state, as in open games and in GVGAI"""
    learned: bool = False
    """learned from play; its states carry a confidence"""
    abstracted: bool = False
    """holds moves that the world does not have"""
    policies: tuple[str, ...] = ()
    """rollout policies of its own, by name, beside `uniform` and `type_first`"""
    longest_playout: int = 1000
    """ticks that a rollout to the end is given; in few games a random one takes more"""

    @property
    def listed_chance(self) -> bool:
        return self.chance in ("listed", "mixed")

    @property
    def sampled_chance(self) -> bool:
        return self.chance in ("sampled", "mixed")
