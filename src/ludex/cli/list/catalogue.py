"""The parts there are, by kind: names, summaries, statuses and parameters."""

from __future__ import annotations

import re
from typing import Any

KINDS = ("worlds", "games", "planners", "agents", "models", "studies")
EXPERIMENTS = ("studies", "experiments")  # two words for the published experiments
ALIASES = "aliases"  # the names of GVGAI's controllers
WORDS = (*KINDS, "experiments", ALIASES)
OTHER_WORDS = {"gvgai": ALIASES, "alias": ALIASES}  # what else people type for a kind
SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z`])")


def names_in(kind: str) -> list[str]:
    """The names of a kind; of registered parts nothing is imported."""
    from ludex.core import registry

    if kind in registry.GROUPS:
        group: Any = kind
        return registry.names(group)
    return [part["name"] for part in parts_of(kind)]


def parts_of(kind: str) -> list[dict[str, Any]]:
    """Describe each part of a kind; one that cannot be imported is listed as broken."""
    from ludex.core import registry

    if kind == "games":
        return [game for part in parts_of("worlds") for game in games_of(part)]
    if kind in EXPERIMENTS:
        return published_experiments()
    if kind == ALIASES:
        return gvgai_names()
    group: Any = kind
    return [describe(group, name) for name in registry.names(group)]


def describe(group: Any, name: str) -> dict[str, Any]:
    from ludex.core import registry
    from ludex.core.world import World

    try:
        part = registry.load(group, name)
    except Exception as error:  # whatever a part does when imported, the others are listed
        reason = str(error) or type(error).__name__
        return {"name": name, "summary": " ".join(reason.split()), "status": "broken"}
    described = {
        "name": name,
        "summary": first_sentence(part.__doc__ or ""),
        "status": getattr(part, "status", "ready"),
        "parameters": parameters_of(part),
    }
    if isinstance(part, type) and issubclass(part, World):
        described |= {"version": part.version, "players": list(part.players)}
    return described


def first_sentence(text: str) -> str:
    r"""The first sentence of a docstring, on however many lines it stands.

    >>> first_sentence("Search a tree,\n    best first. Then act.\n\n    More.")
    'Search a tree, best first.'
    """
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    return SENTENCE_END.split(paragraph, maxsplit=1)[0]


def parameters_of(part: Any) -> dict[str, str]:
    """The parameters of a part with their defaults, as they are written in names."""
    from dataclasses import MISSING, is_dataclass

    from ludex.core.parameters import in_reading_order, write_value

    if not is_dataclass(part):
        return {}
    return {
        item.name: "" if item.default is MISSING else write_value(item.default)
        for item in in_reading_order(part)
        if item.init
    }


def games_of(part: dict[str, Any]) -> list[dict[str, Any]]:
    """The games of a world: its own `games()`, where it holds several, or itself."""
    from ludex.core import registry
    from ludex.core.capabilities import HoldsGames

    basic = {key: part[key] for key in ("name", "summary", "status")}
    if part["status"] == "broken":
        return [basic]
    cls = registry.load("worlds", part["name"])
    if not isinstance(cls, HoldsGames):
        return [basic]
    return [
        {"name": f"{part['name']}/{name}", "summary": summary, "status": part["status"]}
        for name, summary in cls.games()
    ]


def published_experiments() -> list[dict[str, Any]]:
    """The published experiments that can be repeated."""
    from ludex.experiments.catalogue import experiments, surveys

    found: dict[str, Any] = {**experiments(), **surveys()}
    return [{"name": name, "summary": one.title, "status": "ready"} for name, one in found.items()]


def gvgai_names() -> list[dict[str, Any]]:
    """The controllers of GVGAI that have an equal here."""
    from ludex.agents.aliases import ALIASES as ALL

    return [
        {"name": one.name, "summary": one.meaning, "status": "ready", "agent": one.agent}
        for one in ALL
    ]
