"""Keys that are answered at once, also while agents think: a thread reads them."""

from __future__ import annotations

import contextlib
import os
import select
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from ludex.terminal.terminal import Terminal

LOOK_S = 0.2  # how often it looks at the size of the terminal


class KeyReader:
    """Hands keys to whoever waits for them, and else to `answer`.

    Args:
        terminal: Where keys come from.
        answer: Called with keys, and every now and then with none, while nobody waits. It holds
            `lock`, which whoever draws on the terminal holds, too.
    """

    def __init__(self, terminal: Terminal, answer: Callable[[list[str]], None]) -> None:
        self.terminal = terminal
        self.answer = answer
        self.lock = threading.RLock()
        self.is_awaited = False
        self.queue: SimpleQueue[str] = SimpleQueue()
        self.stop_from, self.stop_to = os.pipe()
        self.thread = threading.Thread(target=self.run, name="keys", daemon=True)
        self.thread.start()

    def run(self) -> None:
        keyboard = self.terminal.keys_from.fileno()
        while True:
            ready = select.select([keyboard, self.stop_from], [], [], LOOK_S)[0]
            if self.stop_from in ready:
                return
            keys = self.terminal.keys(0.0) if keyboard in ready else []
            with self.lock:
                if self.is_awaited or "ctrl-c" in keys:
                    for key in keys:
                        self.queue.put(key)
                else:
                    self.answer(keys)
            if "ctrl-c" in keys:  # whoever typed has gone
                return

    def wait(self) -> None:
        """From now on keys are for `keys`."""
        with self.lock:
            self.is_awaited = True

    def go_on(self) -> list[str]:
        """From now on keys are answered; returns those that came last."""
        with self.lock:
            self.is_awaited = False
            return self.keys(0.0)

    def keys(self, seconds: float) -> list[str]:
        """The keys pressed within a time; returns as soon as there is one."""
        found: list[str] = []
        with contextlib.suppress(Empty):
            if seconds > 0:
                found.append(self.queue.get(timeout=seconds))
            while True:
                found.append(self.queue.get_nowait())
        return found

    def close(self) -> None:
        os.write(self.stop_to, b".")
        self.thread.join()
        os.close(self.stop_from)
        os.close(self.stop_to)
