"""Beliefs as states: possible actions, chance of their own, and searches through them."""

from __future__ import annotations

import pytest

from ludex.agents.compose import make_agent
from ludex.core import Budget, Meter, Rng, registry
from ludex.models.believed.belief_space import BeliefSpace
from ludex.planners.mcts import Mcts

KUHN = registry.world("kuhn_poker")
PARLEY = registry.world("parley[copies=2,hand=1,rounds=2]")


def space(world, state, seat, **parameters):
    rules = world.model.metered(Meter())
    view = rules.view(state, seat)
    model = BeliefSpace(**parameters).make(rules, view, Budget(iterations=1), Rng(0))
    return model, model.imagine(view, Rng(0))


def test_a_belief_holds_what_the_seat_cannot_rule_out():
    model, belief = space(KUHN, KUHN.parse("QK"), 0)
    assert {(one.cards, round(weight, 6)) for one, weight in belief.hypotheses()} == {
        ("QK", 0.5),
        ("QJ", 0.5),
    }
    assert model.to_act(belief) == (0,)


def test_what_will_be_seen_is_chance_of_the_belief():
    model, belief = space(KUHN, KUHN.parse("QK"), 0)
    bet = model.step(belief, ("bet",), Rng(0))
    called = model.step(bet, ("call",), Rng(0))  # both cards are shown
    assert model.to_act(called) == ()
    assert sorted(p for _, p in model.chance(called)) == [0.5, 0.5]
    ends = [model.resolve(called, outcome) for outcome, _ in model.chance(called)]
    assert {model.outcome(end).returns for end in ends} == {(2.0, -2.0), (-2.0, 2.0)}


def test_folding_shows_nothing_so_the_belief_ends_as_one():
    model, belief = space(KUHN, KUHN.parse("QK"), 0)
    folded = model.step(model.step(belief, ("bet",), Rng(0)), ("fold",), Rng(0))
    assert model.chance(folded) == []
    assert model.outcome(folded).returns == (1.0, -1.0)
    assert len(folded.hypotheses()) == 2


def test_actions_that_only_some_hands_allow_are_possible_and_rule_the_others_out():
    state = PARLEY.parse("hands g/i/s pledged -/-/- pile gisttww turn 0 plays 2 talks 1 move")
    model, belief = space(PARLEY, state, 1, n=200)
    legal, chances = model.legal(belief, 0), model.legality(belief, 0)
    for action, chance in zip(legal, chances, strict=True):
        weight = sum(
            weight for one, weight in belief.hypotheses() if action in PARLEY.model.legal(one, 0)
        )
        assert chance == pytest.approx(weight)
        if 0.0 < chance < 0.999:
            after = model.step(belief, (action,), Rng(0))
            for one, _ in after.hypotheses():
                assert PARLEY.model.check_state(one) is None
    assert any(0.0 < chance < 0.9 for chance in chances)


def test_a_belief_is_a_value():
    model, belief = space(KUHN, KUHN.parse("QK"), 0)
    twin = belief.copy()
    assert twin == belief
    assert model.key(twin) == model.key(belief)
    after = model.step(belief, ("bet",), Rng(0))
    assert belief == twin  # a step is pure
    assert model.key(after) != model.key(belief)


@pytest.mark.parametrize(
    ("cards", "action", "value"),
    [
        ("KQ b", "call", 0.0),  # the queen wins 2 against the jack and loses 2 to the king
        ("QK b", "call", 2.0),
        ("KJ b", "fold", -1.0),
    ],
)
def test_a_search_through_beliefs_weighs_what_is_possible(cards, action, value):
    """Seat 1 answers a bet: by hand, what calling and folding are worth on average."""
    state = KUHN.parse(cards)
    rules = KUHN.model.metered(Meter())
    view = rules.view(state, 1)
    model = BeliefSpace(n=1000).make(rules, view, Budget(iterations=1), Rng(0))
    decision = Mcts().decide(model, view, Budget(iterations=1000), Rng(1))
    assert decision.action == action
    assert decision.values[action] == pytest.approx(value, abs=0.03)


def test_what_is_seldom_legal_is_tried_less_often():
    state = PARLEY.parse("hands g/i/s pledged -/-/- pile gisttww turn 0 plays 2 talks 1 move")
    counts = {}
    for weighs in (True, False):
        model, belief = space(PARLEY, state, 1, n=200)
        tree = Mcts(legality=weighs, rollout="none").search_from(
            [belief], model, Budget(iterations=400), Rng(1)
        )
        bandit = tree.roots[0].bandits[0]
        chances = dict(zip(model.legal(belief, 0), model.legality(belief, 0), strict=True))
        pairs = zip(bandit.actions, bandit.visits, strict=True)
        counts[weighs] = sum(visits for one, visits in pairs if chances[one] < 0.3)
    assert counts[True] < counts[False]


def test_an_agent_plays_whole_games_in_belief_space():
    from ludex.arena.match.runner import play_match

    result = play_match(
        KUHN, [make_agent("mcts@belief_space"), "uniform"], seed=1, budget=Budget(iterations=20)
    )
    assert not result.faults
