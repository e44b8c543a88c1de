"""How far a study is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludex.cli.shared import screen

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from ludex.arena.study.run import Progress


class StudyProgress:
    """Tells how far a run is, and where its matches are kept when it is interrupted."""

    def __init__(self, bar: Bar, name: str) -> None:
        self.bar = bar
        self.task = bar.add_task(name, total=None, unit="matches")
        self.last: Progress | None = None

    def tell(self, progress: Progress) -> None:
        self.last = progress
        self.bar.update(self.task, completed=progress.done, total=progress.total)

    def interrupted(self, store: Path) -> None:
        if self.last is None:
            return
        how_far = f"{self.last.done:,} of {self.last.total:,} matches are in {store}"
        screen.show_interruption(f"{how_far}; the same command goes on")
