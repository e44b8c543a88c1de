"""Registers every world and every VGDL game with Gymnasium; importing this module does it.

`gymnasium.make("ludex:vgdl/aliens-v0")`, `gymnasium.make("ludex:ludex/nim-v0", seat=1)`
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from gymnasium.envs.registration import register, registry

from ludex.core.registry import names
from ludex.worlds.vgdl.tools.survey import descriptions, levels_of
from ludex.worlds.vgdl.world import GAMES, Vgdl, games

SEAT_ENV = "ludex.adapters.gymnasium_env:SeatEnv"
GAME_ENV = "ludex.adapters.vgdl_env:GameEnv"
BATCH_ENV = "ludex.adapters.batch_env:BatchEnv"
NOT_IN_A_NAME = re.compile(r"[^\w.-]")
OWN_LEVEL = re.compile(r"level(\d+)\.txt")


def register_worlds() -> list[str]:
    """Register what is not registered yet, and return all ids."""
    ids: list[str] = []
    for world in names("worlds"):
        ids.append(world_id(world))
        if ids[-1] in registry:
            continue
        if world == Vgdl.name:  # `game` says which
            register(ids[-1], entry_point=GAME_ENV, vector_entry_point=BATCH_ENV)
        else:
            register(ids[-1], entry_point=SEAT_ENV, kwargs={"world": world})
    for game, _ in games():
        ids += register_game(game, game, own_levels(game))
    return ids


def world_id(world: str) -> str:
    """The id of a world; where a VGDL game of ours has its name, that game has the plain id."""
    is_game = world in dict(games())
    return f"ludex/worlds.{world}-v0" if is_game else f"ludex/{world}-v0"


def register_games(folder: Path | str) -> list[str]:
    """Register the games of a collection: NAME.txt with its levels NAME_lvlN.txt.

    Returns the ids: `ludex/NAME-v0` unless a game or world of ours has that name,
    `vgdl/NAME-v0` unless a game of ours has it, and `gvgai-NAME-lvlN-v0` for each level, which
    from now on are those of the collection. Where several folders have a game of one name, it is
    written FOLDER.NAME.
    """
    paths = descriptions(Path(folder))
    stems = Counter(path.stem for path in paths)
    ours = {game for game, _ in games()}
    ids: list[str] = []
    for path in paths:
        full = path.stem if stems[path.stem] == 1 else f"{path.parent.name}.{path.stem}"
        name = NOT_IN_A_NAME.sub("_", full)
        for taken in [one for one in registry if one.startswith(f"gvgai-{name}-lvl")]:
            del registry[taken]
        if name not in ours:
            registry.pop(f"vgdl/{name}-v0", None)
            if name not in names("worlds"):
                registry.pop(f"ludex/{name}-v0", None)
        ids += register_game(name, str(path), levels_of(path))
    return ids


def register_game(name: str, game: str, levels: list[int]) -> list[str]:
    """Register a game and its levels; return the ids that now mean it."""
    options: dict[str, dict[str, Any]] = {
        f"ludex/{name}-v0": {"game": game},
        f"vgdl/{name}-v0": {"game": game},
    }
    for level in levels:
        identity = f"gvgai-{name}-lvl{level}-v0"
        options[identity] = {"game": game, "level": level, "observation": "pixels"}
    for identity, kwargs in options.items():
        if identity not in registry:
            register(identity, entry_point=GAME_ENV, vector_entry_point=BATCH_ENV, kwargs=kwargs)
    return [one for one in options if registry[one].kwargs.get("game") == game]


def own_levels(game: str) -> list[int]:
    found = (OWN_LEVEL.fullmatch(path.name) for path in (GAMES / game).iterdir())
    return sorted(int(one[1]) for one in found if one)


register_worlds()
