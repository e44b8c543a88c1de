"""Tracks connect four: the discs of each column."""

from __future__ import annotations

from ludex.core.event import Event
from ludex.core.tracker import Counts
from ludex.core.view import OpenView
from ludex.worlds.connect_four._native import COLUMNS, ROWS

SPACING = ROWS + 1  # bits of a column on the bitboard, one of them always empty


def columns_of(view: OpenView) -> list[list[int]]:
    """The seats that own the discs of each column, from the bottom."""
    first, second = (view.state.discs(seat) for seat in (0, 1))
    columns: list[list[int]] = []
    for column in range(COLUMNS):
        bits = [column * SPACING + row for row in range(ROWS)]
        columns.append([second >> bit & 1 for bit in bits if (first | second) >> bit & 1])
    return columns


def public_counts(view: OpenView) -> Counts:
    """What the tracker counts, read off a view."""
    return {"columns": tuple(map(tuple, columns_of(view)))}


class ConnectFourTracker:
    """The discs of both seats."""

    def __init__(self, view: OpenView) -> None:
        self.columns = columns_of(view)

    def observe(self, event: Event) -> None:
        column, seat = event.detail, event.seat
        assert isinstance(column, int)
        assert seat is not None
        self.columns[column].append(seat)

    def counts(self) -> Counts:
        return {"columns": tuple(map(tuple, self.columns))}
