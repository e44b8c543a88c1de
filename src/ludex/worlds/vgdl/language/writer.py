"""From a definition back to the text of a game: what is read from it is the same definition.

Only what differs from the defaults is written, in one canonical form. Places and problems are
lost, of course, and a point of a game space is written as the game it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ludex.worlds.vgdl.language.conversion import Colour
from ludex.worlds.vgdl.language.definition import BadGame, EffectRule, Ending, Game, SpriteType
from ludex.worlds.vgdl.language.ontology import (
    COMMON,
    DIRECTIONS,
    EFFECTS,
    SPRITES,
    TERMINATIONS,
    TIMED,
    Parameter,
)
from ludex.worlds.vgdl.language.parser import parse_game

INDENT = "    "
NOWHERE = "undefined"
WALL, AVATAR = 0, 1
USUAL_MAPPING = {"w": ("wall",), "A": ("avatar",)}


def plain(game: Game) -> Game:
    """The definition without what the text around it says: places, problems, a game space."""

    def unplaced(rule: EffectRule) -> EffectRule:
        inner = unplaced(rule.inner) if rule.inner else None
        return replace(rule, line=0, inner=inner)

    return replace(
        game,
        types=tuple(
            # Nothing is ever created of a type without a class, so nobody counts its keys.
            replace(one, line=0, unknown_keys=one.unknown_keys if one.class_name else 0)
            for one in game.types
        ),
        rules=tuple(unplaced(rule) for rule in game.rules),
        endings=tuple(replace(ending, line=0) for ending in game.endings),
        space=(),
        problems=(),
    )


def write_game(game: Game, *, clean: bool = False) -> str:
    """Write a game as VGDL; `clean` says that it is read without the quirks of the reference.

    Raises:
        BadGame: the definition cannot come from any text, for example because a type has a
            class that its parent would have replaced
    """
    text = Writer(game, clean).text()
    try:
        same = plain(parse_game(text, clean=clean)) == plain(game)
    except BadGame:
        same = False
    if not same:
        raise BadGame("this definition cannot be written as VGDL: no text means the same")
    return text


class Writer:
    """Writes one definition."""

    def __init__(self, game: Game, clean: bool = False) -> None:
        self.game = game
        self.clean = clean
        self.names = [sprite.name for sprite in game.types]
        self.written: set[int] = set()
        self.nowhere = NOWHERE
        while self.nowhere in self.names:
            self.nowhere += "_"

    def text(self) -> str:
        lines = [" ".join(("BasicGame", *self.header()))]
        sections = {
            "SpriteSet": self.sprites(),
            "LevelMapping": self.mapping(),
            "InteractionSet": self.interactions(),
            "TerminationSet": map(self.ending, self.game.endings),
        }
        for name, entries in sections.items():
            lines += [f"{INDENT}{name}", *(f"{INDENT * 2}{entry}" for entry in entries), ""]
        return "\n".join(lines)

    def header(self) -> Iterator[str]:
        game = self.game
        if game.square_size != -1:
            yield f"square_size={game.square_size}"
        if game.players != 1:
            yield f"no_players={game.players}"
        if game.counters:
            yield f"no_counters={game.counters}"
        if game.obstacles is not None:
            named = ",".join(self.names[number] for number in game.obstacles)
            yield f"obs={named or self.nowhere}"
        # The reference counts the keys it does not know; which ones they were is forgotten.
        yield from (f"ignored{index}=0" for index in range(1, game.messages + 1))

    # Sprites

    def sprites(self) -> Iterator[str]:
        for number in self.top_level():
            yield from self.sprite(number, None, {}, "")

    def parent(self, number: int) -> int | None:
        above = self.game.types[number].ancestors[:-1]
        return above[-1] if above else None

    def top_level(self) -> list[int]:
        """The roots in the order of their lines.

        Types are numbered in that order, but for wall and avatar: where these stand is seen
        from what stands below them, and for the wall from its place among those drawn.
        """
        roots: dict[int, list[int]] = {}
        for number, sprite in enumerate(self.game.types):
            roots.setdefault(sprite.ancestors[0], []).append(number)
        firsts = {
            root: min((one for one in members if one > AVATAR), default=-1)
            for root, members in roots.items()
        }
        ordered = sorted((root for root in roots if firsts[root] >= 0), key=firsts.__getitem__)
        order = list(self.game.order)
        for root in (root for root in roots if firsts[root] < 0):
            place = len(ordered)
            if WALL in roots[root] and self.game.types[WALL].is_leaf:
                place = 0
                for position, other in enumerate(ordered):
                    drawn = [order.index(one) for one in roots[other] if one in order[:-1]]
                    if drawn and min(drawn) < order.index(WALL):
                        place = position + 1
            ordered.insert(place, root)
        return ordered

    def children(self, number: int) -> list[int]:
        """The types below one; a type that was defined below itself is written once."""
        self.written.add(number)
        below = [one for one in self.game.types[number].subtypes if self.parent(one) == number]
        return [one for one in below if one not in self.written]

    def sprite(
        self, number: int, inherited: str | None, above: Mapping[str, str], indent: str
    ) -> Iterator[str]:
        """A line for a type and those below it; `above` holds the words it inherits."""
        sprite, children = self.game.types[number], self.children(number)
        handed = {self.game.types[child].class_name for child in children}
        replaced = inherited is None or (self.clean and sprite.class_name != inherited)
        own = sprite.class_name if replaced else None
        if not replaced and not self.clean and len(handed) == 1 and handed != {inherited}:
            own = handed.pop()  # ignored for this type, but handed down
        words = dict(self.sprite_words(number, sprite, above))
        marks = [f"{key}={value}" for key, value in words.items()]
        if sprite.singleton and words.get("singleton") != "True":
            marks.insert(0, "singleton=True")
        yield " ".join((f"{indent}{sprite.name} >", *([own] if own else []), *marks))
        merged = {**above, **words}
        for child in children:
            yield from self.sprite(child, own or inherited, merged, indent + INDENT)

    def sprite_words(
        self, number: int, sprite: SpriteType, above: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        known = sprite.class_name in SPRITES
        table = SPRITES[sprite.class_name].parameters if known and sprite.class_name else COMMON
        assumed = {key: parameter.default for key, parameter in table.items()}
        assumed |= {"cooldown": max(1, assumed["cooldown"])}
        if sprite.class_name == "Resource" or (self.clean and sprite.class_name == "ResourcePack"):
            assumed["resource_name"] = number
        values = sprite.values
        written: dict[str, str] = {}
        for key, parameter in table.items():
            text = self.value(parameter, values[key])
            if key in above:
                same = above[key] == text
            elif key == "is_oriented":
                turned = "orientation" in written or "orientation" in above
                turned = turned and values["orientation"] != DIRECTIONS["NONE"]
                same = values[key] == (assumed[key] or turned)
            elif key == "maxHealthPoints":
                same = values[key] == values["healthPoints"]
            else:
                same = values[key] == assumed[key] and type(values[key]) is type(assumed[key])
            if not same and text is not None:
                written[key] = text
        if sprite.class_name is not None:
            # What the class did not know is forgotten, but how much of it counts.
            unknown = sum(key not in table for key in (*above, *written))
            for index in range(unknown + 1, sprite.unknown_keys + 1):
                written[f"ignored{index}"] = "0"
        yield from written.items()

    # Values

    def value(self, parameter: Parameter, value: Any) -> str | None:
        """A value as text that the parser reads back; None for a default."""
        if value is None or value == ():
            return None
        if parameter.kind == "sprite":
            return self.names[value] if value >= 0 else self.nowhere
        if parameter.kind == "sprites":
            return ",".join(self.names[number] for number in value)
        if parameter.kind == "real" and value == int(value):
            return str(int(value))
        if parameter.name == "physicstype" and value in (0, 1):
            return ("GRID", "CONT")[value]
        return write_value(value)

    def words(
        self, values: Mapping[str, Any], table: Mapping[str, Parameter]
    ) -> Iterator[tuple[str, str]]:
        """The values that differ from the defaults."""
        for key, value in values.items():
            parameter = table[key]
            text = self.value(parameter, value)
            if text is not None and value != parameter.default:
                yield key, text

    # Rules

    def interactions(self) -> Iterator[str]:
        places: list[list[str]] = [[] for _ in self.game.rules]
        firsts: list[int | None] = [None for _ in self.game.rules]
        for pair in self.game.pairs:
            for number in dict.fromkeys(pair.rules):
                repeat = max(1, self.game.rules[number].values["repeat"])
                firsts[number] = pair.first
                times = pair.rules.count(number) // repeat
                places[number] += [self.names[pair.second]] * max(1, times)
        for number, rule in enumerate(self.game.rules):
            edges = [one for one, found in self.game.edge_rules.items() if number in found]
            timed = [timed.sprite for timed in self.game.timed if timed.rule == number]
            sides = self.sides(firsts[number], places[number], edges, timed)
            yield f"{' '.join(sides)} > {' '.join((rule.effect, *self.rule_words(rule)))}"

    def sides(
        self, first: int | None, seconds: list[str], edges: list[int], timed: list[int]
    ) -> list[str]:
        """The words before the `>`."""
        if first is None and len(edges + timed) > 1:
            return ["EOS" if edges else "TIME", *(self.names[one] for one in edges or timed)]
        if first is None:
            first = (*edges, *timed, WALL)[0]
        special = ["TIME"] * len(timed) + ["EOS"] * len(edges)
        if not seconds and not special:
            seconds = [self.names[WALL]]  # a rule that is repeated no times
        return [self.names[first], *special, *seconds]

    def rule_words(self, rule: EffectRule) -> Iterator[str]:
        table = {**EFFECTS[rule.effect].parameters, **TIMED}
        found = dict(self.words(rule.values, table))
        if rule.inner is not None:
            inner = EFFECTS[rule.inner.effect].parameters
            found = {**found, **dict(self.words(rule.inner.values, inner))}
        yield from (f"{key}={text}" for key, text in found.items())

    # Mapping and endings

    def mapping(self) -> Iterator[str]:
        for character, names in self.game.mapping.items():
            if USUAL_MAPPING.get(character) != names:
                yield " ".join((character, ">", *names))

    def ending(self, ending: Ending) -> str:
        words = self.words(ending.values, TERMINATIONS[ending.condition].parameters)
        line = " ".join((ending.condition, *(f"{key}={text}" for key, text in words)))
        return f"{line}  # because {ending.reason}" if ending.reason else line


def write_value(value: Any) -> str:
    """Write a value whose kind its own type tells.

    >>> write_value((0.0, -1.0)), write_value((3, -1)), write_value((True, False)), write_value(0.5)
    ('UP', '3,-1', 'True,False', '0.5')
    """
    if isinstance(value, Colour):
        return value.name
    if isinstance(value, float) and math.isinf(value):
        return "1e999" if value > 0 else "-1e999"
    if isinstance(value, tuple):
        if value and isinstance(value[0], float):
            return next(name for name, pair in DIRECTIONS.items() if pair == value)
        return ",".join(str(item) for item in value)
    return str(value)
