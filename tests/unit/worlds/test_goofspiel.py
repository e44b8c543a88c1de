"""Goofspiel: rules, notation, and the solution against a plain one by a library's programs."""

from math import factorial

import numpy as np
import pytest
from scipy.optimize import linprog

from ludex.agents.goofspiel.equilibrium import Equilibrium
from ludex.core import Budget, Rng, registry
from ludex.core.errors import BadParameter, GameOver, IllegalAction, InvalidState, Unsupported
from ludex.worlds.goofspiel import Goofspiel
from ludex.worlds.goofspiel.matrix_games import solve_matrix
from ludex.worlds.goofspiel.rules import State
from ludex.worlds.goofspiel.solution import solve, uniform

BUDGET = Budget(model_calls=10)


def bid(world, state, *bids):
    return world.step(state, bids, Rng(0))


def test_the_higher_bid_takes_the_prize():
    world = Goofspiel(cards=3)
    state = bid(world, world.parse("123 123 prize=2 deck=13 points=0-0"), 1, 3)
    assert state == State(((2, 3), (1, 2)), (1, 3), 0, (0, 2))


def test_equal_bids_discard_the_prize():
    world = Goofspiel(cards=3)
    state = bid(world, world.parse("123 123 prize=2 deck=13 points=0-0"), 2, 2)
    assert state.points == (0, 0)


def test_a_tie_for_the_highest_bid_discards_the_prize_among_three():
    world = Goofspiel(cards=3, seats=3)
    start = world.parse("123 123 123 prize=2 deck=13 points=0-0-0")
    assert bid(world, start, 3, 3, 1).points == (0, 0, 0)
    assert bid(world, start, 2, 1, 1).points == (2, 0, 0)


def test_all_seats_act_at_once():
    world = Goofspiel(seats=3)
    assert world.model.to_act(world.model.resolve(world.start(Rng(0)), 1)) == (0, 1, 2)


def test_chance_turns_up_each_prize_left_equally_often():
    world = Goofspiel(cards=3)
    state = State(((1, 2), (2, 3)), (1, 3), 0, (0, 2))
    assert world.model.to_act(state) == ()
    assert world.model.chance(state) == [(1, 0.5), (3, 0.5)]


def test_prizes_can_come_from_the_highest_down_without_chance():
    world = Goofspiel(cards=3, order="descending")
    state = world.start(Rng(0))
    prizes = []
    while world.model.to_act(state):
        prizes.append(state.prize)
        state = bid(world, state, state.hands[0][0], state.hands[1][0])
    assert prizes == [3, 2, 1]
    assert world.traits.chance == "none"


@pytest.mark.parametrize(
    ("options", "points", "returns", "winners"),
    [
        ({}, (4, 6), (-1.0, 1.0), (1,)),
        ({}, (5, 5), (0.0, 0.0), ()),
        ({"returns": "difference"}, (4, 6), (-2.0, 2.0), (1,)),
        ({"seats": 3}, (4, 4, 2), (0.5, 0.5, -1.0), (0, 1)),
        ({"seats": 3}, (4, 3, 3), (1.0, -0.5, -0.5), (0,)),
        ({"seats": 3, "returns": "difference"}, (4, 3, 1), (2.0, 0.5, -2.5), (0,)),
    ],
)
def test_points_turn_into_returns(options, points, returns, winners):
    world = Goofspiel(**options)
    outcome = world.model.outcome(State(((),) * len(points), (), 0, points))
    assert (outcome.returns, outcome.winners) == (returns, winners)


def games(world, state):
    """All ways a game can go from here."""
    model = world.model
    if model.over(state):
        return 1
    if listed := model.chance(state):
        return sum(games(world, model.resolve(state, prize)) for prize, _ in listed)
    return sum(
        games(world, model.step(state, (a, b), Rng(0)))
        for a in model.legal(state, 0)
        for b in model.legal(state, 1)
    )


@pytest.mark.parametrize("cards", [2, 3])
def test_games_are_counted_by_orders_of_prizes_and_bids(cards):
    # Each seat plays its cards in some order, and the prizes come in some order.
    assert games(Goofspiel(cards=cards), Goofspiel(cards=cards).start(Rng(0))) == (
        factorial(cards) ** 3
    )


def test_games_in_fixed_order_are_counted_by_orders_of_bids():
    world = Goofspiel(cards=4, order="descending")
    assert games(world, world.start(Rng(0))) == factorial(4) ** 2


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "1234 1234 prize=? deck=1234 points=0-0"),
        ({}, "134 234 prize=2 deck=13 points=0-4"),
        ({}, "- - prize=? deck=- points=4-6"),
        ({"seats": 3, "cards": 2}, "12 12 12 prize=1 deck=2 points=0-0-0"),
        ({"order": "descending"}, "123 123 prize=3 deck=12 points=4-0"),
    ],
)
def test_a_state_reads_back_from_its_text(options, text):
    assert str(Goofspiel(**options).parse(text)) == text


@pytest.mark.parametrize(
    ("options", "text", "reason"),
    [
        ({}, "", "cannot read"),
        ({}, "1234 1234", "cannot read"),
        ({}, "1234 1234 1234 prize=? deck=1234 points=0-0-0", "2 seats"),
        ({}, "1235 1234 prize=? deck=1234 points=0-0", "cards are 1 to 4"),
        ({}, "1243 1234 prize=? deck=1234 points=0-0", "ascending"),
        ({}, "1134 1234 prize=? deck=1234 points=0-0", "at most once"),
        ({}, "1-34 1234 prize=? deck=1234 points=0-0", "cards are 1 to 4"),
        ({}, "123 124 prize=? deck=1234 points=0-0", "every hand holds 4 cards"),
        ({}, "1234 1234 prize=4 deck=1234 points=0-0", "prize 4 is not among"),
        ({}, "1234 1234 prize=9 deck=123 points=0-0", "prize 9 is not among"),
        ({}, "123 124 prize=? deck=123 points=3-0", "cannot give points"),
        ({"order": "descending"}, "1234 1234 prize=? deck=1234 points=0-0", "turned up at once"),
        ({"order": "descending"}, "123 123 prize=4 deck=12 points=0-0", "lowest prizes are left"),
        ({"order": "descending"}, "123 123 prize=2 deck=13 points=0-0", "highest prize left"),
    ],
)
def test_a_line_that_is_no_state_is_refused_with_the_reason(options, text, reason):
    with pytest.raises(InvalidState, match=reason):
        Goofspiel(**options).parse(text)


@pytest.mark.parametrize(
    "options", [{"cards": 1}, {"cards": 7}, {"seats": 5}, {"order": "up"}, {"returns": "points"}]
)
def test_impossible_options_are_refused(options):
    with pytest.raises(BadParameter, match=next(iter(options))):
        Goofspiel(**options)


def test_a_card_that_was_played_cannot_be_bid_again():
    world = Goofspiel()
    with pytest.raises(IllegalAction, match="cannot bid 2: it has been played"):
        bid(world, world.parse("134 234 prize=2 deck=13 points=0-4"), 2, 2)


def test_all_seats_must_bid():
    world = Goofspiel()
    with pytest.raises(IllegalAction, match="got 1 actions"):
        bid(world, world.parse("134 234 prize=2 deck=13 points=0-4"), 1)


def test_a_finished_game_takes_no_bid():
    world = Goofspiel()
    with pytest.raises(GameOver, match="most points, 4 to 6"):
        bid(world, world.parse("- - prize=? deck=- points=4-6"), 1, 1)


def test_the_observation_begins_with_the_seats_own_cards():
    world = Goofspiel(cards=2)
    view = world.model.view(State(((1,), (2,)), (), 2, (0, 1)), 1)
    # own 2, other 1, prize 2, deck empty, points 1 and 0 of 3
    assert list(world.observation(view)) == pytest.approx([0, 1, 1, 0, 0, 1, 0, 0, 1 / 3, 0])


def test_the_text_drawing_marks_cards_gone_and_the_prize():
    drawn = Goofspiel().draw(Goofspiel().parse("134 234 prize=2 deck=13 points=4-0"))
    assert drawn.splitlines() == [
        "seat 0: 1 . 3 4  4 points",
        "seat 1: . 2 3 4  0 points",
        "prizes: 1 2+3 .",
        "all bid for prize 2",
    ]


# The solution


def program_value(matrix):
    """The value of a matrix game, by a library."""
    rows, columns = matrix.shape
    found = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -found.fun


def plain_value(world, state):
    """Backward induction by the model's own rules, with no short cut."""
    model = world.model
    if (outcome := model.outcome(state)) is not None:
        return outcome.returns[0]
    if listed := model.chance(state):
        return sum(chance * plain_value(world, model.resolve(state, o)) for o, chance in listed)
    first, second = model.legal(state, 0), model.legal(state, 1)
    matrix = [
        [plain_value(world, model.step(state, (a, b), Rng(0))) for b in second] for a in first
    ]
    return program_value(np.array(matrix)) if len(first) > 1 else matrix[0][0]


@pytest.mark.parametrize("returns", ["win", "difference"])
@pytest.mark.parametrize("order", ["random", "descending"])
@pytest.mark.parametrize(
    "text",
    [
        "123 123 prize=3 deck=12 points=0-0",
        "123 124 prize=3 deck=12 points=4-0",
        "134 234 prize=3 deck=12 points=0-0",
        "124 134 prize=3 deck=12 points=0-4",
    ],
)
def test_the_solution_agrees_with_plain_backward_induction(order, returns, text):
    world = Goofspiel(order=order, returns=returns)
    state = world.parse(text)
    found = solve(4, order, returns).value(state)
    assert found == pytest.approx(plain_value(world, state), abs=1e-8)


@pytest.mark.parametrize("returns", ["win", "difference"])
def test_two_cards_are_solved_by_hand(returns):
    solution = solve(2, "random", returns)
    high, low = State(((1, 2), (1, 2)), (1,), 2), State(((1, 2), (1, 2)), (2,), 1)
    # Winning the 2 and losing the 1 leads by one; the other way round trails by one.
    assert solution.matrix(high) == [[0, -1], [1, 0]]
    assert solution.matrix(low) == [[0, 1], [-1, 0]]
    assert solution.policy(high, 0) == {1: 0, 2: 1}
    assert solution.policy(low, 1) == {1: 1, 2: 0}


@pytest.mark.parametrize("cards", [2, 3, 4, 5])
def test_the_symmetric_game_is_worth_nothing_to_either_seat(cards):
    world = Goofspiel(cards=cards, returns="difference")
    solution = solve(cards, "random", "difference")
    for prize, _ in world.model.chance(world.start(Rng(0))):
        matrix = solution.matrix(world.model.resolve(world.start(Rng(0)), prize))
        assert solve_matrix(matrix)[0] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("returns", ["win", "difference"])
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_the_solution_cannot_be_exploited(cards, returns):
    solution = solve(cards, "random", returns)
    assert solution.exploitability(solution.policy) == pytest.approx(0, abs=1e-9)


def test_uniform_play_with_two_cards_loses_a_half():
    # The right first bid ties when uniform makes it too, and else wins the game.
    assert solve(2).exploitability(uniform) == pytest.approx(0.5)


def test_the_best_answer_to_bidding_the_prize_gives_up_the_highest():
    # With 3 cards in order 3, 2, 1: bid 1 for the 3, 3 for the 2 and 2 for the 1.
    def match_the_prize(state, seat):
        return {state.prize: 1.0}

    solution = solve(3, "descending", "difference")
    # 2 + 1 - 3 = 0, and no other order does better: 3v3, 1v2, 2v1 gives 0 - 2 + 1.
    assert solution.best_response(match_the_prize, 0) == 0
    # With 4 cards: lose the 4, win the 3, the 2 and the 1.
    solution = solve(4, "descending", "difference")
    assert solution.best_response(match_the_prize, 0) == 3 + 2 + 1 - 4


def test_the_solution_refuses_more_seats():
    with pytest.raises(BadParameter, match="solved for 2 seats"):
        solve(2).value(State(((1, 2),) * 3, (2,), 1, (0, 0, 0)))


@pytest.mark.parametrize("cards", [1, 7])
def test_the_solution_refuses_too_many_cards(cards):
    with pytest.raises(BadParameter, match="2 to 6 cards"):
        solve(cards)


def test_the_agent_mixes_as_the_solution_says():
    world = Goofspiel(cards=5)
    state = world.model.resolve(world.start(Rng(0)), 5)
    view = world.model.view(state, 1)
    wanted = solve(5).policy(state, 1)
    assert len([bid for bid, chance in wanted.items() if chance]) > 1
    asked = [Equilibrium().decide(world.model, view, BUDGET, Rng(s)).action for s in range(1500)]
    for card, chance in wanted.items():
        spread = 5 * (chance * (1 - chance) / 1500) ** 0.5
        assert abs(asked.count(card) / 1500 - chance) <= spread


@pytest.mark.parametrize("seat", [0, 1])
def test_the_agents_values_are_those_of_its_own_seat(seat):
    world = Goofspiel(cards=2)
    state = State(((1, 2), (1, 2)), (1,), 2)
    decision = Equilibrium().decide(world.model, world.model.view(state, seat), BUDGET, Rng(0))
    # Against a 2 the 1 loses the game, and the 2 ties.
    assert decision.values == {1: -1, 2: 0}
    assert decision.action == 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [("goofspiel[cards=6]", "up to 5 cards"), ("goofspiel[seats=3]", "seats"), ("pig", "rules of")],
)
def test_the_agent_refuses_what_it_cannot_play(name, reason):
    world = registry.world(name)
    view = world.model.view(world.start(Rng(0)), 0)
    with pytest.raises(Unsupported, match=reason):
        Equilibrium().start(world.model, view, BUDGET, Rng(0))
