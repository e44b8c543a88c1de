"""What the planner of a game of one seat is shown of the real game of several."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Self

from ludex.core.capabilities import ShowsObjects, able
from ludex.core.object_list import ObjectListView
from ludex.core.outcome import Outcome
from ludex.core.tiles import TileView
from ludex.core.view import History, View, recall

OURS = 0
"""the number of the only seat"""


@dataclass(frozen=True)
class OneSeatView:
    """A view of the real game under another number of the seat; all else is that of the view."""

    inner: Any
    """a View"""

    @property
    def seat(self) -> int:
        return OURS

    @property
    def legal(self) -> tuple[Hashable, ...]:
        legal: tuple[Hashable, ...] = self.inner.legal
        return legal

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "inner":
            raise AttributeError(name)  # a copy under construction has no inner view yet
        return getattr(self.inner, name)


class OneSeatObjectView(OneSeatView):
    """The same of a view that lists objects, and shows itself as tiles and objects."""

    @property
    def tick(self) -> int:
        return self.inner.tick  # type: ignore[no-any-return]  # of any view with objects

    @property
    def score(self) -> float:
        return self.inner.score  # type: ignore[no-any-return]  # of any view with objects

    @property
    def block(self) -> int:
        return self.inner.block  # type: ignore[no-any-return]  # of any view with objects

    @property
    def width(self) -> int:
        return self.inner.width  # type: ignore[no-any-return]  # of any view with objects

    @property
    def height(self) -> int:
        return self.inner.height  # type: ignore[no-any-return]  # of any view with objects

    @property
    def avatar(self) -> Any:
        return self.inner.avatar

    @property
    def rows(self) -> Any:
        return self.inner.rows

    def recalling(
        self, *, last_action: Hashable | None = None, history: History | None = None
    ) -> Self:
        return type(self)(recall(self.inner, last_action=last_action, history=history))

    def as_tiles(self) -> TileView:
        return self.alone(self.inner.as_tiles())  # type: ignore[no-any-return]  # of the same class

    def as_objects(self) -> ObjectListView:
        return self.alone(self.inner.as_objects())  # type: ignore[no-any-return]  # of the same class

    def alone(self, shown: Any) -> Any:
        """What learners are shown, of one seat."""
        ended = shown.outcome and own_outcome(shown.outcome, self.inner.seat)
        return replace(shown, seat=OURS, outcome=ended, others=())


def own_view(view: View) -> View:
    """A view of the real game as that of the only seat."""
    if view.seat == OURS:
        return view
    kind = OneSeatObjectView if able(view, ShowsObjects) is not None else OneSeatView
    return kind(view)


def real_view(view: Any) -> Any:
    """The view of the real game that a planner was shown."""
    return view.inner if isinstance(view, OneSeatView) else view


def own_outcome(outcome: Outcome, seat: int) -> Outcome:
    """The end of a game for one of its seats."""
    winners = (OURS,) if seat in outcome.winners else ()
    return replace(outcome, winners=winners, returns=(outcome.returns[seat],))
