"""Pig: rules, notation, errors, and the exact solution against independent ones."""

import numpy as np
import pytest

from ludex.agents.pig.hold_at import HoldAt
from ludex.agents.pig.optimal import Optimal
from ludex.core import Budget, Rng, registry
from ludex.core.errors import BadParameter, GameOver, IllegalAction, InvalidState, Unsupported
from ludex.worlds.pig import Pig
from ludex.worlds.pig.rules import State
from ludex.worlds.pig.solution import solve

BUDGET = Budget(model_calls=10)


def after(world, state, *moves):
    """Play words and die faces in turn."""
    for move in moves:
        if isinstance(move, int):
            state = world.model.resolve(state, move)
        else:
            state = world.step(state, (move,), Rng(0))
    return state


def test_a_roll_waits_for_the_die():
    world = Pig()
    rolled = after(world, State((0, 0)), "roll")
    assert world.model.to_act(rolled) == ()
    assert [face for face, _ in world.model.chance(rolled)] == [1, 2, 3, 4, 5, 6]
    assert sum(chance for _, chance in world.model.chance(rolled)) == pytest.approx(1)


def test_rolls_add_up_and_holding_banks_them():
    state = after(Pig(), State((0, 0)), "roll", 4, "roll", 6, "hold")
    assert state == State((10, 0), turn=1, total=0)


def test_a_one_loses_the_turn_and_its_points():
    state = after(Pig(), State((20, 7)), "roll", 5, "roll", 1)
    assert state == State((20, 7), turn=1, total=0)


def test_a_total_that_reaches_the_target_wins_at_once():
    world = Pig()
    state = after(world, State((95, 99)), "roll", 6)
    assert world.model.outcome(state).winners == (0,)
    assert world.model.outcome(state).returns == (1.0, -1.0)
    assert world.model.score(state, 0) == 101


def test_the_turn_goes_round_three_seats():
    world = Pig(seats=3)
    state = after(world, State((0, 0, 0)), "roll", 1, "roll", 1, "roll", 1)
    assert state.turn == 0


def test_three_seats_share_out_a_zero_sum():
    assert Pig(seats=3).model.outcome(State((0, 101, 0), turn=1)).returns == (-0.5, 1.0, -0.5)


def test_nothing_can_be_held_before_the_first_roll():
    with pytest.raises(IllegalAction, match="nothing is at stake, so roll first"):
        Pig().step(State((0, 0)), ("hold",), Rng(0))


def test_nobody_acts_while_the_die_is_in_the_air():
    with pytest.raises(IllegalAction):
        Pig().step(State((0, 0), rolling=True), ("roll",), Rng(0))


def test_a_finished_game_takes_no_move():
    with pytest.raises(GameOver, match="reached 100 points"):
        Pig().step(State((101, 0)), ("roll",), Rng(0))


def test_the_default_action_banks_what_there_is():
    model = Pig().model
    assert model.default_action(State((0, 0)), 0) == "roll"
    assert model.default_action(State((0, 0), total=2), 0) == "hold"


def count_lines(world, state, depth):
    """Count the sequences of decisions and die faces that are so long."""
    if depth == 0:
        return 1
    model = world.model
    if listed := model.chance(state):
        return sum(count_lines(world, model.resolve(state, face), depth - 1) for face, _ in listed)
    return sum(
        count_lines(world, model.step(state, (action,), Rng(0)), depth - 1)
        for seat in model.to_act(state)
        for action in model.legal(state, seat)
    )


def test_lines_of_play_are_counted_by_recurrence():
    # fresh(n): lines of n events from a turn's beginning; risky(n): with points at stake.
    # fresh(n) = fresh(n-2) + 5 risky(n-2) after a roll; risky(n) = the same + fresh(n-1).
    def fresh(n):
        return 1 if n <= 1 else fresh(n - 2) + 5 * risky(n - 2)

    def risky(n):
        return 1 if n == 0 else fresh(n - 1) + fresh_or_one(n)

    def fresh_or_one(n):
        return 1 if n == 1 else fresh(n - 2) + 5 * risky(n - 2)

    world = Pig()
    counted = [count_lines(world, world.start(Rng(0)), depth) for depth in range(8)]
    assert counted == [fresh(depth) for depth in range(8)]
    assert counted[:5] == [1, 1, 6, 11, 41]  # the first four by hand


def value_iteration(target, rounds=4000):
    """Win probabilities by plain sweeps over all states until nothing moves."""
    shape = (target, target, target)
    wins = np.full(shape, 0.5)
    for _ in range(rounds):
        new = np.zeros(shape)
        for i in range(target):
            for j in range(target):
                for k in range(target - i):
                    roll = 1 - wins[j, i, 0]
                    for face in range(2, 7):
                        roll += 1.0 if i + k + face >= target else wins[i, j, k + face]
                    hold = 1 - wins[j, i + k, 0] if k else 0.0
                    new[i, j, k] = max(roll / 6, hold)
        if np.abs(new - wins).max() < 1e-13:
            return new
        wins = new
    raise AssertionError("did not converge")


def test_the_solution_agrees_with_value_iteration():
    target = 12
    wins, solution = value_iteration(target), solve(target)
    for i in range(target):
        for j in range(target):
            for k in range(target - i):
                found = solution.win_probability(State((i, j), 0, k))
                assert found == pytest.approx(wins[i, j, k], abs=1e-11)


def test_the_optimal_policy_solves_its_own_linear_equations():
    # The chances under a fixed policy are a linear system; the solution must be its answer.
    target = 9
    solution = solve(target)
    states = [(i, j, k) for i in range(target) for j in range(target) for k in range(target - i)]
    place = {state: n for n, state in enumerate(states)}
    matrix, right = np.eye(len(states)), np.zeros(len(states))

    def lose_turn(row, j, i, weight):
        right[row] += weight
        matrix[row, place[j, i, 0]] += weight

    for (i, j, k), row in place.items():
        if solution.best_action(State((i, j), 0, k)) == "hold":
            lose_turn(row, j, i + k, 1.0)
            continue
        lose_turn(row, j, i, 1 / 6)
        for face in range(2, 7):
            if i + k + face >= target:
                right[row] += 1 / 6
            else:
                matrix[row, place[i, j, k + face]] -= 1 / 6
    exact = np.linalg.solve(matrix, right)
    for (i, j, k), row in place.items():
        assert solution.win_probability(State((i, j), 0, k)) == pytest.approx(exact[row], abs=1e-12)


def test_the_game_to_2_is_won_by_the_first_seat_in_6_of_7():
    # p = 5/6 + 1/6 (1 - p)
    assert solve(2).win_probability(State((0, 0))) == pytest.approx(6 / 7, abs=1e-15)


def test_the_first_player_to_100_wins_as_often_as_published():
    # Neller and Presser 2004: 53.06 % under optimal play.
    assert solve(100).win_probability(State((0, 0))) == pytest.approx(0.5306, abs=5e-5)


def test_the_first_turn_holds_at_21_as_published():
    assert solve(100).hold_value(0, 0) == 21


def test_the_chances_of_both_seats_add_up_to_one():
    solution, state = solve(100), State((30, 71), 1, 13)
    assert sum(solution.win_probability(state, seat) for seat in (0, 1)) == pytest.approx(1)


def test_an_afterstate_is_worth_the_mean_of_its_outcomes():
    world, solution = Pig(), solve(100)
    rolling = State((40, 50), 0, 12, rolling=True)
    mean = sum(
        chance * solution.win_probability(world.model.resolve(rolling, face), 0)
        for face, chance in world.model.chance(rolling)
    )
    assert solution.win_probability(rolling, 0) == pytest.approx(mean, abs=1e-13)
    assert solution.action_values(State((40, 50), 0, 12))["roll"] == pytest.approx(mean, abs=1e-13)


def test_finished_games_are_certain():
    solution = solve(50)
    won = State((52, 10), 0)
    assert (solution.win_probability(won, 0), solution.win_probability(won, 1)) == (1.0, 0.0)
    assert solution.action_values(won) == {}


def test_the_solution_refuses_more_seats():
    with pytest.raises(BadParameter, match="solved for 2 seats"):
        solve(100).win_probability(State((0, 0, 0)))


@pytest.mark.parametrize("target", [1, 301])
def test_the_solution_refuses_targets_it_cannot_reach(target):
    with pytest.raises(BadParameter, match="targets 2 to 300"):
        solve(target)


@pytest.mark.parametrize(
    "text", ["0 0 turn=0 total=0", "34 57 turn=1 total=14 rolling", "101 8 turn=0 total=0"]
)
def test_a_state_reads_back_from_its_text(text):
    assert str(Pig().parse(text)) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "cannot read"),
        ("1 2 3", "cannot read"),
        ("0 0 turn=2", "seats are numbered 0 to 1"),
        ("106 0", "no seat can pass 105 points"),
        ("1 0", "nobody can have 1 point"),
        ("0 0 total=1", "nobody can have 1 point"),
        ("90 0 total=10", "banked at once"),
        ("100 100", "has won in its own turn"),
        ("100 0 turn=1", "has won in its own turn"),
        ("100 0 turn=0 total=0 rolling", "has won in its own turn"),
    ],
)
def test_a_line_that_is_no_state_is_refused_with_the_reason(text, reason):
    with pytest.raises(InvalidState, match=reason):
        Pig().parse(text)


@pytest.mark.parametrize("options", [{"target": 1}, {"target": 1001}, {"seats": 1}, {"seats": 7}])
def test_impossible_options_are_refused(options):
    with pytest.raises(BadParameter, match=next(iter(options))):
        Pig(**options)


def test_the_observation_begins_with_the_seats_own_points():
    world = Pig()
    view = world.model.view(State((20, 50), turn=1, total=10), 1)
    assert list(world.observation(view)) == pytest.approx([0.5, 0.2, 0.1, 1, 0])


def test_the_text_drawing_shows_banked_points_and_the_stake():
    assert Pig(target=40).draw(State((10, 20), turn=1, total=5)) == "\n".join(
        [
            " seat 0 [" + "#" * 10 + "." * 30 + "] 10",
            ">seat 1 [" + "#" * 20 + "+" * 5 + "." * 15 + "] 20 +5",
            "seat 1 to decide, 5 at stake",
        ]
    )


def test_the_optimal_agent_holds_at_21_and_not_at_20():
    world = Pig()
    chosen = {}
    for total in (20, 21):
        view = world.model.view(State((0, 0), 0, total), 0)
        chosen[total] = Optimal().decide(world.model, view, BUDGET, Rng(0)).action
    assert chosen == {20: "roll", 21: "hold"}


def test_the_optimal_agent_shows_what_both_actions_are_worth():
    world = Pig()
    view = world.model.view(State((0, 0), 0, 20), 0)
    decision = Optimal().decide(world.model, view, BUDGET, Rng(0))
    wins = solve(100).action_values(view.state)
    assert decision.values == {a: pytest.approx(2 * chance - 1) for a, chance in wins.items()}


def test_hold_at_holds_at_its_threshold():
    world = Pig()
    agent = HoldAt(threshold=25)
    chosen = [
        agent.decide(world.model, world.model.view(State((0, 0), 0, t), 0), BUDGET, Rng(0)).action
        for t in (24, 25)
    ]
    assert chosen == ["roll", "hold"]


def test_hold_at_refuses_a_threshold_below_1():
    with pytest.raises(BadParameter, match="threshold"):
        HoldAt(threshold=0)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nim", "knows the rules of pig"), ("pig[seats=3]", "seats"), ("pig[target=400]", "300")],
)
def test_the_optimal_agent_refuses_what_it_cannot_play(name, reason):
    world = registry.world(name)
    view = world.model.view(world.start(Rng(0)), 0)
    with pytest.raises(Unsupported, match=reason):
        Optimal().start(world.model, view, BUDGET, Rng(0))
