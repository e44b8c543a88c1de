"""One seat of a game of several as a game of its own: a model of the opponent plays the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

from ludex.core import fallback
from ludex.core.capabilities import (
    FinishesGames,
    ListsTwins,
    ObservesEvents,
    RecallsMoves,
    able,
)
from ludex.core.errors import BadParameter, BudgetSpent, in_short, no_such_seat
from ludex.core.event import Event
from ludex.core.model import Action, Actions, Model, Policy, Sequences
from ludex.core.outcome import Outcome
from ludex.core.rng import Meter, Rng
from ludex.core.rollout import Rollout
from ludex.core.state import StateT
from ludex.core.traits import Traits
from ludex.core.view import View, check_view
from ludex.models.abstracted.one_seat.opponents import REPLIES, OpponentModelName, action_told
from ludex.models.abstracted.one_seat.view import OURS, own_outcome, own_view, real_view
from ludex.models.parts.delegate import Delegate

LONGEST_WAIT = 1000  # ticks of others in a row, after which a state is taken as it is
TWINS_DRAWN = 100  # deals that are imagined to find those that look alike


class OneSeatModel(Delegate[StateT]):
    """The game of one seat; its states are those of the inner model.

    A step plays our action and what the others do until we act again, chance included. It is one
    call, whatever the others needed. Its events are those of the last tick in it.
    """

    def __init__(self, inner: Model[StateT], seat: int, opponent: OpponentModelName) -> None:
        super().__init__(inner)
        self.real_seat = seat
        self.opponent = opponent
        self.reply = REPLIES[opponent]
        self.last: dict[int, Action] = {}
        """what the other seats were last seen to do in the real game"""
        self.uncounted = inner.metered(Meter(apart=True))  # plays while we wait
        traits = inner.traits
        is_certain = traits.chance == "none" and opponent != "random"
        self._traits = replace(
            traits,
            seats=1,
            simultaneous=False,
            zero_sum=False,
            chance="none" if is_certain else "sampled",
            abstracted=True,
        )
        # Then all draw in each tick what the rules' own rollouts draw, in the same order.
        self.draws_as_rules = (
            opponent == "random"
            and seat == 0
            and traits.simultaneous
            and traits.seats == 2
            and not traits.listed_chance
        )

    @property
    def traits(self) -> Traits:
        return self._traits

    # Between our seat and the real one

    def own_view(self, view: View) -> View:
        """A view of the real game; what others did last is looked up in it."""
        real = real_view(view)
        moves = able(real, RecallsMoves)
        for seat in range(self.inner.traits.seats):
            if moves is not None and (seen := moves.last_move(seat)) is not None:
                self.last[seat] = seen
        return own_view(real)

    def own_event(self, event: Event) -> Event:
        """Others are a part of the rules here, so they have no seat."""
        return replace(event, seat=OURS if event.seat == self.real_seat else None)

    def own_outcome(self, outcome: Outcome) -> Outcome:
        return own_outcome(outcome, self.real_seat)

    def observe(self, event: Event) -> None:
        """Take in an event of the real game: what another seat did, where it tells that."""
        if event.seat is not None and (seen := action_told(self.inner, event)) is not None:
            self.last[event.seat] = seen
        if (observing := able(self.inner, ObservesEvents)) is not None:
            observing.observe(event)

    def finish(self, view: View, outcome: Outcome) -> None:
        if (finishing := able(self.inner, FinishesGames)) is not None:
            finishing.finish(view, outcome)

    def real(self, seat: int) -> int:
        """The real number of a seat of ours; NoSuchSeat unless it is the only one."""
        if seat.__class__ is not int or seat != OURS:
            raise no_such_seat(1, seat)
        return self.real_seat

    # Who acts, and how

    def to_act(self, state: StateT) -> tuple[int, ...]:
        return (OURS,) if self.real_seat in self.inner.to_act(state) else ()

    def legal(self, state: StateT, seat: int) -> Sequence[Action]:
        return self.inner.legal(state, self.real(seat))

    def default_action(self, state: StateT, seat: int) -> Action:
        return self.inner.default_action(state, self.real(seat))

    # Moving on

    def step(self, state: StateT, actions: Actions, rng: Rng) -> StateT:
        self.inner.to_act(state)  # raises for a state of other rules
        after = state.copy()
        self.meter.count_copy()
        self.advance(after, actions, rng)
        return after

    def advance(self, state: StateT, actions: Actions, rng: Rng) -> None:
        inner, real_seat = self.inner, self.real_seat
        seats = inner.to_act(state)
        if real_seat not in seats:
            fallback.check_number((), actions)
            inner.advance(state, (None,) * len(seats) if seats else (), rng)
            return
        fallback.check_number((OURS,), actions)
        ours = actions[0]
        inner.advance(state, self.joint(inner, state, seats, ours, rng), rng)
        if real_seat not in inner.to_act(state):
            self.wait(state, rng)

    def joint(
        self, model: Model[StateT], state: StateT, seats: Sequence[int], ours: Action, rng: Rng
    ) -> Actions:
        """Our action with those of the others."""
        real_seat, reply, last = self.real_seat, self.reply, self.last
        return tuple(
            [
                ours if seat == real_seat else reply(model, state, seat, ours, last, rng)
                for seat in seats
            ]
        )

    def wait(self, state: StateT, rng: Rng) -> None:
        """Let the others and chance play in place until we act again."""
        rules = self.uncounted
        for _ in range(LONGEST_WAIT):
            if seats := rules.to_act(state):
                if self.real_seat in seats:
                    return
                rules.advance(state, self.joint(rules, state, seats, None, rng), rng)
            elif not rules.settle(state, rng):
                return

    def chance(self, state: StateT) -> Sequence[tuple[Hashable, float]]:
        """Nothing: a step also draws what the rules list."""
        self.inner.to_act(state)  # raises for a state of other rules
        return ()

    def resolve(self, state: StateT, outcome: Hashable) -> StateT:
        self.inner.to_act(state)
        raise BadParameter(
            f"the outcome {in_short(outcome)} is not pending in this state; steps of a game of one "
            "seat draw their chance by themselves"
        )

    def settle(self, state: StateT, rng: Rng) -> tuple[Hashable, ...]:
        self.inner.to_act(state)
        return ()

    # What it is worth

    def outcome(self, state: StateT) -> Outcome | None:
        outcome = self.inner.outcome(state)
        return outcome and own_outcome(outcome, self.real_seat)

    def score(self, state: StateT, seat: int) -> float:
        return self.inner.score(state, self.real(seat))

    # What may be known

    def view(self, state: StateT, seat: int) -> View:
        return own_view(self.inner.view(state, self.real(seat)))

    def imagine(self, view: View, rng: Rng) -> StateT:
        """A complete state in which we act, unless the game is over."""
        real = real_view(view)
        check_view(real)
        state = self.inner.imagine(real, rng)
        self.wait(state, rng)
        return state

    def events(self, state: StateT, seat: int | None = None) -> tuple[Event, ...]:
        told = self.inner.events(state, None if seat is None else self.real(seat))
        return tuple(map(self.own_event, told))

    def avatars(self, state: StateT) -> tuple[tuple[int, int], ...]:
        return self.inner.avatars(state)[self.real_seat : self.real_seat + 1]

    def key(self, state: StateT, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable:
        return self.inner.key(state, None if seat is None else self.real(seat), ignore)

    def distance(self, state: StateT, seat: int) -> float:
        return self.inner.distance(state, self.real(seat))

    # Capabilities that are about a seat

    def actions_behind(self, event: Event) -> Sequence[Action] | None:
        """Any action: what a step tells may be an answer of another seat."""
        return None

    def hidden_twins(self, state: StateT, seat: int) -> Sequence[StateT]:
        """States that look the same to us: those of the rules, or many that are imagined."""
        listing = able(self.inner, ListsTwins)
        if listing is not None:
            return listing.hidden_twins(state, self.real(seat))
        view, rng = self.view(state, seat), Rng(0).fork("twins")
        drawn = (self.imagine(view, rng) for _ in range(TWINS_DRAWN))
        return list(dict.fromkeys([state, *drawn]))

    # Fast paths

    def rollout(
        self,
        state: StateT,
        policy: Policy,
        limit: int,
        rng: Rng,
        trace: bool = False,
        backtrack: bool = False,
        opening: Sequence[Actions] = (),
    ) -> Rollout:
        self.inner.to_act(state)
        is_plain = policy == "uniform" and not (trace or backtrack or len(opening))
        if is_plain and self.draws_as_rules:
            return self.of_one_seat(self.inner.rollout(state, "uniform", limit, rng))
        if is_plain:
            return self.uniform_rollout(state, limit, rng)
        return fallback.rollout(self, state, policy, limit, rng, trace, backtrack, opening)

    def of_one_seat(self, result: Rollout) -> Rollout:
        """A rollout of the rules, with what it was worth to us."""
        seat, returns = self.real_seat, result.returns
        return Rollout(
            result.state,
            result.ticks,
            (result.scores[seat],),
            None if returns is None else (returns[seat],),
            result.cut,
        )

    def uniform_rollout(self, state: StateT, limit: int, rng: Rng) -> Rollout:
        """The loop of core/fallback.py for uniform choices, with fewer questions."""
        inner, seat, below = self.inner, self.real_seat, rng.below
        current = state.copy()
        self.meter.count_copy()
        ticks, cut = 0, False
        seats = inner.to_act(current)
        while ticks < limit and seat in seats:
            legal = inner.legal(current, seat)
            joint = self.joint(inner, current, seats, legal[below(len(legal))], rng)
            try:
                inner.advance(current, joint, rng)
            except BudgetSpent:
                if ticks == 0:
                    raise
                cut = True
                break
            ticks += 1
            seats = inner.to_act(current)
            if seat not in seats:
                self.wait(current, rng)
                seats = inner.to_act(current)
        return fallback.finish(self, current, ticks, cut)

    def play(self, state: StateT, sequences: Sequences, rng: Rng) -> list[Rollout]:
        self.inner.to_act(state)
        return fallback.play(self, state, sequences, rng)

    def step_many(
        self, states: Sequence[StateT], actions: Sequence[Actions], rng: Rng, threads: int = 1
    ) -> list[StateT]:
        return fallback.step_many(self, states, actions, rng, threads)


class ObjectOneSeatModel(OneSeatModel[StateT]):
    """The same where the rules say where avatars and objects are."""

    inner: Any

    def grid(self) -> tuple[int, int]:
        return self.inner.grid()  # type: ignore[no-any-return]  # as AvatarModel says

    def heading(self, action: Action) -> tuple[int, int]:
        return self.inner.heading(action)  # type: ignore[no-any-return]  # as ObjectModel says

    def distances(self, state: StateT, seat: int, kinds: Sequence[int]) -> list[float | None]:
        return self.inner.distances(state, self.real(seat), kinds)  # type: ignore[no-any-return]  # as AvatarModel says

    def whereabouts(self, state: StateT, kind: int, number: int) -> tuple[int, int] | None:
        return self.inner.whereabouts(state, kind, number)  # type: ignore[no-any-return]  # as ObjectModel says


class RatingOneSeatModel(OneSeatModel[StateT]):
    """The same where the rules say how likely their policies are to take each action."""

    def probabilities(self, state: StateT, seat: int, policy: str) -> Sequence[float]:
        rating: Any = self.inner
        return rating.probabilities(state, self.real(seat), policy)  # type: ignore[no-any-return]  # as RatesActions says
