"""Counts in which the old counts less than the new."""

from __future__ import annotations

from collections import Counter
from typing import Generic, TypeVar

LARGEST_WEIGHT = 1e12  # weights are scaled back here, so that they never overflow
FORGOTTEN = 1e-6  # of a new one: what counts less is dropped

Key = TypeVar("Key")
Value = TypeVar("Value")


class Fading(dict[Key, Counter[Value]], Generic[Key, Value]):
    """What followed each key, and how often; each time `age` is called, all so far counts less.

    Instead of making all others lighter the next one is made heavier: it counts `weight`.
    """

    def __init__(self, decay: float = 1.0) -> None:
        super().__init__()
        self.decay = decay
        self.weight = 1.0

    def age(self) -> None:
        """Let the next one count more, which is to let all others count less."""
        if self.decay == 1.0:
            return
        self.weight /= self.decay
        if self.weight < LARGEST_WEIGHT:
            return
        for key, values in list(self.items()):
            kept = {value: n / self.weight for value, n in values.items()}
            self[key] = Counter({value: n for value, n in kept.items() if n > FORGOTTEN})
            if not self[key]:
                del self[key]
        self.weight = 1.0

    def add(self, key: Key, value: Value) -> None:
        self.setdefault(key, Counter())[value] += self.weight  # type: ignore[assignment]  # fractions

    def times(self, key: Key) -> float:
        """How often a key came, in new ones."""
        return self[key].total() / self.weight if key in self else 0.0
