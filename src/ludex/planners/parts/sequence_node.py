"""Nodes of open-loop searches: sequences of actions, not states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from ludex.core.model import Action
from ludex.planners.parts.best_line import Way
from ludex.planners.parts.subset import SubsetBandit


class ActionSequence:
    """A sequence of one seat's actions, and what follows it.

    It stands for all states that the sequence leads to, so other actions may be legal on another
    visit. `actions` are those that were tried after it, and `after` has the node that follows each
    of them, by place.
    """

    __slots__ = ()

    actions: list[Action]
    after: list[Self | None]

    def count(self) -> int:
        """How many nodes there are from here on."""
        waiting = [self]
        found = 0
        while waiting:
            found += 1
            waiting += [one for one in waiting.pop().after if one is not None]
        return found

    def following(self, action: Action) -> Self | None:
        """The node after an action, where there is one."""
        return self.after[self.actions.index(action)] if action in self.actions else None


class SequenceNode(ActionSequence, SubsetBandit):
    """A sequence with a bandit that learns which actions are good after it.

    The node after an action is made when the action is tried for the second time.
    """

    __slots__ = ("after",)

    def __init__(self, seat: int, legal: Sequence[Action]) -> None:
        self.after: list[Self | None] = []
        super().__init__(seat, legal)

    def add(self, action: Action) -> int:
        self.after.append(None)
        return super().add(action)

    def forget_last(self) -> None:
        self.after.pop()
        super().forget_last()

    # As one seat among several

    @property
    def bandits(self) -> dict[int, SubsetBandit]:
        return {self.seat: self}

    @property
    def children(self) -> dict[tuple[Action, ...], Self]:
        pairs = zip(self.actions, self.after, strict=True)
        return {(action,): child for action, child in pairs if child is not None}

    def bandit_of(self, seat: int, legal: Sequence[Action]) -> SubsetBandit:
        """The bandit of a seat here."""
        return self

    def is_first(self, joint: tuple[Action, ...], places: Sequence[int]) -> bool:
        """Whether these actions, which are at these places, are taken here for the first time."""
        return self.visits[places[0]] == 0

    def child(self, joint: tuple[Action, ...], places: Sequence[int]) -> Self | None:
        """What follows these actions."""
        return self.after[places[0]]

    def new_child(
        self, joint: tuple[Action, ...], places: Sequence[int], legal: Sequence[Action]
    ) -> Self:
        """Add the node after these actions, after which others are legal."""
        child = self.after[places[0]] = type(self)(self.seat, legal)
        return child


class JointSequenceNode:
    """A sequence of joint actions, with one bandit for each seat that was seen to act there."""

    __slots__ = ("bandits", "children", "taken")

    def __init__(self) -> None:
        self.bandits: dict[int, SubsetBandit] = {}
        self.children: dict[tuple[Action, ...], JointSequenceNode] = {}
        self.taken: dict[tuple[Action, ...], None] = {}  # joint actions, once or more

    def bandit_of(self, seat: int, legal: Sequence[Action]) -> SubsetBandit:
        """The bandit of a seat here, a new one where it has not acted yet."""
        if seat not in self.bandits:
            self.bandits[seat] = SubsetBandit(seat, legal)
        return self.bandits[seat]

    def is_first(self, joint: tuple[Action, ...], places: Sequence[int]) -> bool:
        is_first = joint not in self.taken
        self.taken[joint] = None
        return is_first

    def child(self, joint: tuple[Action, ...], places: Sequence[int]) -> JointSequenceNode | None:
        return self.children.get(joint)

    def new_child(
        self, joint: tuple[Action, ...], places: Sequence[int], legal: Sequence[Action]
    ) -> JointSequenceNode:
        child = self.children[joint] = JointSequenceNode()
        return child


def ways_after(node: Any) -> Iterable[Way]:
    """The actions of a node, how often each was tried, and the node that follows it."""
    return zip(node.actions, node.visits, node.after, strict=True)
