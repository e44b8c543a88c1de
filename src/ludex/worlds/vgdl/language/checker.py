"""The strict checker: finds every mistake of a game description, each with line and column.

Each line is checked by itself, so that one mistake hides no other. The parser reads a
description that passes without any leniency.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ludex.worlds.vgdl.language.because import LONGEST_REASON, reason_in, usable_reason
from ludex.worlds.vgdl.language.conversion import read_range
from ludex.worlds.vgdl.language.definition import GameProblem, Range
from ludex.worlds.vgdl.language.line_checker import (
    KeyValue,
    LineChecker,
    TooMany,
    Word,
    quote,
    shortened,
)
from ludex.worlds.vgdl.language.ontology import (
    COMMON,
    EFFECTS,
    GAME_PARAMETERS,
    SPRITES,
    TERMINATIONS,
    TIMED,
    Kind,
    Parameter,
)
from ludex.worlds.vgdl.language.parser import (
    MAX_COUNTERS,
    MAX_DIMENSIONS,
    MAX_PLAYERS,
    MAX_REPEAT,
    SECTIONS,
    built_in,
)
from ludex.worlds.vgdl.language.tree import LineNode, read_tree
from ludex.worlds.vgdl.language.usage import created_by
from ludex.worlds.vgdl.language.values import (
    TRUTHS,
    Fault,
    elements,
    is_name,
    value_fault,
    variants,
)

FIND_PATHS = frozenset(("PathChaser", "PathAltChaser", "RandomPathAltChaser"))
SPECIAL = frozenset(("EOS", "TIME"))
"""words of interactions that are no sprites: the edge of the screen, and the clock"""
RANGE_KEYS = ("values", "value", "string")
HEADER_LIMITS = {
    "square_size": (1, 10_000),
    "no_players": (1, MAX_PLAYERS),
    "no_counters": (0, MAX_COUNTERS),
}


@dataclass(slots=True)
class Sprite:
    """What is known of a sprite type from its line and the lines above it."""

    node: LineNode
    class_name: str | None
    pairs: dict[str, KeyValue]
    """its own and the inherited ones"""
    children: list[Sprite] = field(default_factory=list)


class Checker(LineChecker):
    """Checks one description; `problems` holds what it found."""

    def __init__(self, text: str, file: str = "") -> None:
        super().__init__(file)
        self.sprites: dict[str, Sprite] = {}
        self.space: dict[str, Range] = {}
        self.used: set[str] = set()
        self.players = 1
        self.finds_paths = False
        self.mapped: dict[str, int] = {}
        try:
            root = read_tree(text, self.tree_error)
            self.check_indentation(text)
            if root is not None:
                self.check(root)
        except TooMany:
            pass
        self.problems.sort(key=lambda one: (one.line, one.column))

    # The file

    def check(self, root: LineNode) -> None:
        if root.name not in ("BasicGame", "GameSpace"):
            known = ("BasicGame", "GameSpace")
            reason = f"a game starts with BasicGame or GameSpace, not {quote(root.name)}"
            self.error(root.line, root.columns[0], root.name, reason, known)
        sections = self.check_sections(root)
        if "ParameterSet" in sections and root.name == "GameSpace":
            for node in sections["ParameterSet"].children[:MAX_DIMENSIONS]:
                self.check_range(node)
        if "SpriteSet" in sections:
            self.collect(sections["SpriteSet"].children, None, {})
        for name in ("wall", "avatar"):
            self.sprites.setdefault(name, Sprite(root, built_in(name, 0).class_name, {}))
        self.check_header(root)
        for sprite in self.sprites.values():
            if sprite.node is not root:
                self.check_sprite(sprite)
        checks = {
            "InteractionSet": self.check_interaction,
            "LevelMapping": self.check_mapping,
            "TerminationSet": self.check_termination,
        }
        for name, check in checks.items():
            for node in sections[name].children if name in sections else ():
                self.no_children(node)
                check(node)
        self.check_space_use(sections.get("ParameterSet"))

    def check_sections(self, root: LineNode) -> dict[str, LineNode]:
        """Check that all sections are there, once and in order; returns them by name."""
        sections: dict[str, LineNode] = {}
        for section in root.children:
            self.check_heading(root, section, sections)
        needed = SECTIONS if root.name == "GameSpace" else SECTIONS[:4]
        missing = [name for name in needed if name not in sections]
        if missing:
            reason = f"the game has no {' and no '.join(missing)}"
            self.error(root.line, root.columns[0], root.name, reason)
        early = sections.get("SpriteSet")
        for name in ("InteractionSet", "TerminationSet"):
            late = sections.get(name)
            if early and late and late.line < early.line:
                reason = f"{name} stands before the SpriteSet that its names come from"
                self.error(late.line, late.columns[0], name, reason)
        return sections

    def check_heading(
        self, root: LineNode, section: LineNode, sections: dict[str, LineNode]
    ) -> None:
        word = Word(section.name, section.columns[0])
        if section.name not in SECTIONS:
            self.at(section, word, f"no section {quote(section.name)}", SECTIONS)
        elif section.name in sections:
            self.at(section, word, f"{section.name} is written twice")
        elif section.name == "ParameterSet" and root.name == "BasicGame":
            self.at(section, word, "only a GameSpace has a ParameterSet")
        else:
            sections[section.name] = section
        for extra in self.words(section, 1)[:1]:
            self.at(section, extra, f"nothing follows {quote(section.name)} on its line")

    def check_header(self, root: LineNode) -> None:
        lone, pairs = self.split(root, self.words(root, 1))
        for word in lone:
            self.at(root, word, f"{quote(word.text)} is no key=value of the game")
        for pair in pairs:
            if pair.key == "obs":
                self.finds_paths = True
                self.check_value(Parameter("obs", "sprites"), pair)
            elif pair.key == "key_handler":
                if pair.value != "Pulse":
                    reason = f"key_handler is Pulse, not {quote(pair.value)}"
                    self.fault(pair, Fault(pair.value, reason, ("Pulse",)))
            elif pair.key in HEADER_LIMITS:
                self.check_header_number(pair)
            else:
                word = Word(pair.key, pair.column)
                known = (*HEADER_LIMITS, "obs", "key_handler")
                self.at(root, word, f"a game has no {quote(pair.key)}", known)

    def check_header_number(self, pair: KeyValue) -> None:
        low, high = HEADER_LIMITS[pair.key]
        if not self.check_value(GAME_PARAMETERS[pair.key], pair):
            return
        for text in variants(pair.value, self.space):
            if not low <= int(text) <= high:
                reason = f"{pair.key} is from {low} to {high}, not {text}"
                self.fault(pair, Fault(pair.value, reason))
            elif pair.key == "no_players":
                self.players = int(text)

    def check_value(self, parameter: Parameter, pair: KeyValue) -> bool:
        """Whether a value fits its parameter, at both ends of a game space."""
        for part, _ in elements(pair.value):
            if part in self.space:
                self.used.add(part)
        for text in variants(pair.value, self.space):
            fault = value_fault(parameter, text, self.sprites, self.players)
            if fault is None:
                continue
            if text != pair.value:
                fault = Fault(pair.value, fault.reason)
            elif fault.known and self.space:
                fault = Fault(fault.word, fault.reason, (*fault.known, *self.space), fault.offset)
            self.fault(pair, shortened(fault))
            return False
        return True

    def check_creation(self, owner: str, pair: KeyValue) -> None:
        """Check that sprites to create have a class."""
        if pair.key not in created_by(owner):
            return
        for name, offset in elements(pair.value):
            sprite = self.sprites.get(name)
            if sprite is not None and sprite.class_name is None:
                reason = f"{quote(name)} is a group without a class, so none can be created"
                self.fault(pair, Fault(name, reason, (), offset))

    # Game spaces

    def check_range(self, node: LineNode) -> None:
        self.no_children(node)
        halves = self.split_arrow(node)
        if halves is None:
            return
        before, after = halves
        for word in before[1:]:
            self.at(node, word, "a parameter has one name")
        lone, pairs = self.split(node, after)
        for word in lone:
            self.at(node, word, f"{quote(word.text)} is no key=value of a parameter")
        given = {pair.key: pair for pair in pairs}
        for pair in pairs:
            if pair.key not in RANGE_KEYS:
                word = Word(pair.key, pair.column)
                self.at(node, word, f"a parameter has no {quote(pair.key)}", RANGE_KEYS)
        name = before[0]
        if not is_name(name.text):
            self.at(node, name, f"{quote(name.text)} means something else in values")
        if name.text in self.space:
            self.at(node, name, f"{quote(name.text)} is defined twice")
        if "values" not in given:
            self.at(node, name, f"{quote(name.text)} needs values=LOW:STEP:HIGH or True:False")
            return
        choices: tuple[object, ...] = (0,)
        try:
            choices = read_range(given["values"].value)
        except ValueError:
            text = given["values"].value
            reason = f"values are LOW:STEP:HIGH, rising, or True:False, not {quote(text)}"
            self.fault(given["values"], Fault(text, reason))
        self.space[name.text] = Range(name.text, tuple(choices))
        if "value" in given:
            self.check_fixed(given["value"], choices)

    def check_fixed(self, pair: KeyValue, choices: tuple[object, ...]) -> None:
        """Check the type of a fixed value; for experiments it may lie outside of the range."""
        kind: Kind = "bool" if isinstance(choices[0], bool) else "int"
        if isinstance(choices[0], float):
            kind = "real"
        fault = value_fault(Parameter("value", kind), pair.value, ())
        if fault is not None:
            self.fault(pair, shortened(fault))

    def check_space_use(self, section: LineNode | None) -> None:
        for node in section.children if section else ():
            if node.name in self.space and node.name not in self.used:
                reason = f"the parameter {quote(node.name)} is used nowhere"
                self.warn(node.line, node.columns[0], node.name, reason)

    # Sprites

    def collect(
        self, nodes: list[LineNode], inherited: str | None, words: Mapping[str, KeyValue]
    ) -> list[Sprite]:
        """Read the tree of sprites; their values are checked once every name is known."""
        found: list[Sprite] = []
        for node in nodes:
            halves = self.split_arrow(node)
            before, after = halves or (self.words(node)[:1], [])
            name = before[0]
            for word in before[1:]:
                self.at(node, word, "a sprite has one name")
            lone, pairs = self.split(node, after)
            self.check_class(node, name, lone, inherited)
            class_name = inherited or (lone[0].text if lone else None)
            sprite = Sprite(node, class_name, {**words, **{pair.key: pair for pair in pairs}})
            self.define(name, sprite)
            sprite.children = self.collect(node.children, class_name, sprite.pairs)
            found.append(sprite)
            if not node.children and class_name is None and halves is not None:
                self.at(node, name, f"{quote(name.text)} has no class; write one after the '>'")
        return found

    def check_class(
        self, node: LineNode, name: Word, lone: list[Word], inherited: str | None
    ) -> None:
        """Check the words of a sprite's line that are no key=value: its class alone."""
        for word in lone[1:]:
            self.at(node, word, f"a sprite has one class, and this one is {quote(lone[0].text)}")
        own = lone[0] if lone else None
        if own is not None and own.text not in SPRITES:
            self.at(node, own, f"no sprite class {quote(own.text)}", SPRITES)
        elif own is not None and inherited in SPRITES and own.text != inherited:
            reason = f"{quote(name.text)} is of class {inherited} like its parent, not {own.text}"
            self.at(node, own, reason)

    def define(self, name: Word, sprite: Sprite) -> None:
        """Keep a sprite under its name, if it is a new one that values can mention."""
        node = sprite.node
        if not is_name(name.text):
            self.at(node, name, f"{quote(name.text)} cannot name a sprite: it means a value")
        elif name.text in self.space:
            self.at(node, name, f"{quote(name.text)} is a parameter of the game space")
        if name.text in self.sprites:
            first = self.sprites[name.text].node.line
            self.at(node, name, f"{quote(name.text)} is defined already in line {first}")
        else:
            self.sprites[name.text] = sprite

    def check_sprite(self, sprite: Sprite) -> None:
        """Check the values of a sprite; those of a group are checked with its members."""
        if sprite.children:
            for pair in sprite.pairs.values():
                if pair.node is sprite.node and pair.key in COMMON:
                    self.check_value(COMMON[pair.key], pair)
            return
        if sprite.class_name not in SPRITES:
            return
        name, table = sprite.class_name, SPRITES[sprite.class_name].parameters
        for pair in sprite.pairs.values():
            parameter = table.get(pair.key)
            if parameter is None:
                inherits = pair.node is not sprite.node
                who = f"{name}, the class of {quote(sprite.node.name)}," if inherits else name
                word = Word(pair.key, pair.column)
                self.at(pair.node, word, f"{who} has no {quote(pair.key)}", table)
            elif self.check_value(parameter, pair):
                self.check_creation(name, pair)
        node, word = sprite.node, Word(sprite.node.name, sprite.node.columns[0])
        for parameter in table.values():
            if parameter.required and parameter.name not in sprite.pairs:
                self.at(node, word, f"{name} needs {parameter.name}=SPRITE")
        if name == "ResourcePack" and "resource_name" not in sprite.pairs:
            self.at(node, word, "ResourcePack needs resource_name=SPRITE")
        if name in FIND_PATHS and not self.finds_paths:
            self.at(node, word, f"{name} needs obs=SPRITES in the first line, to walk around")

    # Rules

    def check_interaction(self, node: LineNode) -> None:
        halves = self.split_arrow(node)
        if halves is None:
            return
        before, after = halves
        self.check_collision(node, before)
        lone, pairs = self.split(node, after)
        for word in lone[1:]:
            self.at(node, word, f"a line has one effect, and this one has {quote(lone[0].text)}")
        if not lone:
            self.at(node, before[-1], "an effect is missing after the '>'")
            return
        effect = EFFECTS.get(lone[0].text)
        if effect is None:
            self.at(node, lone[0], f"no effect {quote(lone[0].text)}", EFFECTS)
            return
        special = {word.text.upper() for word in before} & SPECIAL
        if effect.needs_second and special and len(before) == 2:
            one = min(special)
            reason = f"{effect.name} needs a second sprite, and with {one} there is none"
            self.at(node, lone[0], reason)
        is_timed = "TIME" in special or effect.name == "addTimer"
        table = dict(effect.parameters) | (TIMED if is_timed else {})
        if effect.name == "addTimer":
            table = {**self.delayed_parameters(node, lone[0], pairs), **table}
        self.check_pairs(node, lone[0], effect.name, table, pairs)
        if is_timed:
            self.check_timer(pairs)
        self.check_repeat(pairs)

    def check_collision(self, node: LineNode, before: list[Word]) -> None:
        """Check the sprites that meet: the words before the `>`."""
        if len(before) < 2:
            reason = "an interaction names two sprites, or a sprite and EOS or TIME"
            self.at(node, before[0], reason)
        for index, word in enumerate(before):
            if word.text.upper() in SPECIAL:
                self.check_special(node, index, word, before)
            elif word.text not in self.sprites:
                known = (*self.sprites, "EOS", "TIME")
                self.at(node, word, f"no sprite {quote(word.text)}", known)
            elif index > 1 and word.text in (other.text for other in before[1:index]):
                self.at(node, word, f"{quote(word.text)} is named twice, and would be met twice")

    def delayed_parameters(
        self, node: LineNode, head: Word, pairs: list[KeyValue]
    ) -> Mapping[str, Parameter]:
        """The parameters of the effect that `addTimer` runs later."""
        later = next((pair.value for pair in pairs if pair.key == "ftype"), None)
        if later is None or later == "addTimer":
            self.at(node, head, "addTimer needs ftype=EFFECT, another effect to run later")
            return {}
        return EFFECTS[later].parameters if later in EFFECTS else {}

    def check_repeat(self, pairs: list[KeyValue]) -> None:
        for pair in pairs:
            if pair.key == "repeat":
                for text in variants(pair.value, self.space):
                    if not text.isdecimal() or not 1 <= int(text) <= MAX_REPEAT:
                        reason = f"repeat is from 1 to {MAX_REPEAT}, not {quote(text)}"
                        self.fault(pair, Fault(pair.value, reason))

    def check_special(self, node: LineNode, index: int, word: Word, before: list[Word]) -> None:
        if word.text not in ("EOS", "TIME"):
            self.at(node, word, f"write {word.text.upper()} in capitals")
        elif word.text == "TIME" and index > 1:
            self.at(node, word, "TIME is the first or the second word of a line")
        elif index > 0 and before[0].text in ("EOS", "TIME"):
            self.at(node, word, f"{before[0].text} and {word.text} do not go together")

    def check_timer(self, pairs: list[KeyValue]) -> None:
        given = {pair.key: pair for pair in pairs}
        repeating = given.get("repeating")
        if repeating is None or repeating.value.lower() == "false":
            return
        timer = given.get("timer")
        texts = variants(timer.value, self.space) if timer else ("-1",)
        if any(text.lstrip("+-").isdecimal() and int(text) <= 0 for text in texts):
            reason = "a repeating rule needs timer=TICKS of at least 1, else it never stops"
            self.fault(timer or repeating, Fault((timer or repeating).value, reason))

    def check_pairs(
        self,
        node: LineNode,
        head: Word,
        owner: str,
        table: Mapping[str, Parameter],
        pairs: list[KeyValue],
    ) -> None:
        """Check the values of a rule or an ending, and that none is missing."""
        for pair in pairs:
            parameter = table.get(pair.key)
            if parameter is None:
                word = Word(pair.key, pair.column)
                self.at(node, word, f"{owner} has no {quote(pair.key)}", table)
            elif self.check_value(parameter, pair):
                self.check_creation(owner, pair)
        given = {pair.key for pair in pairs}
        for parameter in table.values():
            if parameter.required and parameter.name not in given:
                self.at(node, head, f"{owner} needs {parameter.name}=SPRITE")

    def check_mapping(self, node: LineNode) -> None:
        halves = self.split_arrow(node)
        if halves is None:
            return
        before, after = halves
        if len(before[0].text) > 1:
            self.at(node, before[0], f"one character is mapped, not {quote(before[0].text)}")
        for word in before[1:]:
            self.at(node, word, "one character is mapped by a line")
        if not after:
            self.at(node, before[0], f"{quote(before[0].text)} is mapped to no sprite")
        for word in after:
            sprite = self.sprites.get(word.text)
            if sprite is None:
                self.at(node, word, f"no sprite {quote(word.text)}", self.sprites)
            elif sprite.class_name is None:
                reason = f"{quote(word.text)} is a group without a class, so none can be created"
                self.at(node, word, reason)
        character = before[0].text[0]
        if character in self.mapped:
            line = self.mapped[character]
            reason = f"{character!r} is mapped again in line {node.line}; this line does nothing"
            self.warn(line, before[0].column, character, reason)
        self.mapped[character] = node.line

    def check_termination(self, node: LineNode) -> None:
        head = Word(node.name, node.columns[0])
        ending = TERMINATIONS.get(node.name)
        if ending is None:
            self.at(node, head, f"no termination {quote(node.name)}", TERMINATIONS)
            return
        lone, pairs = self.split(node, self.words(node, 1))
        for word in lone:
            self.at(node, word, f"{quote(word.text)} is no key=value of {node.name}")
        self.check_pairs(node, head, node.name, ending.parameters, pairs)
        given = {pair.key: pair.value.lower() for pair in pairs}
        self.check_reason(node, head)
        decided = "win" in given or node.name == "StopCounter" or "use_counter" in given
        if not decided and given.get("count_score") not in TRUTHS[:1]:
            reason = "without win=True or win=False nobody wins"
            self.warn(node.line, head.column, node.name, reason)

    def check_reason(self, node: LineNode, head: Word) -> None:
        """Warn of a `# because` that cannot be shown when the game ends."""
        reason = reason_in(node.comment)
        if reason is None or usable_reason(node.comment):
            return
        wanted = f"write why the game ends behind it, in at most {LONGEST_REASON} characters"
        self.warn(node.line, head.column, node.name, f"'# because' names no reason; {wanted}")


def check_text(text: str, file: str = "") -> Iterator[GameProblem]:
    """Find every mistake in a description, in the order of its lines."""
    yield from Checker(text, file).problems
