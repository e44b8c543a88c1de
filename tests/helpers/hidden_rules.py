"""What an agent gets that has to learn the rules, and how it plays."""

from __future__ import annotations

from tile_games import TRAITS

from ludex.core import Budget, Meter, Rng

CALLS = Budget(model_calls=60)


class NoRules:
    """What an agent gets where it is told nothing: traits and a meter."""

    def __init__(self, traits=TRAITS):
        self.traits = traits
        self.meter = Meter()

    def __getattr__(self, name):
        raise AssertionError(f"a learning agent asked the rules for {name}")


def played(mind, game, ticks, seed=0):
    decisions = []
    for tick in range(ticks):
        decision = mind.decide(game.view(), CALLS, Rng(seed).fork("tick", tick))
        decisions.append(decision)
        game.act(decision.action)
    return decisions
