"""Nora, a learned player of Hearthstone: the tables of Taralla's thesis (2015), measured again.

E1 how well its classifiers rank, E3 thresholds, E4 memory, E5 and E6 how often it wins, E7 and E11
the players it is compared with, E8 other seeds, E10 how it behaves. E7 and E11 need no learning:
they come first, because they test the engine and the players alone.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from ludex.agents.hearthstone.parts import curve_plot, forest_file, learning
from ludex.agents.hearthstone.parts.forest_player import Learned, prepared
from ludex.agents.hearthstone.parts.learning import MATCH_WORLD, Recipe
from ludex.agents.hearthstone.parts.matches import play_matches
from ludex.agents.hearthstone.parts.samples import world_model
from ludex.core.whole_file import write_whole
from ludex.studies.hearthstone.behaviour import aims
from ludex.studies.hearthstone.shares import drawn, share, won
from ludex.studies.scale import Scale
from ludex.studies.survey import Reading, Survey, Tell
from ludex.worlds.hearthstone._native import Chooser

SOURCE = "D. Taralla, Learning Artificial Intelligence in Large-Scale Video Games, Liege 2015"
GIB = 2**30
MATCH_SEED = 1

FEWER = "fewer samples and games than the 2 x 400,000 and 5 x 10,000 of the source at small scale"
CORRECT = "the engine is correct where the released program was not: see the page of the study"
RELEASED = "the trade term of the score is that of the released program, which truncates it"


@dataclass(frozen=True)
class Size:
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


SIZES: dict[Scale, Size] = {
    "tiny": Size(2_000, 300, 5_000, 60, 1_000, 300),
    "small": Size(100_000, 5_000, 20_000, 400, 30_000, 4_000),
    "full": Size(400_000, 50_000, 50_000, 10_000, 400_000, 20_000),
}


def nora_of(folder: Path, recipe: Recipe, tell: Tell, workers: int) -> Path:
    """The file with the forests of a recipe, learned where it is not there yet."""
    path = folder / f"nora-{recipe.samples}-seed{recipe.seed}.npz"
    if path.exists() and forest_file.read(path, "nora")[1]["recipe"] == asdict(recipe):
        return path
    folder.mkdir(parents=True, exist_ok=True)
    forests, judged = learning.learn(recipe, tell, workers)
    learning.save(path, forests, recipe, judged)
    return path


def first_nora(survey: Survey, size: Size) -> Path:
    """The forests that most experiments share."""
    return nora_of(survey.folder, Recipe(samples=size.samples), survey.tell, survey.workers)


def against(
    survey: Survey,
    experiment: str,
    title: str,
    one: Chooser,
    rival: str,
    games: int,
    printed: tuple[float | None, float | None],
    note: str = "",
) -> list[Reading]:
    """Shares of games won and drawn against the random or the scripted player."""
    two = Chooser.random() if rival == "random" else Chooser.scripted()
    tally = play_matches(
        world_model(MATCH_WORLD),
        one,
        two,
        games,
        MATCH_SEED,
        survey.workers,
        lambda done: survey.tell(f"{title} against {rival}", done / games),
    )
    what = f"{title} against {rival}"
    readings = [won(experiment, what, printed[0], tally, note)]
    if printed[1] is not None:
        readings.append(drawn(experiment, what, printed[1], tally))
    return readings


def learned(path: Path, threshold: float = 0.0) -> Learned:
    return prepared(MATCH_WORLD, str(path), "nora", threshold)


class RandomAndScripted(Survey):
    """Calibrates the engine, the random player and the scripted player."""

    id = "HSN-E7"
    title = "random against scripted: is the scripted player as strong as published?"
    source = f"{SOURCE}, table 5.3"
    deviations = (CORRECT,)

    def readings(self, scale: Scale) -> list[Reading]:
        games = SIZES[scale].baseline
        return against(self, "E7", "random", Chooser.random(), "scripted", games, (0.934, 0.036))


class RandomPlay(Survey):
    """Calibrates the engine with players that know nothing."""

    id = "HSN-E11"
    title = "random against random: is the game even, and does it end in as many draws?"
    source = f"{SOURCE}, files of the released program"
    deviations = (CORRECT,)

    def readings(self, scale: Scale) -> list[Reading]:
        games = SIZES[scale].baseline
        return against(self, "E11", "random", Chooser.random(), "random", games, (50.22, 0.68))


class NoraAndRandom(Survey):
    """How often Nora beats the random player."""

    id = "HSN-E5"
    title = "Nora against random"
    source = f"{SOURCE}, table 5.1"
    deviations = (FEWER, RELEASED, CORRECT)

    def readings(self, scale: Scale) -> list[Reading]:
        size = SIZES[scale]
        nora = learned(first_nora(self, size)).chooser
        return against(self, "E5", "Nora", nora, "random", size.games, (92.798, 0.168))


class NoraAndScripted(Survey):
    """How often Nora beats the scripted player."""

    id = "HSN-E6"
    title = "Nora against scripted"
    source = f"{SOURCE}, table 5.2"
    deviations = (FEWER, RELEASED, CORRECT)

    def readings(self, scale: Scale) -> list[Reading]:
        size = SIZES[scale]
        nora = learned(first_nora(self, size)).chooser
        return against(self, "E6", "Nora", nora, "scripted", size.games, (10.474, 0.164))


class OtherSeeds(Survey):
    """Whether Nora's strength is a matter of luck."""

    id = "HSN-E8"
    title = "do forests grown with other seeds play as well?"
    source = f"{SOURCE}, tables 5.4 and 5.5"
    deviations = (
        "2 x 30,000 samples for each set of forests at small scale, not 2 x 400,000",
        RELEASED,
        CORRECT,
    )
    printed = {1: (93.31, 10.96), 2: (93.45, 10.96), 3: (93.18, 10.45), 4: (92.75, 11.39)}

    def readings(self, scale: Scale) -> list[Reading]:
        size, readings = SIZES[scale], []
        for seed, shares in self.printed.items():
            # The same games for all, other trees.
            recipe = Recipe(samples=size.other_samples, seed=seed, data_seed=0)
            nora = learned(nora_of(self.folder, recipe, self.tell, self.workers)).chooser
            for rival, percent in zip(("random", "scripted"), shares, strict=True):
                title = f"Nora of seed {seed}"
                readings += against(self, "E8", title, nora, rival, size.games, (percent, None))
        return readings


class Thresholds(Survey):
    """What it costs to act only when sure."""

    id = "HSN-E3"
    title = "does a threshold on the confidence help?"
    source = f"{SOURCE}, section 4.6.2: the lower, the better, best at 0; no numbers"
    deviations = (FEWER, RELEASED, CORRECT)
    steps = 10

    def readings(self, scale: Scale) -> list[Reading]:
        size = SIZES[scale]
        path, readings = first_nora(self, size), []
        for step in range(self.steps):
            threshold = step / self.steps
            nora = learned(path, threshold).chooser
            for rival in ("random", "scripted"):
                title = f"Nora at {threshold:g}"
                readings += against(self, "E3", title, nora, rival, size.sweep, (None, None))
        return readings


class Areas(Survey):
    """How well the three classifiers rank actions of new games."""

    id = "HSN-E1"
    title = "how well do Nora's forests rank what they have not seen?"
    source = f"{SOURCE}, figures 4.6 and 4.7: curves without numbers"
    deviations = (
        FEWER,
        "at most 2 x 20,000 rows of new games for each forest",
        "the curves themselves are in curves.csv and curves.svg of the folder of --out",
        RELEASED,
    )
    earlier = {"play": (0.910, 0.906), "target": (0.986, 0.985), "attack": (0.961, 0.959)}
    """of an earlier configuration, from the data of its curves"""

    def readings(self, scale: Scale) -> list[Reading]:
        path = first_nora(self, SIZES[scale])
        forests, facts = forest_file.read(path, "nora")
        found = learning.assess(forests, Recipe(**facts["recipe"]), self.tell, self.workers)
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


class Memory(Survey):
    """How large the forests are."""

    id = "HSN-E4"
    title = "how much memory do the three classifiers need?"
    source = f"{SOURCE}, section 4.6.2"
    deviations = (FEWER, "a native form of 8 bytes a node and 4 bytes a leaf")

    def readings(self, scale: Scale) -> list[Reading]:
        size = SIZES[scale]
        forests, _ = forest_file.read(first_nora(self, size), "nora")
        total = sum(forest.native().bytes for forest in forests.values())
        nodes = sum(forest.nodes for forest in forests.values())
        note = f"{nodes:,} nodes, 2 x {size.samples:,} samples each; printed for 2 x 400,000"
        return [Reading("E4", "three forests, GiB", 14, total / GIB, note)]


class Behaviour(Survey):
    """Whom Nora hits, and whom it helps."""

    id = "HSN-E10"
    title = "does Nora hit enemies and help its own?"
    source = f"{SOURCE}, section 5.2: in words"
    deviations = (FEWER, "random states of random games instead of games that experts watched")

    def readings(self, scale: Scale) -> list[Reading]:
        size = SIZES[scale]
        nora = learned(first_nora(self, size)).nora
        assert nora is not None
        return [
            share("E10", what, None, hits, cases, note)
            for what, hits, cases, note in aims(nora, size.states, self.tell)
            if cases
        ]
