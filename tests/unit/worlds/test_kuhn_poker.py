"""Kuhn poker: rules, what is hidden, and the solution against a brute force of its own."""

import pickle
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from scipy.optimize import linprog

from ludex.agents.kuhn_poker.equilibrium import Equilibrium
from ludex.core import Budget, Event, Meter, Rng, registry
from ludex.core.errors import BadParameter, GameOver, IllegalAction, InvalidState, Unsupported
from ludex.worlds.kuhn_poker import KuhnPoker
from ludex.worlds.kuhn_poker.asking import policy_of
from ludex.worlds.kuhn_poker.rules import DEALS, State
from ludex.worlds.kuhn_poker.solution import (
    INFORMATION_SETS,
    VALUE,
    best_response,
    equilibrium,
    exploitability,
    uniform,
    value,
)

BUDGET = Budget(model_calls=10)
WORLD = KuhnPoker()
MODEL = WORLD.model
ALPHAS = [Fraction(0), Fraction(1, 7), Fraction(1, 4), Fraction(1, 3)]


# A second game of Kuhn poker, written as a table of plans. A plan of the first seat is, for
# each card, (bets, calls after a check and a bet); one of the second, for each card,
# (calls a bet, bets after a check).


def payoff(first, second, low, high):
    """What the first seat wins with card `low` against card `high` (0, 1 or 2)."""
    better = 1 if low > high else -1
    bets, calls_later = first[low]
    calls, bets_later = second[high]
    if bets:
        return 2 * better if calls else 1
    if bets_later:
        return 2 * better if calls_later else -1
    return better


PLANS = [tuple(zip(plan[:3], plan[3:], strict=True)) for plan in product((False, True), repeat=6)]


def mean_payoff(first, second):
    total = sum(payoff(first, second, a, b) for a, b in permutations(range(3), 2))
    return Fraction(total, 6)


def plan_as_policy(first, second):
    """Two plans in the words of the solution."""
    policy = {}
    for card, name in enumerate("JQK"):
        bets, calls_later = first[card]
        calls, bets_later = second[card]
        policy[name] = {"bet" if bets else "check": 1}
        policy[name + "xb"] = {"call" if calls_later else "fold": 1}
        policy[name + "b"] = {"call" if calls else "fold": 1}
        policy[name + "x"] = {"bet" if bets_later else "check": 1}
    return policy


def some_policy(seed):
    """A policy with random probabilities in twelfths."""
    rng = Rng(seed)
    policy = {}
    for place, chances in uniform().items():
        bold, shy = chances
        chance = Fraction(rng.below(13), 12)
        policy[place] = {bold: chance, shy: 1 - chance}
    return policy


def mixture_payoff(plan, policy, seat):
    """What a plan of `seat` wins on average against a mixed policy, summed over all plans."""
    total = Fraction(0)
    for other in PLANS:
        weight = Fraction(1)
        for card, name in enumerate("JQK"):
            early, late = ("b", "x") if seat == 0 else ("", "xb")
            for word, acts in zip((early, late), other[card], strict=True):
                chances = policy[name + word]
                bold = next(p for action, p in chances.items() if action in ("bet", "call"))
                weight *= bold if acts else 1 - bold
        if weight:
            won = mean_payoff(plan, other) if seat == 0 else -mean_payoff(other, plan)
            total += weight * won
    return total


def test_the_rules_pay_what_the_table_of_plans_pays():
    for first, second in zip(PLANS, reversed(PLANS), strict=True):
        policy = plan_as_policy(first, second)
        assert value(policy, policy) == mean_payoff(first, second)


def test_the_linear_program_over_all_plans_gives_minus_one_eighteenth():
    matrix = np.array([[float(mean_payoff(a, b)) for b in PLANS] for a in PLANS])
    size = len(PLANS)
    # maximise v where every column wins the mixed rows at least v
    found = linprog(
        c=[0.0] * size + [-1.0],
        A_ub=np.hstack([-matrix.T, np.ones((size, 1))]),
        b_ub=np.zeros(size),
        A_eq=[[1.0] * size + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * size + [(None, None)],
    )
    assert -found.fun == pytest.approx(-1 / 18, abs=1e-9)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_every_equilibrium_is_worth_minus_one_eighteenth_exactly(alpha):
    policy = equilibrium(alpha)
    assert value(policy, policy) == VALUE == Fraction(-1, 18)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_no_equilibrium_can_be_exploited(alpha):
    assert exploitability(equilibrium(alpha)) == 0


@pytest.mark.parametrize("alpha", [-0.1, Fraction(1, 3) + Fraction(1, 100), 1])
def test_alpha_is_at_most_one_third(alpha):
    with pytest.raises(BadParameter, match="alpha"):
        equilibrium(alpha)


def test_a_first_seat_that_bluffs_too_much_can_be_exploited():
    policy = equilibrium(Fraction(1, 3))
    policy["J"] = {"bet": Fraction(1, 2), "check": Fraction(1, 2)}
    assert exploitability(policy) > 0


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", [1, 2, 5, 8])
def test_the_best_response_is_the_best_of_all_64_plans(seed, seat):
    policy = some_policy(seed)
    best = max(mixture_payoff(plan, policy, seat) for plan in PLANS)
    assert best_response(policy, seat)[0] == best


def test_a_queen_folds_to_a_seat_that_bets_with_kings_alone():
    policy = equilibrium(0)
    policy["K"] = {"bet": 1}
    assert best_response(policy, 1)[1]["Qb"] == "fold"


def test_a_queen_calls_a_seat_that_bets_with_jacks_alone():
    policy = equilibrium(0)
    policy["J"] = {"bet": 1}
    assert best_response(policy, 1)[1]["Qb"] == "call"


def test_playing_the_best_response_earns_its_value():
    policy = some_policy(3)
    won, chosen = best_response(policy, 1)
    reply = {**policy, **{place: {action: 1} for place, action in chosen.items()}}
    assert -value(policy, reply) == won


def test_uniform_play_loses_11_24ths_to_a_perfect_opponent():
    # The usual figure for uniform play is a sum over both seats of 11/12.
    assert exploitability(uniform()) == Fraction(11, 24)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda policy: policy.pop("Qxb"), "has no entry for information set 'Qxb'"),
        (lambda policy: policy.update(J={"bet": 0.7, "check": 0.7}), "do not add up to 1"),
        (lambda policy: policy.update(J={"bet": -1, "check": 2}), "do not add up to 1"),
        (lambda policy: policy.update(J={"call": 1}), "has the actions"),
    ],
)
def test_a_broken_policy_is_refused_with_the_reason(change, reason):
    policy = uniform()
    change(policy)
    with pytest.raises(BadParameter, match=reason):
        exploitability(policy)


def games(state):
    """All ways a game can go from here."""
    if listed := MODEL.chance(state):
        return sum(games(MODEL.resolve(state, deal)) for deal, _ in listed)
    if MODEL.over(state):
        return 1
    seat = MODEL.to_act(state)[0]
    return sum(games(MODEL.step(state, (a,), Rng(0))) for a in MODEL.legal(state, seat))


def test_there_are_six_deals_and_five_ways_to_bet():
    # check check; check bet and an answer (2); bet and an answer (2)
    assert games(WORLD.start(Rng(0))) == 6 * 5


@pytest.mark.parametrize(
    ("text", "returns"),
    [
        ("KJ xx", (1, -1)),
        ("JK xx", (-1, 1)),
        ("QJ bc", (2, -2)),
        ("QK xbc", (-2, 2)),
        ("JK bf", (1, -1)),
        ("KJ xbf", (-1, 1)),
    ],
)
def test_chips_change_hands_as_the_rules_say(text, returns):
    assert MODEL.outcome(WORLD.parse(text)).returns == returns


def test_the_default_action_risks_nothing():
    assert MODEL.default_action(State("KJ"), 0) == "check"
    assert MODEL.default_action(State("KJ", "b"), 1) == "fold"


@pytest.mark.parametrize(
    ("course", "seat", "action", "reason"),
    [("", 0, "call", "nobody has bet"), ("b", 1, "check", "the other seat has bet")],
)
def test_an_illegal_action_is_explained(course, seat, action, reason):
    with pytest.raises(IllegalAction, match=f"seat {seat} cannot {action}: {reason}"):
        WORLD.step(State("KJ", course), (action,), Rng(0))


def test_a_finished_game_takes_no_move():
    with pytest.raises(GameOver, match="K wins the showdown"):
        WORLD.step(State("KJ", "xx"), ("check",), Rng(0))


# What is hidden


@pytest.mark.parametrize("course", ["", "x", "b", "xb", "bf", "xbf"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_other_card_leaves_no_trace_before_a_showdown(course, seat):
    pair = [State(deal, course) for deal in DEALS if deal[seat] == "Q"]
    assert MODEL.hidden_twins(pair[0], seat) in (pair, pair[::-1])
    seen = [MODEL.view(state, seat) for state in pair]
    assert seen[0] == seen[1]
    assert hash(seen[0]) == hash(seen[1])
    assert pickle.dumps(seen[0]) == pickle.dumps(seen[1])
    assert str(seen[0]) == str(seen[1])
    assert WORLD.draw_view(seen[0], "svg") == WORLD.draw_view(seen[1], "svg")
    assert MODEL.key(pair[0], seat) == MODEL.key(pair[1], seat)
    assert MODEL.events(pair[0], seat) == MODEL.events(pair[1], seat)


def test_a_showdown_shows_both_cards_to_both():
    state = State("KQ", "xbc")
    assert [MODEL.view(state, seat).shown for seat in (0, 1)] == ["Q", "K"]
    assert MODEL.hidden_twins(state, 0) == [state]


def test_a_seat_is_told_its_own_card_alone():
    state = State("KQ")
    assert MODEL.events(state, 0) == (Event("deal", 0, "K"),)
    assert MODEL.events(state, 1) == (Event("deal", 1, "Q"),)
    assert len(MODEL.events(state)) == 2


def test_imagination_deals_both_possible_cards_equally_often():
    view = MODEL.view(State("JQ", "x"), 1)
    drawn = [MODEL.imagine(view, Rng(seed)).cards for seed in range(2000)]
    assert set(drawn) == {"JQ", "KQ"}
    # 2000 fair draws fall outside 1000 +- 112 once in a million and a half.
    assert abs(drawn.count("JQ") - 1000) < 112


@pytest.mark.parametrize(
    ("course", "shown"), [("", "K? seat=0"), ("xb", "K? xb seat=0"), ("bc", "KJ bc seat=0")]
)
def test_the_text_of_a_view_hides_the_other_card_until_it_is_shown(course, shown):
    assert str(MODEL.view(State("KJ", course), 0)) == shown


@pytest.mark.parametrize("text", ["undealt", "JK", "QJ x", "KQ xbf"])
def test_a_state_reads_back_from_its_text(text):
    assert str(WORLD.parse(text)) == text


@pytest.mark.parametrize("text", ["", "JJ", "JA", "J", "JK q", "JK bb", "JK xxx", "undealt x"])
def test_a_line_that_is_no_state_is_refused_by_quoting_it(text):
    with pytest.raises(InvalidState) as refused:
        WORLD.parse(text)
    assert repr(text) in str(refused.value)


def test_the_observation_flags_own_card_first_seat_and_moves():
    seen = WORLD.observation(MODEL.view(State("JK", "xb"), 0))
    # own J; nothing shown; first; moves in the order bet, call, check, fold
    assert list(seen) == [1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0]


def test_the_text_drawing_hides_the_other_card_and_counts_chips():
    assert WORLD.draw_view(MODEL.view(State("JK", "xb"), 0)) == (
        "seat 0 [J] o  check\nseat 1 [?] oo bet\nseat 0 to fold or call"
    )


# The agent, and asking agents


def test_the_equilibrium_agent_plays_its_policy():
    # 12 places, 3000 answers each: a count more than 5 standard deviations off is no chance.
    asked = policy_of(Equilibrium(alpha=0.2), samples=3000, budget=BUDGET, seed=7)
    wanted = equilibrium(Fraction(1, 5))
    for place in INFORMATION_SETS:
        for action, chance in wanted[place].items():
            spread = 5 * (float(chance) * (1 - float(chance)) / 3000) ** 0.5
            assert abs(asked[place][action] - float(chance)) <= spread, place


def test_asking_is_repeatable():
    asked = [policy_of(Equilibrium(), samples=20, budget=BUDGET, seed=3) for _ in range(2)]
    assert asked[0] == asked[1]


def test_asking_tells_a_mind_what_its_seat_saw():
    told = []

    class Listener(Equilibrium):
        def start(self, model, view, budget, rng):
            mind = super().start(model, view, budget, rng)
            heard = []
            told.append((view.seat, heard))
            mind.observe = heard.append
            return mind

    policy_of(Listener(), samples=1, budget=BUDGET)
    seat, heard = told[INFORMATION_SETS.index("Qxb")]
    assert seat == 0
    assert heard == [Event("deal", 0, "Q"), Event("move", 0, "check"), Event("move", 1, "bet")]


def test_asking_needs_at_least_one_sample():
    with pytest.raises(BadParameter, match="samples"):
        policy_of(Equilibrium(), samples=0)


@pytest.mark.parametrize("alpha", [-0.01, 0.34, "often"])
def test_the_agent_refuses_an_impossible_alpha(alpha):
    with pytest.raises(BadParameter, match="alpha"):
        Equilibrium(alpha=alpha)


def test_the_agent_refuses_other_worlds():
    world = registry.world("nim")
    view = world.model.view(world.start(Rng(0)), 0)
    with pytest.raises(Unsupported, match="knows the rules of kuhn_poker alone"):
        Equilibrium().start(world.model.metered(Meter()), view, BUDGET, Rng(0))


def test_the_agent_is_written_with_its_world_and_changes():
    assert str(Equilibrium()) == "kuhn_poker/equilibrium"
    assert str(Equilibrium(alpha=0.1)) == "kuhn_poker/equilibrium(alpha=0.1)"
