"""Hearthstone: the classic card game, with cards as data and rules in native code."""

from ludex.worlds.hearthstone.world import Hearthstone

__all__ = ["Hearthstone"]
