"""Small games of chance whose values are worked out by hand, for tests of risk."""

from __future__ import annotations

import copy
from dataclasses import dataclass

from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.traits import Traits


@dataclass(slots=True, unsafe_hash=True)
class Bet(PlainState):
    """The letters chosen so far, and what came of them at the end."""

    chosen: str = ""
    payoff: float | None = None


class Gambles(PythonModel):
    """One seat chooses letters; at the end of a word its payoff is drawn.

    `words` has the payoffs of each word with their probabilities.
    """

    state_type = Bet

    def __init__(self, words: dict[str, list[tuple[float, float]]]) -> None:
        super().__init__()
        self.words = words
        self.traits = Traits(seats=1, max_legal=3, chance="sampled")

    def to_act(self, state: Bet) -> tuple[int, ...]:
        return () if state.payoff is not None else (0,)

    def legal(self, state: Bet, seat: int) -> tuple[str, ...]:
        size = len(state.chosen)
        if state.payoff is not None:
            return ()
        return tuple(dict.fromkeys(w[size] for w in self.words if w.startswith(state.chosen)))

    def _apply(self, state: Bet, actions: Actions, rng: Rng) -> None:
        state.chosen += actions[0]
        if payoffs := self.words.get(state.chosen):
            state.payoff = payoffs[rng.weighted([chance for _, chance in payoffs])][0]

    def outcome(self, state: Bet) -> Outcome | None:
        return None if state.payoff is None else Outcome((), (state.payoff,), "the bet is settled")

    def score(self, state: Bet, seat: int) -> float:
        return state.payoff or 0.0


class Learned(Gambles):
    """The same as if it had been learned: sure of what the letters in `doubtful` do to a degree."""

    def __init__(
        self, words: dict[str, list[tuple[float, float]]], doubtful: dict[str, float]
    ) -> None:
        super().__init__(words)
        self.doubtful = doubtful

    def confidence(self, state: Bet) -> float:
        return self.doubtful.get(state.chosen[:1], 1.0)


class Opinions(Gambles):
    """Several opinions about the payoffs: alone they are certain, together they are the first."""

    def __init__(self, *opinions: dict[str, list[tuple[float, float]]]) -> None:
        super().__init__(opinions[0])
        self.opinions = opinions

    def alternatives(self) -> list[Opinions]:
        found = []
        for words in self.opinions:
            alone = copy.copy(self)
            alone.words = words
            found.append(alone)
        return found
