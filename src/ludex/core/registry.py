"""Finds worlds, models, planners and agents by the names of their files.

A part is imported only when it is asked for. Parts of other packages are found through entry
points in the groups `ludex.worlds`, `ludex.models`, `ludex.planners` and `ludex.agents`.
"""

from __future__ import annotations

import importlib
import keyword
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ludex.core.capabilities import HoldsGames
from ludex.core.errors import BadParameter, LudexError, UnknownName, did_you_mean
from ludex.core.names import Named, read_world
from ludex.core.user_file import is_file_name, load_class
from ludex.core.world import World

Group: TypeAlias = Literal["worlds", "models", "planners", "agents"]
GROUPS: tuple[Group, ...] = ("worlds", "models", "planners", "agents")
NOT_PARTS = {"parts", "aliases", "compose", "expert", "files", "learning_mind"}
NOT_PARTS |= {"recent_views", "sources"}


@cache
def places(group: Group) -> dict[str, str]:
    """Map each name of a group to `module:Class`."""
    found: dict[str, str] = {}
    package = importlib.import_module(f"ludex.{group}")
    for info in pkgutil.iter_modules(package.__path__):
        if info.name in NOT_PARTS or info.name.startswith("_"):
            continue
        module = f"{package.__name__}.{info.name}"
        if info.ispkg and group in ("models", "agents"):
            # models/learned/tabular.py is `tabular`; agents/pig/optimal.py is `pig/optimal`.
            prefix = f"{info.name}/" if group == "agents" else ""
            # Folders within them hold what they are made of.
            for inner in pkgutil.iter_modules(importlib.import_module(module).__path__):
                if not inner.name.startswith("_") and not inner.ispkg:
                    place = f"{module}.{inner.name}:{class_name(inner.name)}"
                    found[prefix + inner.name] = place
        else:
            found[info.name] = f"{module}:{class_name(info.name)}"
    for point in entry_points(group=f"ludex.{group}"):
        found.setdefault(point.name, point.value)
    return dict(sorted(found.items()))


def names(group: Group) -> list[str]:
    return list(places(group))


def class_name(file_name: str) -> str:
    """A module's main class bears its name.

    >>> class_name("open_loop_mcts"), class_name("true")
    ('OpenLoopMcts', 'True_')
    """
    name = "".join(word.capitalize() for word in file_name.split("_"))
    return f"{name}_" if keyword.iskeyword(name) else name


def load(group: Group, name: str) -> Any:
    """Import one part and return its class."""
    place = places(group).get(name)
    if place is None:
        known = names(group)
        singular = group.removesuffix("s")
        hint = did_you_mean(name, known, most=5)
        raise UnknownName(f"no {singular} named {name!r}{hint} (ludex list {group})")
    module, _, attribute = place.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise LudexError(
            f"{name!r} is registered as {place} but cannot be loaded: {error}"
        ) from error


WORLDS: dict[str, World] = {}
"""worlds by the text that names them, until a file that they were read from changes"""


def world(text: str) -> World:
    """Make the world that a text such as `nim[heaps=3-4-5]` names, or give the one made before.

    A world that holds several games reads `vgdl/aliens`, and one that reads files a path;
    `file.py:Class` is a world in a file of the user's own. A world is made anew when what is in
    its files has changed; those made before keep what they had.
    """
    known = WORLDS.get(text)
    if known is None or not known.is_current() or is_other_class(known, text):
        known = WORLDS[text] = made_world(text)
        _ = known.as_read  # now, so that a later change does not reach it
    return known


def is_other_class(known: World, text: str) -> bool:
    """Whether the file of a world of the user's own was changed, and has another class now."""
    return bool(known.place) and load_class(read_world(text).name, "world") is not type(known)


def made_world(text: str) -> World:
    named = read_world(text)
    if is_file_name(named.name):
        return world_in_file(named)
    head, slash, rest = named.name.partition("/")
    for reader in names("worlds") if "." in named.name else ():
        if named.name.endswith(load("worlds", reader).files or ("\0",)):
            made = load("worlds", reader).from_name(named.name, named.arguments)
            break
    else:
        if slash and head in names("worlds"):
            made = load("worlds", head).from_name(rest, named.arguments)
        else:
            check_whole_name(named.name)
            made = load("worlds", named.name).from_texts(named.arguments)
    assert isinstance(made, World)
    return made


def check_whole_name(name: str) -> None:
    """Raise where no world has this name; games are suggested with the world that holds them."""
    known = names("worlds")
    if name in known:
        return
    games: dict[str, str] = {}
    for holder in known:
        cls = load("worlds", holder)
        for suffix in cls.files:
            if Path(f"{name}{suffix}").is_file():
                file = f"{name}{suffix}"
                raise UnknownName(f"no world named {name!r}; did you mean the file {file!r}?")
        if isinstance(cls, HoldsGames):
            games |= {game: f"{holder}/{game}" for game, _ in cls.games()}
    if name in games:
        raise UnknownName(f"no world named {name!r}; did you mean {games[name]!r}?")
    hint = did_you_mean(name, [*known, *games.values()], most=5)
    raise UnknownName(f"no world named {name!r}{hint} (ludex list worlds, ludex list games)")


def world_in_file(named: Named) -> World:
    """Make a world of a class in a file; its text names the file from then on."""
    cls = load_class(named.name, "world")
    if not issubclass(cls, World):
        raise BadParameter(f"{named.name} is not a world: it is no subclass of ludex.core.World")
    path, _, _ = named.name.rpartition(":")
    cls.place = f"{Path(path).resolve()}:{cls.__name__}"
    return cls.from_texts(named.arguments)
