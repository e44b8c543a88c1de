"""The pieces that searches are made of, with numbers worked by hand."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt

import pytest

from ludex.core import Budget, Meter, Rng, registry
from ludex.planners.parts.backup import best, mean
from ludex.planners.parts.bandit import Bandit
from ludex.planners.parts.budget import rounds
from ludex.planners.parts.growth import Growth
from ludex.planners.parts.recommendation import decide, evidence
from ludex.planners.parts.rollout import Evaluator, leads, squash
from ludex.planners.parts.selection import epsilon_greedy, smooth, ucb1, ucb1_tuned
from ludex.planners.parts.subset import SubsetBandit


def bandit_of(returns: dict[str, list[float]], seat: int = 0) -> Bandit:
    """A bandit whose actions were tried with these results."""
    bandit = Bandit(seat, ())
    for action, values in returns.items():
        place = bandit.add(action)
        for value in values:
            vector = [0.0, 0.0]
            vector[seat] = value
            mean([(bandit, place)], vector)
    return bandit


def bound(total: int, visits: int, average: float, exploration: float) -> float:
    return average + exploration * sqrt(log(total) / visits)


def test_ucb1_takes_the_rare_action_exactly_when_its_bound_is_higher():
    # N = 10: a has 8 visits of mean 0.75, b has 2 of mean 0.5.
    bandit = bandit_of({"a": [1.0] * 6 + [0.0] * 2, "b": [1.0, 0.0]})
    # 0.75 + c * 0.5365 = 0.5 + c * 1.0730, so the bounds cross at c = 0.25 / 0.5365 = 0.466.
    assert bound(10, 8, 0.75, 0.4660) == pytest.approx(bound(10, 2, 0.5, 0.4660), abs=1e-4)
    assert ucb1(bandit, 0.46, 1.0, Rng(1)) == 0
    assert ucb1(bandit, 0.47, 1.0, Rng(1)) == 1


def test_ucb1_scales_its_bonus_by_the_span_of_returns():
    bandit = bandit_of({"a": [1.0] * 6 + [0.0] * 2, "b": [1.0, 0.0]})
    assert ucb1(bandit, 0.23, 2.0, Rng(1)) == 0
    assert ucb1(bandit, 0.24, 2.0, Rng(1)) == 1


def test_ucb1_tuned_prefers_the_action_of_larger_variance_among_equal_means():
    steady = [0.5] * 50
    wild = [1.0, 0.0] * 25
    bandit = bandit_of({"steady": steady, "wild": wild})
    # ln 100 / 50 = 0.0921; the width of `steady` has the variance 0 + sqrt(0.1842) = 0.429,
    # which min(1/4, ...) caps as it does that of `wild`: with 50 visits both are still capped.
    assert ucb1_tuned(bandit, 1.0, 1.0, Rng(1)) == 0
    many = bandit_of({"steady": steady * 40, "wild": wild * 40})
    # ln 4000 / 2000 = 0.00415: 0 + 0.091 = 0.091 against 0.25 + 0.091, capped at 0.25.
    assert ucb1_tuned(many, 1.0, 1.0, Rng(1)) == 1


def test_epsilon_greedy_explores_as_often_as_told():
    bandit = bandit_of({"a": [1.0], "b": [0.0]})
    rng = Rng(5)
    assert all(epsilon_greedy(bandit, 0.0, 1.0, rng) == 0 for _ in range(50))
    explored = sum(epsilon_greedy(bandit, 0.5, 1.0, rng) for _ in range(4000))
    assert 900 < explored < 1100  # a quarter of 4000, within 3.6 standard deviations


def test_smooth_choices_follow_the_visits_where_ucb1_would_take_one_action_alone():
    bandit = bandit_of({"a": [1.0] * 30_000, "b": [0.0] * 10_000})
    rng = Rng(5)
    chosen = sum(smooth(bandit, 0.0, 1.0, rng) for _ in range(4000))
    # 0.9 / (1 + 0.05 * 200) is below the least share, 0.1: b gets 0.9 of its quarter.
    assert 800 < chosen < 1000


def test_a_result_counts_for_each_seat_with_its_own_return():
    above, below = Bandit(0, ()), Bandit(1, ())
    above.add("l")
    above.add("r")
    below.add("x")
    mean([(above, 1), (below, 0)], (1.0, -1.0))
    mean([(above, 1), (below, 0)], (0.0, 0.5))
    assert above.visits == [0, 2]
    assert above.means[1] == 0.5
    assert below.means[0] == -0.25
    assert below.squares[0] == 1.25
    assert above.total == 2
    assert above.spreads[1] == pytest.approx(1 / sqrt(2))


def test_max_backup_passes_up_the_best_reply_and_not_the_one_tried():
    above, below = Bandit(0, ()), Bandit(1, ())
    above.add("l")
    below.add("good")
    below.add("bad")
    best([(above, 0), (below, 0)], (-1.0, 1.0))  # the reply that is good for seat 1
    best([(above, 0), (below, 1)], (1.0, -1.0))  # a blunder of seat 1
    assert below.means == [1.0, -1.0]
    # The mean would say 0; with the best reply, seat 0 loses both times.
    assert above.means == [-1.0]


def test_max_backup_works_for_three_seats():
    above, below = Bandit(2, ()), Bandit(1, ())
    above.add("l")
    below.add("x")
    below.add("y")
    best([(above, 0), (below, 0)], (0.0, 0.2, 0.8))
    best([(above, 0), (below, 1)], (0.0, 0.9, 0.1))
    assert above.means[0] == pytest.approx((0.8 + 0.1) / 2)  # at first x was all there was
    best([(above, 0), (below, 0)], (0.0, 0.2, 0.8))
    assert above.means[0] == pytest.approx((0.8 + 0.1 + 0.1) / 3)


@pytest.mark.parametrize(("rule", "expected"), [("visits", "b"), ("value", "a"), ("secure", "b")])
def test_final_rules_differ_where_they_should(rule, expected):
    visits, values = {"a": 2, "b": 90, "c": 90}, {"a": 0.9, "b": 0.8, "c": 0.1}
    assert decide(rule, ("a", "b", "c"), visits, values, Rng(1)) == expected


def test_the_sampled_rule_draws_in_proportion_to_the_visits():
    rng = Rng(3)
    visits, values = {"a": 3, "b": 1}, {"a": 0.0, "b": 1.0}
    drawn = sum(decide("sampled", ("a", "b"), visits, values, rng) == "b" for _ in range(4000))
    assert 900 < drawn < 1100


def test_without_evidence_some_legal_action_is_played():
    drawn = {decide("visits", ("a", "b"), {"a": 0, "b": 0}, {}, Rng(seed)) for seed in range(30)}
    assert drawn == {"a", "b"}


def test_evidence_of_several_trees_is_added_up():
    one, two = bandit_of({"a": [1.0, 1.0, 0.0], "b": [0.0]}), bandit_of({"a": [0.0]})
    visits, values = evidence(("a", "b", "c"), [one, two])
    assert visits == {"a": 4, "b": 1, "c": 0}
    assert values == {"a": 0.5, "b": 0.0}


def test_squash_keeps_sign_and_order_and_stays_below_one():
    assert [squash(lead, 10.0) for lead in (-30.0, 0.0, 10.0)] == [-0.75, 0.0, 0.5]
    assert squash(1e15, 10.0) <= 1.0


def test_a_lead_is_the_distance_to_the_best_other_seat():
    assert leads((7.0,)) == [7.0]
    assert leads((3.0, 5.0, 4.0)) == [-2.0, 1.0, -1.0]
    assert leads((5.0, 5.0)) == [0.0, 0.0]


def test_rounds_end_with_the_iterations_or_with_as_many_as_there_are_calls():
    meter = Meter()
    for budget in (Budget(iterations=20), Budget(model_calls=20)):
        budget.arm(meter)
        assert list(rounds(budget, meter)) == list(range(20))


def test_rounds_end_when_the_meter_is_spent():
    meter, budget = Meter(), Budget(model_calls=3)
    budget.arm(meter)
    seen = 0
    for _ in rounds(budget, meter):
        meter.spend()
        meter.take(1)
        seen += 1
    assert seen == 2
    assert meter.calls == 3


def test_a_subset_bandit_never_chooses_what_is_not_legal_now():
    bandit, rng = SubsetBandit(0, ["a", "b", "c"]), Rng(1)
    for legal in [["a", "b", "c"], ["b", "d"], ["d"], ["a", "c"], ["b", "d"]] * 40:
        place = bandit.choose(legal, ucb1, 1.4, 1.0, rng)
        assert bandit.actions[place] in legal
        mean([(bandit, place)], (0.5,))
    assert sorted(bandit.actions) == ["a", "b", "c", "d"]
    assert sum(bandit.visits) == bandit.total == 200


def test_availability_and_not_the_total_counts_for_a_rare_action():
    bandit, rng = SubsetBandit(0, ["a", "b"]), Rng(1)
    for _ in range(98):
        mean([(bandit, bandit.choose(["a"], ucb1, 1.4, 1.0, rng))], (0.6,))
    mean([(bandit, bandit.choose(["a", "b"], ucb1, 1.4, 1.0, rng))], (0.5,))
    assert dict(zip(bandit.actions, bandit.visits, strict=True)) == {"a": 98, "b": 1}
    assert dict(zip(bandit.actions, bandit.available, strict=True)) == {"a": 99, "b": 1}
    # b was available once before: 0.5 + c * sqrt(ln 2 / 1) against 0.6 + c * sqrt(ln 100 / 98).
    # With the total instead its bonus would be c * sqrt(ln 100), 2.6 times as much.
    crossing = 0.1 / (sqrt(log(2)) - sqrt(log(100) / 98))
    assert bandit.actions[bandit.choose(["a", "b"], ucb1, crossing * 0.9, 1.0, rng)] == "a"
    bandit.available = [99, 1]
    assert bandit.actions[bandit.choose(["a", "b"], ucb1, crossing * 1.1, 1.0, rng)] == "b"


def test_worth_is_the_change_in_lead_since_the_root_and_the_returns_at_the_end():
    world = registry.world("pig")
    root = world.parse("30 20 turn=0 total=0")
    evaluator = Evaluator(world.model, root, "returns", 10.0)
    ahead = world.parse("40 20 turn=0 total=0")
    assert evaluator.of_state(root) == [0.0, 0.0]
    assert evaluator.of_state(ahead) == [0.5, -0.5]  # ten more: half a win
    assert Evaluator(world.model, root, "score", 10.0).of_state(ahead) == (40.0, 20.0)
    over = world.parse("100 20 turn=0 total=0")
    assert evaluator.of_state(over) == (1.0, -1.0)
    for seat in (0, 1):
        assert evaluator.of_states_for(seat)(ahead) == evaluator.of_state(ahead)[seat]


def test_worth_for_one_seat_alone_is_the_same_by_the_short_way():
    world = registry.world("vgdl/aliens")
    root = world.start(Rng(0))
    evaluator = Evaluator(world.model, root, "returns", 10.0)
    ends = [world.model.rollout(root, "uniform", ticks, Rng(3)) for ticks in (5, 200, 2000)]
    assert [evaluator.of_results_for(0)(end) for end in ends] == [
        evaluator.of_result(end)[0] for end in ends
    ]
    assert [evaluator.of_states_for(0)(end.state) for end in ends] == [
        evaluator.of_state(end.state)[0] for end in ends
    ]


# The arms of a bandit are native arrays


def test_recorded_values_are_counted_averaged_and_squared():
    bandit = Bandit(0, ())
    bandit.add("a")
    bandit.add("b")
    for value in (1.0, 2.0, 6.0):
        bandit.record(0, value)
    assert bandit.visits == [3, 0]
    assert bandit.means == [3.0, 0.0]
    assert bandit.squares == [41.0, 0.0]
    assert bandit.spreads == [1 / sqrt(3), 0.0]
    assert bandit.total == 3


def test_among_equal_bounds_the_first_arm_is_taken():
    assert ucb1(bandit_of({"a": [0.0], "b": [1.0], "c": [1.0]}), 1.0, 1.0, Rng(1)) == 1


def test_a_known_mean_overrules_what_was_recorded():
    bandit = bandit_of({"a": [1.0], "b": [0.5]})
    bandit.put_mean(0, -9.0)
    assert ucb1(bandit, 0.0, 1.0, Rng(1)) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        lambda bandit: bandit.record(2, 1.0),
        lambda bandit: bandit.put_mean(2, 1.0),
        lambda bandit: mean([(bandit, 2)], (1.0, 1.0)),
        lambda bandit: mean([(bandit, 0)], ()),
        lambda bandit: ucb1(Bandit(0, ()), 1.0, 1.0, Rng(1)),
    ],
)
def test_an_arm_or_a_seat_that_is_not_there_is_an_error(wrong):
    with pytest.raises(IndexError):
        wrong(bandit_of({"a": [1.0], "b": [0.5]}))


# What trees count


def test_the_span_counts_as_one_while_all_returns_are_equal():
    tree = Growth()
    tree.note((5.0,), 1)
    assert tree.span == 1.0
    tree.note((5.0, 7.5), 3)
    assert (tree.span, tree.depth, tree.iterations) == (2.5, 3, 2)


def test_nodes_beyond_the_room_are_counted_and_not_added():
    tree = Growth()
    assert [tree.has_room(3) for _ in range(4)] == [True, True, False, False]
    assert (tree.size, tree.refused) == (3, 2)


@pytest.mark.parametrize("rule", ["visits", "value", "secure", "ucb"])
def test_actions_that_look_alike_are_played_alike_often(rule):
    visits, values = dict.fromkeys("abc", 9), dict.fromkeys("abc", 0.0)
    played = Counter(decide(rule, tuple("abc"), visits, values, Rng(seed)) for seed in range(300))
    assert set(played) == set("abc")
    assert min(played.values()) > 60


@pytest.mark.parametrize("rule", ["visits", "value", "secure", "ucb"])
def test_no_chance_decides_where_one_action_is_best(rule):
    visits, values = {"a": 29, "b": 30}, {"a": 0.1, "b": 0.9}
    assert {decide(rule, ("a", "b"), visits, values, Rng(seed)) for seed in range(20)} == {"b"}
