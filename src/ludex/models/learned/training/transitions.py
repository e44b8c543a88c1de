"""Transitions: what one seat observed before and after a joint action; random play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ludex.core.model import Action, Actions, Model
from ludex.core.object_list import ObjectListView
from ludex.core.outcome import Outcome
from ludex.core.rng import Meter, Rng
from ludex.core.tiles import TileView
from ludex.core.view import View

Shown: TypeAlias = TileView | ObjectListView
"""a view as learners read it"""


@dataclass(frozen=True, slots=True)
class Observed:
    """An observation: what one seat may know of a state in which chance is settled."""

    view: View
    to_act: tuple[int, ...]
    legal: tuple[tuple[Action, ...], ...]
    """the legal actions of each seat to act; empty if hidden from this seat"""
    scores: tuple[float, ...]
    """of every seat; 0 if hidden from this seat"""
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Transition:
    """A joint action with the observations before and after it."""

    before: Observed
    actions: Actions
    after: Observed


def observed(model: Model, state: Any, seat: int) -> Observed:
    """The observation of a state by a seat; in open worlds that is everything."""
    seats = range(model.traits.seats)
    known = (seat,) if model.traits.hidden else tuple(seats)
    to_act = model.to_act(state)
    return Observed(
        view=model.view(state, seat),
        to_act=to_act,
        legal=tuple(tuple(model.legal(state, one)) if one in known else () for one in to_act),
        scores=tuple(model.score(state, one) if one in known else 0.0 for one in seats),
        outcome=model.outcome(state),
    )


def as_observed(view: Shown) -> Observed:
    """An observation from the part of a view that a learner reads: of one seat, or of all."""
    others = [(one.seat, one.legal, one.score) for one in view.others]
    seats = sorted([(view.seat, view.legal, view.score), *others])
    acting = [seat for seat, legal, _ in seats if legal]
    return Observed(
        view,
        to_act=tuple(acting),
        legal=tuple(legal for _, legal, _ in seats if legal),
        scores=tuple(score for *_, score in seats),
        outcome=view.outcome,
    )


def actions_between(before: Shown, ours: Action, after: Shown) -> Actions:
    """The joint action that led from one view to the next; others did what was told of them.

    One that nobody told of is taken for the first of the seat's legal actions.
    """
    done = {before.seat: ours}
    for was, now in zip(before.others, after.others, strict=True):
        done[was.seat] = now.last if now.last in was.legal else was.legal[0]
    return tuple(action for _, action in sorted(done.items()))


def random_play(
    model: Model, view: View, steps: int, rng: Rng, restart: int | None = None
) -> Iterator[Transition]:
    """Play random games from the state of a view, for so many steps in total.

    `restart` limits the length of a game.
    """
    model = model.metered(Meter(apart=True))  # does not count against a decision's budget
    left = steps
    while left > 0:
        state = model.imagine(view, rng)
        model.settle(state, rng)
        before = observed(model, state, view.seat)
        if not before.to_act:
            return
        last = left - restart if restart else 0
        while before.to_act and left > max(0, last):
            actions = tuple(rng.choice(model.legal(state, seat)) for seat in before.to_act)
            model.advance(state, actions, rng)
            model.settle(state, rng)
            after = observed(model, state, view.seat)
            yield Transition(before, actions, after)
            before = after
            left -= 1
