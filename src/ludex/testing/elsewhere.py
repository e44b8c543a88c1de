"""Walks a world in a fresh interpreter with another hash seed, to compare with this one."""

from __future__ import annotations

import base64
import importlib
import importlib.util
import json
import os
import pickle
import subprocess
import sys
from dataclasses import fields
from typing import Any

from ludex.core.rng import Rng
from ludex.core.world import World
from ludex.testing.failure import fail
from ludex.testing.walk import walk

WALKS = 2
STATES = 60
SLOWEST_S = 100
INSIDE = "LUDEX_CHECKED_ELSEWHERE"


def lines_here(world: World) -> list[str]:
    """Describe short walks: every fingerprint, legal list, list of chance and drawing."""
    lines: list[str] = []
    model = world.model
    for seed in range(WALKS):
        for state in walk(world, seed, limit=STATES):
            seats = range(model.traits.seats)
            legal = [[world.action_text(a) for a in model.legal(state, seat)] for seat in seats]
            chance = [(world.outcome_text(outcome), p) for outcome, p in model.chance(state)]
            imagined = [str(model.imagine(model.view(state, seat), Rng(seed))) for seat in seats]
            facts = [world.fingerprint(state), legal, chance, imagined, world.draw(state)]
            lines.append(f"{state} {facts!r}")
    return lines


def lines_elsewhere(world: World) -> list[str]:
    """Do the same in a child process."""
    if os.environ.get(INSIDE):
        return lines_here(world)  # a script that runs checks was imported by the child
    kind = type(world)
    file = getattr(sys.modules[kind.__module__], "__file__", None)
    if kind.__module__ == "__main__" and file is None:
        fail(f"{kind.__name__} is defined where no other process can import it; use a file")
    options = {item.name: getattr(world, item.name) for item in fields(world)}
    order = {
        "path": sys.path,
        "module": kind.__module__,
        "file": file,
        "class": kind.__qualname__,
        "options": base64.b64encode(pickle.dumps(options)).decode(),
    }
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        input=json.dumps(order),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": seed, INSIDE: "1"},
        timeout=SLOWEST_S,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr.strip() or "no reason given").splitlines()[-1]
        fail(f"{world} cannot be made and walked in another process: {reason}")
    lines: list[str] = json.loads(done.stdout)
    return lines


def find_class(order: dict[str, Any]) -> Any:
    """Import the world's class, from its file where it is not on the path."""
    name = order["module"] if order["module"] != "__main__" else "ludex_checked_script"
    try:
        module = importlib.import_module(name)
    except ImportError:
        spec = importlib.util.spec_from_file_location(name, order["file"])
        if spec is None or spec.loader is None:
            raise
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    found: Any = module
    for part in order["class"].split("."):
        found = getattr(found, part)
    return found


def main() -> None:
    order = json.load(sys.stdin)
    answer, sys.stdout = sys.stdout, sys.stderr  # an imported script may print
    sys.path[:] = order["path"]
    world = find_class(order)(**pickle.loads(base64.b64decode(order["options"])))
    answer.write(json.dumps(lines_here(world)))


if __name__ == "__main__":
    main()
