"""Snapshots of values: pickles, and all objects that can be reached through a value."""

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


def pickled(value: Any) -> bytes:
    """Pickle by value: which equal parts are the same object does not show in the bytes."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=5)
    pickler.fast = True
    dump(pickler, value)
    return buffer.getvalue()


def dump(pickler: pickle.Pickler, value: Any) -> None:
    try:
        pickler.dump(value)
    except Exception as error:
        fail(f"{shown(value)} cannot be pickled: {error}")


class Scanner(pickle.Pickler):
    """A pickler that only collects the objects it visits."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), protocol=5)
        self.met: list[Any] = []

    def persistent_id(self, value: Any) -> None:
        self.met.append(value)


def reachable(value: Any) -> list[Any]:
    """List every object that pickling `value` visits."""
    scanner = Scanner()
    dump(scanner, value)
    return scanner.met


def held_by(value: Any) -> list[Any]:
    """List what an object's attributes lead to, as far as it can be pickled."""
    met: list[Any] = []
    for part in getattr(value, "__dict__", {}).values():
        scanner = Scanner()
        with contextlib.suppress(Exception):  # what cannot be pickled was met all the same
            scanner.dump(part)
        met += scanner.met
    return met


def reload(value: Any) -> Any:
    return pickle.loads(pickled(value))


@contextlib.contextmanager
def other_global_dice(seed: int) -> Iterator[None]:
    """Seed the global generators, which no part may use, and restore them afterwards."""
    kept, kept_numpy = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(kept)
        np.random.set_state(kept_numpy)
