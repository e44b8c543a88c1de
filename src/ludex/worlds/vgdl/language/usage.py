"""Which sprites of a game can appear, and which are never created."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludex.worlds.vgdl.language.definition import EffectRule, Game, GameProblem
from ludex.worlds.vgdl.language.ontology import EFFECTS, SPRITES, TERMINATIONS, Parameter

TARGETS = frozenset(("Portal", "Chaser", "Fleeing", "LOSChaser", "PathChaser"))
"""classes whose `stype` is looked for, not created"""
SPRITE_PRODUCTS = frozenset(("stype", "stypes", "stypeMissile", "spawnBehind"))
EFFECT_PRODUCTS: dict[str, frozenset[str]] = {
    "transformToAll": frozenset(("stypeTo",)),
    "transformToSingleton": frozenset(("stype", "stype_other")),
    "updateSpawnType": frozenset(("stype",)),
}
USUAL_PRODUCTS = frozenset(("stype", "estype"))
NAMING = frozenset(("sprite", "sprites"))


def created_by(owner: str) -> frozenset[str]:
    """The parameters of a class or effect that name what it creates.

    >>> sorted(created_by("SpawnPoint")), sorted(created_by("Chaser"))
    (['spawnBehind', 'stype', 'stypeMissile', 'stypes'], [])
    """
    if owner in SPRITES:
        return frozenset() if owner in TARGETS else SPRITE_PRODUCTS
    if owner in EFFECT_PRODUCTS:
        return EFFECT_PRODUCTS[owner]
    if owner == "transformToRandomChild" or not owner.startswith(("spawn", "transform")):
        return frozenset()
    return USUAL_PRODUCTS


def naming_keys(parameters: Mapping[str, Parameter]) -> tuple[str, ...]:
    return tuple(key for key, parameter in parameters.items() if parameter.kind in NAMING)


NAMING_KEYS: dict[str, tuple[str, ...]] = {
    name: naming_keys(one.parameters)
    for table in (SPRITES, EFFECTS, TERMINATIONS)
    for name, one in table.items()
}


def named(owner: str | None, values: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The types that the values of a class, effect or termination name, with the key."""
    for key in NAMING_KEYS.get(owner or "", ()):
        value = values[key]
        if value is not None:
            for number in value if isinstance(value, tuple) else (value,):
                yield key, number


def rules_of(game: Game) -> Iterator[EffectRule]:
    for rule in game.rules:
        yield rule
        if rule.inner is not None:
            yield rule.inner


def created_types(game: Game) -> set[int]:
    """The types that a level or another sprite can create."""
    numbers = {sprite.name: number for number, sprite in enumerate(game.types)}
    found = {numbers[name] for names in game.mapping.values() for name in names if name in numbers}
    for sprite in game.types:
        products = created_by(sprite.class_name or "")
        found |= {one for key, one in named(sprite.class_name, sprite.values) if key in products}
    for rule in rules_of(game):
        products = created_by(rule.effect)
        found |= {number for key, number in named(rule.effect, rule.values) if key in products}
        if rule.effect == "transformToRandomChild":
            found |= set(game.types[rule.values["stype"]].subtypes)
    return found


def mentioned_types(game: Game) -> set[int]:
    """The types that rules, terminations and other sprites mention."""
    found = {number for pair in game.pairs for number in (pair.first, pair.second)}
    found |= set(game.edges) | {timed.sprite for timed in game.timed} | set(game.obstacles or ())
    for number, sprite in enumerate(game.types):
        found |= {one for _, one in named(sprite.class_name, sprite.values) if one != number}
    for rule in rules_of(game):
        found |= {number for _, number in named(rule.effect, rule.values)}
    for ending in game.endings:
        found |= {number for _, number in named(ending.condition, ending.values)}
    return found


def held_types(game: Game) -> set[int]:
    """The types that are counted in bags, so that no sprite of them need exist."""
    found: set[int] = set()
    for sprite in game.types:
        pairs = named(sprite.class_name, sprite.values)
        found |= {number for key, number in pairs if key == "ammo"}
    for rule in rules_of(game):
        pairs = named(rule.effect, rule.values)
        found |= {number for key, number in pairs if key in ("resource", "heldResource")}
    return found


def unused_sprites(game: Game, text: str, file: str = "") -> Iterator[GameProblem]:
    """Warn of every sprite that never appears in the game."""
    needless = created_types(game) | held_types(game)
    mentioned = mentioned_types(game)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, sprite in enumerate(game.types):
        if not sprite.is_leaf or sprite.line == 0 or number in needless:
            continue
        around = set(sprite.ancestors) | {number}
        if around & mentioned:
            reason = f"{sprite.name!r} is never created: no level character, class or effect does"
        else:
            reason = f"{sprite.name!r} is used nowhere"
        line = lines[sprite.line - 1]
        column = len(line) - len(line.lstrip()) + 1
        yield GameProblem(sprite.line, column, sprite.name, reason, "", "warning", file)
