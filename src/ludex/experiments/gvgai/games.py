"""The twenty games of the rolling-horizon experiments."""

from __future__ import annotations

from ludex.arena.study.study import Game
from ludex.experiments.collection import Collection

# As the study behind the chapter names them (Gaina, Liu, Lucas and Perez-Liebana 2017).
DETERMINISTIC = (
    *("camelRace", "chase", "escape", "hungrybirds", "missilecommand", "modality"),
    *("plaqueattack", "waitforbreakfast", "bait", "lemmings"),
)
STOCHASTIC = (
    *("aliens", "butterflies", "chopper", "crossfire", "digdug", "infection"),
    *("intersection", "seaquest", "survivezombies", "roguelike"),
)
STAND_INS = {"bait": ("zenpuzzle",), "lemmings": ("labyrinth",), "roguelike": ("zelda",)}
"""for games that the public release lacks: alike in chance, length and density of rewards"""


def twenty(collection: Collection, most: int, levels: int) -> tuple[tuple[Game, ...], list[str]]:
    """The available games, deterministic and stochastic in turn, and notes about them."""
    in_turn = [name for pair in zip(DETERMINISTIC, STOCHASTIC, strict=True) for name in pair]
    wanted = {name: STAND_INS.get(name, ()) for name in in_turn}
    return collection.games_or_stand_ins(wanted, most, levels)
