"""Watchers see a match without touching it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from ludex.core.decision import Decision
from ludex.core.event import Event
from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.world import World


@dataclass(frozen=True, slots=True)
class Step:
    """The seats to act have acted."""

    before: Any
    actions: Actions
    events: tuple[Event, ...]
    after: Any
    decisions: Mapping[int, Decision]
    """those that were made, by seat; in a replay what the record kept of them"""


@dataclass(frozen=True, slots=True)
class Draw:
    """One listed outcome of chance was drawn."""

    before: Any
    outcome: Hashable
    events: tuple[Event, ...]
    after: Any


class MatchStopped(Exception):
    """Raised by a watcher to end the match here: what was played is kept."""


Change = TypeVar("Change", Step, Draw)


def own_copy(change: Change) -> Change:
    """The same with states that nobody else holds."""
    return replace(change, before=change.before.copy(), after=change.after.copy())


class Watcher:
    """The base of watchers; override what is of interest.

    Every state a watcher is handed is a copy of its own. Events hold everything that happened,
    hidden facts included: a watcher is the audience, not a player. It may take its time, which is
    nobody's budget, and it may raise `MatchStopped`.
    """

    reads_minds: ClassVar[bool] = False
    """whether decisions come with all that minds have to show, which takes time to work out"""

    def before_match(self, world: World, agents: Sequence[str], state: Any) -> None:
        """The match begins in this state; listed chance may be pending in it."""

    def after_chance(self, draw: Draw) -> None:
        """One listed outcome of chance was drawn."""

    def after_step(self, step: Step) -> None:
        """The seats to act have acted."""

    def after_match(self, state: Any, outcome: Outcome) -> None:
        """The match has ended in this state."""


class Audience:
    """All watchers of a match as one; each gets copies of the states."""

    def __init__(self, watchers: Sequence[Watcher]) -> None:
        self.watchers = tuple(watchers)
        self.reads_minds = any(watcher.reads_minds for watcher in self.watchers)

    def before_match(self, world: World, agents: Sequence[str], state: Any) -> None:
        for watcher in self.watchers:
            watcher.before_match(world, agents, state.copy())

    def after_chance(self, draw: Draw) -> None:
        for watcher in self.watchers:
            watcher.after_chance(own_copy(draw))

    def after_step(self, step: Step) -> None:
        for watcher in self.watchers:
            watcher.after_step(own_copy(step))

    def after_match(self, state: Any, outcome: Outcome) -> None:
        for watcher in self.watchers:
            watcher.after_match(state.copy(), outcome)
