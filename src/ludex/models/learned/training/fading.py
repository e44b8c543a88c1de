"""Counts with exponential decay of old observations."""

from __future__ import annotations

from collections import Counter
from typing import Generic, TypeVar

LARGEST_WEIGHT = 1e12  # weights are scaled back here, so that they never overflow
FORGOTTEN = 1e-6  # of the weight of a new one: smaller counts are dropped

Key = TypeVar("Key")
Value = TypeVar("Value")


class DecayingCounts(dict[Key, Counter[Value]], Generic[Key, Value]):
    """Decayed counts of what followed each key; `age` lets all counts so far decay.

    Instead of scaling all old counts down, the weight of new ones grows.
    """

    def __init__(self, decay: float = 1.0) -> None:
        super().__init__()
        self.decay = decay
        self.weight = 1.0

    def age(self) -> None:
        """Decay all counts so far."""
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
        """The decayed count of a key, in units of a new observation."""
        return self[key].total() / self.weight if key in self else 0.0
