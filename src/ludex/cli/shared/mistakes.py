"""Warnings about mistakes in a VGDL file that is played nevertheless."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.core.world import World

MOST_SHOWN = 10


def warn_of_mistakes(world: World) -> None:
    """Name each mistake in a game file of the user's own in a line on standard error."""
    from ludex.cli.shared import screen
    from ludex.worlds.vgdl.world import Vgdl

    found = world.mistakes() if isinstance(world, Vgdl) else ()
    console = screen.messages()
    for problem in found[:MOST_SHOWN]:
        place, _, rest = str(problem).partition(": ")
        console.print(screen.line(f"{place}: ", ("warning", "yellow"), f": {rest}"), soft_wrap=True)
    if len(found) > MOST_SHOWN:
        assert isinstance(world, Vgdl)
        more = f"and {len(found) - MOST_SHOWN} more: ludex vgdl check {world.game}"
        console.print(screen.line((more, "yellow")), soft_wrap=True)
