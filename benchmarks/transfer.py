"""How well a model with the library of other games predicts, beside one that learns alone.

    python benchmarks/transfer.py LIBRARY [--seeds 8] [--steps 10 50 200 1000] [GAME ...]

LIBRARY is a folder for the models of all games, which are fitted to 1,000 random steps each if they
are not there yet. Every game then learns with the models of the others, and is tested on 200 new
steps. Printed are the mean shares of changed objects that are predicted right, and their difference
with its 95 % interval over seeds (Student's t; none for fewer than six seeds).
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import numpy as np

from ludex.core import Rng, registry
from ludex.experiments.estimates import mean_value
from ludex.models.learned.explain.accuracy import ANY
from ludex.models.learned.explain.object_accuracy import checked_objects, share_of_changed_objects
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.training.files import save
from ludex.models.learned.training.transitions import Transition, random_play
from ludex.models.learned.transfer import Transfer

GAMES = ("sokoban", "chase", "zelda", "butterflies", "aliens", "frogs", "pacman", "boulderdash")
STORED, FRESH, RESTART = 1000, 200, 300
OF_LIBRARY = 100  # the seed of its random play, which no other is


def play(game: str, steps: int, seed: int) -> list[Transition]:
    """Random play of a game of ours."""
    world = registry.world(f"vgdl/{game}")
    view = world.model.view(world.start(Rng(seed).fork("start")), 0)
    return list(random_play(world.model, view, steps, Rng(seed), RESTART))


def fit_library(folder: Path, games: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        path = folder / f"{game}.model"
        if not path.exists():
            learner = ObjectBased(score="none", ending=False)
            save(learner.fit(play(game, STORED, OF_LIBRARY)), path, [f"vgdl/{game}"])


def accuracy(learner: ObjectBased, fresh: list[Transition]) -> float:
    return share_of_changed_objects(list(checked_objects(learner.model(ANY), fresh)))


def measure(game: str, library: Path, steps: list[int], seeds: int) -> None:
    found: dict[int, list[tuple[float, float, int]]] = {number: [] for number in steps}
    for seed in range(seeds):
        seen, fresh = play(game, max(steps), seed), play(game, FRESH, 1000 + seed)
        for number in steps:
            alone = ObjectBased(score="none", ending=False).fit(seen[:number])
            helped = Transfer(library=str(library), score="none", ending=False).fit(seen[:number])
            borrowed = helped.told()["borrowed"]
            found[number].append((accuracy(alone, fresh), accuracy(helped, fresh), borrowed))
    for number, rows in found.items():
        apart = mean_value([helped - alone for alone, helped, _ in rows])
        own, other = (np.mean([row[place] for row in rows]) for place in (0, 1))
        taken = np.mean([row[2] for row in rows])
        line = f"{own:.2f} | {other:.2f} | {apart} | {taken:.1f}"
        print(f"| `vgdl/{game}` | {number:,} | {line} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--steps", type=int, nargs="+", default=[10, 50, 200, 1000])
    parser.add_argument("--seeds", type=int, default=8)
    asked = parser.parse_args()
    fit_library(asked.library, list(GAMES))
    for game in asked.games:
        with tempfile.TemporaryDirectory() as folder:
            for path in asked.library.glob("*.model"):
                if path.stem != game:
                    shutil.copy(path, folder)
            measure(game, Path(folder), asked.steps, asked.seeds)


if __name__ == "__main__":
    main()
