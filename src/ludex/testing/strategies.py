"""Strategies for hypothesis: seeds, walks and states of any world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludex.core.errors import MissingExtra
from ludex.core.world import World
from ludex.testing.walk import walk

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def hypothesis_strategies() -> Any:
    """Import hypothesis only when it is needed: the other checks do not use it."""
    try:
        from hypothesis import strategies
    except ImportError:
        raise MissingExtra(
            "strategies need hypothesis, which is not installed; pip install hypothesis"
        ) from None
    return strategies


def seeds() -> SearchStrategy[int]:
    """Seeds of random streams."""
    strategy: SearchStrategy[int] = hypothesis_strategies().integers(0, 2**63 - 1)
    return strategy


def games_of(world: World, limit: int = 200) -> SearchStrategy[list[Any]]:
    """Whole random games, as lists of their states; small seeds are tried first."""
    strategy: SearchStrategy[list[Any]] = seeds().map(lambda seed: walk(world, seed, limit=limit))
    return strategy


def states_of(world: World, limit: int = 200) -> SearchStrategy[Any]:
    """Single states of random games, afterstates included."""
    strategies = hypothesis_strategies()
    strategy: SearchStrategy[Any] = games_of(world, limit).flatmap(strategies.sampled_from)
    return strategy
