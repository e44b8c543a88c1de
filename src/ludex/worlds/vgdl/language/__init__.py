"""The language VGDL: reading, checking, formatting and writing games and levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.core.lazy import lazy

if TYPE_CHECKING:
    from ludex.worlds.vgdl.language.levels import parse_level
    from ludex.worlds.vgdl.language.parser import parse_game
    from ludex.worlds.vgdl.language.reading import check_file, read_game, read_level
    from ludex.worlds.vgdl.language.space import read_space
    from ludex.worlds.vgdl.language.writer import write_game

__all__ = [
    "check_file",
    "parse_game",
    "parse_level",
    "read_game",
    "read_level",
    "read_space",
    "write_game",
]

MODULES = {
    "check_file": "ludex.worlds.vgdl.language.reading",
    "parse_game": "ludex.worlds.vgdl.language.parser",
    "parse_level": "ludex.worlds.vgdl.language.levels",
    "read_game": "ludex.worlds.vgdl.language.reading",
    "read_level": "ludex.worlds.vgdl.language.reading",
    "read_space": "ludex.worlds.vgdl.language.space",
    "write_game": "ludex.worlds.vgdl.language.writer",
}
__getattr__ = lazy(__name__, MODULES)
