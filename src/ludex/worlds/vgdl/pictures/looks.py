"""What sprites look like: which glyph, in which colour, looking where."""

from __future__ import annotations

import colorsys
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ludex.worlds.vgdl.language.definition import Game, SpriteType
from ludex.worlds.vgdl.pictures.glyphs import ART, CORNERS, RARE, SIDES, Glyph, glyphs, tinted
from ludex.worlds.vgdl.scene import SHADES, SPECTATOR, Scene, Shade, given_shade

if TYPE_CHECKING:
    from ludex.worlds.vgdl import _native
    from ludex.worlds.vgdl._native import State

BY_CLASS = {
    "Portal": "portal",
    "Door": "door",
    "Resource": "gem",
    "ResourcePack": "gem",
    "Flicker": "spark",
    "OrientedFlicker": "sword",
    "Spreader": "fire",
    "SpawnPoint": "hole",
    "SpawnPointMultiSprite": "hole",
    "Conveyor": "arrow",
    "Missile": "bullet",
    "RandomMissile": "spark",
    "ErraticMissile": "spark",
    "Bomber": "saucer",
    "RandomBomber": "saucer",
    "BomberRandomMissile": "saucer",
    "Passive": "crate",
    "Walker": "goblin",
    "WalkerJumper": "rabbit",
    "RandomInertial": "ball",
    "SpaceshipAvatar": "ship",
    "CarAvatar": "car",
    "LanderAvatar": "lander",
    "BirdAvatar": "bird",
    "AimedAvatar": "cannon",
    "FlakAvatar": "cannon",
    "WizardAvatar": "wizard",
    "Immovable": "block",
}
"""where neither the picture's name nor the sprite's own says more"""
STEERING = frozenset({"LanderAvatar", "SpaceshipAvatar", "CarAvatar", "AimedAvatar", "BirdAvatar"})
"""classes that look along their angle, not along their orientation"""
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z](?=[A-Z][a-z])|[A-Z]+(?![a-z])")
SHORTEST_PART = 4  # letters of a word that is looked for inside a longer one
COLOUR_WORDS = {
    **{name.lower(): name for name in SHADES},
    "grey": "GRAY",
    "violet": "PURPLE",
    "cyan": "LIGHTBLUE",
    "magenta": "PINK",
    "r": "RED",
    "g": "GREEN",
    "b": "BLUE",
    "y": "YELLOW",
}
TONES = {"l": "LIGHT", "light": "LIGHT", "d": "DARK", "dark": "DARK"}
ONE_IN = 9  # cells of a ground that have its rare shapes
LEAST_SIZE, MOST_SIZE = 0.5, 4.0  # glyphs have a margin of their own, and would vanish below


@dataclass(frozen=True, slots=True)
class Look:
    """How the sprites of a type are drawn."""

    glyph: Glyph
    shade: Shade
    size: float = 1.0
    """as a share of the sprite's rectangle"""


class Stamp(NamedTuple):
    """One drawn glyph: where, how large, and which way round."""

    look: Look
    x: int
    y: int
    w: int
    h: int
    degrees: float = 0.0
    """clockwise"""
    flipped: bool = False
    mask: int = 0


@cache
def synonyms() -> dict[str, str]:
    """Words of other collections, each with the glyph it means; the first list wins."""
    found: dict[str, str] = {}
    for line in (ART / "names.txt").read_text(encoding="utf-8").splitlines():
        name, colon, words = line.partition(":")
        if colon and not line.startswith("#"):
            for word in words.split():
                found.setdefault(word, name)
    return found


def glyph_named(text: str) -> Glyph | None:
    """The glyph that a picture or sprite name means, if it means one.

    >>> [glyph_named(one).name for one in ("ghost", "oryx/spaceship1", "newset/blockG")]
    ['ghost', 'ship', 'block']
    >>> [glyph_named(one).name for one in ("portalSlow", "dangerous_wolf2", "diamonds")]
    ['portal', 'dog', 'gem']
    >>> glyph_named("qwerty") is None
    True
    """
    name = text.rpartition("/")[2].partition(".")[0]
    if name in glyphs():
        return glyphs()[name]
    parts = words(name)
    # The last word of a name usually names the object, the others its kind.
    for word in ("".join(parts), *reversed(parts)):
        for form in (word, word.removesuffix("s"), word.removesuffix("es"), single(word)):
            if found := glyphs().get(form) or glyphs().get(synonyms().get(form, "")):
                return found
    return None


def glyph_inside(text: str) -> Glyph | None:
    """The glyph that the longest known word at the end or the beginning of a name means.

    >>> [glyph_inside(one).name for one in ("newset/lasercannon_2", "oryx/dooropen1")]
    ['cannon', 'door']
    """
    known = [*glyphs(), *synonyms()]
    for word in reversed(words(text.rpartition("/")[2])):
        for fits in (word.endswith, word.startswith):
            inside = [one for one in known if len(one) >= SHORTEST_PART and fits(one)]
            if inside:
                return glyph_named(max(inside, key=len))
    return None


def words(name: str) -> list[str]:
    """The words of a name in camel case or with underscores.

    >>> words("backLBrown"), words("potion_Red2")
    (['back', 'l', 'brown'], ['potion', 'red'])
    """
    return [word.lower() for word in PARTS.findall(name)]


def single(word: str) -> str:
    """A word in the singular, where it ends as in cherries."""
    return f"{word.removesuffix('ies')}y" if word.endswith("ies") else word


def glyph_of(sprite: SpriteType) -> Glyph:
    """The glyph of a type: by its picture, its name or its class."""
    given = sprite.values.get("img")
    names = [given, sprite.name] if isinstance(given, str) else [sprite.name]
    for look_up in (glyph_named, glyph_inside):
        for name in names:
            if found := look_up(name):
                return found
    name = sprite.class_name or ""
    by_class = BY_CLASS.get(name) or ("hero" if name.endswith("Avatar") else "monster")
    return glyphs()[by_class]


def looks_of(types: Sequence[SpriteType]) -> Iterator[Look]:
    """The look of each type; where games give no colours, equal glyphs still are told apart."""
    used: Counter[tuple[str, Shade]] = Counter()
    for sprite in types:
        glyph = glyph_of(sprite)
        shade = given_shade(sprite)
        if shade is None and (named := named_shade(sprite)):
            # Walls and objects stand out from a floor that is lighter than its name says.
            shade = tinted("l", named) if glyph.name == "floor" else named
        if shade is None:
            shade = varied(glyph.natural, used[glyph.name, glyph.natural])
            used[glyph.name, glyph.natural] += 1
        yield Look(glyph, shade, size_of(sprite))


def named_shade(sprite: SpriteType) -> Shade | None:
    """The colour that is a part of the name of a sprite's picture, as in `newset/blockG`."""
    given = sprite.values.get("img")
    parts = words(given.rpartition("/")[2]) if isinstance(given, str) else []
    for before, word in zip(["", *parts], parts, strict=False):
        if name := COLOUR_WORDS.get(word):
            return SHADES.get(TONES.get(before, "") + name, SHADES[name])
    return None


def varied(shade: Shade, times: int) -> Shade:
    """Another colour of the same strength, further round the colour circle each time.

    Greys have no place on the circle; they get lighter and darker instead.
    """
    if not times:
        return shade
    hue, light, strength = colorsys.rgb_to_hls(*(one / 255 for one in shade))
    if strength < 0.2:
        light = (light + 0.17 * times) % 0.7 + 0.2
    hue = (hue + 0.19 * times) % 1
    red, green, blue = (round(255 * one) for one in colorsys.hls_to_rgb(hue, light, strength))
    return red, green, blue


def size_of(sprite: SpriteType) -> float:
    factor = sprite.values.get("shrinkfactor")
    if not isinstance(factor, int | float) or factor <= 0:
        return 1.0
    return max(LEAST_SIZE, min(MOST_SIZE, float(factor)))


class Wardrobe:
    """The looks of all types of a game, and the stamps of a picture of a state."""

    def __init__(self, game: Game, level: _native.Level, scene: Scene) -> None:
        self.game = game
        self.level = level
        self.scene = scene
        self.looks = list(looks_of(game.types))
        self.places = {kind: index for index, kind in enumerate(game.order)}

    def stamps(self, state: State, seat: int = SPECTATOR) -> list[Stamp]:
        """Everything that a seat may see, the lowest first, in the pixels of the game."""
        level, is_drawn = self.level, self.scene.observer.is_drawn
        drawn = [is_drawn(kind, seat) for kind in range(len(self.looks))]
        seen = [one for one in level.sprites(state) if drawn[one[0]] and not one[10]]
        seen.sort(key=lambda one: self.places.get(one[0], -1))
        cells: dict[str, set[tuple[int, int]]] = {}
        for kind, _, x, y, *_ in seen:
            glyph = self.looks[kind].glyph
            if glyph.joins:
                cells.setdefault(glyph.name, set()).add((x // level.block, y // level.block))
        turned = self.turned(state)
        stamps: list[Stamp] = []
        for kind, number, x, y, w, h, dx, dy, *_ in seen:
            look = self.looks[kind]
            place = (x // level.block, y // level.block)
            degrees, flipped = turned.get(number) or pose(look.glyph, dx, dy)
            mask = self.mask(look.glyph, *place, cells)
            if look.glyph.fills:
                dice = scattered(*place)
                mask |= RARE if look.glyph.rare and dice % ONE_IN == 0 else 0
                degrees = 90.0 * (dice // ONE_IN % 4) if look.glyph.scatters else degrees
            box = resized(x, y, w, h, look.size)
            stamps.append(Stamp(look, *box, degrees, flipped, mask))
        return stamps

    def turned(self, state: State) -> dict[int, tuple[float, bool]]:
        """The pose of avatars that steer by an angle instead of one of four directions."""
        found: dict[int, tuple[float, bool]] = {}
        for number, kind, radians in self.level.rotations(state):
            glyph = self.looks[kind].glyph
            steers = self.game.types[kind].class_name in STEERING
            if steers and glyph.turns in ("up", "right"):
                upright = 90.0 if glyph.turns == "up" else 0.0
                found[number] = (round(math.degrees(radians) + upright, 1) % 360, False)
        return found

    def mask(
        self, glyph: Glyph, column: int, row: int, cells: dict[str, set[tuple[int, int]]]
    ) -> int:
        """The sides and corners that border on something of another look."""
        if not glyph.joins:
            return 0
        level = self.level
        same = cells[glyph.name]

        def open_at(dx: int, dy: int) -> bool:
            place = (column + dx, row + dy)
            inside = 0 <= place[0] < level.width and 0 <= place[1] < level.height
            return inside and place not in same

        ways = ((0, -1), (1, 0), (0, 1), (-1, 0))
        sides = [open_at(*way) for way in ways]
        bits = sum(bit for bit, is_open in zip(SIDES, sides, strict=True) if is_open)
        diagonals = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        for number, (bit, way) in enumerate(zip(CORNERS, diagonals, strict=True)):
            if not sides[number] and not sides[number - 1] and open_at(*way):
                bits |= bit
        return bits


def scattered(column: int, row: int) -> int:
    """A pseudo-random number that is the same whenever a cell is drawn."""
    mixed = (column * 374_761_393 + row * 668_265_263) & 0xFFFFFFFF
    mixed = (mixed ^ (mixed >> 13)) * 1_274_126_177 & 0xFFFFFFFF
    return mixed ^ (mixed >> 16)


def resized(x: int, y: int, w: int, h: int, size: float) -> tuple[int, int, int, int]:
    """A rectangle made smaller or larger around its middle."""
    wide, high = max(1, round(w * size)), max(1, round(h * size))
    return x + (w - wide) // 2, y + (h - high) // 2, wide, high


def pose(glyph: Glyph, dx: float, dy: float) -> tuple[float, bool]:
    """How a glyph is turned for a sprite that looks along (dx, dy)."""
    if not glyph.turns or (dx == 0 and dy == 0):
        return 0.0, False
    if glyph.turns == "flips":
        return 0.0, dx < 0
    if glyph.turns == "up":
        return 0.0, False
    if dx < 0 and abs(dx) >= abs(dy):  # not upside down
        return round(math.degrees(math.atan2(dy, dx)) - 180.0, 1) % 360, True
    return round(math.degrees(math.atan2(dy, dx)), 1), False
