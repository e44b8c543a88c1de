"""The card language: reads card files and compiles them, with line-accurate errors.

A file is a list of cards. A card is a headline and indented lines that say what it does:

    minion CS2_189 "Elven Archer" neutral free 1 mana 1/1
      battlecry on any character: damage 1 target

`docs/worlds/hearthstone_cards.md` is the reference of the language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ludex.core.errors import LudexError, did_you_mean
from ludex.core.user_file import with_article
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Card, Row, Tables

TOKEN = re.compile(
    r'"[^"]*"|[+-]?[0-9]+/[+-]?[0-9]+|[+-]?[0-9]+|[A-Za-z_][\w\'.-]*|<=|>=|==|!=|[{};:,*()]'
)
NUMBER = re.compile(r"[+-]?[0-9]+")
PAIR = re.compile(r"[+-]?[0-9]+/[+-]?[0-9]+")
KEY = re.compile(r"[A-Za-z_]\w{0,39}")
KINDS = {"minion": 1, "minions": 1, "hero": 2, "heroes": 2, "character": 3, "characters": 3}
EXCEPT = 0x8000  # in the place of a card: all but this one
LONGEST = 400  # characters of a line; more is no card
LONGEST_NAME = 60
MOST_TEXT = 1_000_000  # characters of a file; all classic cards have 60,000
MOST_LINES = 30  # of one card
# Numbers of cards; in play they stay within the bounds of native/numbers.hpp.
HIGHEST = 99  # costs, attack, health, what is given or repeated
MOST = 999  # damage, healing, cards and the like, and what they are compared with
MOST_PICKED = 16  # all characters there can be
MOST_ROWS = 32_767  # cards, groups, values and instructions of a card set
HELD = ("minion", "spell", "weapon")  # what a hand or a deck holds


class BadCard(LudexError):
    """A card file says something that cannot be understood."""


@dataclass
class Line:
    """One line of a file, as words."""

    file: str
    number: int
    tokens: list[str]
    indented: bool

    def fail(self, reason: str) -> BadCard:
        return BadCard(f"{self.file}:{self.number}: {reason}")


def read_lines(text: str, file: str) -> list[Line]:
    """Split a text into lines of words; comments start with #."""
    lines = []
    for number, raw in enumerate(text.splitlines(), 1):
        body = strip_comment(raw)
        if not body.strip():
            continue
        here = Line(file, number, [], body[0] in " \t")
        if len(body) > LONGEST:
            raise here.fail(f"the line has {len(body)} characters, more than {LONGEST}")
        at = 0
        while at < len(body):
            if body[at] in " \t":
                at += 1
                continue
            found = TOKEN.match(body, at)
            if found is None:
                raise here.fail(f"cannot read {body[at : at + 12]!r}")
            here.tokens.append(found.group())
            at = found.end()
        lines.append(here)
    return lines


def strip_comment(raw: str) -> str:
    inside = False
    for place, letter in enumerate(raw):
        if letter == '"':
            inside = not inside
        if letter == "#" and not inside:
            return raw[:place]
    return raw


class Cursor:
    """Walks over the words of a line."""

    def __init__(self, line: Line, at: int = 0) -> None:
        self.line = line
        self.tokens = line.tokens
        self.at = at

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        word = self.next
        self.at += 1
        return word

    def skip(self, *phrase: str) -> bool:
        """Step over these words if they come next."""
        if tuple(self.tokens[self.at : self.at + len(phrase)]) == phrase:
            self.at += len(phrase)
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.skip(word):
            raise self.line.fail(f"expected {word!r}, found {shown(self.next)}")

    def number(self, least: int = -MOST, most: int = MOST) -> int:
        """A whole number within these bounds."""
        word = self.next
        if not NUMBER.fullmatch(word):
            raise self.line.fail(f"expected a number, found {shown(word)}")
        self.at += 1
        return self.within(word, least, most)

    def pair(self, what: str, least: int = -HIGHEST) -> tuple[int, int]:
        """Two numbers such as +1/+1."""
        word = self.next
        if not PAIR.fullmatch(word):
            raise self.fail(f"expected {what}, as in +1/+1, found {shown(word)}")
        self.at += 1
        first, second = word.split("/")
        return self.within(first, least, HIGHEST), self.within(second, least, HIGHEST)

    def within(self, word: str, least: int, most: int) -> int:
        value = int(word)
        if not least <= value <= most:
            raise self.line.fail(f"{word} is not between {least} and {most}")
        return value

    def name(self, of: str) -> str:
        """A name in quotes."""
        word = self.take()
        if not word.startswith('"'):
            raise self.fail(f"expected the name of the {of} in quotes, found {shown(word)}")
        name = word.strip('"')
        if not name.strip() or name != name.strip() or not name.isprintable():
            raise self.fail(
                f"{name!r} is no name: a name has letters that can be printed, and no blanks at "
                "its ends"
            )
        if len(name) > LONGEST_NAME:
            raise self.fail(f"a name of {len(name)} characters has more than {LONGEST_NAME}")
        return name

    def fail(self, reason: str) -> BadCard:
        return self.line.fail(reason)


def shown(word: str) -> str:
    return repr(word) if word else "the end of the line"


class Reader:
    """Compiles card files into tables; several files may follow each other."""

    def __init__(self) -> None:
        self.tables = Tables()
        self.blocks: dict[int, tuple[Card, list[Line]]] = {}
        """what each card does, by its number"""
        self.pool_lines: list[Line] = []

    # First pass: what cards there are

    def add(self, text: str, file: str, profile: str = "") -> None:
        """Take in one file; `finish` compiles all of them."""
        if len(text) > MOST_TEXT:
            raise BadCard(f"{file} has {len(text)} characters; at most {MOST_TEXT} can be cards")
        card: Card | None = None
        body: list[Line] = []
        for line in read_lines(text, file):
            if not line.indented:
                if line.tokens[0] == "pool":
                    self.pool_lines.append(line)
                    card = None
                    continue
                card = self.read_headline(line)
                card.profile = profile
                body = []
                number = self.tables.number(card.key)
                self.blocks.pop(number, None)  # the rules of a card that was changed are forgotten
                self.blocks[number] = (card, body)
            elif card is None:
                raise line.fail("an indented line must follow the headline of a card")
            elif len(body) == MOST_LINES:
                raise line.fail(f"{card.key} has more than {MOST_LINES} lines")
            else:
                body.append(line)

    def read_headline(self, line: Line) -> Card:
        cursor = Cursor(line)
        changed = cursor.skip("changed")
        kind = cursor.take()
        if kind not in words.TYPES[1:]:
            hint = did_you_mean(kind, words.TYPES[1:])
            raise line.fail(f"a card begins with its type, not {kind!r}{hint}")
        key = self.new_key(cursor)
        number = self.tables.number(key)
        if changed and not number:
            hint = did_you_mean(key, list(self.tables.numbers))
            raise line.fail(f"there is no card {key} that could be changed{hint}")
        if number and not changed:
            other = self.tables.card(number)
            where = f"{other.file}:{other.line}"
            raise line.fail(
                f"there is a card {key} already, at {where}; write 'changed' to replace it"
            )
        card = Card(key, cursor.name("card"), words.TYPES.index(kind), line.number, line.file)
        if changed and card.type != self.tables.card(number).type:
            was = words.TYPES[self.tables.card(number).type]
            raise line.fail(f"{key} is a {was}, and a changed card keeps its type")
        said: set[str] = set()
        while cursor.next:
            fact = self.read_fact(card, cursor)
            if fact in said:
                raise line.fail(f"{key} has its {fact} twice")
            said |= {fact} if fact else set()
        self.check_headline(card, kind, said, line)
        if kind in ("enchantment", "power", "hero"):
            card.collectible = False
        if changed:
            self.tables.cards[number - 1] = card
            return card
        self.tables.cards.append(card)
        self.tables.numbers[key] = len(self.tables.cards)
        return card

    def new_key(self, cursor: Cursor) -> str:
        key = cursor.take()
        if not KEY.fullmatch(key):
            raise cursor.fail(f"expected the key of the card, as in CS2_029, found {shown(key)}")
        if key in words.RESERVED:
            raise cursor.fail(f"{key!r} is a word of the language, and no key of a card")
        return key

    def check_headline(self, card: Card, kind: str, said: set[str], line: Line) -> None:
        """Refuse facts that do not go together."""
        fights = kind in ("minion", "weapon", "hero")
        if fights and "attack and health" not in said:
            raise line.fail(f'a {kind} needs attack and health, as in "2/3"')
        if fights and card.health == 0:
            raise line.fail(f"a {kind} needs health from 1 to {HIGHEST}, not 0")
        if "attack and health" in said and kind in ("spell", "power"):
            raise line.fail(f"a {kind} has no attack and health")
        if card.races and kind not in ("minion", "hero"):
            raise line.fail(f"a {kind} is of no race")
        for word, bit in words.KEYWORDS.items():
            if card.keywords & bit and (kind == "spell") != (word in words.SPELL_KEYWORDS):
                raise line.fail(f"{word!r} is not for a {kind}")

    def read_fact(self, card: Card, cursor: Cursor) -> str:
        """Take one fact in; returns the name of what a card has once, or nothing."""
        word = cursor.take()
        following = cursor.next
        if PAIR.fullmatch(word):
            cursor.at -= 1
            card.attack, card.health = cursor.pair("attack and health", 0)
            return "attack and health"
        if NUMBER.fullmatch(word) and following == "mana":
            cursor.take()
            card.cost = cursor.within(word, 0, HIGHEST)
            return "cost"
        if word in words.CLASSES:
            card.hero_class = words.CLASSES.index(word)
            return "class"
        if word in words.RARITIES:
            card.rarity = words.RARITIES.index(word)
            return "rarity"
        if word in words.RACE_BITS:
            card.races |= words.RACE_BITS[word]
        elif word in words.KEYWORDS:
            card.keywords |= words.KEYWORDS[word]
        elif word == "overload":
            card.overload = cursor.number(0, HIGHEST)
            return "overload"
        elif word == "spell-damage":
            card.spell_damage = cursor.number(0, HIGHEST)
            return "spell damage"
        elif word == "token":
            card.collectible = False
        else:
            known = [*words.CLASSES, *words.RARITIES, *words.RACES, *words.KEYWORDS]
            known += ["token", "overload", "spell-damage"]
            raise cursor.fail(f"unknown word {shown(word)}{did_you_mean(word, known)}")
        return ""

    # Second pass: what they do

    def finish(self) -> Tables:
        """Compile everything that was added."""
        for line in self.pool_lines:
            self.read_pool(line)
        self.tables.program.append((words.OP["end"], 0, 0, 0, 0, 0))
        for card, body in self.blocks.values():
            for line in body:
                self.read_rule(card, line)
            self.check_rules(card)
        self.check_size()
        return self.tables

    def check_size(self) -> None:
        """Refuse more than the numbers of the native tables can count."""
        tables = self.tables
        sizes = {
            "cards": len(tables.cards),
            "pools": len(tables.pools),
            "groups of characters": len(tables.groups),
            "values": len(tables.values),
            "statements": len(tables.program),
            "gifts": len(tables.grants),
            "triggers": sum(len(card.triggers) for card in tables.cards),
            "auras": sum(len(card.auras) for card in tables.cards),
            "needs": sum(len(card.needs) for card in tables.cards),
        }
        for what, size in sizes.items():
            if size > MOST_ROWS:
                raise BadCard(f"these files have {size} {what}; a card set has at most {MOST_ROWS}")

    def read_pool(self, line: Line) -> None:
        cursor = Cursor(line, 1)
        name = cursor.take()
        if not KEY.fullmatch(name):
            raise line.fail(f"expected the name of the pool, as in totems, found {shown(name)}")
        if name in self.tables.pool_names:
            raise line.fail(f"there is a pool {name!r} already")
        cursor.expect(":")
        pool: list[int] = []
        if cursor.skip("collectible"):
            pool = self.filtered(cursor)
        while cursor.next:
            number = self.card_key(cursor, f"the pool {name!r} names")
            if number in pool:
                raise line.fail(f"the pool {name!r} names {self.tables.card(number).key} twice")
            pool.append(number)
        if not pool:
            raise line.fail(f"the pool {name!r} holds no card")
        self.tables.pool_names[name] = len(self.tables.pools)
        self.tables.pools.append(pool)

    def filtered(self, cursor: Cursor) -> list[int]:
        """Cards by class, type, race and cost: `collectible mage priest spells cost 1`."""
        found = [n for n, c in enumerate(self.tables.cards, 1) if c.collectible]
        cards = self.tables.cards
        classes: set[int] = set()
        while cursor.next:
            said = cursor.take()
            word = said.removesuffix("s")
            if word in words.CLASSES:
                classes.add(words.CLASSES.index(word))
            elif said == "class":
                classes |= set(range(1, len(words.CLASSES)))
            elif word in words.TYPES:
                which = words.TYPES.index(word)
                found = [n for n in found if cards[n - 1].type == which]
            elif word in words.RACE_BITS:
                bit = words.RACE_BITS[word]
                found = [n for n in found if cards[n - 1].races & bit]
            elif word == "cost":
                cost = cursor.number(0, HIGHEST)
                found = [n for n in found if cards[n - 1].cost == cost]
            else:
                raise cursor.fail(f"a pool cannot be chosen by {said!r}")
        return [n for n in found if not classes or cards[n - 1].hero_class in classes]

    def card_key(self, cursor: Cursor, does: str, kinds: Collection[str] = ()) -> int:
        """The card that a text names; `does` says who does what with it, in errors."""
        key = cursor.take()
        number = self.tables.number(key)
        if not number:
            hint = did_you_mean(key, list(self.tables.numbers))
            raise cursor.fail(f"{does} {shown(key)}, but there is no card {key!r}{hint}")
        self.check_kind(cursor, number, does, kinds)
        return number

    def check_kind(self, cursor: Cursor, number: int, does: str, kinds: Collection[str]) -> None:
        card = self.tables.card(number)
        kind = words.TYPES[card.type]
        if kinds and kind not in kinds:
            wanted = " or ".join(map(with_article, kinds))
            raise cursor.fail(f"{does} {card.key}, which is {with_article(kind)}, not {wanted}")

    def special_card(self, cursor: Cursor, key: str, does: str, kinds: Collection[str]) -> None:
        """Refuse what needs a card of another profile."""
        number = self.tables.number(key)
        if not number:
            raise cursor.fail(f"{does} {key!r}, but there is no such card in this profile")
        self.check_kind(cursor, number, does, kinds)

    def check_rules(self, card: Card) -> None:
        """Refuse rules that do not go together."""
        kind = words.TYPES[card.type]
        secret = card.keywords & words.KEYWORDS["secret"]
        problem = ""
        if secret and (card.program >= 0 or not card.triggers):
            problem = "a secret has a 'when' or 'after' that reveals it, and no 'cast'"
        elif kind == "spell" and card.triggers and not secret:
            problem = "a spell has no 'when' or 'after' unless it is a secret"
        elif kind == "spell" and card.options and card.program >= 0:
            problem = "a spell has a 'cast' or two choices, not both"
        elif len(card.options) == 1:
            problem = "a card offers two choices, not one"
        if problem:
            raise BadCard(f"{card.file}:{card.line}: {card.key} cannot be: {problem}")

    MINIONS_ONLY = ("discarded", "joins", "enrage")

    def read_rule(self, card: Card, line: Line) -> None:
        cursor = Cursor(line)
        label = cursor.take()
        kind = words.TYPES[card.type]
        if label in self.MINIONS_ONLY and kind != "minion":
            raise cursor.fail(f"{label!r} is for a minion, but this is a {kind}")
        if label in ("battlecry", "cast", "use"):
            self.read_text(card, cursor, label)
        elif label == "deathrattle":
            if words.TYPES[card.type] == "spell":
                raise cursor.fail("a spell does not die; write 'cast'")
            if card.deathrattle >= 0:
                raise cursor.fail(f"{card.key} has a 'deathrattle' already")
            cursor.expect(":")
            card.deathrattle = self.read_program(cursor, card)
        elif label == "choose":
            self.read_option(card, cursor)
        elif label == "enrage":
            cursor.expect(":")
            while cursor.next:
                if NUMBER.fullmatch(cursor.next):
                    card.enrage_attack = cursor.number(-HIGHEST, HIGHEST)
                    cursor.expect("attack")
                else:
                    card.enrage_keywords |= self.gift(cursor)
        elif label == "aura":
            self.read_aura(card, cursor)
        elif label in ("when", "after"):
            card.triggers.append(self.read_trigger(card, cursor, label))
        elif label == "cheaper":
            cursor.expect("by")
            card.cheaper = self.read_value(cursor, card)
        elif label == "needs":
            card.needs.append(self.read_condition(cursor, card))
        elif label == "power":
            if kind != "hero":
                raise cursor.fail(f"'power' is for a hero, but this is a {kind}")
            number = self.card_key(cursor, f"{card.key} has the power", ("power",))
            card.power = self.tables.card(number).key
        elif label == "discarded":
            card.leaps = 1
        elif label == "joins":
            race = cursor.take()
            if not card.races & words.RACE_BITS.get(words.PLURALS.get(race, race), 0):
                raise cursor.fail(f"a card joins cards of its own race, not {shown(race)}")
            card.leaps = 2
        else:
            raise cursor.fail(f"unknown rule {label!r}{did_you_mean(label, words.RULES)}")
        if cursor.next:
            raise cursor.fail(f"cannot read {shown(cursor.next)} here")

    def read_text(self, card: Card, cursor: Cursor, label: str) -> None:
        expected = {"battlecry": (1, 3), "cast": (2,), "use": (5,)}[label]
        if card.type not in expected:
            kinds = " or ".join(words.TYPES[kind] for kind in expected)
            raise cursor.fail(f"{label!r} is for a {kinds}, but this is a {words.TYPES[card.type]}")
        if card.program >= 0:
            raise cursor.fail(f"{card.key} has a {label!r} already")
        self.read_aim(card, cursor, optional=label == "battlecry")
        cursor.expect(":")
        card.program = self.read_program(cursor, card)

    def read_aim(self, card: Card, cursor: Cursor, optional: bool) -> None:
        if cursor.skip("on"):
            card.aim = 2 if optional else 1
            card.target = self.read_group(cursor, card)
            if cursor.skip("if", "combo"):
                card.aim_combo = 1
            elif cursor.skip("if"):
                card.aim_when = self.read_condition(cursor, card)

    def read_option(self, card: Card, cursor: Cursor) -> None:
        if words.TYPES[card.type] not in HELD:
            raise cursor.fail(f"a {words.TYPES[card.type]} offers no choices")
        key = self.new_key(cursor)
        name = cursor.name("choice")
        if key in self.tables.numbers:
            raise cursor.fail(f"there is a card {key} already")
        option = Card(key, name, card.type, cursor.line.number, cursor.line.file)
        option.hero_class, option.cost, option.collectible = card.hero_class, card.cost, False
        option.attack, option.health = card.attack, card.health
        self.tables.cards.append(option)
        self.tables.numbers[key] = len(self.tables.cards)
        self.read_aim(option, cursor, optional=card.type != 2)
        while cursor.skip("needs"):
            option.needs.append(self.read_condition(cursor, option))
        cursor.expect(":")
        option.program = self.read_program(cursor, option)
        card.options.append(self.tables.numbers[key])
        if len(card.options) > 2:
            raise cursor.fail("a card offers two choices")

    def keyword(self, cursor: Cursor) -> int:
        word = cursor.take()
        if word not in words.KEYWORDS:
            hint = did_you_mean(word, list(words.KEYWORDS))
            raise cursor.fail(f"unknown keyword {shown(word)}{hint}")
        return words.KEYWORDS[word]

    def gift(self, cursor: Cursor) -> int:
        """A keyword that minions can be given, and lose."""
        word = cursor.next
        keyword = self.keyword(cursor)
        if not keyword & words.GRANTABLE:
            raise cursor.fail(f"{word!r} is a card's own: it can be neither given nor taken")
        return keyword

    def read_aura(self, card: Card, cursor: Cursor) -> None:
        kind, group, attack, health, keywords = 0, -1, 0, 0, 0
        types, sides, least, first = 0, 1, 0, 0
        if cursor.skip("cost"):
            kind = 1
            sides = words.SIDES[self.one_of(cursor, words.SIDES)]
            if cursor.skip("first"):
                first = 1
            types = words.CARD_TYPES[self.one_of(cursor, words.CARD_TYPES)] or 7
            attack = cursor.number(-HIGHEST, HIGHEST)
            if cursor.skip("least"):
                least = cursor.number(0, HIGHEST)
        elif cursor.skip("weapon"):
            kind, attack = 2, cursor.number(-HIGHEST, HIGHEST)
        else:
            group = self.read_group(cursor, card)
            cursor.expect(":")
            while cursor.next and cursor.next not in ("while", "each"):
                if PAIR.fullmatch(cursor.next):
                    attack, health = cursor.pair("attack and health")
                else:
                    keywords |= self.gift(cursor)
        condition: Row = (-1, 0, 0)
        if cursor.skip("while"):
            condition = self.read_condition(cursor, card)
        elif cursor.skip("each"):
            row = (words.AMOUNT["count"], self.read_group(cursor, card), 0, 1, 0)
            condition, first = (self.tables.intern(self.tables.values, row), 0, 0), 1
        card.auras.append(
            (kind, group, attack, health, keywords, *condition, types, sides, least, first)
        )

    def one_of(self, cursor: Cursor, known: Iterable[str]) -> str:
        word = cursor.take()
        word = word if word in known else word.removesuffix("s")
        if word not in known:
            listed = ", ".join(known)
            raise cursor.fail(f"expected one of {listed}, found {shown(word)}")
        return word

    # Triggers

    def read_trigger(self, card: Card, cursor: Cursor, label: str) -> Row:
        sides, types, others, subject, obj, races = 3, 0, 0, -1, -1, 0
        start = cursor.at
        tokens = cursor.tokens

        def at_word(*names: str) -> bool:
            return cursor.next in names

        if at_word("own", "enemy", "any") and tokens[cursor.at + 1 : cursor.at + 2] in (
            ["turn"],
            ["secret"],
            ["spell"],
            ["card"],
            ["overload"],
            ["weapon"],
            ["power"],
            ["armour"],
            ["discard"],
            ["draw"],
        ):
            sides = words.SIDES[cursor.take()]
            what = cursor.take()
            verb = cursor.take()
            if what == "turn":
                event = {"starts": "turn_start", "ends": "turn_end"}.get(verb, "")
            elif what == "overload":
                event, cursor.at = "overloaded", cursor.at - 1
            elif what == "armour":
                event, cursor.at = "armoured", cursor.at - 1
            elif what == "draw":
                event, cursor.at = "drawn", cursor.at - 1
            elif what == "power":
                event = "power_used"
            elif verb == "revealed":
                event = "revealed"
            elif verb == "aimed":
                event = "targeted"
                cursor.expect("at")
                subject = self.read_group(cursor, card)
                types = 2
            elif verb == "with":
                types = words.CARD_TYPES["overload"]
                cursor.expect("overload")
                cursor.expect("played")
                event = "play"
            else:
                event = {"played": "play", "discarded": "discarded"}.get(verb, "")
                types = words.CARD_TYPES.get(what, 0)
            if event == "play" and label == "after":
                event = "after_play"
            if event == "play":
                others = 1
        else:
            group = self.read_group(cursor, card)
            verb = cursor.take()
            subject = group
            event = {
                "summoned": "summon",
                "damaged": "damaged",
                "hurt": "damaged",
                "healed": "healed",
                "dies": "dies",
                "attacks": "attack",
                "played": "play",
                "doomed": "fatal",
            }.get(verb, "")
            if label == "after":
                event = {
                    "summon": "after_summon",
                    "attack": "after_attack",
                    "play": "after_play",
                }.get(event, event)
            if verb in ("attacks",) and cursor.next not in (":", "if"):
                obj = self.read_group(cursor, card)
            if verb in ("damaged", "hurt") and cursor.skip("by"):
                obj = self.read_group(cursor, card)
        if not event:
            said = " ".join(tokens[start : cursor.at])
            raise cursor.fail(f"no event is called {said!r}")
        condition: Row = (-1, 0, 0)
        if cursor.skip("if"):
            condition = self.read_condition(cursor, card)
        cursor.expect(":")
        program = self.read_program(cursor, card)
        return (
            words.EVENT[event], sides, types, others, subject, obj, *condition, program, races,
        )  # fmt: skip

    # Groups, values, conditions

    def read_group(self, cursor: Cursor, card: Card) -> int:
        base, sides, kinds, pick, filters, races, how, attack, only = 0, 3, 0, 0, 0, 0, 0, 0, 0
        start = cursor.at
        if cursor.next in ("target", "self", "subject", "object", "held"):
            base = words.BASES.index(cursor.take())
            kinds = 3
            if cursor.skip("if"):
                cursor.at -= 1
        else:
            while True:
                word = cursor.next
                if word in words.SIDES:
                    sides = words.SIDES[cursor.take()]
                elif word == "all":
                    cursor.take()
                elif word == "random":
                    cursor.take()
                    pick = 1
                    if NUMBER.fullmatch(cursor.next):
                        pick = cursor.number(1, MOST_PICKED)
                elif word in words.FILTERS:
                    filters |= words.FILTERS[cursor.take()]
                elif word in words.RACE_BITS or word in words.PLURALS:
                    races |= words.RACE_BITS[words.PLURALS.get(word, word)]
                    kinds |= 1
                    cursor.take()
                elif word in KINDS:
                    kinds = KINDS[cursor.take()]
                    break
                elif word in self.tables.numbers:
                    only, kinds = self.card_key(cursor, f"{card.key} means"), 1
                    break
                else:
                    break
        if not kinds:
            said = " ".join(cursor.tokens[start : cursor.at + 1])
            raise cursor.fail(f"expected characters, as in 'random enemy minion', found {said!r}")
        while True:
            if cursor.skip("with", "attack"):
                how = words.COMPARISONS[self.one_of(cursor, words.COMPARISONS)]
                attack = cursor.number(0, MOST)
            elif cursor.skip("beside", "target"):
                filters |= words.FILTERS["beside target"]
            elif cursor.skip("beside", "self"):
                filters |= words.FILTERS["beside self"]
            elif cursor.skip("not", "target"):
                filters |= words.FILTERS["not target"]
            elif cursor.skip("not", "subject"):
                filters |= words.FILTERS["not subject"]
            elif cursor.skip("not", "object"):
                filters |= words.FILTERS["not object"]
            elif cursor.skip("not", "held"):
                filters |= words.FILTERS["not held"]
            elif cursor.skip("except"):
                only = self.card_key(cursor, f"{card.key} leaves out") | EXCEPT
            else:
                break
        row = (base, sides, kinds, pick, filters, races, how, attack, only)
        return self.tables.intern(self.tables.groups, row)

    SIMPLE_VALUES = {
        ("own", "hand"): ("hand", 0),
        ("enemy", "hand"): ("hand", 1),
        ("own", "secrets"): ("secrets", 0),
        ("enemy", "secrets"): ("secrets", 1),
        ("own", "deck"): ("deck", 0),
        ("enemy", "deck"): ("deck", 1),
        ("own", "room"): ("room", 0),
        ("enemy", "room"): ("room", 1),
        ("own", "weapon"): ("armed", 0),
        ("enemy", "weapon"): ("armed", 1),
        ("own", "wounds"): ("missing", 0),
        ("enemy", "wounds"): ("missing", 1),
        ("own", "crystals"): ("crystals", 0),
        ("own", "mana"): ("mana", 0),
        ("enemy", "durability"): ("durability", 1),
    }
    PLAIN_VALUES = {
        "played": "played",
        "combo": "played",
        "armour": "armour",
        "weapon-attack": "weapon_attack",
        "durability": "durability",
        "event-amount": "event",
        "hero-attack": "hero_attack",
        "last-cost": "last_cost",
        "spell-damage": "spell_damage",
        "unique-deck": "unique_deck",
        "own-turn": "my_turn",
        "golems": "golems",
        "totems-summoned": "totems",
        "result": "result",
        "same-card": "same_card",
    }
    OF_SOMEONE = {
        "attack": "attack_of",
        "health": "health_of",
        "max-health": "max_health_of",
        "dead": "is_dead",
        "own": "is_own",
        "frozen": "is_frozen",
        "damaged": "is_damaged",
        "present": "is_present",
    }

    def read_value(self, cursor: Cursor, card: Card, least: int = -MOST) -> int:
        """A number from `least` on, or something to count."""
        kind, a, c, times, plus = "number", 0, 0, 1, 0
        word = cursor.next
        pair = (word, cursor.tokens[cursor.at + 1] if cursor.at + 1 < len(cursor.tokens) else "")
        if NUMBER.fullmatch(word):
            a = cursor.number(least)
            if cursor.skip("to"):
                kind, c = "random", cursor.number(least)
                if c < a:
                    raise cursor.fail(f"a random number from {a} to {c} is empty")
        elif pair in self.SIMPLE_VALUES:
            cursor.at += 2
            kind, a = self.SIMPLE_VALUES[pair]
        elif word == "enemy" and pair[1] == "weapon-attack":
            cursor.at += 2
            kind, a = "weapon_attack", 1
        elif word in self.PLAIN_VALUES:
            cursor.take()
            kind = self.PLAIN_VALUES[word]
        elif word == "missiles":
            cursor.take()
            kind, a = "missiles", cursor.number(0, HIGHEST)
        elif word == "holding":
            cursor.take()
            kind, a = "holding", self.race(cursor)
        elif word in ("attack", "health", "max-health") and pair[1] == "of":
            cursor.at += 2
            kind, a = self.OF_SOMEONE[word], self.read_reference(cursor)
        elif word == "count":
            cursor.take()
            kind, a = "count", self.read_group(cursor, card)
        elif word == "lacking":
            cursor.take()
            kind, a = "lacking", self.read_pool_name(cursor, f"{card.key} lacks")
        elif word == "enough":
            cursor.take()
            c = cursor.number(0, HIGHEST)
            kind, a = "at_least", self.read_group(cursor, card)
        elif word in ("target", "self", "subject", "object", "held"):
            a = self.read_reference(cursor)
            cursor.expect("is")
            word = cursor.take()
            if word in words.RACE_BITS:
                kind, c = "is_race", words.RACE_BITS[word]
            elif word in self.OF_SOMEONE:
                kind = self.OF_SOMEONE[word]
            else:
                raise cursor.fail(f"nothing can be {shown(word)}")
        elif word == "hero-health":
            cursor.take()
            kind, a = "hero_health", 0
        else:
            raise cursor.fail(f"expected a number or what to count, found {shown(word)}")
        if cursor.skip("*"):
            times = cursor.number(-HIGHEST, HIGHEST)
        if re.fullmatch(r"[+-][0-9]+", cursor.next) and kind != "number":
            plus = cursor.number()
        return self.tables.intern(self.tables.values, (words.AMOUNT[kind], a, c, times, plus))

    def race(self, cursor: Cursor) -> int:
        word = cursor.take()
        race = words.PLURALS.get(word, word)
        if race not in words.RACE_BITS:
            hint = did_you_mean(word, words.RACES)
            raise cursor.fail(f"there is no race {shown(word)}{hint}")
        return words.RACE_BITS[race]

    def read_pool_name(self, cursor: Cursor, does: str, kinds: Collection[str] = ()) -> int:
        """A pool all of whose cards are of these kinds."""
        name = cursor.take()
        names = self.tables.pool_names
        if name not in names:
            hint = did_you_mean(name, list(names))
            raise cursor.fail(f"{does} one of {shown(name)}, but there is no pool {name!r}{hint}")
        for number in self.tables.pools[names[name]]:
            self.check_kind(cursor, number, f"{does} one of {name}, which holds", kinds)
        return names[name]

    def read_reference(self, cursor: Cursor) -> int:
        for phrase, number in words.REFERENCES.items():
            if cursor.skip(*phrase.split()):
                return number
        raise cursor.fail(
            f"expected self, target, subject, object or a hero, found {shown(cursor.next)}"
        )

    def read_condition(self, cursor: Cursor, card: Card) -> Row:
        """Read a value and how it compares; alone it means "at least one", after `no` "none"."""
        if cursor.skip("no"):
            return (self.read_value(cursor, card), words.COMPARISONS["<="], 0)
        if cursor.skip("any"):
            group = self.read_group(cursor, card)
            row = (words.AMOUNT["count"], group, 0, 1, 0)
            return (self.tables.intern(self.tables.values, row), words.COMPARISONS[">="], 1)
        value = self.read_value(cursor, card)
        if cursor.next in words.COMPARISONS:
            how = words.COMPARISONS[cursor.take()]
            return (value, how, cursor.number())
        return (value, words.COMPARISONS[">="], 1)

    # Programs

    def read_program(self, cursor: Cursor, card: Card) -> int:
        from ludex.worlds.hearthstone.language.statements import Statements

        code = Statements(self, card).read_block(cursor)
        if not code and cursor.next:
            raise cursor.fail(f"cannot read {shown(cursor.next)} here")
        start = len(self.tables.program)
        # Jumps were counted from the start of the block.
        jumps = (words.OP["when"], words.OP["jump"], words.OP["loop"])
        for op, x, a, b, c, d in code:
            self.tables.program.append((op, x, a, b, c + start if op in jumps else c, d))
        self.tables.program.append((words.OP["end"], 0, 0, 0, 0, 0))
        return start


def read_texts(texts: Iterable[tuple[str, str, str]]) -> Tables:
    """Read card files in order: text, file name and profile; later ones may use earlier cards."""
    reader = Reader()
    for text, file, profile in texts:
        reader.add(text, file, profile)
    return reader.finish()
