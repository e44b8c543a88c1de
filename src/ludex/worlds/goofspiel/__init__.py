"""Goofspiel: bidding at once for prizes."""

from ludex.worlds.goofspiel.world import Goofspiel

__all__ = ["Goofspiel"]
