"""Agents that try to fool the referee, each in its own way; `cheating_agents.py:Class`."""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from ludex.core import Meter, registry
from ludex.core.errors import BadParameter


def wires():
    """Every socket that this process has open."""
    for file in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if str(file.readlink()).startswith("socket:"):
                yield int(file.name)


def write_answer(number, **more):
    content = json.dumps({"number": number, "action": 0, **more}).encode()
    for wire in wires():
        os.write(wire, len(content).to_bytes(8, "big") + content)


class First:
    def decide(self, model, view, budget, rng):
        self.think(model, view, rng)
        return view.legal[0]

    def think(self, model, view, rng):
        pass


class AnswersAhead(First):
    """Answers the next question before it is asked, from a thread."""

    def think(self, model, view, rng):
        threading.Timer(0.02, write_answer, (0,)).start()
        time.sleep(0.1)


class AnswersTwice(First):
    def think(self, model, view, rng):
        write_answer(1)
        write_answer(2)


class AnswersForAnotherQuestion(First):
    def think(self, model, view, rng):
        write_answer(12345)


def seats():
    """What keeps the time of this agent, as far up as the calls to it go."""
    frame = sys._getframe()
    while frame is not None:
        if hasattr(found := frame.f_locals.get("self"), "clock"):
            yield found
        frame = frame.f_back


class StopsTheClock(First):
    """Changes every clock that Python code reads."""

    def think(self, model, view, rng):
        now = time.process_time()
        time.process_time = time.thread_time = lambda: now
        for seat in seats():
            seat.clock = lambda: now
        end = time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) + 0.1
        while time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) < end:
            pass


class ChangesItsSeat(First):
    """Gives its seat another model, whose meter has counted nothing."""

    def think(self, model, view, rng):
        search(model.metered(Meter()), view, rng)
        for seat in seats():
            seat.model = model.metered(Meter())
            seat.count = lambda: 0


BURNING = "import time\nend = time.process_time() + 0.1\nwhile time.process_time() < end: pass"


class ThinksInAChild(First):
    def think(self, model, view, rng):
        subprocess.run([sys.executable, "-c", BURNING], check=True)


class ThinksInAnOrphan(First):
    """Another process thinks that is no child of this one any more."""

    def think(self, model, view, rng):
        orphan(lambda: burn_cpu(0.15))
        time.sleep(0.4)


def burn_cpu(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def orphan(work):
    """Have a process do something whose parent is gone and whose session is its own."""
    first = os.fork()
    if first == 0:
        os.setsid()
        if os.fork() == 0:
            work()
        os._exit(0)
    os.waitpid(first, 0)


class Ponders(First):
    """Thinks while the others think."""

    def think(self, model, view, rng):
        threading.Thread(target=burn_thread, args=(0.15,), daemon=True).start()


def burn_thread(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


class Naps(First):
    def think(self, model, view, rng):
        time.sleep(0.7)


def search(model, view, rng):
    state = model.imagine(view, rng)
    for _ in range(50):
        model.step(state, (view.legal[0],), rng)


class MetersItself(First):
    def think(self, model, view, rng):
        search(model.metered(Meter()), view, rng)


class TakesTheWorld(First):
    def think(self, model, view, rng):
        search(registry.world("nim").model, view, rng)


class StepsTheWorld(First):
    def think(self, model, view, rng):
        world = registry.world("nim")
        state = model.imagine(view, rng)
        for _ in range(50):
            world.step(state, (view.legal[0],), rng)


class ForgetsItsMeter(First):
    def think(self, model, view, rng):
        for _ in range(10):
            meter = Meter()
            model = model.metered(meter)
            state = model.imagine(view, rng)
            for _ in range(5):
                model.step(state, (view.legal[0],), rng)
            meter.arm()
            del meter


class CallsItApart(First):
    def think(self, model, view, rng):
        search(model.metered(Meter(apart=True)), view, rng)


class Twins(First):
    """Searches with a planner of ours on a meter of its own."""

    def think(self, model, view, rng):
        from ludex.core import Budget
        from ludex.planners.mcts import Mcts

        Mcts().decide(model.metered(Meter()), view, Budget(iterations=200), rng)


class ThinksWithoutCalls(First):
    """Has rules of its own, so that no meter knows."""

    def think(self, model, view, rng):
        burn_cpu(0.15)


class DiesAFewTimes(First):
    def __init__(self, path, times):
        self.path = Path(path)
        self.times = times

    def think(self, model, view, rng):
        lives = self.path.read_text() if self.path.exists() else ""
        if len(lives) < self.times:
            self.path.write_text(lives + "x")
            os.kill(os.getpid(), 9)


class WithFolder(First):
    def __init__(self, path):
        self.path = Path(path)


class TakesMemory(WithFolder):
    def think(self, model, view, rng):
        self.taken = bytearray(400 * 2**20)


class TakesMemoryTogether(WithFolder):
    def think(self, model, view, rng):
        for _ in range(3):
            if os.fork() == 0:
                taken = bytearray(b"x") * (120 * 2**20)
                time.sleep(60)
                os._exit(len(taken) % 2)
        time.sleep(60)


class StartsManyProcesses(WithFolder):
    def think(self, model, view, rng):
        for _ in range(40):
            if os.fork() == 0:
                os.setsid()
                time.sleep(60)
                os._exit(0)
        time.sleep(60)


class OpensManyFiles(WithFolder):
    def think(self, model, view, rng):
        self.files = [open(os.devnull) for _ in range(100)]  # noqa: SIM115, PTH123


class WritesALongFile(WithFolder):
    def think(self, model, view, rng):
        (self.path / "long").write_bytes(b"x" * 2**22)


class PrintsAndFails(First):
    def think(self, model, view, rng):
        print("the first words \x1b[31m\x07")
        for _ in range(2000):
            print("x" * 100)
        print("the last words", file=sys.stderr)
        raise ValueError("enough")


class Prints(First):
    def think(self, model, view, rng):
        print("y" * 600)


class LeavesAChild(WithFolder):
    def think(self, model, view, rng):
        child = subprocess.Popen(["sleep", "3600"])
        (self.path / str(child.pid)).touch()


class LeavesAnOrphan(WithFolder):
    def think(self, model, view, rng):
        orphan(self.stay)
        wait_for(self.path)

    def stay(self):
        (self.path / str(os.getpid())).touch()
        time.sleep(3600)


class LeavesADaemon(WithFolder):
    """A shell starts it in a session of its own, and is gone."""

    def think(self, model, view, rng):
        subprocess.run(
            ["sh", "-c", f"setsid sh -c 'touch {self.path}/$$; exec sleep 3600' & "], check=True
        )
        wait_for(self.path)


def wait_for(folder):
    while not any(folder.iterdir()):
        time.sleep(0.005)


class FakeMeter:
    calls = calls_ever = 0
    spent = False

    def spend(self):
        pass

    count_copy = count_ignored = count_replaced = spend


class BringsItsOwnMeter(First):
    def think(self, model, view, rng):
        search(model.metered(FakeMeter()), view, rng)


class PutsAMeterIn(First):
    def think(self, model, view, rng):
        model.meter = FakeMeter()
        search(model, view, rng)


class SearchesWhenObserving(First):
    """Does its searching while it is told of the others' moves."""

    def __init__(self):
        self.model = None

    def think(self, model, view, rng):
        self.model, self.view, self.rng = model.metered(Meter()), view, rng

    def observe(self, event):
        if self.model is not None:
            search(self.model, self.view, self.rng)


class ThinksAtStart(First):
    """Stops the clock before it starts to think."""

    def start(self, model, view, budget, rng):
        StopsTheClock().think(model, view, rng)
        return self

    def observe(self, event):
        pass

    def decide(self, view, budget, rng):
        raise AssertionError("it is out by now")

    def finish(self, view, outcome):
        pass


class ThinksWhenObserving(First):
    def observe(self, event):
        StopsTheClock().think(None, None, None)


def refuse(*_arguments, **_named):
    raise BadParameter("I take no part in this")


class RefusesToFinish(First):
    """Changes its own seat so that the last question gets a refusal."""

    def decide(self, model, view, budget, rng):
        sys.modules["ludex.arena.match.seat"].LocalSeat.finish = refuse
        return view.legal[0]


class RefusesToHear(First):
    def decide(self, model, view, budget, rng):
        sys.modules["ludex.arena.match.seat"].LocalSeat.observe = refuse
        return view.legal[0]


class RefusesToBeMade(First):
    def __init__(self):
        refuse()
