"""Games step by step: the state before, the events of each seat, the state after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ludex.agents.expert import Expert
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.errors import LudexError
from ludex.core.event import Event
from ludex.core.model import Actions, Model
from ludex.core.planner import Mind
from ludex.core.rng import Meter, Rng
from ludex.core.world import World
from ludex.testing.walk import any_actions

LONGEST_GAME = 1500  # steps and outcomes that are looked at
CALLS = Budget(model_calls=30)  # scripts need few; searchers among the experts are held short


@dataclass(frozen=True, slots=True)
class Passage:
    """One step or listed outcome of a game."""

    before: Any
    after: Any
    made_up: tuple[Event, ...]
    """the events of seats in worlds without events of their own"""

    def told(self, model: Model, seat: int | None) -> tuple[Event, ...]:
        """The events of a seat, as the match runner gives them."""
        if model.traits.events or model.traits.hidden:
            return model.events(self.after, seat)
        return self.made_up


Choose: TypeAlias = Callable[[Any, Rng], Actions]
Tell: TypeAlias = Callable[[Passage], None]


def random_game(world: World, seed: int, limit: int = LONGEST_GAME) -> Iterator[Passage]:
    """Every seat chooses at random."""
    model = world.model.metered(Meter())
    return course(world, seed, lambda state, rng: any_actions(model, state, rng), None, limit)


def scripted_game(world: World, seed: int, limit: int = LONGEST_GAME) -> Iterator[Passage]:
    """The scripted agents of this world play each other; nothing where there are none."""
    agents = scripts_of(world)
    if not agents:
        return iter(())
    seats = ScriptedSeats(world, agents, seed)
    return course(world, seed, seats.choose, seats.tell, limit)


def course(
    world: World, seed: int, choose: Choose, tell: Tell | None, limit: int
) -> Iterator[Passage]:
    model = world.model.metered(Meter())
    rng = Rng(seed).fork("game")
    state = world.start(Rng(seed).fork("walk", "start"))
    made_up: tuple[Event, ...]
    for _ in range(limit):
        if listed := model.chance(state):
            outcome = listed[rng.weighted([probability for _, probability in listed])][0]
            after, made_up = model.resolve(state, outcome), (Event("chance", None, outcome),)
        elif seats := model.to_act(state):
            actions = choose(state, rng)
            after = model.step(state, actions, rng)
            pairs = zip(seats, actions, strict=True)
            made_up = tuple(Event("move", seat, action) for seat, action in pairs)
        else:
            return
        passage = Passage(state, after, made_up)
        yield passage
        if tell is not None:
            tell(passage)
        state = after


class ScriptedSeats:
    """Minds of scripted agents, one in each seat."""

    def __init__(self, world: World, agents: list[Expert], seed: int) -> None:
        self.model = world.model.metered(Meter())
        start = world.start(Rng(seed).fork("walk", "start"))
        self.minds: list[Mind] = []
        for seat in range(world.traits.seats):
            agent = agents[(seat + seed) % len(agents)]
            rules, view = world.model.metered(Meter()), self.model.view(start, seat)
            self.minds.append(agent.start(rules, view, CALLS, Rng(seed).fork("mind", seat)))

    def choose(self, state: Any, rng: Rng) -> Actions:
        actions = []
        for seat in self.model.to_act(state):
            view = self.model.view(state, seat)
            actions.append(self.minds[seat].decide(view, CALLS, rng.fork(seat)).action)
        return tuple(actions)

    def tell(self, passage: Passage) -> None:
        for seat, mind in enumerate(self.minds):
            for event in passage.told(self.model, seat):
                mind.observe(event)


def scripts_of(world: World) -> list[Expert]:
    """The agents written for this world that can play it as it is, with few model calls."""
    found: list[Expert] = []
    for name in registry.names("agents"):
        if name.partition("/")[0] != world.name:
            continue
        kind = registry.load("agents", name)
        if isinstance(kind, type) and issubclass(kind, Expert) and can_play(world, kind):
            found.append(kind())
    return found


def can_play(world: World, kind: type[Expert]) -> bool:
    """Whether an agent starts and decides here: some need files, packages or other options."""
    model, rng = world.model.metered(Meter()), Rng(0)
    state = world.start(rng)
    model.settle(state, rng)
    seat = model.to_act(state)[0]
    view = model.view(state, seat)
    try:
        decision = kind().start(model, view, CALLS, rng).decide(view, CALLS, rng)
    except LudexError:
        return False
    return decision.action in view.legal
