"""Conway's Game of Life with a player who may switch a cell each tick."""

from ludex.worlds.life.world import Life

__all__ = ["Life"]
