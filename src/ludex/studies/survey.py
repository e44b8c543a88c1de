"""A published table that is counted or measured, not played for wins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeAlias

from ludex.studies.scale import Scale

Tell: TypeAlias = Callable[[str, float], None]
"""told what is done and which share of it"""


@dataclass(frozen=True, slots=True)
class Reading:
    """One number of the source beside ours; None where the source has words or curves alone."""

    experiment: str
    what: str
    printed: float | None
    measured: float
    note: str = ""
    low: float | None = None
    high: float | None = None
    """the 95 % interval of what was measured, where it is a matter of chance"""

    @property
    def difference(self) -> float | None:
        """Relative to the printed number."""
        return self.measured / self.printed - 1.0 if self.printed else None

    def cells(self) -> tuple[str, ...]:
        """The reading as a row: printed, measured, interval, difference and note."""
        return (
            "-" if self.printed is None else f"{self.printed:g}",
            f"{self.measured:.4g}",
            "" if self.low is None else f"{self.low:.4g} .. {self.high:.4g}",
            "" if self.difference is None else f"{self.difference:+.0%}",
            self.note,
        )


HEADS = ("printed", "measured", "95 % interval", "difference", "note")


def unheard(what: str, share: float) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Survey(ABC):
    """Printed numbers that can be measured again."""

    id: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    deviations: ClassVar[tuple[str, ...]]

    folder: Path = Path("studies")
    """where a survey keeps what takes long, to go on from"""
    workers: int = 1
    tell: Tell = unheard

    @abstractmethod
    def readings(self, scale: Scale) -> list[Reading]: ...


def as_markdown(survey: Survey, readings: list[Reading]) -> str:
    """The readings as a table for a page."""
    heads = ("table", "what", *HEADS)
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    lines += [
        f"| {' | '.join((one.experiment, one.what, *one.cells()))} |".replace("  ", " ")
        for one in readings
    ]
    lines += ["", "What differs from the source:", ""]
    return "\n".join([*lines, *(f"- {line}" for line in survey.deviations)])
