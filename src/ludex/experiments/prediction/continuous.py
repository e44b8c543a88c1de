"""PBS-48: continuous learning, agents that learn while they play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from ludex.arena.statistics.ranking import Line
from ludex.core.budget import Budget
from ludex.experiments.estimates import mean_share
from ludex.experiments.judge import ALIKE
from ludex.experiments.prediction.arms import Arm, Played, play, readings_of
from ludex.experiments.prediction.printed import CONTINUOUS, CURVES
from ludex.experiments.prediction.rounds import BUDGET_NOTE, MISSING, Rounds
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Reading

DISCOUNT = 0.95
EXPANSIONS = 100
PLAN: dict[Scale, tuple[int, int, int]] = {
    "tiny": (5, 5, 1000),
    "small": (5, 5, 1000),
    "full": (10, 5, 2000),
}
"""epochs, levels and most ticks of a game; the first games end by themselves before a thousand"""
ARMS = ("Random", "LFM-BFS", "OBFM-BFS", "OBFM-BFS beyond", "true BFS")
WELL, SOON = 0.8, 4
"""the share of wins, and the epoch, by which the source's first game is played well"""
NO_WINS = "the source never recorded its wins"


class Continuous(Rounds):
    """Levels in turn, epoch by epoch, with models that are fitted again while they are used."""

    id = "PBS-48"
    title = "how soon does an agent that is told no rules play well?"
    source = "A. Dockhorn 2020, section 4.11.2, tables A.33 to A.47 and figure A.3"
    printed = CONTINUOUS
    deviations = (
        MISSING,
        "small has 6 games, 5 levels, 5 epochs and at most 1,000 ticks a game, and tiny the first "
        "of these games and all else alike; full is the protocol: 15 games, 5 levels, 10 epochs, "
        "2,000 ticks",
        "printed wins of LFM-BFS are those of the epochs that are played; its scores and all of "
        "OBFM-BFS are means over ten epochs, and compared where as many are played",
        "who wins more than printed has learned no worse",
        "the arm from above is the same search with the rules; the source has none",
        "the source's wins of OBFM-BFS are no target: its script never recorded them",
        BUDGET_NOTE,
    )

    def part(self, game: str, printed: Mapping[str, Line]) -> list[Reading]:
        readings: list[Reading] = []
        for label in ARMS:
            epochs = self.learn(game, label)
            every = [one for epoch in epochs for one in epoch]
            self.note_line(game, label, every)
            reason = NO_WINS if label == "OBFM-BFS" else ""
            found = readings_of(game, label, every, printed.get(label), reason)
            readings += found if label == "Random" else self.of_these_epochs(game, label, found)
            if label in ("LFM-BFS", "OBFM-BFS"):
                readings += self.curve(game, label, epochs)
        return readings

    def of_these_epochs(self, game: str, label: str, found: list[Reading]) -> list[Reading]:
        """Compare means over epochs with what was printed of the same epochs."""
        epochs = PLAN[self.scale][0]
        if epochs == len(printed_curve(game)):
            return found
        wins, score = found
        if label == "LFM-BFS":
            wins = replace(wins, printed=fmean(printed_curve(game)[:epochs]))
        return [wins, replace(score, compared=False)]

    def learn(self, game: str, label: str) -> list[list[Played]]:
        """Play all epochs; what is learned goes on from game to game."""
        epochs, levels, most = PLAN[self.scale]
        arm = Arm.named(label, DISCOUNT, "learn=continuous,refit=100")
        budget = Budget(iterations=EXPANSIONS)
        known = None
        played: list[list[Played]] = []
        for epoch in range(epochs):
            games: list[Played] = []
            for level in range(levels):
                dice = self.dice(game, epoch, level)
                one, known = play(arm, known, self.level(game, level), budget, most, dice)
                games.append(one)
            played.append(games)
        return played

    def curve(self, game: str, label: str, epochs: list[list[Played]]) -> list[Reading]:
        """Wins epoch by epoch, against ticks of experience."""
        readings: list[Reading] = []
        experience = 0
        for number, games in enumerate(epochs):
            experience += sum(one.ticks for one in games)
            wins = mean_share([one.won for one in games])
            known = printed_curve(game)[number] if label == "LFM-BFS" else None
            what = f"{label}, wins in epoch {number + 1}"
            readings.append(
                Reading(
                    game,
                    what,
                    known,
                    wins.mean,
                    f"after {experience} ticks",
                    interval=wins.interval,
                    cases=wins.cases,
                    margin=ALIKE / 100,
                    relation="no less",
                )
            )
        if label == "LFM-BFS" and len(epochs) >= SOON:
            readings.append(soon_well(game, [fmean(one.won for one in each) for each in epochs]))
        return readings


def printed_curve(game: str) -> tuple[float, ...]:
    """The printed wins of LFM-BFS in each epoch."""
    return CURVES.get(game, (0,) * 10)


def soon_well(game: str, wins: Sequence[float]) -> Reading:
    """Whether LFM-BFS wins four fifths of an epoch within the first four: what its curve shows."""
    printed, measured = (max(one[:SOON]) >= WELL for one in (printed_curve(game), wins))
    what = f"LFM-BFS wins {WELL:.0%} of an epoch within {SOON}, 1: yes"
    return Reading(game, what, float(printed), float(measured), margin=0.0, relation="no less")
