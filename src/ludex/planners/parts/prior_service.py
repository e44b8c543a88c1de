"""Priors by a function of Python for a native search: a thread answers requests in batches."""

from __future__ import annotations

import threading
from typing import Any

from ludex.core.model import Model
from ludex.planners.parts.priors import PriorFunction, answers, checked, tempered

BATCH = 32  # nodes in one call of the function
PATIENCE_MS = 50  # between two looks at whether the search is over


class PriorService:
    """Answers the nodes of one native search while it runs.

    The search never waits for it: nodes have equal priors until theirs are in, and when the search
    ends, an answer that is on its way is dropped.
    """

    def __init__(
        self, queue: Any, function: PriorFunction, temperature: float, model: Model
    ) -> None:
        self.queue = queue
        self.function = function
        self.temperature = temperature
        self.model = model
        self.error: BaseException | None = None
        # No daemon: the interpreter must not end while one of its threads is in native code.
        self.thread = threading.Thread(target=self.serve)

    def __enter__(self) -> PriorService:
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.queue.close()
        if self.error is not None:
            raise self.error

    def serve(self) -> None:
        try:
            while not self.queue.closed:
                self.answer(self.queue.take(BATCH, PATIENCE_MS))
        except BaseException as error:  # told by the search that asked
            self.error = error

    def answer(self, requests: Any) -> None:
        """Call the function once for all of them."""
        if not requests:
            return
        numbers, states, seats, legal = zip(*requests, strict=True)
        found = answers(self.function, self.model, states, seats, legal)
        for number, actions, weights in zip(numbers, legal, found, strict=True):
            priors = tempered(checked(weights, len(actions)), self.temperature)
            self.queue.answer(number, priors)
