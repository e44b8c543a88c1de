"""The printed results of the editions of the GVGAI competition.

Winners are those of table 2.1 of the GVGAI book; places and wins in the thirty games of 2015 those
of tables 1 and 2 of T. Joppen et al., *Informed Hybrid Game Tree Search* (2018).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

AGENTS = ("YOLOBOT", "RETURN 42", "PSUKO", "THORBJRN", "NOVTEA")
TOTALS: Mapping[str, tuple[int, ...]] = {
    "GECCO": (141, 75, 89, 115, 45),
    "CIG": (76, 115, 70, 34, 61),
    "CEEC": (89, 86, 110, 32, 52),
}
"""points of each agent in a leg of 2015"""
FIRST_PLACES = (6, 5, 5, 2, 2)
WINNER_OF_GECCO_2015 = 63.8  # per cent of games won, in table 2.1 of the book
WINNERS = """
CIG 2014, adrienctx (OLETS), 51.2 %
GECCO 2015, YOLOBOT, 63.8 %
CIG 2015, Return42, 35.8 %
CEEC 2015, YBCriber, 39.2 %
GECCO 2016, MaastCTS2, 43.6 %
CIG 2016, YOLOBOT, 41.6 %
GECCO 2017, YOLOBOT, 42.4 %
WCCI 2018, asd592, 39.6 %
"""
# Of each game of 2015: the place of each agent, - outside of the first ten; then per cent of games
# that YOLOBOT won.
PLACES = """
GECCO
  solarfox          1 3 4 - -    94
  defender          1 - - 3 -    80
  enemycitadel      - 2 10 1 -   0
  crossfire         1 - 7 2 6    88
  lasers            6 4 1 - 7    2
  sheriff           - - - 5 -    98
  chopper           - 5 1 4 -    32
  superman          2 5 - 6 1    100
  waitforbreakfast  3 - 4 1 -    92
  cakybaky          1 5 6 9 7    52
CIG
  angelsdemons      - 1 - - 2    0
  assemblyline      - - - - -    60
  avoidgeorge       2 - - 6 -    40
  cops              - 1 9 - 2    0
  freeway           - - 9 - -    0
  racebet           - - 2 - 6    56
  run               6 - 1 - 7    100
  thesnowman        1 3 - 4 -    100
  waves             3 1 6 7 5    24
  witnessprotection 5 1 3 6 10   74
CEEC
  colourescape      9 - 5 - 2    20
  labyrinthdual     6 4 10 5 -   80
  shipwreck         2 1 3 - 10   100
  bomber            2 - 3 5 1    14
  fireman           2 5 3 4 -    4
  rivers            - 3 - - -    0
  chainreaction     - - - - -    0
  islands           - - 1 - -    2
  clusters          1 4 8 - 6    60
  dungeon           - 4 1 - -    2
"""


@dataclass(frozen=True, slots=True)
class PrintedGame:
    """A game of 2015: the places of the agents, and how often YOLOBOT won."""

    places: Mapping[str, int | None]
    wins: float
    """per cent"""


def legs() -> dict[str, dict[str, PrintedGame]]:
    """The games of each leg, by name."""
    found: dict[str, dict[str, PrintedGame]] = {}
    for line in PLACES.strip().splitlines():
        if not line.startswith(" "):
            leg = found.setdefault(line, {})
            continue
        name, *places, wins = line.split()
        known = (None if one == "-" else int(one) for one in places)
        leg[name] = PrintedGame(dict(zip(AGENTS, known, strict=True)), float(wins))
    return found
