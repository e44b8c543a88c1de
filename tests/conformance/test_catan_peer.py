"""Random games of catan beside an independent program, where it is installed.

Known defects of catanatron 3.2.1 that make games differ a little: a road that ends at another's
building counts one less, the longest road is kept below five after a cut, nobody is paid when the
bank is short, points won off turn end the game at once, and road building is only offered to one
who could pay for a road, so that it is played half as often and fewer roads are built.
"""

from collections import Counter

import numpy as np
import pytest
from catan_as_listed import LABELS, play_as_listed
from scipy.stats import mannwhitneyu

GAMES = 150
CERTAIN = 1e-4  # a fixed seed that falls below this shows another game
peer = pytest.importorskip("catanatron", reason="catanatron is not installed")


def play_theirs(seed):
    game = peer.Game([peer.RandomPlayer(colour) for colour in list(peer.Color)[:4]], seed=seed)
    game.play()
    counts = Counter(action.action_type.name for action in game.state.actions)
    return Counter({ours: counts[theirs] for theirs, ours in LABELS.items()}) + Counter(
        turns=game.state.num_turns
    )


@pytest.fixture(scope="module")
def games():
    return [play_as_listed(seed) for seed in range(GAMES)], [
        play_theirs(seed) for seed in range(GAMES)
    ]


@pytest.mark.parametrize("kind", ["turns", "settlement", "city", "buy", "trade", "knight"])
def test_lengths_and_actions_are_distributed_as_in_the_other_program(games, kind):
    ours, theirs = ([game[kind] for game in side] for side in games)
    assert mannwhitneyu(ours, theirs).pvalue > CERTAIN
    assert np.mean(ours) == pytest.approx(np.mean(theirs), rel=0.25)
