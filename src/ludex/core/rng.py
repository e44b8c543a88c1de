"""Random streams and the meter, from the native core."""

from __future__ import annotations

from ludex.core._native import Meter, Rng, calls_of_process
from ludex.core.errors import BadParameter

__all__ = ["Meter", "Rng", "calls_of_process", "read_seed"]

MAX_SEED = 2**63 - 1


def read_seed(text: str | int) -> int:
    """Read a seed: a whole number from 0 to 2**63 - 1."""
    plain = isinstance(text, int) or (text.isascii() and text.isdigit() and len(text) < 20)
    seed = int(text) if plain else -1
    if not 0 <= seed <= MAX_SEED:
        raise BadParameter(f"a seed is a whole number from 0 to {MAX_SEED}, got {text!r}")
    return seed
