"""The right to write a store, which one run has at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from ludex.arena.store_errors import CannotWrite, StoreBusy


class Lock:
    """The right to write a store; the kernel ends it together with its process."""

    def __init__(self, store: Path) -> None:
        self.path = store.with_name(store.name + "-lock")
        while True:
            try:
                self.file = self.path.open("a+")
            except OSError as error:
                raise CannotWrite(f"cannot write {str(self.path)!r}: {error.strerror}") from None
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.file.seek(0)
                who = self.file.read(20).strip()
                self.file.close()
                raise StoreBusy(
                    f"{str(store)!r} is being written by another run"
                    f"{f' (process {who})' if who else ''}; wait for it, end it, or give "
                    "another --store"
                ) from None
            # Another run may have removed the file between opening and locking it.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self.file.fileno()), self.path.stat()):
                    break
            self.file.close()
        self.file.truncate(0)
        with contextlib.suppress(OSError):  # the number is only there to be shown
            self.file.write(f"{os.getpid()}\n")
            self.file.flush()

    def release(self) -> None:
        if not self.file.closed:
            self.path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # what could not be flushed before
                self.file.close()
