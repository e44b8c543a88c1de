"""Play every world at random for a long time, and every native world under sanitizers.

    python benchmarks/soak.py --minutes 30 --walks build/sanitize --notes .make/soak.json

Each piece of work has a number that becomes its seed; the notes hold how far each world has
come, so the next soak goes on with seeds that were never tried. A failure names world and seed.
"""

from __future__ import annotations

import argparse
import json
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from ludex.core import Meter, Rng, registry

WALK_SECONDS = 10
GAMES = 20
LONGEST = 2000


def play_at_random(name: str, seed: int) -> int:
    """Play one game, checking what must hold of every state; return its ticks."""
    world = registry.world(name)
    model: Any = world.model.metered(Meter())
    rng = Rng(seed).fork("soak", name)
    state = world.start(rng)
    for tick in range(LONGEST):
        model.settle(state, rng)
        text = str(state)
        assert world.parse(text) == state, f"{text!r} is not read back"
        assert pickle.loads(pickle.dumps(state)) == state, f"{text!r} is not pickled"
        assert hash(state) == hash(state.copy())
        seats = model.to_act(state)
        if not seats:
            assert model.outcome(state) is not None, f"nobody acts in {text!r}, which is not over"
            return tick
        for seat in seats:
            view = model.view(state, seat)
            assert tuple(view.legal) == tuple(model.legal(state, seat))
            assert model.default_action(state, seat) in view.legal
        joint = tuple(rng.choice(list(model.legal(state, seat))) for seat in seats)
        after = world.step(state, joint, rng.copy())
        assert str(state) == text, f"step changed {text!r}"
        assert model.step(state, joint, rng) == after
        state = after
    return LONGEST


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--walks", type=Path, help="a folder of built walk_* programs")
    parser.add_argument("--notes", type=Path, default=Path(".make/soak.json"))
    options = parser.parse_args()
    notes: dict[str, int] = {}
    if options.notes.exists():
        notes = json.loads(options.notes.read_text())
    walks = []
    if options.walks:
        files = sorted(options.walks.rglob("walk_*"))
        walks = [file for file in files if file.is_file() and not file.suffix]
    worlds = registry.names("worlds")
    end = time.monotonic() + 60 * options.minutes
    ticks = 0
    try:
        while time.monotonic() < end:
            for walk in walks:
                seed = notes.get(walk.name, 0) + 1
                command = [str(walk), str(WALK_SECONDS), str(seed)]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    sys.exit(f"{walk.name} failed with seed {seed}:\n{done.stderr}")
                notes[walk.name] = seed
            for name in worlds:
                for _ in range(GAMES):
                    seed = notes.get(name, 0) + 1
                    try:
                        ticks += play_at_random(name, seed)
                    except Exception:
                        print(f"{name} failed with seed {seed}", file=sys.stderr)
                        raise
                    notes[name] = seed
            options.notes.parent.mkdir(parents=True, exist_ok=True)
            options.notes.write_text(json.dumps(notes, indent=1))
            done_so_far = ", ".join(f"{name} {count}" for name, count in notes.items())
            print(f"{ticks} ticks so far; {done_so_far}", flush=True)
    except KeyboardInterrupt:
        print("stopped; the next soak goes on from here")


if __name__ == "__main__":
    main()
