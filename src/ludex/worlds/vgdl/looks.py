"""What sprites look like: which glyph, in which colour, looking where."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ludex.worlds.vgdl.definition import SpriteType
from ludex.worlds.vgdl.glyphs import ART, CORNERS, SIDES, Glyph, glyphs
from ludex.worlds.vgdl.scene import SPECTATOR, Shade

if TYPE_CHECKING:
    from ludex.worlds.vgdl._native import State
    from ludex.worlds.vgdl.model import VgdlModel

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
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, slots=True)
class Look:
    """How the sprites of a type are drawn."""

    glyph: Glyph
    shade: Shade


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
    known, other = glyphs(), synonyms()
    if name in known:
        return known[name]
    words = [word.lower() for word in PARTS.findall(name)]
    joined = "".join(words)
    # The last word of a name usually is the thing, the others say of which kind.
    for word in (joined, *reversed(words)):
        for form in (word, word.removesuffix("s"), word.removesuffix("es")):
            if form in known:
                return known[form]
            if form in other:
                return known[other[form]]
    return None


def glyph_of(sprite: SpriteType) -> Glyph:
    """The glyph of a type: by its picture, its name or its class."""
    given = sprite.values.get("img")
    found = glyph_named(given) if isinstance(given, str) else None
    found = found or glyph_named(sprite.name)
    if found is not None:
        return found
    name = sprite.class_name or ""
    by_class = BY_CLASS.get(name) or ("hero" if name.endswith("Avatar") else "monster")
    return glyphs()[by_class]


class Wardrobe:
    """The looks of all types of a game, and the stamps that make up a picture of a state."""

    def __init__(self, model: VgdlModel) -> None:
        self.model = model
        types = model.game.types
        shades = model.scene.shades
        self.looks = [
            Look(glyph_of(sprite), shade) for sprite, shade in zip(types, shades, strict=True)
        ]
        self.places = {kind: place for place, kind in enumerate(model.game.order)}

    @classmethod
    def of(cls, model: VgdlModel) -> Wardrobe:
        return wardrobe(model)

    def stamps(self, state: State, seat: int = SPECTATOR) -> list[Stamp]:
        """Everything that a seat may see, the lowest first, in the pixels of the game."""
        level, is_drawn = self.model.level, self.model.scene.observer.is_drawn
        drawn = [is_drawn(kind, seat) for kind in range(len(self.looks))]
        seen = [one for one in level.sprites(state) if drawn[one[0]] and not one[10]]
        seen.sort(key=lambda one: self.places.get(one[0], -1))
        cells: dict[str, set[tuple[int, int]]] = {}
        for kind, _, x, y, *_ in seen:
            glyph = self.looks[kind].glyph
            if glyph.joins:
                cells.setdefault(glyph.name, set()).add((x // level.block, y // level.block))
        turned = self.turned(state)
        return [
            Stamp(
                self.looks[kind],
                x,
                y,
                w,
                h,
                *turned.get(number) or pose(self.looks[kind].glyph, dx, dy),
                self.mask(self.looks[kind].glyph, x, y, cells),
            )
            for kind, number, x, y, w, h, dx, dy, *_ in seen
        ]

    def turned(self, state: State) -> dict[int, tuple[float, bool]]:
        """The pose of avatars that steer by an angle instead of one of four directions."""
        found: dict[int, tuple[float, bool]] = {}
        for number, kind, radians in self.model.level.rotations(state):
            glyph = self.looks[kind].glyph
            steers = self.model.game.types[kind].class_name in STEERING
            if steers and glyph.turns in ("up", "right"):
                upright = 90.0 if glyph.turns == "up" else 0.0
                found[number] = (round(math.degrees(radians) + upright, 1) % 360, False)
        return found

    def mask(self, glyph: Glyph, x: int, y: int, cells: dict[str, set[tuple[int, int]]]) -> int:
        """The sides and corners at which something else than more of the same lies."""
        if not glyph.joins:
            return 0
        level = self.model.level
        column, row = x // level.block, y // level.block
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


@lru_cache(maxsize=16)
def wardrobe(model: VgdlModel) -> Wardrobe:
    return Wardrobe(model)


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
