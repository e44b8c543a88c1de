"""VGDL: video games described by text, exact to the Java GVGAI framework."""

from ludex.worlds.vgdl.world import Vgdl

__all__ = ["Vgdl"]
