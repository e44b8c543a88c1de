"""Kuhn poker: three cards, one bet, and a reason to bluff."""

from ludex.worlds.kuhn_poker.world import KuhnPoker

__all__ = ["KuhnPoker"]
