"""Iterated width (IW): breadth-first search that prunes states without novelty."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

from ludex.core.errors import BrokenAgent, BudgetSpent, in_short
from ludex.core.model import Model
from ludex.core.own_part import called_by
from ludex.core.parameters import Between
from ludex.planners.parts.forward import ForwardNode, ForwardPlanner, ForwardSearch

Facts: TypeAlias = Set[Hashable]


class FactsFunction(Protocol):
    """What holds in a state, as a seat sees it: any hashables, such as `("at", 3, 4)`."""

    def __call__(self, model: Model, state: Any, seat: int, /) -> Iterable[Hashable]: ...


MOST_FACTS = 16_384
"""IW(2) ends with so many facts: in the native search their pairs take 32 MiB"""


@dataclass(frozen=True, kw_only=True)
class IteratedWidth(ForwardPlanner):
    """Iterated width, IW(1) then IW(2): prunes states without a novel fact or pair of facts.

    The facts are `model.features`, or a function of one's own. IW(1) looks at no more states than
    there are facts, so it goes deep at once; IW(2) looks at no more than there are pairs of them.
    """

    twin: ClassVar[str | None] = "iterated_width"
    LIMITS: ClassVar[Mapping[str, Any]] = {
        **ForwardPlanner.LIMITS,
        "least_width": Between(1, 2),
        "width": Between(1, 2),
    }

    least_width: int = 1
    """the width of the first search"""
    width: int = 2
    """the width of the last search; the next one begins where the one before found no win"""
    features: Literal["world"] | FactsFunction = "world"
    """the facts of a state: those that the world lists, or a function"""

    def contradiction(self) -> str | None:
        if self.least_width > self.width:
            return f"least_width={self.least_width} is above width={self.width}; raise width"
        return None

    def native_parts(self, model: Model) -> dict[str, Any]:
        return {**super().native_parts(model), "most_facts": MOST_FACTS}

    def explore(self, search: ForwardSearch) -> None:
        for width in range(self.least_width, self.width + 1):
            if self.search_with(width, search):
                return

    def search_with(self, width: int, search: ForwardSearch) -> bool:
        """Run IW(width); True when a win was found."""
        known = Known(self.facts(search, search.root), width)
        search.held.append(known)
        queue = deque([search.root])
        while queue:
            node = queue.popleft()
            before = self.facts(search, node)
            for child in search.expand(node):
                now = self.facts(search, child)
                # What held before the action was seen before, and so were its pairs.
                if child.is_won or known.grows(now, now - before, search.look_at_clock):
                    search.keep(child)
                    if child.is_won:
                        return True
                    queue.append(child)
        return False

    def facts(self, search: ForwardSearch, node: ForwardNode) -> Facts:
        if isinstance(self.features, str):
            return frozenset(search.model.features(node.state))
        found = self.features(search.model, node.state, search.seat)
        try:
            return frozenset(found)
        except TypeError as error:
            raise BrokenAgent(
                f"{called_by(self.features)} must return hashable facts, got {in_short(found)}"
            ) from error


class Known:
    """What was seen so far: facts, or with width 2 pairs of them.

    The first state has as many pairs as the square of its facts, of which there can be hundreds:
    these pairs are known without being listed.

    >>> known = Known(frozenset("ab"), 1)
    >>> [known.grows(set(facts), set(facts)) for facts in ("ab", "bc", "ac")]
    [False, True, False]
    >>> known = Known(frozenset("ab"), 2)
    >>> [known.grows(set(facts), set(facts)) for facts in ("ab", "bc", "ac", "ca")]
    [False, True, True, False]
    """

    def __init__(self, first: Facts, width: int) -> None:
        self.first = first
        self.width = width
        self.facts: set[Hashable] = set(first)
        self.pairs: set[frozenset[Hashable]] = set()

    def grows(self, facts: Facts, fresh: Facts, pause: Callable[[], None] = lambda: None) -> bool:
        """Take in a state; whether one of its fresh facts, or a pair with one of them, is new.

        Pairs take time, so there is a `pause` before those of each fact. They also take room: with
        too many facts it is over.
        """
        before = len(self.facts) + len(self.pairs)
        self.facts.update(fresh)
        if self.width == 2:
            if len(self.facts) > MOST_FACTS:
                raise BudgetSpent
            others = facts - self.first
            for one in fresh:
                pause()
                partners = others if one in self.first else facts
                self.pairs.update(frozenset((one, other)) for other in partners)
        return len(self.facts) + len(self.pairs) > before
