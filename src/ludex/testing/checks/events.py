"""Events describe exactly what a step did."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import chain
from typing import Any

from ludex.core.event import Event
from ludex.core.model import Actions, Model
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.tracker import Tracked, Tracker
from ludex.core.world import World
from ludex.testing.failure import fail, shown
from ludex.testing.games import Passage, random_game, scripted_game
from ludex.testing.walk import any_actions, positions

GAMES = (0, 1)
TWINS = 4  # states imagined that look like one of the game
MOST_STATES = 60  # of a game, where looking at one costs many steps


def games(world: World) -> Iterator[Iterator[Passage]]:
    """Random and scripted games of a world."""
    for seed in GAMES:
        yield random_game(world, seed)
        yield scripted_game(world, seed)


def told_all(model: Model[StateT], state: StateT) -> dict[int | None, tuple[Event, ...]]:
    """What everybody is told of the last step; None sees all."""
    return {seat: model.events(state, seat) for seat in (None, *range(model.traits.seats))}


def check_nothing_is_told_before_the_game(world: World) -> None:
    """The events of a first state are none: seats are shown it, and nothing was done yet."""
    model = world.model.metered(Meter())
    for seed in range(5):
        state = world.start(Rng(seed))
        for seat, events in told_all(model, state).items():
            if events:
                fail(f"the first state {shown(state)} tells seat {seat} {events!r}")


def check_events_are_of_the_last_step(world: World) -> None:
    """The events of a step do not depend on earlier steps.

    Each state of a game is written and read back, which forgets what its last step did; then one
    action of each type, or each outcome, must tell the same from both.
    """
    model = world.model.metered(Meter())
    for game in games(world):
        for number, passage in enumerate(spread(game)):
            state = passage.after
            fresh = world.parse(str(state))
            for step, first in enumerate(successors(model, state)):
                second = list(successors(model, fresh))[step]
                compare_told(model, first, second, f"step {number}", state)


def spread(game: Iterator[Passage]) -> list[Passage]:
    """Some passages of a game, evenly spread."""
    whole = list(game)
    stride = max(1, len(whole) // MOST_STATES) | 1
    return whole[::stride]


def successors(model: Model[StateT], state: StateT) -> Iterator[Any]:
    """What follows by each listed outcome, or by one joint action with each type of action."""
    for outcome, _ in model.chance(state):
        yield model.resolve(state, outcome)
    for index, actions in enumerate(one_of_each_type(model, state)):
        yield model.step(state, actions, Rng(index).fork("type"))


def one_of_each_type(model: Model[StateT], state: StateT) -> Iterator[Actions]:
    seats = model.to_act(state)
    if not seats:
        return
    by_type: dict[str, Any] = {}
    for action in model.legal(state, seats[0]):
        by_type.setdefault(model.action_type(action), action)
    rest = any_actions(model, state, Rng(0))[1:]
    for action in by_type.values():
        yield (action, *rest)


def compare_told(model: Model, first: Any, second: Any, what: str, state: Any) -> None:
    told, again = told_all(model, first), told_all(model, second)
    for seat, events in told.items():
        if events != again[seat]:
            fail(
                f"{what} from {shown(state)} tells seat {seat} {events!r} in the game, but "
                f"{again[seat]!r} from the same state without a past"
            )


def check_all_ways_of_stepping_tell_the_same(world: World, model: Model) -> None:
    """`advance`, `settle`, `play`, `step_many`, traces give the events of `step` and `resolve`."""
    model = model.metered(Meter())
    for index, state in enumerate(positions(world, model, most=40)):
        compare_settling(model, state, index)
        if model.to_act(state):
            compare_steps(model, state, index)


def compare_settling(model: Model[StateT], state: StateT, place: int) -> None:
    settled = state.copy()
    drawn = model.settle(settled, Rng(place))
    resolved = state
    for outcome in drawn:
        resolved = model.resolve(resolved, outcome)
    if drawn and told_all(model, settled) != told_all(model, resolved):
        fail(
            f"settling {shown(state)} tells {model.events(settled)!r}, resolving the same outcomes "
            f"{model.events(resolved)!r}"
        )


def compare_steps(model: Model[StateT], state: StateT, place: int) -> None:
    actions = any_actions(model, state, Rng(place))
    rng = Rng(place).fork("ways")

    def stepped(stream: Rng) -> tuple[Any, tuple[Event, ...]]:
        """The state after a whole tick, and all its events."""
        after = model.step(state, actions, stream)
        told = list(model.events(after))
        while listed := model.chance(after):
            outcome = listed[stream.weighted([chance for _, chance in listed])][0]
            after = model.resolve(after, outcome)
            told += model.events(after)
        return after, tuple(told)

    advanced, after = state.copy(), model.step(state, actions, rng.fork("one"))
    model.advance(advanced, actions, rng.fork("one"))
    played = model.play(state, [[actions]], rng)[0].state
    batched = model.step_many([state], [actions], rng)[0]
    traced = model.rollout(state, "uniform", 0, rng.fork("traced"), trace=True, opening=[actions])
    for name, found, expected in (
        ("advance", told_all(model, advanced), told_all(model, after)),
        ("play", told_all(model, played), told_all(model, stepped(rng.fork("play", 0))[0])),
        ("step_many", told_all(model, batched), told_all(model, stepped(rng.fork("step", 0))[0])),
        ("a trace", traced.trace.events, [stepped(rng.fork("traced"))[1]]),
    ):
        if found != expected:
            fail(
                f"{actions!r} from {shown(state)}: {name} tells {found!r}, step and resolve tell "
                f"{expected!r}"
            )


def check_changes_are_told(world: World) -> None:
    """With hidden information, a seat whose view changes gets an event."""
    model = world.model.metered(Meter())
    if not model.traits.hidden:
        return
    for game in games(world):
        for passage in game:
            for seat in range(model.traits.seats):
                if passage.told(model, seat):
                    continue
                if model.view(passage.before, seat) != model.view(passage.after, seat):
                    fail(
                        f"seat {seat} sees {shown(passage.before)} become "
                        f"{shown(passage.after)}, and is told nothing"
                    )


def check_views_follow_from_what_is_told(world: World) -> None:
    """From states that look alike to a seat, the same events lead to states that look alike.

    So what a seat saw and what it is told explain all that it sees next. Where chance is sampled,
    the same actions are taken with the same stream: what the draws did is seen, and need not be
    told. Nor need what is turned face up when the game is over: nobody decides after that.
    """
    model = world.model.metered(Meter())
    if not model.traits.hidden:
        return
    for seed, game in enumerate((random_game(world, 2), scripted_game(world, 2))):
        for index, passage in enumerate(spread(game)):
            for seat in range(model.traits.seats):
                compare_views(model, passage.before, seat, Rng(index).fork("alike", seed))


def compare_views(model: Model[StateT], state: StateT, seat: int, rng: Rng) -> None:
    seen: dict[tuple[Event, ...], tuple[Any, Any]] = {}
    view = model.view(state, seat)
    twins = [state, *(model.imagine(view, rng.fork("twin", n)) for n in range(TWINS))]
    for after in all_next(model, twins, rng):
        if model.over(after):
            continue
        told, sight = model.events(after, seat), model.view(after, seat)
        first, expected = seen.setdefault(told, (after, sight))
        if sight != expected:
            fail(
                f"seat {seat}, which sees {shown(view)}, is told {told!r} of steps to "
                f"{shown(first)} and {shown(after)}, which look unlike"
            )


def all_next(model: Model, twins: list[Any], rng: Rng) -> Iterator[Any]:
    """What can follow by chance or decisions; with sampled chance, by the same decision."""
    sampled = model.traits.sampled_chance
    chosen = any_actions(model, twins[0], rng.fork("actions"))
    for twin in twins:
        for outcome, _ in model.chance(twin):
            yield model.resolve(twin, outcome)
        joints = [chosen] if sampled else [*one_of_each_type(model, twin), *some(model, twin, rng)]
        for actions in joints:
            if actions and is_legal(model, twin, actions):
                yield model.step(twin, actions, rng.fork("step"))


def some(model: Model[StateT], state: StateT, rng: Rng) -> Iterator[Actions]:
    for number in range(4):
        yield any_actions(model, state, rng.fork("some", number))


def is_legal(model: Model[StateT], state: StateT, actions: Actions) -> bool:
    seats = model.to_act(state)
    pairs = zip(seats, actions, strict=False)
    return len(seats) == len(actions) and all(a in model.legal(state, s) for s, a in pairs)


def check_trackers_keep_the_public_counts(world: World) -> None:
    """A tracker that sees only a seat's events has the counts that the view shows."""
    for game in games(world):
        follow(world, game)


def follow(world: World, game: Iterator[Passage]) -> None:
    """Give each seat a tracker, and compare its counts after every step of a game."""
    model = world.model.metered(Meter())
    first = next(game, None)
    if first is None:
        return
    table = counted(world)
    if table is None:
        return
    trackers = [table.tracker(model.view(first.before, seat)) for seat in range(model.traits.seats)]
    for passage in chain([first], game):
        for seat, tracker in enumerate(trackers):
            events = passage.told(model, seat)
            for event in events:
                tracker.observe(event)
            found, true = tracker.counts(), table.public_counts(model.view(passage.after, seat))
            if found != true:
                name, counts, shows = first_difference(found, true)
                fail(
                    f"seat {seat} is told {events!r} and counts {name} {counts!r}, but the table "
                    f"shows {shows!r} in {shown(passage.after)}"
                )


def counted(world: World) -> Tracked | None:
    """The world's own tracker; else one that replays the moves in its events."""
    if isinstance(world, Tracked):
        return world
    traits = world.traits
    if traits.events or traits.hidden or traits.sampled_chance:
        return None
    return ReplayedTable(world)


def first_difference(
    found: Mapping[str, Hashable], true: Mapping[str, Hashable]
) -> tuple[str, Hashable, Hashable]:
    for name in (*true, *found):
        if found.get(name) != true.get(name) or (name in found) != (name in true):
            return name, found.get(name), true.get(name)
    return "nothing", None, None


class ReplayedTable:
    """Tracks an open world without events of its own, by its rules."""

    def __init__(self, world: World) -> None:
        self.model = world.model.metered(Meter())

    def tracker(self, view: Any) -> Tracker:
        return ReplayedMoves(self.model, view)

    def public_counts(self, view: Any) -> dict[str, Hashable]:
        return {"the view": view}


class ReplayedMoves:
    """Plays the moves and outcomes of events; all moves of one tick make one step."""

    def __init__(self, model: Model, view: Any) -> None:
        self.model = model
        self.seat = view.seat
        self.state = model.imagine(view, Rng(0))
        self.moves: list[Any] = []

    def observe(self, event: Event) -> None:
        if event.kind == "chance":
            self.state = self.model.resolve(self.state, event.detail)
            return
        self.moves.append(event.detail)
        if len(self.moves) == len(self.model.to_act(self.state)):
            self.state = self.model.step(self.state, tuple(self.moves), Rng(0))
            self.moves.clear()

    def counts(self) -> dict[str, Hashable]:
        return {"the view": self.model.view(self.state, self.seat)}


EVENT_CHECKS_OF_WORLDS = [
    check_nothing_is_told_before_the_game,
    check_events_are_of_the_last_step,
    check_changes_are_told,
    check_views_follow_from_what_is_told,
    check_trackers_keep_the_public_counts,
]
EVENT_CHECKS = [check_all_ways_of_stepping_tell_the_same]
