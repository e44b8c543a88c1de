"""Agents that try to foresee the dice of pig; loaded as `foreseeing_agents.py:Class`.

They hold when the next roll is a 1, as far as they can tell, and fall back to holding at 20.
"""

from ludex.arena.study.tournament import match_seed
from ludex.core import Rng

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
FORK_SALT = 0xA0761D6478BD642F
NAME_SALT = 0xE7037ED1A0B428DB
FACES = [1 / 6] * 6
HOLD_AT = 20


def mix(x):
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def unmix(x):
    """The inverse of `mix`: shifts are undone bit by bit, factors by their inverses."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        undone = x
        for _ in range(64 // shift):
            undone = x ^ (undone >> shift)
        x = undone * pow(factor, -1, 2**64) & MASK
    return x


def part_of(name):
    if isinstance(name, int):
        return name
    hashed = 0xCBF29CE484222325
    for byte in name.encode():
        hashed = (hashed ^ byte) * 0x100000001B3 & MASK
    return mix(hashed ^ NAME_SALT)


def unfork(key, *names):
    """The key of the stream that `fork(*names)` was called on."""
    for name in reversed(names):
        key = (unmix(unmix(key) ^ mix((part_of(name) + GOLDEN) & MASK)) - FORK_SALT) & MASK
    return key


class ForeseeingMind:
    """Holds before a 1 when it knows the stream that the dice are drawn from."""

    def __init__(self):
        self.rolled = []

    def observe(self, event):
        if event.kind == "chance":
            self.rolled.append(event.detail)

    def finish(self, view, outcome):
        pass

    def decide(self, view, budget, rng):
        from ludex.core import Decision

        state = view.state
        dice = self.dice(rng)
        if dice is None:
            hold = state.total >= HOLD_AT
        else:
            hold = foretold(dice, len(self.rolled)) == 1
        return Decision(action="hold" if hold and "hold" in view.legal else "roll")


def foretold(dice, number):
    return dice.fork("chance", number).weighted(FACES) + 1


class Inverts:
    """Computes the match's key back from the stream that it was given."""

    def start(self, model, view, budget, rng):
        mind = ForeseeingMind()
        match = Rng.from_text(f"{unfork(rng.key, 'seat', view.seat, 'setup'):x}:0")
        mind.dice = lambda rng: match
        return mind


class GuessesTheSeed:
    """Tries all small seeds against the dice that were seen."""

    def start(self, model, view, budget, rng):
        mind = ForeseeingMind()
        games = [(seed, Rng(seed)) for seed in range(300)]
        games += [(index, Rng(match_seed(0, index))) for index in range(300)]
        left = [stream for _, stream in games]

        def dice(rng):
            nonlocal left
            rolled = mind.rolled
            left = [one for one in left if all_rolled(one, rolled)]
            return left[0] if len(left) == 1 and len(rolled) >= 4 else None

        mind.dice = dice
        return mind


def all_rolled(stream, rolled):
    return all(foretold(stream, number) == face for number, face in enumerate(rolled))
