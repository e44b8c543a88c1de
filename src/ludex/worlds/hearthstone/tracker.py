"""Tracks hands, decks, boards, secrets, weapons and heroes from the events of one seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

from ludex.core.event import Event
from ludex.core.tracker import Counts
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.view import HearthstoneView

STANDING = ("health", "armour", "mana", "crystals", "weapon_attack", "durability")
"""numbers of a side that are told together, by their names in `state.player`"""
NAMES = ("hand size", "deck size", "minions", "secrets", "weapon", "fatigue", "standing", "hand")
"""of the facts of a table"""
MOST_FATIGUE = 255

HAND = {"draw": 1, "receive": 1, "play": -1, "discard": -1, "leave_hand": -1, "throw": -1}
DECK = {"draw": -1, "burn": -1, "leave_deck": -1, "join_deck": 1, "throw": 1}
BOARD = {"summon": 1, "join": 1, "die": -1, "leave": -1}
SECRETS = {"lay": 1, "reveal": -1, "lose_secret": -1}


def standing_of(side: dict[str, Any]) -> tuple[int, ...]:
    return tuple(side[name] for name in STANDING)


def table_of(side: dict[str, Any], own: bool) -> tuple[Hashable, ...]:
    """All that a tracker counts of one side; the cards of the hand for their owner alone."""
    return (
        len(side["hand"]),
        len(side["deck"]),
        tuple(sorted(minion["card"] for minion in side["board"])),
        len(side["secrets"]),
        side["weapon"],
        side["fatigue"],
        standing_of(side),
        tuple(sorted(card[0] for card in side["hand"])) if own else None,
    )


def public_counts(view: HearthstoneView) -> Counts:
    """What the tracker counts, read off a view."""
    seen = _native.seen_state(view.seen)
    counts: dict[str, Hashable] = {}
    for seat in (0, 1):
        counts |= named(seat, table_of(seen.player(seat), seat == view.seat))
    return counts


def named(seat: int, table: tuple[Hashable, ...]) -> dict[str, Hashable]:
    names = (
        "hand size",
        "deck size",
        "minions",
        "secrets",
        "weapon",
        "fatigue",
        "standing",
        "hand",
    )
    return {f"seat {seat}'s {name}": fact for name, fact in zip(names, table, strict=True)}


class Side:
    """What is counted of one side."""

    def __init__(self, table: Any) -> None:
        self.stand_as(table)

    def stand_as(self, table: Any) -> None:
        self.hand_size, self.deck_size, board, self.secrets, self.weapon, self.fatigue = table[:6]
        self.board = Counter(board)
        self.standing = table[6]
        self.hand = None if table[7] is None else Counter(table[7])

    def table(self) -> tuple[Hashable, ...]:
        return (
            self.hand_size,
            self.deck_size,
            tuple(sorted(self.board.elements())),
            self.secrets,
            self.weapon,
            self.fatigue,
            self.standing,
            None if self.hand is None else tuple(sorted(self.hand.elements())),
        )


class HearthstoneTracker:
    """What one player can count."""

    def __init__(self, view: HearthstoneView, is_minion: Callable[[int], bool]) -> None:
        seen = _native.seen_state(view.seen)
        self.sides = [Side(table_of(seen.player(seat), seat == view.seat)) for seat in (0, 1)]
        self.is_minion = is_minion

    def counts(self) -> Counts:
        return named(0, self.sides[0].table()) | named(1, self.sides[1].table())

    def observe(self, event: Event) -> None:
        kind, card = event.kind, event.detail
        side = self.sides[event.seat or 0]
        side.deck_size += DECK.get(kind, 0)
        side.secrets += SECRETS.get(kind, 0)
        if kind in HAND:
            side.hand_size += HAND[kind]
            if side.hand is not None:
                side.hand[card] += HAND[kind]
        on_board = BOARD.get(kind, int(kind == "play" and self.plays_a_minion(card)))
        if on_board:
            side.board[card] += on_board
        match kind:
            case "equip":
                side.weapon = card
            case "unequip":
                side.weapon = 0
            case "fatigue":
                side.fatigue = min(MOST_FATIGUE, side.fatigue + 1)
            case "standing":
                side.standing = card
            case "table":
                side.stand_as(card)

    def plays_a_minion(self, card: Hashable) -> bool:
        """Secrets are played without being named; they are no minions."""
        return isinstance(card, int) and self.is_minion(card)
