"""A learned model, on worlds small enough to be learned by heart and on one that is not."""

from collections import Counter

import pytest

from ludex.core import registry
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.errors import BadParameter, BudgetSpent, LudexError, NotFitted
from ludex.core.rng import Meter, Rng
from ludex.models.learned.parts.transitions import Transition, observed, random_play
from ludex.models.learned.tabular import Tabular
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


@pytest.mark.parametrize("attribute", ["outcomes_", "tried_", "played_", "moments_"])
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


def test_an_unseen_decision_changes_nothing_and_halves_the_confidence():
    model = Tabular().fit([ONE_STEP]).model(NIM.traits)
    state = model.imagine(NIM.model.view(START, 0), Rng(0))
    after = model.step(state, (Take(2, 3),), Rng(0))
    assert after == state
    assert model.confidence(state) == 1.0
    assert model.confidence(after) == 0.5


def test_a_seen_decision_is_trusted_by_the_rule_of_succession():
    state_of = NIM.model.view(START, 0)
    for times in (1, 2, 8):
        model = Tabular().fit([ONE_STEP] * times).model(NIM.traits)
        after = model.step(model.imagine(state_of, Rng(0)), (Take(0, 1),), Rng(0))
        assert after.observed == ONE_STEP.after
        assert model.confidence(after) == pytest.approx((times + 1) / (times + 2))


def test_confidence_is_multiplied_along_the_way():
    model = Tabular().fit([ONE_STEP]).model(NIM.traits)
    state = model.imagine(NIM.model.view(START, 0), Rng(0))
    state = model.step(state, (Take(0, 1),), Rng(0))
    state = model.step(state, (Take(1, 1),), Rng(0))
    assert model.confidence(state) == pytest.approx(2 / 3 * 1 / 2)


def test_a_view_never_seen_is_half_trusted_and_can_still_be_played_from():
    model = Tabular().fit([ONE_STEP]).model(NIM.traits)
    strange = NIM.model.view(State((0, 1, 1)), 0)
    state = model.imagine(strange, Rng(0))
    assert model.confidence(state) == 0.5
    assert model.to_act(state) == (0,)
    assert tuple(model.legal(state, 0)) == strange.legal
    assert model.rollout(state, "uniform", 10, Rng(0)).ticks == 10


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
    for actions in ((), (None,), ("rubbish",), (1, 2, 3)):
        after = model.step(state, actions, Rng(0))
        expected = model.step(state, (model.default_action(state, 0),), Rng(0))
        assert after == expected
    assert model.meter.replaced == 4


def test_budgets_cut_rollouts_in_a_learned_model_too():
    model, view = learned(PARLEY, 300)
    model = model.metered(Meter())
    state = model.imagine(view, Rng(0))
    Budget(model_calls=5).arm(model.meter)
    result = model.rollout(state, "uniform", 50, Rng(0))
    assert result.cut
    assert result.ticks == 5
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
