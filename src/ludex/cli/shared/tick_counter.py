"""Counts the ticks of a game, so that a long one shows that it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.arena.match.watcher import Step, Watcher

if TYPE_CHECKING:
    from rich.progress import Progress


class TickCounter(Watcher):
    """Advances a task of a progress bar with every tick."""

    def __init__(self, progress: Progress, name: str) -> None:
        self.progress = progress
        self.task = progress.add_task(name, total=None, unit="ticks")

    def after_step(self, step: Step) -> None:
        self.progress.advance(self.task)
