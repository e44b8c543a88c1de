"""Modules that have moved: the old names can still be imported, with a warning that says so."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "ludex.arena.comparisons": "ludex.arena.statistics.comparisons",
    "ludex.arena.play": "ludex.arena.match.play",
    "ludex.arena.ratings": "ludex.arena.statistics.ratings",
    "ludex.arena.replay": "ludex.arena.match.replay",
    "ludex.arena.results": "ludex.arena.statistics.results",
    "ludex.arena.run": "ludex.arena.study.run",
    "ludex.arena.session": "ludex.arena.match.session",
    "ludex.arena.tournament": "ludex.arena.study.tournament",
    "ludex.models.learned.parts": "ludex.models.learned.training",
    "ludex.models.learned.parts.hypotheses": "ludex.models.learned.structure.hypotheses",
    "ludex.models.learned.parts.transitions": "ludex.models.learned.training.transitions",
    "ludex.studies": "ludex.experiments",
    "ludex.worlds.vgdl.levels": "ludex.worlds.vgdl.language.levels",
    "ludex.worlds.vgdl.native_text": "ludex.worlds.vgdl.language.native_text",
    "ludex.worlds.vgdl.parser": "ludex.worlds.vgdl.language.parser",
    "ludex.worlds.vgdl.space": "ludex.worlds.vgdl.language.space",
    "ludex.worlds.vgdl.wins": "ludex.worlds.vgdl.tools.wins",
    "ludex.worlds.vgdl.writer": "ludex.worlds.vgdl.language.writer",
}


def new_name(name: str) -> str | None:
    """The name of a module now, when it or a package around it has moved.

    >>> new_name("ludex.studies.judge"), new_name("ludex.core")
    ('ludex.experiments.judge', None)
    """
    head, tail = name, ""
    while head not in MOVED:
        head, dot, last = head.rpartition(".")
        if not dot:
            return None
        tail = f".{last}{tail}"
    return MOVED[head] + tail


class MovedFinder(MetaPathFinder, Loader):
    """Finds old names of ours alone."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return None if new_name(fullname) is None else ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = new_name(spec.name)
        assert new is not None
        warnings.warn(f"{spec.name} is now {new}", DeprecationWarning, stacklevel=2)
        return importlib.import_module(new)

    def exec_module(self, module: ModuleType) -> None:
        """It has run under its own name."""


sys.meta_path.insert(0, MovedFinder())  # before a moved package finds its own modules again
