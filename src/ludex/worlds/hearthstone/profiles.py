"""Which card files make up a profile, and the native tables made of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ludex.core.errors import BadParameter, did_you_mean
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.language import Reader, read_files
from ludex.worlds.hearthstone.tables import Tables

FOLDER = Path(__file__).parent / "cards"
PROFILES = {
    "classic": ("classic",),
    "competition": ("classic", "competition"),
    "nora2015": ("classic", "nora2015"),
}
"""folders of card files, in the order they are read"""


def profile_paths(profile: str) -> list[tuple[Path, str]]:
    if profile not in PROFILES:
        hint = did_you_mean(profile, list(PROFILES)) or f"; known: {', '.join(PROFILES)}"
        raise BadParameter(f"no card profile named {profile!r}{hint}")
    return [
        (path, folder)
        for folder in PROFILES[profile]
        for path in sorted((FOLDER / folder).glob("*.cards"))
    ]


@cache
def load(profile: str, files: tuple[str, ...] = ()) -> Tables:
    """Compile a profile, with card files of a user's own after it."""
    own = [(Path(file), "own") for file in files]
    for path, _ in own:
        if not path.is_file():
            raise BadParameter(f"there is no card file {str(path)!r}")
    return read_files([*profile_paths(profile), *own])


@cache
def native_cards(profile: str, files: tuple[str, ...] = ()) -> _native.CardSet:
    return _native.CardSet(*load(profile, files).native_rows())


def with_text(profile: str, text: str, file: str = "cards") -> Tables:
    """Compile a profile and a text after it, for tests and the checker."""
    reader = Reader()
    for path, folder in profile_paths(profile):
        reader.add(path.read_text(encoding="utf-8"), path.name, folder)
    reader.add(text, file, "own")
    return reader.finish()
