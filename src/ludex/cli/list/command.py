"""`ludex list`: what is here, with its status."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from ludex.cli.list.catalogue import ALIASES, KINDS, OTHER_WORDS, WORDS, parts_of
from ludex.cli.shared.options import Json, read_choice

WITH_PARAMETERS = ("worlds", "planners", "agents", "models")


def list_parts(
    kind: Annotated[
        str | None, typer.Argument(metavar=f"[{'|'.join(WORDS)}]", help="One kind of part.")
    ] = None,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One part, with all its parameters.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Each part of every kind; of one kind, with parameters.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the worlds, games, planners, agents and models there are, or one of them."""
    from ludex.cli.list import one_part, tables
    from ludex.cli.shared import screen

    if kind is not None:
        kind = OTHER_WORDS.get(kind.lower(), kind)
    if kind is not None and name is None and kind not in WORDS:
        kind, name = one_part.kind_of(kind), kind  # a part may be named alone
    if kind is not None and name is not None:
        kind = read_choice(kind, WORDS, "kind of part")
        part = one_part.details_of(kind, name)
        if json:
            screen.print_json({kind: [document(part)]})
        else:
            tables.show_one(part)
        return
    if kind is None and not json and not everything:
        tables.show_overview()
        return
    found = {one: parts_of(one) for one in (KINDS if kind is None else (kind,))}
    if json:
        screen.print_json(found)
        return
    for one, parts in found.items():
        if one != ALIASES and (parts or kind is not None):
            tables.show_kind(one, parts, detailed=kind is not None and everything)
    if kind == ALIASES or everything:
        if kind in (None, "agents", ALIASES):
            tables.show_aliases(parts_of(ALIASES))
    elif kind == "agents":
        tables.show_lines(ALIASES, parts_of(ALIASES), "GVGAI's names (ludex list aliases)")
    if kind in WITH_PARAMETERS and not everything:
        tables.show_more(kind)


def document(part: Any) -> dict[str, Any]:
    """One part as lists have it, with all that is known of it."""
    told = asdict(part)
    parameters = told.pop("parameters")
    summary = " ".join(part.about.partition("\n\n")[0].split())
    return {
        "name": part.name,
        "summary": summary,
        **told,
        "parameters": {one["name"]: one["default"] for one in parameters},
        "details": parameters,
    }
