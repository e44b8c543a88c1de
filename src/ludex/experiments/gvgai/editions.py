"""EXP-12: editions of the competition, their ranking and the winner whose method is known."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from statistics import fmean

from ludex.agents.compose import make_agent
from ludex.arena.statistics.ranking import standings
from ludex.core.budget import Budget
from ludex.core.rng import Rng
from ludex.experiments.collection import Collection
from ludex.experiments.estimates import mean_share
from ludex.experiments.gvgai.editions_printed import (
    AGENTS,
    FIRST_PLACES,
    TOTALS,
    WINNER_OF_GECCO_2015,
    WINNERS,
    PrintedGame,
    legs,
)
from ludex.experiments.judge import ALIKE
from ludex.experiments.prediction.arms import Arm, play
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey

LONGEST = 2000  # ticks
PLAN: dict[Scale, tuple[int, int, int]] = {
    "tiny": (0, 0, 0),
    "small": (1, 1, 200),
    "full": (5, 10, 900),
}
"""levels of each game, repetitions, and model calls of a decision; nothing is played at tiny"""


class Editions(Survey):
    """The rules of the ranking applied to printed places, and YOLOBOT in the games of 2015."""

    id = "EXP-12"
    title = "does the ranking give the printed results, and how often does YOLOBOT win?"
    source = "Perez-Liebana et al. 2019, table 2.1; Joppen et al. 2018, tables 1 and 2"
    takes_games = True
    deviations = (
        "each game, places give 25, 18, 15, 12, 10, 8, 6, 4, 2 and 1 points; ties of totals go to "
        "more first places, then second ones, and so on; only the first five agents overall are "
        "printed game by game",
        "our yolobot follows the description, with model calls where the original had 40 ms on a "
        "machine that is not known; small plays the first level of each game once with 200 calls, "
        "full five levels ten times with 900; tiny plays nothing",
        "of the games of 2015 the public release lacks fireman, labyrinthdual, shipwreck and "
        "superman; printed wins are means over the games that are there",
        "wins in per cent are those of the version that competed",
        "open: the other winners. Of Return42, YBCriber, MaastCTS2 and asd592 no method is "
        "described well enough to make them again; adrienctx is OLETS, and the secret games of "
        "2014, 2016 and 2017 are not named by the source. Its table: "
        + "; ".join(WINNERS.strip().splitlines()),
        "open: two-player points (adrienctx 142 and 169, ToVo2 178 and 161 of 250), because the "
        "games and the other entrants are not named; votes on generated levels, because people "
        "gave them",
    )

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        self.plan = PLAN[scale]
        found: dict[str, Part] = {"ranking": self.ranking}
        if self.plan[0]:
            found.update({leg: partial(self.leg, leg, games) for leg, games in legs().items()})
        return found

    def ranking(self) -> list[Reading]:
        """Points, order and first places, from the printed places."""
        table = legs()
        readings: list[Reading] = []
        for leg, games in table.items():
            found = {one.agent: one.points for one in standings(places_of(games))}
            readings += [
                exactly(f"points in {leg} 2015, {agent}", printed, found[agent])
                for agent, printed in zip(AGENTS, TOTALS[leg], strict=True)
            ]
        every = {
            f"{leg} {game}": one for leg, games in table.items() for game, one in games.items()
        }
        order = standings(places_of(every))
        place = {one.agent: one.place for one in order}
        first = {one.agent: one.count(1) for one in order}
        for number, agent in enumerate(AGENTS):
            readings += [
                exactly(f"place of 2015, {agent}", number + 1, place[agent]),
                exactly(f"first places of 2015, {agent}", FIRST_PLACES[number], first[agent]),
            ]
        mean = round(fmean(one.wins for one in table["GECCO"].values()), 1)
        what = "games won by the winner of GECCO 2015, %"
        return [*readings, exactly(what, WINNER_OF_GECCO_2015, mean, "the mean of its games")]

    def leg(self, leg: str, games: Mapping[str, PrintedGame]) -> list[Reading]:
        """The games of a leg that are here, played by our yolobot."""
        collection = self.collection or Collection.of_ludex()
        levels, repetitions, calls = self.plan
        here = [name for name in games if name in collection.worlds]
        arm = Arm("yolobot", make_agent("yolobot"))
        by_level: list[float] = []
        notes: list[str] = []
        for name in here:
            worlds = [collection.world(name).clone(level=level) for level in range(levels)]
            wins = [
                fmean(
                    play(arm, None, world, Budget(model_calls=calls), LONGEST, dice)[0].won
                    for number in range(repetitions)
                    for dice in [Rng(0).fork(self.id, name, level, number)]
                )
                for level, world in enumerate(worlds)
            ]
            by_level += wins
            notes.append(f"{name} {games[name].wins:.0f}/{100 * fmean(wins):.0f}")
        if not here:
            return []
        found = mean_share(by_level)
        interval = None if found.interval is None else (100 * found.low, 100 * found.high)
        return [
            Reading(
                leg,
                "yolobot, % won",
                fmean(games[name].wins for name in here),
                100 * found.mean,
                f"printed/measured: {', '.join(notes)}",
                interval=interval,
                cases=found.cases,
                margin=ALIKE,
            )
        ]


def exactly(what: str, printed: float, measured: float, note: str = "") -> Reading:
    """A number that follows from printed ones, and must be the same."""
    return Reading("ranking", what, printed, measured, note, margin=0.0)


def places_of(games: Mapping[str, PrintedGame]) -> dict[str, Mapping[str, int | None]]:
    return {name: one.places for name, one in games.items()}
