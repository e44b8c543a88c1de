"""Registers our environments as soon as Gymnasium is there, without importing it.

Gymnasium 1 has no plugins: a package registers its environments when it is imported. Ours need
not, so that `import ludex` stays quick; we wait for Gymnasium to be imported by whoever wants it.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

GYMNASIUM = "gymnasium"
REGISTER = "ludex.adapters.register"


class Waiter(importlib.abc.MetaPathFinder):
    """Finds nothing; sees that Gymnasium is about to be imported."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != GYMNASIUM:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = ThenRegister(spec.loader)
        return spec


class ThenRegister(importlib.abc.Loader):
    """Loads Gymnasium as it would be loaded, then registers our environments with it."""

    def __init__(self, loader: importlib.abc.Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        module.__loader__ = self.loader
        self.loader.exec_module(module)
        importlib.import_module(REGISTER)


def register_with_gymnasium() -> None:
    """Register now where Gymnasium is imported, or else when it will be."""
    if GYMNASIUM not in sys.modules:
        sys.meta_path.insert(0, Waiter())
    elif hasattr(sys.modules[GYMNASIUM], "envs"):  # not while it is still being imported
        importlib.import_module(REGISTER)
