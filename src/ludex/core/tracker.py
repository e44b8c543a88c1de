"""Trackers: public counts of a game, kept by one seat from its events alone."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from ludex.core.event import Event

Counts: TypeAlias = Mapping[str, Hashable]
"""facts of the table by name: sizes of hands, points, pieces"""


class Tracker(Protocol):
    """One seat's counts in one game, kept from its events alone."""

    def observe(self, event: Event) -> None:
        """Take in one event of this seat."""
        ...

    def counts(self) -> Counts:
        """The counts after all events so far."""
        ...


@runtime_checkable
class Tracked(Protocol):
    """A world whose public counts a plain tracker can keep.

    The conformance kit plays games and demands that, after every step and for every seat, the
    tracker's counts are those that the table shows: then the events said what happened, all of it
    and no more.
    """

    def tracker(self, view: Any) -> Tracker:
        """Begin to count from what this view shows; the tracker sees no later one."""
        ...

    def public_counts(self, view: Any) -> Counts:
        """Read the same counts off a view."""
        ...
