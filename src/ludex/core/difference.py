"""The first difference between a replay and its record."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between a replay and its trace, as two short texts."""

    trace: str
    tick: int
    expected: str
    found: str

    def as_json(self) -> dict[str, str | int]:
        return {
            "trace": self.trace,
            "tick": self.tick,
            "expected": self.expected,
            "found": self.found,
        }
