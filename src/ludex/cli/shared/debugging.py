"""LUDEX_DEBUG=1: whole tracebacks instead of sentences."""

from __future__ import annotations

import os

HINT = "LUDEX_DEBUG=1 shows the whole traceback"


def is_debugging() -> bool:
    return bool(os.environ.get("LUDEX_DEBUG"))
