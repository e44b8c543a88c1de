"""Settlers of Catan: building, trading and the robber on a board of hexes."""

from ludex.worlds.catan.world import Catan

__all__ = ["Catan"]
