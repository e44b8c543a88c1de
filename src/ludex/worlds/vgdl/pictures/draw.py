"""VGDL games as letters in a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.worlds.vgdl._native import State
from ludex.worlds.vgdl.scene import SPECTATOR

if TYPE_CHECKING:
    from ludex.worlds.vgdl.model import VgdlModel


def status(model: VgdlModel, state: State) -> str:
    scores = ", ".join(f"{score:g}" for score in state.scores)
    outcome = model.outcome(state)
    end = f", over: {outcome.reason}" if outcome else ""
    return f"tick {state.tick}, score {scores}{end}"


def letters(model: VgdlModel) -> dict[int, str]:
    """A letter for each type: that of the level file where there is one."""
    chosen: dict[int, str] = {}
    for character, names in model.game.mapping.items():
        if names and names[-1] not in [model.game.types[kind].name for kind in chosen]:
            number = model.game.type_named(names[-1])
            if number >= 0:
                chosen.setdefault(number, character)
    for number, sprite in enumerate(model.game.types):
        chosen.setdefault(number, sprite.name[0])
    return chosen


def in_order(model: VgdlModel, state: State, seat: int) -> list[tuple[int, int, int, int, int]]:
    """What is drawn for a seat, the lowest first."""
    order = {kind: index for index, kind in enumerate(model.game.order)}
    found = [(kind, x, y, w, h) for kind, _, x, y, w, h, *_ in model.level.sprites(state)]
    drawn = [one for one in found if model.scene.observer.is_drawn(one[0], seat)]
    return sorted(drawn, key=lambda one: order.get(one[0], -1))


def draw_text(model: VgdlModel, state: State, seat: int = SPECTATOR) -> str:
    level = model.level
    grid = [["."] * level.width for _ in range(level.height)]
    shown = letters(model)
    for kind, x, y, _, _ in in_order(model, state, seat):
        column, row = x // level.block, y // level.block
        if 0 <= column < level.width and 0 <= row < level.height:
            grid[row][column] = shown[kind]
    return "\n".join(["".join(row) for row in grid] + [status(model, state)])
