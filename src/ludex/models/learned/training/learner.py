"""Base class of learners, in the style of scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from ludex.core.errors import NotFitted
from ludex.models.learned.training.transitions import Transition
from ludex.models.parts.part import ModelPart


@dataclass(frozen=True, kw_only=True)
class Learner(ModelPart):
    """Parameters of a learner; learned attributes end in `_`.

    Parameters never change. `fit` learns from scratch, `partial_fit` continues, and `clone` returns
    an unfitted learner with the same parameters.
    """

    def fit(self, transitions: Iterable[Transition]) -> Self:
        """Learn from these transitions alone."""
        raise NotImplementedError

    def partial_fit(self, transitions: Iterable[Transition]) -> Self:
        """Learn from more transitions."""
        raise NotImplementedError

    def _pack(self) -> dict[str, Any]:
        """Everything learned as arrays, for a model file."""
        raise NotImplementedError

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        """Read what `_pack` wrote; ValueError if it is invalid."""
        raise NotImplementedError

    @property
    def is_fitted(self) -> bool:
        return any(name.endswith("_") for name in vars(self))

    def _learn(self, **values: Any) -> None:
        """Set learned attributes; parameters stay frozen."""
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
