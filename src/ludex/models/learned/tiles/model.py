"""Learned tile model: native stepping, with encoding of views and keys in Python."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from ludex.core.native_model import OpenNativeModel
from ludex.core.outcome import Outcome
from ludex.core.rng import Rng
from ludex.core.tiles import TileView, tiles_of
from ludex.core.traits import Traits
from ludex.core.view import OpenView, check_view
from ludex.models.learned import _native
from ludex.models.learned._native import Choices, State
from ludex.models.learned.rewards.reward_model import DRAWN, LOST, RUNNING, UNKNOWN, WON, ending_of
from ludex.models.learned.tiles.vocabulary import Vocabulary

REASONS = {
    RUNNING: "nobody may act",
    WON: "the model expects a win here",
    LOST: "the model expects a loss here",
    DRAWN: "the model expects an end here",
    UNKNOWN: "the model does not know what comes here",
}


class TileEncoder:
    """Encodes views as states: cell contents and verbs become indices."""

    def __init__(self, vocabulary: Vocabulary, verbs: list[int], margin: int) -> None:
        self.vocabulary = vocabulary
        self.verbs = verbs
        """those seen in training, by index"""
        self.margin = margin
        self.known: dict[Hashable, Choices] = {}

    def state(self, view: TileView) -> State:
        return State(
            self.vocabulary.encode(view.tiles),
            self.margin,
            self.choices(view),
            view.score,
            ending_of(view.outcome, view.seat),
        )

    def choices(self, view: TileView) -> Choices:
        found = self.known.get((view.legal, view.acts))
        if found is None:
            acts = self.acts(view)
            found = Choices(*([act[part] for act in acts] for part in range(3)))
            self.known[view.legal, view.acts] = found
        return found

    def acts(self, view: TileView) -> tuple[tuple[int, int, int], ...]:
        """Action, verb and cell of each legal action, ascending."""
        numbers: list[Any] = list(view.legal)
        acts = sorted(zip(map(int, numbers), view.acts, strict=True))
        return tuple((action, self.verb(act.verb), act.cell) for action, act in acts)

    def verb(self, verb: int) -> int:
        """The index of a verb; all verbs never seen share the last one."""
        return self.verbs.index(verb) if verb in self.verbs else len(self.verbs)


def learned_traits(traits: Traits, samples: bool, avatars: bool = False) -> Traits:
    """The traits of a learned model of a world with these traits."""
    return replace(
        traits,
        avatars=avatars,
        chance="sampled" if samples else "none",
        events=False,
        objects=False,
        legality="assumed",
        termination="probable",
        model_sees_all=False,
        learned=True,
    )


def outcome_of(ending: int, value: float) -> Outcome:
    """The outcome of a state that the model predicts to be terminal."""
    winners = (0,) if ending == WON else ()
    return Outcome(winners, (value,), REASONS[ending], truncated=ending in (RUNNING, UNKNOWN))


class TileModelBase:
    """Base of tile models: outcome, `imagine`, keys and features."""

    encoder: TileEncoder

    def confidence(self, state: State) -> float:
        return state.confidence

    def outcome(self: Any, state: State) -> Outcome | None:
        return outcome_of(state.ending, self.return_of(state, 0)) if self.over(state) else None

    def imagine(self: Any, view: Any, rng: Rng) -> State:
        """Encode a view as a state; contents never seen get new indices."""
        check_view(view)
        self.meter.count_copy()
        if isinstance(view, OpenView) and isinstance(view.state, State):
            return view.state.copy()
        shown = tiles_of(view)
        assert shown is not None  # unsupported views are refused before the first move
        found: State = self.encoder.state(shown)
        return found

    def key(
        self: Any, state: State, seat: int | None = None, ignore: tuple[str, ...] = ()
    ) -> Hashable:
        self.check_state(state)
        if seat is not None:
            self.check_seat(seat)
        score = None if "score" in ignore else state.score
        return state.grid_bytes, state.tiles.shape, score, state.ending, self.legal(state, 0)

    def features(self: Any, state: State) -> tuple[Hashable, ...]:
        """The tile of every cell."""
        self.check_state(state)
        return tuple(enumerate(state.tiles.ravel().tolist()))


class TileModel(TileModelBase, OpenNativeModel[State], _native.Model):
    """Predicts every cell, the score and the ending; its states carry a confidence.

    The legal actions of a predicted state are those of the last real view.
    """

    def __init__(self, encoder: TileEncoder, traits: Traits, *parts: Any, **settings: Any) -> None:
        super().__init__(*parts, **settings)
        self.encoder = encoder
        self.traits = learned_traits(traits, bool(settings.get("samples")))
