"""Writes files atomically: whole or not at all."""

from __future__ import annotations

import contextlib
from pathlib import Path

from ludex.core.errors import LudexError


def write_whole(path: Path, content: bytes, what: str = "") -> None:
    """Write a file at once, so that no half one is left behind; `what` names it in errors."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        named = f"{what} {str(path)!r}".lstrip()
        raise LudexError(f"cannot write {named}: {error.strerror}") from None
