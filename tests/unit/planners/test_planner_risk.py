"""Risk-averse search: measures worked by hand, solved gambles, models that disagree."""

from __future__ import annotations

import pytest
from gambles import Bet, Gambles, Learned, Opinions
from hypothesis import given, settings
from hypothesis import strategies as st
from tile_games import TRAITS, grid, step

from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BadParameter, Unsupported
from ludex.models.learned.ensemble import Ensemble
from ludex.planners.open_loop_mcts import OpenLoopMcts
from ludex.planners.parts.risk import cvar, quantile
from ludex.planners.risk_averse_mcts import RiskAverseMcts

# The gamble is worth 0.8 - 0.2 = 0.6 on average. Its worst fifth is -1, and its worst half is
# (0.2 * -1 + 0.3 * 1) / 0.5 = 0.2. The safe action always pays 0.4.
GAMBLE = {"g": [(1.0, 0.8), (-1.0, 0.2)], "s": [(0.4, 1.0)]}


def decided(model, planner, iterations=2000, seed=1):
    model = model.metered(Meter())
    view = model.view(Bet(), 0)
    return planner.decide(model, view, Budget(iterations=iterations), Rng(seed))


# Measures, by hand


def test_cvar_is_the_mean_of_the_worst_share():
    results = [-4.0, 0.0, 1.0, 2.0]
    assert cvar(results, 0.25) == -4.0
    assert cvar(results, 0.5) == -2.0
    assert cvar(results, 0.375) == pytest.approx(-4.0 / 1.5)  # half of the second one counts
    assert cvar(results, 0.1) == pytest.approx(-4.0)  # less than one result is the worst
    assert cvar(results, 1.0) == pytest.approx(-0.25)


def test_a_quantile_is_the_best_of_the_worst_share():
    results = [-4.0, 0.0, 1.0, 2.0]
    assert [quantile(results, share) for share in (0.1, 0.25, 0.26, 0.5, 1.0)] == [-4, -4, 0, 0, 2]
    assert quantile([float(one) for one in range(1, 101)], 0.07) == 7.0  # 0.07 * 100 rounds up


RESULTS = st.lists(st.floats(-10, 10), min_size=1, max_size=20).map(sorted)


@settings(max_examples=60, deadline=None)
@given(RESULTS, st.floats(0.01, 1.0), st.floats(0.01, 1.0))
def test_the_less_counts_the_worse_it_looks(results, one, other):
    low, high = sorted((one, other))
    assert cvar(results, low) <= cvar(results, high) + 1e-9
    assert cvar(results, high) <= quantile(results, high) + 1e-9
    assert cvar(results, 1.0) == pytest.approx(sum(results) / len(results), abs=1e-9)


# A solved gamble


@pytest.mark.parametrize(
    ("planner", "action", "gamble"),
    [
        (RiskAverseMcts(risk=1), "g", 0.6),
        (RiskAverseMcts(risk=0.9), "g", (0.7 - 0.2) / 0.9),
        (RiskAverseMcts(risk=0.5), "s", 0.2),
        (RiskAverseMcts(risk=0.2), "s", -1.0),
        (RiskAverseMcts(risk=0.1, measure="quantile"), "s", -1.0),
        (RiskAverseMcts(risk=0.5, measure="quantile"), "g", 1.0),
    ],
    ids=str,
)
def test_the_worst_share_decides_between_a_gamble_and_a_safe_action(planner, action, gamble):
    found = decided(Gambles(GAMBLE), planner.clone(exploration=30.0))  # both are tried often
    assert found.values["g"] == pytest.approx(gamble, abs=0.06)
    assert found.values["s"] == pytest.approx(0.4)
    assert decided(Gambles(GAMBLE), planner).action == action


def test_later_decisions_avoid_risks_too_unless_the_root_alone_does():
    later = {"xg": GAMBLE["g"], "xs": GAMBLE["s"], "y": [(0.3, 1.0)]}
    # After x a careful self takes s, so x is worth 0.4 but for the tries before it knew.
    careful = decided(Gambles(later), RiskAverseMcts(risk=0.2), 4000)
    assert careful.action == "x"
    assert careful.values["x"] == pytest.approx(0.4, abs=0.05)
    # A neutral self takes g after x, so a fifth of the results of x is -1.
    bold = decided(Gambles(later), RiskAverseMcts(risk=0.2, within="root"), 4000)
    assert bold.action == "y"
    assert bold.values["x"] < 0.0


@pytest.mark.parametrize("world", ["vgdl/aliens", "pig", "connect_four", "goofspiel"])
def test_a_risk_of_one_decides_as_open_loop_mcts(world):
    played = registry.world(world)
    settings = {"rollout_depth": 12, "native": False}
    neutral = RiskAverseMcts(risk=1, **settings)
    for seed in range(3):
        state = played.start(Rng(seed))
        model = played.model.metered(Meter())
        model.settle(state, Rng(seed))
        view = model.view(state, model.to_act(state)[0])
        found = [
            one.decide(model, view, Budget(iterations=60), Rng(seed))
            for one in (neutral, OpenLoopMcts(**settings))
        ]
        mine, plain = ((one.action, one.visits, one.values, one.depth) for one in found)
        assert mine == plain


def test_it_notes_why_it_searches_in_python():
    world = registry.world("vgdl/aliens")
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(0)), 0)
    made = RiskAverseMcts().decide(model, view, Budget(iterations=5), Rng(0))
    assert made.notes["search"] == "python: only Python keeps all results of an action"


# Models that disagree

SAFE = {"s": [(0.0, 1.0)]}
GOOD, BAD = ({"g": [(payoff, 1.0)], **SAFE} for payoff in (1.0, -0.5))


def test_where_models_disagree_the_risk_averse_one_keeps_away():
    both = Opinions(GOOD, BAD)
    assert decided(both, RiskAverseMcts(risk=1), 400).action == "g"  # 0.25 on average
    for over in ("returns", "models"):
        assert decided(both, RiskAverseMcts(risk=0.4, over=over), 400).action == "s"
    assert decided(both, RiskAverseMcts(risk=0.4, alternatives="voted"), 400).action == "g"


def test_over_models_chance_within_a_model_is_no_risk():
    lottery = {"g": GAMBLE["g"], "s": [(0.4, 1.0)]}
    alike = Opinions(lottery, lottery)
    careful = {"risk": 0.5, "exploration": 30.0}  # both are tried often
    assert decided(alike, RiskAverseMcts(**careful)).values["g"] == pytest.approx(0.2, abs=0.07)
    by_model = decided(alike, RiskAverseMcts(over="models", **careful)).values["g"]
    assert by_model == pytest.approx(0.6, abs=0.07)  # each model has it at 0.6


# What becomes of `a` under action 0 depends on its right neighbour, which one member cannot see.
# It takes `a` to become c, as it mostly did, which costs 1; beside b it becomes b and gains 3.
TAKEN = [
    *[step(grid("ab"), 0, grid("bb", score=3.0))] * 8,
    *[step(grid("ac"), 0, grid("cc", score=-1.0))] * 16,
    *[step(grid("ab"), 1, grid("ab")), step(grid("ac"), 1, grid("ac"))] * 8,
]


def test_a_learned_ensemble_of_two_that_disagree_about_one_action():
    learner = Ensemble(members="local(span=0)+local(shape=cross,span=1)", features="changes")
    model = learner.fit(TAKEN).model(TRAITS).metered(Meter())
    single = model.alternatives()
    start = model.imagine(grid("ab"), Rng(0))
    gains = [one.score(one.step(start, (0,), Rng(0)), 0) for one in single]
    assert gains == pytest.approx([-1.0, 3.0], abs=0.1)
    settings = {"rollout": "none", "value": "score", "depth_from": "root", "rollout_depth": 1}
    for risk, action in ((1.0, 0), (0.4, 1)):
        planner = RiskAverseMcts(risk=risk, **settings)
        found = planner.decide(model, grid("ab"), Budget(iterations=200), Rng(2))
        assert found.action == action


def test_risks_are_taken_once_the_model_is_sure():
    planner = RiskAverseMcts(risk=0.2, confident=True, exploration=30.0)
    for sure, action in ((0.1, "s"), (0.95, "g")):
        found = decided(Learned(GAMBLE, {"g": sure}), planner)
        # The mean, 0.6, counts as much as the model is sure, and the worst fifth, -1, for the rest.
        assert found.values["g"] == pytest.approx(0.6 * sure - (1 - sure), abs=0.07)
        assert (
            decided(Learned(GAMBLE, {"g": sure}), planner.clone(exploration=1.4)).action == action
        )


# What does not fit


def test_models_are_compared_only_where_there_are_several():
    with pytest.raises(Unsupported, match=r"use risk_averse_mcts\(over=models\)@ensemble"):
        decided(Gambles(GAMBLE), RiskAverseMcts(over="models"))
    with pytest.raises(BadParameter, match="alternatives=voted draws none"):
        RiskAverseMcts(over="models", alternatives="voted")


def test_confidence_is_that_of_a_learned_model():
    with pytest.raises(Unsupported, match="needs a learned model"):
        decided(Gambles(GAMBLE), RiskAverseMcts(confident=True))


def test_a_share_lies_above_nothing_and_is_one_at_most():
    for share in (0.0, 1.5):
        with pytest.raises(BadParameter, match=r"risk"):
            RiskAverseMcts(risk=share)
