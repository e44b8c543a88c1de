"""Games played tick by tick by whoever calls."""

import pytest

from ludex.agents.compose import make_agent
from ludex.arena.match.replay import replay
from ludex.arena.match.session import Session
from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.errors import WrongSeats

CALLS = Budget.parse("30calls")
UP, LEFT, DOWN, RIGHT = 1, 2, 3, 4


def session(game, agents=(None,), seed=1):
    return Session(registry.world(f"vgdl/{game}"), agents, seed, CALLS)


def test_what_is_pressed_is_played_and_nothing_pressed_is_nil():
    game = session("sokoban")
    game.step({0: LEFT})
    game.step({})
    assert game.moves == [(LEFT,), (0,)]
    assert game.tick == 2


def test_what_is_not_legal_is_nil():
    game = session("aliens")
    game.step({0: UP})
    assert game.moves == [(0,)]


def test_a_step_can_be_undone_only_where_nothing_is_random():
    puzzle, arcade = session("sokoban"), session("zelda")
    before = puzzle.state
    for game in (puzzle, arcade):
        game.step({0: LEFT})
        game.undo()
    assert puzzle.state == before
    assert puzzle.tick == 0
    assert arcade.tick == 1


def test_nothing_is_undone_that_an_agent_remembers():
    game = session("two_thieves", [None, make_agent("uniform")])
    game.step({0: DOWN})
    game.undo()
    assert game.tick == 1


@pytest.mark.parametrize("game", ["sokoban", "zelda"])
def test_the_record_of_a_session_replays(game):
    played = session(game)
    for tick in range(120):
        played.step({0: (UP, LEFT, DOWN, RIGHT)[tick % 4]})
    outcome = replay(played.record())
    assert outcome.truncated or outcome == played.outcome


def test_a_session_without_a_step_has_a_record_too():
    assert replay(session("zelda").record()).reason == "left the game"


def test_agents_play_the_seats_that_are_given_to_them():
    games = [session("tank_duel", [None, make_agent("uniform")], seed=5) for _ in range(2)]
    for game in games:
        for _ in range(20):
            game.step({0: RIGHT})
    assert games[0].moves == games[1].moves
    assert len({actions[1] for actions in games[0].moves}) > 2


def test_every_seat_needs_somebody():
    with pytest.raises(WrongSeats):
        session("tank_duel", [None])
