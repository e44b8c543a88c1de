"""Positions of Hearthstone made by hand, with cards called by their names."""

from __future__ import annotations

from typing import Any

from ludex.core.rng import Rng
from ludex.worlds.hearthstone import _native, profiles
from ludex.worlds.hearthstone.decks import CLASS_HEROES
from ludex.worlds.hearthstone.language.tables import Tables

END, PLAY, ATTACK, POWER, CHOOSE = range(5)
PLACES = {"me": 1, "foe": 2}


class Game:
    """A position that is played on; seat 0 is to move, seat 1 the other."""

    def __init__(
        self,
        mine: dict[str, Any] | None = None,
        theirs: dict[str, Any] | None = None,
        tables: Tables | None = None,
        **options: int,
    ) -> None:
        self.tables = tables or profiles.load("competition")
        self.names = {
            card.name.lower(): number
            for number, card in reversed(list(enumerate(self.tables.cards, 1)))
            if card.type not in (4, 6)  # heroes and enchantments
        }
        hero = self.tables.numbers["HERO_08"]
        cards = _native.CardSet(*self.tables.native_rows())
        how = {"all_places": 1} | options
        self.model = _native.Model(cards, ([], []), (hero, hero), [], how)
        self.rng = Rng(1)
        order = iter(range(1, 100))
        players = [self.side(side or {}, order) for side in (mine, theirs)]
        self.state = self.model.built({"active": 0, "turn": 9, "players": players})

    def number(self, name: str) -> int:
        return self.tables.number(name) or self.names[name.lower()]

    def side(self, facts: dict[str, Any], order: Any) -> dict[str, Any]:
        made: dict[str, Any] = {"mana": 10, "crystals": 10, "max_health": 30}
        lists = ("hand", "deck", "board", "secrets", "weapon", "hero")
        made |= {key: value for key, value in facts.items() if key not in lists}
        made["hero"] = self.tables.numbers[CLASS_HEROES[facts.get("hero", "mage")]]
        for key in ("hand", "deck"):
            made[key] = [self.number(name) for name in facts.get(key, [])]
        for key in ("board", "secrets"):
            rows = [one if isinstance(one, dict) else {"name": one} for one in facts.get(key, [])]
            made[key] = [
                {"card": self.number(row["name"]), "order": next(order), **row} for row in rows
            ]
        if facts.get("weapon"):
            made |= {"weapon": self.number(facts["weapon"]), "weapon_order": next(order)}
        return made

    # What is done

    def target(self, word: str) -> int:
        if word in PLACES:
            return PLACES[word]
        return (2 if word[0] == "m" else 9) + int(word[1:])

    def do(self, action: int) -> Game:
        assert action in self.model.flat_legal(self.state), "the action must be legal"
        self.model.apply_flat(self.state, action, self.rng)
        return self

    def play(self, name: str, target: str = "", place: int | None = None, option: int = 0) -> Game:
        hand = [card[0] for card in self.me["hand"]]
        at = hand.index(self.number(name))
        minion = self.tables.card(self.number(name)).type == 1
        where = (len(self.me["board"]) if place is None else place) if minion else 0
        aim = self.target(target) if target else 0
        return self.do(_native.pack(PLAY, at, option, aim, where))

    def attack(self, who: str, target: str) -> Game:
        source = 7 if who == "me" else int(who[1:]) - 1
        return self.do(_native.pack(ATTACK, source, 0, self.target(target)))

    def power(self, target: str = "") -> Game:
        return self.do(_native.pack(POWER, 0, 0, self.target(target) if target else 0))

    def end_turn(self) -> Game:
        return self.do(_native.pack(END))

    def choose(self, place: int) -> Game:
        return self.do(_native.pack(CHOOSE, place))

    # What is seen

    @property
    def facts(self) -> dict[str, Any]:
        return self.model.described(self.state)

    @property
    def me(self) -> dict[str, Any]:
        """The player to move."""
        return self.facts["players"][self.state.active]

    @property
    def foe(self) -> dict[str, Any]:
        return self.facts["players"][1 - self.state.active]

    def board(self, side: str = "me") -> list[str]:
        """Minions as `Name attack/health`."""
        player = self.me if side == "me" else self.foe
        return [
            f"{self.tables.card(m['card']).name} {m['total_attack']}/{m['health']}"
            for m in player["board"]
        ]

    def hand(self, side: str = "me") -> list[str]:
        player = self.me if side == "me" else self.foe
        return [self.tables.card(card[0]).name for card in player["hand"]]

    def can(self, kind: int, source: int | None = None) -> list[tuple[int, ...]]:
        """The legal actions of a kind, and of a source where one is given."""
        found = [_native.unpack(action) for action in self.model.flat_legal(self.state)]
        return [one for one in found if one[0] == kind and source in (None, one[1])]
