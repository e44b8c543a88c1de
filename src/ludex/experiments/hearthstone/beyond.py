"""Beyond Nora: future work of its author, and agents that beat the scripted player.

The proposals are two-step training (HSN-32), fitted Q iteration (HSN-33), the same in levels
(HSN-34) and search with a budget of simulations (HSN-35); the others are a place for each targeted
action, the score as the text has it, and better labels: games won instead of a score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from pathlib import Path
from typing import TypeAlias

from ludex.agents.hearthstone._native import Chooser
from ludex.agents.hearthstone.learning import improving, valuing
from ludex.agents.hearthstone.learning import nora as learning
from ludex.agents.hearthstone.learning.forest_player import prepared
from ludex.agents.hearthstone.learning.iteration import IterationSettings
from ludex.agents.hearthstone.learning.matches import MatchTally, play_matches
from ludex.agents.hearthstone.learning.nora import MATCH_WORLD, Recipe
from ludex.agents.hearthstone.learning.samples import world_model
from ludex.experiments.hearthstone.nora import MATCH_SEED, SOURCE
from ludex.experiments.hearthstone.shares import won
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey

NORA = "Nora"
RIVALS: dict[str, tuple[Callable[[], Chooser], int]] = {
    "scripted": (Chooser.scripted, 1),
    "random": (Chooser.random, 5),
}
"""how each is made, and which part of the games is played against it"""
Players: TypeAlias = dict[str, tuple[Callable[[], Chooser], int]]
COMPACT = 10  # rows in the smallest leaf of Nora's forests here


@dataclass(frozen=True)
class BeyondScale:
    """How much is learned and played at a scale."""

    samples: int
    """of each class, for each of Nora's forests"""
    steps: int
    """for each forest of fitted Q iteration"""
    pairs: int
    """decisions that the apprentice tries twice"""
    games: int
    """against the scripted player; a fifth of them against the random one"""
    budgets: tuple[tuple[int, int], ...]
    """numbers of simulations, and games with each"""
    trees: int = 100


SIZES: dict[Scale, BeyondScale] = {
    "tiny": BeyondScale(1_000, 2_000, 5_000, 200, ((10, 20),), 20),
    "small": BeyondScale(20_000, 60_000, 400_000, 5_000, ((10, 5_000), (100, 1_000), (300, 200))),
    "full": BeyondScale(
        100_000, 400_000, 10_000_000, 10_000, ((10, 10_000), (100, 10_000), (1_000, 10_000))
    ),
}


def verdict(one: MatchTally, other: MatchTally) -> str:
    """Whether a player wins more than another: by the 95 % interval of the difference."""
    error = sqrt(sum(t.rate * (1 - t.rate) / t.games for t in (one, other)))
    difference = one.rate - other.rate
    if abs(difference) <= 1.96 * error:
        return "undecided"
    return "better than Nora" if difference > 0 else "worse than Nora"


class Beyond(Survey):
    """Strength of other learned and searching agents compared with Nora."""

    id = "HSN-BEYOND"
    title = "do the proposals of the Nora study make a better player?"
    source = f"{SOURCE}, chapter 6: proposals without numbers"
    deviations = (
        "Nora's forests have ten rows in the smallest leaf, which makes them smaller and as good",
        "values and corrections are learned with the deck that is played, not with random ones",
        "simulations deal hidden cards anew; copies of the true game would give them away",
    )

    def __init__(self) -> None:
        self.tallies: dict[tuple[str, str], MatchTally] = {}

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        players = self.players(SIZES[scale])
        return {
            f"{name} against {rival}": partial(self.play, players, name, rival)
            for name in players
            for rival in RIVALS
        }

    def play(self, players: Players, name: str, rival: str) -> list[Reading]:
        tally = self.tally(players, name, rival)
        said = "" if name == NORA else verdict(tally, self.tally(players, NORA, rival))
        return [won("beyond", f"{name} against {rival}", None, tally, said)]

    def tally(self, players: Players, name: str, rival: str) -> MatchTally:
        """What came of the games, which are played once: Nora is compared with all others."""
        if (name, rival) in self.tallies:
            return self.tallies[name, rival]
        make, games = players[name]
        two, share = RIVALS[rival]
        model = world_model(MATCH_WORLD)
        games = -(-games // share)
        found = play_matches(model, make(), two(), games, MATCH_SEED, self.workers)
        self.tallies[name, rival] = found
        return found

    def players(self, size: BeyondScale) -> Players:
        """How each player is made, and how many games it plays; Nora comes first."""
        plain = Recipe(samples=size.samples, trees=size.trees, least=COMPACT)
        made: dict[str, tuple[Callable[[], Chooser], int]] = {
            name: (partial(self.nora, recipe), size.games)
            for name, recipe in {
                NORA: plain,
                "Nora, one-hot actions": replace(plain, one_hot=True),
                "Nora, two-step training": replace(plain, two_step=True),
                "Nora, score of the text": replace(plain, released=False),
            }.items()
        }
        made["apprentice"] = (partial(self.apprentice, size), size.games)
        made["fitted Q"] = (partial(self.valued, size, levels=False), size.games)
        made["fitted Q in levels"] = (partial(self.valued, size, levels=True), size.games)
        for simulations, games in size.budgets:
            player = partial(Chooser.simulated, Chooser.scripted(), simulations)
            made[f"{simulations} simulations"] = (player, games)
        return made

    def nora(self, recipe: Recipe) -> Chooser:
        marks = f"{'-onehot' * recipe.one_hot}{'-twostep' * recipe.two_step}"
        marks += "" if recipe.released else "-text"
        path = self.folder / f"nora-compact-{recipe.samples}{marks}.npz"
        if not path.exists():
            forests, judged = learning.learn(recipe, workers=self.workers)
            learning.save(path, forests, recipe, judged)
        return loaded(path)

    def apprentice(self, size: BeyondScale) -> Chooser:
        path = self.folder / f"apprentice-{size.pairs}.npz"
        if not path.exists():
            found = improving.learn(size.pairs, size.trees, seed=0, workers=self.workers)
            improving.save(path, *found)
        return loaded(path)

    def valued(self, size: BeyondScale, levels: bool) -> Chooser:
        path = self.folder / f"values-{size.steps}{'-levels' * levels}.npz"
        if not path.exists():
            settings = IterationSettings(trees=size.trees // 2)
            values = valuing.Values(size.steps, levels, samples=size.samples, settings=settings)
            forests, moves = valuing.learn(values, workers=self.workers)
            valuing.save(path, forests, values, moves)
        return loaded(path)


def loaded(path: Path) -> Chooser:
    return prepared(MATCH_WORLD, str(path)).chooser
