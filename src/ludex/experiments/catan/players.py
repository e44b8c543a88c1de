"""Strength of agents for Catan, one against three of another kind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ludex.core.budget import Budget
from ludex.experiments.catan.evaluation import AMPLE, COUNTED, Evaluation, one_against_three
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey

SILENT = "catan[trades=none,view=open]"
"""the game of SmartSettlers: all cards lie open, and players do not trade"""
SEARCH = Budget(iterations=2000)  # of SmartSettlers, as printed
SURE = 1e-12  # smaller p-values are printed as this
DEAR = 2
"""games of a player that searches are so many times fewer"""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One agent against three of another."""

    agent: str
    others: str
    world: str = "catan"
    searches: bool = False

    def __str__(self) -> str:
        where = "" if self.world == "catan" else f" in {self.world}"
        return f"{self.agent} against three {self.others}{where}"

    def play(self, games: int) -> Evaluation:
        return one_against_three(
            self.agent,
            self.others,
            games=games // DEAR if self.searches else games,
            world=self.world,
            budget=SEARCH if self.searches else AMPLE,
        )

    def readings(self, games: int) -> list[Reading]:
        """The win rate with its test, and what the agent did."""
        found = self.play(games)
        low, high = found.interval
        row = found.behaviour.row()
        p_text = f"p {found.p:.2g}" if found.p > SURE else f"p < {SURE}"
        did = ", ".join(f"{kind} {row[f'{kind} %']:.0f} %" for kind in COUNTED)
        return [
            Reading(
                "5.1",
                f"{self}, % won",
                None,
                100 * found.rate,
                f"z {found.z:+.1f}, {p_text}; {found.depth:.0f} steps and {found.offers:.1f} "
                "offers a game",
                interval=(100 * low, 100 * high),
                cases=found.games,
            ),
            Reading(
                "5.3",
                "its actions a game",
                None,
                row["actions"],
                f"{did}; {row['points']:.1f} points, army gained {row['largest army']:.2f}, road "
                f"{row['longest road']:.2f}, {row['cards from dice']:.0f} cards from dice",
            ),
        ]


PAIRINGS = (
    Pairing("catan/stac", "catan/jsettlers"),
    Pairing("catan/jsettlers", "catan/stac"),
    Pairing("catan/smart_settlers", "catan/stac", SILENT, searches=True),
    Pairing("catan/smart_settlers", "catan/jsettlers", SILENT, searches=True),
    Pairing("catan/greedy", "catan/weighted"),
    Pairing("catan/weighted", "catan/type_uniform"),
    Pairing("catan/type_uniform", "uniform"),
)


class Players(Survey):
    """Whether the players of catan are in the order that they should be."""

    id = "CATAN-PLAYERS"
    title = "how do the players of catan fare, one against three?"
    source = (
        "the protocol of M. S. Dobre, Low-resource Learning in Complex Games, 2018, section 3.5"
    )
    deviations = (
        "fewer games than the 2,000 of the source, and half of them where a player searches",
        "smart_settlers searches 2,000 iterations for each decision, in the open game",
    )

    def parts(self, scale: Scale) -> dict[str, Part]:
        games = {"tiny": 8, "small": 80, "full": 2000}[scale]
        return {str(one): partial(one.readings, games) for one in PAIRINGS}
