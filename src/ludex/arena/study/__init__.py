"""Studies: which matches, in what order, played in parallel and resumable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.core.lazy import lazy

if TYPE_CHECKING:
    from ludex.arena.study.file import read_study
    from ludex.arena.study.run import run_study
    from ludex.arena.study.study import Study
    from ludex.arena.study.tournament import play_many

__all__ = ["Study", "play_many", "read_study", "run_study"]

MODULES = {
    "Study": "ludex.arena.study.study",
    "play_many": "ludex.arena.study.tournament",
    "read_study": "ludex.arena.study.file",
    "run_study": "ludex.arena.study.run",
}
__getattr__ = lazy(__name__, MODULES)
