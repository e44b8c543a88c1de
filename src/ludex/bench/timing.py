"""How fast worlds and planners are, per CPU-second of one thread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from ludex.arena.match.seat import collection_paused
from ludex.core.budget import Budget
from ludex.core.capabilities import TimesItself
from ludex.core.decision import Decision
from ludex.core.fallback import choose_uniform
from ludex.core.model import Actions
from ludex.core.planner import Planner
from ludex.core.rng import Meter, Rng
from ludex.core.view import View
from ludex.core.world import World

GAMES = 16
LONGEST_GAME = 300
WHOLE_GAME = 10_000  # ticks after which a match is stopped, too
SLICES = 5  # the median of so many is reported
DECISIONS = 5
NATIVE_METRICS = ("tick", "copy_tick", "copy", "rollout_tick")
BUDGET = Budget(time_ms=40.0)


@dataclass(slots=True)
class RandomGame:
    """A random game that can be played again: same start, same decisions, same dice."""

    start: Any
    dice: Rng
    steps: list[Actions]
    states: list[Any]
    """the state before each step"""


def random_games(world: World) -> list[RandomGame]:
    model = world.model.metered(Meter())
    games: list[RandomGame] = []
    for number in range(GAMES):
        choices = Rng(number).fork("bench", "choices")
        dice = Rng(number).fork("bench", "dice")
        state = world.start(dice)
        game = RandomGame(state.copy(), dice.copy(), [], [])
        model.settle(state, dice)
        while len(game.steps) < LONGEST_GAME and (seats := model.to_act(state)):
            actions = tuple(choices.choice(list(model.legal(state, seat))) for seat in seats)
            game.states.append(state.copy())
            game.steps.append(actions)
            model.advance(state, actions, dice)
            model.settle(state, dice)
        games.append(game)
    return games


def per_cpu_second(body: Callable[[], int], seconds: float) -> float:
    """Repeat `body`, which returns how much it did, and return the median rate of slices."""
    body()
    rates: list[float] = []
    for _ in range(SLICES):
        done = 0
        begin = time.thread_time()
        while (spent := time.thread_time() - begin) < seconds / SLICES:
            done += body()
        rates.append(done / spent)
    return statistics.median(rates)


class Loops:
    """What is timed in a world in Python; a loop returns how many units it did."""

    def __init__(self, world: World) -> None:
        self.model = world.model.metered(Meter())
        self.games = random_games(world)
        self.dice = Rng(1).fork("bench", "loops")
        self.positions = [state for game in self.games for state in game.states]
        self.pairs = [
            pair for game in self.games for pair in zip(game.states, game.steps, strict=True)
        ]
        self.seats = [
            (state, seat) for state in self.positions for seat in self.model.to_act(state)
        ]

    def tick(self) -> int:
        """Random moves in place, as the native loop of this name makes them."""
        model, dice, done = self.model, self.dice, 0
        for game in self.games:
            state = game.start.copy()
            model.settle(state, dice)
            while done < LONGEST_GAME * GAMES and (acting := model.to_act(state)):
                actions = tuple(choose_uniform(model, state, seat, dice) for seat in acting)
                model.advance(state, actions, dice)
                model.settle(state, dice)
                done += 1
        return done

    def copy_tick(self) -> int:
        model, dice = self.model, self.dice
        for state, _ in self.pairs:
            after = state.copy()
            actions = tuple(
                choose_uniform(model, after, seat, dice) for seat in model.to_act(after)
            )
            model.advance(after, actions, dice)
            model.settle(after, dice)
        return len(self.pairs)

    def tick_py(self) -> int:
        """One call of `advance` per tick, with actions chosen before."""
        model, done = self.model, 0
        for game in self.games:
            state, stream = game.start.copy(), game.dice.copy()
            model.settle(state, stream)
            done += len(game.steps)
            if model.traits.listed_chance:
                for actions in game.steps:
                    model.advance(state, actions, stream)
                    model.settle(state, stream)
            else:
                for actions in game.steps:
                    model.advance(state, actions, stream)
        return done

    def step_py(self) -> int:
        model, dice = self.model, self.dice
        for state, actions in self.pairs:
            model.step(state, actions, dice)
        return len(self.pairs)

    def copy_py(self) -> int:
        for state in self.positions:
            state.copy()
        return len(self.positions)

    def rollout_tick(self) -> int:
        model, dice = self.model, self.dice
        return sum(
            model.rollout(game.start, "uniform", LONGEST_GAME, dice).ticks for game in self.games
        )

    def random_games(self) -> int:
        """Whole games from the start, those that come to an end."""
        model, dice = self.model, self.dice
        ends = (
            model.rollout(game.start, "uniform", WHOLE_GAME, dice).returns for game in self.games
        )
        return sum(returns is not None for returns in ends)

    def legal(self) -> int:
        model = self.model
        for state, seat in self.seats:
            model.legal(state, seat)
        return len(self.seats)


def loops(world: World) -> dict[str, Callable[[], int]]:
    """The loops of a world by metric."""
    own = Loops(world)
    timed: dict[str, Callable[[], int]] = {
        "tick": own.tick,
        "copy_tick": own.copy_tick,
        "copy": own.copy_py,
        "rollout_tick": own.rollout_tick,
    }
    if isinstance(own.model, TimesItself):  # these are timed inside one native call
        timed = {"copy_py": own.copy_py}
    return timed | {
        "random_games": own.random_games,
        "tick_py": own.tick_py,
        "step_py": own.step_py,
        "legal": own.legal,
    }


def native_rates(world: World, share: float) -> Iterator[tuple[str, float]]:
    """Time inside one native call what a native world offers so; `share` seconds for each."""
    model = world.model
    if not isinstance(model, TimesItself):
        return
    for metric in NATIVE_METRICS:
        rates = [model.bench(metric, share / SLICES) for _ in range(SLICES)]
        yield metric, statistics.median(rates)


def world_rates(world: World, seconds: float) -> Iterator[tuple[str, float]]:
    """Time everything a world does; each metric as soon as it is known."""
    timed = loops(world)
    native = len(NATIVE_METRICS) if isinstance(world.model, TimesItself) else 0
    share = seconds / (len(timed) + native)
    yield from native_rates(world, share)
    for metric, body in timed.items():
        yield metric, per_cpu_second(body, share)


@cache
def first_choice(world: World) -> View:
    """What the acting seat sees in the first state that leaves it a choice."""
    model = world.referee
    views = (
        model.view(state, seat)
        for game in random_games(world)
        for state in game.states
        for seat in model.to_act(state)
    )
    return next(view for view in views if len(view.legal) > 1)


def decisions_of(
    planner: Planner, world: World, view: View, decisions: int = DECISIONS
) -> list[Decision]:
    """Ask a planner for decisions of 40 ms about a view."""
    model = world.model.metered(Meter())
    rng = Rng(1).fork("bench", "planner")
    made: list[Decision] = []
    for number in range(decisions):
        with collection_paused(BUDGET):  # as in a match
            made.append(planner.decide(model, view, BUDGET, rng.fork(number)))
    return made


def planner_rates(planner: Planner, world: World, decisions: int = DECISIONS) -> dict[str, float]:
    """The median iterations and model ticks of a decision of 40 ms in the first real choice."""
    made = decisions_of(planner, world, first_choice(world), decisions)
    iterations = statistics.median(decision.iterations for decision in made)
    return {
        "iterations_40ms": iterations,
        "model_ticks_40ms": statistics.median(decision.model_calls for decision in made),
        "iteration_us": round(1000 * statistics.median(one.cpu_ms for one in made) / iterations, 3)
        if iterations
        else 0.0,
    }
