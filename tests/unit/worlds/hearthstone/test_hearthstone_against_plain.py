"""The native engine and a plain Python engine of the 57-card game agree step by step."""

from __future__ import annotations

import os

import pytest
from plain_hearthstone import Body, PlainGame, Side

from ludex.core.rng import Rng
from ludex.worlds.hearthstone import Hearthstone, _native

GAMES = int(os.environ.get("LUDEX_PLAIN_GAMES", "60"))  # make soak plays 10,000
WORLD = Hearthstone(decks="random/random", pool="nora", turn_limit=500)
SILENCED, FROZEN = 1, 2
TAUNT, CHARGE = 1, 4


def name_of(number: int) -> str:
    card = WORLD.tables.card(number)
    return "Image" if card.key == "CS2_mirror" else card.name


def plain(state: _native.State) -> PlainGame:
    """The first state of a game, for the plain engine."""
    sides = []
    for seat in (0, 1):
        player = state.player(seat)
        hero = Body("hero", seat, 0, 30, 30, hero=True, new=False)
        hand = [name_of(card[0]) for card in player["hand"]]
        deck = [name_of(card) for card in player["deck"]]
        sides.append(Side(hero, hand, deck, [], player["mana"], player["crystals"]))
    return PlainGame(sides, state.active, None)


def native_picture(state: _native.State) -> list:
    facts = WORLD.model.described(state)
    picture: list = []
    for seat, player in enumerate(facts["players"]):
        board = [
            (
                name_of(m["card"]),
                m["total_attack"],
                m["health"],
                m["max_health"],
                bool(m["flags"] & FROZEN),
                bool(m["flags"] & SILENCED),
                bool(m["all_keywords"] & TAUNT),
                m["can_attack"],
            )
            for m in player["board"]
        ]
        hand = [name_of(card[0]) for card in player["hand"]]
        deck = [name_of(card) for card in player["deck"]]
        picture.append((player["health"], player["armour"], player["mana"], player["crystals"]))
        picture.append((player["fatigue"], hand, deck, board))
        picture.append(bool(player["flags"] & 1))
        assert seat in (0, 1)
    return picture


def plain_picture(game: PlainGame) -> list:
    picture: list = []
    for seat, side in enumerate(game.sides):
        board = [
            (
                m.name,
                m.strength,
                m.health,
                m.most,
                m.frozen,
                m.silenced,
                "taunt" in m.abilities,
                seat == game.active and game.can_attack(m),
            )
            for m in side.board
        ]
        picture.append((side.hero.health, side.hero.armour, side.mana, side.crystals))
        picture.append((side.fatigue, side.hand, side.deck, board))
        picture.append(side.hero.frozen)
    return picture


@pytest.mark.parametrize("part", range(4))
def test_both_engines_play_the_same_games(part):
    model = WORLD.model
    for number in range(part, GAMES, 4):
        start = Rng(number).fork("plain")
        state = WORLD.start(start)
        game = plain(state)
        choices = Rng(number).fork("choices")
        for step in range(2000):
            if model.over(state):
                break
            flat = list(model.legal(state, state.active))
            known = {_native.unpack(action) for action in flat}
            assert {(kind, source, target) for kind, source, _, target, _ in known} == game.legal()
            action = flat[choices.below(len(flat))]
            dice = Rng(number).fork("dice", step)
            game.rng = dice.copy()
            model.advance(state, (action,), dice)
            kind, source, _, target, _ = _native.unpack(action)
            game.do(kind, source, target)
            if model.over(state):
                break
            assert native_picture(state) == plain_picture(game), f"game {number} step {step}"
        assert game.over
        assert game.winner == (None if state.winner == 2 else state.winner)
