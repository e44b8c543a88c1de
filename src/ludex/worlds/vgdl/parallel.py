"""The same work on many items, in order, in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_processes(
    work: Callable[[Item], Result], items: Sequence[Item], workers: int, chunk: int = 1
) -> Iterator[Result]:
    """Yield the result of each item in the order of the items; one worker is this process."""
    if workers == 1:
        yield from map(work, items)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            # Its own generator would wait for all items when a reader leaves early.
            yield from islice(pool.map(work, items, chunksize=chunk), len(items))
        finally:
            pool.shutdown(cancel_futures=True)
