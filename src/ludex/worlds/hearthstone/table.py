"""The table in a terminal: both heroes, minions in a row, and the hand with its texts, in colours.

With seven minions on both sides and ten cards in hand it takes 23 lines of 80 columns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ludex.core.paint import paint
from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Card, Tables
from ludex.worlds.hearthstone.wording import card_text

WIDTH = 79
NARROWEST = 72
CELLS = (10, 18)  # the fewest and the most columns of a minion
NAME = 22  # columns of the name of a card in hand
SILENCED, FROZEN, SICK = 1, 2, 4
HERO_FROZEN, HERO_IMMUNE = 1, 2
MULLIGAN, CHOICE, OVER = 1, 2, 3
MARKS = ("taunt", "shield", "stealth", "windfury", "poisonous", "lifesteal", "immune", "charge")
"""keywords that are shown below a minion"""
ASLEEP = "zzz"


@dataclass(frozen=True, slots=True)
class Seen:
    """What is drawn: the facts of a state, and what a seat may know or do."""

    facts: dict[str, Any]
    seat: int | None
    """who looks; None shows everything"""
    offered: tuple[int, ...] = ()
    playable: Collection[int] = ()
    """places in the hand of cards that can be played now"""
    power_ready: bool = False
    """whether the seat can use its hero power now"""
    width: int = WIDTH

    @property
    def below(self) -> int:
        return self.seat or 0


def turn_of(turn: int) -> int:
    """Which turn of the player it is, as players count: both have a first one.

    >>> turn_of(1), turn_of(2), turn_of(3)
    (1, 1, 2)
    """
    return (turn + 1) // 2


def cut(text: str, width: int) -> str:
    """Text of at most this width.

    >>> cut("Deal 6 damage", 8)
    'Deal 6 …'
    """
    return text if len(text) <= width else text[: width - 1] + "…"


def two_rows(name: str, width: int) -> tuple[str, str]:
    """A name in two rows, broken between words where it can be.

    >>> two_rows("Silver Hand Recruit", 11), two_rows("Wisp", 11)
    (('Silver Hand', 'Recruit'), ('Wisp', ''))
    """
    rows = [""]
    for word in name.split():
        joined = f"{rows[-1]} {word}".strip()
        if len(joined) <= width or not rows[-1]:
            rows[-1] = joined
        else:
            rows.append(word)
    return cut(rows[0], width), cut(" ".join(rows[1:]), width)


class Table:
    """Draws what lies on a table."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def text(self, seen: Seen) -> str:
        return "\n".join(self.lines(seen))

    def lines(self, seen: Seen) -> Iterator[str]:
        below, players = seen.below, seen.facts["players"]
        foe, own = players[1 - below], players[below]
        if seen.seat is None:
            yield from self.hand(foe, seen, ())
        yield from self.hero(foe, seen, 1 - below)
        yield from self.row(foe["board"], "e", seen.width)
        yield self.middle(seen)
        yield from self.row(own["board"], "m", seen.width)
        yield from self.hero(own, seen, below)
        if seen.offered:
            yield "Choose a card:"
            yield from (self.offer(at, card, seen.width) for at, card in enumerate(seen.offered))
        yield from self.hand(own, seen, seen.playable)

    def name(self, card: int) -> str:
        return self.tables.card(card).name if card else "?"

    def who(self, seen: Seen, seat: int) -> str:
        if seen.seat is None:
            return f"Seat {seat}"
        return "You" if seat == seen.seat else "Foe"

    def middle(self, seen: Seen) -> str:
        text = f"── {self.situation(seen)} "
        return paint(text + "─" * (seen.width - len(text)), "yellow")

    def situation(self, seen: Seen) -> str:
        facts, seat = seen.facts, seen.seat
        if facts["phase"] == OVER:
            winner = facts["winner"]
            if winner == 2:
                return "Nobody has won"
            return f"{self.who(seen, winner)} {'have' if winner == seat else 'has'} won"
        is_own = facts["active"] == seat
        if facts["phase"] == MULLIGAN:
            return "Your first hand: throw back what you do not want, or keep all"
        whose = "your turn" if is_own else f"turn of {self.who(seen, facts['active']).lower()}"
        what = ": choose a card" if facts["phase"] == CHOICE else ""
        return f"Turn {turn_of(facts['turn'])}, {whose}{what}"

    # Heroes

    def hero(self, player: dict[str, Any], seen: Seen, seat: int) -> Iterator[str]:
        """One line, and a second where there is more to say than usual."""
        who = self.who(seen, seat)
        shows_hand = who == "Foe"
        is_ready = seen.power_ready and seat == seen.seat
        health = f"{player['health']} health"
        if player["armour"]:
            health += f" +{player['armour']} armour"
        parts = [
            f"{who}: {self.name(player['hero'])}",
            health,
            f"mana {player['mana']}/{player['crystals']}",
            *([f"hand {len(player['hand'])}"] if shows_hand else []),
            f"deck {len(player['deck'])}",
            *([self.power(player, is_ready)] if not shows_hand else []),
        ]
        colour = "cyan" if who == "You" else "red" if who == "Foe" else ""
        yield paint(cut("  ".join(parts), seen.width), colour, "", "bold")
        if more := list(self.belongings(player)):
            yield paint(cut("     " + "  ".join(more), seen.width), colour)

    def power(self, player: dict[str, Any], is_ready: bool) -> str:
        """The hero power with its cost; a star if it can be used now, as cards have one."""
        star = "*" if is_ready else ""
        used = " used" if player["power_used"] else ""
        return f"{self.name(player['power'])}{star} ({player['power_cost']}){used}"

    def belongings(self, player: dict[str, Any]) -> Iterator[str]:
        if player["weapon"]:
            attack = player["weapon_attack"] + player["weapon_aura"]
            yield f"weapon {self.name(player['weapon'])} {attack}/{player['durability']}"
        if player["total_attack"] > 0:
            yield f"attack {player['total_attack']}"
        if player["secrets"]:
            known = [self.name(card) for card in player["secrets"] if card]
            count = len(player["secrets"])
            yield f"secrets: {', '.join(known)}" if known else f"secrets: {count}"
        if player["flags"] & HERO_FROZEN:
            yield "frozen"
        if player["immune"]:
            yield "immune"
        if player["owed"] or player["locked"]:
            yield f"overload {player['locked'] + player['owed']}"
        if player["fatigue"]:
            yield f"fatigue {player['fatigue']}"

    # Minions

    def row(self, board: list[dict[str, Any]], letter: str, room: int) -> Iterator[str]:
        """Minions side by side: number and values, name, what is special."""
        if not board:
            yield paint(" (no minions)", "", "", "dim")
            return
        width = max(CELLS[0], min(CELLS[1], (room - 1) // len(board)))
        codes = (f"{letter}{at}" for at in range(1, len(board) + 1))
        cells = [self.cell(*one, width) for one in zip(board, codes, strict=True)]
        for line in zip(*cells, strict=True):
            if any(text.strip() for text, _ in line):
                yield " " + "".join(painted for _, painted in line).rstrip()

    def cell(self, minion: dict[str, Any], code: str, width: int) -> list[tuple[str, str]]:
        """Four rows, each as it is and in colours."""
        marks = self.marks(minion, is_own=code.startswith("m"))
        first, second = two_rows(self.name(minion["card"]), width - 1)
        colour = "yellow" if "taunt" in marks else ""
        return [
            self.values(minion, code, width),
            padded(first, colour, width),
            padded(second, colour, width),
            padded(short_marks(marks, width - 1), "magenta", width),
        ]

    def values(self, minion: dict[str, Any], code: str, width: int) -> tuple[str, str]:
        """The number of a minion, its attack and health; a star if it can attack."""
        card = self.tables.card(minion["card"])
        attack, health = minion["total_attack"], minion["health"]
        star = "*" if minion["can_attack"] else ""
        plain = f"{code}{star} {attack}/{health}".ljust(width)
        hurt = health < minion["max_health"]
        best = "red" if hurt else "green" if health > card.health else ""
        painted = (
            paint(code + star, "green" if star else "", "", "bold")
            + " "
            + paint(str(attack), "green" if attack > card.attack else "", "", "bold")
            + "/"
            + paint(str(health), best, "", "bold")
        )
        return plain, painted + " " * (width - len(plain.rstrip()))

    def marks(self, minion: dict[str, Any], is_own: bool) -> list[str]:
        bits, flags = minion["all_keywords"], minion["flags"]
        marks = [word for word in MARKS if bits & words.KEYWORDS[word]]
        marks += ["frozen"] if flags & FROZEN else []
        marks += ["silenced"] if flags & SILENCED else []
        if is_own and flags & SICK and "charge" not in marks and minion["total_attack"] > 0:
            marks.append(ASLEEP)
        return marks

    # Cards

    def hand(self, player: dict[str, Any], seen: Seen, playable: Collection[int]) -> Iterator[str]:
        hidden = sum(1 for card in player["hand"] if not card[0])
        for at, (held, cost) in enumerate(zip(player["hand"], player["costs"], strict=True)):
            if held[0]:
                text = self.card_line(held[0], cost, seen.width, (held[3], held[4]))
                yield self.held(at, text, at in playable)
        if hidden:
            yield paint(f" {hidden} unknown cards", "", "", "dim")

    def held(self, at: int, text: str, is_playable: bool) -> str:
        """A card in hand; a star if it can be played now."""
        number = f"{at + 1:>2}" + ("*" if is_playable else " ")
        if not is_playable:
            return paint(number, "", "", "bold") + paint(text, "", "", "dim")
        named = 6 + NAME
        begin, end = text[:named], text[named:]
        return paint(number, "green", "", "bold") + paint(begin, "", "", "bold") + paint(end)

    def offer(self, at: int, card: int, width: int) -> str:
        line = self.card_line(card, self.tables.card(card).cost, width)
        return paint(f"{at + 1:>2}*{line}", "", "", "bold")

    def card_line(self, number: int, cost: int, width: int, bonus: tuple[int, int] = (0, 0)) -> str:
        """A card in one line: cost, name, values and as much of its text as fits."""
        card = self.tables.card(number)
        text = card_text(card.key, self.tables)
        begin = f"{f'({cost})':>4} {cut(card.name, NAME):<{NAME}} {stats_text(card, bonus):<6} "
        return cut(begin + text, width - 3).rstrip()

    def foot(self, seen: Seen) -> str:
        """The mana and the hand in one line."""
        own = seen.facts["players"][seen.below]
        mana = f"mana {own['mana']}/{own['crystals']}"
        room = (WIDTH - len(mana)) // max(1, len(own["hand"])) - 5
        cards = [f"{at} {cut(self.name(held[0]), room)}" for at, held in enumerate(own["hand"], 1)]
        return cut("  ".join([mana, *cards]), WIDTH)


def stats_text(card: Card, bonus: tuple[int, int] = (0, 0)) -> str:
    """Attack and health of what fights, else what it is.

    >>> stats_text(Card("X", "Wisp", 1, attack=1, health=1)), stats_text(Card("Y", "Zap", 2))
    ('1/1', 'spell')
    """
    kind = words.TYPES[card.type]
    if kind in ("minion", "weapon"):
        return f"{card.attack + bonus[0]}/{card.health + bonus[1]}"
    return "secret" if card.keywords & words.KEYWORDS["secret"] else kind


def padded(text: str, colour: str, width: int) -> tuple[str, str]:
    painted = paint(text, colour) if text else ""
    return text.ljust(width), painted + " " * (width - len(text))


def short_marks(marks: list[str], width: int) -> str:
    """What is special about a minion, in as few letters as it takes.

    >>> short_marks(["taunt", "zzz"], 10), short_marks(["taunt", "shield", "frozen"], 10)
    ('taunt zzz', 'ta sh fr')
    """
    for letters in (10, 5, 3, 2):
        text = " ".join(mark[:letters] for mark in marks)
        if len(text) <= width:
            return text
    return cut(" ".join(mark[:2] for mark in marks), width)
