"""Which card files make up a profile, and the native tables made of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ludex.core.errors import BadParameter, did_you_mean
from ludex.core.text_file import Source, read_text
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.language.compiler import Compiler, compile_texts
from ludex.worlds.hearthstone.language.lexer import BadCard
from ludex.worlds.hearthstone.language.tables import Tables

FOLDER = Path(__file__).parent / "cards"
PROFILES = {
    "classic": ("classic",),
    "competition": ("classic", "competition"),
    "nora2015": ("classic", "nora2015"),
}
"""folders of card files, in the order they are read"""


OWN = "own"
"""the profile of cards in a file of the user's own"""


def card_paths(profile: str, files: tuple[str, ...] = ()) -> list[tuple[Path, str]]:
    """The files of a profile and those of a user's own after them, each with its folder."""
    if profile not in PROFILES:
        hint = did_you_mean(profile, list(PROFILES)) or f"; known: {', '.join(PROFILES)}"
        raise BadParameter(f"no card profile named {profile!r}{hint}")
    return [
        *(
            (path, folder)
            for folder in PROFILES[profile]
            for path in sorted((FOLDER / folder).glob("*.cards"))
        ),
        *((Path(file), OWN) for file in files),
    ]


def load(
    profile: str,
    files: tuple[str, ...] = (),
    held: Mapping[Path, Source] | None = None,
) -> Tables:
    """Compile a profile, with card files of a user's own after it.

    Args:
        profile: Its name.
        files: Paths of the files that follow it.
        held: What was read from the files before, where it was.
    """
    known = held or {}
    return compiled(
        tuple(
            (read_text(path, "card", BadCard, held=known.get(path)), path.name, folder)
            for path, folder in card_paths(profile, files)
        )
    )


@lru_cache(maxsize=32)
def compiled(texts: tuple[tuple[str, str, str], ...]) -> Tables:
    """Compile card files once, however many worlds are made of them, until a text changes."""
    return compile_texts(texts)


@lru_cache(maxsize=32)
def native_cards(tables: Tables) -> _native.CardSet:
    return _native.CardSet(*tables.native_rows())


def examined(profile: str, files: tuple[str, ...]) -> tuple[Tables, list[BadCard]]:
    """The cards of a user's own files that follow a profile, and all mistakes in them."""
    compiler = Compiler(keep_going=True)
    for path, folder in card_paths(profile, files):
        with compiler.noting():
            compiler.add(read_text(path, "card", BadCard), path.name, folder)
    tables = compiler.finish()
    order = {Path(file).name: index for index, file in enumerate(files)}

    def place(mistake: BadCard) -> tuple[int, int]:
        file, line, *_ = [*str(mistake).split(":"), ""]
        return order.get(file, 0), int(line) if line.isdecimal() else 0

    return tables, sorted(compiler.mistakes, key=place)


def with_text(profile: str, text: str, file: str = "cards") -> Tables:
    """Compile a profile and a text after it, for tests and the checker."""
    own = (text, file, OWN)
    return compile_texts(
        [*((read_text(path, "card"), path.name, at) for path, at in card_paths(profile)), own]
    )
