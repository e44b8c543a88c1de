"""Agents whose own code fails, each in another moment of a match."""

import ctypes
import time

from ludex.core import Decision


class Decides:
    def decide(self, model, view, budget, rng):
        return pick(view.legal)


def pick(legal):
    return legal[99]


class Starts:
    def start(self, model, view, budget, rng):
        raise RuntimeError("not today")


class Mind:
    def observe(self, event):
        pass

    def decide(self, view, budget, rng):
        return Decision(action=view.legal[0])

    def finish(self, view, outcome):
        pass


class ObservingMind(Mind):
    def observe(self, event):
        self.last = event.nowhere


class Observes:
    def start(self, model, view, budget, rng):
        return ObservingMind()


class FinishingMind(Mind):
    def finish(self, view, outcome):
        self.winner = outcome.winners[7]


class Finishes:
    def start(self, model, view, budget, rng):
        return FinishingMind()


class IsMade:
    def __init__(self):
        self.depth = 1 / 0

    def decide(self, model, view, budget, rng):
        return view.legal[0]


class Spends:
    def decide(self, model, view, budget, rng):
        while True:
            model.rollout(model.imagine(view, rng), "uniform", 10, rng)


class InALibrary:
    def decide(self, model, view, budget, rng):
        return model.step(None, (), rng)  # the error comes from the library


class Exits:
    def decide(self, model, view, budget, rng):
        raise SystemExit(3)


class Dawdles:
    def decide(self, model, view, budget, rng):
        time.sleep(1.0)
        return view.legal[0]


class Loops:
    def decide(self, model, view, budget, rng):
        best = 0
        while best < 1:
            best = min(best, 0)


class Sleeps:
    def decide(self, model, view, budget, rng):
        time.sleep(3600)


class Segfaults:
    def decide(self, model, view, budget, rng):
        return ctypes.string_at(0)
