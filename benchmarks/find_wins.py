"""Find winning inputs for levels of our own games, and keep them in their `wins.json`.

After a change of a level, or of the order in which the engine draws, a kept win may win no more
(tests/golden/test_vgdl_wins.py tells). This looks for another one: first with planners, then
with a beam search against the game's own future, which a seed fixes. What to walk towards is
written in GOALS, for games in which points alone do not show the way.

    python benchmarks/find_wins.py            all levels whose win is lost
    python benchmarks/find_wins.py zelda 3    one level, whatever is kept
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from ludex.arena.match.runner import play_match
from ludex.core import Rng
from ludex.worlds.vgdl.tools.wins import Win, played, wins, write_inputs
from ludex.worlds.vgdl.world import GAMES, Vgdl, games

Cell = tuple[int, int]

LEVELS = 5
SEEDS = range(1, 7)
PLANNERS = ("open_loop_mcts", "olets")
BUDGET = "1000calls"
WIDTH = 40
PATIENCE_S = 300.0
TOGETHER = ("two_thieves", "fire_brigade")

# What to get near to; the first word of a line with anything left counts. Types after a bar are
# walls to walk around. `held:N` before a word: only until the avatar holds N of the resource.
GOALS = {
    "boulderdash": "gem:9 gem, hatch | wall boulder",
    "butterflies": "monarch azure | wall",
    "chase": "scared | wall",
    "frogs": "lily | wall",
    "pacman": "pellet | wall",
    "run": "gate | wall",
    "zelda": "key:1 key, door | wall",
    "chopper": "bombs:3 crate, slow fast |",
    "defender": "rounds:3 supply, lazy keen |",
    "missilecommand": "slow fast |",
    "fire_brigade": "bucket:1 pond, blaze | wall home",
}
COUNTED, NEAR, SCORE, HEALTH, NOISE = 30.0, 0.5, 2.0, 3.0, 1.5  # weights of the beam's values


class Guide:
    """Values a state by what is left to reach, how far it is, points and health."""

    def __init__(self, world: Vgdl, seed: int) -> None:
        self.world = world
        self.names = [sprite.name for sprite in world.definition.types]
        text, _, walls = GOALS.get(world.game, "").partition("|")
        self.stages = [stage.split() for stage in text.split(",") if stage.strip()]
        self.walls = set(walls.split())
        self.noise = random.Random(seed)
        self.fields: dict[Any, dict[Cell, int]] = {}

    def __call__(self, state: Any) -> float:
        level = self.world.model.level
        cells: dict[str, list[Cell]] = {}
        for kind, _, x, y, *_ in level.sprites(state):
            cells.setdefault(self.names[kind], []).append((x // level.block, y // level.block))
        value = SCORE * sum(state.scores) + NOISE * self.noise.random()
        for seat in range(self.world.definition.players):
            found = level.avatar(state, seat)
            if found is None:
                continue
            value += HEALTH * min(found[6], 12)
            here = (found[1] // level.block, found[2] // level.block)
            value -= self.way_to_go(cells, here, found[9])
        return value

    def way_to_go(self, cells: dict[str, list[Cell]], here: Cell, held: dict[int, int]) -> float:
        for number, stage in enumerate(self.stages):
            words = list(stage)
            if ":" in words[0]:
                name, _, enough = words.pop(0).partition(":")
                if held.get(self.names.index(name), 0) >= int(enough):
                    continue
            targets = [cell for word in words for cell in cells.get(word, ())]
            if not targets:
                continue
            walls = frozenset(cell for name in self.walls for cell in cells.get(name, ()))
            far = self.field(frozenset(targets), walls - set(targets)).get(here, 200)
            return COUNTED * (len(targets) + 20 * (len(self.stages) - number)) + NEAR * far
        return 0.0

    def field(self, targets: frozenset[Cell], walls: frozenset[Cell]) -> dict[Cell, int]:
        """The steps from every cell to the nearest target."""
        if (targets, walls) in self.fields:
            return self.fields[targets, walls]
        if len(self.fields) > 2000:
            self.fields.clear()
        level = self.world.model.level
        found = dict.fromkeys(targets, 0)
        queue = deque(targets)
        while queue:
            x, y = queue.popleft()
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                inside = 0 <= cell[0] < level.width and 0 <= cell[1] < level.height
                if inside and cell not in walls and cell not in found:
                    found[cell] = found[x, y] + 1
                    queue.append(cell)
        self.fields[targets, walls] = found
        return found


def by_beam(world: Vgdl, seed: int) -> list[Any] | None:
    """Keep the best states of every tick; the streams are those the game will draw from."""
    model, rng, guide = world.model, Rng(seed), Guide(world, seed)
    nodes: list[tuple[Any, Any]] = [(world.start(rng.fork("start")), None)]
    end = time.monotonic() + PATIENCE_S
    for tick in range(2000):
        reached: dict[Any, tuple[Any, Any]] = {}
        for state, path in nodes:
            for actions in product(*(model.legal(state, seat) for seat in model.to_act(state))):
                after = model.step(state, actions, rng.fork("step", tick))
                if not model.over(after):
                    key = model.key(after, ignore=("ids",))
                    reached.setdefault(key, (after, (actions, path)))
                elif is_won(world, model.outcome(after).winners):
                    return list(unrolled((actions, path)))[::-1]
        best = sorted(reached.values(), key=lambda one: -guide(one[0]))
        nodes = best[:WIDTH]
        if not nodes or time.monotonic() > end:
            return None
    return None


def unrolled(path: Any) -> Iterator[Any]:
    while path is not None:
        actions, path = path
        yield actions


def by_planner(planner: str) -> Callable[[Vgdl, int], list[Any] | None]:
    def find(world: Vgdl, seed: int) -> list[Any] | None:
        others = [planner if world.game in TOGETHER else "uniform"] * (world.traits.seats - 1)
        result = play_match(world, [planner, *others], seed=seed, budget=BUDGET)
        if not is_won(world, result.winners):
            return None
        texts = [moment.actions for moment in result.record.moments if moment.actions]
        actions = {world.action_text(action): action for action in range(6)}
        return [tuple(actions[one] for one in tick) for tick in texts]

    return find


def is_won(world: Vgdl, winners: tuple[int, ...]) -> bool:
    return winners == ((0, 1) if world.game in TOGETHER else (0,))


def still_wins(world: Vgdl, win: Win) -> bool:
    try:
        *_, last = played(world, win)
    except Exception:  # over too early
        return False
    outcome = world.model.outcome(last)
    return outcome is not None and is_won(world, outcome.winners)


def found(world: Vgdl) -> Win | None:
    ways = [by_planner(planner) for planner in PLANNERS] + [by_beam]
    if world.game in GOALS:
        ways.reverse()
    for way in ways:
        for seed in SEEDS:
            inputs = way(world, seed)
            if inputs is not None:
                return Win(world.level, seed, tuple(inputs))
    return None


def main(names: list[str]) -> int:
    chosen = [names[0]] if names else [name for name, _ in games()]
    lost = 0
    for name in chosen:
        kept = {win.level: win for win in wins(name)}
        for level in [int(names[1])] if len(names) > 1 else range(LEVELS):
            world = Vgdl(game=name, level=level)
            if len(names) < 2 and level in kept and still_wins(world, kept[level]):
                continue
            win = found(world)
            print(name, level, f"{len(win.inputs)} ticks" if win else "not found", flush=True)
            lost += win is None
            if win is not None:
                kept[level] = win
        rows = [kept[level] for level in range(LEVELS) if level in kept]
        lines = (json.dumps({"seed": w.seed, "inputs": write_inputs(w.inputs)}) for w in rows)
        (GAMES / name / "wins.json").write_text("[\n " + ",\n ".join(lines) + "\n]\n")
    return lost


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
