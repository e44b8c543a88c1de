"""What can be wrong with a store, each in a sentence."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from ludex.core.errors import LudexError


class BadStore(LudexError):
    """A file that is no store, a damaged one, or one of another study."""


class NewerStore(BadStore):
    """A store written by a newer version."""


class StoreBusy(LudexError):
    """A store that another run is writing."""


class CannotWrite(LudexError):
    """A disk that is full, or a folder that may not be written to; what is stored stays."""


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite says into a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        name = str(path)
        if code == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR:
            why = "the disk is full" if code == sqlite3.SQLITE_FULL else "the disk takes no more"
            raise CannotWrite(
                f"cannot write {name!r}: {why}; all matches stored so far are kept, so free "
                "some room and give the same command again"
            ) from None
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            raise CannotWrite(f"cannot open {name!r}: permission denied") from None
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusy(
                f"{name!r} is locked by another program; close it and give the command again"
            ) from None
        if code == sqlite3.SQLITE_NOTADB:
            raise BadStore(f"{name!r} is not a store of a ludex study") from None
        raise BadStore(f"{name!r} is damaged: {error}") from None
