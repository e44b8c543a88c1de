"""Hidden information: views, determinisations and events show a seat what it may see, no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ludex.core.capabilities import ListsTwins, able
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.world import World
from ludex.testing.failure import fail, shown
from ludex.testing.snapshot import MACHINERY, STREAMS, held_by, pickled, reachable, reload
from ludex.testing.walk import (
    SEEDS,
    any_actions,
    first_state,
    is_the_worlds_own,
    positions,
    wander,
)

MOST_TWINS = 6
IMAGINED = 8
MOST_COVERED = 12  # sets of twins up to this size must be drawn in full by `imagine`
DRAWS_EACH = 60


def each_view(world: World, model: Model, most: int = 40) -> Iterator[tuple[Any, int, Any]]:
    for state in positions(world, model, most):
        for seat in range(model.traits.seats):
            yield state, seat, model.view(state, seat)


def check_views_are_values(world: World, model: Model) -> None:
    """A view has its seat and that seat's legal actions, and is a value like a state."""
    model = model.metered(Meter())
    for state, seat, view in each_view(world, model):
        if view.seat != seat:
            fail(f"view({shown(state)}, {seat}).seat is {view.seat!r}")
        if view.legal != tuple(model.legal(state, seat)):
            fail(f"view({shown(state)}, {seat}).legal is not the tuple of legal(state, {seat})")
        again, loaded = model.view(state.copy(), seat), reload(view)
        if not view == again == loaded or not hash(view) == hash(again) == hash(loaded):
            fail(f"view({shown(state)}, {seat}) made twice or pickled is not equal to itself")
        for part in reachable(view):
            if isinstance(part, STREAMS + MACHINERY):
                fail(f"a {type(part).__name__} can be reached through seat {seat}'s view")
            if model.traits.hidden and isinstance(part, type(state)):
                fail(f"a complete state can be reached through seat {seat}'s view")


def check_imagined_states_agree_with_the_view(world: World, model: Model) -> None:
    """`imagine` returns a new determinisation of the view that depends on its stream alone."""
    model = model.metered(Meter())
    for index, (state, seat, view) in enumerate(each_view(world, model)):
        before = pickled(view)
        imagined, again = (model.imagine(view, Rng(index)) for _ in range(2))
        if imagined != again:
            fail(f"imagining twice from one view of {shown(state)} with one stream differs")
        if model.view(imagined, seat) != view:
            fail(f"seat {seat} sees {shown(state)} but imagines {shown(imagined)}")
        if not model.traits.hidden and imagined != state:
            fail(f"nothing is hidden, but from {shown(state)} is imagined {shown(imagined)}")
        if model.to_act(imagined):
            model.advance(imagined, any_actions(model, imagined, Rng(0)), Rng(index))
        model.settle(imagined, Rng(index))
        if pickled(view) != before or model.imagine(view, Rng(index)) != again:
            fail(f"changing an imagined state changed the view of {shown(state)} it came from")


def check_events_tell_each_seat(world: World, model: Model) -> None:
    """Events are values with a word and a seat; there are some exactly where traits say so."""
    model = model.metered(Meter())
    told = 0
    for state in positions(world, model):
        for seat in (None, *range(model.traits.seats)):
            events = model.events(state, seat)
            if not isinstance(events, tuple) or not all(isinstance(e, Event) for e in events):
                fail(f"events({shown(state)}, {seat}) must be a tuple of Event, got {events!r}")
            if events != model.events(state, seat):
                fail(f"events({shown(state)}, {seat}) differs from one call to the next")
            told += len(events)
            for event in events:
                hash(event.detail)
                if event.seat is not None and not 0 <= event.seat < model.traits.seats:
                    fail(f"{event!r} in {shown(state)} names a seat that does not exist")
    if model.traits.hidden and not model.traits.events:
        fail("traits.hidden holds, so events must tell each seat what it may know")
    if model.traits.events and not told:  # they may be rare
        walks = (wander(model, first_state(world, model, seed), seed) for seed in SEEDS)
        told = sum(len(model.events(state)) for walk in walks for state in walk)
    if bool(told) != model.traits.events:
        fail(f"traits.events is {model.traits.events}, but the walks had {told} events")


def check_seats_that_see_the_same_share_a_key(world: World, model: Model) -> None:
    """`key(state, seat)` depends only on what the seat sees."""
    model = model.metered(Meter())
    seen: dict[Any, Any] = {}
    for state, seat, view in each_view(world, model):
        key = model.key(state, seat)
        if seen.setdefault(view, key) != key:
            fail(f"seat {seat} sees the same in two states but their keys differ: {shown(state)}")


def twins_of(model: Model[StateT], state: StateT, seat: int) -> list[Any]:
    """Complete states that look the same to a seat: imagined, and listed where a model can.

    A model that is `ListsTwins` may leave out the state itself, and some when there are more than
    a hundred.
    """
    listing = able(model, ListsTwins)
    listed = [] if listing is None else list(listing.hidden_twins(state, seat))
    view = model.view(state, seat)
    imagined = [model.imagine(view, Rng(draw).fork("twin")) for draw in range(IMAGINED)]
    stride = max(1, len(listed) // MOST_TWINS)
    return [*listed[::stride], *imagined]


def check_hidden_facts_do_not_show(world: World, model: Model) -> None:
    """Changing hidden information changes nothing that the seat is shown."""
    model = model.metered(Meter())
    if not model.traits.hidden:
        return
    swapped = 0
    for state in positions(world, model, most=24):
        for seat in range(model.traits.seats):
            shows = what_shows(world, model, state, seat)
            for twin in twins_of(model, state, seat):
                swapped += twin != state
                for name, value in what_shows(world, model, twin, seat).items():
                    if value != shows[name]:
                        fail(
                            f"{name} of seat {seat} tells {shown(state)} from {shown(twin)}: "
                            f"{shown(shows[name])} and {shown(value)}"
                        )
    if not swapped:
        fail("traits.hidden is True, but no seat ever sees two states alike")


def what_shows(world: World, model: Model[StateT], state: StateT, seat: int) -> dict[str, Any]:
    """Everything about a state that reaches a seat, by name."""
    view = model.view(state, seat)
    shows: dict[str, Any] = {
        "view": view,
        "the view's hash": hash(view),
        "the view's pickle": pickled(view),
        "the view's repr": repr(view),
        "the view's text": str(view),
        "the legal list": list(model.legal(state, seat)),
        "to_act": model.to_act(state),
        "the key": model.key(state, seat),
        "the key's hash": hash(model.key(state, seat)),
        "imagine": [model.imagine(view, Rng(draw)) for draw in range(IMAGINED)],
    }
    if is_the_worlds_own(world, model):
        shows |= {
            "the drawing": world.draw_view(view, "text"),
            "the picture": world.draw_view(view, "svg"),
            "the observation": world.observation(view).tobytes(),
            "the mask": world.codec.mask(view).tobytes(),
            "the action texts": [world.action_text(action) for action in view.legal],
        }
    if model.to_act(state) == (seat,):
        shows["the default action"] = model.default_action(state, seat)
    return shows


def check_events_hide_what_views_hide(world: World, model: Model) -> None:
    """Where a seat could not tell two states apart before and after, events do not, either."""
    model = model.metered(Meter())
    if not model.traits.hidden:
        return
    for index, state in enumerate(positions(world, model, most=24)):
        for seat in range(model.traits.seats):
            told: dict[Any, dict[Any, set[Any]]] = {}
            for after in next_states(model, state, seat, index):
                alike = told.setdefault(model.view(after, seat), {})
                alike.setdefault(after, set()).add(model.events(after, seat))
            for alike in told.values():
                # Open dice may be told although the state forgets them: then all states that
                # look alike can be told all of it. What only some can be told gives them away.
                (first, expected), *others = alike.items()
                for after, events in others:
                    if events != expected:
                        fail(
                            f"seat {seat} cannot tell {shown(first)} from {shown(after)}, but "
                            f"is told {min(map(repr, expected))} or {min(map(repr, events))}"
                        )


def next_states(model: Model[StateT], state: StateT, seat: int, place: int) -> Iterator[Any]:
    """What can follow from states that look like this one to a seat, by chance or one move."""
    twins = [state, *twins_of(model, state, seat)]
    actions = any_actions(model, state, Rng(place))
    for twin in twins:
        for outcome, _ in model.chance(twin):
            yield model.resolve(twin, outcome)
        if actions and all(
            action in model.legal(twin, actor)
            for actor, action in zip(model.to_act(twin), actions, strict=False)
        ):
            yield model.step(twin, actions, Rng(place))


def check_imagine_covers_the_twins(world: World, model: Model) -> None:
    """Where few states look alike to a seat, `imagine` draws all of them and no others."""
    model = model.metered(Meter())
    listing = able(model, ListsTwins)
    if not model.traits.hidden or listing is None:
        return
    for index, (state, seat, view) in enumerate(each_view(world, model, most=12)):
        twins = {state, *listing.hidden_twins(state, seat)}
        if len(twins) > MOST_COVERED:
            continue
        draws = DRAWS_EACH * len(twins)
        imagined = {model.imagine(view, Rng(index).fork("cover", n)) for n in range(draws)}
        if strange := imagined - twins:
            fail(f"imagine gives {shown(strange.pop())}, which seat {seat} knows to be wrong")
        if missing := twins - imagined:
            fail(f"imagine never gives {shown(missing.pop())}, which seat {seat} must expect")


def check_model_keeps_no_secret(world: World, model: Model) -> None:
    """A model of a world with hidden information does not keep states it was asked about."""
    model = model.metered(Meter())
    if not model.traits.hidden:
        return
    asked = []
    for state, seat, view in each_view(world, model, most=12):
        model.imagine(view, Rng(seat))
        asked.append(state)
    for part in held_by(model):
        if isinstance(part, type(asked[0])) and part in asked[1:]:
            fail(f"the model holds {shown(part)}, where the agent that it is given to finds it")


VIEW_CHECKS = [
    check_views_are_values,
    check_imagined_states_agree_with_the_view,
    check_events_tell_each_seat,
    check_seats_that_see_the_same_share_a_key,
    check_hidden_facts_do_not_show,
    check_events_hide_what_views_hide,
    check_imagine_covers_the_twins,
    check_model_keeps_no_secret,
]
