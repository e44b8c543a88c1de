"""Options: policies with an end of their own, which a planner chooses among like actions.

R. Sutton, D. Precup and S. Singh, "Between MDPs and semi-MDPs: A framework for temporal abstraction
in reinforcement learning", 1999.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ludex.core.model import ChooseFunction, Model

EndFunction: TypeAlias = Callable[[Model, Any, int, int], bool]
"""Whether an option ends for a seat in a state, after so many ticks."""
BeginFunction: TypeAlias = Callable[[Model, Any, int], bool]
"""Whether an option can begin in a state."""


def anywhere(model: Model, state: Any, seat: int) -> bool:
    """Begin in any state."""
    return True


@dataclass(frozen=True, slots=True)
class Option:
    """A policy that, once chosen, is followed until it ends. Options of one name are the same.

    >>> Option("left", lambda model, state, seat, rng: 2, lambda *given: given[3] == 4).name
    'left'
    """

    name: str
    policy: ChooseFunction = field(compare=False)
    """`policy(model, state, seat, rng)`: the action in a state"""
    ends: EndFunction = field(compare=False)
    """`ends(model, state, seat, ticks)`: whether it ends, asked after every tick"""
    begins: BeginFunction = field(compare=False, default=anywhere)
    """`begins(model, state, seat)`: whether it can be chosen in a state"""

    def __str__(self) -> str:
        return self.name
