"""The live view of a game in a terminal, or its pictures one after the other without one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ludex.arena.match.watcher import Draw, Step, Watcher
from ludex.arena.pictures.mind_view import (
    board_of,
    layers_of,
    map_block,
    mind_lines,
    note_lines,
    side_by_side,
)
from ludex.cli import screen
from ludex.cli.terminal import Terminal, is_screen, show_state
from ludex.core.decision import Decision
from ludex.core.outcome import Outcome
from ludex.core.printable import in_one_line
from ludex.core.world import World

MOST_ACTIONS = 8  # shown of a decision's evidence
BAR = 24
WIDTH = 76  # of a picture that is printed
FRAME_ROWS = 5  # its frame, and what at least is said below it
STOP = ("q", "ctrl-c")


@dataclass(slots=True)
class Scene:
    """What is shown at one moment of a game."""

    world: World
    agents: Sequence[str]
    state: Any
    tick: int = 0
    moves: Sequence[tuple[int, Any, Decision | None]] = ()
    """the seats that have just acted, what they did, and why"""
    chance: str = ""
    """what chance has just answered"""
    outcome: Outcome | None = None
    seen_by: int | None = None
    """the seat whose view is drawn; None draws everything"""
    before: Any = None
    """the state in which the seats acted"""

    def drawing(self) -> str:
        if self.seen_by is None:
            return self.world.draw(self.state)
        return self.world.draw_view(self.world.model.view(self.state, self.seen_by))


def panel(scene: Scene, rows: int | None = None) -> RenderableType:
    """Draw a scene: the state, who is to move, the last actions and what spoke for them.

    A picture that is too tall for a terminal of so many rows comes last, for its end is cut off.
    """
    drawing = scene.drawing()
    said: list[RenderableType] = [turn_line(scene)]
    for seat, action, decision in scene.moves:
        said.append(move_line(scene, seat, action))
        if decision is not None and (decision.visits or decision.values):
            said.append(evidence(scene.world, decision))
        if decision is not None:
            said += [Text(line, style="dim") for line in mind_text(scene.world, decision)]
    if scene.chance:
        said.append(Text(f"chance: {scene.chance}", style="dim"))
    is_tall = rows is not None and drawing.count("\n") + FRAME_ROWS >= rows
    parts = [*said, Text(""), Text(drawing)] if is_tall else [Text(drawing), Text(""), *said]
    title = screen.line((str(scene.world), "bold"), (f" tick {scene.tick}", "dim"))
    return Panel(Group(*parts), title=title, title_align="left", border_style="dim", width=WIDTH)


def mind_text(world: World, decision: Decision) -> list[str]:
    """The notes of a decision as lines, and their cells as maps of letters side by side."""
    lines = note_lines(decision.notes, WIDTH - 4)
    if (board := board_of(world)) is None:
        return lines
    layers = [layer for layer in layers_of(decision.notes) if layer.strengths]
    return lines + side_by_side([map_block(layer, *board) for layer in layers], WIDTH - 4)


def turn_line(scene: Scene) -> Text:
    if scene.outcome is not None:
        return outcome_text(scene.outcome, scene.agents)
    seats = scene.world.model.to_act(scene.state)
    line = Text("to move: " if seats else "chance decides", style="dim")
    for place, seat in enumerate(seats):
        line.append(", " if place else "")
        line.append_text(seat_text(seat, scene.agents))
    return line


def seat_text(seat: int, agents: Sequence[str]) -> Text:
    name = agents[seat] if seat < len(agents) else ""
    return Text(f"seat {seat} {name}".rstrip(), style=screen.colour(seat))


def move_line(scene: Scene, seat: int, action: Any) -> Text:
    line = Text("last: ", style="dim")
    line.append_text(seat_text(seat, scene.agents))
    line.append(" plays ", style="dim")
    line.append(scene.world.action_text(action), style="bold")
    return line


def outcome_text(outcome: Outcome, agents: Sequence[str]) -> Text:
    """Say how a game ended."""
    if not outcome.winners:
        line = Text("nobody wins", style="bold")
    else:
        line = Text("winner: " if len(outcome.winners) == 1 else "winners: ", style="bold")
        for place, seat in enumerate(outcome.winners):
            line.append(", " if place else "")
            line.append_text(seat_text(seat, agents))
    return line.append(f" ({in_one_line(outcome.reason)})", style="dim")


def evidence(world: World, decision: Decision) -> Table:
    """The root of a search as bars: visits, or values where visits say nothing."""
    visits: Mapping[Any, float] = decision.visits or {}
    values: Mapping[Any, float] = decision.values or {}
    # Where every action was tried equally often, only the values tell them apart.
    weights = visits if len(set(visits.values())) > 1 or not values else shifted(values)
    most = max(weights.values(), default=0) or 1
    # Of equals the one that is played comes first, so that it is among those shown.
    order = sorted(weights, key=lambda action: (-weights[action], action != decision.action))
    best = order[:MOST_ACTIONS]
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True, max_width=28)
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    for action in best:
        style = "bold" if action == decision.action else "dim"
        grid.add_row(
            Text(">" if action == decision.action else " ", style=style),
            Text(world.action_text(action), style=style),
            Text(screen.bar(weights[action] / most, BAR), style=style),
            Text(f"{visits[action]:,}" if action in visits else "", style=style),
            Text(f"{values[action]:+.2f}" if action in values else "", style=style),
        )
    if len(weights) > len(best):
        grid.add_row("", Text(f"and {len(weights) - len(best)} more", style="dim"), "", "", "")
    return grid


def shifted(values: Mapping[Any, float]) -> dict[Any, float]:
    """Values moved up so that the worst is a short bar and the best a full one."""
    least = min(values.values(), default=0.0)
    span = max(values.values(), default=0.0) - least
    return {
        action: 0.1 + 0.9 * ((value - least) / span if span else 1.0)
        for action, value in values.items()
    }


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


def has_screen() -> bool:
    """Whether keys and pictures both go to a terminal that can take them."""
    return sys.stdin.isatty() and sys.stdout.isatty() and is_screen(os.environ)


class LastState(Watcher):
    """Keeps the state in which a match ended."""

    state: Any = None

    def after_match(self, state: Any, outcome: Outcome) -> None:
        self.state = state
