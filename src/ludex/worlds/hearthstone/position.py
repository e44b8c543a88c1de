"""Positions in words: a state as one line with the names of cards, and back.

`hearthstone turn=5 p0 hero=Jaina-Proudmoore mana=3/3 hand=Fireball,Wisp ... p1 ...`

`str(state)` is the short form with card numbers, which keys, hashes and records use; both forms
hold the same facts. Facts that a card prints, or that follow from others, are left out here.
`docs/worlds/hearthstone.md` is the reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ludex.core.errors import InvalidState, did_you_mean
from ludex.worlds.hearthstone.deck_file import by_name
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Card, Tables

PHASES = ("play", "mulligan", "choice", "over")
CHOICES = ("none", "track", "discover", "power", "potion")
HERO_FLAGS = (
    *("frozen", "immune", "dying", "minions-survive", "spells-free", "spells-free-next"),
    "next-secret-free",
)
MINION_FLAGS = ("silenced", "frozen", "sick", "doomed", "aura", "unborn")
HAND_FLAGS = ("known", "foreign")
SETS = ("set-attack", "set-health")
UNTIL = ("forever", "this-turn", "own-turn", "returned")
AURA_FLAG = 1 << MINION_FLAGS.index("aura")
SILENCED = 1
UNKNOWN = "?"
USUAL_HEALTH = 30
CARDS = ("hero", "power", "weapon", "returning", "source_card")
LISTS = ("hand", "deck", "secrets", "board")
ITEM = re.compile(r"([^(),\s]+)(?:\(([^()]*)\))?")
PAIR = re.compile(r"([+-]?\d+)/([+-]?\d+)")
NUMBER = re.compile(r"[+-]?\d+")


@dataclass
class Item:
    """A card in a list of a state, with its numbers as the native text has them."""

    card: int
    numbers: dict[str, int] = field(default_factory=dict)
    enchants: list[tuple[int, ...]] = field(default_factory=list)


@dataclass
class Side:
    """One player of a state."""

    numbers: dict[str, int] = field(default_factory=dict)
    hand: list[Item] = field(default_factory=list)
    deck: list[int] = field(default_factory=list)
    """the next to be drawn last, as in the native text"""
    secrets: list[Item] = field(default_factory=list)
    board: list[Item] = field(default_factory=list)
    """each with its number `slot`"""


@dataclass
class Position:
    """The facts of a state, by the names of the native text."""

    numbers: dict[str, int] = field(default_factory=dict)
    offered: list[int] = field(default_factory=list)
    sides: list[Side] = field(default_factory=lambda: [Side(), Side()])


# The native text


def from_native(text: str) -> Position:
    """Take `str(state)` apart."""
    made, slots = Position(), dict[int, Item]()
    numbers, side, item = made.numbers, made.sides[0], Item(0)
    boards: list[list[int]] = [[], []]
    for word in text.split(" ")[1:]:
        name, equals, value = word.partition("=")
        if word in ("p0", "p1"):
            side = made.sides[int(word[1])]
            numbers = side.numbers
        elif not equals:
            item = slots[int(word[1:])] = Item(0, {"slot": int(word[1:])})
            numbers = item.numbers
        elif name == "offered":
            made.offered = [int(one) for one in value.split(",")]
        elif name == "enchant":
            item.enchants = [tuple(map(int, one.split(":"))) for one in value.split(",")]
        elif name == "hand":
            for one in value.split(","):
                card, *rest = map(int, one.split(":"))
                facts = zip(("cost", "flags", "attack", "health"), rest, strict=False)
                side.hand.append(Item(card, dict(facts)))
        elif name == "deck":
            side.deck = [int(one) for one in value.split(",")]
        elif name == "secrets":
            pairs = [one.split(":") for one in value.split(",")]
            side.secrets = [Item(int(card), {"order": int(order)}) for card, order in pairs]
        elif name == "board":
            boards[made.sides.index(side)] = [int(one) for one in value.split(",")]
        else:
            numbers[name] = int(value)
    for side, listed in zip(made.sides, boards, strict=True):
        for slot in listed:
            slots[slot].card = slots[slot].numbers.pop("card")
            slots[slot].numbers.pop("side", None)
            side.board.append(slots[slot])
    return made


def to_native(position: Position) -> str:
    """Put the native text together; the native reader takes numbers in any order."""
    text = ["hearthstone", *numbered(position.numbers)]
    if position.offered:
        text.append("offered=" + ",".join(map(str, position.offered)))
    minions: list[tuple[int, list[str]]] = []
    for seat, side in enumerate(position.sides):
        text += [f"p{seat}", *numbered(side.numbers)]
        if side.hand:
            text.append("hand=" + ",".join(hand_text(one) for one in side.hand))
        if side.deck:
            text.append("deck=" + ",".join(map(str, side.deck)))
        if side.secrets:
            secrets = (f"{one.card}:{one.numbers['order']}" for one in side.secrets)
            text.append("secrets=" + ",".join(secrets))
        if side.board:
            text.append("board=" + ",".join(str(one.numbers["slot"]) for one in side.board))
        for one in side.board:
            facts = {"card": one.card, "side": seat} | one.numbers
            slot = facts.pop("slot")
            row = [f"m{slot}", *numbered(facts)]
            if one.enchants:
                gifts = (":".join(map(str, enchant)) for enchant in one.enchants)
                row.append("enchant=" + ",".join(gifts))
            minions.append((slot, row))
    return " ".join([*text, *(word for _, row in sorted(minions) for word in row)])


def numbered(numbers: Mapping[str, int]) -> Iterator[str]:
    return (f"{name}={value}" for name, value in numbers.items())


def hand_text(item: Item) -> str:
    facts = [item.numbers.get(name, 0) for name in ("cost", "flags", "attack", "health")]
    return ":".join(map(str, [item.card, *facts])) if any(facts) else str(item.card)


# Names


def slug(name: str) -> str:
    """A name as one word.

    >>> slug("Shadow Word: Pain"), slug("Sen'jin Shieldmasta"), slug("Upgrade!")
    ('Shadow-Word-Pain', 'Senjin-Shieldmasta', 'Upgrade')
    """
    return re.sub(r"[\W_]+", "-", name.replace("'", "")).strip("-")


class CardNames:
    """Words for the cards of a profile: a name where it means one card, else the key."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.numbers: dict[str, int] = {}
        for name, number in by_name(tables).items():
            word = slug(name).lower()
            if word and not word.isdecimal() and word not in self.keys:
                self.numbers.setdefault(word, number)
        self.words = {number: slug(tables.card(number).name) for number in self.numbers.values()}

    @property
    def keys(self) -> Iterable[str]:
        return self.tables.numbers.keys()

    def word(self, number: int) -> str:
        if not number:
            return UNKNOWN
        return self.words.get(number) or self.tables.card(number).key

    def number(self, word: str) -> int:
        if word == UNKNOWN:
            return 0
        found = self.tables.number(word) or self.numbers.get(word.lower(), 0)
        if not found and word.isdecimal() and 0 < int(word[:9]) <= len(self.tables.cards):
            found = int(word)
        if not found:
            hint = did_you_mean(word, [*self.words.values()]) if len(word) < 80 else ""
            raise InvalidState(f"there is no card {word[:80]!r}{hint}")
        return found


@lru_cache(maxsize=32)
def names_of(tables: Tables) -> CardNames:
    return CardNames(tables)


def bits_text(bits: int, named: Mapping[str, int]) -> str:
    """Bits by their names, split by plus signs; "none" if there are none."""
    parts = [word for word, bit in named.items() if bits & bit]
    rest = bits & ~sum(named.values())
    return "+".join([*parts, *([str(rest)] if rest else [])]) or "none"


def bits_of(text: str, named: Mapping[str, int]) -> int:
    bits = 0
    for word in text.split("+"):
        if word in named:
            bits |= named[word]
        elif word.isdecimal():
            bits |= int(word)
        elif word != "none":
            raise InvalidState(f"unknown word {word!r}{did_you_mean(word, named)}")
    return bits


def flags_of(listed: Iterable[str]) -> dict[str, int]:
    return {word: 1 << index for index, word in enumerate(listed)}


HERO_BITS, MINION_BITS, HAND_BITS = map(flags_of, (HERO_FLAGS, MINION_FLAGS, HAND_FLAGS))


# What cards print


def events_of(card: Card) -> int:
    events = 0
    for trigger in card.triggers:
        events |= 1 << trigger[0]
    return events


def has_aura(card: Card) -> bool:
    return bool(card.auras or card.enrage_attack or card.enrage_keywords)


class Printed:
    """What follows of a minion from its card, its enchantments and what else is said of it."""

    def __init__(self, tables: Tables, item: Item) -> None:
        card, numbers = tables.card(item.card), item.numbers
        gains = [one for one in item.enchants if not one[2]]
        silenced = bool(numbers.get("flags", 0) & SILENCED)
        scripts = [tables.card(one[5]) for one in item.enchants if one[5]]
        self.base_attack, self.base_health = card.attack, card.health
        self.attack = card.attack + sum(one[0] for one in gains)
        self.max_health = card.health + sum(one[1] for one in gains)
        self.max_health += numbers.get("aura_health", 0)
        self.keywords = 0 if silenced else card.keywords
        self.spell_damage = 0 if silenced else card.spell_damage
        self.events = 0 if silenced else events_of(card)
        for script in scripts:
            self.events |= events_of(script)
            self.spell_damage += script.spell_damage
        for one in item.enchants:
            self.keywords |= one[4]
        self.has_aura = has_aura(card) and not silenced


# Writing


class Writer:
    """Writes a position with the names of cards."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.names = names_of(tables)

    def write(self, native: str) -> str:
        position = from_native(native)
        self.order = 0
        self.slots: set[int] = set()
        sides = [self.side(side) for side in position.sides]
        return " ".join(["hearthstone", *self.top(position), *self.joined(sides)])

    def joined(self, sides: list[list[str]]) -> Iterator[str]:
        for seat, side in enumerate(sides):
            yield f"p{seat}"
            yield from side

    def top(self, position: Position) -> Iterator[str]:
        numbers = dict(position.numbers)
        numbers.pop("choices", None)
        derived = {"order": self.order} | derived_numbers(self.tables, position)
        for name in ("order", "events", "auras"):
            value = numbers.pop(name, 0)
            if value != derived[name]:
                yield f"{name}={value}"
        for name, value in numbers.items():
            if name == "phase":
                yield f"phase={PHASES[value]}"
            elif name == "choice":
                yield f"choice={CHOICES[value]}"
            elif name in CARDS:
                yield f"{name}={self.names.word(value)}"
            else:
                yield f"{name}={value}"
        if position.offered:
            yield "offered=" + ",".join(map(self.names.word, position.offered))

    def side(self, side: Side) -> list[str]:
        numbers = dict(side.numbers)
        hero = numbers.pop("hero", 0)
        text = [f"hero={self.names.word(hero)}"]
        power = numbers.pop("power", 0)
        if power != usual_power(self.tables, hero):
            text.append(f"power={self.names.word(power)}")
        health = numbers.pop("health", USUAL_HEALTH)
        most = numbers.pop("max_health", USUAL_HEALTH)
        text.append(f"health={health}" + (f"/{most}" if most != USUAL_HEALTH else ""))
        text.append(f"mana={numbers.pop('mana', 0)}/{numbers.pop('crystals', 0)}")
        if weapon := numbers.pop("weapon", 0):
            text.append("weapon=" + self.weapon(weapon, numbers))
        if flags := numbers.pop("flags", 0):
            text.append(f"flags={bits_text(flags, HERO_BITS)}")
        if returning := numbers.pop("returning", 0):
            text.append(f"returning={self.names.word(returning)}")
        text += numbered(numbers)
        lists = {
            "hand": [self.held(one) for one in side.hand],
            "deck": [self.names.word(card) for card in reversed(side.deck)],
            "secrets": [self.secret(one) for one in side.secrets],
            "board": [self.minion(one) for one in side.board],
        }
        return text + [f"{name}={','.join(items)}" for name, items in lists.items() if items]

    def weapon(self, card: int, numbers: dict[str, int]) -> str:
        attack = numbers.pop("weapon_attack", 0)
        durability = numbers.pop("durability", 0)
        printed = self.tables.card(card)
        parts = []
        if (attack, durability) != (printed.attack, printed.health):
            parts.append(f"{attack}/{durability}")
        parts += self.ordered(numbers.pop("weapon_order", 0))
        return self.item(card, parts)

    def held(self, item: Item) -> str:
        numbers, parts = item.numbers, []
        if cost := numbers.get("cost", 0):
            parts.append(f"cost{cost:+}")
        if numbers.get("attack", 0) or numbers.get("health", 0):
            parts.append(f"{numbers['attack']:+}/{numbers['health']:+}")
        if flags := numbers.get("flags", 0):
            parts += bits_text(flags, HAND_BITS).split("+")
        return self.item(item.card, parts)

    def secret(self, item: Item) -> str:
        return self.item(item.card, self.ordered(item.numbers["order"]))

    def minion(self, item: Item) -> str:
        numbers = dict(item.numbers)
        printed = Printed(self.tables, item)
        parts: list[str] = []
        attack, health = numbers.pop("attack", 0), numbers.pop("health", 0)
        most = numbers.pop("max_health", 0)
        if (attack, health) != (printed.attack, printed.max_health):
            parts.append(f"{attack}/{health}")
        if most != max(printed.max_health, health):
            parts.append(f"max={most}")
        flags = numbers.pop("flags", 0)
        if bool(flags & AURA_FLAG) != printed.has_aura:
            parts.append("aura" if flags & AURA_FLAG else "no-aura")
        if flags & ~AURA_FLAG:
            parts += bits_text(flags & ~AURA_FLAG, MINION_BITS).split("+")
        keywords = numbers.pop("keywords", 0)
        if keywords != printed.keywords:
            parts.append(f"keywords={bits_text(keywords, words.KEYWORDS)}")
        if gift := numbers.pop("aura_keywords", 0):
            parts.append(f"aura_keywords={bits_text(gift, words.KEYWORDS)}")
        for name in ("base_attack", "base_health", "spell_damage", "events"):
            value = numbers.pop(name, 0)
            if value != getattr(printed, name):
                parts.append(f"{name}={value}")
        parts += [self.enchant(one) for one in item.enchants]
        parts += self.slotted(numbers.pop("slot")) + self.ordered(numbers.pop("order", 0))
        return self.item(item.card, [*parts, *numbered(numbers)])

    def enchant(self, facts: tuple[int, ...]) -> str:
        attack, health, sets, until, keywords, script, order = facts
        parts = [f"buff{attack:+}/{health:+}"]
        parts += [word for bit, word in enumerate(SETS) if sets >> bit & 1]
        if until & 0x7F:
            parts.append(UNTIL[until & 0x7F])
        if until & 0x80:
            parts.append("of-1")
        if keywords:
            parts.append(f"keywords={bits_text(keywords, words.KEYWORDS)}")
        if script:
            parts.append(f"text={self.names.word(script)}")
        if order:
            parts.append(f"order={order}")
        return ":".join(parts)

    def ordered(self, order: int) -> list[str]:
        usual = self.order + 1
        self.order = max(self.order, order)
        return [] if order == usual else [f"order={order}"]

    def slotted(self, slot: int) -> list[str]:
        usual = next_slot(self.slots)
        self.slots.add(slot)
        return [] if slot == usual else [f"slot={slot}"]

    def item(self, card: int, parts: list[str]) -> str:
        word = self.names.word(card)
        return f"{word}({','.join(parts)})" if parts else word


def next_slot(slots: set[int]) -> int:
    """The lowest that is not taken."""
    return next(slot for slot in range(len(slots) + 1) if slot not in slots)


def usual_power(tables: Tables, hero: int) -> int:
    return tables.number(tables.card(hero).power) if hero else 0


def derived_numbers(tables: Tables, position: Position) -> dict[str, int]:
    """What listens, and whether there are auras: they follow from what is in play."""
    events, aura = 0, False
    for side in position.sides:
        for item in side.board:
            numbers = item.numbers
            events |= numbers.get("events", 0)
            aura = aura or bool(numbers.get("flags", 0) & AURA_FLAG)
            gifts = ("aura_attack", "aura_health", "aura_keywords")
            aura = aura or any(numbers.get(name, 0) for name in gifts)
        if weapon := side.numbers.get("weapon", 0):
            events |= events_of(tables.card(weapon))
            aura = aura or bool(tables.card(weapon).auras or side.numbers.get("weapon_aura", 0))
        for secret in side.secrets:
            events |= events_of(tables.card(secret.card)) if secret.card else 0
    return {"events": events, "auras": 3 if aura else 0}


# Reading


class Reader:
    """Reads a position in words; what is left out is as cards print it."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.names = names_of(tables)

    def read(self, text: str) -> str:
        """The native text of a position; InvalidState names the word that cannot be read."""
        first, *rest = text.split()
        if first != "hearthstone":
            raise InvalidState("a position begins with 'hearthstone'")
        self.order = 0
        self.slots: set[int] = set()
        position = Position()
        given: set[str] = set()
        side: Side | None = None
        for word in rest:
            name, equals, value = word.partition("=")
            if word in ("p0", "p1"):
                side = position.sides[int(word[1])]
            elif not equals:
                raise InvalidState(f"expected NAME=VALUE, p0 or p1, found {word[:60]!r}")
            elif side is None:
                given.add(name)
                self.read_top(position, name, value)
            else:
                self.read_side(side, name, value)
        self.derive(position, given)
        return to_native(position)

    def derive(self, position: Position, given: set[str]) -> None:
        derived = {"order": self.order} | derived_numbers(self.tables, position)
        for name, value in derived.items():
            if name not in given and value:
                position.numbers[name] = value
        if position.offered:
            position.numbers["choices"] = len(position.offered)
        for side in position.sides:
            numbers = side.numbers
            numbers.setdefault("power", usual_power(self.tables, numbers.get("hero", 0)))

    def read_top(self, position: Position, name: str, value: str) -> None:
        if name == "offered":
            position.offered = [self.names.number(word) for word in value.split(",")]
        elif name in ("phase", "choice"):
            listed = PHASES if name == "phase" else CHOICES
            if value not in listed:
                raise InvalidState(f"unknown {name} {value!r}; known: {', '.join(listed)}")
            position.numbers[name] = listed.index(value)
        elif name in CARDS:
            position.numbers[name] = self.names.number(value)
        else:
            position.numbers[name] = whole(name, value)

    def read_side(self, side: Side, name: str, value: str) -> None:
        numbers = side.numbers
        if name == "health":
            now, slash, most = value.partition("/")
            numbers["health"] = whole(name, now)
            if slash:
                numbers["max_health"] = whole(name, most)
        elif name == "mana":
            now, slash, most = value.partition("/")
            numbers["mana"] = whole(name, now)
            if slash:
                numbers["crystals"] = whole(name, most)
        elif name == "weapon":
            self.read_weapon(numbers, value)
        elif name == "flags":
            numbers[name] = bits_of(value, HERO_BITS)
        elif name in CARDS:
            numbers[name] = self.names.number(value)
        elif name == "hand":
            side.hand = [self.held(*one) for one in self.items(name, value)]
        elif name == "deck":
            side.deck = [self.names.number(word) for word in reversed(value.split(","))]
        elif name == "secrets":
            side.secrets = [self.secret(*one) for one in self.items(name, value)]
        elif name == "board":
            side.board = [self.minion(*one) for one in self.items(name, value)]
        else:
            numbers[name] = whole(name, value)

    def items(self, name: str, value: str) -> Iterator[tuple[int, list[str]]]:
        """Cards with what stands in brackets behind them."""
        at = 0
        while at < len(value):
            found = ITEM.match(value, at)
            if not found or value[found.end() : found.end() + 1] not in ("", ","):
                raise InvalidState(f"cannot read {value[at : at + 40]!r} in {name}")
            yield self.names.number(found[1]), found[2].split(",") if found[2] else []
            at = found.end() + 1

    def read_weapon(self, numbers: dict[str, int], value: str) -> None:
        [(card, parts)] = self.items("weapon", value)
        printed = self.tables.card(card)
        numbers["weapon"] = card
        numbers["weapon_attack"], numbers["durability"] = printed.attack, printed.health
        for part in parts:
            if found := PAIR.fullmatch(part):
                numbers["weapon_attack"], numbers["durability"] = int(found[1]), int(found[2])
            elif not part.startswith("order="):
                raise unknown(part, "weapon")
        numbers["weapon_order"] = self.take_order(parts)

    def held(self, card: int, parts: list[str]) -> Item:
        item = Item(card, {"flags": 0})
        for part in parts:
            if found := PAIR.fullmatch(part):
                item.numbers |= {"attack": int(found[1]), "health": int(found[2])}
            elif part.startswith("cost"):
                item.numbers["cost"] = whole("cost", part.removeprefix("cost"))
            elif part in HAND_BITS:
                item.numbers["flags"] |= HAND_BITS[part]
            else:
                raise unknown(part, "hand")
        return item

    def secret(self, card: int, parts: list[str]) -> Item:
        for part in parts:
            if not part.startswith("order="):
                raise unknown(part, "secrets")
        return Item(card, {"order": self.take_order(parts)})

    def minion(self, card: int, parts: list[str]) -> Item:
        if not card:
            raise InvalidState("a minion on the board has a name")
        item = Item(card)
        numbers = item.numbers
        flags, aura, stats = 0, "", None
        for part in parts:
            name, equals, value = part.partition("=")
            if found := PAIR.fullmatch(part):
                stats = int(found[1]), int(found[2])
            elif part.startswith("buff"):
                item.enchants.append(self.enchant(part))
            elif part in ("aura", "no-aura"):
                aura = part
            elif part in MINION_BITS:
                flags |= MINION_BITS[part]
            elif name in ("keywords", "aura_keywords"):
                numbers[name] = bits_of(value, words.KEYWORDS)
            elif equals and name not in ("order", "slot"):
                numbers["max_health" if name == "max" else name] = whole(name, value)
            elif not equals:
                raise unknown(part, "board")
        numbers["flags"] = flags
        printed = Printed(self.tables, item)
        if printed.has_aura if not aura else aura == "aura":
            numbers["flags"] |= AURA_FLAG
        attack, health = stats or (printed.attack, printed.max_health)
        numbers |= {"attack": attack, "health": health}
        numbers.setdefault("max_health", max(printed.max_health, health))
        for name in ("base_attack", "base_health", "spell_damage", "events", "keywords"):
            numbers.setdefault(name, getattr(printed, name))
        numbers["slot"] = self.take_slot(parts)
        numbers["order"] = self.take_order(parts)
        return item

    def enchant(self, text: str) -> tuple[int, ...]:
        first, *parts = text.removeprefix("buff").split(":")
        found = PAIR.fullmatch(first)
        if not found:
            raise InvalidState(f"expected a change such as buff+1/+1, found {text[:60]!r}")
        sets = until = keywords = script = order = 0
        for part in parts:
            name, _, value = part.partition("=")
            if part in SETS:
                sets |= 1 << SETS.index(part)
            elif part in UNTIL:
                until |= UNTIL.index(part)
            elif part == "of-1":
                until |= 0x80
            elif name == "keywords":
                keywords = bits_of(value, words.KEYWORDS)
            elif name == "text":
                script = self.names.number(value)
            elif name == "order":
                order = whole(name, value)
            else:
                raise unknown(part, "a change")
        return (int(found[1]), int(found[2]), sets, until, keywords, script, order)

    def take_order(self, parts: list[str]) -> int:
        order = given_number(parts, "order", self.order + 1)
        self.order = max(self.order, order)
        return order

    def take_slot(self, parts: list[str]) -> int:
        slot = given_number(parts, "slot", next_slot(self.slots))
        self.slots.add(slot)
        return slot


def given_number(parts: list[str], name: str, usual: int) -> int:
    named = [part for part in parts if part.startswith(f"{name}=")]
    return whole(name, named[-1].partition("=")[2]) if named else usual


def unknown(word: str, where: str) -> InvalidState:
    return InvalidState(f"cannot read {word[:60]!r} in {where}")


def whole(name: str, text: str) -> int:
    if not NUMBER.fullmatch(text) or len(text) > 12:
        raise InvalidState(f"{name} is a number, not {text[:60]!r}")
    return int(text)


def position_text(native: str, tables: Tables) -> str:
    """A state in words, from its native text."""
    return Writer(tables).write(native)


def native_text(position: str, tables: Tables) -> str:
    """The native text of a state in words; InvalidState says what cannot be read."""
    return Reader(tables).read(position)
