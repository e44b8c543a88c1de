"""PBS-43: clusters of games by the ranks of players in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from scipy.cluster.hierarchy import dendrogram, fcluster, linkage

from ludex.arena.statistics.ranking import places, points_of
from ludex.core.whole_file import write_whole
from ludex.experiments.prediction.constant_printed import ARMS, POINTS, printed
from ludex.experiments.scale import Scale
from ludex.experiments.survey import Part, Reading, Survey

CLUSTERS = 4
"""as many as the source names: good for local models, good for object-based ones, games that chance
helps in, and games that chance hurts in"""
APART = (("painter", "labyrinthdual"), ("sokoban", "realsokoban"))
"""games that the source names as better for local and for object-based models"""
WIDTH, HEIGHT, LEFT, FOOT = 900, 360, 50, 110


class Clusters(Survey):
    """The printed ranks of seven players in thirty games, computed again and clustered."""

    id = "PBS-43"
    title = "which games are alike to players that learn?"
    source = "A. Dockhorn 2020, section 4.11.1, tables 4.4 and A.3 to A.32"
    deviations = (
        "places are worked out from the printed means; nothing is played at any scale. PBS-47 "
        "clusters the games that it plays",
        "complete linkage of places as in the source; that the distance is Euclid's is our "
        "reading, and the tree is cut into four where the source cut by hand",
    )

    def parts(self, scale: Scale) -> Mapping[str, Part]:
        ranks = {game: ranks_of(game) for game in printed()}
        return {"places": partial(check_places, ranks), "clusters": partial(self.cluster, ranks)}

    def cluster(self, ranks: Mapping[str, Sequence[int]]) -> list[Reading]:
        write_whole(self.folder / "pbs-43.svg", dendrogram_svg(ranks).encode(), "the picture")
        groups = clusters_of(ranks, CLUSTERS)
        readings = [
            Reading("cluster", game, None, groups[game], " ".join(map(str, ranks[game])))
            for game in sorted(ranks, key=lambda one: (groups[one], one))
        ]
        local, objects = ({groups[game] for game in pair} for pair in APART)
        readings.append(
            Reading(
                "claims",
                "painter and labyrinthdual apart from sokoban and realsokoban",
                1,
                float(not local & objects),
                "1: yes",
            )
        )
        return readings


def ranks_of(game: str) -> list[int]:
    """The ranks of the players in a game, by their printed means."""
    return places([one.line for one in printed()[game].values()], "prediction")


def check_places(ranks: Mapping[str, Sequence[int]]) -> list[Reading]:
    """How many printed ranks are reproduced, and the points over all games."""
    table = printed()
    same = sum(
        ours == one.place
        for game, own in ranks.items()
        for ours, one in zip(own, table[game].values(), strict=True)
    )
    readings = [Reading("places", "that the rule gives", len(ranks) * len(ARMS), same)]
    for column, (arm, points) in enumerate(zip(ARMS, POINTS, strict=True)):
        ours = sum(points_of(own[column]) for own in ranks.values())
        readings.append(Reading("points", arm, points, ours))
    return readings


def clusters_of(ranks: Mapping[str, Sequence[int]], count: int) -> dict[str, int]:
    """The number of each game's cluster; clusters are numbered by their first games."""
    if len(ranks) < 2:
        return dict.fromkeys(ranks, 1)
    tree = linkage(np.array(list(ranks.values()), float), "complete")
    found = fcluster(tree, count, "maxclust").tolist()
    order = list(dict.fromkeys(found))
    return {game: 1 + order.index(number) for game, number in zip(ranks, found, strict=True)}


def dendrogram_svg(ranks: Mapping[str, Sequence[int]]) -> str:
    """The tree of games, as a picture."""
    tree = linkage(np.array(list(ranks.values()), float), "complete")
    drawn = dendrogram(tree, labels=list(ranks), no_plot=True)
    across = (WIDTH - LEFT) / (10 * len(ranks))  # leaves lie ten apart
    up = (HEIGHT - FOOT - 20) / float(tree[-1, 2])
    ground = HEIGHT - FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for xs, ys in zip(drawn["icoord"], drawn["dcoord"], strict=True):
        points = " ".join(
            f"{LEFT + x * across:.1f},{ground - y * up:.1f}" for x, y in zip(xs, ys, strict=True)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="#3b76d4" stroke-width="1.6"/>'
        )
    for index, game in enumerate(drawn["ivl"]):
        x = LEFT + (10 * index + 5) * across
        parts.append(
            f'<text x="{x:.1f}" y="{ground + 8}" text-anchor="end" '
            f'transform="rotate(-60 {x:.1f} {ground + 8})">{game}</text>'
        )
    return "\n".join([*parts, "</svg>"])
