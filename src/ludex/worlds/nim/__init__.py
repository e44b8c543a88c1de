"""Nim: the smallest complete world."""

from ludex.worlds.nim.world import Nim

__all__ = ["Nim"]
