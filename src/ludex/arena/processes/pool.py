"""A pool of worker processes that survives the death of its workers."""

from __future__ import annotations

import pickle
import select
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ludex.arena.processes.children import Child
from ludex.arena.processes.wire import WireBroken, receive, send
from ludex.core.errors import LudexError

MOST_STARTS = 5  # of a worker that dies before it gets anything to do


@dataclass(frozen=True, slots=True)
class Death:
    """What comes back instead of an answer when a worker dies."""

    how: str


class Pool:
    """A number of workers; each has one task at a time. Use it as a context manager."""

    def __init__(self, workers: int) -> None:
        self.busy: dict[Child, Any] = {}
        self.idle = [Child("worker") for _ in range(workers)]

    @property
    def has_room(self) -> bool:
        return bool(self.idle)

    @property
    def is_busy(self) -> bool:
        return bool(self.busy)

    def give(self, task: Any, function: Callable[..., Any], **arguments: Any) -> None:
        """Have a worker call a function; `task` comes back with what it returns."""
        content = pickle.dumps((function, arguments))
        for _ in range(MOST_STARTS):
            child = self.idle.pop()
            try:
                child.boot()
                send(child.wire, content)
            except (WireBroken, LudexError) as error:
                child.end()
                reason = error
                self.idle.append(Child("worker"))
            else:
                self.busy[child] = task
                return
        raise LudexError(f"cannot start a worker: {reason}")

    def take(self) -> list[tuple[Any, Any]]:
        """Wait until something is finished; errors that a function raised are raised here.

        Returns pairs of a task and its answer, or its Death.
        """
        ready, _, _ = select.select([child.wire for child in self.busy], [], [])
        done: list[tuple[Any, Any]] = []
        for child in [child for child in self.busy if child.wire in ready]:
            task = self.busy.pop(child)
            try:
                content = receive(child.wire)
            except WireBroken:
                self.idle.append(Child("worker"))
                done.append((task, Death(child.end(dying=True))))
            else:
                self.idle.append(child)
                done.append((task, answer_of(content)))
        return done

    def close(self) -> None:
        """End all workers, whatever they do."""
        for child in [*self.idle, *self.busy]:
            child.end()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def answer_of(content: bytes) -> Any:
    word, answer = pickle.loads(content)
    if word == "refused":
        raise answer
    if word == "failed":
        raise LudexError(f"a worker failed: {answer}")
    return answer


AHEAD = 4  # tasks per worker that may wait for an earlier one to end
Call: TypeAlias = tuple[Callable[..., Any], dict[str, Any]]


def in_order(call: Callable[[int, bool], Call], tasks: range, workers: int) -> Iterator[Any]:
    """Have workers do numbered tasks, and yield their answers in order.

    Args:
        call: Makes the function and arguments of a task; told whether it has killed a worker.
        tasks: The numbers of the tasks.
        workers: How many are done at the same time.
    """
    waiting = list(reversed(tasks))
    again: set[int] = set()
    done: dict[int, Any] = {}
    due = tasks.start
    with Pool(workers) as pool:
        while due < tasks.stop:
            while pool.has_room and waiting and waiting[-1] < due + AHEAD * workers:
                number = waiting.pop()
                function, arguments = call(number, number in again)
                pool.give(number, function, **arguments)
            for number, answer in pool.take():
                if not isinstance(answer, Death):
                    done[number] = answer
                elif number in again:
                    raise LudexError(f"match {number} was given up twice: {answer.how}")
                else:
                    again.add(number)
                    waiting.append(number)
            while due in done:
                yield done.pop(due)
                due += 1
