"""People who play video games at the terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ludex.cli.play.order import Order
from ludex.cli.shared.options import counted
from ludex.cli.shared.short_names import explain_names


def at_the_screen(order: Order) -> bool:
    """Whether a human plays a video game at a terminal, and not through a pipe."""
    from ludex.terminal.live_view import has_screen
    from ludex.worlds.vgdl.world import Vgdl

    return order.has_human and order.games == 1 and isinstance(order.world, Vgdl) and has_screen()


def play_at_the_screen(order: Order, record: Path | None) -> None:
    """Hand the terminal to the players, and say afterwards how it went."""
    from ludex.cli.shared import screen
    from ludex.terminal.arcade import Arcade
    from ludex.terminal.scene import outcome_text
    from ludex.terminal.terminal import Terminal
    from ludex.worlds.vgdl.world import Vgdl

    assert isinstance(order.world, Vgdl)
    seated = [None if seat in order.humans else agent for seat, agent in enumerate(order.agents)]
    setup = replace(order.setup, agents=seated, isolate=None)  # ours answer at once from here
    with Terminal() as terminal:
        done = Arcade(terminal, setup, record).run()
    console = screen.answers()
    assert done.record.outcome is not None
    console.print(
        screen.line((done.record.world, "bold"), f", {counted(done.record.steps, 'tick')}")
    )
    names = [order.short.get(agent, agent) for agent in done.record.agents]
    console.print(outcome_text(done.record.outcome, names))
    explain_names(order.short)
    if done.saved is not None:
        console.print(screen.line("wrote ", (str(done.saved), "bold")), soft_wrap=True)
