"""Objects from pixels: how well they are found, tracked and predicted, and what that costs.

    python benchmarks/pixels.py vgdl/sokoban vgdl/aliens --steps 300

Every game is learned from random play: by `pixel_objects` with unknown and with known sprites, and
by `object_based`, which is told the objects. New random play is then read and predicted.
"""

from __future__ import annotations

import argparse
import json
from time import process_time

from ludex.core import Rng, registry
from ludex.core.errors import LudexError
from ludex.core.pixels import pixels_of
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.pixel_objects import PixelObjects
from ludex.models.learned.pixels.accuracy import PixelAccuracy
from ludex.models.learned.pixels.tracking import Tracker
from ludex.models.learned.training import Transition, random_play

RESTART = 300
PREDICTED = ("changed_things", "states", "gains")


def play(game: str, steps: int, seed: int) -> list[Transition]:
    world = registry.world(game)
    view = world.model.view(world.start(Rng(seed).fork("start")), 0)
    return list(random_play(world.model, view, steps, Rng(seed), RESTART))


def ground_kinds(steps: list[Transition]) -> list[str]:
    """Kinds that lie below the avatar in the first view."""
    listed = steps[0].before.view.as_objects()
    own = listed.objects[listed.avatar]
    below = [one.kind for one in listed.objects if (one.x, one.y) == (own.x, own.y)]
    return [listed.kinds[kind] for kind in below if kind != own.kind]


def reading(learner: PixelObjects, steps: list[Transition], ignore: list[str]) -> dict[str, float]:
    """Precision, recall, tracks, and milliseconds for reading a picture."""
    accuracy, used = PixelAccuracy(), 0.0
    tracker, last = Tracker(0.0), None
    for one in steps:
        pixels = pixels_of(one.after.view)
        assert pixels is not None
        tracker.reach = learner.stride * pixels.size[2]
        begun = process_time()
        objects = learner.sight_.objects(learner.sight_.keep(pixels))
        ids = tracker.follow(objects) if one.before == last else tracker.begin(objects)
        used += process_time() - begun
        accuracy.watch(objects, ids, one.after.view.as_objects(), pixels.size[2])
        last = one.after
    names = dict(enumerate(learner.sight_.names)) if learner.sprites == "known" else None
    found = accuracy.report(names, ignore)
    return {**found, "ms": 1000 * used / len(steps)}


def measured(game: str, steps: int) -> dict[str, dict[str, float]]:
    """The figures of a game, by learner."""
    seen, fresh = play(game, steps, 1), play(game, steps // 2, 2)
    ignore = ground_kinds(seen)
    found: dict[str, dict[str, float]] = {}
    for sprites in ("unknown", "known"):
        try:
            learner = PixelObjects(sprites=sprites).fit(seen)
        except LudexError as error:
            print(f"{game}, {sprites} sprites: {error}")
            continue
        found[sprites] = reading(learner, fresh, ignore) | predicted(learner, fresh)
    found["told"] = predicted(ObjectBased().fit(seen), fresh)
    return found


def predicted(learner: ObjectBased, fresh: list[Transition]) -> dict[str, float]:
    accuracy = learner.accuracy(fresh)
    return {name: accuracy[name] for name in PREDICTED}


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("games", nargs="+")
    reader.add_argument("--steps", type=int, default=300, help="random moves to learn from")
    reader.add_argument("--json", action="store_true")
    said = reader.parse_args()
    everything = {game: measured(game, said.steps) for game in said.games}
    if said.json:
        print(json.dumps(everything, indent=2))
        return
    for game, rows in everything.items():
        for learner, figures in rows.items():
            shown = " ".join(f"{name} {value:.3f}" for name, value in figures.items())
            print(f"{game:18} {learner:8} {shown}")


if __name__ == "__main__":
    main()
