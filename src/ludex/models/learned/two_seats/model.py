"""The learned model of a game of two seats: a model of joint actions, seen by both."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ludex.core.model import Actions, Model
from ludex.core.objects import ObjectView
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Meter, Rng
from ludex.core.state import PlainState
from ludex.core.traits import Traits
from ludex.core.view import OpenView, check_view
from ludex.models.learned.rewards.reward_model import RUNNING, WON, ending_of
from ludex.models.learned.tiles.model import REASONS, learned_traits
from ludex.models.learned.training.transitions import Shown
from ludex.models.learned.two_seats.joint import joint_number, joint_view, legal_of_both

NOWHERE = (-1, -1)  # the cell of an avatar that is gone
Judge = Callable[[Any, Any, int], tuple[float, int]]
"""the gain and the ending of the other seat after a step: the states around it, and the action"""


@dataclass(slots=True, unsafe_hash=True)
class PairState(PlainState):
    """A state of the model of joint actions, with what it means for the other seat."""

    joint: Any
    """as the seat predicts it that the model was made for; never changed in place"""
    seat: int
    choices: tuple[tuple[Any, ...], ...]
    """the legal actions of each seat, as in the last real view"""
    rival_score: float
    rival_ending: int = RUNNING
    confidence: float = field(default=1.0, compare=False)

    @property
    def unseen(self) -> int:
        return self.joint.unseen  # type: ignore[no-any-return]  # of any learned state

    @property
    def ending(self) -> int:
        return self.joint.ending  # type: ignore[no-any-return]  # of any learned state

    def differs(self, other: PairState) -> int:
        return self.joint.differs(other.joint)  # type: ignore[no-any-return]  # of any learned state

    def __str__(self) -> str:
        return f"{self.joint} seat={self.seat} other={self.rival_score:g}"


class PairModel(PythonModel[PairState]):
    """Both seats act at once; each has its own score and end.

    The prediction is that of one seat's view: where the seats see the same, that of both.
    """

    state_type = PairState

    def __init__(
        self,
        inner: Model,
        traits: Traits,
        shown: Callable[[Any], Shown],
        judge: Judge,
        returns: tuple[float, ...],
    ) -> None:
        super().__init__()
        self.inner: Any = inner.metered(Meter(apart=True))  # a step of both is one call
        self.shown = shown
        self.judge = judge
        self.returns = returns
        """the mean return of the other seat at each ending"""
        self.traits = replace(
            learned_traits(traits, inner.traits.sampled_chance), simultaneous=True, zero_sum=False
        )

    def to_act(self, state: PairState) -> tuple[int, ...]:
        return () if self.over(state) else (0, 1)

    def legal(self, state: PairState, seat: int) -> tuple[Any, ...]:
        return () if self.over(state) else state.choices[seat]

    def over(self, state: PairState) -> bool:
        return (
            state.rival_ending != RUNNING or self.inner.over(state.joint) or not all(state.choices)
        )

    def outcome(self, state: PairState) -> Outcome | None:
        if not self.over(state):
            return None
        own = self.inner.outcome(state.joint)
        endings = {state.seat: state.ending, 1 - state.seat: state.rival_ending}
        # A seat whose own end was not foreseen has neither won nor lost.
        values = {
            state.seat: own.returns[0] if own is not None and state.ending != RUNNING else 0.0,
            1 - state.seat: self.returns[state.rival_ending] if state.rival_ending else 0.0,
        }
        reason = state.ending or state.rival_ending
        return Outcome(
            tuple(seat for seat in (0, 1) if endings[seat] == WON),
            (values[0], values[1]),
            REASONS[reason],
            truncated=own is not None and own.truncated,
        )

    def score(self, state: PairState, seat: int) -> float:
        if seat != state.seat:
            return state.rival_score
        return self.inner.score(state.joint, 0)  # type: ignore[no-any-return]  # of any model

    def confidence(self, state: PairState) -> float:
        return state.confidence

    def _apply(self, state: PairState, actions: Actions, rng: Rng) -> None:
        number = joint_number(actions)
        before = state.joint
        state.joint = self.inner.step(before, (number,), rng)
        gain, state.rival_ending = self.judge(before, state.joint, number)
        state.rival_score = round(state.rival_score + gain, 6)
        state.confidence = self.inner.confidence(state.joint)

    def imagine(self, view: Any, rng: Rng) -> PairState:
        check_view(view)
        self.meter.count_copy()
        if isinstance(view, OpenView) and isinstance(view.state, PairState):
            return view.state.copy()
        shown = self.shown(view)
        other = shown.others[0]
        joint = self.begun(view, joint_view(shown), rng)
        ending = ending_of(shown.outcome, other.seat)
        return PairState(joint, shown.seat, legal_of_both(shown), other.score, ending)

    def begun(self, view: Any, joint: Shown, rng: Rng) -> Any:
        """The state of the inner model: it reads what `joint` shows of the view."""
        return self.inner.imagine(joint, rng)

    def key(
        self, state: PairState, seat: int | None = None, ignore: tuple[str, ...] = ()
    ) -> Hashable:
        score = None if "score" in ignore else state.rival_score
        return self.inner.key(state.joint, None, ignore), score, state.rival_ending, state.choices

    def features(self, state: PairState) -> Any:
        return self.inner.features(state.joint)

    def visit(self, state: PairState) -> None:
        """Count a visit of the real game to this state."""
        self.inner.visit(state.joint)


class PairObjectModel(PairModel):
    """The same of a model that says where avatars and objects are, for the seat it was made for.

    Which object is the other seat's avatar is not known: its place counts as gone.
    """

    def __init__(self, inner: Model, traits: Traits, *parts: Any) -> None:
        super().__init__(inner, traits, *parts)
        self.traits = replace(self.traits, avatars=True)

    def begun(self, view: Any, joint: Shown, rng: Rng) -> Any:
        if isinstance(view, ObjectView):
            self.inner.number_kinds(view, self.inner.known.own(joint))
        return super().begun(view, joint, rng)

    def grid(self) -> tuple[int, int]:
        return self.inner.grid()  # type: ignore[no-any-return]  # as AvatarModel says

    def avatars(self, state: PairState) -> tuple[tuple[int, int], ...]:
        own = self.inner.avatars(state.joint)
        return (*own, NOWHERE) if state.seat == 0 else (NOWHERE, *own)

    def distances(self, state: PairState, seat: int, kinds: Sequence[int]) -> list[float | None]:
        self.check_seat(seat)
        self.check_state(state)
        if seat != state.seat:
            return [None] * len(kinds)
        return self.inner.distances(state.joint, 0, kinds)  # type: ignore[no-any-return]  # as AvatarModel says
