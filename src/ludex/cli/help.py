"""`ludex help play`: the same as `ludex play --help`."""

from __future__ import annotations

from typing import Annotated, Any

import typer


def show_help(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]...", help="As in play or arena run.")
    ] = None,
) -> None:
    """Show the help of a command, or of all."""
    from ludex.core.errors import UnknownName, did_you_mean

    assert context.parent is not None
    here: Any = context.parent
    for word in words or ():
        below = getattr(here.command, "commands", {})
        if word not in below:
            hint = did_you_mean(word, below, most=5) or f"; it has {', '.join(below)}"
            where = here.command_path if below else f"{here.command_path}, which has no commands"
            raise UnknownName(f"no command {word!r} in {where}{hint if below else ''}")
        here = type(here)(below[word], info_name=word, parent=here)
    print(here.get_help())
