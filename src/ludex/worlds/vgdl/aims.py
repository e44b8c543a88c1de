"""Goals of a game that can be told by counting sprites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ludex.worlds.vgdl.language.definition import Ending, Game

COUNTED: dict[str, Literal["at most", "at least", "exactly"]] = {
    "SpriteCounter": "at most",
    "SpriteCounterMore": "at least",
    "MultiSpriteCounter": "exactly",
}


@dataclass(frozen=True, slots=True)
class Aim:
    """A condition that wins: so many sprites of these types together."""

    types: tuple[int, ...]
    limit: int
    relation: Literal["at most", "at least", "exactly"]

    def distance(self, counts: Sequence[int]) -> float:
        """How many sprites are too many or missing, given the number of each type."""
        surplus = sum(counts[number] for number in self.types) - self.limit
        if self.relation == "at most":
            return float(max(0, surplus))
        return float(abs(surplus) if self.relation == "exactly" else max(0, -surplus))


def aims_of(game: Game, seat: int) -> list[Aim]:
    """The counted conditions by which a seat wins; others, such as a time limit, are left out."""
    return [
        aim_of(game, one) for one in game.endings if one.condition in COUNTED and wins(one, seat)
    ]


def wins(ending: Ending, seat: int) -> bool:
    flags = ending.values["win"]
    return bool(flags and flags[min(seat, len(flags) - 1)])


def aim_of(game: Game, ending: Ending) -> Aim:
    named = [
        number
        for key, number in ending.values.items()
        if key.startswith("stype") and number is not None
    ]
    types = tuple(number for name in named for number in game.types[name].subtypes)
    return Aim(types, ending.values["limit"], COUNTED[ending.condition])
