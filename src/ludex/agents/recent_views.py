"""The recent views and actions of a real game, for models of higher Markov order."""

from __future__ import annotations

from collections import deque
from typing import Any

from ludex.core.capabilities import RecallsSteps, able
from ludex.core.model import Action
from ludex.core.view import View
from ludex.models.learned.whole.recall import MOST_ORDERS


class Recent:
    """Recent pairs of view and action, the newest last."""

    def __init__(self) -> None:
        self.steps = deque[tuple[View, Action]](maxlen=MOST_ORDERS - 1)

    def add(self, view: View, action: Action) -> None:
        self.steps.append((view, action))

    def remind(self, model: Any) -> None:
        """Pass the history to a model that uses it (`recall`)."""
        if (recalling := able(model, RecallsSteps)) is not None:
            recalling.recall(tuple(self.steps))
