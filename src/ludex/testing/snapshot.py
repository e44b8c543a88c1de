"""Looking at values from outside: pickles, and everything that can be reached through one."""

from __future__ import annotations

import contextlib
import io
import pickle
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from ludex.core.parameters import Parameters
from ludex.core.python_model import PythonModel
from ludex.core.rng import Meter, Rng
from ludex.testing.failure import fail, shown

STREAMS = (Rng, random.Random, np.random.Generator, np.random.RandomState)
MACHINERY = (Meter, Parameters, PythonModel)


def pickled(thing: Any) -> bytes:
    """Pickle by value: which equal parts are the same object does not show in the bytes."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=5)
    pickler.fast = True
    dump(pickler, thing)
    return buffer.getvalue()


def dump(pickler: pickle.Pickler, thing: Any) -> None:
    try:
        pickler.dump(thing)
    except Exception as error:
        fail(f"{shown(thing)} cannot be pickled: {error}")


class Scanner(pickle.Pickler):
    """A pickler that only notes what it meets."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), protocol=5)
        self.met: list[Any] = []

    def persistent_id(self, thing: Any) -> None:
        self.met.append(thing)


def reachable(thing: Any) -> list[Any]:
    """List every object that pickling `thing` meets."""
    scanner = Scanner()
    dump(scanner, thing)
    return scanner.met


def held_by(thing: Any) -> list[Any]:
    """List what an object's attributes lead to, as far as it can be pickled."""
    met: list[Any] = []
    for value in getattr(thing, "__dict__", {}).values():
        scanner = Scanner()
        with contextlib.suppress(Exception):  # what cannot be pickled was met all the same
            scanner.dump(value)
        met += scanner.met
    return met


def reload(thing: Any) -> Any:
    return pickle.loads(pickled(thing))


@contextlib.contextmanager
def other_global_dice(seed: int) -> Iterator[None]:
    """Seed the process-wide generators, which nothing of ours may use, and put them back."""
    kept, kept_numpy = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(kept)
        np.random.set_state(kept_numpy)
