"""The facts of a state, where a world does not say them itself."""

from __future__ import annotations

from collections.abc import Hashable, Iterator


def facts_of(key: Hashable, place: tuple[int, ...] = ()) -> Iterator[Hashable]:
    """Take a key apart: each value in it, with where it stands, is a fact.

    >>> list(facts_of(((3, 4), "turn")))
    [((0, 0), 3), ((0, 1), 4), ((1,), 'turn')]
    """
    if isinstance(key, tuple | bytes):
        for number, part in enumerate(key):
            yield from facts_of(part, (*place, number))
    else:
        yield place, key
