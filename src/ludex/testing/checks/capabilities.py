"""What only some models can do (core/capabilities.py): who has or promises it can do it."""

from __future__ import annotations

from math import isclose
from typing import Any

from ludex.core.capabilities import (
    AvatarModel,
    ExplainsEvents,
    LearnedModel,
    ListsDeals,
    ObjectModel,
    OffersAlternatives,
    RecallsPast,
    RecallsSteps,
    ShowsObjects,
    ShowsPixels,
    TimesItself,
    able,
)
from ludex.core.errors import BadParameter
from ludex.core.model import Model
from ludex.core.object_list import NOBODY
from ludex.core.objects import ObjectView
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.world import World
from ludex.testing.checks.views import each_view
from ludex.testing.failure import fail, shown
from ludex.testing.walk import (
    any_actions,
    first_state,
    is_the_worlds_own,
    positions,
    wander,
)

OBJECT_METHODS = ("grid", "heading", "avatars", "distances", "whereabouts")
COLUMNS = ("category", "type", "id", "x", "y", "width", "height")
MOST_OBJECTS = 40  # of a view that are looked up one by one
ROUNDING = 1e-9
TIMED_S = 0.001
UNKNOWN_POLICY = "no such policy"


def check_objects_are_there(world: World, model: Model) -> None:
    """Where traits promise objects, views list them and the model says where they are."""
    if not model.traits.objects:
        return
    model = model.metered(Meter())
    objects = able(model, ObjectModel)
    if objects is None:
        lacking = [name for name in OBJECT_METHODS if name not in dir(type(model))]
        fail(f"traits.objects holds, but the model lacks {', '.join(lacking)}")
    if not all(is_whole(size) and size > 0 for size in objects.grid()):
        fail(f"grid() must be columns and rows, got {objects.grid()!r}")
    for state, seat, view in each_view(world, model, most=12):
        if not isinstance(view, ObjectView):
            fail(f"traits.objects holds, but the view of {shown(state)} does not list objects")
        check_listed_objects(objects, state, seat, view)
        avatars = objects.avatars(state)
        if len(avatars) != model.traits.seats or not all(map(is_step, avatars)):
            fail(f"avatars({shown(state)}) must be a cell for each seat, got {avatars!r}")
        for action in view.legal:
            if not is_step(objects.heading(action)):
                fail(f"heading({action!r}) must be columns and rows, got {objects.heading(action)}")


def check_avatars_are_placed(world: World, model: Model) -> None:
    """Where traits promise avatars, the model has a cell for each, and distances to kinds."""
    if not model.traits.avatars:
        return
    model = model.metered(Meter())
    placing = able(model, AvatarModel)
    if placing is None:
        fail("traits.avatars holds, but the model lacks grid, avatars or distances")
    for state in positions(world, model, most=12):
        columns, rows = placing.grid()
        for column, row in placing.avatars(state):
            if not (-1 <= column < columns and -1 <= row < rows):
                fail(f"an avatar of {shown(state)} is at {column}, {row} in {columns} x {rows}")
        for seat in range(model.traits.seats):
            for one in placing.distances(state, seat, range(8)):
                if one is not None and not 0.0 <= one <= 2.0:
                    fail(f"a kind of {shown(state)} is {one} diagonals of the grid away")


def check_listed_objects(objects: ObjectModel, state: Any, seat: int, view: ObjectView) -> None:
    if (view.width, view.height) != objects.grid():
        fail(f"a view has {view.width} x {view.height} cells, but grid() is {objects.grid()}")
    if tuple(view.rows.dtype.names or ()) != COLUMNS:
        fail(f"rows of a view must have the columns {', '.join(COLUMNS)}, got {view.rows.dtype}")
    rows = view.rows[:MOST_OBJECTS]
    for kind, number, x, y in rows[["type", "id", "x", "y"]].tolist():
        cell, found = (x // view.block, y // view.block), objects.whereabouts(state, kind, number)
        if found != cell:
            fail(f"object {number} of kind {kind} is at {cell} in a view, but whereabouts {found}")
    kinds = sorted(set(rows["type"].tolist()))
    distances = objects.distances(state, seat, kinds)
    if len(distances) != len(kinds) or any(one is not None and one < 0 for one in distances):
        fail(f"distances({shown(state)}, {seat}, {kinds}) gives {distances!r}")


def is_whole(number: object) -> bool:
    return isinstance(number, int)


def is_step(pair: object) -> bool:
    """Whether this is a cell or a step: two whole numbers."""
    return isinstance(pair, tuple) and len(pair) == 2 and all(map(is_whole, pair))


def check_learned_states_have_a_confidence(world: World, model: Model) -> None:
    """A model is learned exactly where it says how sure it is of a state, from 0 to 1."""
    model = model.metered(Meter())
    learned = able(model, LearnedModel)
    if model.traits.learned != (learned is not None):
        has = "no" if learned is None else "a"
        fail(f"traits.learned is {model.traits.learned}, but the model has {has} confidence")
    if learned is None:
        return
    for state in positions(world, model, most=24):
        if not 0.0 <= learned.confidence(state) <= 1.0 + ROUNDING:
            fail(f"confidence({shown(state)}) is {learned.confidence(state)}, not from 0 to 1")


def check_alternatives_share_states(world: World, model: Model) -> None:
    """The alternatives that a model offers step its states, and count on its meter."""
    model = model.metered(Meter())
    offers = able(model, OffersAlternatives)
    if offers is None:
        return
    for number, one in enumerate(offers.alternatives()):
        if one.meter is not model.meter:
            fail(f"alternative {number} counts on another meter than the model")
        for state in positions(world, model, most=6):
            if seats := model.to_act(state):
                actions = tuple(model.legal(state, seat)[0] for seat in seats)
                after = one.step(state, actions, Rng(number))
                model.outcome(after)  # raises for states of other rules


def check_unknown_policies_are_refused(world: World, model: Model) -> None:
    """A rollout by a policy that the model does not know raises BadParameter."""
    model = model.metered(Meter())
    state = settled(model, first_state(world, model, 0))
    try:
        model.rollout(state, UNKNOWN_POLICY, 1, Rng(0))
    except BadParameter:
        return
    fail(f"rollout(policy={UNKNOWN_POLICY!r}) must raise BadParameter")


def check_deals_are_a_distribution(world: World, model: Model) -> None:
    """Listed deals look like the view they were listed for; their probabilities sum to 1."""
    model = model.metered(Meter())
    listing = able(model, ListsDeals)
    if listing is None:
        return
    state = settled(model, first_state(world, model, 0))
    rules: Any = listing  # within a wrapper, with views of its own
    for seat in range(model.traits.seats):
        view = rules.view(state, seat)
        deals = listing.deals(view)
        if deals and not isclose(sum(probability for _, probability in deals), 1.0):
            fail(f"the deals that seat {seat} may expect in {shown(state)} do not sum to 1")
        for deal, _ in deals[:: max(1, len(deals) // 20)]:
            if rules.view(deal, seat) != view:
                fail(f"deals lists {shown(deal)}, which seat {seat} knows to be wrong")


def check_events_name_the_actions_behind_them(world: World, model: Model) -> None:
    """What was done is among the actions that a model names behind the first event of a step."""
    model = model.metered(Meter())
    explaining = able(model, ExplainsEvents)
    if explaining is None:
        return
    rng = Rng(0).fork("behind")
    for state in wander(model, first_state(world, model, 0), limit=120):
        if len(model.to_act(state)) != 1:
            continue
        actions = any_actions(model, state, rng)
        after = model.step(state, actions, rng)
        for seat in range(model.traits.seats):
            told = model.events(after, seat)
            behind = explaining.actions_behind(told[0]) if told else None
            if behind is not None and actions[0] not in behind:
                fail(f"{actions[0]!r} in {shown(state)} is not among actions_behind({told[0]!r})")


def check_recalled_steps_are_taken_in(world: World, model: Model) -> None:
    """A model that looks back takes any number of steps, and imagines as it should after them."""
    model = model.metered(Meter())
    recalling = able(model, RecallsSteps)
    if recalling is None:
        return
    rules = world.model.metered(Meter())
    steps: list[tuple[Any, Any]] = []
    for state in wander(rules, first_state(world, rules, 0), limit=6):
        for seat in rules.to_act(state)[:1]:
            view = rules.view(state, seat)
            recalling.recall(tuple(steps))
            model.imagine(view, Rng(0))
            steps.append((view, view.legal[0]))
    recalling.recall(())


def check_views_with_a_past_are_the_same_views(world: World, model: Model) -> None:
    """A view that is told its past keeps its seat and its choices, and the first is unchanged."""
    model = model.metered(Meter())
    for state, seat, view in each_view(world, model, most=12):
        if (recalling := able(view, RecallsPast)) is None:
            return
        before = hash(view)
        told: Any = recalling.recalling(last_action=view.legal[0] if view.legal else None)
        if (told.seat, told.legal) != (view.seat, view.legal) or hash(view) != before:
            fail(f"the view of {shown(state)} with its past differs for seat {seat}")


def check_shown_objects_are_those_of_the_view(world: World, model: Model) -> None:
    """Views that show themselves as objects show the seat's choices, score and avatar, too."""
    model = model.metered(Meter())
    for state, seat, view in each_view(world, model, most=12):
        if (showing := able(view, ShowsObjects)) is None:
            return
        listed = showing.as_objects()
        if (listed.seat, listed.legal) != (seat, view.legal):
            fail(f"as_objects of {shown(state)} shows another seat or other choices than its view")
        if listed.score != model.score(state, seat):
            fail(f"as_objects of {shown(state)} tells a score of {listed.score}")
        if not NOBODY <= listed.avatar < len(listed.objects):
            fail(f"as_objects of {shown(state)} has no object {listed.avatar}, its avatar")
        if any(not 0 <= one.kind < len(listed.kinds) for one in listed.objects):
            fail(f"as_objects of {shown(state)} holds a kind that it does not name")


def check_shown_pixels_are_a_picture_of_the_view(world: World, model: Model) -> None:
    """Views that show themselves as pictures show the seat's choices and score, too."""
    model = model.metered(Meter())
    for state, seat, view in each_view(world, model, most=12):
        if (showing := able(view, ShowsPixels)) is None:
            return
        picture = showing.as_pixels()
        if (picture.seat, picture.legal) != (seat, view.legal):
            fail(f"as_pixels of {shown(state)} shows another seat or other choices than its view")
        if picture.score != model.score(state, seat):
            fail(f"as_pixels of {shown(state)} tells a score of {picture.score}")
        width, height, cell = picture.size
        if len(picture.frame) != 3 * width * height * cell * cell:
            fail(f"as_pixels of {shown(state)} has another size than it says: {picture.size}")


def check_models_time_themselves(world: World, model: Model) -> None:
    """A model that times its own ticks does some."""
    timing = able(model, TimesItself) if is_the_worlds_own(world, model) else None
    if timing is not None and timing.bench("tick", TIMED_S) <= 0:
        fail("bench('tick') must be how many ticks a CPU-second has")


def settled(model: Model[StateT], state: StateT) -> Any:
    model.settle(state, Rng(0))
    return state


CAPABILITY_CHECKS = [
    check_objects_are_there,
    check_avatars_are_placed,
    check_learned_states_have_a_confidence,
    check_alternatives_share_states,
    check_unknown_policies_are_refused,
    check_deals_are_a_distribution,
    check_events_name_the_actions_behind_them,
    check_recalled_steps_are_taken_in,
    check_views_with_a_past_are_the_same_views,
    check_shown_objects_are_those_of_the_view,
    check_shown_pixels_are_a_picture_of_the_view,
    check_models_time_themselves,
]
