"""Codecs: actions as integers, for learners and environment adapters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import IllegalAction
from ludex.core.model import Action
from ludex.core.view import View


class Codec(Protocol):
    """A two-way map between the legal actions of a view and the numbers below `size`."""

    @property
    def size(self) -> int: ...

    def index(self, view: View, action: Action) -> int: ...

    def action(self, view: View, index: int) -> Action: ...

    def mask(self, view: View) -> NDArray[np.int8]:
        """1 where the number stands for a legal action."""
        ...


class FixedCodec:
    """For worlds with one fixed list of actions: the number is the index in that list."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self.actions = tuple(actions)
        self.places = {action: index for index, action in enumerate(self.actions)}
        self.size = len(self.actions)

    def index(self, view: View, action: Action) -> int:
        if action not in self.places:
            raise IllegalAction(f"{action!r} is not one of the {self.size} actions of this world")
        return self.places[action]

    def action(self, view: View, index: int) -> Action:
        if not 0 <= index < self.size:
            raise IllegalAction(f"actions are numbered 0 to {self.size - 1}, got {index}")
        return self.actions[index]

    def mask(self, view: View) -> NDArray[np.int8]:
        mask = np.zeros(self.size, dtype=np.int8)
        mask[[self.places[action] for action in view.legal]] = 1
        return mask


class LegalCodec:
    """For worlds with many actions: the number is the index in the view's legal list."""

    def __init__(self, max_legal: int) -> None:
        self.size = max_legal

    def index(self, view: View, action: Action) -> int:
        if action not in view.legal:
            raise IllegalAction(f"{action!r} is not legal here")
        return view.legal.index(action)

    def action(self, view: View, index: int) -> Action:
        if not 0 <= index < len(view.legal):
            raise IllegalAction(f"{len(view.legal)} actions are legal here, got number {index}")
        return view.legal[index]

    def mask(self, view: View) -> NDArray[np.int8]:
        mask = np.zeros(self.size, dtype=np.int8)
        mask[: len(view.legal)] = 1
        return mask
