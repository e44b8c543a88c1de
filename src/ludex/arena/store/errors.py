"""What can be wrong with a store, each in a sentence."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from ludex.core.errors import LudexError
from ludex.core.printable import in_one_line


class BadStore(LudexError):
    """A file that is no store, a damaged one, or one of another study."""


class NewerStore(BadStore):
    """A store written by a newer version."""


class StoreBusy(LudexError):
    """A store that another run is writing."""


class CannotWrite(LudexError):
    """A disk that is full, or a folder that may not be written to; what is stored stays."""


@contextlib.contextmanager
def explained(path: Path, reading: bool = False) -> Iterator[None]:
    """Turn what SQLite says into a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise sentence(error, path, reading) from None
    except (UnicodeDecodeError, OverflowError, MemoryError, SystemError):
        # What the library itself does not expect of a file.
        raise damaged(path, "its pages make no sense") from None


def damaged(path: Path, reason: str) -> BadStore:
    return BadStore(
        f"{str(path)!r} is damaged: {reason}; take a copy that was made before, or play it again "
        "with another --store"
    )


def sentence(error: sqlite3.Error, path: Path, reading: bool) -> LudexError:
    name = str(path)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(
            f"{name!r} is locked by another program; close it and give the command again"
        )
    if code == sqlite3.SQLITE_NOTADB:
        return BadStore(f"{name!r} is not a store of a ludex study")
    if reading and code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return BadStore(f"cannot open {name!r}: permission denied")
    if reading:
        return damaged(path, in_one_line(str(error)))
    if code == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR:
        why = "the disk is full" if code == sqlite3.SQLITE_FULL else "the disk takes no more"
        return CannotWrite(
            f"cannot write {name!r}: {why}; all matches stored so far are kept, so free "
            "some room and give the same command again"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return CannotWrite(f"cannot open {name!r}: permission denied")
    return damaged(path, in_one_line(str(error)))
