"""What a state must offer, and a base for states written in Python."""

from __future__ import annotations

from typing import Any, Protocol, Self

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


class PlainState:
    """A base for dataclasses whose fields are immutable values, so a copy is shallow.

    Declare states with `@dataclass(slots=True, unsafe_hash=True)`; give fields that do not
    count as state, such as the events of the last step, `field(compare=False)`.
    """

    __slots__ = ("_owner",)
    _owner: object
    """the mark of the rules that know this state (core/owner.py); no part of what it is"""

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.copy_from(self)
        return twin

    def copy_from(self, other: Self) -> None:
        if type(other) is not type(self):
            raise foreign_class(type(self), other)
        for name in type(self).__dataclass_fields__:  # type: ignore[attr-defined]  # dataclass
            setattr(self, name, getattr(other, name))
        self._owner = getattr(other, "_owner", None)

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """What travels: where it arrives, rules look at it anew."""
        fields = type(self).__dataclass_fields__  # type: ignore[attr-defined]  # dataclass
        return None, {name: getattr(self, name) for name in fields}
