"""What the exercises share: games with fixed seeds, and a table of how they went."""

import argparse

import ludex
from ludex.arena.match.rules import MatchRules

BUDGET = "100calls"  # of the model in each decision: the same on every machine, unlike "40ms"
SEED = 1


def arguments(about, games, **more):
    """Read the command line; `more` are other words, with their defaults."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--games", type=positive, default=games, help="games of each kind")
    for name, default in more.items():
        parser.add_argument(f"--{name}", default=default)
    return parser.parse_args()


def positive(text):
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"needs a whole number from 1, got {text!r}")
    return int(text)


def play(world, agent, games, budget=BUDGET, most_ticks=200):
    """Play games that differ in their seeds alone; every agent meets the same seeds."""
    rules = MatchRules(max_ticks=most_ticks)
    try:
        series = ludex.play(world, [agent], games=games, seed=SEED, budget=budget, rules=rules)
    except ludex.LudexError as error:  # no such game or level, another number of seats
        raise SystemExit(str(error)) from None
    for match in series:
        for fault in match.faults:  # a mistake in an agent loses its game; here it ends all
            raise SystemExit(f"{world}, tick {fault.tick}: {fault.message}")
    return list(series)


def compare(agents, worlds, games, **rest):
    """Print a line for each agent, given by its name, in each of the worlds."""
    print(f"{'game':<20}{'agent':<28}{'won':>7}{'score':>8}{'ticks':>7}")
    for world in worlds:
        for name, agent in agents.items():
            print(f"{world:<20}{name:<28}{summary(play(world, agent, games, **rest))}")


def summary(matches):
    """Games won, mean score and mean ticks, as a part of a line."""
    count = len(matches)
    won = sum(0 in match.winners for match in matches)
    score = sum(match.scores[0] for match in matches) / count
    ticks = sum(match.ticks for match in matches) / count
    return f"{f'{won}/{count}':>7}{score:>8.1f}{ticks:>7.0f}"
