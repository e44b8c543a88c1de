"""Parley: a small negotiation game with every difficult feature at once."""

from ludex.worlds.parley.world import Parley

__all__ = ["Parley"]
