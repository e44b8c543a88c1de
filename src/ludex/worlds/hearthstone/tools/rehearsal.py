"""Plays cards in test positions, to find those whose effects do not end."""

from __future__ import annotations

from typing import Any

from ludex.core.rng import Rng
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.language.tables import Card, Tables
from ludex.worlds.hearthstone.model import EVENT_KINDS

CUT = EVENT_KINDS.index("cut")
ACTIONS = 8  # tried after the card was played
TRIES = 6
MOST_TRIED = 1000  # cards of a file; more take minutes
MINION, WEAPON = 1, 3
FILLER = ("CS2_182", "CS2_231", "CS2_171")  # minions that say nothing, or charge


def endless(tables: Tables, cards: list[Card]) -> Card | None:
    """The first of these cards whose effects had to be stopped in a test."""
    native = _native.CardSet(*tables.native_rows())
    hero = tables.number("HERO_08")
    model = _native.Model(native, ([], []), (hero, hero), [], {})
    for card in cards[:MOST_TRIED]:
        number = tables.numbers[card.key]
        for attempt in range(TRIES):
            if found := stopped(model, position(tables, card), Rng(number).fork(attempt)):
                return tables.card(found)
    return None


def position(tables: Tables, card: Card) -> dict[str, Any]:
    """The card in hand, and on both boards where it can be there."""
    number = tables.numbers[card.key]
    filler = [tables.number(key) for key in FILLER]
    board = [number, number, *filler] if card.type == MINION else filler
    side: dict[str, Any] = {
        "hero": tables.number("HERO_08"),
        "health": 20,
        "mana": 10,
        "crystals": 10,
        "hand": [number, *filler] if card.collectible else filler,
        "deck": filler * 3,
        "secrets": [],
    }
    if card.type == WEAPON:
        side["weapon"] = number
    sides = []
    for seat in (0, 1):
        placed = [{"card": one, "order": 2 * at + seat + 1} for at, one in enumerate(board)]
        sides.append(side | {"board": placed})
    return {"active": 0, "turn": 10, "players": sides}


def stopped(model: _native.Model, where: dict[str, Any], rng: Rng) -> int:
    """Play at random; the number of the card that was stopped, or 0."""
    state = model.built(where)
    for _ in range(ACTIONS):
        legal = model.flat_legal(state)
        if not legal:
            break
        model.apply_flat(state, legal[rng.below(len(legal))], rng)
        for kind, _, card in state.told_events:
            if kind == CUT:
                return card
    return 0
