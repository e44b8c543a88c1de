"""Nora, a learned agent for Hearthstone: tables of Taralla's thesis (2015), measured again.

E1 how well its classifiers rank, E3 thresholds, E4 memory, E5 and E6 how often it wins, E7 and E11
the players it is compared with, E8 other seeds, E10 how it behaves. E7 and E11 need no learning:
they come first, because they test the engine and the players alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from ludex.agents.hearthstone._native import Chooser
from ludex.agents.hearthstone.learning import curve_plot, forest_file
from ludex.agents.hearthstone.learning import nora as learning
from ludex.agents.hearthstone.learning.forest_player import LearnedPlayer, prepared
from ludex.agents.hearthstone.learning.matches import play_matches
from ludex.agents.hearthstone.learning.nora import MATCH_WORLD, Recipe
from ludex.agents.hearthstone.learning.samples import world_model
from ludex.core.whole_file import write_whole
from ludex.experiments.hearthstone.behaviour import aims
from ludex.experiments.hearthstone.shares import drawn, share, won
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey

SOURCE = "D. Taralla, Learning Artificial Intelligence in Large-Scale Video Games, Liege 2015"
GIB = 2**30
MATCH_SEED = 1

FEWER = "fewer samples and games than the 2 x 400,000 and 5 x 10,000 of the source at small scale"
CORRECT = "the game is correct where the released program was not: see the switches of the study"
RELEASED = "the trade term of the score is that of the released program, which truncates it"


@dataclass(frozen=True)
class NoraScale:
    """How much is learned and played at a scale."""

    samples: int
    """of each class, for each forest"""
    games: int
    """of Nora against each rival"""
    baseline: int
    """games of players that have learned nothing"""
    sweep: int
    """games for each threshold"""
    other_samples: int
    """of the forests with other seeds"""
    states: int
    """random states whose targets are chosen"""

    @property
    def recipe(self) -> Recipe:
        """Of the forests that most experiments share."""
        return Recipe(samples=self.samples)


SIZES: dict[Scale, NoraScale] = {
    "tiny": NoraScale(2_000, 300, 5_000, 60, 1_000, 300),
    "small": NoraScale(100_000, 5_000, 20_000, 400, 30_000, 4_000),
    "full": NoraScale(400_000, 50_000, 50_000, 10_000, 400_000, 20_000),
}


def nora_of(survey: Survey, recipe: Recipe) -> Path:
    """The file with the forests of a recipe, learned where it is not there yet."""
    path = survey.folder / f"nora-{recipe.samples}-seed{recipe.seed}.npz"
    if path.exists() and forest_file.read(path, "nora")[1]["recipe"] == asdict(recipe):
        return path
    forests, judged = learning.learn(recipe, workers=survey.workers)
    learning.save(path, forests, recipe, judged)
    return path


def learned(survey: Survey, recipe: Recipe, threshold: float = 0.0) -> LearnedPlayer:
    return prepared(MATCH_WORLD, str(nora_of(survey, recipe)), "nora", threshold)


def against(
    survey: Survey,
    experiment: str,
    title: str,
    one: Chooser,
    rival: str,
    games: int,
    printed: tuple[float | None, float | None] = (None, None),
) -> list[Reading]:
    """Shares of games won against the random or the scripted player, and drawn where printed."""
    two = Chooser.random() if rival == "random" else Chooser.scripted()
    tally = play_matches(world_model(MATCH_WORLD), one, two, games, MATCH_SEED, survey.workers)
    what = f"{title} against {rival}"
    readings = [won(experiment, what, printed[0], tally)]
    if printed[1] is not None:
        readings.append(drawn(experiment, what, printed[1], tally))
    return readings


class RandomAndScripted(Survey):
    """Calibrates the engine, the random player and the scripted player."""

    id = "HSN-E7"
    title = "random against scripted: is the scripted player as strong as published?"
    source = f"{SOURCE}, table 5.3"
    deviations = (CORRECT,)
    rival: ClassVar[str] = "scripted"
    printed: ClassVar[tuple[float, float]] = (0.934, 0.036)
    """shares won and drawn"""

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        return {"games": lambda: self.play(SIZES[scale])}

    def play(self, size: NoraScale) -> list[Reading]:
        one, table = Chooser.random(), self.id.removeprefix("HSN-")
        return against(self, table, "random", one, self.rival, size.baseline, self.printed)


class RandomPlay(RandomAndScripted):
    """Calibrates the engine with players that know nothing."""

    id = "HSN-E11"
    title = "random against random: is the game even, and does it end in as many draws?"
    source = f"{SOURCE}, files of the released program"
    rival = "random"
    printed = (50.22, 0.68)


class NoraAndRandom(Survey):
    """How often Nora beats the random player."""

    id = "HSN-E5"
    title = "Nora against random"
    source = f"{SOURCE}, table 5.1"
    deviations = (FEWER, RELEASED, CORRECT)
    rival: ClassVar[str] = "random"
    printed: ClassVar[tuple[float, float]] = (92.798, 0.168)
    """shares won and drawn"""

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        return {"games": lambda: self.play(SIZES[scale])}

    def play(self, size: NoraScale) -> list[Reading]:
        nora, table = learned(self, size.recipe).chooser, self.id.removeprefix("HSN-")
        return against(self, table, "Nora", nora, self.rival, size.games, self.printed)


class NoraAndScripted(NoraAndRandom):
    """How often Nora beats the scripted player."""

    id = "HSN-E6"
    title = "Nora against scripted"
    source = f"{SOURCE}, table 5.2"
    rival = "scripted"
    printed = (10.474, 0.164)


class OtherSeeds(Survey):
    """Variation of Nora's strength over random seeds."""

    id = "HSN-E8"
    title = "do forests grown with other seeds play as well?"
    source = f"{SOURCE}, tables 5.4 and 5.5"
    deviations = (
        "2 x 30,000 samples for each set of forests at small scale, not 2 x 400,000",
        RELEASED,
        CORRECT,
    )
    printed: ClassVar[Mapping[int, tuple[float, float]]] = {
        1: (93.31, 10.96),
        2: (93.45, 10.96),
        3: (93.18, 10.45),
        4: (92.75, 11.39),
    }
    """shares won against random and scripted, by seed"""

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        return {f"seed {seed}": partial(self.play, SIZES[scale], seed) for seed in self.printed}

    def play(self, size: NoraScale, seed: int) -> list[Reading]:
        # The same games for all, other trees.
        recipe = Recipe(samples=size.other_samples, seed=seed, data_seed=0)
        nora, title = learned(self, recipe).chooser, f"Nora of seed {seed}"
        return [
            reading
            for rival, percent in zip(("random", "scripted"), self.printed[seed], strict=True)
            for reading in against(self, "E8", title, nora, rival, size.games, (percent, None))
        ]


class Thresholds(Survey):
    """Effect of the confidence threshold on Nora's strength."""

    id = "HSN-E3"
    title = "does a threshold on the confidence help?"
    source = f"{SOURCE}, section 4.6.2: the lower, the better, best at 0; no numbers"
    deviations = (FEWER, RELEASED, CORRECT)

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        steps = [step / 10 for step in range(10)]
        return {f"threshold {one:g}": partial(self.play, SIZES[scale], one) for one in steps}

    def play(self, size: NoraScale, threshold: float) -> list[Reading]:
        nora = learned(self, size.recipe, threshold).chooser
        return [
            reading
            for rival in ("random", "scripted")
            for reading in against(self, "E3", f"Nora at {threshold:g}", nora, rival, size.sweep)
        ]


class Areas(Survey):
    """ROC areas of the three classifiers in new games."""

    id = "HSN-E1"
    title = "how well do Nora's forests rank what they have not seen?"
    source = f"{SOURCE}, figures 4.6 and 4.7: curves without numbers"
    deviations = (
        FEWER,
        "at most 2 x 20,000 rows of new games for each forest",
        "the curves themselves are in curves.csv and curves.svg of the folder of --out",
        RELEASED,
    )
    earlier: ClassVar[Mapping[str, tuple[float, float]]] = {
        "play": (0.910, 0.906),
        "target": (0.986, 0.985),
        "attack": (0.961, 0.959),
    }
    """areas of an earlier configuration, from the data of its curves"""

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        return {"curves": lambda: self.rank(SIZES[scale])}

    def rank(self, size: NoraScale) -> list[Reading]:
        forests, facts = forest_file.read(nora_of(self, size.recipe), "nora")
        found = learning.assess(forests, Recipe(**facts["recipe"]), workers=self.workers)
        write_whole(self.folder / "curves.csv", curve_plot.as_csv(found).encode())
        write_whole(self.folder / "curves.svg", curve_plot.as_svg(found).encode())
        readings = []
        for group, one in found.items():
            for what, area, before in zip(
                ("ROC area", "PR area"), one.areas().values(), self.earlier[group], strict=True
            ):
                note = f"{before:g} in an earlier configuration"
                readings.append(Reading("E1", f"{what}, {group}", None, area, note))
        return readings


class ForestMemory(Survey):
    """Memory use of the forests."""

    id = "HSN-E4"
    title = "how much memory do the three classifiers need?"
    source = f"{SOURCE}, section 4.6.2"
    deviations = (FEWER, "a native form of 8 bytes a node and 4 bytes a leaf")

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        return {"forests": lambda: self.weigh(SIZES[scale])}

    def weigh(self, size: NoraScale) -> list[Reading]:
        forests, _ = forest_file.read(nora_of(self, size.recipe), "nora")
        total = sum(forest.native().bytes for forest in forests.values())
        nodes = sum(forest.nodes for forest in forests.values())
        note = f"{nodes:,} nodes, 2 x {size.samples:,} samples each; printed for 2 x 400,000"
        return [Reading("E4", "three forests, GiB", 14, total / GIB, note)]


class NoraTargets(Survey):
    """Targets of Nora: shares of enemies and friends."""

    id = "HSN-E10"
    title = "does Nora hit enemies and help its own?"
    source = f"{SOURCE}, section 5.2: in words"
    deviations = (FEWER, "random states of random games instead of games that experts watched")

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        return {"targets": lambda: self.aim(SIZES[scale])}

    def aim(self, size: NoraScale) -> list[Reading]:
        nora = learned(self, size.recipe).nora
        assert nora is not None
        return [
            share("E10", what, None, hits, cases, note)
            for what, hits, cases, note in aims(nora, size.states)
            if cases
        ]
