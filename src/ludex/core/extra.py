"""Says what to install when an optional library is missing."""

from __future__ import annotations

import importlib

from ludex.core.errors import MissingExtra


def require_extra(library: str, what: str, extra: str) -> None:
    """Raise MissingExtra when a library is not installed, with the extra that brings it."""
    try:
        importlib.import_module(library)
    except ImportError:
        package = library.partition(".")[0]
        raise MissingExtra(
            f"{what} need {package}, which is not installed; pip install 'ludex[{extra}]'"
        ) from None
