"""Pictures as PNG files, without a library."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
EIGHT_BITS, TRUE_COLOUR, NO_FILTER = 8, 2, 0


def chunk(kind: bytes, content: bytes) -> bytes:
    checked = kind + content
    return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))


def write_png(picture: NDArray[Any]) -> bytes:
    """Write an array [y, x, red green blue] of bytes."""
    height, width, _ = picture.shape
    head = struct.pack(">IIBBBBB", width, height, EIGHT_BITS, TRUE_COLOUR, 0, 0, 0)
    # Every line begins with the number of its filter.
    lines = np.full((height, 1 + 3 * width), NO_FILTER, np.uint8)
    lines[:, 1:] = picture.reshape(height, 3 * width)
    body = zlib.compress(lines.tobytes(), 6)
    return SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
