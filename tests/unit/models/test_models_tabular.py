"""A learned model, on worlds small enough to be learned by heart and on one that is not."""

from collections import Counter

import pytest

from ludex.agents.compose import make_agent
from ludex.core import registry
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.errors import BadParameter, BudgetSpent, LudexError, NotFitted
from ludex.core.rng import Meter, Rng
from ludex.models.learned.tabular import Tabular
from ludex.models.learned.training.transitions import Transition, observed, random_play
from ludex.worlds.nim.rules import State, Take

NIM = registry.world("nim[heaps=1-2-3]")
PARLEY = registry.world("parley")
PIG = registry.world("pig")


def first_view(world, seat=0, seed=0):
    rng = Rng(seed)
    state = world.start(rng)
    world.model.settle(state, rng)
    return world.model.view(state, seat)


def learned(world, steps, seat=0):
    view = first_view(world, seat)
    return Tabular(steps=steps).make(world.model, view, DEFAULT_BUDGET, Rng(1)), view


def transition(before, action, after, seat=0):
    """One step of nim, as the seat observed it."""
    return Transition(
        observed(NIM.model, before, seat), (action,), observed(NIM.model, after, seat)
    )


START, AFTER = State((1, 2, 3)), State((0, 2, 3), turn=1)
ONE_STEP = transition(START, Take(0, 1), AFTER)


# Learning


@pytest.mark.parametrize("attribute", ["outcomes_", "tried_", "played_", "moments_", "ends_"])
def test_what_is_learned_is_absent_before_fit_and_says_what_to_do(attribute):
    fresh = Tabular()
    assert not hasattr(fresh, attribute)
    with pytest.raises(
        NotFitted, match=r"this Tabular has seen no transitions; call fit\(transitions\) first"
    ):
        getattr(fresh, attribute)


def test_a_model_cannot_be_had_before_fit():
    with pytest.raises(LudexError, match="call fit"):
        Tabular().model(NIM.traits)


def test_fit_returns_the_learner_and_forgets_what_was_learned_before():
    learner = Tabular()
    assert learner.fit([ONE_STEP, ONE_STEP]) is learner
    assert learner.outcomes_[ONE_STEP.before, ONE_STEP.actions][ONE_STEP.after] == 2
    learner.fit([ONE_STEP])
    assert learner.outcomes_[ONE_STEP.before, ONE_STEP.actions][ONE_STEP.after] == 1


def test_partial_fit_adds_to_what_was_learned():
    learner = Tabular().partial_fit([ONE_STEP]).partial_fit([ONE_STEP])
    assert learner.outcomes_[ONE_STEP.before, ONE_STEP.actions][ONE_STEP.after] == 2


def test_a_clone_has_the_parameters_and_nothing_learned():
    learner = Tabular(steps=77).fit([ONE_STEP])
    twin = learner.clone()
    assert twin == learner
    assert twin.steps == 77
    assert not hasattr(twin, "outcomes_")


def test_nothing_can_be_learned_from_nothing():
    learner = Tabular()
    with pytest.raises(BadParameter, match="needs at least one transition"):
        learner.fit([])
    assert not hasattr(learner, "outcomes_")


def test_parameters_are_checked():
    with pytest.raises(BadParameter, match=r"Tabular\.steps must be a whole number from 1"):
        Tabular(steps=0)


def test_random_play_takes_exactly_the_steps_asked_for():
    view = first_view(NIM)
    assert len(list(random_play(NIM.model, view, 100, Rng(0)))) == 100


def test_learning_costs_no_calls_of_the_decision():
    model = NIM.model.metered(Meter())
    made = Tabular(steps=50).make(model, first_view(NIM), DEFAULT_BUDGET, Rng(0))
    assert model.meter.calls == 0
    assert made.meter.calls == 0


# The model


def reachable(world):
    """Every state of nim from the start, by the rules."""
    found, todo = set(), [world.start(Rng(0))]
    while todo:
        state = todo.pop()
        if state not in found:
            found.add(state)
            for seat in world.model.to_act(state):
                for action in world.model.legal(state, seat):
                    todo.append(world.model.step(state, (action,), Rng(0)))
    return found


def test_after_enough_play_it_knows_nim_exactly():
    model, _ = learned(NIM, 5000)
    states = reachable(NIM)
    # 2 * 3 * 4 positions; the 8 that lack at most one match of each heap have one mover only.
    assert len(states) == 24 * 2 - 8
    for state in states:
        known = model.imagine(NIM.model.view(state, 0), Rng(0))
        assert model.to_act(known) == NIM.model.to_act(state)
        assert model.outcome(known) == NIM.model.outcome(state)
        for seat in range(2):
            assert list(model.legal(known, seat)) == list(NIM.model.legal(state, seat))
            assert model.score(known, seat) == NIM.model.score(state, seat)
            for action in NIM.model.legal(state, seat):
                after = model.step(known, (action,), Rng(0))
                truth = NIM.model.step(state, (action,), Rng(0))
                assert after.observed == observed(NIM.model, truth, 0)


def test_a_decision_never_seen_leads_into_the_unknown():
    model = Tabular().fit([ONE_STEP]).model(NIM.traits)
    state = model.imagine(NIM.model.view(START, 0), Rng(0))
    after = model.step(state, (Take(2, 3),), Rng(0))
    assert model.confidence(state) == 1.0
    assert model.confidence(after) == 0.0
    assert model.to_act(after) == ()
    assert after != state
    assert model.key(after) != model.key(state)
    outcome = model.outcome(after)
    assert outcome.truncated
    assert outcome.winners == ()
    assert outcome.reason == "what follows was never seen"


def test_the_unknown_is_worth_what_the_ends_were_worth_that_were_seen():
    won, lost = (
        transition(State((0, 0, 1), turn=seat), Take(2, 1), State((0, 0, 0), turn=1 - seat))
        for seat in (0, 1)
    )
    for seen, worth in (([], 0.0), ([won], 1.0), ([won, won, won, lost], 0.5)):
        model = Tabular().fit([ONE_STEP, *seen]).model(NIM.traits)
        state = model.imagine(NIM.model.view(START, 0), Rng(0))
        after = model.step(state, (Take(2, 3),), Rng(0))
        assert model.outcome(after).returns == (worth, -worth)


def test_a_search_does_not_wander_about_in_the_unknown():
    """A game of parley has at most some hundred ticks, and the table knows few of them."""
    view = first_view(PARLEY)
    decision = (
        make_agent("mcts@tabular")
        .start(PARLEY.model.metered(Meter()), view, Budget(iterations=10), Rng(0))
        .decide(view, Budget(iterations=10), Rng(1))
    )
    assert decision.iterations == 10
    assert decision.model_calls < 10 * 100


def test_a_seen_decision_is_trusted_by_the_rule_of_succession():
    state_of = NIM.model.view(START, 0)
    for times in (1, 2, 8):
        model = Tabular().fit([ONE_STEP] * times).model(NIM.traits)
        after = model.step(model.imagine(state_of, Rng(0)), (Take(0, 1),), Rng(0))
        assert after.observed == ONE_STEP.after
        assert model.confidence(after) == pytest.approx((times + 1) / (times + 2))


def test_confidence_is_multiplied_along_the_way():
    then = transition(AFTER, Take(1, 1), State((0, 1, 3)))
    model = Tabular().fit([ONE_STEP, then, then]).model(NIM.traits)
    state = model.imagine(NIM.model.view(START, 0), Rng(0))
    state = model.step(state, (Take(0, 1),), Rng(0))
    state = model.step(state, (Take(1, 1),), Rng(0))
    assert model.confidence(state) == pytest.approx(2 / 3 * 3 / 4)


def test_a_view_never_seen_is_half_trusted_and_can_still_be_played_from():
    model = Tabular().fit([ONE_STEP]).model(NIM.traits)
    strange = NIM.model.view(State((0, 1, 1)), 0)
    state = model.imagine(strange, Rng(0))
    assert model.confidence(state) == 0.5
    assert model.to_act(state) == (0,)
    assert tuple(model.legal(state, 0)) == strange.legal
    assert model.rollout(state, "uniform", 10, Rng(0)).ticks == 1


def test_chance_is_drawn_as_often_as_it_was_seen():
    model, view = learned(PIG, 4000)
    root = model.imagine(view, Rng(0))
    roll = next(action for action in model.legal(root, 0) if "roll" in PIG.action_text(action))
    seen = model.outcomes[root.observed, (roll,)]
    assert len(seen) == 6
    drawn = Counter(model.step(root, (roll,), Rng(seed)).observed for seed in range(2000))
    for after, times in seen.items():
        assert drawn[after] / 2000 == pytest.approx(times / seen.total(), abs=0.05)
    assert model.traits.chance == "sampled"


def test_traits_say_that_it_was_learned():
    model, _ = learned(PARLEY, 100)
    traits = model.traits
    assert traits.learned
    assert (traits.legality, traits.termination) == ("assumed", "probable")
    assert not traits.hidden
    assert not traits.model_sees_all
    assert traits.seats == 3
    assert traits.chance == "sampled"


def test_it_learns_nothing_that_its_seat_may_not_see():
    """Hidden hands swapped before learning leave the same table."""
    state = PARLEY.start(Rng(5))
    twin = PARLEY.model.hidden_twins(state, 0)[31]
    one, other = (
        Tabular(steps=200).make(PARLEY.model, PARLEY.model.view(s, 0), DEFAULT_BUDGET, Rng(2))
        for s in (state, twin)
    )
    assert one.outcomes == other.outcomes
    moments = list(one.moments.values())
    for moment in moments:
        for seat, known in zip(moment.to_act, moment.legal, strict=True):
            assert bool(known) == (seat == 0)
        assert moment.scores[1:] == (0.0, 0.0)


def test_rivals_whose_choices_are_hidden_do_what_they_were_seen_to_do():
    model, _ = learned(PARLEY, 500)
    moment = next(
        moment for moment in model.moments.values() if moment.to_act and moment.to_act != (0,)
    )
    (seat,) = moment.to_act
    state = model.imagine(moment.view, Rng(0))
    assert set(model.legal(state, seat)) == set(model.tried[moment, seat])
    assert list(model.legal(state, seat)) == sorted(model.legal(state, seat))


def test_simulation_never_raises_and_illegal_actions_are_replaced():
    model, view = learned(PARLEY, 300)
    model = model.metered(Meter())
    state = model.imagine(view, Rng(0))
    for actions in ((None,), ("rubbish",)):
        after = model.step(state, actions, Rng(0))
        expected = model.step(state, (model.default_action(state, 0),), Rng(0))
        assert after == expected
    assert model.meter.replaced == 2


def test_budgets_cut_rollouts_in_a_learned_model_too():
    model, view = learned(NIM, 5000)  # no game of these heaps is shorter than three moves
    model = model.metered(Meter())
    state = model.imagine(view, Rng(0))
    Budget(model_calls=2).arm(model.meter)
    result = model.rollout(state, "uniform", 50, Rng(0))
    assert result.cut
    assert result.ticks == 2
    with pytest.raises(BudgetSpent):
        model.step(state, (None,), Rng(0))


def test_the_same_stream_learns_the_same_model():
    one, view = learned(PARLEY, 300)
    other, _ = learned(PARLEY, 300)
    assert one.outcomes == other.outcomes
    state = one.imagine(view, Rng(0))
    results = [m.rollout(state, "uniform", 40, Rng(3)) for m in (one, other)]
    assert results[0].state == results[1].state


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_it_learns_something_of_every_world(name):
    world = registry.world(name)
    model, view = learned(world, 200)
    state = model.imagine(view, Rng(0))
    assert model.to_act(state) or model.over(state)
    assert model.rollout(state, "uniform", 20, Rng(1)).ticks > 0
    assert "\n" not in str(state)


# Deterministic and forgetful tables

ODD_STEP = transition(START, Take(0, 1), State((1, 1, 3), turn=1))


def followed(learner, seed=0):
    """What a model of nim predicts from the start, and how sure it is."""
    model = learner.model(NIM.traits)
    start = model.imagine(NIM.model.view(START, 0), Rng(0))
    after = model.step(start, (Take(0, 1),), Rng(seed))
    return after.observed.view.state.heaps, model.confidence(after)


def test_a_stochastic_table_draws_as_often_as_was_seen():
    learner = Tabular().fit([ONE_STEP] * 30 + [ODD_STEP] * 10)
    drawn = Counter(followed(learner, seed)[0] for seed in range(1000))
    assert set(drawn) == {(0, 2, 3), (1, 1, 3)}
    assert abs(drawn[0, 2, 3] - 750) < 60  # more than four standard deviations


def test_a_deterministic_table_takes_the_most_frequent():
    learner = Tabular(stochastic=False).fit([ODD_STEP] * 10 + [ONE_STEP] * 30)
    heaps = {followed(learner, seed)[0] for seed in range(20)}
    assert heaps == {(0, 2, 3)}
    assert followed(learner)[1] == pytest.approx(41 / 42 * 30 / 40)  # succession, then its share
    assert learner.model(PIG.traits).traits.chance == "none"


def test_a_table_that_forgets_follows_rules_that_change():
    old, new = [ODD_STEP] * 30, [ONE_STEP] * 5
    assert followed(Tabular(stochastic=False).fit(old + new))[0] == (1, 1, 3)
    # By hand: five new ones count 1 + .8 + .64 + .512 + .4096 = 3.3616 of at most 5 in all.
    forgetful = Tabular(stochastic=False, decay=0.8).fit(old + new)
    assert followed(forgetful)[0] == (0, 2, 3)
    afters = next(iter(forgetful.outcomes_.values()))
    shares = sorted(n / forgetful.weight_ for n in afters.values())
    assert shares[1] == pytest.approx(3.3616)
    assert shares[0] == pytest.approx((1 - 0.8**30) / 0.2 * 0.8**5)


def test_what_counts_almost_nothing_is_dropped():
    other = transition(State((1, 2, 2)), Take(0, 1), State((0, 2, 2), turn=1))
    learner = Tabular(decay=0.5).fit([other] + [ONE_STEP] * 60)
    assert list(learner.outcomes_) == [(ONE_STEP.before, ONE_STEP.actions)]
    assert followed(learner)[0] == (0, 2, 3)
