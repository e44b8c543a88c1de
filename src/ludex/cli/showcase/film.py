"""The opening of the show: YOLOBOT in zelda, with its mind in colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludex.arena.match.watcher import Draw, Step, Watcher
from ludex.terminal.scene import Scene, panel

if TYPE_CHECKING:
    from rich.console import Console

    from ludex.arena.match.runner import MatchResult
    from ludex.core.outcome import Outcome
    from ludex.core.world import World

WORLD, AGENT, SEED, BUDGET = "vgdl/zelda", "yolobot", 0, "900calls"  # a win, on every machine
SECONDS = 25.0
TICKS = 75  # that the game takes, about
FRAMES = (12, 50)  # ticks that are printed where nothing can move, before the last one


def play_film(console: Console) -> MatchResult:
    """Show the game as it is played: live in a terminal, else a few of its pictures."""
    from ludex.arena.match.runner import play_match
    from ludex.terminal.live_view import LiveView

    def play(watcher: Watcher) -> MatchResult:
        return play_match(
            WORLD, [AGENT], seed=SEED, budget=BUDGET, watchers=[watcher], keep_thoughts=True
        )

    if not console.is_terminal or console.is_dumb_terminal:
        return play(FewFrames(console, FRAMES))
    with LiveView(console, SECONDS / TICKS) as view:
        return play(view)


class FewFrames(Watcher):
    """Prints a match at some ticks and at its end, with what the agents thought."""

    reads_minds = True

    def __init__(self, console: Console, ticks: Sequence[int]) -> None:
        self.console = console
        self.ticks = ticks
        self.scene: Scene | None = None

    def before_match(self, world: World, agents: Sequence[str], state: Any) -> None:
        self.scene = Scene(world, agents, state)

    def after_chance(self, draw: Draw) -> None:
        assert self.scene is not None
        self.scene.state = draw.after

    def after_step(self, step: Step) -> None:
        scene = self.scene
        assert scene is not None
        scene.tick += 1
        seats = scene.world.model.to_act(step.before)
        scene.moves = [
            (seat, action, step.decisions.get(seat))
            for seat, action in zip(seats, step.actions, strict=True)
        ]
        scene.before, scene.state = step.before, step.after
        if scene.tick in self.ticks:
            self.console.print(panel(scene, columns=self.console.width))

    def after_match(self, state: Any, outcome: Outcome) -> None:
        assert self.scene is not None
        self.scene.state, self.scene.outcome, self.scene.moves = state, outcome, ()
        self.console.print(panel(self.scene, columns=self.console.width))
