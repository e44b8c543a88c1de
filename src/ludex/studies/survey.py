"""A published table that is counted or measured, not played for wins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from ludex.studies.scale import Scale


@dataclass(frozen=True, slots=True)
class Reading:
    """One number of the source beside ours."""

    experiment: str
    what: str
    printed: float
    measured: float
    note: str = ""

    @property
    def difference(self) -> float:
        """Relative to the printed number."""
        return self.measured / self.printed - 1.0


class Survey(ABC):
    """Printed numbers that can be measured again."""

    id: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    deviations: ClassVar[tuple[str, ...]]

    @abstractmethod
    def readings(self, scale: Scale) -> list[Reading]: ...


def as_markdown(survey: Survey, readings: list[Reading]) -> str:
    """The readings as a table for a page."""
    heads = ("table", "what", "printed", "measured", "difference", "note")
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    lines += [
        f"| {one.experiment} | {one.what} | {one.printed:g} | {one.measured:.4g} | "
        f"{one.difference:+.0%} | {one.note} |"
        for one in readings
    ]
    lines += ["", "What differs from the source:", ""]
    return "\n".join([*lines, *(f"- {line}" for line in survey.deviations)])
