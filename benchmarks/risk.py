"""How neutral and risk-averse search play in the same learned ensembles.

    python benchmarks/risk.py WORLD [--models 8] [--steps 300] [--games 3] [--ticks 200]

An ensemble learns from random play, anew for each model. The same games are then played by each
way of valuing actions. Printed are the games won, the mean score and the share of games in which
the agent lost before the last tick, with 95 % intervals (resampling models), and the difference to
neutral search.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from ludex.arena.match import play_match
from ludex.arena.match.rules import MatchRules
from ludex.core import Rng, registry
from ludex.models.learned.ensemble import Ensemble
from ludex.models.learned.training.files import save
from ludex.models.learned.training.transitions import random_play

ARMS = {
    "neutral": "risk=1",
    "cvar": "risk=0.25",
    "over models": "risk=0.34,over=models",
    "until confident": "risk=0.25,confident=yes",
}
SEARCH = "rollout_depth=8,depth_from=root"
MODEL = "boredom=0.1"
RESAMPLES = 2000


def play_arm(world: str, arm: str, file: Path, asked: argparse.Namespace) -> list[list[float]]:
    """Won, score and lost early, of each game."""
    agent = f"risk_averse_mcts({ARMS[arm]},{SEARCH})@ensemble(file={file},{MODEL})"
    found = []
    for seed in range(asked.games):
        rules = MatchRules(max_ticks=asked.ticks)
        result = play_match(world, [agent], seed=seed, budget=asked.budget, rules=rules)
        won = float(0 in result.winners)
        found.append([won, result.scores[0], float(result.ticks < asked.ticks and not won)])
    return found


def interval(values: np.ndarray) -> str:
    """The mean over models with its 95 % interval by resampling."""
    dice = np.random.default_rng(1)
    means = [dice.choice(values, len(values)).mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{values.mean():.2f} ({low:.2f} .. {high:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("world")
    parser.add_argument("--models", type=int, default=8)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--ticks", type=int, default=200)
    parser.add_argument("--budget", default="150calls")
    asked = parser.parse_args()
    world = registry.world(asked.world)
    found: dict[str, list[np.ndarray]] = {arm: [] for arm in ARMS}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(asked.models):
            view = world.model.view(world.start(Rng(seed).fork("start")), 0)
            learner = Ensemble().fit(random_play(world.model, view, asked.steps, Rng(seed), 100))
            save(learner, file := Path(folder) / f"{seed}.model", [asked.world])
            for arm in ARMS:
                found[arm].append(np.mean(play_arm(asked.world, arm, file, asked), axis=0))
    for arm, rows in found.items():
        table = np.array(rows)
        apart = table - np.array(found["neutral"])
        cells = [interval(table[:, place]) for place in range(3)]
        print(
            f"| {arm} | {' | '.join(cells)} | {interval(apart[:, 1])} | {interval(apart[:, 2])} |"
        )


if __name__ == "__main__":
    main()
