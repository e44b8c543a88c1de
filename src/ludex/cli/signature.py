"""`ludex signature`: one hash per part that changes when its behaviour does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli.shared.options import Json, read_choice

if TYPE_CHECKING:
    from ludex.testing.signature import Signed


def signature(
    names: Annotated[
        list[str] | None, typer.Argument(help="Worlds and planners; all if none.")
    ] = None,
    json: Json = False,
) -> None:
    """Print one hash per part that changes when behaviour does."""
    from ludex.cli.shared import screen
    from ludex.testing.signature import sign, sign_all

    chosen = read_parts(names or [])
    found: list[Signed] = []
    with screen.progress(screen.messages(), quiet=json) as progress:
        task = progress.add_task("signatures", total=len(chosen))
        for name in chosen:
            progress.update(task, description=name)
            found.append(sign(name))
            progress.advance(task)
    if json:
        rows = [one._asdict() for one in found]
        screen.print_json({"signatures": rows, "all": sign_all(found)})
    else:
        show(found, sign_all(found))


def read_parts(names: list[str]) -> list[str]:
    """The parts asked for, or all of them."""
    from ludex.testing.signature import bare_name, parts

    known = parts()
    for name in names:
        read_choice(bare_name(name), known, "world or planner")
    return names or known


def show(found: list[Signed], total: str) -> None:
    from rich.text import Text

    from ludex.cli.shared import screen

    shown = screen.table("signatures", "kind", "name", "signature", "of")
    for one in found:
        style = "red" if one.signature == "broken" else "bold"
        shown.add_row(one.kind, one.name, Text(one.signature, style=style), one.of)
    shown.add_row("", "all", Text(total, style="bold green"), f"{len(found)} parts")
    screen.answers().print(shown)
