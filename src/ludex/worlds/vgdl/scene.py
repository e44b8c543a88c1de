"""The constant facts of a game on a level that views need."""

from __future__ import annotations

import colorsys
import hashlib
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, TypeAlias

from ludex.worlds.vgdl import _native
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.language.conversion import Colour
from ludex.worlds.vgdl.language.definition import Game, SpriteType
from ludex.worlds.vgdl.language.ontology import SPRITES

Shade: TypeAlias = tuple[int, int, int]
"""red, green, blue"""
SPECTATOR = -1
"""sees hidden sprites, too"""

FACINGS = {
    (0.0, -1.0): "faces up",
    (-1.0, 0.0): "faces left",
    (0.0, 1.0): "faces down",
    (1.0, 0.0): "faces right",
}

SHADES: dict[str, Shade] = {
    "GREEN": (70, 158, 86),
    "BLUE": (66, 118, 214),
    "RED": (214, 72, 68),
    "GRAY": (138, 143, 156),
    "WHITE": (244, 242, 236),
    "BROWN": (146, 98, 60),
    "BLACK": (44, 46, 58),
    "ORANGE": (240, 146, 52),
    "YELLOW": (246, 212, 72),
    "PINK": (244, 160, 184),
    "GOLD": (226, 176, 44),
    "PURPLE": (138, 92, 190),
    "LIGHTRED": (240, 134, 128),
    "LIGHTORANGE": (248, 196, 134),
    "LIGHTBLUE": (134, 190, 240),
    "LIGHTGREEN": (148, 214, 140),
    "LIGHTGRAY": (204, 204, 206),
    "DARKGRAY": (84, 88, 102),
    "DARKBLUE": (44, 66, 132),
}


def given_shade(sprite: SpriteType) -> Shade | None:
    """The colour that the game gives a type, if it gives one."""
    given = sprite.values.get("color")
    return SHADES.get(given.name) if isinstance(given, Colour) else None


def shade_of(sprite: SpriteType) -> Shade:
    """The colour of a type in observations: as the game says, or one that its name gives."""
    if given := given_shade(sprite):
        return given
    hue = int.from_bytes(hashlib.blake2b(sprite.name.encode(), digest_size=2).digest(), "big")
    red, green, blue = colorsys.hls_to_rgb(hue % 360 / 360, 0.6, 0.45)
    return round(255 * red), round(255 * green), round(255 * blue)


class Scene:
    """A level with what is needed to look at its states.

    Views share it. A pickle holds the texts of the level, and each process builds one scene of
    them, however many views arrive.
    """

    def __init__(
        self,
        level: _native.Level,
        shades: tuple[Shade, ...],
        actions: tuple[tuple[Action, ...], ...],
        choices: tuple[Action, ...],
        players: int,
        names: tuple[str, ...],
        goods: tuple[int, ...],
        order: tuple[int, ...],
    ) -> None:
        self.level = level
        self.shades = shades
        """by type"""
        self.actions = actions
        """by type, what avatars of it can do, in the order of the reference, without NIL"""
        self.choices = choices
        """all that a player may ever press, the same on every level: NIL, then the actions of
        the game's avatars, in the order of their types and of the reference"""
        self.players = players
        self.names = names
        """of the types"""
        self.goods = goods
        """types that an avatar can hold"""
        self.order = order
        """types as they are drawn, the topmost last; types that it lacks are drawn before them"""

    @classmethod
    def of(cls, game: Game, level: _native.Level) -> Scene:
        actions = tuple(
            tuple(Action[word] for word in SPRITES[sprite.class_name].actions)
            if sprite.class_name in SPRITES
            else ()
            for sprite in game.types
        )
        # The avatar that every game has counts only where the description has none of its own.
        own = [
            listed
            for sprite, listed in zip(game.types, actions, strict=True)
            if sprite.line and sprite.class_name in SPRITES and SPRITES[sprite.class_name].avatar
        ]
        choices = dict.fromkeys([Action.NIL, *chain.from_iterable(own or actions)])
        shades = tuple(shade_of(sprite) for sprite in game.types)
        names = tuple(sprite.name for sprite in game.types)
        goods = tuple(
            number for number, sprite in enumerate(game.types) if sprite.class_name == "Resource"
        )
        return cls(level, shades, actions, tuple(choices), game.players, names, goods, game.order)

    def __reduce__(self) -> tuple[Any, ...]:
        texts: Any = self.level.__getstate__()
        ours = (self.shades, self.actions, self.choices, self.players)
        return (restored, (texts, *ours, self.names, self.goods, self.order))

    @cached_property
    def observer(self) -> _native.Observer:
        return _native.Observer(self.level, self.shades)

    @cached_property
    def channels(self) -> tuple[int, ...]:
        """The type of each plane; the same on every level of a game."""
        return tuple(self.observer.channels)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The name of each plane's type."""
        return tuple(self.names[number] for number in self.channels)

    @cached_property
    def piled(self) -> tuple[int, ...]:
        """The planes as they are drawn, the topmost last."""
        above = {number: index for index, number in enumerate(self.layers)}
        planes = range(len(self.channels))
        return tuple(sorted(planes, key=lambda plane: above[self.channels[plane]]))

    @cached_property
    def layers(self) -> tuple[int, ...]:
        """All types as they are drawn, the topmost last."""
        return (*(one for one in range(len(self.names)) if one not in self.order), *self.order)

    @cached_property
    def poses(self) -> tuple[str, ...]:
        """What can be true of an avatar that no sprite shows: the way it faces, what it holds."""
        return (*FACINGS.values(), *(f"holds {self.names[number]}" for number in self.goods))


@lru_cache(maxsize=32)
def restored(
    texts: tuple[str, str],
    shades: tuple[Shade, ...],
    actions: tuple[tuple[Action, ...], ...],
    choices: tuple[Action, ...],
    players: int,
    names: tuple[str, ...],
    goods: tuple[int, ...],
    order: tuple[int, ...],
) -> Scene:
    return Scene(_native.Level(*texts), shades, actions, choices, players, names, goods, order)
