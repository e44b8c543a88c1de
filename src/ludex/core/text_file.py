"""Text files that users write: games, levels, cards and decks."""

from __future__ import annotations

import codecs
import stat
import time
from dataclasses import dataclass
from pathlib import Path

from ludex.core.errors import BadParameter, LudexError

LARGEST = 4_000_000  # bytes; a hundred times the largest game, level or card file there is
OTHER_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


SETTLED = 2_000_000_000  # nanoseconds; the clocks of file systems are no coarser than that


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was read."""

    data: bytes | None
    """up to a byte more than the largest text; None where no file could be read"""
    stamp: tuple[int, ...] = ()
    """what the file system said of it; empty where a change could leave this as it is"""

    def is_current(self, path: Path) -> bool:
        """Whether the file still holds this; it is read only where its stamp cannot tell."""
        if self.stamp and self.stamp == stamp_of(path):
            return True
        return read_source(path).data == self.data


def read_source(path: Path) -> Source:
    """Read a file; nothing but plain files is opened, as reading a pipe could wait for ever."""
    begun = time.time_ns()
    stamp = stamp_of(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return Source(None)
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError):
        return Source(None)
    settled = stamp and begun - max(stamp[:2]) > SETTLED
    return Source(data, stamp if settled else ())


def stamp_of(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return ()
    return (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev)


def read_text(
    path: Path,
    what: str,
    refuse: type[LudexError] = BadParameter,
    strict: bool = True,
    held: Source | None = None,
) -> str:
    """The text of a file, or of what was `held` of it before; `what` it is is said in errors.

    A byte-order mark is left out. Unless it is `strict`, letters that are not in UTF-8 are
    replaced.
    """
    data = held.data if held is not None else None
    data = read_source(path).data if data is None else data
    if data is None:
        raise refuse(why_unreadable(path, what))
    if len(data) > LARGEST:
        raise refuse(f"{path} is too long for a {what} file: it has more than {LARGEST} bytes")
    for mark, name in OTHER_MARKS.items():
        if data.startswith(mark):
            raise refuse(f"{path} is written in {name}; save it as UTF-8")
    if b"\0" in data:
        raise refuse(f"{path} is not a text: it holds zero bytes")
    try:
        text = data.decode("utf-8-sig", "strict" if strict else "replace")
    except UnicodeDecodeError:
        raise refuse(f"{path} is not a text in UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def why_unreadable(path: Path, what: str) -> str:
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "no plain file"
            return f"cannot read {str(path)!r} as a {what}: it is {kind}"
        path.open("rb").close()
    except FileNotFoundError:
        return f"there is no {what} file {str(path)!r}"
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        return f"cannot read {str(path)!r} as a {what}: {reason}"
    return f"cannot read {str(path)!r} as a {what}"
