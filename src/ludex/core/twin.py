"""Twins: planners whose search also exists in C++, and takes that form by itself.

A twin is the same search: from the same seed it builds the same tree. A planner that has one names
it (`twin`), asks for the kernels of its model (`kernels`), and searches in Python where there are
none. What ran, and why not the twin, stands in the note `search` of every decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from ludex.core._native import EvolvedSequences as NativeEvolution
from ludex.core._native import SearchTree as NativeTree
from ludex.core.budget import Budget
from ludex.core.capabilities import SearchesNatively, Wrapper
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.model import Model
from ludex.core.parameters import Between
from ludex.core.planner import Planner
from ludex.core.policy import NativePolicy

__all__ = ["NativeEvolution", "NativeTree", "ThreadedPlanner", "TwinPlanner", "native_rules"]

MOST_THREADS = 256


@dataclass(frozen=True, kw_only=True)
class TwinPlanner(Planner):
    """A planner with a native twin."""

    twin: ClassVar[str | None] = None
    """the name of the native search; a subclass that searches otherwise leaves it out"""

    in_batches: ClassVar[frozenset[str]] = frozenset()
    """parameters that may be Python functions, which the native search asks in batches"""

    native: bool = True
    """search in C++ where the model is native; no: in Python, which decides the same"""

    def kernels(self, model: Model) -> Any:
        """The native model that searches for this planner, or None where it searches in Python."""
        return native_rules(model) if self.why_not_native(model) is None else None

    def native_parts(self, model: Model) -> dict[str, Any]:
        """What the native search is told beside the parameters: policies and models, resolved."""
        return {}

    def why_not_native(self, model: Model) -> str | None:
        """Say why the search runs in Python; None when its twin runs, no words when none could."""
        if not self.native:
            return ""
        rules = native_rules(model)
        if rules is None:
            return ""
        if self.twin is None or "twin" not in vars(type(self)):
            return f"{type(self).__name__} may search otherwise than the planner it derives from"
        for item in fields(self):
            value = getattr(self, item.name)
            known = isinstance(value, NativePolicy) or item.name in self.in_batches
            if callable(value) and not known:
                return f"{item.name} is a Python function"
        parts = self.native_parts(model)
        if any(part is None for part in parts.values()):
            return "the model of its rollouts is written in Python"
        return rules.native_refusal(self.twin, self, parts)

    def arm(self, budget: Budget, model: Model) -> None:
        budget.arm(model.meter, native=self.kernels(model) is not None)

    def measured(self, model: Model, budget: Budget, think: Callable[[], Decision]) -> Decision:
        decision = super().measured(model, budget, think)
        if "forced" in decision.notes:
            return decision
        return replace(decision, notes={**decision.notes, "search": self.which_search(model)})

    def which_search(self, model: Model) -> str:
        """What is noted of a decision: the native search, or Python with the reason."""
        reason = self.why_not_native(model)
        if reason is None:
            return "native"
        return f"python: {reason}" if reason else "python"


@dataclass(frozen=True, kw_only=True)
class ThreadedPlanner(TwinPlanner):
    """A planner whose native twin can share one tree among several threads."""

    LIMITS: ClassVar[Mapping[str, Any]] = {"threads": Between(1, MOST_THREADS)}

    threads: int = 1
    """threads that grow one tree, in the native search alone; above 1 it is not repeatable"""

    def runs_threads(self) -> bool:
        """Whether a decision takes several threads, so that the same seed may decide otherwise."""
        return self.threads > 1

    def check_model(self, model: Model) -> None:
        super().check_model(model)
        if self.threads == 1:
            return
        reason = self.why_not_native(model)
        if reason is not None:
            why = reason or (
                "native=no keeps to Python"
                if not self.native
                else "this model is written in Python"
            )
            raise Unsupported(
                f"{self.name} with threads={self.threads} needs a native search, and {why}; "
                "use threads=1"
            )

    def which_search(self, model: Model) -> str:
        found = super().which_search(model)
        return f"{found}, {self.threads} threads" if self.threads > 1 else found


def native_rules(model: Any) -> SearchesNatively | None:
    """The native model whose rules a model plays by, or None.

    Only wrappers that leave the rules as they are are looked through.
    """
    while isinstance(model, Wrapper):
        if not model.keeps_rules:
            return None
        model = model.inner
    return model if issubclass(type(model), SearchesNatively) else None
