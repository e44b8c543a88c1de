"""Kuhn poker: three cards and one bet."""

from ludex.worlds.kuhn_poker.world import KuhnPoker

__all__ = ["KuhnPoker"]
