"""Registers every world and every VGDL game with Gymnasium; importing this module does it.

`gymnasium.make("ludex/nim-v0", seat=1, opponents=["mcts"])`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gymnasium.envs.registration import register, registry

from ludex.core.registry import names
from ludex.worlds.vgdl.survey import descriptions, levels_of
from ludex.worlds.vgdl.world import GAMES, Vgdl, games

SEAT_ENV = "ludex.adapters.gymnasium_env:SeatEnv"
GAME_ENV = "ludex.adapters.vgdl_env:GameEnv"
BATCH_ENV = "ludex.adapters.batch_env:BatchEnv"
OWN_LEVEL = re.compile(r"level(\d+)\.txt")


def register_worlds() -> list[str]:
    """Register what is not registered yet, and return all ids."""
    ids: list[str] = []
    for world in names("worlds"):
        ids.append(f"ludex/{world}-v0")
        if ids[-1] in registry:
            continue
        if world == Vgdl.name:  # `game` says which
            register(ids[-1], entry_point=GAME_ENV, vector_entry_point=BATCH_ENV)
        else:
            register(ids[-1], entry_point=SEAT_ENV, kwargs={"world": world})
    for game, _ in games():
        ids += register_game(game, game, own_levels(game))
    return ids


def register_games(folder: Path | str) -> list[str]:
    """Register the games of a collection: NAME.txt with its levels NAME_lvlN.txt.

    Returns the ids: `ludex/NAME-v0`, and `gvgai-NAME-lvlN-v0` for each level. A name that is
    taken, by one of our own games or by an earlier one of the collection, is left alone.
    """
    ids: list[str] = []
    for path in descriptions(Path(folder)):
        ids += register_game(re.sub(r"[^\w.-]", "_", path.stem), str(path), levels_of(path))
    return ids


def register_game(name: str, game: str, levels: Iterator[int] | list[int]) -> list[str]:
    ids = list(add_game(f"ludex/{name}-v0", {"game": game}))
    for level in levels:
        ids += add_game(
            f"gvgai-{name}-lvl{level}-v0", {"game": game, "level": level, "observation": "pixels"}
        )
    return ids


def add_game(identity: str, options: dict[str, Any]) -> Iterator[str]:
    if identity not in registry:
        register(identity, entry_point=GAME_ENV, vector_entry_point=BATCH_ENV, kwargs=options)
        yield identity
    elif registry[identity].kwargs.get("game") == options["game"]:
        yield identity


def own_levels(game: str) -> list[int]:
    found = (OWN_LEVEL.fullmatch(path.name) for path in (GAMES / game).iterdir())
    return sorted(int(one[1]) for one in found if one)


register_worlds()
