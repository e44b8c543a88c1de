"""What a player can press."""

from __future__ import annotations

from enum import IntEnum


class Action(IntEnum):
    """What a player can press."""

    NIL = 0
    UP = 1
    LEFT = 2
    DOWN = 3
    RIGHT = 4
    USE = 5
