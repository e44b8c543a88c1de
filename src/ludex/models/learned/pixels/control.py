"""Which kind of objects the player controls: the one whose moves tell which action was taken."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ludex.models.learned.pixels.seen import SeenObject

LEAST_CONTROL = 0.5  # of a kind that is controlled
LEAST_MOVES = 5  # seen before a kind is taken for the avatar's
Motion: TypeAlias = tuple[int, int]


@dataclass
class Control:
    """The moves of objects that are alone of their kind, with the actions that were taken."""

    moves: dict[int, dict[Motion, Counter[Any]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    """by kind and motion; resting is no move"""
    beside: set[tuple[int, int]] = field(default_factory=set)
    """kinds that were seen in one picture"""

    def watch(
        self,
        before: Sequence[SeenObject],
        action: Any,
        after: Sequence[SeenObject],
        pairs: Iterable[tuple[int, int]],
    ) -> None:
        """Add a step; `pairs` are the indices of objects that are the same."""
        counts = Counter(one.kind for one in before)
        for old, new in pairs:
            one = before[old]
            motion = (after[new].x - one.x, after[new].y - one.y)
            if counts[one.kind] == 1 and motion != (0, 0):
                self.moves[one.kind][motion][action] += 1
        self.beside.update((kind, other) for kind in self.moves for other in counts)

    def control(self, kind: int) -> float:
        """How well moves tell actions, from 0 (not at all) to 1 (always).

        The share of moves whose action is the most frequent one of such moves, above the share of
        the most frequent action, as a part of what is open (the lambda of Goodman and Kruskal).
        """
        by_motion = self.moves[kind].values()
        actions: Counter[Any] = sum(by_motion, Counter())
        most = max(actions.values(), default=0)
        told = sum(max(counts.values()) for counts in by_motion)
        return (told - most) / (actions.total() - most) if actions.total() > most else 0.0

    def directions(self, kinds: Iterable[int]) -> dict[Any, Motion]:
        """The direction of each action, a step right and down, from the moves of these kinds."""
        found: dict[Any, Counter[Motion]] = defaultdict(Counter)
        for kind in kinds:
            for (right, down), actions in self.moves[kind].items():
                if (right == 0) != (down == 0):  # straight
                    for action, times in actions.items():
                        found[action][sign(right), sign(down)] += times
        return {
            action: ways.most_common(1)[0][0]
            for action, ways in found.items()
            if 2 * max(ways.values()) > ways.total()
        }

    def avatars(self) -> tuple[int, ...]:
        """Kinds that are controlled, those with the most such moves first.

        Others than the first are taken for other looks of the avatar, so they are never seen
        together with it, as a box is that it pushes.
        """
        moves = {
            kind: sum(counts.total() for counts in found.values())
            for kind, found in self.moves.items()
        }
        strength = {kind: self.control(kind) * moves[kind] for kind in moves}
        likely = [
            kind
            for kind in moves
            if self.control(kind) >= LEAST_CONTROL and moves[kind] >= LEAST_MOVES
        ]
        ranked = sorted(likely, key=lambda kind: (-strength[kind], kind))
        return tuple(kind for kind in ranked if kind == ranked[0] or not self.met(kind, ranked[0]))

    def met(self, kind: int, other: int) -> bool:
        return (kind, other) in self.beside or (other, kind) in self.beside


def sign(number: int) -> int:
    return (number > 0) - (number < 0)
