"""Pig: a dice game of when to stop."""

from ludex.worlds.pig.world import Pig

__all__ = ["Pig"]
