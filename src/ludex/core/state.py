"""The State contract, and a base class for states written in Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, Self

from ludex.core.errors import foreign_class


class State(Protocol):
    """A value: equal states are equal in all that matters for the future of the game.

    It holds no random stream, no history, no agent and no definition of the game. `str(state)`
    is one line that `world.parse` reads back. Only `advance`, `settle` and `copy_from` change
    a state in place, and only one the caller owns.
    """

    def copy(self) -> Self: ...

    def copy_from(self, other: Self) -> None: ...

    def __hash__(self) -> int: ...


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    StateT = TypeVar("StateT", bound=State, default=Any)
else:  # defaults of type variables are new in Python 3.13
    from typing import TypeVar

    StateT = TypeVar("StateT")
"""The states of a world or model: `World[State]`, `Model[State]`; left out, any states."""


class PlainState:
    """A base for dataclasses whose fields are immutable values, so a copy is shallow.

    Declare states with `@dataclass(slots=True, unsafe_hash=True)`; give fields that do not
    count as state, such as the events of the last step, `field(compare=False)`.
    """

    __slots__ = ("_owner",)
    _owner: object
    """the mark of the rules that know this state (core/owner.py); no part of what it is"""

    def copy(self) -> Self:
        kind: Any = type(self)
        twin: Self = object.__new__(kind)
        filler(kind)(twin, self)
        return twin

    def copy_from(self, other: Self) -> None:
        if type(other) is not type(self):
            raise foreign_class(type(self), other)
        kind: Any = type(self)
        filler(kind)(self, other)

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """What travels: where it arrives, rules look at it anew."""
        fields = type(self).__dataclass_fields__  # type: ignore[attr-defined]  # dataclass
        return None, {name: getattr(self, name) for name in fields}


@cache
def filler(kind: Any) -> Callable[[Any, Any], None]:
    """A function that gives one state all fields of another.

    It is written out once for each class, as dataclasses write theirs: searches copy states all
    the time, and going through the names of the fields costs five times as much.
    """
    fields = kind.__dataclass_fields__
    lines = [f"    twin.{name} = state.{name}" for name in fields]
    lines.append("    twin._owner = getattr(state, '_owner', None)")
    namespace: dict[str, Any] = {}
    exec("def fill(twin, state):\n" + "\n".join(lines), namespace)
    made: Callable[[Any, Any], None] = namespace["fill"]
    return made
