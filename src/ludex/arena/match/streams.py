"""The random streams of a match: what the game draws from, and what its seats are given.

A seat must not foresee the dice. So what it is given is made by a one-way keyed function
(`Rng.keyed`), from which nobody can compute back to the match or across to another seat. The
key is the match's secret. It is drawn where agents that are not ours play in processes of
their own: no seat's process ever holds it, and it is written into the record. Then the game's
own streams follow from it, too, so that trying all small seeds against the dice that were seen
leads nowhere. In all other matches everything follows from the seed alone.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ludex.agents.compose import Composed
from ludex.agents.files import SimpleAgent, foreign_files
from ludex.core.capabilities import is_human
from ludex.core.errors import BadParameter
from ludex.core.planner import Agent
from ludex.core.rng import Rng

SECRET_BYTES = 16
PACKAGE = __name__.partition(".")[0]


@dataclass(frozen=True, slots=True)
class MatchStreams:
    """The named streams of one match: `start`, `chance` n and `step` n of the game; `setup` and
    `decision` n of each seat.
    """

    seed: int
    secret: str | None = None
    """16 bytes as hexadecimal digits; None: all that is random follows from the seed"""

    def of_game(self, *names: int | str) -> Rng:
        """A stream that the referee alone draws from."""
        if self.secret is None:
            return Rng(self.seed).fork(*names)
        return Rng.keyed(bytes.fromhex(self.secret), self.seed, "game", *names)

    def of_seat(self, seat: int, *names: int | str) -> Rng:
        """A stream to be given away: it says nothing about any other."""
        return Rng.keyed(self.key_of_seats, self.seed, "seat", seat, *names)

    @property
    def key_of_seats(self) -> bytes:
        if self.secret is not None:
            return bytes.fromhex(self.secret)
        text = str(self.seed).encode()
        return hashlib.blake2b(text, digest_size=SECRET_BYTES, person=b"ludex seats").digest()


def draw_secret() -> str:
    """Draw a secret from the operating system."""
    return secrets.token_hex(SECRET_BYTES)


def process_secret() -> str:
    """What the secrets of this process's matches follow from; drawn when it is first needed.

    So that in one process the same seed gives the same match, whoever plays.
    """
    return secret_of_process(os.getpid())


@cache
def secret_of_process(pid: int) -> str:  # a forked copy of this process draws its own
    return draw_secret()


def secret_of_match(secret: str, seed: int) -> str:
    """The secret of one match of many; it tells nothing about those of the others."""
    key = bytes.fromhex(secret)
    halves = (Rng.keyed(key, "match", seed, half).key for half in range(2))
    return "".join(f"{half:016x}" for half in halves)


def read_secret(text: str) -> str:
    """Read a secret as records write it."""
    plain = text.strip().lower()
    if len(plain) != 2 * SECRET_BYTES or not set(plain) <= set("0123456789abcdef"):
        raise BadParameter(
            f"a secret is written with {2 * SECRET_BYTES} hexadecimal digits, as in a record of "
            f"a match, got {text!r}"
        )
    return plain


def needs_secret(agents: Iterable[Agent], isolate: bool | None) -> bool:
    """Whether somebody plays who might foresee the dice, and can be kept from it.

    Code that runs in the referee's own process could read a secret, so none is drawn for it.
    """
    return any(is_foreign(agent) and is_isolated(agent, isolate) for agent in agents)


def is_isolated(agent: Any, isolate: bool | None) -> bool:
    """Whether an agent gets a process of its own; None gives one to agents in files."""
    if is_human(agent):
        return False
    return is_from_file(agent) if isolate is None else isolate


def is_from_file(agent: Any) -> bool:
    """Whether an agent runs code of a file that was named in its text."""
    return bool(foreign_files(agent.planner if isinstance(agent, Composed) else agent))


def is_foreign(agent: Any) -> bool:
    """Whether an agent runs code from outside this package."""
    if foreign_files(agent):
        return True
    if isinstance(agent, Composed):
        return is_foreign(agent.planner)
    if isinstance(agent, SimpleAgent):
        return is_foreign(agent.chooser)
    return type(agent).__module__.partition(".")[0] != PACKAGE
