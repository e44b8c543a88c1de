"""Anonymous results: the names of hidden games are replaced.

In a competition, entries are told how they did on the hidden validation set, not what is in it.
"""

from __future__ import annotations

from dataclasses import replace

from ludex.arena.statistics.results import Results
from ludex.core.rng import Rng

HIDDEN = "not shown"


def anonymised(results: Results) -> Results:
    """The same numbers with games named G1, G2, ... in an order that the study's seed draws.

    Worlds, how games ended and what agents said when they failed could tell a game, and are
    left out; scores, ticks and levels are part of the results.
    """
    study = results.document
    labels = [one["label"] for one in study["games"]]
    Rng(study["seed"]).fork("anonymous").shuffle(labels)
    names = {label: f"G{index}" for index, label in enumerate(labels, start=1)}
    games = [{**one, "label": names[one["label"]], "world": HIDDEN} for one in study["games"]]
    return replace(
        results,
        document={**study, "games": sorted(games, key=lambda one: int(one["label"][1:]))},
        rows=tuple(
            replace(
                row,
                game=names[row.game],
                world=HIDDEN,
                reason=HIDDEN,
                mixed=HIDDEN if row.mixed else "",
            )
            for row in results.rows
        ),
        faults=tuple(
            replace(fault, game=names[fault.game], message=HIDDEN, trace="")
            for fault in results.faults
        ),
        abandoned=dict.fromkeys(results.abandoned, HIDDEN),
        versions={
            part: version
            for part, version in results.versions.items()
            if not part.startswith("world ")
        },
    )
