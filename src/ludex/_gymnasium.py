"""Registers our environments as soon as Gymnasium is there, without importing it.

Gymnasium 1 has no plugins: a package registers its environments when it is imported. Ours need
not, so that `import ludex` stays quick; we wait for Gymnasium to be imported by whoever wants it.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
import warnings
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

GYMNASIUM = "gymnasium"
REGISTER = "ludex.adapters.register"


class Waiter(importlib.abc.MetaPathFinder):
    """Finds Gymnasium as the others would, and sees to it that we hear when it is loaded."""

    def __init__(self) -> None:
        self.is_asking = False

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != GYMNASIUM or self.is_asking:
            return None
        self.is_asking = True  # the others; looking for it does not mean to load it
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.is_asking = False
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
        sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Waiter)]
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        module.__loader__ = self.loader
        self.loader.exec_module(module)
        register()


def register() -> None:
    """Register our environments; whatever fails in it, Gymnasium itself works."""
    try:
        importlib.import_module(REGISTER)
    except Exception as error:
        warnings.warn(f"ludex could not register its environments: {error}", stacklevel=2)


def register_with_gymnasium() -> None:
    """Register now where Gymnasium is imported, or else when it will be."""
    if GYMNASIUM not in sys.modules:
        sys.meta_path.insert(0, Waiter())
    elif hasattr(sys.modules[GYMNASIUM], "envs"):  # not while it is still being imported
        register()
