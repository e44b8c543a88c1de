"""`ludex showcase`: several agents in every world present."""

from __future__ import annotations


def showcase() -> None:
    """Play several agents in every world there is."""
