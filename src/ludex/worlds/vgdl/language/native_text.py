"""Writes a definition in the format of the native engine: one fact per line, names resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludex.worlds.vgdl import _native
from ludex.worlds.vgdl.language.definition import BadGame, EffectRule, Game, Level
from ludex.worlds.vgdl.language.ontology import EFFECTS, SPRITES

NOT_FOR_THE_ENGINE = frozenset(
    {
        "singleton",
        "is_avatar",
        "is_stochastic",
        "repeat",
        "inBatch",
        "sequential",
        "is_kill_effect",
        "ftype",
    }
)
LARGEST_SIDE = 800  # pixels; cells are made small enough to fit
SMALLEST_BLOCK = 2
ALL_QUIRKS = 2**31 - 1


def write_value(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, tuple):
        return ",".join(write_value(item) for item in value)
    return repr(value)


def write_values(values: Mapping[str, Any], looks: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        if value is None or value == () or key in NOT_FOR_THE_ENGINE:
            continue
        if key in looks and looks[key].kind == "looks":
            continue
        yield f"{key}={write_value(value)}"


def write_rule(rule: EffectRule, inner: int) -> str:
    words = ["rule", rule.effect, *write_values(rule.values, {})]
    if rule.effect == "shieldFrom" and rule.values["ftype"] in EFFECTS:
        words.append(f"shields={list(EFFECTS).index(rule.values['ftype'])}")
    if inner >= 0:
        words.append(f"inner={inner}")
    return " ".join(words)


def write_game(game: Game, quirks: int = ALL_QUIRKS) -> str:
    lines = [
        f"game players={game.players} counters={game.counters} messages={game.messages} "
        f"quirks={quirks} paths={write_value(game.obstacles is not None)} "
        f"obstacles={write_value(game.obstacles or ())}"
    ]
    for sprite in game.types:
        known = sprite.class_name in SPRITES
        looks = SPRITES[sprite.class_name].parameters if known and sprite.class_name else {}
        values = write_values(sprite.values, looks) if known else ()
        lines.append(
            f"type {sprite.name} {sprite.class_name if known else '-'} "
            f"ancestors={write_value(sprite.ancestors)} subtypes={write_value(sprite.subtypes)} "
            f"is_leaf={write_value(sprite.is_leaf)} singleton={write_value(sprite.singleton)} "
            f"unknown_keys={sprite.unknown_keys} {' '.join(values)}"
        )
    lines.append(f"order {write_value(game.order)}")
    later = [rule.inner for rule in game.rules if rule.inner is not None]
    index = len(game.rules)
    for rule in game.rules:
        lines.append(write_rule(rule, index if rule.inner is not None else -1))
        index += rule.inner is not None
    lines += [write_rule(rule, -1) for rule in later]
    for pair in game.pairs:
        if pair.rules:
            lines.append(f"pair {pair.first} {pair.second} {write_value(pair.rules)}")
    lines.append(f"edges {write_value(game.edges)}")
    for number, rules in game.edge_rules.items():
        lines.append(f"edge {number} {write_value(rules)}")
    for timed in game.timed:
        lines.append(f"timed {timed.sprite} {timed.rule}")
    for ending in game.endings:
        lines.append(" ".join(["end", ending.condition, *write_values(ending.values, {})]))
    return "\n".join(lines)


def block_size(game: Game, level: Level) -> int:
    """The pixels of a cell: as the game says, or so that the level fits the screen."""
    if game.square_size > 0:
        return game.square_size
    return max(SMALLEST_BLOCK, LARGEST_SIDE // max(level.width, level.height))


def write_level(game: Game, level: Level) -> str:
    lines = [
        f"level width={level.width} height={level.height} block={block_size(game, level)} "
        f"messages={level.messages}"
    ]
    lines += [f"s {number} {column} {row}" for number, column, row in level.sprites]
    return "\n".join(lines)


def build_level(game: Game, level: Level, quirks: int = ALL_QUIRKS) -> _native.Level:
    """Pass a game on a level to the engine, which refuses what is beyond its limits."""
    try:
        return _native.Level(write_game(game, quirks), write_level(game, level))
    except ValueError as error:
        raise BadGame(f"this game cannot be played: {error}") from None
