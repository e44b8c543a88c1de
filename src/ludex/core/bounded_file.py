"""Reads untrusted files: regular files only, with a limit on their size, also when unpacked.

A few kilobytes can unfold to gigabytes, a pipe never ends, and an editor may have put a mark of
the byte order in front. Errors are of the kind that the caller names, each in a sentence.
"""

from __future__ import annotations

import io
import json
import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import LudexError

GZIP = b"\x1f\x8b"
AT_A_TIME = 2**16
MOST_MEMBERS = 10_000
MOST_ARRAYS = 10_000
LARGEST_LINE = 2**24  # of JSON, in characters
MOST_VALUES = 4_000_000  # in all lines of JSON


class TooLarge(LudexError):
    """A file that is larger, or unpacks to more, than allowed."""


def check_plain(path: Path, refuse: type[LudexError], what: str = "file") -> None:
    """Raise unless there is a plain file; opening a pipe would wait for ever."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise refuse(f"there is no file {str(path)!r}") from None
    except (OSError, ValueError) as error:  # a name may be too long, or have a zero in it
        raise refuse(f"cannot read {str(path)!r}: {reason_of(error)}") from None
    if stat.S_ISDIR(mode):
        raise refuse(f"cannot read {str(path)!r}: it is a folder; name a {what}")
    if not stat.S_ISREG(mode):
        raise refuse(f"cannot read {str(path)!r}: it is no plain file")


def read_bytes(path: Path, most: int, refuse: type[LudexError], what: str = "file") -> bytes:
    """The content of a plain file of at most so many bytes; a gzip file is unpacked."""
    check_plain(path, refuse, what)
    try:
        # Without waiting, should a pipe have taken the place of the file.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise refuse(f"cannot read {str(path)!r}: {reason_of(error)}") from None
    try:
        if content[:2] == GZIP:
            content = unzipped(content, most)
        if len(content) > most:
            raise TooLarge("it is too large")
    except TooLarge:
        raise refuse(f"{str(path)!r} is larger than any {what}: more than {most:,} bytes") from None
    except (EOFError, zlib.error) as error:
        raise refuse(f"cannot read {str(path)!r}: it is damaged: {error}") from None
    return content


def read_text(path: Path, most: int, refuse: type[LudexError], what: str = "file") -> str:
    """The text of a plain file in UTF-8, without a mark of the byte order."""
    try:
        return read_bytes(path, most, refuse, what).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refuse(f"cannot read {str(path)!r}: it is not a text file in UTF-8") from None


def unzipped(content: bytes, most: int) -> bytes:
    """Unfold what zlib or gzip has packed; TooLarge before more than `most` bytes are made."""
    kept = io.BytesIO()
    place, rest = 0, b""
    for _ in range(MOST_MEMBERS):
        worker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # either of both
        while not worker.eof:
            if not rest:
                rest, place = content[place : place + AT_A_TIME], place + AT_A_TIME
            if not rest:
                raise EOFError("it is cut short")
            kept.write(worker.decompress(rest, AT_A_TIME))
            rest = worker.unconsumed_tail
            if kept.tell() > most:
                raise TooLarge(f"it unfolds to more than {most:,} bytes")
        rest = worker.unused_data
        if (rest + content[place : place + 2])[:2] != GZIP:
            return kept.getvalue()
    raise TooLarge(f"it is packed in more than {MOST_MEMBERS:,} pieces")


def json_lines(text: str) -> Iterator[tuple[int, Any, bool]]:
    """The number of each line, what it holds, and whether it is the last; None: no JSON.

    Raises TooLarge before more is made of them than memory should hold: a few bytes of JSON become
    a hundred.
    """
    text = text.removesuffix("\n")
    start, number, values = 0, 0, 0
    while start <= len(text):
        # Not splitlines: a JSON text may hold characters that it takes for ends of lines.
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        number += 1
        line = text[start:stop]
        values += 1 + sum(line.count(sign) for sign in ",[{")
        if len(line) > LARGEST_LINE or values > MOST_VALUES:
            raise TooLarge("it holds too many values")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        yield number, found, stop == len(text)
        start = stop + 1


def read_arrays(
    path: Path, most: int, refuse: type[LudexError], what: str
) -> dict[str, NDArray[np.generic]]:
    """The arrays of a NumPy archive; ValueError and its like where it is damaged.

    What a member says of itself is compared with its size before memory is taken for it, and
    objects, which could run code, are refused.
    """
    import zipfile

    check_plain(path, refuse, what)
    if path.stat().st_size > most:
        raise TooLarge("it is too large")
    content = read_bytes(path, most, refuse, what)
    arrays: dict[str, NDArray[np.generic]] = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        if len(members) > MOST_ARRAYS or sum(one.file_size for one in members) > most:
            raise TooLarge("it unfolds to more than it can need")
        for member in members:
            with archive.open(member) as stream:
                arrays[member.filename.removesuffix(".npy")] = read_array(stream, member.file_size)
    return arrays


def read_array(stream: IO[bytes], size: int) -> NDArray[np.generic]:
    """One array, from a member of an archive that unfolds to so many bytes."""
    version = np.lib.format.read_magic(stream)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(version)
    if read_header is None:
        raise ValueError(f"arrays of version {version} are not known")
    shape, by_columns, dtype = read_header(stream)
    if dtype.hasobject:
        raise ValueError("objects are not read")
    number = 1
    for side in shape:
        if side < 0:
            raise ValueError("an array has a side below zero")
        number *= side
    if number * dtype.itemsize > size:
        raise ValueError("an array is larger than what is there of it")
    data = stream.read(number * dtype.itemsize + 1)
    if len(data) != number * dtype.itemsize:
        raise ValueError("an array has not the size that it says")
    array: NDArray[np.generic] = np.frombuffer(bytearray(data), dtype=dtype, count=number)
    return array.reshape(shape, order="F" if by_columns else "C")


def reason_of(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
