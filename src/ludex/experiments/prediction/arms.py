"""The players of the studies, and how one game of theirs is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ludex.agents.compose import make_agent
from ludex.agents.learning_mind import LearningMind
from ludex.arena.match.game import Game
from ludex.arena.match.setup import MatchSetup
from ludex.arena.statistics.ranking import Line, mean_where
from ludex.core.budget import Budget
from ludex.core.model import Model
from ludex.core.planner import Agent, Mind
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.core.world import World
from ludex.experiments.estimates import mean_share, mean_value
from ludex.experiments.judge import ALIKE
from ludex.experiments.survey import Reading

# As the programs of the source were set: a tree for the score, 1000 points for a win, and, of
# objects, 10 points off for a death.
LFM = "local(score=tree,features=companion,win_bonus=1000,ending=no)"
OBFM = (
    "object_based(reach=1,position=yes,holds=0,makes=no,prune=no,win_bonus=1000,loss_penalty=10,"
    "ending=no)"
)
BEYOND = "object_based(win_bonus=1000,loss_penalty=10)"
LEARNED = {"LFM-BFS": LFM, "OBFM-BFS": OBFM, "OBFM-BFS beyond": BEYOND}
BOUNDS = {"Random": "below", "true BFS": "above"}


def searcher(discount: float) -> str:
    """Breadth-first search as the source has it."""
    return f"breadth_first(value=score,ties=any,revisit_penalty=0.1,discount={discount:g})"


@dataclass(frozen=True)
class Arm:
    """One way to play, which keeps what it learns from game to game where it goes on learning."""

    label: str
    planner: Agent
    part: Any = None
    """the learner; None for those who do not learn"""

    @classmethod
    def named(cls, label: str, discount: float, learner: str = "") -> Arm:
        """The arm of a label; `learner` is what its model is told besides."""
        if label == "Random":
            return cls(label, make_agent("uniform"))
        search = searcher(discount)
        if label not in LEARNED:
            return cls(label, make_agent(search))
        model = LEARNED[label].removesuffix(")") + (f",{learner})" if learner else ")")
        composed: Any = make_agent(f"{search}@{model}")
        return cls(label, composed.planner, composed.part)


@dataclass(frozen=True, slots=True)
class Played:
    """One game."""

    won: bool
    score: float
    ticks: int
    foretold: int = 0
    """ticks that a learned model had foretold"""
    wrong: int = 0
    """those of them in which anything came differently"""
    wrong_parts: int = 0
    """cells or things that came differently, over all these ticks"""


class ArmStreams:
    """The streams of the published figures: forks of one, by names of their own."""

    NAMES: ClassVar = {"setup": "mind", "decision": "decide", "step": "tick"}

    def __init__(self, rng: Rng) -> None:
        self.rng = rng

    def of_game(self, *names: int | str) -> Rng:
        return self.rng.fork(*(self.NAMES.get(str(name), name) for name in names))

    def of_seat(self, seat: int, *names: int | str) -> Rng:
        return self.of_game(*names)  # there is one seat


@dataclass(frozen=True)
class Pupil:
    """An arm as an agent: it begins with what is known from earlier games."""

    arm: Arm
    known: Any

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        planner, part = self.arm.planner, self.arm.part
        if part is None:
            return planner.start(model, view, budget, rng)
        return LearningMind(planner, part, model, view, budget, rng, self.known)

    def __str__(self) -> str:
        return self.arm.label


def play(
    arm: Arm, known: Any, world: World, budget: Budget, most: int, rng: Rng
) -> tuple[Played, Any]:
    """Play one game for at most so many ticks; also return what the player knows afterwards.

    Args:
        arm: Who plays.
        known: What it knows from earlier games; None for nothing.
        world: The game and its level.
        budget: Of one decision.
        most: Ticks after which the game counts as lost.
        rng: All chance.
    """
    setup = MatchSetup(world=world, agents=[Pupil(arm, known)], budget=budget, isolate=False)
    game = Game(setup, streams=ArmStreams(rng), keeps_record=False)
    game.start()
    mind = getattr(game.seats[0], "mind", None)
    while (outcome := game.outcome) is None and game.tick < most:
        game.play((game.chosen(0),))
    game.finish(outcome or game.stopped())
    found = Played(
        outcome is not None and 0 in outcome.winners,
        game.model.score(game.state, 0),
        game.tick,
        getattr(mind, "foretold_ticks", 0),
        getattr(mind, "wrong_ticks", 0),
        getattr(mind, "wrong_cells", 0),
    )
    return found, getattr(mind, "learner", None)


def line_of(games: Sequence[Played]) -> Line:
    won, ticks = [game.won for game in games], [game.ticks for game in games]
    return Line(
        sum(won) / len(won),
        sum(game.score for game in games) / len(games),
        ticks_won=mean_where(ticks, won, True),
        ticks_lost=mean_where(ticks, won, False),
    )


def readings_of(
    game: str, arm: str, games: Sequence[Played], printed: Line | None, without_wins: str = ""
) -> list[Reading]:
    """What an arm won and scored in a game, beside what was printed.

    `without_wins` says why printed wins are not used, where they are not.
    """
    line = line_of(games)
    won, score = mean_share([one.won for one in games]), mean_value([one.score for one in games])
    notes = [without_wins] if without_wins else []
    notes += [f"a bound from {BOUNDS[arm]}"] if arm in BOUNDS else []
    if foretold := sum(one.foretold for one in games):
        whole = 1 - sum(one.wrong for one in games) / foretold
        wrong = sum(one.wrong_parts for one in games) / foretold
        notes.append(f"foretold {whole:.0%} of {foretold} ticks whole, {wrong:.1f} wrong in a tick")
    wins = None if printed is None or without_wins else printed.win_rate
    lost = "-" if line.ticks_lost is None else f"{line.ticks_lost:.0f}"
    ticks = "-" if line.ticks_won is None else f"{line.ticks_won:.0f}"
    return [
        Reading(
            game,
            f"{arm}, wins",
            wins,
            line.win_rate,
            "; ".join(notes),
            interval=won.interval,
            cases=won.cases,
            margin=ALIKE / 100,
            relation="same" if arm in BOUNDS else "no less",
        ),
        Reading(
            game,
            f"{arm}, score",
            None if printed is None else printed.score,
            line.score,
            f"ticks won {ticks}, lost {lost}",
            interval=score.interval,
            cases=score.cases,
        ),
    ]
