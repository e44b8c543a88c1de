"""Where an exception came from in a user's own file: the file, the line and its text."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from ludex.core.module_files import INSTALLED
from ludex.core.printable import in_one_line

LONGEST_LINE = 160
DEEPEST = 8  # causes of causes
LIBRARIES = frozenset(("site-packages", "dist-packages"))


@dataclass(frozen=True, slots=True)
class CrashSite:
    """The last line of the user's own that an exception passed through.

    >>> str(CrashSite("mine.py", 12, "return view.legal[9]"))
    'mine.py:12: return view.legal[9]'
    """

    file: str
    """from the working directory, where it lies below that"""
    line: int
    code: str = ""
    """the text of the line"""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.code}" if self.code else f"{self.file}:{self.line}"


def crash_site(error: BaseException) -> CrashSite | None:
    """Find the line that a user would look at; None where no file of their own took part."""
    try:
        for one in causes(error):
            if (found := in_syntax(one) or in_traceback(one.__traceback__)) is not None:
                return found
    except Exception:  # an agent's exception may be any object that pretends to be one
        return None
    return None


def causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and what it was raised from."""
    current: BaseException | None = error
    for _ in range(DEEPEST):
        if current is None:
            return
        yield current
        current = current.__cause__


def in_syntax(error: BaseException) -> CrashSite | None:
    """The line of a file that is not Python."""
    if not isinstance(error, SyntaxError) or not error.filename or not is_own(error.filename):
        return None
    line = error.lineno or 1
    return site(error.filename, line, error.text or "")


def in_traceback(trace: TracebackType | None) -> CrashSite | None:
    """The innermost line of the user's own."""
    found: CrashSite | None = None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_own(file):
            found = site(file, trace.tb_lineno)
        trace = trace.tb_next
    return found


def is_own(file: str) -> bool:
    """Whether a file is a user's: neither ours nor one of a library."""
    if file.startswith("<"):  # a cell of a notebook has a text; frozen and made-up code has none
        return not file.startswith("<frozen") and bool(linecache.getlines(file))
    path = Path(file)
    if not LIBRARIES.isdisjoint(path.parts):
        return False
    return not any(path.is_relative_to(one) for one in INSTALLED)


def site(file: str, line: int, code: str = "") -> CrashSite:
    text = in_one_line(code or linecache.getline(file, line))
    text = text if len(text) <= LONGEST_LINE else text[: LONGEST_LINE - 3] + "..."
    return CrashSite(in_one_line(near(file)), line, text)


def near(file: str) -> str:
    """A path as it is typed from here."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (OSError, ValueError):  # elsewhere, or here is gone
        return file
