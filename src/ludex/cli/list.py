"""`ludex list`: what is here, with its status."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Annotated, Any

import typer

from ludex.cli.shared.options import Json, read_choice

KINDS = ("worlds", "games", "planners", "agents", "models", "studies")
WORDS = (*KINDS, "experiments")
EXPERIMENTS = ("studies", "experiments")  # two words for the published experiments
SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z`])")
STATUS_COLOURS = {"exact": "green", "ready": "green", "close": "yellow", "partial": "yellow"}


def list_parts(
    kind: Annotated[
        str | None, typer.Argument(metavar=f"[{'|'.join(WORDS)}]", help="One kind; all if none.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the worlds, planners, agents and models there are."""
    from ludex.cli.shared import screen

    kinds = KINDS if kind is None else (read_choice(kind, WORDS, "kind of part"),)
    found = {one: parts_of(one) for one in kinds}
    if json:
        screen.print_json(found)
        return
    if kind is None and names_of(found["games"]) == names_of(found["worlds"]):
        del found["games"]  # no world here holds several games
    for one, parts in found.items():
        if parts or kind is not None:
            show(one, parts, detailed=kind is not None)
    if kind is None:
        hint = "ludex list planners also shows the parameters of each."
        screen.answers().print(hint, style="dim")


def names_of(parts: list[dict[str, Any]]) -> list[str]:
    return [part["name"] for part in parts]


def parts_of(kind: str) -> list[dict[str, Any]]:
    """Describe each part of a kind; one that cannot be imported is listed as broken."""
    from ludex.core import registry

    if kind == "games":
        return [game for part in parts_of("worlds") for game in games_of(part)]
    if kind in EXPERIMENTS:
        return published_experiments()
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

    from ludex.core.parameters import write_value

    if not is_dataclass(part):
        return {}
    return {
        item.name: "" if item.default is MISSING else write_value(item.default)
        for item in fields(part)
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


def show(kind: str, parts: list[dict[str, Any]], detailed: bool) -> None:
    from rich.text import Text

    from ludex.cli.shared import screen

    console = screen.answers()
    if not parts:
        console.print(f"No {kind} are installed.")
        return
    with_parameters = detailed and any(part.get("parameters") for part in parts)
    columns = ("name", "status", "summary", *(("parameters",) if with_parameters else ()))
    listed = screen.table(kind, *columns)
    screen.keep_whole(listed, "name", "status")
    for part in parts:
        style = STATUS_COLOURS.get(part["status"], "red")
        row = [
            Text(part["name"], style="bold"),
            Text(part["status"], style=style),
            Text(part["summary"]),
        ]
        if with_parameters:
            items = part.get("parameters", {}).items()
            row.append(Text("\n".join(f"{name}={value}" for name, value in items), style="dim"))
        listed.add_row(*row)
    console.print(listed)
