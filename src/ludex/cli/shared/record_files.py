"""Records as commands name them: a file or a match of a study, and a moment of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.arena.match.position import Position
    from ludex.core.record import Record
    from ludex.core.world import World

LONGEST_NUMBER = 20  # digits
SUFFIXES = (".jsonl", ".jsonl.gz")
END = "end"
COUNTED = "after N steps (ticks of a video game, else decisions); -1 or end is the end"


def read(file: Path) -> Record:
    """Read a record from a file of its own, or from the store of a study: `STORE#NUMBER`."""
    from ludex.arena.store.store import Store, is_store
    from ludex.cli.arena.show import store_of
    from ludex.core.errors import BadParameter
    from ludex.core.record import read_record

    study, mark, number = str(file).rpartition("#")
    if mark and is_number(number) and not file.exists():
        with Store.open(store_of(Path(study))) as store:
            return store.record(int(number))
    if is_store(file):
        raise BadParameter(f"{str(file)!r} holds a whole study; name a match of it: '{file}#1'")
    return read_record(file)


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER


def own_world(text: str, recorded: str) -> World:
    """The world that the user names for a record, with the record's options if it has none."""
    from ludex.arena.match.replay import named_world
    from ludex.core.errors import LudexError, in_a_line

    try:
        return named_world(text, recorded)
    except LudexError:
        raise
    except Exception as error:  # a world that cannot be imported; the reason is its author's
        raise LudexError(f"the world {text!r} is broken: {in_a_line(error)}") from error


def split_moment(text: str) -> tuple[str, str] | None:
    """The record and the moment of `RECORD@N`, `RECORD` or `STORE#M@N`; None: it is no record.

    >>> split_moment("game.jsonl@40"), split_moment("game.jsonl.gz@end"), split_moment("study#3@-2")
    (('game.jsonl', '40'), ('game.jsonl.gz', 'end'), ('study#3', '-2'))
    >>> split_moment("game.jsonl"), split_moment("3 4 5 turn=0"), split_moment("aliens t=12 A@3")
    (('game.jsonl', ''), None, None)
    """
    name, mark, moment = text.rpartition("@")
    for file, at in ((name, moment), (text, "")):
        study, hash_mark, number = file.rpartition("#")
        is_match = bool(hash_mark) and is_number(number) and bool(study) and " " not in file
        if file and (at or not mark or file == text):
            if file.endswith(SUFFIXES) or is_match:
                return file, at
            if " " not in text and Path(file).is_file() and is_record(Path(file)):
                return file, at
    return None


def is_record(file: Path) -> bool:
    """Whether a file of any name begins as a record does."""
    import gzip

    try:
        content = file.read_bytes()[:200]
        if content.startswith(b"\x1f\x8b"):
            with gzip.open(file) as packed:
                content = packed.read(200)
    except (OSError, EOFError):
        return False
    return content.startswith(b'{"ludex_record"')


def read_step(text: str) -> int:
    """The number of a moment."""
    from ludex.core.errors import BadParameter

    if text.strip().lower() == END:
        return -1
    try:
        if len(text) < LONGEST_NUMBER:
            return int(text)
    except ValueError:
        pass
    raise BadParameter(f"a moment of a record is a number of steps, -1 or end, got {text[:60]!r}")


def read_position(
    file: str, moment: str, world: str | None, level: int | None
) -> tuple[Record, Position]:
    """The moment of a record that a command names; no moment is its end.

    Args:
        file: The record.
        moment: How many steps led to it.
        world: The world that the user names besides, which must be that of the record.
        level: The same of its level.
    """
    from ludex.arena.match.position import position
    from ludex.arena.match.replay import is_same
    from ludex.cli.shared.options import read_level
    from ludex.core.errors import BadParameter

    step = read_step(moment or END)
    record = read(Path(file))
    own = own_world(world, record.world) if world else None
    if level is not None:
        if own is None:
            raise BadParameter("a record names its level; leave --level out")
        own = read_level(own, level)
    if own is not None and not is_same(str(own), record.world):
        raise BadParameter(f"{file} is a record of {record.world}, not of {own}; leave that out")
    try:
        return record, position(record, step, own)
    except BadParameter as error:
        told = str(error).replace("the record has", f"{file} has", 1)
        raise type(error)(told) from None
