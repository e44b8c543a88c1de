"""What a predicted step of a learned model costs, with the rules beside it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ludex.bench.result import Row
from ludex.bench.timing import per_cpu_second
from ludex.core import registry
from ludex.core.model import Model
from ludex.core.rng import Meter, Rng
from ludex.core.world import World
from ludex.models.learned.local import Local
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import random_play

BATCH = 50
LEARNED_FROM = 2000  # random steps
LEARNERS: dict[str, GameLearner] = {"local": Local(), "object_based": ObjectBased()}
AHEAD = 4  # steps that each state of a batch lies in the imagined future
METRICS = ("step_batch_us", "first_batch_us", "rollout_tick_us")
FIRSTS = 9  # models that are asked for the first time; the median is reported


@dataclass(frozen=True, slots=True)
class Ground:
    """A level to measure on."""

    name: str
    world: str
    start: str = ""
    """a state of the world, where it is not the usual one"""


def room(width: int, height: int, boxes: int) -> str:
    """A level of sokoban of any size: pillars, boxes and goals in rows."""
    rows = [["."] * width for _ in range(height)]
    for y in range(height):
        for x in range(width):
            edge = x in (0, width - 1) or y in (0, height - 1)
            rows[y][x] = "w" if edge or (x % 4 == 0 and y % 3 == 0) else "."
    for number in range(boxes):
        rows[2][2 + 2 * number] = "*"
        rows[height - 2][2 + 2 * number] = "o"
    rows[4][2] = "A"
    return "/".join(map("".join, rows))


GROUNDS = (
    Ground("13x9, one mover", "sokoban[limit=100000]", room(13, 9, 3)),
    Ground("30x20, one mover", "sokoban[limit=100000]", room(30, 20, 8)),
    Ground("15x11, several movers", "vgdl/zelda"),
    Ground("22x11, many movers", "vgdl/butterflies"),
)


def bench_models(seconds: float = 20.0) -> list[Row]:
    """Measure what a predicted step costs, by model and level, in microseconds of CPU time."""
    return [row for rows in model_rows(seconds) for row in rows]


def model_rows(seconds: float) -> Iterator[list[Row]]:
    """Measure each model on each level; what belongs together comes at once."""
    share = seconds / (len(GROUNDS) * len(METRICS) * (1 + len(LEARNERS)))
    for ground in GROUNDS:
        world = registry.world(ground.world)
        for name, make, model, starts in models_of(world, ground):
            named = {"model": name, "world": ground.world, "level": ground.name}
            measured = (
                batch_us(model, starts, share),
                first_us(make, starts),
                rollout_us(model, starts, share),
            )
            yield [
                {**named, "metric": metric, "value": round(value, 2)}
                for metric, value in zip(METRICS, measured, strict=True)
            ]


def models_of(
    world: World, ground: Ground
) -> Iterator[tuple[str, Callable[[], Model], Model, list[Any]]]:
    """The rules and each learner that can read them: how to make a model, one, and its states."""
    rules = world.model.metered(Meter())
    state = world.parse(ground.start) if ground.start else world.start(Rng(0))
    view = rules.view(state, 0)
    seen = list(random_play(rules, view, LEARNED_FROM, Rng(1), restart=300))
    makers: dict[str, Callable[[], Model]] = {"true": lambda: rules}
    for name, learner in LEARNERS.items():
        if learner.refusal(world.traits, view) is None:
            makers[name] = partial(fresh_model, learner.clone().fit(seen), world)
    for name, make in makers.items():
        model = make()
        root = model.imagine(view, Rng(0))
        ahead = [model.rollout(root, "uniform", AHEAD, Rng(one)).state for one in range(4 * BATCH)]
        yield name, make, model, [one for one in ahead if model.to_act(one)][:BATCH] or [root]


def fresh_model(learner: GameLearner, world: World) -> Model:
    """A model that has worked out nothing yet."""
    if isinstance(learner, ObjectBased):  # models of one fitting share what they work out
        learner.learn_again()
    return learner.model(world.traits)


def batch_us(model: Model, starts: list[Any], seconds: float) -> float:
    """Microseconds of a step, many states at a time."""
    dice = Rng(2)
    actions = [(dice.choice(list(model.legal(state, 0))),) for state in starts]
    body = partial(model.step_many, starts, actions, Rng(3))
    return 1e6 / per_cpu_second(lambda: len(body()), seconds)


def first_us(make: Callable[[], Model], starts: list[Any]) -> float:
    """The same for a model that has worked out nothing yet, and is given states of another."""
    times: list[float] = []
    for _ in range(FIRSTS):
        model = make()
        actions = [(model.legal(state, 0)[0],) for state in starts]
        began = time.thread_time()
        model.step_many(starts, actions, Rng(3))
        times.append((time.thread_time() - began) / len(starts))
    return statistics.median(times) * 1e6


def rollout_us(model: Model, starts: list[Any], seconds: float) -> float:
    """Microseconds of a tick of a random playout of ten."""
    dice = Rng(4)

    def body() -> int:
        return sum(max(1, model.rollout(one, "uniform", 10, dice).ticks) for one in starts)

    return 1e6 / per_cpu_second(body, seconds)
