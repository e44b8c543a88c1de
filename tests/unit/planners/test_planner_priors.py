"""Priors of tree search: PUCT, progressive bias, types, policies and functions."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from math import log, sqrt
from statistics import median

import pytest

from ludex.core import Budget, Meter, Rng, Weighted, registry
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.policy import Greedy, Types
from ludex.planners.mcts import Mcts
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.priors import Priors, tempered
from ludex.planners.parts.selection import progressive_bias, puct, puct_printed

FOUR = registry.world("connect_four")
FLAT = {"selection": "puct", "exploration": 4.0, "rollout": "none", "root_share": 0.0}


def bandit_with(visits, means, priors):
    bandit = Bandit(0, ())
    for index, (count, mean) in enumerate(zip(visits, means, strict=True)):
        place = bandit.add(index)
        for _ in range(count):
            bandit.record(place, mean)
    bandit.priors = list(priors)
    return bandit


def test_puct_adds_the_prior_times_the_root_of_the_others_over_one_more_than_the_visits():
    bandit = bandit_with((8, 1), (0.5, 0.25), (0.2, 0.8))
    # a: 0.5 + c * 0.2 * sqrt(1) / 9 = 0.5 + 0.0222 c; b: 0.25 + c * 0.8 * sqrt(8) / 2 = 0.25 +
    # 1.1314 c. They cross at c = 0.25 / 1.1092 = 0.2254.
    assert puct(bandit, 0.22, 1.0, Rng(0)) == 0
    assert puct(bandit, 0.23, 1.0, Rng(0)) == 1
    # With the visits below the root: a 0.2 * sqrt(1 / 9) = 0.0667, b 0.8 * sqrt(8 / 2) = 1.6, so
    # they cross at 0.25 / 1.5333 = 0.1630.
    assert puct_printed(bandit, 0.16, 1.0, Rng(0)) == 0
    assert puct_printed(bandit, 0.17, 1.0, Rng(0)) == 1


def test_progressive_bias_fades_with_the_visits():
    few = bandit_with((2, 2), (0.5, 0.5), (0.3, 0.7))
    assert progressive_bias(few, 0.0, 1.0, Rng(0)) == 1
    # 0.5 + 0.3 / 3 = 0.6 and 0.45 + 0.7 / 3 = 0.683; with 60 visits 0.505 and 0.461.
    assert progressive_bias(bandit_with((2, 2), (0.5, 0.45), (0.3, 0.7)), 0.0, 1.0, Rng(0)) == 1
    assert progressive_bias(bandit_with((60, 60), (0.5, 0.45), (0.3, 0.7)), 0.0, 1.0, Rng(0)) == 0
    width = sqrt(log(4) / 2)  # equal bonuses change nothing
    assert width > 1e-6
    assert progressive_bias(few, 1.0, 1.0, Rng(0)) == 1


def test_a_temperature_makes_priors_more_even():
    assert tempered([0.81, 0.01, 0.18], 1.0) == pytest.approx([0.81, 0.01, 0.18])
    even = tempered([0.81, 0.01], 2.0)  # 0.9 and 0.1 of the roots 0.9059, 0.1
    assert even == pytest.approx([0.9 / 1.0, 0.1 / 1.0], abs=0.01)
    assert tempered([0.0, 0.0], 1.0) == [0.5, 0.5]


def test_types_share_their_weight_among_their_actions():
    catan = registry.world("catan[view=open,trades=none]")
    model = catan.model
    state = model.rollout(catan.start(Rng(1)), "type_first", 400, Rng(5)).state
    seat = model.to_act(state)[0]
    legal = model.legal(state, seat)
    kinds = [model.action_type(action) for action in legal]
    weights = {kind: place + 1.0 for place, kind in enumerate(sorted(set(kinds)))}
    priors = Priors(Types(weights), 1.0, model).of(state, seat, legal)
    total = sum(weights.values())
    for kind, prior in zip(kinds, priors, strict=True):
        assert prior == pytest.approx(weights[kind] / total / kinds.count(kind))


def test_the_priors_of_people_are_their_choices_after_the_roll():
    catan = registry.world("catan[view=open]")
    model = catan.model
    rng = Rng(3)
    state = catan.start(rng)
    while not (state.phase == "main" and len(model.legal(state, state.current)) > 3):
        state = model.rollout(state, "type_first", 1, rng).state
        if model.over(state):
            state = catan.start(rng)
    legal = model.legal(state, state.current)
    found = model.probabilities(state, state.current, "human")
    assert sum(found) == pytest.approx(1.0)
    drawn = [model.choose(state, "human", rng) for _ in range(4000)]
    by_type = {}
    for action, prior in zip(legal, found, strict=True):
        kind = model.action_type(action)
        by_type[kind] = by_type.get(kind, 0.0) + prior
    for kind, share in by_type.items():
        seen = sum(model.action_type(action) == kind for action in drawn) / len(drawn)
        assert seen == pytest.approx(share, abs=0.04)  # five standard deviations


def decide(planner, budget, world=FOUR):
    model = world.model.metered(Meter())
    view = model.view(world.start(Rng(0)), 0)
    return planner.decide(model, view, budget, Rng(1))


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("prior", [Weighted({6: 50.0}, other=1.0), Weighted({0: 50.0}, other=1.0)])
def test_an_action_of_high_prior_is_tried_more_often(prior, native):
    """Where returns say nothing: no rollout, no score."""
    planner = Mcts(**FLAT, solver=False, prior=prior, native=native)
    visits = decide(planner, Budget(iterations=400)).visits
    favoured = next(iter(prior.weights))
    assert visits[favoured] > 5 * max(n for action, n in visits.items() if action != favoured)


def test_a_policy_without_probabilities_gives_no_priors():
    planner = Mcts(selection="puct", prior="catan/stac")
    with pytest.raises((Unsupported, BadParameter)):
        decide(planner, Budget(iterations=5), registry.world("catan[view=open]"))
    aliens = registry.world("vgdl/aliens")
    costs = [[1.0] * aliens.model.grid()[0]] * aliens.model.grid()[1]
    with pytest.raises(Unsupported, match="gives no priors"):
        decide(Mcts(selection="puct", prior=Greedy(costs)), Budget(iterations=5), aliens)


def right_first(model, states, seats, legal):
    """Nearly all on the last column."""
    return [[50.0 if action == 6 else 1.0 for action in actions] for actions in legal]


def test_a_function_gives_priors_in_python():
    planner = Mcts(**FLAT, solver=False, prior=right_first, native=False)
    visits = decide(planner, Budget(iterations=400)).visits
    assert visits[6] > 5 * max(visits[action] for action in range(6))


def test_a_function_is_asked_in_batches_while_the_native_search_goes_on():
    sizes = []

    def asked(model, states, seats, legal):
        sizes.append(len(states))
        return right_first(model, states, seats, legal)

    decision = decide(Mcts(**FLAT, solver=False, prior=asked), Budget(time_ms=400))
    assert decision.notes["search"] == "native"
    assert max(sizes) > 1
    # The median of the others: a fast machine sees in this time what is behind one of them.
    assert decision.visits[6] > 5 * median(decision.visits[action] for action in range(6))


def test_a_slow_function_never_holds_the_search_up():
    def slow(model, states, seats, legal):
        time.sleep(1.0)
        return right_first(model, states, seats, legal)

    began = time.perf_counter()
    decision = decide(Mcts(**FLAT, solver=False, prior=slow), Budget(iterations=3000))
    assert time.perf_counter() - began < 0.9
    assert decision.iterations == 3000


def test_a_function_that_fails_fails_the_decision():
    def broken(model, states, seats, legal):
        raise RuntimeError("no net loaded")

    for native in (True, False):
        planner = Mcts(**FLAT, solver=False, prior=broken, native=native)
        with pytest.raises(RuntimeError, match="no net loaded"):
            decide(planner, Budget(time_ms=300))


def test_a_function_that_answers_nonsense_leaves_priors_equal():
    def nonsense(model, states, seats, legal):
        return [[float("nan")] * len(actions) for actions in legal]

    planner = Mcts(**FLAT, solver=False, prior=nonsense, native=False)
    plain = Mcts(**FLAT, solver=False, native=False)
    assert (
        decide(planner, Budget(iterations=200)).visits
        == decide(plain, Budget(iterations=200)).visits
    )


def test_asking_a_function_is_not_repeatable():
    assert Mcts(selection="puct", prior=right_first).runs_threads()
    assert not Mcts(selection="puct", prior=right_first, native=False).runs_threads()
    assert not Mcts(prior=right_first).runs_threads()  # ucb1 has no use for it


def test_a_process_may_end_while_a_function_is_being_asked():
    code = textwrap.dedent(
        """
        import time
        from ludex.core import Budget, Meter, Rng, registry
        from ludex.planners.mcts import Mcts
        world = registry.world("connect_four")
        model = world.model.metered(Meter())
        view = model.view(world.start(Rng(1)), 0)
        def slow(model, states, seats, legal):
            time.sleep(0.05)
            return [[1.0] * len(actions) for actions in legal]
        Mcts(selection="puct", prior=slow).decide(model, view, Budget(iterations=50), Rng(1))
        """
    )
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
