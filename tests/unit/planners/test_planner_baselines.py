"""Do nothing, flat Monte Carlo and random search's own behaviour."""

from __future__ import annotations

import pytest
from small_models import KEEN, KIND, Chosen, Lock, Typed, ask

from ludex.core import Budget, Rng, registry
from ludex.planners.do_nothing import DoNothing
from ludex.planners.flat_monte_carlo import FlatMonteCarlo
from ludex.planners.random_search import RandomSearch


def test_doing_nothing_is_the_default_action_and_costs_nothing():
    world = registry.world("vgdl/aliens")
    decision = ask(DoNothing(), world.model, world.start(Rng(0)), Budget(iterations=9))
    assert world.action_text(decision.action) == "NIL"
    assert decision.model_calls == 0


def test_an_even_allocation_tries_all_actions_as_often():
    agent = FlatMonteCarlo(allocation="even")
    decision = ask(agent, Lock("abc"), Typed(), Budget(iterations=42))
    assert sorted(decision.visits.values()) == [10, 10, 11, 11]


def test_ucb1_tries_the_promising_action_more_often():
    # Only the first key matters: a is worth 1, the others 0, with nothing left to chance.
    model = Lock("a")
    decision = ask(FlatMonteCarlo(), model, Typed(), Budget(iterations=400))
    assert decision.visits["a"] > 300
    assert decision.values == {"a": 1.0, "b": 0.0, "c": 0.0, "d": 0.0}


def test_flat_means_are_what_random_play_is_worth():
    # The second key is right once in four: 1 + 1/4 behind a, 0 + 1/4 behind the others.
    agent = FlatMonteCarlo(allocation="even")
    decision = ask(agent, Lock("ab"), Typed(), Budget(iterations=4000))
    for action, value in decision.values.items():
        expected = 0.25 + (action == "a")
        assert value == pytest.approx(expected, abs=0.06)  # 4.4 standard errors of 1,000 plays


def test_a_play_is_one_action_and_the_rollout():
    agent = FlatMonteCarlo(rollout_depth=6)
    endless = Lock("a" * 99, ends=False)
    assert ask(agent, endless, Typed(), Budget(iterations=20)).model_calls == 20 * 7


@pytest.mark.parametrize("name", ["random", "same", "pessimistic"])
def test_the_expected_opponent_decides_between_daring_and_safe(name):
    for model, same in ((KEEN, "b"), (KIND, "a")):
        expected = {"random": "a", "same": same, "pessimistic": "b"}[name]
        for seed in range(5):
            agent = FlatMonteCarlo(opponent=name)
            assert ask(agent, model, Chosen(), Budget(iterations=300), seed).action == expected


def test_flat_search_finds_an_immediate_win():
    world = registry.world("connect_four")
    decision = ask(FlatMonteCarlo(), world.model, world.parse("ddccbb"), Budget(iterations=500))
    assert world.action_text(decision.action) in "ae"


def test_random_search_plays_the_beginning_of_the_best_sequence():
    decision = ask(RandomSearch(length=3), Lock("bca"), Typed(), Budget(iterations=2000))
    assert decision.action == "b"  # all 64 sequences were drawn
    assert decision.values["b"] == 3.0
    assert decision.iterations == sum(decision.visits.values()) == 2000
    assert decision.model_calls == 6000


def test_random_search_values_sequences_by_rollouts_where_asked():
    endless = Lock("a" * 99, ends=False)
    agent = RandomSearch(length=6, rollouts=3)
    assert ask(agent, endless, Typed(), Budget(iterations=20)).model_calls == 20 * (6 + 3 * 3)
