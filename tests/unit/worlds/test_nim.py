"""Nim: rules, notation, errors, and Bouton's theorem against brute force."""

from functools import cache
from itertools import product
from math import factorial

import pytest

from ludex.agents.nim.perfect import Perfect
from ludex.core import Budget, Rng, registry
from ludex.core.errors import (
    AmbiguousAction,
    BadParameter,
    GameOver,
    IllegalAction,
    InvalidAction,
    InvalidState,
    Unsupported,
)
from ludex.worlds.nim import Nim
from ludex.worlds.nim.rules import State, Take, mover_wins, winning_takes

BUDGET = Budget(model_calls=10)


def perft(model, state, depth):
    """Count the lines of play of so many moves, by the model's own rules."""
    if depth == 0:
        return 1
    total = 0
    for seat in model.to_act(state):
        for action in model.legal(state, seat):
            total += perft(model, model.step(state, (action,), Rng(0)), depth - 1)
    return total


@cache
def wins_by_search(heaps, misere):
    """Whether the mover wins, by trying every move; knows nothing of nim-sums."""
    if sum(heaps) == 0:
        return misere
    for place, size in enumerate(heaps):
        for left in range(size):
            if not wins_by_search((*heaps[:place], left, *heaps[place + 1 :]), misere):
                return True
    return False


@pytest.mark.parametrize("misere", [False, True])
def test_boutons_theorem_agrees_with_trying_every_move(misere):
    for heaps in product(range(6), range(6), range(6)):
        assert mover_wins(heaps, misere) == wins_by_search(heaps, misere), heaps


def test_the_only_winning_move_in_3_4_5_takes_2_from_the_first_heap():
    # 4 xor 5 = 1, so the first heap must become 1.
    assert winning_takes((3, 4, 5)) == [Take(0, 2)]


def test_misere_play_leaves_an_odd_number_of_single_matches():
    assert winning_takes((1, 1, 4), misere=True) == [Take(2, 3)]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_single_heap_has_as_many_moves_as_matches(size):
    world = Nim(heaps=(size,))
    assert perft(world.model, world.start(Rng(0)), 1) == size


def test_two_moves_from_3_4_5_are_counted_by_formula():
    # After taking k of a heap of n, 12 - k matches, and so moves, are left.
    expected = sum(12 - taken for size in (3, 4, 5) for taken in range(1, size + 1))
    world = Nim()
    assert expected == 113
    assert perft(world.model, world.start(Rng(0)), 2) == expected


def test_games_of_single_matches_are_counted_by_factorial():
    world = Nim(heaps=(1, 1, 1, 1, 1))
    assert perft(world.model, world.start(Rng(0)), 5) == factorial(5)


def test_whole_games_of_one_heap_are_counted_as_compositions():
    # A game with n matches is a way to write n as an ordered sum: 2 ** (n - 1) of them.
    world = Nim(heaps=(6,))

    def games(state):
        if world.model.over(state):
            return 1
        after = (
            world.model.step(state, (a,), Rng(0)) for a in world.model.legal(state, state.turn)
        )
        return sum(map(games, after))

    assert games(world.start(Rng(0))) == 2**5


def test_who_takes_the_last_match_wins():
    outcome = Nim().model.outcome(State((0, 0, 0), turn=1))
    assert (outcome.winners, outcome.returns) == ((0,), (1.0, -1.0))


def test_who_takes_the_last_match_loses_in_misere():
    outcome = Nim(misere=True).model.outcome(State((0, 0, 0), turn=1))
    assert (outcome.winners, outcome.returns) == ((1,), (-1.0, 1.0))


def test_a_state_reads_back_from_its_text():
    state = State((0, 4, 2), turn=1)
    assert str(state) == "0 4 2 turn=1"
    assert Nim().parse(str(state)) == state


def test_the_turn_may_be_left_out():
    assert Nim().parse("3 4 5") == State((3, 4, 5), 0)


@pytest.mark.parametrize("text", ["", "3 4", "3 4 5 6", "3 4 x", "3 4 5 turn=2", "-1 4 5", "3 4 9"])
def test_a_line_that_is_no_state_is_refused_by_quoting_it(text):
    with pytest.raises(InvalidState) as refused:
        Nim().parse(text)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize("heaps", [(), (0, 0), (101,), (100, 100, 1), (-1, 3), (2.5,), "345"])
def test_impossible_heaps_are_refused(heaps):
    with pytest.raises(BadParameter, match="heaps"):
        Nim(heaps=heaps)


def test_options_read_back_from_the_name():
    world = registry.world("nim[heaps=1-2-3,misere=true]")
    assert (world.heaps, world.misere, str(world)) == (
        (1, 2, 3),
        True,
        "nim[heaps=1-2-3,misere=true]",
    )


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Take(0, 4), "it holds 3, so take 1 to 3"),
        (Take(7, 1), "heaps are numbered 0 to 2"),
        (Take(1, 1), "it is empty"),
        ("rubbish", "seat 0 cannot play 'rubbish' here"),
    ],
)
def test_an_illegal_action_is_explained(action, reason):
    world = Nim()
    with pytest.raises(IllegalAction, match=reason):
        world.step(State((3, 0, 5)), (action,), Rng(0))


def test_a_finished_game_takes_no_move():
    with pytest.raises(GameOver, match="took the last match"):
        Nim().step(State((0, 0, 0)), (), Rng(0))


@pytest.mark.parametrize(
    ("text", "error"),
    [("take 9 from 0", IllegalAction), ("take 2 from", AmbiguousAction), ("grab", InvalidAction)],
)
def test_malformed_and_ambiguous_actions_are_different_errors(text, error):
    world = Nim()
    with pytest.raises(error):
        world.parse_action(text, world.model.view(world.start(Rng(0)), 0))


def test_a_well_written_action_that_cannot_be_played_is_illegal():
    world = Nim()
    with pytest.raises(IllegalAction, match="it holds 1, so take 1"):
        world.parse_action("take 3 from 0", world.model.view(State((1, 4, 5)), 0))


def test_the_observation_says_whose_turn_it_is():
    world = Nim()
    state = State((3, 1, 5), turn=1)
    rows = [list(world.observation(world.model.view(state, seat))) for seat in (0, 1)]
    assert rows == [[3, 1, 5, 0], [3, 1, 5, 1]]


def test_the_text_drawing_shows_what_is_left_and_what_was_taken():
    assert Nim(heaps=(3, 2)).draw(State((1, 2), turn=1)) == "0: |..  1\n1: ||   2\nseat 1 to move"


def test_the_svg_has_one_match_for_each_at_the_start():
    assert Nim().draw(State((3, 0, 5)), "svg").count("<ellipse") == 12


@pytest.mark.parametrize("misere", [False, True])
def test_perfect_wins_every_won_position_against_every_defence(misere):
    world = Nim(heaps=(3, 3, 3), misere=misere)
    agent = Perfect()

    def always_wins(state, agents_turn):
        outcome = world.model.outcome(state)
        if outcome is not None:
            return outcome.returns[state.turn] == (1.0 if agents_turn else -1.0)
        if agents_turn:
            view = world.model.view(state, state.turn)
            moves = [agent.decide(world.model, view, BUDGET, Rng(5)).action]
        else:
            moves = world.model.legal(state, state.turn)
        return all(
            always_wins(world.model.step(state, (move,), Rng(0)), not agents_turn) for move in moves
        )

    won = [h for h in product(range(4), repeat=3) if wins_by_search(h, misere) and sum(h)]
    world.model.meter.arm()
    for heaps in won:
        assert always_wins(State(heaps), agents_turn=True), heaps


def test_perfect_takes_single_matches_when_lost():
    world = Nim(heaps=(4, 4))
    view = world.model.view(world.start(Rng(0)), 0)
    taken = {Perfect().decide(world.model, view, BUDGET, Rng(s)).action.matches for s in range(20)}
    assert taken == {1}


def test_perfect_refuses_other_worlds_in_one_sentence():
    world = registry.world("pig")
    view = world.model.view(world.start(Rng(0)), 0)
    with pytest.raises(Unsupported, match="nim/perfect knows the rules of nim alone"):
        Perfect().start(world.model, view, BUDGET, Rng(0))
