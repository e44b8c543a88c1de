"""Multi-objective optimisation: Pareto dominance, fronts and hypervolume.

All objectives are to be as large as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Vector: TypeAlias = tuple[float, ...]


def dominates(one: Vector, other: Vector) -> bool:
    """Whether a vector is nowhere worse than another, and somewhere better."""
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))


def hypervolume(points: Iterable[Vector]) -> float:
    """The volume between the origin and points with coordinates of at least 0.

    Slices along the last objective, from the top down: each is as thick as the way to the next
    point, and as large as the volume of all points above it in the other objectives.
    """
    slices = sorted(points, key=lambda point: point[-1], reverse=True)
    if not slices:
        return 0.0
    if len(slices[0]) == 1:
        return slices[0][0]
    is_flat = len(slices[0]) == 2  # then a slice is as wide as the widest point above it
    total = across = 0.0
    for count, point in enumerate(slices, 1):
        below = slices[count][-1] if count < len(slices) else 0.0
        if is_flat:
            across = max(across, point[0])
        elif point[-1] > below:
            across = hypervolume(one[:-1] for one in slices[:count])
        total += (point[-1] - below) * across
    return total


class Scale:
    """The least and largest value of each objective so far, which become 0 and 1."""

    def __init__(self) -> None:
        self.lows: Vector = ()
        self.highs: Vector = ()
        self.changes = 0
        """how often the range has grown"""

    def widen(self, vector: Vector) -> None:
        """Take a vector in."""
        if not self.lows:
            self.lows = self.highs = vector
        lows = tuple(map(min, self.lows, vector))
        highs = tuple(map(max, self.highs, vector))
        if (lows, highs) != (self.lows, self.highs):
            self.changes += 1
        self.lows, self.highs = lows, highs

    def apply(self, vector: Vector) -> Vector:
        """Bring a vector to 0 .. 1; an objective that never differed counts 0."""
        return tuple(
            (value - low) / (high - low) if high > low else 0.0
            for value, low, high in zip(vector, self.lows, self.highs, strict=True)
        )


class Front:
    """Vectors none of which dominates another, and no more of them than there is room for."""

    __slots__ = ("measured", "most", "points", "volume")

    def __init__(self, most: int = 100) -> None:
        self.most = most
        self.points: list[Vector] = []
        self.measured = -1  # the state of the scale at which `volume` was worked out
        self.volume = 0.0

    def add(self, vector: Vector, scale: Scale) -> bool:
        """Take in a vector and drop what it dominates; False when it is dominated itself.

        Where there is no room, the point goes that the volume misses least.
        """
        points = self.points
        if vector in points:
            return True
        for one in points:
            if dominates(one, vector):
                return False
        self.points = [one for one in points if not dominates(vector, one)]
        self.points.append(vector)
        self.measured = -1
        if len(self.points) > self.most:
            self.points.remove(self.least_missed(scale))
        return True

    def least_missed(self, scale: Scale) -> Vector:
        """The point without which the volume is largest."""
        scaled = [scale.apply(point) for point in self.points]
        without = [
            hypervolume(scaled[:index] + scaled[index + 1 :]) for index in range(len(scaled))
        ]
        return self.points[without.index(max(without))]

    def hypervolume(self, scale: Scale) -> float:
        """The part of the range of objectives that the front dominates, 0 to 1."""
        if self.measured != scale.changes:
            self.measured = scale.changes
            self.volume = hypervolume(map(scale.apply, self.points))
        return self.volume


def best_by_weights(
    points: Sequence[Vector], weights: Vector, floors: Vector, scale: Scale
) -> Vector:
    """The point of largest weighted sum, each objective brought to 0 .. 1.

    Points below the floor of an objective are left out, unless all are.
    """
    able = [point for point in points if reaches(scale.apply(point), floors)]
    return max(able or points, key=lambda point: weighted(scale.apply(point), weights))


def reaches(vector: Vector, floors: Vector) -> bool:
    """Whether a vector is nowhere below what is asked for."""
    return all(value >= floor for value, floor in zip(vector, floors, strict=True))


def weighted(vector: Vector, weights: Vector) -> float:
    """The weighted sum.

    >>> weighted((2.0, 1.0), (0.5, 0.25))
    1.25
    """
    return sum(value * weight for value, weight in zip(vector, weights, strict=True))
