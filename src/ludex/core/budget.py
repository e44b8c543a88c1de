"""The budget of a decision: time, model calls or iterations."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, Self

from ludex.core.errors import BadParameter
from ludex.core.rng import Meter

UNITS = {"ms": "time_ms", "s": "time_ms", "calls": "model_calls", "iterations": "iterations"}
FORM = re.compile(r"(?P<amount>[0-9]{1,20}(\.[0-9]{1,20})?)\s*(?P<unit>[a-z]+)(?P<turn>/turn)?")
LARGEST = 10**12
# Of a time budget, kept for answering: the runner counts until the answer is in, and freeing a
# search tree was measured to take up to 9 % of the time that growing it took.
RESERVE = 0.1
NATIVE_RESERVE, NATIVE_RESERVE_MS = 0.02, 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """One limit for one decision: time, model calls, or iterations of the planner's loop.

    >>> Budget.parse("900calls")
    Budget(time_ms=None, model_calls=900, iterations=None, per='move', wall=False)
    """

    time_ms: float | None = None
    model_calls: int | None = None
    iterations: int | None = None
    per: Literal["move", "turn"] = "move"
    """turn: one budget for all decisions a seat makes before another seat acts"""
    wall: bool = False
    """count wall time instead of CPU time, for planners with threads"""

    def __post_init__(self) -> None:
        given = [x for x in (self.time_ms, self.model_calls, self.iterations) if x is not None]
        if len(given) != 1:
            raise BadParameter("a budget has exactly one of time_ms, model_calls, iterations")
        if not 0 < given[0] <= LARGEST:  # also refuses NaN
            raise BadParameter(f"a budget must be more than 0 and at most 10**12, got {given[0]!r}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `40ms`, `1.5s`, `900calls`, `50iterations`, or any of them with `/turn`."""
        form = FORM.fullmatch(text.strip())
        unit = UNITS.get(form["unit"]) if form else None
        if form is None or unit is None or (unit != "time_ms" and "." in form["amount"]):
            raise BadParameter(
                f"cannot read budget {text!r}; write 40ms, 1.5s, 900calls or 50iterations"
            )
        per: Literal["move", "turn"] = "turn" if form["turn"] else "move"
        if unit == "time_ms":
            scale = 1000 if form["unit"] == "s" else 1
            return cls(time_ms=float(form["amount"]) * scale, per=per)
        return cls(**{unit: int(form["amount"])}, per=per)  # type: ignore[arg-type]  # by unit

    @property
    def repeatable(self) -> bool:
        """Whether the same seed gives the same decision on any machine."""
        return self.time_ms is None

    @property
    def planning_ms(self) -> float | None:
        """What a planner may use of a time budget, with a little kept back for the answer."""
        if self.time_ms is None:
            return None
        return self.time_ms * (1 - RESERVE)

    @property
    def native_ms(self) -> float | None:
        """The same for a native search, whose tree is freed in no time."""
        if self.time_ms is None:
            return None
        answer_ms = min(NATIVE_RESERVE_MS, self.time_ms * RESERVE)
        return self.time_ms - max(answer_ms, self.time_ms * NATIVE_RESERVE)

    def arm(self, meter: Meter, native: bool = False) -> None:
        """Start a decision on this meter, of a planner in Python or of a native search."""
        time_ms = self.native_ms if native else self.planning_ms
        meter.arm(model_calls=self.model_calls, time_ms=time_ms, wall=self.wall)

    def less(self, *, time_ms: float, model_calls: int, iterations: int) -> Self | None:
        """Return what is left for the rest of a turn; None when nothing is."""
        used = {"time_ms": time_ms, "model_calls": model_calls, "iterations": iterations}
        for name, spent in used.items():
            limit = getattr(self, name)
            if limit is not None:
                return replace(self, **{name: limit - spent}) if limit > spent else None
        return self

    def __str__(self) -> str:
        suffix = "/turn" if self.per == "turn" else ""
        if self.time_ms is not None:
            return f"{self.time_ms:g}ms{suffix}"
        if self.model_calls is not None:
            return f"{self.model_calls}calls{suffix}"
        return f"{self.iterations}iterations{suffix}"


DEFAULT_BUDGET = Budget(time_ms=40.0)
