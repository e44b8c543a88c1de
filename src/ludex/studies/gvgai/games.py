"""The twenty games of the rolling-horizon experiments."""

from __future__ import annotations

from ludex.arena.study import Game
from ludex.studies.collection import Collection

# As the study behind the chapter names them (Gaina, Liu, Lucas and Perez-Liebana 2017).
DETERMINISTIC = (
    *("camelRace", "chase", "escape", "hungrybirds", "missilecommand", "modality"),
    *("plaqueattack", "waitforbreakfast", "bait", "lemmings"),
)
STOCHASTIC = (
    *("aliens", "butterflies", "chopper", "crossfire", "digdug", "infection"),
    *("intersection", "seaquest", "survivezombies", "roguelike"),
)
STAND_INS = {"bait": "zenpuzzle", "lemmings": "labyrinth", "roguelike": "zelda"}
"""for games that the public release lacks: alike in chance, length and density of rewards"""


def twenty(collection: Collection, most: int, levels: int) -> tuple[tuple[Game, ...], list[str]]:
    """The games that are there, deterministic and stochastic in turn, and what is said of it."""
    taken: dict[str, str] = {}
    for pair in zip(DETERMINISTIC, STOCHASTIC, strict=True):
        for name in pair:
            stand_in = STAND_INS.get(name, name)
            taken[name] = name if name in collection.worlds else stand_in
    here, missing = collection.choose(list(taken.values()), most)
    notes = [f"{len(here)} games with {levels} of their 5 levels: {', '.join(here)}"]
    replaced = [f"{new} for {old}" for old, new in taken.items() if old != new and new in here]
    if replaced:
        notes.append(f"stand-ins for games that are not there: {', '.join(replaced)}")
    if missing and len(here) < most:
        notes.append(f"games that are not there: {', '.join(missing)}")
    return collection.games(here, levels), notes
