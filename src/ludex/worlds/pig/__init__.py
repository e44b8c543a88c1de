"""Pig: one die, and the question when to stop."""

from ludex.worlds.pig.world import Pig

__all__ = ["Pig"]
