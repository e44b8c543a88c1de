"""One moment of a game as a panel of text: the state, who moves, and what spoke for the moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ludex.arena.pictures.mind_view import (
    board_of,
    layers_of,
    map_block,
    note_lines,
    side_by_side,
)
from ludex.core.capabilities import DrawsInColour, DrawsToWidth, able
from ludex.core.decision import Decision
from ludex.core.outcome import Outcome
from ludex.core.paint import safe_in_colour
from ludex.core.printable import in_one_line
from ludex.core.world import World
from ludex.terminal.console import bar, colour, line

MOST_ACTIONS = 8  # shown of a decision's evidence
BAR = 24
WIDTH = 76  # of a frame around what is as wide in every terminal
COLUMNS = 80  # where nothing is known of the terminal
FRAME = 4  # columns of a frame
FRAME_ROWS = 5  # its frame, and what at least is said below it


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

    @property
    def is_wide(self) -> bool:
        """Whether the picture says more in a wider terminal."""
        return able(self.world, DrawsToWidth) is not None

    def drawing(self, width: int = WIDTH - FRAME) -> str:
        """The picture, in the colours of a world that has them (core/paint.py)."""
        if (wide := able(self.world, DrawsToWidth)) is not None:
            return wide.draw_to_width(self.state, width, self.seen_by)
        if (painter := able(self.world, DrawsInColour)) is not None:
            return painter.draw_in_colour(self.state, self.seen_by)
        if self.seen_by is None:
            return self.world.draw(self.state)
        return self.world.draw_view(self.world.model.view(self.state, self.seen_by))


def panel(scene: Scene, rows: int | None = None, columns: int = COLUMNS) -> RenderableType:
    """Draw a scene: the state, who is to move, the last actions and what spoke for them.

    A picture that is too tall for a terminal of so many rows comes last, next to what is printed
    after it.
    """
    drawing = scene.drawing(frame_width(scene, columns) - FRAME)
    said: list[RenderableType] = [turn_line(scene)]
    for seat, action, decision in scene.moves:
        said.append(move_line(scene, seat, action))
        if decision is not None and (decision.visits or decision.values):
            said.append(evidence(scene.world, decision))
        if decision is not None:
            said += [Text(line, style="dim") for line in mind_text(scene.world, decision)]
    said += chance_lines(scene)
    is_tall = rows is not None and drawing.count("\n") + FRAME_ROWS >= rows
    drawn = Text.from_ansi(safe_in_colour(drawing))
    parts = [*said, Text(""), drawn] if is_tall else [drawn, Text(""), *said]
    return framed(scene, parts, columns)


def fitted(scene: Scene, rows: int, columns: int) -> RenderableType:
    """Draw a scene for a terminal of this size, where what is too low is cut off.

    A tall picture goes without the evidence, and where it fills the rows, without its frame.
    """
    drawing = scene.drawing(frame_width(scene, columns) - FRAME)
    height = drawing.count("\n") + 1
    if height + FRAME_ROWS <= rows:
        return panel(scene, columns=columns)
    moves = [move_line(scene, seat, action) for seat, action, _ in scene.moves]
    said = [turn_line(scene), *moves, *chance_lines(scene)]
    drawn = Text.from_ansi(safe_in_colour(drawing))
    if (room := rows - 2 - height) > 0:
        return framed(scene, [drawn, *said[:room]], columns)
    top = Text("  ", no_wrap=True, overflow="ellipsis").join([title_line(scene), *said])
    return Group(top, drawn)


def framed(scene: Scene, parts: Sequence[RenderableType], columns: int) -> Panel:
    width = frame_width(scene, columns)
    title = title_line(scene)
    return Panel(Group(*parts), title=title, title_align="left", border_style="dim", width=width)


def frame_width(scene: Scene, columns: int) -> int:
    """Columns of a frame: all there are where the picture can use them."""
    return max(WIDTH, columns) if scene.is_wide else WIDTH


def chance_lines(scene: Scene) -> list[Text]:
    return [Text(f"chance: {scene.chance}", style="dim")] if scene.chance else []


def title_line(scene: Scene) -> Text:
    return line((str(scene.world), "bold"), (f" tick {scene.tick}", "dim"))


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
    for index, seat in enumerate(seats):
        line.append(", " if index else "")
        line.append_text(seat_text(seat, scene.agents))
    return line


def seat_text(seat: int, agents: Sequence[str]) -> Text:
    name = agents[seat] if seat < len(agents) else ""
    return Text(f"seat {seat} {name}".rstrip(), style=colour(seat))


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
        for index, seat in enumerate(outcome.winners):
            line.append(", " if index else "")
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
            Text(bar(weights[action] / most, BAR), style=style),
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
