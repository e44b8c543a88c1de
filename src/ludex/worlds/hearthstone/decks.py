"""Decks by name or file: those of the package, and a user's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ludex.core.errors import BadParameter, did_you_mean
from ludex.core.text_file import Source, read_text
from ludex.worlds.hearthstone.deck_file import (
    CLASS_HEROES,
    COPIES,
    SIZE,
    DeckText,
    by_name,
    heading,
    read_deck,
)
from ludex.worlds.hearthstone.language.tables import Tables

__all__ = ["CLASS_HEROES", "COPIES", "SIZE", "Deck", "by_name", "load", "names", "read"]

FOLDER = Path(__file__).parent / "decks"


@dataclass(frozen=True, slots=True)
class Deck:
    """A hero and the cards of a deck, as card numbers."""

    name: str
    hero: str
    cards: list[int]
    mixed: bool
    """cards of other classes are allowed"""


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.deck"))


def path_of(name: str) -> Path:
    """The path of a deck of the package, or of a user's deck file."""
    return Path(name) if name.endswith(".deck") else FOLDER / f"{name}.deck"


def text_of(name: str, held: Mapping[Path, Source] | None = None) -> str:
    """The text of a deck of ours by its name, or of a deck file by its path."""
    path = path_of(name)
    known = (held or {}).get(path)
    read_before = known is not None and known.data is not None
    if not read_before and not name.endswith(".deck") and name not in names():
        hint = did_you_mean(name, names()) or f"; known: {', '.join(names())}"
        raise BadParameter(f"no deck named {name!r}{hint}")
    return read_text(path, "deck", held=known)


def about(name: str) -> DeckText:
    """What a deck says of itself: its hero, the cards it is made of, where it is from."""
    return heading(text_of(name))


def load(
    name: str, tables: Tables, held: Mapping[Path, Source] | None = None, profile: str = ""
) -> Deck:
    """Read a deck of ours by its name, or a deck file by its path.

    Args:
        name: Of the deck, or the path of its file.
        tables: All cards.
        held: What was read from the file before, where it was.
        profile: What the cards are called, for errors.
    """
    return read(text_of(name, held), name, tables, profile)


def read(text: str, file: str, tables: Tables, profile: str = "") -> Deck:
    """Read the text of a deck, which is in this file; BadParameter tells its first mistake."""
    deck = read_deck(text, tables)
    if deck.mistakes:
        raise BadParameter(refusal(deck, file, profile))
    return Deck(Path(file).stem, deck.hero, deck.numbers(), deck.mixed)


def refusal(deck: DeckText, file: str, profile: str) -> str:
    """The first mistake of a deck in a sentence, and how to see the others."""
    if profile and deck.profile not in ("", profile):
        return (
            f"the deck {Path(file).name} is made of the cards {deck.profile!r}, not {profile!r}; "
            f"play it with cards={deck.profile}"
        )
    first, *others = deck.mistakes
    name = Path(file).name
    where = f"{name}:{first.line}" if first.line else name
    if not others:
        return f"{where}: {first.reason}"
    return f"{where}: {first.reason} (and {len(others)} more: ludex hearthstone check {file})"
