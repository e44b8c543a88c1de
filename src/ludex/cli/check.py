"""`ludex check`: the conformance kit over one part."""

from __future__ import annotations

from typing import Annotated

import typer

from ludex.cli.options import Json, read_choice

KINDS = ("world", "planner", "model")


def check(
    kind: Annotated[str, typer.Argument(metavar="|".join(KINDS), help="What it is.")],
    name: Annotated[str, typer.Argument(help="Its name, or file.py:Class for one of your own.")],
    json: Json = False,
) -> None:
    """Check that a world, planner or model keeps its contract."""
    read_choice(kind, KINDS, "kind to check")
