"""What a search makes of what a learned model does not know: by the model alone, for any planner.

Games of one cell. What the model is sure of, and what it only guesses, is worked out by hand.
"""

from __future__ import annotations

import pytest
from object_games import scene
from tile_games import TRAITS, grid, step

from ludex.agents.compose import make_agent
from ludex.core import Rng, registry
from ludex.core.budget import Budget
from ludex.core.object_list import NOBODY
from ludex.models.learned.decomposed import Decomposed
from ludex.models.learned.end_to_end import EndToEnd
from ludex.models.learned.ensemble import Ensemble
from ludex.models.learned.local import Local
from ludex.models.learned.object_based import ObjectBased

KNOWN, OTHER = 0, 1
CALLS = Budget(model_calls=400)
NOT_SEARCHING = ("do_nothing", "uniform")
NEARSIGHTED = ("one_step", "yolobot_greedy")
SETTINGS = {
    "mcts": "mcts(rollout_depth=5)",
    "ismcts": "ismcts(rollout_depth=5)",
    "rmhc": "rmhc(length=5)",
}
"""for those that would play an endless game to its end, or change the first action seldom"""


def searches():
    """All planners that can use a learned model of a game for one player, and look ahead."""
    model = Local(span=0).fit([step(cell("a"), 0, cell("a"))]).model(TRAITS)
    return [
        name
        for name in registry.names("planners")
        if name not in NOT_SEARCHING and not make_agent(name).refusal(model.traits)
    ]


def chosen(name, learner, seed=1):
    model = learner.model(TRAITS)
    return make_agent(SETTINGS.get(name, name)).decide(model, cell("a"), CALLS, Rng(seed)).action


def cell(tile, score=0.0):
    return grid(tile, kinds="abcde", score=score)


def stay(tile):
    return [step(cell(tile), action, cell(tile)) for action in (0, 1)]


# Sure of one point; of one and a half in three of five tries, and of nothing in the others.
RISKY = [
    *[step(cell("a"), KNOWN, cell("b", score=1.0))] * 5,
    *[step(cell("a"), OTHER, cell("c", score=1.5))] * 3,
    *[step(cell("a"), OTHER, cell("a"))] * 2,
    *stay("b"),
    *stay("c"),
]
# One action gives a point; the other was never tried, and is taken to give the same.
UNTRIED = [*[step(cell("a"), KNOWN, cell("b", score=1.0))] * 5, *stay("b")]
# A large prize behind a step that fails in two of five tries, a small one behind a sure step.
BEHIND = [
    *[step(cell("a"), KNOWN, cell("b"))] * 5,
    *[step(cell("a"), OTHER, cell("c"))] * 3,
    *[step(cell("a"), OTHER, cell("a"))] * 2,
    *[step(cell("b"), action, cell("d", score=1.0)) for action in (0, 1)],
    *[step(cell("c"), action, cell("e", score=5.0)) for action in (0, 1)],
    *stay("d"),
    *stay("e"),
]


def learned(seen, **model_settings):
    return Local(span=0, score="tree", features="changes", novelty=0.5, **model_settings).fit(seen)


@pytest.mark.parametrize("name", searches())
def test_a_search_that_discounts_takes_what_is_sure(name):
    assert chosen(name, learned(RISKY)) == OTHER
    assert chosen(name, learned(RISKY, discount=True)) == KNOWN


@pytest.mark.parametrize("name", searches())
def test_a_search_that_avoids_the_unseen_keeps_to_what_it_knows(name):
    assert chosen(name, learned(UNTRIED, curiosity=-3.0)) == KNOWN


@pytest.mark.parametrize("name", searches())
def test_a_search_that_seeks_the_unseen_tries_it(name):
    assert chosen(name, learned(UNTRIED, curiosity=3.0)) == OTHER


@pytest.mark.parametrize("name", [name for name in searches() if name not in NEARSIGHTED])
def test_a_search_that_trusts_little_looks_for_nothing_behind_what_is_unsure(name):
    assert chosen(name, learned(BEHIND)) == OTHER
    assert chosen(name, learned(BEHIND, trust=0.9)) == KNOWN


@pytest.mark.parametrize("name", ["breadth_first", "mcts", "rhea"])
def test_the_same_holds_of_ensembles(name):
    members = "local(span=0)+local(span=1)"
    kind = {"members": members, "score": "tree", "features": "changes"}
    assert chosen(name, Ensemble(**kind).fit(RISKY)) == OTHER
    assert chosen(name, Ensemble(**kind, discount=True).fit(RISKY)) == KNOWN
    assert chosen(name, Ensemble(**kind, curiosity=3.0).fit(UNTRIED)) == OTHER
    assert chosen(name, Ensemble(**kind, curiosity=-3.0).fit(UNTRIED)) == KNOWN


WON_AT_TIMES = [
    *[step(grid("a"), 0, grid("b", end="won"))] * 3,
    *[step(grid("a"), 0, grid("a"))] * 2,
    *[step(grid("a"), 1, grid("a"))] * 2,
]
COIN = scene(("A", 1, 2, 2), ("c", 2, 4, 4))
THINGS_WON_AT_TIMES = [
    *[step(COIN, 0, scene(("A", 1, 2, 2), end="won"))] * 3,
    *[step(COIN, 0, COIN)] * 2,
    *[step(COIN, 1, COIN)] * 2,
]


@pytest.mark.parametrize(
    ("kind", "seen", "start"),
    [
        *[(kind, WON_AT_TIMES, grid("a")) for kind in (Local, EndToEnd, Decomposed, Ensemble)],
        (ObjectBased, THINGS_WON_AT_TIMES, COIN),
    ],
)
def test_a_win_that_is_less_sure_than_trusted_is_none(kind, seen, start):
    """A search would find it first: nothing is nearer than what a wrong guess makes so."""
    for trust, winners in ((0.5, (0,)), (0.7, ())):
        model = kind(score="none", trust=trust).fit(seen).model(TRAITS)
        after = model.step(model.imagine(start, Rng(0)), (0,), Rng(0))
        assert after.confidence == pytest.approx(0.6)
        assert model.outcome(after).winners == winners


VANISHES = step(scene(("A", 1, 2, 2)), 0, scene())
DOUBLES = step(scene(("A", 1, 2, 2)), 1, scene(("A", 1, 2, 2), ("A", 2, 3, 2)))
ALONE = step(scene(), 0, scene())


@pytest.mark.parametrize("name", searches())
def test_a_search_goes_on_where_the_avatar_vanished_or_there_are_two(name):
    """What follows such a step nobody knows; the game goes on, as far as was seen."""
    model = ObjectBased().fit([VANISHES, DOUBLES, ALONE]).model(TRAITS)
    start = model.imagine(scene(("A", 1, 2, 2)), Rng(0))
    gone, two = (model.step(start, (action,), Rng(0)) for action in (0, 1))
    assert (gone.avatar, len(two.objects)) == (NOBODY, 2)
    view = scene(("A", 1, 2, 2))
    decided = make_agent(SETTINGS.get(name, name)).decide(model, view, CALLS, Rng(1))
    assert decided.action in (0, 1)
    assert decided.model_calls > 2  # it looked on from there
