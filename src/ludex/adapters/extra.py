"""Says what to install when an optional library is missing."""

from __future__ import annotations

import importlib

from ludex.core.errors import MissingExtra


def require_extra(library: str) -> None:
    try:
        importlib.import_module(library)
    except ImportError:
        raise MissingExtra(
            f"this adapter needs {library}, which is not installed; "
            "pip install 'ludex[environments]'"
        ) from None
