"""Parses the text of a game description into its definition.

This is the *compatible* reading: it loads what the Java framework loads, the way it loads it,
and notes each leniency as a problem with line and column. `tree` splits the text into lines,
`conversion` gives values their types, and `Parser` makes sprite types, rules and terminations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludex.core.errors import did_you_mean
from ludex.worlds.vgdl.language.because import usable_reason
from ludex.worlds.vgdl.language.conversion import (
    Mismatch,
    fit,
    interpret,
    read_flags,
    read_numbers,
    read_range,
    widened,
)
from ludex.worlds.vgdl.language.definition import (
    BadGame,
    EffectRule,
    Ending,
    Game,
    GameProblem,
    Range,
    RulePair,
    SpriteType,
    Timed,
)
from ludex.worlds.vgdl.language.ontology import (
    COMMON,
    DIRECTIONS,
    EFFECTS,
    GAME_PARAMETERS,
    SPRITES,
    TERMINATIONS,
    TIMED,
    EffectClass,
    Parameter,
    SpriteClass,
)
from ludex.worlds.vgdl.language.tree import MAX_DEPTH, LineNode, read_tree

SECTIONS = ("SpriteSet", "InteractionSet", "LevelMapping", "TerminationSet", "ParameterSet")
# The largest game of the public collection has 12,000 characters, 255 lines and 120 types.
MAX_TEXT = 1_000_000
MAX_LINES = 20_000
MAX_TYPES = 1_000
MAX_PLACED = 100_000  # pairs of types, counted for every rule and repetition
MAX_HINTS = 50  # suggestions cost time
MAX_REPEAT = 1_000
MAX_PLAYERS = 16
MAX_COUNTERS = 1_000
MAX_DIMENSIONS = 100


class Abandoned(Exception):
    """An error after which the reference reads no more of the file."""


@dataclass(slots=True)
class Draft:
    """A sprite line with what it inherits, before the names it mentions are known."""

    node: LineNode
    class_name: str | None
    words: dict[str, tuple[str, LineNode]]
    ancestors: tuple[int, ...]
    children: list[int]
    singleton: bool


class Parser:
    """Reads one description; `game()` gives the definition."""

    def __init__(
        self,
        text: str,
        file: str = "",
        point: Mapping[str, Any] | None = None,
        clean: bool = False,
    ) -> None:
        if len(text) > MAX_TEXT or text.count("\n") > MAX_LINES:
            raise BadGame(
                f"{file or 'the game'} is too long: at most {MAX_LINES} lines and {MAX_TEXT} "
                "characters can be a game"
            )
        self.file = file
        self.clean = clean
        self.point = dict(point or {})
        self.problems: list[GameProblem] = []
        self.messages = 0
        self.placed = 0
        self.names: dict[str, int] = {"wall": 0, "avatar": 1}
        self.drafts: dict[int, Draft] = {}
        self.order: list[str] = ["wall", "avatar"]
        self.rules: list[EffectRule] = []
        self.pairs: list[tuple[tuple[int, int], list[int]]] = []
        self.first_mention: dict[tuple[int, int], list[int]] = {}
        self.edges: list[int] = []
        self.edge_rules: dict[int, list[int]] = {}
        self.timed: list[Timed] = []
        self.endings: list[Ending] = []
        self.mapping: dict[str, tuple[str, ...]] = {"w": ("wall",), "A": ("avatar",)}
        self.space: dict[str, Range] = {}
        self.header: dict[str, Any] = {}
        root = read_tree(text, self.note)
        if root is None:
            raise BadGame(f"{file or 'the game'} is empty; a game starts with BasicGame")
        self.read(root)

    def hint(self, word: str, known: Iterable[str]) -> str:
        return did_you_mean(word, known) if len(self.problems) < MAX_HINTS else ""

    def note(self, line: int, column: int, word: str, reason: str, suggestion: str = "") -> None:
        self.problems.append(
            GameProblem(line, column, word, reason, suggestion, "warning", self.file)
        )

    def at(self, node: LineNode, word: str, reason: str, suggestion: str = "") -> None:
        self.note(node.line, node.column_of(word), word, reason, suggestion)

    def abandon(self, node: LineNode, word: str, reason: str, suggestion: str = "") -> Abandoned:
        self.at(node, word, reason + "; the reference reads no further", suggestion)
        return Abandoned()

    # The file

    def read(self, root: LineNode) -> None:
        if root.name not in ("BasicGame", "GameSpace"):
            raise BadGame(
                f"{self.file or 'game'}:{root.line}: a game starts with BasicGame or GameSpace, "
                f"not {root.name!r}"
            )
        self.read_header(root)
        sections = root.children
        for section in sections:
            if section.name == "ParameterSet" and root.name == "GameSpace":
                self.read_space(section)
        readers = {
            "SpriteSet": self.read_sprites,
            "InteractionSet": self.read_interactions,
            "LevelMapping": self.read_mapping,
            "TerminationSet": self.read_terminations,
        }
        try:
            for section in sections:
                reader = readers.get(section.name)
                if reader:
                    reader(section)
                elif section.name != "ParameterSet":
                    hint = self.hint(section.name, SECTIONS)
                    self.at(section, section.name, f"no section {section.name!r}; ignored", hint)
        except Abandoned:
            pass

    def read_header(self, root: LineNode) -> None:
        for key, text in self.pairs_of(root, root.words[1:]):
            if key == "obs":
                self.header["obs"] = text
            elif key == "key_handler":
                continue  # keyboards of humans only
            elif key in GAME_PARAMETERS:
                value = interpret(key, self.replace(text))
                if isinstance(value, int) and not isinstance(value, bool):
                    self.header[key] = value
                else:
                    self.at(root, f"{key}={text}", f"{key} is a whole number; dropped")
            else:
                self.messages += 1
                hint = self.hint(key, GAME_PARAMETERS)
                self.at(root, f"{key}={text}", f"unknown key {key!r}; ignored", hint)

    def pairs_of(self, node: LineNode, words: list[str]) -> Iterator[tuple[str, str]]:
        """The key=value words; others are left to the caller."""
        for word in words:
            if "=" in word:
                key, _, rest = word.partition("=")
                value = rest.partition("=")[0]
                if not value:
                    self.at(node, word, f"{word!r} has no value; ignored")
                    continue
                yield key, value

    def replace(self, text: str) -> str:
        """Replace parameters of a game space by their values."""
        if not self.space:
            return text
        return ",".join(self.chosen(part) for part in text.split(","))

    def chosen(self, word: str) -> str:
        choice = self.space.get(word)
        if choice is None:
            return word
        value = self.point.get(word, choice.default)
        return str(value)

    def read_space(self, section: LineNode) -> None:
        if len(section.children) > MAX_DIMENSIONS:
            raise BadGame(f"a game space has at most {MAX_DIMENSIONS} parameters")
        for node in section.children:
            given = dict(self.pairs_of(node, node.words[1:]))
            values = given.get("values", "")
            try:
                choices = read_range(values)
            except ValueError:
                self.at(node, node.name, f"cannot read the values of {node.name!r}; ignored")
                continue
            fixed = interpret("value", given["value"]) if "value" in given else None
            self.space[node.name] = Range(node.name, choices, fixed, given.get("string", ""))

    # Sprites

    def read_sprites(self, section: LineNode) -> None:
        self.read_sprite_nodes(section.children, None, {}, ())

    def read_sprite_nodes(
        self,
        nodes: list[LineNode],
        inherited: str | None,
        words: dict[str, tuple[str, LineNode]],
        ancestors: tuple[int, ...],
    ) -> list[int]:
        """Read the lines of sprites and those below them; returns the numbers of their types."""
        numbers: list[int] = []
        for node in nodes:
            if ">" not in node.words:
                self.at(node, node.name, "no '>'; the reference reads no more lines of this group")
                break
            number = self.names.setdefault(node.name, len(self.names))
            if len(self.names) > MAX_TYPES:
                raise BadGame(f"more than {MAX_TYPES} sprite types")
            own = next((w for w in node.words[:0:-1] if "=" not in w and w != ">"), None)
            draft = self.read_sprite(node, own, inherited, words, (*ancestors, number))
            self.drafts[number] = draft
            draft.children = self.read_sprite_nodes(
                node.children, own or inherited, draft.words, draft.ancestors
            )
            if not node.children:
                if node.name in self.order:
                    self.order.remove(node.name)
                self.order.append(node.name)
            numbers.append(number)
        return numbers

    def read_sprite(
        self,
        node: LineNode,
        own: str | None,
        inherited: str | None,
        words: dict[str, tuple[str, LineNode]],
        ancestors: tuple[int, ...],
    ) -> Draft:
        """Read the line of a sprite, whose class is its own or the inherited one."""
        mine = dict(words)
        singleton = False
        for key, text in self.pairs_of(node, node.words[1:]):
            mine[key] = (self.replace(text), node)
            if key == "singleton" and self.replace(text).lower() == "true":
                singleton = True
        class_name = (own or inherited) if self.clean else (inherited or own)
        if own and own != class_name:
            reason = f"{own!r} is ignored for {node.name!r}: its parent is a {inherited}"
            self.at(node, own, reason)
        return Draft(node, class_name, mine, ancestors, [], singleton)

    def finish_types(self) -> tuple[SpriteType, ...]:
        """Resolve all parameters, now that every name is known."""
        lists: dict[int, tuple[int, ...]] = {}

        def subtypes(number: int, depth: int = 0) -> tuple[int, ...]:
            if depth > MAX_DEPTH:  # types that are defined again can be chained without end
                raise BadGame(f"sprites are nested more than {MAX_DEPTH} levels deep")
            if number not in lists:
                draft = self.drafts.get(number)
                lists[number] = (number,)  # a type that names itself as its child ends here
                if draft:
                    found = dict.fromkeys((number,) if self.clean else draft.ancestors)
                    for child in draft.children:
                        found.update(dict.fromkeys(subtypes(child, depth + 1)))
                    lists[number] = tuple(found)
            return lists[number]

        types: list[SpriteType] = []
        for name, number in self.names.items():
            draft = self.drafts.get(number)
            if draft is None:
                types.append(built_in(name, number))
                continue
            values, unknown = self.sprite_values(draft, number)
            types.append(
                SpriteType(
                    name,
                    draft.class_name,
                    values,
                    draft.ancestors,
                    subtypes(number),
                    not draft.node.children,
                    draft.singleton,
                    unknown,
                    draft.node.line,
                )
            )
        return tuple(types)

    def sprite_values(self, draft: Draft, number: int) -> tuple[dict[str, Any], int]:
        """The values of a sprite type, and how many of its keys its class does not know."""
        table = self.sprite_parameters(draft)
        values = {name: parameter.default for name, parameter in table.items()}
        unknown = 0
        for key, (text, node) in draft.words.items():
            parameter = table.get(key)
            is_own = node is draft.node
            if parameter is None:
                unknown += 1
                if is_own and draft.class_name in SPRITES:
                    reason = f"{draft.class_name} has no {key!r}; ignored"
                    self.at(node, self.word_of(node, key), reason, self.hint(key, table))
                continue
            try:
                values[key] = self.resolve(parameter, key, text)
            except (Mismatch, ValueError, KeyError):
                if is_own:
                    reason = f"{text!r} is no value for {key!r}; dropped"
                    self.at(node, self.word_of(node, key), reason)
        self.derive_values(draft, number, values)
        return values, unknown

    def sprite_parameters(self, draft: Draft) -> Mapping[str, Parameter]:
        """The parameters of a sprite's class; those of all classes if it has none."""
        if draft.class_name is None:
            return COMMON
        if draft.class_name not in SPRITES:
            hint = self.hint(draft.class_name, SPRITES)
            reason = f"no sprite class {draft.class_name!r}; none can be created"
            self.at(draft.node, draft.class_name, reason, hint)
            return COMMON
        return SPRITES[draft.class_name].parameters

    def derive_values(self, draft: Draft, number: int, values: dict[str, Any]) -> None:
        """Set the values that follow from others."""
        if values["orientation"] != DIRECTIONS["NONE"]:
            values["is_oriented"] = values["is_oriented"] or "orientation" in draft.words
        values["cooldown"] = max(1, values["cooldown"])
        if values["maxHealthPoints"] == 0:
            values["maxHealthPoints"] = values["healthPoints"]
        values["healthPoints"] = min(values["healthPoints"], values["maxHealthPoints"])
        packs = ("Resource", "ResourcePack") if self.clean else ("Resource",)
        if draft.class_name in packs and values.get("resource_name") is None:
            values["resource_name"] = number

    def resolve(self, parameter: Parameter, key: str, text: str) -> Any:
        """Read a value of a parameter; KeyError names an unknown sprite."""
        guess = interpret(key, text)
        if self.clean:
            guess = widened(parameter.kind, guess, text)
        value = fit(parameter.kind, guess)
        if parameter.kind == "sprite":
            return self.names[value]
        if parameter.kind == "sprites":
            return tuple(self.names[part.strip()] for part in value.split(","))
        if parameter.kind == "numbers":
            return read_numbers(value)
        if parameter.kind == "flags":
            return read_flags(value)
        return value

    # Rules

    def each_line(self, section: LineNode, read: Callable[[LineNode], None]) -> None:
        """Read line by line; with clean semantics only a bad line itself is dropped."""
        for node in section.children:
            try:
                read(node)
            except Abandoned:
                if not self.clean:
                    raise

    def read_interactions(self, section: LineNode) -> None:
        self.each_line(section, self.read_interaction)

    def read_interaction(self, node: LineNode) -> None:
        if ">" not in node.words:
            raise self.abandon(node, node.name, "an interaction needs a '>'")
        arrow = node.words.index(">")
        first, seconds = node.words[0], node.words[1:arrow]
        timed = "TIME" in [word.upper() for word in (first, *seconds[:1])]
        if arrow == 0 or not seconds:
            raise self.abandon(node, node.name, "an interaction names at least two sprites")
        rule = self.read_rule(node, node.words[arrow + 1 :], timed)
        number = len(self.rules)
        self.rules.append(rule)
        repeat = min(max(rule.values["repeat"], 0), MAX_REPEAT)
        self.placed += len(seconds) * max(repeat, 1)
        if self.placed > MAX_PLACED:
            raise BadGame(f"more than {MAX_PLACED} rules, counted for each pair of sprites")
        for second in seconds:
            self.place(node, first, second, number, repeat, timed)

    def place(
        self, node: LineNode, first: str, second: str, rule: int, repeat: int, timed: bool
    ) -> None:
        """Add a rule to the pairs, the edges or the timed rules, as its two words say."""
        for one, other in ((first, second), (second, first)):
            if one.upper() not in ("EOS", "TIME"):
                continue
            if other not in self.names:
                hint = self.hint(other, self.names)
                raise self.abandon(node, other, f"no sprite {other!r}", hint)
            number = self.names[other]
            if one.upper() == "EOS":
                if not (self.clean and number in self.edges):
                    self.edges.append(number)
                self.edge_rules.setdefault(number, []).append(rule)
            elif timed:
                self.timed.append(Timed(number, rule))
            else:
                raise self.abandon(node, one, "TIME must be the first or the second word")
            return
        for word in (first, second):
            if word not in self.names:
                raise self.abandon(node, word, f"no sprite {word!r}", self.hint(word, self.names))
        pair = (self.names[first], self.names[second])
        # All rules of a pair run where the pair was first mentioned; with clean semantics every
        # rule runs where it is written.
        if pair in self.first_mention and not self.clean:
            self.first_mention[pair].extend([rule] * repeat)
        else:
            self.first_mention[pair] = [rule] * repeat
            self.pairs.append((pair, self.first_mention[pair]))

    def read_rule(self, node: LineNode, words: list[str], timed: bool) -> EffectRule:
        name = ""
        for word in words:
            if "=" not in word and word != ">":
                name = word
        effect = EFFECTS.get(name)
        if effect is None:
            hint = self.hint(name, EFFECTS)
            raise self.abandon(node, name or node.name, f"no effect {name!r}", hint)
        given = {key: self.replace(text) for key, text in self.pairs_of(node, words)}
        quiet = timed or name == "addTimer"
        extra = TIMED if quiet else {}
        values = self.rule_values(node, effect, given, extra, quiet)
        inner: EffectRule | None = None
        if name == "addTimer":
            later = EFFECTS.get(values["ftype"] or "")
            if later is None or later.name == "addTimer":
                raise self.abandon(node, name, f"no effect {values['ftype']!r} to run later")
            inner_values = self.rule_values(node, later, given, {}, True)
            inner = EffectRule(later.name, inner_values, None, node.line)
        return EffectRule(name, values, inner, node.line)

    def rule_values(
        self,
        node: LineNode,
        effect: EffectClass,
        given: dict[str, str],
        extra: Mapping[str, Parameter],
        quiet: bool,
    ) -> dict[str, Any]:
        table = {**effect.parameters, **extra}
        values = {name: parameter.default for name, parameter in table.items()}
        for key, text in given.items():
            parameter = table.get(key)
            if parameter is None:
                if not quiet:
                    self.messages += 1
                    hint = self.hint(key, table)
                    reason = f"{effect.name} has no {key!r}; ignored"
                    self.at(node, self.word_of(node, key), reason, hint)
                continue
            try:
                values[key] = self.resolve(parameter, key, text)
            except Mismatch:
                self.at(node, self.word_of(node, key), f"{text!r} is no value for {key!r}; dropped")
            except ValueError:
                reason = f"{key} is a list of whole numbers, not {text!r}"
                raise self.abandon(node, self.word_of(node, key), reason) from None
            except KeyError as missing:
                if not parameter.required and parameter.name == "stype":
                    values[key] = -1
                    continue
                hint = self.hint(str(missing.args[0]), self.names)
                reason = f"no sprite {missing.args[0]!r}"
                raise self.abandon(node, self.word_of(node, key), reason, hint) from None
        for key, parameter in table.items():
            if parameter.required and values[key] is None:
                raise self.abandon(node, effect.name, f"{effect.name} needs {key}=SPRITE")
        return values

    @staticmethod
    def word_of(node: LineNode, key: str) -> str:
        return next((word for word in node.words if word.startswith(key + "=")), node.name)

    # Level mapping and terminations

    def read_mapping(self, section: LineNode) -> None:
        for node in section.children:
            names = tuple(node.words[2:])
            self.mapping[node.words[0][0]] = names
            if len(node.words[0]) > 1:
                self.at(node, node.words[0], "only the first character of this word is mapped")

    def read_terminations(self, section: LineNode) -> None:
        self.each_line(section, self.read_termination)

    def read_termination(self, node: LineNode) -> None:
        ending = TERMINATIONS.get(node.name)
        if ending is None:
            hint = self.hint(node.name, TERMINATIONS)
            raise self.abandon(node, node.name, f"no termination {node.name!r}", hint)
        values = {name: parameter.default for name, parameter in ending.parameters.items()}
        for key, text in self.pairs_of(node, node.words[1:]):
            parameter = ending.parameters.get(key)
            if parameter is None:
                self.messages += 1
                hint = self.hint(key, ending.parameters)
                self.at(node, self.word_of(node, key), f"{node.name} has no {key!r}", hint)
                continue
            try:
                values[key] = self.resolve(parameter, key, self.replace(text))
            except Mismatch:
                reason = f"{text!r} is no value for {key!r}; dropped"
                self.at(node, self.word_of(node, key), reason)
            except ValueError:
                reason = f"{key} is a list of whole numbers, not {text!r}"
                raise self.abandon(node, self.word_of(node, key), reason) from None
            except KeyError:
                hint = self.hint(text, self.names)
                raise self.abandon(
                    node, self.word_of(node, key), f"no sprite {text!r}", hint
                ) from None
        if any(p.required and values[key] is None for key, p in ending.parameters.items()):
            raise self.abandon(node, node.name, f"{node.name} needs the name of a sprite")
        self.endings.append(Ending(node.name, values, node.line, usable_reason(node.comment)))

    # The whole

    def game(self) -> Game:
        types = self.finish_types()
        order = [name for name in self.order if name != "avatar"] + ["avatar"]
        obstacles: tuple[int, ...] | None = None
        if "obs" in self.header:
            words = [word.strip() for word in self.header["obs"].split(",")]
            obstacles = tuple(self.names[word] for word in words if word in self.names)
        players = self.header.get("no_players", 1)
        counters = self.header.get("no_counters", 0)
        if not 1 <= players <= MAX_PLAYERS:
            raise BadGame(f"no_players must be from 1 to {MAX_PLAYERS}, got {players}")
        if not 0 <= counters <= MAX_COUNTERS:
            raise BadGame(f"no_counters must be from 0 to {MAX_COUNTERS}, got {counters}")
        return Game(
            types=types,
            order=tuple(self.names[name] for name in order),
            rules=tuple(self.rules),
            pairs=tuple(RulePair(f, s, tuple(rules)) for (f, s), rules in self.pairs),
            edges=tuple(self.edges),
            edge_rules={number: tuple(rules) for number, rules in self.edge_rules.items()},
            timed=tuple(self.timed),
            endings=tuple(self.endings),
            mapping=self.mapping,
            square_size=self.header.get("square_size", -1),
            players=players,
            counters=counters,
            obstacles=obstacles,
            space=tuple(self.space.values()),
            messages=self.messages,
            problems=tuple(sorted(self.problems, key=lambda one: (one.line, one.column))),
        )


def built_in(name: str, number: int) -> SpriteType:
    """The wall and the avatar of games that define none."""
    class_name = "Immovable" if name == "wall" else "MovingAvatar"
    sprite: SpriteClass = SPRITES[class_name]
    values = {key: parameter.default for key, parameter in sprite.parameters.items()}
    values["cooldown"] = 1
    if name == "wall":
        values["solid"] = True
    return SpriteType(name, class_name, values, (number,), (number,), True)


def parse_game(
    text: str, file: str = "", point: Mapping[str, Any] | None = None, clean: bool = False
) -> Game:
    """Read a description in the compatible way.

    Args:
        text: the description
        file: its name, for problems
        point: values for the parameters of a game space, by name
        clean: without the reference's quirks of reading (Q1, Q2, Q4 to Q7, Q13)
    """
    return Parser(text, file, point, clean).game()
