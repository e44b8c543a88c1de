"""Random streams, budgets and rollouts, shared by every native world."""

from collections.abc import Sequence
from typing import Any


class Rollout:
    """Where a rollout ended."""

    def __init__(self, state: Any, ticks: int, scores: tuple[float, ...], returns: tuple[float, ...] | None = None, cut: bool = False, trace: Any = None) -> None: ...

    @property
    def state(self) -> Any:
        """The final state; the caller owns it."""

    @property
    def ticks(self) -> int: ...

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each seat."""

    @property
    def returns(self) -> tuple[float, ...] | None:
        """The return of each seat; None when the game did not end."""

    @property
    def cut(self) -> bool:
        """Whether the budget ended it."""

    @property
    def trace(self) -> Any:
        """Scores, avatars and events of each tick, where they were asked for."""

class Rng:
    """A random stream; its draws depend on its key and position alone."""

    def __init__(self, seed: int = 0) -> None: ...

    def bits(self) -> int:
        """Draw 64 random bits."""

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1."""

    def uniform(self) -> float:
        """Draw a number in [0, 1)."""

    def weighted(self, weights: Sequence[float]) -> int:
        """Draw an index in proportion to its weight."""

    def choice(self, items: Sequence[Any]) -> Any:
        """Draw one item."""

    def shuffle(self, items: list[Any]) -> None:
        """Shuffle a list in place."""

    def fork(self, *names: int | str) -> Rng:
        """Make the named stream below this one; draws made before do not matter."""

    def copy(self) -> Rng:
        """Make a stream at the same position."""

    @property
    def key(self) -> int: ...

    @property
    def position(self) -> int: ...

    @property
    def text(self) -> str:
        """The stream as KEY:POSITION, for records."""

    @staticmethod
    def from_text(text: str) -> Rng:
        """Read what `text` wrote."""

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple[int, int]: ...

    def __setstate__(self, arg: tuple[int, int], /) -> None: ...

class Meter:
    """Counts the model calls of one decision and ends its budget."""

    def __init__(self) -> None: ...

    def arm(self, model_calls: int | None = None, time_ms: float | None = None, wall: bool = False) -> None:
        """
        Start a new decision with this many calls or milliseconds of this thread.
        """

    def spend(self) -> None:
        """Count one model call; raise BudgetSpent when none is left."""

    def __getstate__(self) -> tuple[()]: ...

    def __setstate__(self, arg: tuple[()], /) -> None: ...

    def take(self, wanted: int) -> int:
        """Count up to `wanted` calls; return how many."""

    def count_copy(self, n: int = 1) -> None: ...

    def count_replaced(self, n: int = 1) -> None: ...

    def count_ignored(self, n: int = 1) -> None: ...

    @property
    def spent(self) -> bool:
        """Whether the next model call would be refused."""

    @property
    def calls(self) -> int: ...

    @property
    def copies(self) -> int:
        """States copied by the model; free."""

    @property
    def replaced(self) -> int:
        """Illegal actions replaced by the default one."""

    @property
    def ignored(self) -> int:
        """Steps asked of states where nobody acts."""

    @property
    def cpu_ms(self) -> float: ...

    @property
    def wall_ms(self) -> float: ...
