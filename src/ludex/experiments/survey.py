"""Surveys: published numbers that are measured again, not win rates of arms."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from ludex.core.errors import LudexError
from ludex.core.version import package_version
from ludex.core.whole_file import write_whole
from ludex.experiments.collection import Collection
from ludex.experiments.judge import verdict_on_no_less, verdict_on_sameness
from ludex.experiments.scale import Scale

CLOSE = 0.1
"""a measured number that is off by less, as a share of the printed one, agrees with it"""
Agreement: TypeAlias = Literal["met", "off", "open"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One printed number with the measured one."""

    experiment: str
    what: str
    printed: float | None
    """None if the source has no such number"""
    measured: float
    note: str = ""
    compared: bool = True
    """whether the printed number is one to be met; speed is not"""
    interval: tuple[float, float] | None = None
    """of 95 %; None: the number is exact, or there are too few cases"""
    cases: int | None = None
    """independent cases that it is a mean of; None: the number is exact"""
    margin: float | None = None
    """how far off is as good as the printed number; None: a tenth of it"""
    relation: Literal["same", "no less", "more"] = "same"
    """no less: more than the printed number is as good; more: only more than it is"""

    @property
    def difference(self) -> float | None:
        """Relative to the printed number; None if that is 0 or missing."""
        return self.measured / self.printed - 1.0 if self.printed else None

    @property
    def texts(self) -> tuple[str, ...]:
        """The reading as the cells of a table."""
        printed = "-" if self.printed is None else written(self.printed)
        difference = "-" if self.difference is None else f"{round(100 * self.difference):+d} %"
        verdict = agreement(self) if self.compared and self.printed is not None else "-"
        measured = written(self.measured)
        return self.experiment, self.what, printed, measured, difference, verdict, self.said

    @property
    def said(self) -> str:
        """The note, after the interval and the number of cases."""
        parts: list[str] = []
        if self.interval is not None:
            low, high = (written(bound) for bound in self.interval)
            parts.append(f"95 % interval {low} to {high}")
        if self.cases is not None:
            parts.append(f"{self.cases:,} cases")
        return "; ".join([", ".join(parts)] * bool(parts) + [self.note] * bool(self.note))


def agreement(reading: Reading) -> Agreement:
    """Whether a measured number is as good as the printed one, is another, or may be either.

    The margin decides, and the interval says how sure that is: a number whose interval merely
    contains the printed one may still be far from it.

    >>> agreement(Reading("T1", "wins", 50.0, 54.0)), agreement(Reading("T1", "wins", 50.0, 60.0))
    ('met', 'off')
    >>> agreement(Reading("T1", "wins", 50.0, 60.0, interval=(45.0, 75.0)))
    'open'
    >>> agreement(Reading("T1", "wins", 50.0, 60.0, interval=(45.0, 75.0), relation="no less"))
    'met'
    >>> agreement(Reading("T1", "gain", 0.0, 2.0, interval=(1.0, 3.0), relation="more"))
    'met'
    """
    if reading.printed is None:
        raise ValueError(f"{reading.what!r} has no printed number to agree with")
    if reading.interval is None and reading.cases is not None:  # too few
        return "open"
    low, high = reading.interval or (reading.measured, reading.measured)
    if reading.relation == "more":
        return "met" if low > reading.printed else "off" if high < reading.printed else "open"
    margin = CLOSE * abs(reading.printed) if reading.margin is None else reading.margin
    verdict_on = verdict_on_sameness if reading.relation == "same" else verdict_on_no_less
    shown = verdict_on(low - reading.printed, high - reading.printed, margin)
    if shown is None:
        return "open"
    return "met" if shown == "holds" else "off"


def written(number: float) -> str:
    """Write a number with four digits, and large ones without an exponent.

    >>> written(0.05645), written(-12215.4), written(1.232e15)
    ('0.05645', '-12,215', '1.232e+15')
    """
    return f"{number:,.0f}" if 1000 <= abs(number) < 1e7 else f"{number:.4g}"


HEADS = ("table", "what", "printed", "measured", "difference", "verdict", "note")
Part: TypeAlias = Callable[[], list[Reading]]


class Survey(ABC):
    """A survey: printed numbers that are measured again, part by part."""

    id: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    deviations: ClassVar[tuple[str, ...]]

    folder: Path = Path("studies")
    """the folder for files that take long to make; set by `measure`"""
    workers: int = 1
    takes_games: ClassVar[bool] = False
    """whether it uses VGDL games from a collection"""
    collection: Collection | None = None

    @abstractmethod
    def parts(self, scale: Scale) -> Mapping[str, Part]:
        """The parts to measure, in order; finished parts are not measured again."""


def read(kept: Mapping[str, Any]) -> Reading:
    """A reading that was kept as plain values."""
    interval = kept.get("interval")
    return Reading(**{**kept, "interval": interval and (interval[0], interval[1])})


class SurveyFile:
    """The file with the finished parts of a survey."""

    def __init__(self, survey: Survey, scale: Scale, folder: Path, mixed: bool) -> None:
        self.path = folder / f"{survey.id.lower()}-{scale}.json"
        self.version = package_version()
        self.games = survey.collection.name if survey.collection else None
        self.parts: dict[str, list[Reading]] = {}
        if not self.path.exists():
            return
        try:
            kept = json.loads(self.path.read_text())
            self.parts = {
                name: [read(reading) for reading in readings]
                for name, readings in kept["parts"].items()
            }
            before, games = kept["ludex"], kept.get("games")
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise LudexError(
                f"cannot read {str(self.path)!r} as a survey that was begun; remove it, or begin "
                "another with --out"
            ) from None
        if games != self.games:
            raise LudexError(
                f"{str(self.path)!r} was begun with {games}, and not with {self.games}; begin "
                "another with --out"
            )
        if before != self.version and not mixed:
            raise LudexError(
                f"ludex has changed since {str(self.path)!r} was begun, from {before} to "
                f"{self.version}; begin another with --out, or mix them with --mixed"
            )

    def keep(self, name: str, readings: list[Reading]) -> None:
        self.parts[name] = readings
        document = {
            "ludex": self.version,
            "games": self.games,
            "parts": {one: [asdict(row) for row in rows] for one, rows in self.parts.items()},
        }
        write_whole(self.path, json.dumps(document, indent=1).encode(), "the survey")


def measure(
    survey: Survey,
    scale: Scale,
    folder: Path,
    *,
    progress: Callable[[str, int, int], None] = lambda part, done, total: None,
    workers: int = 1,
    mixed: bool = False,
) -> list[Reading]:
    """Measure the missing parts of a survey, and return the readings of all.

    Args:
        survey: The survey to measure.
        scale: Its size.
        folder: The folder of finished parts.
        progress: Called before each part with its name, its index and the total.
        workers: Games played in parallel, if the survey supports it.
        mixed: Continue although ludex changed since the survey was started.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept = SurveyFile(survey, scale, folder, mixed)
    survey.folder, survey.workers = folder, workers
    parts = survey.parts(scale)
    for number, (name, part) in enumerate(parts.items()):
        progress(name, number, len(parts))
        if name not in kept.parts:
            kept.keep(name, part())
    return [reading for name in parts for reading in kept.parts[name]]


def as_markdown(survey: Survey, readings: list[Reading]) -> str:
    """The readings as a Markdown table."""
    lines = [f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|"]
    lines += [f"| {' | '.join(one.texts)} |" for one in readings]
    lines += ["", "What differs from the source:", ""]
    return "\n".join([*lines, *(f"- {line}" for line in survey.deviations)])
