"""PBS-48: continuous learning, agents that learn while they play."""

from __future__ import annotations

from collections.abc import Mapping

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
    "tiny": (3, 3, 150),
    "small": (5, 5, 300),
    "full": (10, 5, 2000),
}
"""epochs, levels and most ticks of a game"""
ARMS: dict[Scale, tuple[str, ...]] = {
    "tiny": ("Random", "LFM-BFS", "OBFM-BFS", "true BFS"),
    "small": ("Random", "LFM-BFS", "OBFM-BFS", "OBFM-BFS beyond", "true BFS"),
    "full": ("Random", "LFM-BFS", "OBFM-BFS", "OBFM-BFS beyond", "true BFS"),
}
NO_WINS = "the source never recorded its wins"


class Continuous(Rounds):
    """Levels in turn, epoch by epoch, with models that are fitted again while they are used."""

    id = "PBS-48"
    title = "how soon does an agent that is told no rules play well?"
    source = "A. Dockhorn 2020, section 4.11.2, tables A.33 to A.47 and figure A.3"
    printed = CONTINUOUS
    deviations = (
        MISSING,
        "tiny has 2 games, the first 3 levels, 3 epochs and at most 150 ticks a game; small 6 "
        "games, 5 levels, 5 epochs and 300 ticks; full is the protocol: 15 games, 5 levels, 10 "
        "epochs, 2,000 ticks",
        "the arm from above is the same search with the rules; the source has none",
        "the source's wins of OBFM-BFS are no target: its script never recorded them",
        BUDGET_NOTE,
    )

    def part(self, game: str, printed: Mapping[str, Line]) -> list[Reading]:
        readings: list[Reading] = []
        for label in ARMS[self.scale]:
            epochs = self.learn(game, label)
            every = [one for epoch in epochs for one in epoch]
            self.note_line(game, label, every)
            reason = NO_WINS if label == "OBFM-BFS" else ""
            readings += readings_of(game, label, every, printed.get(label), reason)
            if label in ("LFM-BFS", "OBFM-BFS"):
                readings += self.curve(game, label, epochs)
        return readings

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
            known = CURVES.get(game, (0,) * 10)[number] if label == "LFM-BFS" else None
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
                )
            )
        return readings
