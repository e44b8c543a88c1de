"""PBS-50: the earlier studies that the source quotes, as far as models of ours can repeat them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

import numpy as np

from ludex.agents.compose import make_agent
from ludex.arena.statistics.bounded import BoundedMean
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.extra import require_extra
from ludex.core.rng import Rng
from ludex.core.world import World
from ludex.experiments.collection import Collection
from ludex.experiments.estimates import Estimate, mean_share, mean_value
from ludex.experiments.gvgai.first_set import FIRST_SET
from ludex.experiments.judge import ALIKE, FEWEST_PAIRS
from ludex.experiments.prediction.arms import Arm, play
from ludex.experiments.prediction.earlier_rules import RuleCheck, check_rules
from ludex.experiments.prediction.source import SOURCE
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey
from ludex.models.learned.decomposed import Decomposed
from ludex.models.learned.explain.accuracy import ANY, checked_tiles
from ludex.models.learned.knowledge_base import KnowledgeBase
from ludex.models.learned.local import Local
from ludex.models.learned.training.game_learner import GameLearner
from ludex.models.learned.training.transitions import Transition, random_play

RESTART = 300
MINUTE = 1500  # ticks of 40 ms
SENSOR_GAMES = ("aliens", "butterflies")
SENSOR_STEPS = (100, 1000)  # interactions from which independencies are found
FAR = 2  # cells; what a sensor depends on lies no further
PLAYS, PLAY_TICKS = 40, 25  # fresh random play to predict
LIFE = "life[ticks=100]"
LIFE_STEPS = 100
HALVES = (range(6), range(6, 12))
"""levels of Sokoban: each half is new to who learned from the other"""
SOKOBAN_STEPS = 2000  # random moves on each level that is learned from
EXPANSIONS = 300
LOWEST, HIGHEST = 0.6, 0.9  # accuracy of one tree for each sensor
RULE_GAMES = ("frogs", "missilecommand", "zelda")  # random play ends them often
RULE_STEPS = 3000


@dataclass(frozen=True, slots=True)
class EarlierScale:
    """How much is played at a scale; all games are as long at each."""

    games: int
    """of the hierarchical knowledge base"""
    boards: int
    """of the Game of Life"""


SIZES: dict[Scale, EarlierScale] = {
    "tiny": EarlierScale(0, 20),
    "small": EarlierScale(10, 20),
    "full": EarlierScale(10, 200),
}


class EarlierStudies(Survey):
    """One part for each earlier study."""

    id = "PBS-50"
    title = "do the earlier studies of learned models hold?"
    source = f"{SOURCE}, section 4.8"
    takes_games = True
    deviations = (
        "the source sums each study up in a sentence; printed are 1 where it says that something "
        "is so, 0 where it says that it is not, the middle of a range with half its width as "
        "margin, and 0 for a difference that it claims to be more than nothing",
        "knowledge base: the other entrants of 2017 and the ten games of their comparison cannot "
        "be had, so its place among them cannot be repeated; measured is the points it scores "
        "beyond random play on the first levels of ten GVGAI games, after a minute of it (at "
        f"{MINUTE:,} ticks); left out at tiny scale",
        "sensors are cells; their accuracy counts only those that change, because all others are "
        "right by themselves; fitted to 1,000 random steps on the first level",
        "dependencies are what MMPC finds with G tests at 5 %, given at most one other cell; far "
        f"is more than {FAR} cells away",
        "the player of Life looks one step ahead and learns from 100 random steps on one board; "
        "the first attempt of the source on GVGAI, which failed, is PBS-47 here",
        "Sokoban: levels of ours; from six of them it learns and plays the six others, and the "
        "other way round, where the source has ten of each; the player without a model plays at "
        "random",
        "rules are mined from 3,000 random ticks on three levels and asked about as many new ones",
        "what is claimed of the infeasibility of one tree for each sensor in large states is not "
        "measured: our trees are native, and a level of 330 cells takes seconds",
    )

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        require_extra("sklearn.tree", "learned models", "learning")
        self.size = SIZES[scale]
        found: dict[str, Part] = {
            "trees of sensors": self.sensors,
            "dependencies": self.dependencies,
            "life": self.life,
            "sokoban": self.sokoban,
            "rules": self.rules,
        }
        if self.size.games:
            found["knowledge base"] = self.knowledge_base
        return found

    @property
    def games(self) -> Collection:
        return self.collection or Collection.of_ludex()

    def dice(self, *names: str | int) -> Rng:
        return Rng(0).fork(self.id, *names)

    def watched(self, world: World, steps: int, *names: str | int) -> list[Transition]:
        """Random play on a level."""
        dice = self.dice(str(world), *names)
        view = world.model.view(world.start(dice.fork("start")), 0)
        return list(random_play(world.model, view, steps, dice.fork("play"), RESTART))

    def fresh(self, world: World) -> list[list[Transition]]:
        """New random play, play by play."""
        return [self.watched(world, PLAY_TICKS, "new", number) for number in range(PLAYS)]

    # One tree for each sensor

    def sensor_worlds(self) -> dict[str, World]:
        here, _ = self.games.choose(SENSOR_GAMES, len(SENSOR_GAMES))
        return {name: self.games.world(name) for name in here}

    def sensors(self) -> list[Reading]:
        """The accuracy of one tree for each cell that changes, and what its neighbours suffice."""
        readings: list[Reading] = []
        for name, world in {**self.sensor_worlds(), "sokoban": registry.world("sokoban")}.items():
            seen, new = self.watched(world, SENSOR_STEPS[-1]), self.fresh(world)
            shares = {
                inputs: sensor_accuracy(Decomposed.from_texts({"inputs": inputs}).fit(seen), new)
                for inputs in ("all", "near")
            }
            every = mean_share(shares["all"])
            gained = [near - all_ for near, all_ in zip(shares["near"], shares["all"], strict=True)]
            readings += [
                of_share(
                    "trees of sensors",
                    f"accuracy, {name}",
                    (LOWEST + HIGHEST) / 2,
                    every,
                    margin=(HIGHEST - LOWEST) / 2,
                ),
                difference(
                    "dependencies",
                    f"accuracy by neighbours alone beyond that by all cells, {name}",
                    gained,
                    "no less",
                ),
            ]
        return readings

    def dependencies(self) -> list[Reading]:
        """The share of far cells that are found to tell nothing of a cell."""
        readings: list[Reading] = []
        for name, world in self.sensor_worlds().items():
            seen = self.watched(world, SENSOR_STEPS[-1])
            for steps in SENSOR_STEPS:
                learner = Decomposed.from_texts({"inputs": "mmpc", "conditioning": "1"})
                learner.fit(seen[:steps])
                apart = mean_share(list(far_left_out(learner)))
                readings.append(
                    of_share(
                        "dependencies",
                        f"far cells found independent after {steps:,} interactions, {name}",
                        1.0,
                        apart,
                        f"{near_share(learner):.0%} of the inputs that are found lie nearer",
                    )
                )
        return readings

    # The Game of Life

    def life(self) -> list[Reading]:
        """Whether a local model generalises from few patterns, and keeps a population alive."""
        world = registry.world(LIFE)
        transitions = self.watched(world, LIFE_STEPS)
        learner = Local(span=1).fit(transitions)
        right, seen = patterns_right(learner, world), patterns_seen(transitions)
        player: Any = make_agent("one_step@local(span=1)")
        arms = {
            "one step ahead in a local model": (Arm("LFM", player.planner, player.part), learner),
            "random": (Arm.named("Random", 1.0), None),
        }
        budget = Budget(iterations=200)
        readings = [
            Reading(
                "life",
                f"of 512 patterns predicted after {LIFE_STEPS} steps, beyond those seen in them",
                0.0,
                right - seen,
                f"{right:.1%} predicted, {seen:.1%} seen",
                relation="more",
            )
        ]
        for label, (arm, known) in arms.items():
            games = [
                play(arm, known, world, budget, 100, self.dice("life", number))[0]
                for number in range(self.size.boards)
            ]
            alive = mean_share([one.won for one in games])
            cells = mean_value([one.score / one.ticks for one in games])
            readings.append(
                of_share(
                    "life",
                    f"boards alive after 100 ticks, {label}",
                    1.0 if known else 0.0,
                    alive,
                    f"{cells} living cells in a tick",
                )
            )
        return readings

    # Sokoban

    def sokoban(self) -> list[Reading]:
        """Boxes on goals on levels that were not learned from, beyond random play."""
        ahead: list[float] = []
        solved = {"LFM": 0, "Random": 0}
        for taught, new in (HALVES, HALVES[::-1]):
            arms = self.sokoban_arms(taught)
            for level in new:
                world = registry.world(f"sokoban[level={level}]")
                text = world.draw(world.start(Rng(0)))
                boxes = text.count("*") + text.count("+")
                share: dict[str, float] = {}
                for label, (arm, known) in arms.items():
                    dice = self.dice("sokoban", level)
                    played, _ = play(arm, known, world, Budget(iterations=EXPANSIONS), 200, dice)
                    share[label] = played.score / boxes
                    solved[label] += played.won
                ahead.append(share["LFM"] - share["Random"])
        note = f"{solved['LFM']} of {len(ahead)} new levels solved, {solved['Random']} at random"
        what = "share of boxes on goals beyond random play, new levels"
        return [difference("sokoban", what, ahead, "more", note)]

    def sokoban_arms(self, taught: range) -> dict[str, tuple[Arm, Any]]:
        """A search in what was learned from some levels, and random play."""
        worlds = [registry.world(f"sokoban[level={level}]") for level in taught]
        seen = chain.from_iterable(self.watched(world, SOKOBAN_STEPS) for world in worlds)
        search: Any = make_agent(
            "breadth_first(value=score,ties=any,revisit_penalty=0.1)@local(span=2,score=tree)"
        )
        learner = Local(span=2, score="tree").fit(seen)
        return {
            "LFM": (Arm("LFM", search.planner, search.part), learner),
            "Random": (Arm.named("Random", 1.0), None),
        }

    # Rules

    def rules(self) -> list[Reading]:
        """Whether the mined rules about ends are right in new play."""
        here, _ = self.games.choose(RULE_GAMES, len(RULE_GAMES))
        readings: list[Reading] = []
        for name in here:
            worlds = [self.games.world(name).clone(level=level) for level in range(3)]
            steps = RULE_STEPS // len(worlds)
            old, new = (
                list(chain.from_iterable(self.watched(one, steps, what) for one in worlds))
                for what in ("old", "new")
            )
            readings += rule_readings(name, check_rules(old, new))
        return readings

    # The hierarchical knowledge base

    def knowledge_base(self) -> list[Reading]:
        """Points beyond random play, game by game, after a minute of random play."""
        here, _ = self.games.choose(FIRST_SET, self.size.games)
        search: Any = make_agent("breadth_first(value=score,ties=any)@knowledge_base")
        ahead: list[float] = []
        for name in here:
            world = self.games.world(name)
            learner = KnowledgeBase().fit(self.watched(world, MINUTE))
            scores = [
                play(arm, known, world, Budget(iterations=100), RESTART, self.dice("kb", name))[0]
                for arm, known in (
                    (Arm("HKB", search.planner, search.part), learner),
                    (Arm.named("Random", 1.0), None),
                )
            ]
            ahead.append(float(np.sign(scores[0].score - scores[1].score)))
        note = f"won minus lost comparisons of scores, over {', '.join(here)}"
        found = difference("knowledge base", "games ahead of random play", ahead, "more", note)
        return [found]


def difference(
    part: str,
    what: str,
    values: Sequence[float],
    relation: Any,
    note: str = "",
    bound: float = 1.0,
) -> Reading:
    """A claimed difference, pair by pair, none of which exceeds a bound."""
    found = BoundedMean(tuple(values), -bound, bound)
    return Reading(
        part,
        what,
        0.0,
        found.mean,
        note,
        interval=found.interval() if found.count >= FEWEST_PAIRS else None,
        cases=found.count,
        margin=ALIKE / 100,
        relation=relation,
    )


def of_share(
    part: str,
    what: str,
    printed: float,
    found: Estimate,
    note: str = "",
    margin: float = ALIKE / 100,
) -> Reading:
    """A measured share beside the printed one."""
    return Reading(
        part,
        what,
        printed,
        found.mean,
        note,
        interval=found.interval,
        cases=found.cases,
        margin=margin,
    )


def sensor_accuracy(learner: Decomposed, new: Sequence[Sequence[Transition]]) -> list[float]:
    """The share of changing cells that are predicted right, play by play."""
    cells, model = learner.cells_, learner.model(ANY)
    found = []
    for one in new:
        right = [
            (checked.said.ravel() == checked.came.ravel())[cells]
            for checked in checked_tiles(model, one)
        ]
        found.append(float(np.mean(right)))
    return found


def far_left_out(learner: Decomposed) -> Iterator[float]:
    """Of the cells far from a cell that changes, the share that is not among its inputs."""
    height, width = learner.shape_
    places = np.arange(height * width)
    for cell, inputs in zip(learner.cells_, learner.inputs_, strict=True):
        away = np.maximum(abs(places // width - cell // width), abs(places % width - cell % width))
        far = set(places[away > FAR].tolist())
        yield 1 - len(far & set(inputs.tolist())) / len(far)


def near_share(learner: Decomposed) -> float:
    """Of the cells that are inputs of others, the share that is not far from them."""
    width = learner.shape_[1]
    near = total = 0
    for cell, inputs in zip(learner.cells_, learner.inputs_, strict=True):
        cells = inputs[(inputs >= 0) & (inputs < learner.shape_[0] * width)]
        away = np.maximum(abs(cells // width - cell // width), abs(cells % width - cell % width))
        near, total = near + int((away <= FAR).sum()), total + len(cells)
    return near / total if total else 0.0


def patterns_seen(transitions: Sequence[Transition]) -> float:
    """The share of all neighbourhoods of a cell that occurred in some play."""
    seen: set[bytes] = set()
    for one in transitions:
        board = as_board(one.before.view)
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(board, 1), (3, 3))
        seen |= {window.tobytes() for row in windows for window in row}
    return len(seen) / 2**9


def as_board(view: Any) -> Any:
    """Ones where a cell lives."""
    return (view.as_tiles().tiles.array != 0).astype(np.uint8)


def patterns_right(learner: GameLearner, world: Any) -> float:
    """Of all neighbourhoods of a cell, the share whose next state is predicted right.

    As many as fit are put on one board; each decides what becomes of the cell in its middle.
    """
    model, right = learner.model(ANY), 0
    corners = list(product(range(0, world.height - 2, 3), range(0, world.width - 2, 3)))
    patterns = list(product(".#", repeat=9))
    nothing = (world.width * world.height,)  # the action that switches no cell
    for first in range(0, len(patterns), len(corners)):
        placed = list(zip(corners, patterns[first:], strict=False))
        rows = [["."] * world.width for _ in range(world.height)]
        for (row, column), pattern in placed:
            for index, letter in enumerate(pattern):
                rows[row + index // 3][column + index % 3] = letter
        state = world.parse("/".join("".join(row) for row in rows))
        now = world.model.view(state, 0)
        came = world.model.view(world.model.step(state, nothing, Rng(0)), 0)
        said = model.step(model.imagine(now, Rng(0)), nothing, Rng(0)).tiles
        wanted = model.imagine(came, Rng(0)).tiles
        right += sum(
            said[row + 1, column + 1] == wanted[row + 1, column + 1] for (row, column), _ in placed
        )
    return float(right) / len(patterns)


def rule_readings(name: str, found: RuleCheck) -> list[Reading]:
    right, told = mean_share(found.right), mean_share(found.told)
    return [
        Reading(
            "rules",
            f"rules about ends right in new play, {name}",
            1.0,
            right.mean if found.right else 0.0,
            found.example,
            interval=right.interval,
            cases=right.cases,
            margin=ALIKE / 100,
        ),
        Reading(
            "rules",
            f"ends that a rule tells, {name}",
            None,
            told.mean if found.told else 0.0,
            f"{found.rules} rules",
            interval=told.interval,
            cases=told.cases,
        ),
    ]
