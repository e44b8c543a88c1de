"""What one player may see."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class HearthstoneView:
    """The table as one seat sees it: unknown cards are blank, decks have no order."""

    seat: int
    legal: tuple[int, ...]
    seen: bytes
    """the state with blanks, read by `_native.seen_state`"""
    unseen: tuple[int, ...]
    """the other's cards in hand, deck and secrets together, where the decks are known"""
    owner: int = field(default=0, compare=False, repr=False)
    """the tag of the rules that this is a view of"""
