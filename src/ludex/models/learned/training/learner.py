"""What all learners have in common: nothing learned before `fit`, and a clear word about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from ludex.core.errors import NotFitted
from ludex.models.learned.training.transitions import Transition
from ludex.models.parts.part import ModelPart


@dataclass(frozen=True, kw_only=True)
class Learner(ModelPart):
    """Parameters of a learner; what it learns is in attributes whose names end in `_`.

    The parameters never change. `fit` learns from some transitions alone, `partial_fit` from more,
    and `clone` gives the same parameters with nothing learned.
    """

    def fit(self, transitions: Iterable[Transition]) -> Self:
        """Learn from these transitions alone."""
        raise NotImplementedError

    def partial_fit(self, transitions: Iterable[Transition]) -> Self:
        """Learn from more transitions."""
        raise NotImplementedError

    def _pack(self) -> dict[str, Any]:
        """All that was learned as arrays, for a file."""
        raise NotImplementedError

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        """Take over what `_pack` wrote; ValueError where it cannot have written that."""
        raise NotImplementedError

    @property
    def is_fitted(self) -> bool:
        return any(name.endswith("_") for name in vars(self))

    def _learn(self, **values: Any) -> None:
        """Set what was learned; parameters stay frozen."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _forget(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_")]:
            object.__delattr__(self, name)

    def __getattr__(self, name: str) -> Any:
        kind = type(self).__name__
        if name.endswith("_") and not name.startswith("_"):
            raise NotFitted(f"this {kind} has seen no transitions; call fit(transitions) first")
        raise AttributeError(f"{kind} has no attribute {name!r}")
