"""Cards that no author would write: every rule, statement and value at random, at its bounds.

`python tests/property/hearthstone_wild_cards.py --decks 100000` plays games between random decks
of such cards, and checks every state that is reached. `--write FILE --sets N` writes N sets of
cards into one file, for the native test program.
"""

from __future__ import annotations

import argparse
import pickle
import random
import time
from pathlib import Path
from typing import Any

from ludex.core import Rng
from ludex.worlds.hearthstone import decks, profiles
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.model import HearthstoneModel
from ludex.worlds.hearthstone.position import native_text, position_text
from ludex.worlds.hearthstone.world import FLAT_AT_END

CARDS = 22  # of a set, at least; each has at most two copies in a deck
LONGEST_GAME = 400
DECKS_OF_A_SET = 50
SECRET = words.KEYWORDS["secret"]
GIFTS = [word for word, bit in words.KEYWORDS.items() if bit & words.GRANTABLE]
OWN_KEYWORDS = [word for word, bit in words.KEYWORDS.items() if not bit & SECRET]
NAMES = [
    "Ölf, the Ünkind",
    "a [b] (c)",
    "it's; {so}: *",
    "#1",
    "日本",
    "x" * 60,
    "%s %d \\n",
    "e=mc²",
]


class Author:
    """Writes one set of cards."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.seed = seed
        self.keys: dict[str, list[str]] = {
            "minion": ["CS2_231", "CS2_121", "EX1_tk9b", "EX1_598"],
            "weapon": ["CS2_082", "EX1_409t"],
            "power": ["HERO_01bp", "HERO_07bp"],
            "hero": ["HERO_09", "EX1_323h"],
            "enchantment": ["EX1_158e", "EX1_584e"],
            "spell": ["GAME_005", "CS2_029", "EX1_612"],
        }
        self.pools = {"minions": ["totems"], "held": ["dreams"], "powers": []}
        self.loops = 0

    # Words

    def any(self, *choices: str) -> str:
        return self.dice.choice(choices)

    def maybe(self, text: str, chance: float = 0.3) -> str:
        return text if self.dice.random() < chance else ""

    def small(self) -> int:
        return self.dice.choice((1, 1, 1, 2, 2, 3, 5))

    def number(self, most: int = 999, least: int = 0) -> int:
        """Mostly a small one, so that games last; else one at a bound."""
        if self.dice.random() < 0.85:
            return self.small()
        return self.dice.choice((0, least, most, most // 2))

    def signed(self) -> str:
        usual = self.dice.choice((1, 1, 2, 3, -1, 0))
        return f"{usual if self.dice.random() < 0.8 else self.dice.choice((99, -99, 60, -9)):+d}"

    def pair(self) -> str:
        return f"{self.signed()}/{self.signed()}"

    def key(self, *kinds: str) -> str:
        return self.any(*(key for kind in kinds for key in self.keys[kind]))

    def held(self) -> str:
        return self.key("minion", "spell", "weapon")

    def reference(self) -> str:
        return self.any("self", "target", "subject", "object", "held", "own hero", "enemy hero")

    def race(self) -> str:
        return self.any(*words.RACES)

    def group(self) -> str:
        if self.dice.random() < 0.25:
            return self.any("target", "self", "subject", "object", "held")
        parts = [self.any("own", "enemy", "any", "")]
        parts.append(self.maybe(f"random {self.any('', '2', '16')}"))
        single = [word for word in words.FILTERS if " " not in word]
        parts.append(self.maybe(self.any(*single), 0.2))
        parts.append(self.maybe(self.race(), 0.1))
        parts.append(self.any("minion", "minions", "character", "characters", "heroes"))
        parts.append(self.maybe(f"with attack {self.any('<=', '>=')} {self.number()}", 0.1))
        parts.append(self.maybe(self.any("beside target", "beside self", "not subject"), 0.1))
        parts.append(self.maybe(f"except {self.key('minion')}", 0.05))
        return " ".join(" ".join(parts).split())

    def value(self, least: int = 0) -> str:
        roll = self.dice.random()
        if roll < 0.6:
            return str(self.number(least=least))
        if roll < 0.7:
            low = self.small()
            return f"{low} to {low + self.number(900)}"
        simple = [" ".join(words_) for words_ in SIMPLE]
        of = f"{self.any('attack', 'health', 'max-health')} of {self.reference()}"
        count = f"count {self.group()}"
        enough = f"enough 2 {self.group()}"
        holding = f"holding {self.race()}"
        missiles = f"missiles {self.number(99)}"
        what = self.any(self.any(*simple), of, count, enough, holding, missiles)
        times = self.maybe(f" * {self.dice.choice((2, 2, -1, 99, -99))}", 0.2)
        return what + times + self.maybe(f" {self.dice.choice((1, 1, -1, 999, -999)):+d}", 0.2)

    def condition(self) -> str:
        if self.dice.random() < 0.3:
            return self.any("combo", "no own weapon", "any own minion", "own-turn", "result")
        if self.dice.random() < 0.3:
            who = self.any("self", "target", "subject", "object", "held")
            return f"{who} is {self.any('dead', 'own', 'frozen', 'damaged', 'present', 'beast')}"
        return f"{self.value()} {self.any('<=', '>=', '==', '!=')} {self.number()}"

    # Statements

    def statements(self, asks: bool = False, depth: int = 0) -> str:
        count = self.dice.choice((1, 1, 2, 3)) if depth == 0 else 1
        return "; ".join(self.statement(asks, depth) for _ in range(count))

    def statement(self, asks: bool, depth: int) -> str:
        if depth < 3 and self.dice.random() < 0.12:
            inner = self.statements(asks, depth + 1)
            other = self.maybe(f" else {{ {self.statements(asks, depth + 1)} }}")
            return f"if {self.condition()} {{ {inner} }}{other}"
        if depth < 3 and self.dice.random() < 0.06:
            return f"repeat {self.value()} {{ {self.statements(False, depth + 1)} }}"
        verb = self.any(*VERBS, *(ASKING if asks else ()))
        text: str = getattr(self, f"say_{verb}")()
        return text

    def until(self) -> str:
        gift = self.maybe(" " + self.any(*GIFTS))
        lasting = self.maybe(" " + self.any("this turn", "until own turn"))
        return gift + lasting + self.maybe(f" with {self.key('enchantment')}", 0.15)

    def side(self) -> str:
        return self.maybe(" for enemy")

    def times(self) -> str:
        return self.any("", "", f"{self.small()} ", "99 ", f"({self.value()}) ")

    def say_damage(self) -> str:
        return f"damage {self.value()} {self.group()}{self.maybe(' plain')}"

    def say_heal(self) -> str:
        return f"heal {self.any('fully', self.value())} {self.group()}"

    def say_buff(self) -> str:
        how = self.any(self.pair(), f"attack {self.value(-999)} health {self.value(-999)}")
        return f"buff {how} {self.group()}{self.until()}"

    def say_give(self) -> str:
        return f"give {self.any(*GIFTS)} {self.group()}{self.until()}"

    def say_lose(self) -> str:
        return self.any("lose crystal", f"lose {self.any(*GIFTS)} {self.group()}")

    def say_set(self) -> str:
        powers = f"set power {self.key('power')}{self.maybe(' then ' + self.key('power'))}"
        what = self.any("attack", "health", "hero-health")
        return self.any(powers, f"set {what} {self.value()} {self.group()}")

    def say_plain(self) -> str:
        verb = self.any("freeze", "silence", "destroy", "absorb", "hold", "redirect to")
        return f"{verb} {self.group()}"

    def say_destroy(self) -> str:
        return "destroy " + self.any("enemy secrets", "enemy weapon", "own weapon")

    def say_strike(self) -> str:
        return f"strike {self.group()} by {self.group()}"

    def say_swap(self) -> str:
        return "swap " + self.any("with hand", self.group())

    def say_return(self) -> str:
        return f"return {self.group()}{self.maybe(f' cost {self.signed()}')}"

    def say_steal(self) -> str:
        return f"steal {self.group()}{self.maybe(' this turn')}"

    def say_transform(self) -> str:
        into = self.any(self.key("minion"), f"one of {self.any(*self.pools['minions'])}")
        return f"transform {self.group()} into {into}"

    def say_become(self) -> str:
        hero = self.maybe(f"hero {self.key('hero')}", 0.1)
        return f"become {hero or f'copy of {self.group()}'}"

    def say_summon(self) -> str:
        pool = f"one of {self.any(*self.pools['minions'])}{self.maybe(' missing')}"
        again = f"again{self.maybe(' subject')}{self.maybe(f' health {self.number(99, 1) or 1}')}"
        deck = f"from {self.any('own', 'enemy')} deck{self.maybe(' small')}{self.maybe(' moved')}"
        place = self.any("", "", " for enemy", " at end", " left")
        gift = self.maybe(f" with {self.key('enchantment')}", 0.1)
        one = f"{self.key('minion')}{place}{gift}"
        hand = f"from {self.any('own', 'enemy')} hand"
        copy = f"copy of {self.group()}"
        counted = self.any(self.times() + pool, self.times() + one)
        return "summon " + self.any(counted, counted, counted, again, deck, hand, copy)

    def say_draw(self) -> str:
        plain = f"{self.value()}{self.any('', ' both', ' enemy')}"
        race = f"{self.value()} {self.race()}{self.maybe(f' or {self.held()}')}"
        return "draw " + self.any("until even", plain, plain, race, f"1 cost {self.signed()}")

    def say_discard(self) -> str:
        return f"discard {self.value()}{self.side()}"

    def say_add(self) -> str:
        pool = f"{self.times()}one of {self.any(*self.pools['held'])}{self.side()}"
        other = self.any("copy from enemy hand", "3 copy from enemy deck", "played card")
        return "add " + self.any(pool, other, f"{self.times()}{self.held()}{self.side()}")

    def say_shuffle(self) -> str:
        one = f"{self.times()}{self.held()}{self.side()}"
        return "shuffle " + self.any(f"copy of {self.group()}", one)

    def say_equip(self) -> str:
        return f"equip {self.key('weapon')}{self.side()}"

    def say_number(self) -> str:
        verb = self.any("armour", "mana")
        return f"{verb} {self.value()}{self.side()}"

    def say_overload(self) -> str:
        return f"overload {self.value()}"

    def say_crystals(self) -> str:
        return f"crystals {self.value()} {self.any('empty', 'full')}{self.maybe(' or card')}"

    def say_weapon(self) -> str:
        other = f" or equip {self.key('weapon')}"
        return f"weapon {self.pair()}{self.maybe(other)}"

    def say_hand(self) -> str:
        return f"hand {self.pair()}{self.maybe(' random')}{self.maybe(' ' + self.race())}"

    def say_mark(self) -> str:
        cheaper = f"next spell cheaper {self.number(99)}"
        return f"mark {self.any(cheaper, *words.MARKS[1:-1])}"

    def say_alone(self) -> str:
        return self.any("counter", "prevent", "joust", "spend all", "lay secret")

    def say_track(self) -> str:
        return "track"

    def say_discover(self) -> str:
        power = f"power {self.any(*self.pools['powers'])}"
        return "discover " + self.any(self.any(*self.pools["held"]), power)

    # Rules

    def event(self, secret: bool) -> str:
        side = self.any("own", "enemy", "any")
        plain = ("turn starts", "turn ends", "spell played", "card played", "secret revealed")
        rest = ("overload", "armour", "draw", "card discarded", "power used", "weapon played")
        verb = self.any("summoned", "damaged", "healed", "dies", "attacks", "played", "doomed")
        aimed = f"{side} spell aimed at {self.any('any', 'own', 'enemy')} minion"
        group = f"{self.any('own', 'enemy', 'any')} {self.any('minion', 'hero', 'character')}"
        how = f"self {self.any('damaged', 'attacks', 'healed')}" if not secret else f"{group} dies"
        return self.any(f"{side} {self.any(*plain, *rest)}", f"{group} {verb}", aimed, how)

    def triggers(self, secret: bool = False) -> list[str]:
        count = self.dice.choice((1, 1, 2)) if secret else self.dice.choice((0, 0, 1, 1, 2))
        return [
            f"{self.any('when', 'after')} {self.event(secret)}"
            f"{self.maybe(f' if {self.condition()}', 0.15)}: {self.statements()}"
            for _ in range(count)
        ]

    def aim(self) -> str:
        aimed = f" on {self.any('any', 'own', 'enemy')} {self.any('minion', 'character')}"
        return self.maybe(aimed + self.maybe(" if combo", 0.1), 0.4)

    def aura(self) -> str:
        lasting = self.any("", f" while {self.condition()}", f" each {self.group()}")
        minions = f"{self.group()}: {self.pair()}{self.maybe(' ' + self.any(*GIFTS))}{lasting}"
        kind = self.any("minion", "spell", "weapon", "card")
        cost = f"cost {self.any('own', 'enemy', 'any')} {kind} {self.signed()}"
        return "aura " + self.any(minions, minions, f"weapon {self.signed()}", cost)

    def minion(self, lines: list[str]) -> None:
        if self.dice.random() < 0.5:
            lines.append(f"battlecry{self.aim()}: {self.statements(asks=True)}")
        if self.dice.random() < 0.4:
            lines.append(f"deathrattle: {self.statements()}")
        lines += self.triggers()
        lines += [self.aura()] if self.dice.random() < 0.3 else []
        if self.dice.random() < 0.1:
            lines.append(f"enrage: {self.signed()} attack {self.any(*GIFTS)}")
        if self.dice.random() < 0.1:
            lines.append(f"cheaper by {self.value()}")
        if self.dice.random() < 0.05:
            lines.append("discarded")

    def facts(self, kind: str) -> str:
        facts = [self.any("neutral", "mage", "rogue"), self.any("common", "rare", "epic")]
        facts.append(f"{self.dice.choice((0, 0, 1, 1, 2, 3, 99))} mana")
        if kind in ("minion", "weapon", "hero"):
            facts.append(f"{self.number(99)}/{self.number(99, 1) or 1}")
        if kind == "minion":
            facts += self.dice.sample(OWN_KEYWORDS, self.dice.choice((0, 0, 1, 2)))
            facts += self.dice.sample(words.RACES, self.dice.choice((0, 1)))
            facts.append(self.maybe(f"spell-damage {self.number(99)}", 0.1))
        facts.append(self.maybe(f"overload {self.number(99)}", 0.1) if kind in HELD else "")
        return " ".join(filter(None, facts))

    def card(self, kind: str, key: str, secret: bool = False) -> str:
        lines: list[str] = []
        name = self.any(f"Card {key}", f"Card {key}", f"Card {key}", *NAMES)
        if kind == "minion":
            self.minion(lines)
        elif secret:
            lines += self.triggers(secret=True)
        elif kind == "spell" and self.dice.random() < 0.1:
            for letter in "ab":
                text = self.statements(asks=True)
                lines.append(f'choose {key}{letter} "Choice {letter}"{self.aim()}: {text}')
        elif kind == "spell":
            lines.append(f"cast{self.aim()}: {self.statements(asks=True)}")
        elif kind == "power":
            lines.append(f"use{self.aim()}: {self.statements()}")
        elif kind == "hero":
            lines.append(f"power {self.key('power')}")
        else:
            lines += [*self.triggers(), f"deathrattle: {self.statements()}"]
            lines += [self.aura()] if kind == "weapon" and self.dice.random() < 0.3 else []
        facts = self.facts(kind) + (" secret" if secret else "")
        head = f'{kind} {key} "{name}" {facts}'
        return "\n".join([head, *(f"  {line}" for line in lines)])

    def write(self) -> str:
        """A set with all kinds of cards, which mean each other."""
        kinds = ["minion"] * 4 + ["spell"] * 3 + ["weapon", "enchantment", "power", "hero"]
        wanted = [*kinds, *self.dice.choices(["minion", "spell", "weapon"], k=CARDS)]
        cards = [(kind, f"W{self.seed}_{place}") for place, kind in enumerate(wanted)]
        for kind, key in cards:
            self.keys[kind].append(key)
        held = " ".join(key for kind, key in cards if kind in HELD)[:300].rpartition(" ")[0]
        chosen = {"minions": " ".join(self.keys["minion"][4:12]), "held": held}
        chosen["powers"] = " ".join(self.keys["power"])
        names = {what: f"p{self.seed}_{what}" for what in chosen}
        self.pools = {what: [name] for what, name in names.items()}
        self.pools["minions"].append("totems")
        self.pools["held"].append("dreams")
        pools = [f"pool {names[what]}: {keys}" for what, keys in chosen.items()]
        texts = []
        for kind, key in cards:
            while True:
                text = self.card(kind, key, kind == "spell" and self.dice.random() < 0.2)
                if max(map(len, text.splitlines())) < 400:
                    break
            texts.append(text)
        return "\n".join(pools + texts) + "\n"


HELD = ("minion", "spell", "weapon")
SIMPLE = [
    *(("own", word) for word in ("hand", "secrets", "deck", "room", "wounds", "crystals", "mana")),
    *(("enemy", word) for word in ("hand", "deck", "durability", "weapon-attack")),
    *((word,) for word in ("played", "armour", "weapon-attack", "durability", "event-amount")),
    *((word,) for word in ("hero-attack", "last-cost", "spell-damage", "golems", "result")),
    *((word,) for word in ("unique-deck", "totems-summoned", "same-card", "hero-health")),
]
ASKING = ("track", "discover")
VERBS = [
    name.removeprefix("say_")
    for name in vars(Author)
    if name.startswith("say_") and name.removeprefix("say_") not in ASKING
]


def wild_cards(seed: int) -> str:
    """The text of a card file."""
    return Author(seed).write()


class Table:
    """Models of a set of wild cards, and the decks that are made of it."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.native = profiles.native_cards.__wrapped__(tables)
        own = [card for card in tables.cards if card.profile == profiles.OWN and card.collectible]
        self.cards = [tables.numbers[card.key] for card in own]
        rows = enumerate(tables.cards, 1)
        self.secrets = frozenset(number for number, card in rows if card.keywords & SECRET)

    def model(self, dice: random.Random) -> HearthstoneModel:
        """A game between two random decks of thirty."""
        both = [dice.sample(self.cards * decks.COPIES, decks.SIZE) for _ in range(2)]
        classes = dice.choices(list(decks.CLASS_HEROES.values()), k=2)
        heroes = tuple(self.tables.numbers[key] for key in classes)
        how = {"mulligan": dice.randrange(2), "staged": dice.randrange(2), "turn_limit": 60}
        arguments = (self.native, tuple(both), heroes, self.cards, how)
        model = HearthstoneModel(arguments, self.secrets, FLAT_AT_END, "hearthstone")
        model.tables = self.tables
        return model


def check_state(model: HearthstoneModel, state: Any, tick: int) -> None:
    """What must hold of every state, whatever the cards."""
    text = str(state)
    assert model.consistent(state), text
    read = model.parse(text)
    assert read is not None, f"cannot be read back: {text}"
    assert read == state, f"{text} is read as {read}"
    assert str(read) == text, text
    if tick % 4 == 0 or model.over(state):
        words = position_text(text, model.tables)
        assert model.parse(native_text(words, model.tables)) == state, words
        assert pickle.loads(pickle.dumps(state)) == state
        assert hash(read) == hash(state)
        for seat in (0, 1):
            view = model.view(state, seat)
            assert view == model.view(read, seat)
            imagined = model.imagine(view, Rng(tick))
            assert model.view(imagined, seat) == view, f"seat {seat} imagines {imagined} of {text}"
        model.described(state)


def play(model: HearthstoneModel, seed: int) -> str:
    """Play one game at random; returns why it ended."""
    rng = Rng(seed)
    state = model.first_state(rng)
    for tick in range(LONGEST_GAME):
        check_state(model, state, tick)
        outcome = model.outcome(state)
        if outcome is not None:
            assert not model.to_act(state)
            assert model.legal(state, 0) == model.legal(state, 1) == ()
            return outcome.reason
        (seat,) = model.to_act(state)
        legal = model.legal(state, seat)
        # Turns end seldom, so that boards fill.
        pick = legal[rng.below(len(legal))]
        model.advance(state, (legal[rng.below(len(legal))] if pick == 0 else pick,), rng)
    return "left off"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first set")
    parser.add_argument("--write", type=Path, help="write the cards of --sets, and play nothing")
    parser.add_argument("--sets", type=int, default=20)
    options = parser.parse_args()
    if options.write:
        seeds = range(options.first, options.first + options.sets)
        options.write.parent.mkdir(parents=True, exist_ok=True)
        options.write.write_text("".join(map(wild_cards, seeds)), encoding="utf-8")
        return
    begun, played, ends = time.perf_counter(), 0, dict[str, int]()
    seed = options.first
    while 2 * played < options.decks:
        table = Table(profiles.with_text("classic", wild_cards(seed)))
        dice = random.Random(seed)
        for game in range(DECKS_OF_A_SET):
            try:
                reason = play(table.model(dice), DECKS_OF_A_SET * seed + game)
            except BaseException:
                print(f"set {seed}, game {game}", flush=True)
                raise
            ends[reason] = ends.get(reason, 0) + 1
            played += 1
        seed += 1
        if seed % 100 == 0:
            spent = time.perf_counter() - begun
            print(f"{2 * played} decks of {seed - options.first} sets, {spent:.0f} s", flush=True)
    spent = time.perf_counter() - begun
    print(f"{2 * played} decks in {played} games, {spent:.0f} s; how they ended: {ends}")


if __name__ == "__main__":
    main()
