"""Measures of risk: what an action is worth by its worst results.

Results are listed in ascending order, worst first. The value at risk is a quantile of them; the
conditional value at risk (CVaR; R. T. Rockafellar and S. Uryasev 2000) is the mean of the results
up to that quantile.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from math import ceil
from typing import Literal, TypeAlias

Measure: TypeAlias = Callable[[Sequence[float], float], float]
MeasureName: TypeAlias = Literal["cvar", "quantile"]

ROUNDING = 1e-9  # what a product such as 0.07 * 100 may be above the number that is meant


def cvar(results: Sequence[float], share: float) -> float:
    """The mean of the worst share of the results; at a share of 1 of all.

    Where the share ends within a result, that one counts for the part that lies in it.

    >>> cvar([-1.0, 0.0, 2.0, 3.0], 0.5), cvar([-1.0, 0.0, 2.0, 3.0], 0.375)
    (-0.5, -0.6666666666666666)
    """
    wanted = share * len(results)
    whole = int(wanted)
    tail = sum(results[:whole])
    if whole < len(results):
        tail += (wanted - whole) * results[whole]
    return tail / wanted


def quantile(results: Sequence[float], share: float) -> float:
    """The least result that at least this share of the results does not exceed.

    >>> quantile([-1.0, 0.0, 2.0, 3.0], 0.5), quantile([-1.0, 0.0, 2.0, 3.0], 0.51)
    (0.0, 2.0)
    """
    return results[max(0, ceil(share * len(results) - ROUNDING) - 1)]


MEASURES: dict[MeasureName, Measure] = {"cvar": cvar, "quantile": quantile}


class Results:
    """All results of one action: in ascending order, and the mean in each model."""

    __slots__ = ("by_model", "ordered", "total")

    def __init__(self) -> None:
        self.ordered: list[float] = []
        self.total = 0.0
        self.by_model: dict[int, tuple[float, int]] = {}
        """the sum and the number of the results in each model, by its index"""

    def add(self, value: float, model: int) -> None:
        """Add the result of a simulation that was played in a model."""
        insort(self.ordered, value)
        self.total += value
        total, number = self.by_model.get(model, (0.0, 0))
        self.by_model[model] = total + value, number + 1

    @property
    def mean(self) -> float:
        return self.total / len(self.ordered)

    def means_of_models(self) -> list[float]:
        """The mean result in each model, worst first."""
        return sorted(total / number for total, number in self.by_model.values())
