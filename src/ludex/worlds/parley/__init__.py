"""Parley: three envoys, one peace; a small game that holds everything difficult at once."""

from ludex.worlds.parley.world import Parley

__all__ = ["Parley"]
