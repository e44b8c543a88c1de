"""Sokoban on levels of our own, with a letter for everything a cell can hold."""

from ludex.worlds.sokoban.world import Sokoban

__all__ = ["Sokoban"]
