"""Printed numbers of the studies of prediction-based search.

A. Dockhorn, *Prediction-based Search for Autonomous Game-Playing* (2020), appendices A.5 and A.6,
and the learning curves of its figure A.3 from the arrays that its author made public.
"""

from __future__ import annotations

from ludex.arena.statistics.ranking import Line

PRINTED_ARMS = ("Random", "LFM-BFS", "OBFM-BFS")
# Each: share of games won, mean score, mean ticks of won games, mean ticks of lost games.
CONTINUOUS = """
bait             | 0.06 1.28 111.33 427.3 | 0.16 2.64 19.88 149.69 | 0 1 - 716.22
catapults        | 0 0.38 - 10.9 | 0 0.74 - 9.91 | 0 1.02 - 178.75
chipschallenge   | 0 4.22 - 418.9 | 0 2.27 - 436.54 | 0 2.86 - 1060.39
clusters         | 0 -0.86 - 58.15 | 0 -0.52 - 120.5 | 0 -0.42 - 100.8
decepticoins     | 0.54 1.8 667.78 326.65 | 0.6 4.76 72.23 76.05 | 0 1.98 - 1225.92
escape           | 0 -1 - 117.96 | 0.04 -0.92 31 107.4 | 0 -0.22 - 861.56
garbagecollector | 0 -1 - 14.72 | 0 -1 - 54.42 | 0 -0.96 - 15.98
hungrybirds      | 0 0.8 - 356.5 | 0.94 94 76.43 448 | 0 76.4 - 515.38
iceandfire       | 0 1.5 - 230.78 | 0.06 6.3 208 70.04 | 0 6.33 - 307.06
islands          | 0 0 - 23.1 | 0 0 - 133 | 0 0 - 245.56
labyrinth        | 0.02 -0.62 462 565.31 | 0.72 0.44 101.31 100.64 | 0 0.72 - 110.46
labyrinthdual    | 0 0.32 - 364.16 | 0.28 4.32 138.21 377.72 | 0 2.36 - 480.3
painter          | 0.22 447.72 245.64 1998 | 1 80.1 156.14 - | 0 23.08 - 1998
run              | 0 0 - 72.8 | 0 0 - 92.78 | 0 0 - 90.16
watergame        | 0 0 - 38.62 | 0 0 - 25.26 | 0 0 - 1041.7
"""
TRANSFER = """
bait             | 0 2.25 111.33 427.3 | 0 1 - 1201.65 | 0 1.5 - 1118.35
catapults        | 0 0.25 - 10.9 | 0 0.5 - 219.75 | 0 0.45 - 1199.85
chipschallenge   | 0 0.5 - 418.9 | 0 0 - 669.85 | 0 0 - 1250.65
clusters         | 0 -0.78 - 58.15 | 0 -0.2 - 982.6 | 0 0 - 749.5
decepticoins     | 0 1.5 667.78 326.65 | 0.05 1.05 206 84.63 | 0.5 0.5 58.1 9
escape           | 0 -1 - 117.96 | 0 -0.4 - 737.55 | 0 0 - 998
garbagecollector | 0 -1 - 14.72 | 0 -1 - 5.4 | 0 -0.5 - 30.65
hungrybirds      | 0 2 - 356.5 | 1 100 100.2 - | 0.25 25 115.6 298
iceandfire       | 0 0.55 - 230.78 | 0 2.45 - 329.55 | 0 1.45 - 498
islands          | 0 0 - 23.1 | 0 0 - 14.9 | 0 0 - 503.45
labyrinth        | 0 -0.85 462 565.31 | 0 -0.05 - 948.7 | 0.05 -0.9 172 99.42
labyrinthdual    | 0 -0.65 - 364.16 | 0 -0.1 - 601.85 | 0 -1 - 18.35
painter          | 0.5 244.85 245.64 1998 | 0.25 256.05 227 1998 | 0.5 285.7 469.3 1998
run              | 0 0 - 72.8 | 0 0 - 69.55 | 0 0 - 93.65
watergame        | 0 0 - 38.62 | 0 0 - 116.2 | 0 0 - 609.2
"""
CURVES = {
    "bait": (0, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0, 0.2),
    "decepticoins": (0.6,) * 10,
    "escape": (*(0,) * 8, 0.2, 0.2),
    "hungrybirds": (0.8, 1, 1, 0.8, 1, 1, 0.8, 1, 1, 1),
    "iceandfire": (0, 0, 0, 0, 0, 0.2, 0, 0.2, 0.2, 0),
    "labyrinth": (0, 0, 0.6, 1, 0.8, 1, 1, 0.8, 1, 1),
    "labyrinthdual": (0, 0.2, 0, 0.2, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4),
    "painter": (1,) * 10,
}
"""wins of LFM-BFS in each epoch of continuous learning; in all other games none"""


def read_lines(text: str) -> dict[str, dict[str, Line]]:
    """Read a printed table: a line for each game, with a cell for each arm.

    >>> read_lines("chess | 0 1 - 20 | 1 2 30 - | 0 3 - 9")["chess"]["LFM-BFS"].ticks_won
    30.0
    """
    table: dict[str, dict[str, Line]] = {}
    for line in text.strip().splitlines():
        game, *cells = (cell.strip() for cell in line.split("|"))
        table[game] = {arm: read_line(cell) for arm, cell in zip(PRINTED_ARMS, cells, strict=True)}
    return table


def read_line(cell: str) -> Line:
    wins, score, won, lost = (None if word == "-" else float(word) for word in cell.split())
    assert wins is not None
    assert score is not None
    return Line(wins, score, ticks_won=won, ticks_lost=lost)
