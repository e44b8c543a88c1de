"""Messages between processes: frames with a length, and a deadline for each."""

from __future__ import annotations

import socket
import time

HEAD = 8
LARGEST = 2**31


class WireBroken(Exception):
    """The other side is gone, too slow, or talks nonsense."""

    def __init__(self, why: str, late: bool = False) -> None:
        super().__init__(why)
        self.late = late


def send(wire: socket.socket, content: bytes, timeout_s: float | None = None) -> None:
    wire.settimeout(timeout_s)
    try:
        wire.sendall(len(content).to_bytes(HEAD, "big") + content)
    except TimeoutError:
        raise WireBroken("does not listen", late=True) from None
    except OSError:
        raise WireBroken("is gone") from None


def receive(wire: socket.socket, timeout_s: float | None = None, largest: int = LARGEST) -> bytes:
    """Wait for one whole frame; half a frame at the deadline counts as none."""
    deadline = None if timeout_s is None else time.monotonic() + timeout_s
    size = int.from_bytes(receive_exactly(wire, HEAD, deadline), "big")
    if size > largest:
        raise WireBroken(f"sent an answer of {size} bytes; at most {largest} are read")
    return receive_exactly(wire, size, deadline)


def receive_exactly(wire: socket.socket, size: int, deadline: float | None) -> bytes:
    parts: list[bytes] = []
    while size:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise WireBroken("gave no answer", late=True)
        wire.settimeout(left)
        try:
            part = wire.recv(min(size, 2**20))
        except TimeoutError:
            raise WireBroken("gave no answer", late=True) from None
        except OSError:
            raise WireBroken("is gone") from None
        if not part:
            raise WireBroken("is gone")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
