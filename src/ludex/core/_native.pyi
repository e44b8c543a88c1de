"""
Random streams, budgets, rollouts and bandits, shared by all that is native.
"""

from collections.abc import Sequence
from typing import Any


class Rollout:
    """Where a rollout ended."""

    def __init__(self, state: Any, ticks: int, scores: tuple[float, ...], returns: tuple[float, ...] | None = None, cut: bool = False, trace: Any = None, before: Any = None, last: tuple[Any, ...] | None = None) -> None: ...

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

    @property
    def before(self) -> Any:
        """
        The state before the last tick, where it was asked for and there was one.
        """

    @property
    def last(self) -> tuple[Any, ...] | None:
        """The actions of the last tick; with `before`."""

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

    @staticmethod
    def keyed(secret: bytes, *names: int | str) -> Rng:
        """
        Make the named stream of a secret of 16 bytes. Unlike streams that are forked, it tells nothing about the secret or its other streams (SipHash-2-4).
        """

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

def calls_of_process(apart: bool = False) -> int:
    """
    Model calls on all meters that this process ever made, or on all that were made apart.
    """

class Meter:
    """Counts the model calls of one decision and ends its budget."""

    def __init__(self, apart: bool = False) -> None:
        """
        Make a meter without a budget; apart: for a part's own calls, outside of budgets.
        """

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
    def calls_ever(self) -> int:
        """Calls of all decisions; arming again does not hide any."""

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

class Arms:
    """Visits and mean values of what was tried at a node."""

    def __init__(self, seat: int = 0) -> None: ...

    @property
    def seat(self) -> int:
        """Whose returns are recorded."""

    @seat.setter
    def seat(self, arg: int, /) -> None: ...

    @property
    def total(self) -> int:
        """Visits of all arms."""

    @total.setter
    def total(self, arg: int, /) -> None: ...

    @property
    def visits(self) -> list[int]: ...

    @property
    def means(self) -> list[float]:
        """Of the recorded values, as a new list."""

    @property
    def squares(self) -> list[float]:
        """Sums of squared values."""

    @property
    def spreads(self) -> list[float]:
        """1 / sqrt(visits)."""

    def __len__(self) -> int: ...

    def clear(self, room: int = 0) -> None:
        """Begin again with no arm."""

    def grow(self) -> int:
        """Add an arm without a visit and return its place."""

    def shrink(self) -> None:
        """Take back the arm that was added last."""

    def fill(self, visits: Sequence[int], means: Sequence[float], squares: Sequence[float], spreads: Sequence[float]) -> None:
        """Put these arms in place of all."""

    def put(self, place: int, visits: int, mean: float, square: float) -> None:
        """Put these statistics in place of an arm's."""

    def scale(self, place: int, mean: float, factor: float) -> None:
        """Put another mean, and multiply the bonus."""

    def put_mean(self, place: int, mean: float) -> None:
        """Overrule what was recorded: the result is known."""

    def replace(self, place: int, mean: float) -> None:
        """Count a visit, and put this mean in place of the one before."""

    def record(self, place: int, value: float) -> None:
        """Count a visit and average its value in."""

    def highest_bound(self, width: float) -> int:
        """The place of the highest mean + width * sqrt(ln total / visits)."""

    def ucb1(self, exploration: float, span: float, rng: Rng) -> int:
        """
        `highest_bound` of width exploration * span, as a rule of planners/parts/selection.py; it draws nothing.
        """

def record_path(path: Sequence[tuple[Arms, int]], returns: Sequence[float]) -> None:
    """Record for every bandit of a path the return of its seat."""

class SearchTree:
    """A tree that a native search has grown."""

    @property
    def size(self) -> int:
        """Nodes."""

    @property
    def refused(self) -> int:
        """Nodes not added for want of room."""

    @property
    def iterations(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def low(self) -> float:
        """The least value seen."""

    @property
    def high(self) -> float:
        """The largest value seen."""

    @property
    def span(self) -> float:
        """What bonuses are scaled by."""

    @property
    def bytes(self) -> int:
        """Memory of the tree."""

    @property
    def provable(self) -> bool:
        """Whether results can be proven in it."""

    @property
    def solved(self) -> bool:
        """Whether the result of the root is proven."""

    def root_bandits(self, seat: int) -> list[tuple[int, int, list[tuple[int, int, float]], float]]:
        """
        A seat at each root: seat, visits, (action, visits, mean) of each, sum of squares.
        """

    def proven_value(self, seat: int) -> float | None:
        """The proven result of the root for a seat, or None."""

    def proven(self, seat: int) -> dict[int, float]:
        """The proven results of the root's actions for a seat."""

    def best_line(self, first: int, longest: int) -> list[int]:
        """An action, then always the one tried most, as far as the tree goes."""

    def nodes(self, most: int = 1000000) -> list[dict[str, Any]]:
        """All nodes as plain records, numbered from the root on."""

class EvolvedSequences(SearchTree):
    """Sequences of actions that a native search has evolved."""

    @property
    def rounds(self) -> int:
        """How often all sides have made a generation."""

    @property
    def landscape(self) -> tuple[int, float, float]:
        """
        The values of the own seat: how many, their mean, the sum of their squares.
        """

    def champion(self) -> list[int | None]:
        """The best sequence; empty where none was played."""

    def firsts(self) -> list[tuple[int, int, float]]:
        """The first actions tried: action, visits, best value."""

    def population(self, seat: int) -> list[tuple[list[int | None], float]]:
        """The sequences of a seat with their values, best first."""

class StateSearch:
    """What a native search through states has found."""

    @property
    def size(self) -> int:
        """States made."""

    @property
    def iterations(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def memory(self) -> int:
        """Bytes that the search takes."""

    @property
    def complete(self) -> bool:
        """Whether nothing was left to look at."""

    @property
    def won(self) -> bool:
        """Whether the best path wins."""

    def plan(self) -> list[tuple[bytes, int]]:
        """
        The best path: actions, each with the key of the state it is meant for.
        """

    def tried(self) -> list[tuple[int, int, float]]:
        """
        Actions of the root: the states kept below each, and the highest gain of them.
        """

    def kept(self) -> list[tuple[bytes, int, int, int, float, float, bool]]:
        """
        Of all states that were kept: key, place of the parent, action, depth, gain, guess, whether it is won.
        """

class WeightedPolicy:
    """What native code reads of core.policy.Weighted."""

    def __init__(self, by_action: Sequence[float], other: float) -> None: ...

class TypePolicy:
    """What native code reads of core.policy.Types."""

    def __init__(self, by_type: Sequence[float]) -> None: ...

class DistancePolicy:
    """What native code reads of core.policy.Distances."""

    def __init__(self, kinds: Sequence[int], weights: Sequence[float]) -> None: ...

class GreedyPolicy:
    """What native code reads of core.policy.Greedy."""

    def __init__(self, columns: int, costs: Sequence[float], epsilon: float, target: tuple[int, int] | None, near: float) -> None: ...

class ObjectRows:
    """
    The rows of a view. An object is listed as (id, type, category, (column, row)), without those of the categories that are left aside.
    """

    def __init__(self, rows: object, block: int, aside: Sequence[int] = ...) -> None: ...

    def __len__(self) -> int: ...

    def has(self, id: int) -> bool:
        """Whether there is an object of this id."""

    def has_category(self, category: int) -> bool:
        """Whether there is an object of this category."""

    @property
    def digest(self) -> int:
        """A number that is the same for the same rows in any order."""

    def listed(self) -> list[tuple[int, int, int, tuple[int, int]]]:
        """All objects."""

    def at(self, column: int, row: int) -> list[tuple[int, int, int, tuple[int, int]]]:
        """The objects in a cell."""

    def around(self, column: int, row: int, reach: int) -> bytes:
        """
        The same for the same types in the same cells, as far as they are at most `reach` columns and rows away.
        """

    def of_types(self, types: Sequence[int]) -> list[tuple[int, int, int, tuple[int, int]]]:
        """The objects of some types."""

    def changes(self, later: ObjectRows) -> list[tuple[tuple[int, int, int, tuple[int, int]] | None, tuple[int, int, int, tuple[int, int]] | None]]:
        """
        The objects that moved, became another, appeared or disappeared: before and after.
        """
