"""The live view of a game in a terminal, or its pictures one after the other without one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import Any, Self

from rich.console import Console
from rich.live import Live

from ludex.arena.match.play import play
from ludex.arena.match.runner import MatchResult
from ludex.arena.match.watcher import Draw, Step, Watcher
from ludex.arena.pictures.mind_view import board_of, layers_of, mind_lines
from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.outcome import Outcome
from ludex.core.world import World
from ludex.terminal.blocks import is_screen
from ludex.terminal.console import CleanConsole
from ludex.terminal.picture import show_state
from ludex.terminal.scene import Scene, panel
from ludex.terminal.terminal import Terminal

STOP = ("q", "ctrl-c")


class LiveView(Watcher):
    """Shows a match while it is played; without a terminal it prints every picture.

    Use it as a context manager, so that the terminal is left in order whatever happens.
    """

    reads_minds = True

    def __init__(self, console: Console, delay_s: float = 0.0, live: bool | None = None) -> None:
        self.console = console
        self.delay_s = delay_s
        can_draw = console.is_terminal and not console.is_dumb_terminal
        self.is_live = can_draw if live is None else live
        self.live: Live | None = None
        self.terminal: Terminal | None = None
        """where the world has pixels, they fill the whole terminal"""
        self.filled_terminal = False
        """whether it did so, and left nothing on the screen"""
        self.scene: Scene | None = None
        self.has_minds = False
        """whether an agent of this match has shown anything of its mind"""
        self.due = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        if self.live is not None:
            self.live.stop()
            self.live = None
        if self.terminal is not None:
            self.terminal.__exit__(None, None, None)
            self.terminal = None

    def before_match(self, world: World, agents: Sequence[str], state: Any) -> None:
        self.close()
        self.has_minds = False
        self.scene = Scene(world, agents, state)
        if self.is_live and world.traits.objects and has_screen():
            self.terminal = Terminal(interruptible=True).__enter__()
            self.filled_terminal = True
        elif self.is_live:
            self.live = Live(console=self.console, auto_refresh=False)
            self.live.start()
        self.show()

    def after_chance(self, draw: Draw) -> None:
        assert self.scene is not None
        self.scene.state = draw.after
        self.scene.chance = self.scene.world.outcome_text(draw.outcome)
        self.show()

    def after_step(self, step: Step) -> None:
        scene = self.scene
        assert scene is not None
        scene.tick += 1
        scene.chance = ""
        scene.moves = [
            (seat, action, step.decisions.get(seat))
            for seat, action in zip(
                scene.world.model.to_act(step.before), step.actions, strict=True
            )
        ]
        scene.before, scene.state = step.before, step.after
        scene.outcome = scene.world.model.outcome(step.after)
        self.show()

    def after_match(self, state: Any, outcome: Outcome) -> None:
        assert self.scene is not None
        shown = self.scene.outcome
        self.scene.state, self.scene.outcome = state, outcome
        if shown != outcome:  # ended by a limit or a fault, which no state shows
            self.show()
        self.close()

    def show(self) -> None:
        assert self.scene is not None
        if self.terminal is not None:
            self.show_pixels(self.terminal, self.scene)
            return
        if self.live is None:
            self.console.print(panel(self.scene))
            return
        self.live.update(panel(self.scene, self.console.height), refresh=True)
        time.sleep(self.delay_s)

    def show_pixels(self, terminal: Terminal, scene: Scene) -> None:
        """Fill the terminal; what took time is taken off the pause, so that the pace is even."""
        standing = scene.world.draw(scene.state).splitlines()[-1]
        moves = ", ".join(
            f"{scene.agents[seat]}: {scene.world.action_text(action)}"
            for seat, action, _ in scene.moves
        )
        lines = [str(scene.world), standing, moves]
        minds = [(seat, one) for seat, _, one in scene.moves if one is not None]
        # Once there is something to show, the picture keeps its place beside it.
        self.has_minds |= any(one.notes or one.visits or one.values for _, one in minds)
        if self.has_minds:
            self.show_minds(terminal, scene, minds, lines)
        else:
            show_state(terminal, scene.world, scene.state, lines)
        if any(key in STOP for key in terminal.wait(max(self.due, time.monotonic()))):
            raise KeyboardInterrupt
        self.due = time.monotonic() + self.delay_s

    def show_minds(
        self,
        terminal: Terminal,
        scene: Scene,
        minds: Sequence[tuple[int, Decision]],
        lines: list[str],
    ) -> None:
        """Show the state that was thought about, with the first mind's cells on the board.

        The end of a game, which nobody thought about, is shown bare beside the last thoughts.
        """

        def aside(width: int) -> list[str]:
            return [
                line
                for seat, decision in minds
                for line in mind_lines(scene.world, scene.agents[seat], decision, width)
            ]

        if scene.outcome is None:
            layers = layers_of(minds[0][1].notes) if minds and board_of(scene.world) else []
            show_state(terminal, scene.world, scene.before, lines, layers, aside)
        else:
            show_state(terminal, scene.world, scene.state, lines, aside=aside)


def watch(
    world: World | str,
    agents: Sequence[Any],
    *,
    delay_s: float | None = None,
    console: Console | None = None,
    **options: Any,
) -> MatchResult:
    """Play a match and show it: live in a terminal, else one picture after the other.

    >>> watch("nim[heaps=1]", ["uniform", "uniform"], delay_s=0).winners  # doctest: +ELLIPSIS
    ╭─ nim[heaps=1] tick 0 ─...
    (0,)

    Args:
        world: The world, or its text.
        agents: One per seat, as `ludex.play` takes them.
        delay_s: Seconds between pictures; as is usual for the world if not given.
        console: Where to show it; standard output.
        **options: Those of `ludex.play`, such as seed and budget.
    """
    played = registry.world(world) if isinstance(world, str) else world
    pause = usual_delay(played) if delay_s is None else delay_s
    with LiveView(console or CleanConsole(), pause) as view:
        result: MatchResult = play(played, agents, watchers=[view], **options)
    return result


def usual_delay(world: World) -> float:
    """Seconds between pictures: video games run by themselves, board games are looked at."""
    return 0.04 if world.traits.objects else 0.7


def has_screen() -> bool:
    """Whether keys and pictures both go to a terminal that can take them."""
    return sys.stdin.isatty() and sys.stdout.isatty() and is_screen(os.environ)


class LastState(Watcher):
    """Keeps the state in which a match ended."""

    state: Any = None

    def after_match(self, state: Any, outcome: Outcome) -> None:
        self.state = state
