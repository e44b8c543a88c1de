"""Agents that do wrong, each in its own way; loaded as `hostile_agents.py:Class`."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from ludex.core import Decision
from ludex.core.errors import Unsupported

FIRST = 0  # legal actions are taken from the front


class Sound:
    def decide(self, model, view, budget, rng):
        return view.legal[FIRST]


class Random:
    def decide(self, model, view, budget, rng):
        return rng.choice(view.legal)


class Loops:
    def decide(self, model, view, budget, rng):
        while True:
            pass


class Sleeps:
    def decide(self, model, view, budget, rng):
        time.sleep(3600)


class HangsInNative:
    """Never returns from a call that holds the interpreter lock, so no thread can help."""

    def decide(self, model, view, budget, rng):
        ctypes.PyDLL(None).pause()


class LoopsAtStart:
    def start(self, model, view, budget, rng):
        while True:
            pass


class LoopsWhenObserving:
    def decide(self, model, view, budget, rng):
        return view.legal[FIRST]

    def observe(self, event):
        while True:
            pass


class Raises:
    def decide(self, model, view, budget, rng):
        raise ValueError("no idea")


class RaisesAtStart:
    def start(self, model, view, budget, rng):
        raise ValueError("no idea")


class RaisesAtTheEnd:
    def decide(self, model, view, budget, rng):
        return view.legal[FIRST]

    def finish(self, view, outcome):
        raise ValueError("sore loser")


class Exits:
    def decide(self, model, view, budget, rng):
        sys.exit(3)


class Interrupts:
    def decide(self, model, view, budget, rng):
        raise KeyboardInterrupt


class ExitsAtOnce:
    def decide(self, model, view, budget, rng):
        os._exit(3)


class Segfaults:
    def decide(self, model, view, budget, rng):
        ctypes.string_at(0)


class KillsItself:
    def decide(self, model, view, budget, rng):
        os.kill(os.getpid(), signal.SIGKILL)


class AnswersNone:
    def decide(self, model, view, budget, rng):
        return None


class AnswersIllegally:
    def decide(self, model, view, budget, rng):
        return ("take", -1)


class AnswersUnhashable:
    def decide(self, model, view, budget, rng):
        return Decision(action=[1, 2])


class AnswersUnpicklable:
    def decide(self, model, view, budget, rng):
        return Decision(action=threading.Lock())


class AnswersHugely:
    def decide(self, model, view, budget, rng):
        return "x" * 50_000_000


class HugeNotes:
    """A legal action with evidence that nobody can carry."""

    def decide(self, model, view, budget, rng):
        return Decision(action=view.legal[FIRST], notes={"x": "y" * 5_000_000})


class StrangeNumbers:
    def decide(self, model, view, budget, rng):
        return Decision(action=view.legal[FIRST], iterations="many")


class NotADecision:
    """A full agent whose mind answers something else."""

    def start(self, model, view, budget, rng):
        return self

    def observe(self, event):
        pass

    def decide(self, view, budget, rng):
        return 7

    def finish(self, view, outcome):
        pass


class EqualToEverything:
    """Its comparison runs code of the agent."""

    def __eq__(self, other):
        raise RuntimeError("compared")

    __hash__ = None

    def decide(self, model, view, budget, rng):
        return Decision(action=self)


class WritesIntoTheWire:
    """Writes garbage to every file it can find, as if it were an answer."""

    def decide(self, model, view, budget, rng):
        for number in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(number, b"\xff" * 4096)
        return view.legal[FIRST]


class ClosesTheWire:
    def decide(self, model, view, budget, rng):
        os.closerange(3, 64)
        time.sleep(3600)


class Prints:
    def decide(self, model, view, budget, rng):
        print("{not json")
        os.write(1, b"noise\n")
        subprocess.run(["echo", "more noise"], check=False)
        return view.legal[FIRST]


class LeavesAThread:
    def decide(self, model, view, budget, rng):
        threading.Thread(target=time.sleep, args=(3600,)).start()
        return view.legal[FIRST]


class Refuses:
    def start(self, model, view, budget, rng):
        raise Unsupported("refuses nim; use something else")


class RefusesLater:
    def decide(self, model, view, budget, rng):
        raise Unsupported("refuses to decide; use something else")


class CallsTooMuch:
    """Takes a fresh budget in the middle of a decision."""

    def decide(self, model, view, budget, rng):
        state = model.imagine(view, rng)
        model.meter.arm()
        for _ in range(50):
            model.step(state, (view.legal[FIRST],), rng)
        return view.legal[FIRST]


class HidesItsCalls:
    """Arms its meter again at the end, so that its count starts anew."""

    def decide(self, model, view, budget, rng):
        state = model.imagine(view, rng)
        model.meter.arm()
        for _ in range(50):
            model.step(state, (view.legal[FIRST],), rng)
        model.meter.arm()
        return view.legal[FIRST]


class CountsTooMuch:
    def decide(self, model, view, budget, rng):
        return Decision(action=view.legal[FIRST], iterations=21)


class LetsTheBudgetEscape:
    def decide(self, model, view, budget, rng):
        state = model.imagine(view, rng)
        while True:
            model.step(state, (view.legal[FIRST],), rng)


class Burns:
    """Uses a fixed amount of CPU time."""

    def __init__(self, ms=50.0):
        self.ms = ms

    def decide(self, model, view, budget, rng):
        end = time.process_time() + self.ms / 1000
        while time.process_time() < end:
            pass
        return view.legal[FIRST]


class Naps:
    """Uses wall time but no CPU time."""

    def decide(self, model, view, budget, rng):
        time.sleep(0.06)
        return view.legal[FIRST]


class TellsItsProcess:
    """Writes its process number to a file."""

    def __init__(self, path):
        self.path = path

    def decide(self, model, view, budget, rng):
        with Path(self.path).open("a") as file:
            file.write(f"{os.getpid()}\n")
        return view.legal[FIRST]


class ThinksWhenShown:
    """Burns a tenth of a second when it is asked what it thought."""

    def decide(self, model, view, budget, rng):
        return Decision(action=view.legal[FIRST], thoughts=self.thoughts)

    def thoughts(self):
        burn(0.1)
        time.sleep(0.3)
        return {"note": "I thought"}


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class RefusesInTheMiddle:
    def __init__(self):
        self.asked = 0

    def decide(self, model, view, budget, rng):
        self.asked += 1
        if self.asked > 1:
            raise Unsupported("refuses to go on; use something else")
        return view.legal[FIRST]


class LeavesAChild:
    """Starts a process in a session of its own, and sleeps."""

    def decide(self, model, view, budget, rng):
        subprocess.Popen(["sleep", "3600"], start_new_session=True)
        time.sleep(3600)
