"""Connect four: four in a row, in native code; the example of a native world."""

from ludex.worlds.connect_four.world import ConnectFour

__all__ = ["ConnectFour"]
