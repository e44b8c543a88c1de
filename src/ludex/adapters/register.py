"""Registers every world and every VGDL game with Gymnasium; importing this module does it.

`gymnasium.make("ludex:vgdl/aliens-v0")`, `gymnasium.make("ludex:ludex/nim-v0", seat=1)`

The levels of our games are `ludex-NAME-lvlN-v0`, those of a collection `gvgai-NAME-lvlN-v0`.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from gymnasium.envs.registration import register, registry

from ludex.core.registry import names
from ludex.worlds.vgdl.tools.survey import descriptions, levels_of
from ludex.worlds.vgdl.world import GAMES, Vgdl, games

SEAT_ENV = "ludex.adapters.gymnasium_env:SeatEnv"
GAME_ENV = "ludex.adapters.vgdl_env:GameEnv"
BATCH_ENV = "ludex.adapters.batch_env:BatchEnv"
OURS_ENV = "ludex.adapters.gvgai_ids:own_game"
SEVERAL_ENV = "ludex.adapters.gvgai_ids:one_of_several"
OURS_BATCH = "ludex.adapters.gvgai_ids:own_games"
MOST_NAMES = 4
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
        ids += register_game(game, game, own_levels(game), is_ours=True)
    return ids


def world_id(world: str) -> str:
    """The id of a world; where a VGDL game of ours has its name, that game has the plain id."""
    is_game = world in dict(games())
    return f"ludex/worlds.{world}-v0" if is_game else f"ludex/{world}-v0"


def register_games(folder: Path | str) -> list[str]:
    """Register the games of a collection: NAME.txt with its levels NAME_lvlN.txt.

    Returns the ids: `gvgai/NAME-v0`, `gvgai-NAME-lvlN-v0` for each level, and, unless a game or
    world of ours has that name, `ludex/NAME-v0` and `vgdl/NAME-v0`. Where several folders have a
    game of one name, it is written FOLDER.NAME, and NAME alone is refused from then on. Ids that
    meant other games until now, ours or those of another collection, are named in a warning, and
    so are names that several folders have.
    """
    paths = descriptions(Path(folder).absolute())
    stems = Counter(path.stem for path in paths)
    ours = {game for game, _ in games()}
    ids: list[str] = []
    replaced: dict[str, str] = {}
    for path in paths:
        full = path.stem if stems[path.stem] == 1 else f"{path.parent.name}.{path.stem}"
        name = NOT_IN_A_NAME.sub("_", full)
        taken = [one for one in registry if one.startswith(f"gvgai-{name}-lvl")]
        taken += [f"gvgai/{name}-v0"]
        if name not in ours:
            taken += [f"vgdl/{name}-v0"]
            if name not in names("worlds"):
                taken += [f"ludex/{name}-v0"]
        for identity in taken:
            spec = registry.pop(identity, None)
            is_other = spec is not None and spec.kwargs.get("game") not in (None, str(path))
            if spec is not None and is_other:
                replaced[name] = str(spec.kwargs["game"])
        ids += register_game(name, str(path), levels_of(path), is_ours=False)
    several = [stem for stem, count in stems.items() if count > 1]
    for stem in several:
        refuse_name(stem, [path for path in paths if path.stem == stem])
    told = [told_replaced(folder, replaced, ours)] if replaced else []
    if several:
        example = next(one for one in ids if f".{several[0]}-" in one)
        told.append(
            f"several folders have games named {in_short(several)}; their ids are written "
            f"FOLDER.NAME, as in {example}"
        )
    if told:
        warnings.warn("; ".join(told), stacklevel=3)
    return ids


def refuse_name(stem: str, paths: Sequence[Path]) -> None:
    """Let the ids of a name that several games have say how each of them is called."""
    name = NOT_IN_A_NAME.sub("_", stem)
    full = [NOT_IN_A_NAME.sub("_", f"{path.parent.name}.{stem}") for path in paths]
    levels = {f"gvgai-{{}}-lvl{level}-v0" for path in paths for level in levels_of(path)}
    for form in {"gvgai/{}-v0", *levels}:
        identity = form.format(name)
        registry.pop(identity, None)
        register(
            identity,
            entry_point=SEVERAL_ENV,
            kwargs={"identity": identity, "ids": [form.format(one) for one in full]},
        )


def told_replaced(folder: Path | str, replaced: Mapping[str, str], ours: Collection[str]) -> str:
    """Say which games had the ids of a collection before, and how ours are called now."""
    from_ours = [name for name, game in replaced.items() if game in ours]
    others = [name for name in replaced if name not in from_ours]
    told = []
    if from_ours:
        verb = "means" if len(from_ours) == 1 else "mean"
        told.append(
            f"gvgai-NAME-lvlN-v0 of {in_short(from_ours)} now {verb} what is in {str(folder)!r}; "
            "our games of that name are ludex-NAME-lvlN-v0 and vgdl/NAME-v0"
        )
    if others:
        before = sorted({str(Path(replaced[name]).parent) for name in others})
        told.append(
            f"the ids of {in_short(others)} now mean the games in {str(folder)!r}, no longer those "
            f"in {in_short(before)}"
        )
    return "; ".join(told)


def in_short(names: Sequence[str]) -> str:
    """The first few of many names.

    >>> in_short(["aliens", "chase"]), in_short(list("abcdef"))
    ('aliens, chase', 'a, b, c, d and 2 more')
    """
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def register_game(name: str, game: str, levels: list[int], is_ours: bool) -> list[str]:
    """Register a game and its levels; return the ids that now mean it."""
    plain: dict[str, dict[str, Any]] = {"ludex": {"game": game}, "vgdl": {"game": game}}
    if not is_ours:
        plain["gvgai"] = {"game": game}
    options = {f"{space}/{name}-v0": kwargs for space, kwargs in plain.items()}
    by_gvgai_id: set[str] = set()
    for level in levels:
        kwargs: dict[str, Any] = {"game": game, "level": level, "observation": "pixels"}
        if is_ours:
            options[f"ludex-{name}-lvl{level}-v0"] = kwargs
            by_gvgai_id.add(f"gvgai-{name}-lvl{level}-v0")
        options[f"gvgai-{name}-lvl{level}-v0"] = kwargs
    for identity, kwargs in options.items():
        if identity in registry:
            continue
        single, batch = (OURS_ENV, OURS_BATCH) if identity in by_gvgai_id else (GAME_ENV, BATCH_ENV)
        register(identity, entry_point=single, vector_entry_point=batch, kwargs=kwargs)
    return [one for one in options if registry[one].kwargs.get("game") == game]


def own_levels(game: str) -> list[int]:
    found = (OWN_LEVEL.fullmatch(path.name) for path in (GAMES / game).iterdir())
    return sorted(int(one[1]) for one in found if one)


register_worlds()
