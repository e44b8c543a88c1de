"""The store of a study: one SQLite file, from which every match can be replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.core.lazy import lazy

if TYPE_CHECKING:
    from ludex.arena.store.store import Store

__all__ = ["Store"]

MODULES = {
    "Store": "ludex.arena.store.store",
}
__getattr__ = lazy(__name__, MODULES)
