"""PBS-47: search in models learned from random play and then frozen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from ludex.arena.statistics.ranking import Line, line_of, places, points_of
from ludex.arena.statistics.results import Row
from ludex.arena.study.study import Game
from ludex.core import registry
from ludex.core.extra import require_extra
from ludex.core.names import read_named
from ludex.core.rng import Rng
from ludex.core.whole_file import write_whole
from ludex.experiments.collection import Collection, count_levels
from ludex.experiments.estimates import mean_share, mean_value
from ludex.experiments.experiment import (
    GAME,
    Arm,
    Experiment,
    ExperimentPlan,
    Figure,
    OrderClaim,
    ResultTable,
)
from ludex.experiments.judge import level_means, scores_of, wins_of
from ludex.experiments.prediction.arms import LFM, OBFM
from ludex.experiments.prediction.clusters import CLUSTERS, clusters_of
from ludex.experiments.prediction.constant_printed import ARMS, PrintedResult, printed
from ludex.experiments.prediction.curve_plot import Point, as_svg
from ludex.experiments.scale import Scale
from ludex.models.learned.training.files import save, worlds_of
from ludex.models.learned.training.transitions import Transition, random_play

BUDGET = "500calls"
RESTART = 300
BFS = "breadth_first(value=score,ties=any,revisit_penalty={penalty:g})"
SEARCHES = {
    "BFS": BFS.format(penalty=0.1),
    "RHEA": "rhea_reference",
    "MCTS": "mcts(value=score,rollout_depth=11,final=value)",
}
FAMILIES = {"LFM": LFM, "OBFM": OBFM}
NEEDS = {"OBFM": "object_based"}
ABLATIONS = {
    "no win bonus": "local(score=tree,features=companion,ending=no)",
    "linear score": "local(win_bonus=1000,ending=no)",
    "ends learned": "local(score=tree,features=companion)",
}
FIRST = (
    *("labyrinth", "hungrybirds", "painter", "sokoban", "iceandfire", "escape", "realsokoban"),
    *("thecitadel", "surround", "deceptizelda"),
)
"""games in which some player of the source wins, and not every one; the others follow"""
MISSING = (
    "of the thirty games the public release lacks six: bait, decepticoins, fireman, labyrinthdual, "
    "shipwreck and whackamole"
)


@dataclass(frozen=True, slots=True)
class ConstantScale:
    """How much is played at a scale."""

    games: int
    levels: int
    repetitions: int
    ticks: int
    """random ticks on each level that models learn from"""
    most: int
    """ticks of a game"""
    fewer: tuple[int, ...]
    """ticks on each level of models that learn from less: points of a learning curve"""
    taught: int = 5
    """levels of each game that models learn from, whichever are played"""


SIZES: dict[Scale, ConstantScale] = {
    "tiny": ConstantScale(1, 1, 1, 1000, 1000, (50, 200)),
    "small": ConstantScale(15, 1, 1, 1000, 1000, (50, 200)),
    "full": ConstantScale(30, 5, 10, 2000, 2000, (50, 200, 500, 1000)),
}
"""tiny plays some games of small, and these as long and with models as good: what it says of a
game is what small would say"""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A learner and the size of its training data; one model file per game."""

    name: str
    learner: str
    ticks: int


class Constant(Experiment):
    """Six searches in models of two families, with the same searches in the rules beside them."""

    id = "PBS-47"
    title = "Search in models that were learned from random play"
    source = "A. Dockhorn 2020, section 4.11.1, tables 4.4 and A.3 to A.32"

    def plan(self, scale: Scale, collection: Collection) -> ExperimentPlan:
        require_extra("sklearn.tree", "learned models", "learning")
        self.size = SIZES[scale]
        table = printed()
        wanted = [*FIRST, *(game for game in table if game not in FIRST)]
        names, missing = collection.choose(wanted, self.size.games)
        here = registry.names("models")
        families = [name for name in FAMILIES if NEEDS.get(name, "local") in here]
        self.models = models_of(families, self.size)
        games = collection.games(names, self.size.levels)
        arms = self.arms(scale, families, {name: table[name] for name in names})
        learned = tuple(f"{family}-{search}" for family in families for search in SEARCHES)
        return ExperimentPlan(
            arms=tuple(arms),
            games=games,
            repetitions=self.size.repetitions,
            max_ticks=self.size.most,
            claims=(
                OrderClaim("searches in learned models win more than chance", learned, ("Random",)),
                *(
                    OrderClaim(f"in {family}s, {better} wins more than {worse}", *pair)
                    for family in families
                    for better, worse in (("BFS", "MCTS"), ("MCTS", "RHEA"))
                    for pair in [((f"{family}-{better}",), (f"{family}-{worse}",))]
                ),
                OrderClaim(
                    "ours: the same searches win more with the rules",
                    tuple(f"true {search}" for search in SEARCHES),
                    tuple(f"LFM-{search}" for search in SEARCHES),
                ),
                OrderClaim("ours: the penalty for revisits pays", ("LFM-BFS",), ("no penalty",)),
                OrderClaim("ours: the bonus for wins pays", ("LFM-BFS",), ("no win bonus",)),
                OrderClaim(
                    "ours: a tree knows gains better than a line", ("LFM-BFS",), ("linear score",)
                ),
                OrderClaim("ours: ends learned as such pay", ("ends learned",), ("LFM-BFS",)),
            ),
            deviations=(
                f"{len(names)} games with {self.size.levels} of their 5 levels: {', '.join(names)}",
                MISSING,
                f"models learn from {self.size.ticks:,} random ticks on each of {self.size.taught} "
                f"levels, where the source has 2,000 on 5; games last {self.size.most:,} ticks at "
                f"most, where it has 2,000, and there are {self.size.repetitions} repetitions, "
                "where it has 10",
                *(
                    f"there is no model {NEEDS[name]} here, so no {name} plays"
                    for name in FAMILIES
                    if name not in families
                ),
                "printed shares are means over these games; all searches have 500 calls a "
                "decision, where the programs of the source gave more to BFS than its text says",
                "playouts of MCTS are not discounted, those of the source by 0.95 a step",
                "arms without a printed share are ours: searches with the rules, a bound from "
                "above; what is left out of LFM-BFS; and models that learned from less",
                *((f"games that are not there: {', '.join(missing)}",) if missing else ()),
            ),
        )

    def arms(
        self,
        scale: Scale,
        families: Sequence[str],
        table: Mapping[str, Mapping[str, PrintedResult]],
    ) -> list[Arm]:
        """Those of the source with what was printed of these games, then ours."""

        def figure(label: str) -> Figure | None:
            if label not in ARMS:
                return None
            return Figure(100 * fmean(one[label].line.win_rate for one in table.values()))

        def with_model(search: str, model: str) -> str:
            kind = next(one.learner for one in self.models if one.name == model).partition("(")[0]
            return f"{search}@{kind}(file={self.file(model, GAME)})"

        arms = [Arm("Random", "uniform", BUDGET, figure("Random"))]
        for family in families:
            arms += [
                Arm(
                    f"{family}-{name}",
                    with_model(search, family),
                    BUDGET,
                    figure(f"{family}-{name}"),
                )
                for name, search in SEARCHES.items()
            ]
        arms += [Arm(f"true {name}", search, BUDGET) for name, search in SEARCHES.items()]
        arms.append(Arm("no penalty", with_model(BFS.format(penalty=0), "LFM"), BUDGET))
        own = [one.name for one in self.models if one.name not in FAMILIES]
        return arms + [Arm(name, with_model(SEARCHES["BFS"], name), BUDGET) for name in own]

    def most_levels(self, collection: Collection, plan: ExperimentPlan) -> int:
        return self.size.taught  # on other levels, it would be another experiment

    def file(self, model: str, game: str) -> Path:
        learned = f"{self.size.taught}x{self.size.ticks}"
        return self.folder / f"pbs-47-{learned}-{game}-{model.replace(' ', '-')}.model"

    # Models

    def prepare(self, plan: ExperimentPlan, tell: Callable[[str, int, int], None]) -> None:
        for number, game in enumerate(plan.games):
            if self.has_models(game):
                continue
            tell(f"models of {game.label}", number, len(plan.games))
            levels = range(min(self.size.taught, count_levels(registry.world(game.world))))
            stages = replace(game, levels=tuple(levels)).stages()
            seen = [self.watched(world) for _, world in stages]
            for model in self.models:
                learner = learner_of(model.learner)
                for level in seen:
                    for one in level[: model.ticks]:
                        learner.add(one)
                save(learner.learn_again(), self.file(model.name, game.label), [game.world])

    def has_models(self, game: Game) -> bool:
        """Whether all models of a game are there, and of this very world."""
        files = [self.file(model.name, game.label) for model in self.models]
        return all(file.exists() and worlds_of(file) == [game.world] for file in files)

    def watched(self, world: Any) -> list[Transition]:
        """Random play on a level: the same for every learner."""
        dice = Rng(0).fork(self.id, str(world))
        view = world.model.view(world.start(dice.fork("start")), 0)
        return list(random_play(world.model, view, self.size.ticks, dice.fork("play"), RESTART))

    # Tables

    def tables(self, plan: ExperimentPlan, rows: Sequence[Row]) -> list[ResultTable]:
        """Points, results by game, learning curves, and games that are alike."""
        source = printed()
        games = [game.label for game in plan.games]
        found = {
            game: {
                arm.label: line_of(
                    [row for row in rows if (row.game, row.agent) == (game, arm.label)],
                    self.size.most,
                )
                for arm in plan.arms
            }
            for game in games
        }
        labels = [arm.label for arm in plan.arms if arm.label in ARMS]
        points = self.curve(rows)
        picture = self.folder / f"pbs-47-{len(games)}-games.svg"
        write_whole(picture, as_svg(points).encode(), "the picture")
        return [
            points_table(found, source, labels),
            *(game_table(game, found[game], source[game]) for game in games),
            curve_table(points),
            cluster_table(found, labels),
        ]

    def curve(self, rows: Sequence[Row]) -> list[Point]:
        """LFM-BFS after more and more experience, from nothing to the rules."""
        less = [(one.name, one.ticks) for one in self.models if "ticks" in one.name]
        steps = [("Random", 0), *less, ("LFM-BFS", self.size.ticks), ("true BFS", None)]
        points: list[Point] = []
        for label, ticks in steps:
            own = [row for row in rows if row.agent == label]
            wins, score = (
                list(level_means(own, values, (label,)).values())
                for values in (wins_of(own), scores_of(own))
            )
            points.append(
                Point(
                    label,
                    None if ticks is None else ticks * self.size.taught,
                    mean_share([one / 100 for one in wins]),
                    mean_value(score),
                )
            )
        return points


def curve_table(points: Sequence[Point]) -> ResultTable:
    """Wins and score against ticks of experience, with intervals."""
    lines = tuple(
        (
            one.label,
            "the rules" if one.ticks is None else f"{one.ticks:,}",
            str(one.wins),
            str(one.score),
        )
        for one in points
    )
    heads = ("arm", "ticks learned from", "games won (95 %)", "score (95 %)")
    return ResultTable("Learning curve of LFM-BFS, over all games", heads, lines)


def models_of(families: Sequence[str], size: ConstantScale) -> tuple[ModelFile, ...]:
    """Each family, LFM with something left out, and LFM that has learned from less."""
    return (
        *(ModelFile(name, FAMILIES[name], size.ticks) for name in families),
        *(ModelFile(name, learner, size.ticks) for name, learner in ABLATIONS.items()),
        *(ModelFile(f"{ticks} ticks", FAMILIES["LFM"], ticks) for ticks in size.fewer),
    )


def learner_of(text: str) -> Any:
    named = read_named(text, "()", "a model")
    return registry.load("models", named.name).from_texts(named.arguments)


def points_table(
    found: Mapping[str, Mapping[str, Line]],
    source: Mapping[str, Mapping[str, PrintedResult]],
    labels: Sequence[str],
) -> ResultTable:
    """Formula-1 points over the games, by places among these arms."""
    points = {label: [0, 0] for label in labels}
    for game in found:
        for column, lines in enumerate(
            ([source[game][one].line for one in labels], [found[game][one] for one in labels])
        ):
            for label, place in zip(labels, places(lines, "prediction"), strict=True):
                points[label][column] += points_of(place)
    rows = tuple((label, *(str(one) for one in both)) for label, both in points.items())
    return ResultTable(
        f"Points over {len(found)} games, places among these players",
        ("arm", "printed", "measured"),
        rows,
    )


def game_table(
    game: str, lines: Mapping[str, Line], source: Mapping[str, PrintedResult]
) -> ResultTable:
    rows = []
    for label, line in lines.items():
        known = source[label].line if label in source else None
        rows.append(
            (
                label,
                "-" if known is None else f"{known.win_rate:.2f}",
                f"{line.win_rate:.2f}",
                "-" if known is None else f"{known.score:.2f}",
                f"{line.score:.2f}",
                "-" if line.ticks_won is None else f"{line.ticks_won:.0f}",
                "-" if line.ticks_lost is None else f"{line.ticks_lost:.0f}",
            )
        )
    heads = ("arm", "wins printed", "wins", "score printed", "score", "ticks won", "ticks lost")
    return ResultTable(game, heads, tuple(rows))


def cluster_table(found: Mapping[str, Mapping[str, Line]], labels: Sequence[str]) -> ResultTable:
    """Games in which the same players are good, by complete linkage of their places."""
    ranks = {
        game: places([lines[one] for one in labels], "prediction") for game, lines in found.items()
    }
    groups = clusters_of(ranks, min(CLUSTERS, len(ranks)))
    rows = tuple(
        (game, str(groups[game]), " ".join(map(str, ranks[game])))
        for game in sorted(ranks, key=lambda one: (groups[one], one))
    )
    return ResultTable(
        f"Games alike, by places of {', '.join(labels)}", ("game", "cluster", "places"), rows
    )
