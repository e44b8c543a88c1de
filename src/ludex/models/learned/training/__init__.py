"""Training of learned models: transitions, learner base classes, model files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.core.lazy import lazy

if TYPE_CHECKING:
    from ludex.models.learned.training.transitions import Transition, as_observed, random_play

__all__ = ["Transition", "as_observed", "random_play"]

MODULES = {
    "Transition": "ludex.models.learned.training.transitions",
    "as_observed": "ludex.models.learned.training.transitions",
    "random_play": "ludex.models.learned.training.transitions",
}
__getattr__ = lazy(__name__, MODULES)
