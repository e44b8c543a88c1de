"""The write lock of a store: one run at a time.

The lock lies on the file itself, so that other names of it (symbolic and hard links, other paths)
meet the same lock. A second file beside it tells which process has it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from ludex.arena.store.errors import BadStore, CannotWrite, StoreBusy
from ludex.core.bounded_file import check_plain

WAL_MODE = b"\x02\x02"  # in the header of a file whose log may hold more than the file does
LOG = "-wal"


class Lock:
    """The write lock of a store; the kernel releases it when its process ends."""

    def __init__(self, store: Path) -> None:
        self.store = Path(os.path.realpath(store))
        self.path = self.store.with_name(self.store.name + "-lock")
        if self.store.exists():
            check_plain(self.store, BadStore, "store")
        self.file = self.take_note(store)
        try:
            self.made, self.handle = self.take_store(store)
        except BaseException:
            self.drop_note()
            raise

    def take_note(self, store: Path) -> int:
        """Lock the file beside the store, and write into it who has the store."""
        while True:
            try:
                # Never follow a link that somebody has laid here, nor wait at a pipe.
                flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
                file = os.open(self.path, flags, 0o666)
            except OSError as error:
                raise CannotWrite(f"cannot write {str(self.path)!r}: {error.strerror}") from None
            if not locked(file):
                who = os.read(file, 20).decode(errors="replace").strip()
                os.close(file)
                raise busy(store, who)
            # Another run may have removed the file between opening and locking it.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), self.path.stat()):
                    break
            os.close(file)
        with contextlib.suppress(OSError):  # the number is only there to be shown
            os.ftruncate(file, 0)
            os.write(file, f"{os.getpid()}\n".encode())
        return file

    def take_store(self, store: Path) -> tuple[bool, int]:
        """Lock the store itself; whether it was made for this, and its handle.

        The handle is kept open until the store is closed: closing any of a file ends all locks
        that SQLite has on it in this process.
        """
        made = not self.store.exists()
        try:
            handle = os.open(self.store, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o666)
        except OSError as error:
            raise CannotWrite(f"cannot write {str(store)!r}: {error.strerror}") from None
        try:
            if not locked(handle):
                raise busy(store, "")
            check_log(self.store, handle)
        except BaseException:
            os.close(handle)
            raise
        return made, handle

    def drop_note(self) -> None:
        self.path.unlink(missing_ok=True)
        os.close(self.file)

    def release(self) -> None:
        if self.handle < 0:
            return
        with contextlib.suppress(OSError):
            if self.made and os.fstat(self.handle).st_size == 0:
                self.store.unlink()  # nothing came of it
        os.close(self.handle)
        self.handle = -1
        self.drop_note()


def locked(handle: int) -> bool:
    """Lock a file that nobody else has locked."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def busy(store: Path, who: str) -> StoreBusy:
    process = f" (process {who})" if who else ""
    return StoreBusy(
        f"{str(store)!r} is being written by another run{process}; wait for it, end it, or give "
        "another --store"
    )


def check_log(store: Path, handle: int) -> None:
    """Refuse a file with several hard links whose log lies beside another one of them.

    SQLite finds the log by the name of the file, and would miss what is only there.
    """
    if os.fstat(handle).st_nlink < 2 or store.with_name(store.name + LOG).exists():
        return
    if os.pread(handle, 2, 18) == WAL_MODE:
        raise BadStore(
            f"{str(store)!r} is also a file of another name (a hard link), under which a run "
            "writes it or was cut off; use that name"
        )
