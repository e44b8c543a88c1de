"""The statements of card programs: `damage 3 target; draw 1`."""

from __future__ import annotations

from collections.abc import Collection

from ludex.core.errors import did_you_mean
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.expressions import (
    read_condition,
    read_group,
    read_value,
)
from ludex.worlds.hearthstone.language.lexer import HIGHEST, NUMBER, PAIR, Cursor, shown
from ludex.worlds.hearthstone.language.names import (
    HELD,
    check_special_card,
    read_card,
    read_granted_keyword,
    read_pool_name,
    read_race,
)
from ludex.worlds.hearthstone.language.tables import GOLEM, SPARE_MANA, Card, Row, Tables

BACK = "back next turn"
MOST_LOOPS = 4  # `repeat` inside `repeat`, as the native core keeps count of them


JUMPS = (words.OP["when"], words.OP["jump"], words.OP["loop"])


def read_program(tables: Tables, cursor: Cursor, card: Card) -> int:
    """Compile the rest of a line; returns the index of its first instruction."""
    code = Statements(tables, card).read_block(cursor)
    if not code and cursor.next:
        raise cursor.fail(f"cannot read {shown(cursor.next)} here")
    start = len(tables.program)
    # Jumps were counted from the start of the block.
    for op, x, a, b, c, d in code:
        tables.program.append((op, x, a, b, c + start if op in JUMPS else c, d))
    tables.program.append((words.OP["end"], 0, 0, 0, 0, 0))
    return start


class Statements:
    """Compiles the statements of one card; each verb is a method."""

    def __init__(self, tables: Tables, card: Card) -> None:
        self.tables = tables
        self.card = card
        self.code: list[Row] = []
        self.loops = 0
        """how many `repeat` are open"""

    def emit(self, op: str, x: int = 0, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> int:
        self.code.append((words.OP[op], x, a, b, c, d))
        return len(self.code) - 1

    def patch(self, index: int) -> None:
        """Let the jump at this index lead to the next instruction."""
        op, x, a, b, _, d = self.code[index]
        self.code[index] = (op, x, a, b, len(self.code), d)

    def read_block(self, cursor: Cursor) -> list[Row]:
        self.read_sequence(cursor)
        return self.code

    def read_sequence(self, cursor: Cursor) -> None:
        while cursor.next and cursor.next != "}":
            if cursor.skip(";"):
                continue
            verb = cursor.take()
            method = getattr(self, f"do_{verb.replace('-', '_')}", None)
            if method is None:
                known = [name[3:] for name in dir(self) if name.startswith("do_")]
                raise cursor.fail(f"unknown statement {verb!r}{did_you_mean(verb, known)}")
            method(cursor)
            if cursor.next not in ("", ";", "}", "else"):
                raise cursor.fail(f"cannot read {cursor.next!r} after {verb!r}")
            if cursor.next == "else":
                raise cursor.fail("'else' follows the '}' of an 'if'")

    def group(self, cursor: Cursor) -> int:
        return read_group(self.tables, cursor, self.card)

    def value(self, cursor: Cursor) -> int:
        return read_value(self.tables, cursor, self.card)

    def amount(self, cursor: Cursor) -> int:
        """A value that is not negative."""
        return read_value(self.tables, cursor, self.card, 0)

    def card_key(self, cursor: Cursor, does: str, kinds: Collection[str]) -> int:
        return read_card(self.tables, cursor, f"{self.card.key} {does}", kinds)

    def pair(self, cursor: Cursor, what: str = "attack and health") -> tuple[int, int]:
        first, second = cursor.pair(what)
        return self.constant(first), self.constant(second)

    def constant(self, number: int) -> int:
        return self.tables.intern(self.tables.values, (words.AMOUNT["number"], number, 0, 1, 0))

    def side(self, cursor: Cursor) -> int:
        """The player meant: 0 own (the default), 1 the opponent."""
        cursor.skip("for")
        if cursor.skip("enemy"):
            return 1
        cursor.skip("own")
        return 0

    def count_or_one(self, cursor: Cursor) -> int:
        """A number of times: a plain number, or a value in brackets."""
        if cursor.skip("("):
            value = self.amount(cursor)
            cursor.expect(")")
            return value
        if NUMBER.fullmatch(cursor.next):
            return self.constant(cursor.number(1, HIGHEST))
        return self.constant(1)

    def grant(self, cursor: Cursor, keywords: int = 0) -> int:
        """The index of a grant: keywords, duration and enchantment; -1 for none of them."""
        until, script = 0, 0
        while True:
            if cursor.next in words.KEYWORDS:
                keywords |= read_granted_keyword(cursor)
            elif cursor.skip("this", "turn"):
                until = 1
            elif cursor.skip("until", "own", "turn"):
                until = 2
            elif cursor.skip("with"):
                script = self.card_key(cursor, "gives", ("enchantment",))
            else:
                break
        if not keywords and not until and not script:
            return -1
        return self.tables.intern(self.tables.grants, (keywords, until, script))

    # Hurting and healing

    def do_damage(self, cursor: Cursor) -> None:
        value = self.amount(cursor)
        each = 2 if self.tables.values[value][0] == words.AMOUNT["random"] else 0
        group = self.group(cursor)
        plain = 1 if cursor.skip("plain") else 0
        self.emit("damage", plain | each, group, value)

    def do_heal(self, cursor: Cursor) -> None:
        if cursor.skip("fully"):
            self.emit("heal", 1, self.group(cursor), self.constant(99))
            return
        value = self.amount(cursor)
        self.emit("heal", 0, self.group(cursor), value)

    def do_destroy(self, cursor: Cursor) -> None:
        if cursor.skip("enemy", "secrets"):
            self.emit("destroy_secrets")
        elif cursor.skip("enemy", "weapon"):
            self.emit("break_weapon", c=1)
        elif cursor.skip("own", "weapon"):
            self.emit("break_weapon")
        else:
            self.emit("destroy", 0, self.group(cursor))

    def do_freeze(self, cursor: Cursor) -> None:
        self.emit("freeze", 0, self.group(cursor))

    def do_silence(self, cursor: Cursor) -> None:
        self.emit("silence", 0, self.group(cursor))

    def do_strike(self, cursor: Cursor) -> None:
        """`strike GROUP by WHO`: who deals its attack to each of the group."""
        group = self.group(cursor)
        cursor.expect("by")
        self.emit("strike", 0, group, self.group(cursor))

    # Changing minions

    def do_buff(self, cursor: Cursor) -> None:
        """`buff +1/+2 GROUP taunt this turn`, `buff + (VALUE) / (VALUE) GROUP`."""
        if PAIR.fullmatch(cursor.next):
            attack, health = self.pair(cursor)
        else:
            cursor.expect("attack")
            attack = self.value(cursor)
            cursor.expect("health")
            health = self.value(cursor)
        group = self.group(cursor)
        self.emit("buff", 0, group, attack, health, self.grant(cursor))

    def do_give(self, cursor: Cursor) -> None:
        """`give taunt GROUP`, `give charge GROUP this turn`, `give GROUP with KEY`."""
        keywords = 0
        while cursor.next in words.KEYWORDS:
            keywords |= read_granted_keyword(cursor)
        group = self.group(cursor)
        self.emit("buff", 0, group, -1, -1, self.grant(cursor, keywords))

    def do_lose(self, cursor: Cursor) -> None:
        if cursor.skip("crystal"):
            self.emit("mana", 3, 0, self.constant(1), 0)
            return
        keywords = 0
        while cursor.next in words.KEYWORDS:
            keywords |= read_granted_keyword(cursor)
        if not keywords:
            raise cursor.fail(f"expected a keyword that is lost, found {shown(cursor.next)}")
        self.emit("remove_keywords", 0, self.group(cursor), keywords)

    def do_set(self, cursor: Cursor) -> None:
        what = cursor.take()
        if what == "power":
            first = self.card_key(cursor, "sets the power", ("power",))
            then = cursor.skip("then")
            second = self.card_key(cursor, "sets the power", ("power",)) if then else 0
            self.emit("set_power", 0, first, second)
            return
        ops = {"attack": "set_attack", "health": "set_health", "hero-health": "hero_health"}
        if what not in ops:
            raise cursor.fail(f"set attack, health, hero-health or power, not {shown(what)}")
        value = self.amount(cursor)
        self.emit(ops[what], 0, self.group(cursor), value)

    def do_swap(self, cursor: Cursor) -> None:
        if cursor.skip("with", "hand"):
            self.emit("swap_with_hand")
        else:
            self.emit("swap_stats", 0, self.group(cursor))

    def do_return(self, cursor: Cursor) -> None:
        group = self.group(cursor)
        cost = cursor.number(-HIGHEST, HIGHEST) if cursor.skip("cost") else 0
        self.emit("bounce", 0, group, cost)

    def do_steal(self, cursor: Cursor) -> None:
        group = self.group(cursor)
        self.emit("steal", 1 if cursor.skip("this", "turn") else 0, group)

    def do_transform(self, cursor: Cursor) -> None:
        group = self.group(cursor)
        cursor.expect("into")
        if cursor.skip("one", "of"):
            pool = self.pool(cursor, "transforms into", ("minion",))
            self.emit("transform_pool", 0, group, pool)
        else:
            key = self.card_key(cursor, "transforms into", ("minion",))
            self.emit("transform", 0, group, key)

    def do_absorb(self, cursor: Cursor) -> None:
        self.emit("take_attack_from", 0, self.group(cursor))

    def do_become(self, cursor: Cursor) -> None:
        if cursor.skip("hero"):
            self.emit("become_hero", 0, self.card_key(cursor, "becomes", ("hero",)))
        else:
            cursor.expect("copy")
            cursor.expect("of")
            self.emit("become_copy", 0, self.group(cursor))

    # Summoning

    def pool(self, cursor: Cursor, does: str, kinds: Collection[str]) -> int:
        return read_pool_name(self.tables, cursor, f"{self.card.key} {does}", kinds)

    def do_summon(self, cursor: Cursor) -> None:
        times = self.count_or_one(cursor)
        if cursor.skip("one", "of"):
            pool = self.pool(cursor, "summons", ("minion",))
            mode = 4 if cursor.skip("missing") else 0
            self.emit("summon_pool", mode, pool, times, self.side(cursor))
            return
        if cursor.skip("copy", "of"):
            self.emit("summon_copy", 0, self.group(cursor))
            return
        if cursor.skip("golem"):
            check_special_card(self.tables, cursor, GOLEM, f"{self.card.key} summons", ("minion",))
            self.emit("golem")
            return
        if cursor.skip("again"):
            who = 2 if cursor.skip("subject") else 0
            health = cursor.number(1, HIGHEST) if cursor.skip("health") else 0
            self.emit("resummon", 0, who, health)
            return
        if cursor.skip("from"):
            self.summon_from(cursor)
            return
        key = self.card_key(cursor, "summons", ("minion",))
        seat, position, script = 0, 0, 0
        while True:
            if cursor.skip("for", "enemy"):
                seat = 1
            elif cursor.skip("at", "end"):
                position = 1
            elif cursor.skip("left"):
                position = 2
            elif cursor.next == "with":
                script = self.grant(cursor) + 1
            else:
                break
        self.emit("summon", position, key, times, seat, script)

    def summon_from(self, cursor: Cursor) -> None:
        """`summon from own deck [RACE] [small] [moved] [or KEY]`, `summon from enemy hand`."""
        side = cursor.take()
        where = cursor.take()
        if side not in ("own", "enemy") or where not in ("deck", "hand"):
            raise cursor.fail("minions are summoned from own or enemy deck or hand")
        if where == "hand":
            self.emit("summon_from_hand", c=int(side == "enemy"))
            return
        mode, race, small, other, only = int(side == "own"), 0, 0, 0, 0
        while True:
            if cursor.next in words.RACE_BITS:
                race = words.RACE_BITS[cursor.take()]
            elif cursor.skip("small"):
                small = 1
            elif cursor.skip("moved"):
                mode |= 2
            elif cursor.skip("or"):
                other = self.card_key(cursor, "summons", ("minion",))
            elif cursor.next in self.tables.numbers:
                only = self.card_key(cursor, "summons", ("minion",))
            else:
                break
        self.emit("summon_from_deck", mode, race, only, small, other)

    # Cards

    def do_draw(self, cursor: Cursor) -> None:
        if cursor.skip("until", "even"):
            self.emit("draw_until")
            return
        value = self.amount(cursor)
        if words.PLURALS.get(cursor.next, cursor.next) in words.RACE_BITS:
            races = read_race(cursor)
            other = self.card_key(cursor, "draws", HELD) if cursor.skip("or") else 0
            self.emit("draw_race", 0, races, value, 0, other)
            return
        side = 2 if cursor.skip("both") else self.side(cursor)
        cost = cursor.number(-HIGHEST, HIGHEST) if cursor.skip("cost") else 0
        self.emit("draw", 0, side, value, cost)

    def do_discard(self, cursor: Cursor) -> None:
        value = self.amount(cursor)
        self.emit("discard", 0, self.side(cursor), value)

    def do_add(self, cursor: Cursor) -> None:
        """`add 2 KEY for enemy`, `add one of POOL`, `add copy from enemy hand`."""
        times = self.count_or_one(cursor)
        if cursor.skip("one", "of"):
            pool = self.pool(cursor, "adds", HELD)
            self.emit("give_pool", 0, pool, times, self.side(cursor))
        elif cursor.skip("copy", "from", "enemy", "hand"):
            self.emit("copy_hand")
        elif cursor.skip("copy", "from", "enemy", "deck"):
            self.emit("copy_deck", 0, 0, times)
        elif cursor.skip("played", "card"):
            self.emit("give_event_card", c=self.side(cursor))
        else:
            key = self.card_key(cursor, "adds", HELD)
            self.emit("give", 0, key, times, self.side(cursor))

    def do_shuffle(self, cursor: Cursor) -> None:
        if cursor.skip("copy", "of"):
            self.emit("bounce_copy", 0, self.group(cursor))
            return
        times = self.count_or_one(cursor)
        key = self.card_key(cursor, "shuffles in", HELD)
        self.emit("shuffle_in", 0, key, times, self.side(cursor))

    def do_track(self, cursor: Cursor) -> None:
        self.ask(cursor)
        self.emit("track")

    def do_discover(self, cursor: Cursor) -> None:
        self.ask(cursor)
        if cursor.skip("power"):
            self.emit("discover_power", 0, self.pool(cursor, "discovers", ("power",)))
        else:
            self.emit("discover", 0, self.pool(cursor, "discovers", HELD))

    def ask(self, cursor: Cursor) -> None:
        if cursor.tokens[0] not in ("battlecry", "cast", "choose"):
            raise cursor.fail("a choice can be asked only by a battlecry or a spell")
        if self.loops:
            raise cursor.fail("a choice cannot be asked inside 'repeat'")

    def do_lay(self, cursor: Cursor) -> None:
        cursor.expect("secret")
        self.emit("put_secret")

    # Hero, weapon, mana

    def do_equip(self, cursor: Cursor) -> None:
        key = self.card_key(cursor, "equips", ("weapon",))
        self.emit("equip", 0, key, 0, self.side(cursor))

    def do_armour(self, cursor: Cursor) -> None:
        value = self.amount(cursor)
        self.emit("armour", 0, 0, value, self.side(cursor))

    def do_mana(self, cursor: Cursor) -> None:
        value = self.amount(cursor)
        self.emit("mana", 0, 0, value, self.side(cursor))

    def do_spend(self, cursor: Cursor) -> None:
        cursor.expect("all")
        self.emit("mana_all")

    def do_crystals(self, cursor: Cursor) -> None:
        """`crystals 1 empty [or card]`, `crystals 2 full`."""
        value = self.amount(cursor)
        kind = 2 if cursor.skip("empty") else 1
        cursor.skip("full")
        excess = 1 if cursor.skip("or", "card") else 0
        if excess:
            check_special_card(self.tables, cursor, SPARE_MANA, f"{self.card.key} adds", HELD)
        self.emit("mana", kind, 0, value, self.side(cursor), excess)

    def do_weapon(self, cursor: Cursor) -> None:
        """`weapon +1/+1`, `weapon +2/+0 or equip KEY`."""
        attack, durability = cursor.pair("attack and durability")
        if cursor.skip("or", "equip"):
            key = self.card_key(cursor, "equips", ("weapon",))
            self.emit("buff_weapon_or_equip", 0, key, attack, durability)
            return
        side = self.side(cursor)
        self.emit("weapon", 0, 0, self.constant(attack), self.constant(durability), side)

    def do_hand(self, cursor: Cursor) -> None:
        """`hand +1/+1 [random] [RACE]`: minions in the own hand."""
        attack, health = self.pair(cursor)
        one = 1 if cursor.skip("random") else 0
        race = words.RACE_BITS[cursor.take()] if cursor.next in words.RACE_BITS else 0
        self.emit("buff_hand", 0, one, attack, health, race)

    def do_overload(self, cursor: Cursor) -> None:
        self.emit("overload", 0, 0, self.amount(cursor))

    def do_mark(self, cursor: Cursor) -> None:
        for index, phrase in enumerate(words.MARKS):
            if cursor.skip(*phrase.split()):
                amount = cursor.number(0, HIGHEST) if NUMBER.fullmatch(cursor.next) else 0
                kind = words.TYPES[self.card.type]
                if phrase == BACK and kind not in HELD:
                    raise cursor.fail(f"a {kind} does not come back to the hand")
                self.emit("mark", index, 0, amount)
                return
        raise cursor.fail(f"marks are: {', '.join(words.MARKS)}")

    # Secrets and attacks

    def do_counter(self, cursor: Cursor) -> None:
        self.emit("counter")

    def do_prevent(self, cursor: Cursor) -> None:
        self.emit("prevent")

    def do_redirect(self, cursor: Cursor) -> None:
        cursor.expect("to")
        self.emit("retarget", 0, self.group(cursor))

    def do_joust(self, cursor: Cursor) -> None:
        self.emit("joust")

    # Flow

    def do_hold(self, cursor: Cursor) -> None:
        self.emit("hold", 0, self.group(cursor))

    def do_if(self, cursor: Cursor) -> None:
        value, how, number = read_condition(self.tables, cursor, self.card)
        test = self.emit("when", how, value, number)
        self.braces(cursor)
        if cursor.skip("else"):
            over = self.emit("jump")
            self.patch(test)
            self.braces(cursor)
            self.patch(over)
        else:
            self.patch(test)

    def do_repeat(self, cursor: Cursor) -> None:
        if self.loops == MOST_LOOPS:
            raise cursor.fail(f"at most {MOST_LOOPS} 'repeat' stand inside each other")
        loop = self.emit("loop", 0, self.amount(cursor))
        self.loops += 1
        self.braces(cursor)
        self.loops -= 1
        end = self.emit("loop_end")
        op, x, a, b, _, d = self.code[loop]
        self.code[loop] = (op, x, a, b, end, d)

    def braces(self, cursor: Cursor) -> None:
        cursor.expect("{")
        self.read_sequence(cursor)
        cursor.expect("}")
